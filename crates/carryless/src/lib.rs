//! AES-GCM on carry-less multiplication: constant time, and fast on every CPU.
//!
//! ```
//! use carryless::Aes256Gcm;
//!
//! let key = Aes256Gcm::from_slice(&[0x42; 32])?;
//! let mut text = *b"attack at dawn";
//! let tag = key.seal_in_place(&[1; 12], b"header", &mut text)?;   // a nonce is used once
//! key.open_in_place(&[1; 12], b"header", &mut text, &tag)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), carryless::error::OpenError>(())
//! ```
//!
//! * [`Aes128Gcm`], [`Aes192Gcm`], [`Aes256Gcm`]: one call, one message, in place or from buffer to
//!   buffer; [`Sealer`] for a message in pieces; [`Gmac`]; [`RandomNonceSealer`] for those who
//!   can't count nonces; `seal_once` and `open_once` for a key per message.
//! * [`XAes256Gcm`]: nonces of 24 bytes, which may be drawn at random without a count; [`Aes128GcmSiv`],
//!   [`Aes256GcmSiv`]: a nonce that repeats shows no more than that a message did.
//! * [`Cmac`], which needs no nonce; [`Aes128Ccm`] and its like, where a protocol asks for CCM.
//! * [`Engine`]: what runs it, chosen once per process by what the CPU can do, or by name.
//! * With the feature `aead` (default) the traits of that crate: replace `aes_gcm::` by
//!   `carryless::`. One thing differs: after a failed opening in place the buffer is zeroed.
//! * With the feature `lea` the block cipher LEA (KS X 3246), which is not AES: `Lea128Gcm` and its like, and as `Lea128` to
//!   `Lea256` in whatever else is generic over its cipher.
//! * With the feature `hazmat` the parts that are easy to misuse.
//! * With the feature `sgcm` an experiment: GCM with a hash modulo a prime.
//!
//! No engine branches on a secret, indexes a table by one, or feeds one to an instruction whose
//! time varies (the portable one counts on a multiplier of constant time). No allocation, no panic on any input, no dependency but `zeroize` in the core.
#![allow(
    unreachable_pub,
    reason = "`pub` in a private module means: for the layers above"
)]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(carryless_a32)]
mod asm;
mod block;
#[macro_use]
mod unrolled;

mod engine;
#[cfg(feature = "std")]
mod env;
pub mod error;
mod field;
#[cfg_attr(
    not(carryless_fused),
    allow(
        dead_code,
        unused_macros,
        reason = "no engine with vectors of lanes here"
    )
)]
mod kernel;
mod mode;
mod secret;
#[cfg_attr(
    not(carryless_fused),
    allow(dead_code, reason = "no engine with vectors of lanes here")
)]
mod simd;
mod soft;

pub use engine::{Aes128, Aes192, Aes256, DataIndependentTiming, Engine, Features};
#[cfg(feature = "lea")]
pub use engine::{Lea128, Lea192, Lea256};
#[cfg(feature = "digest")]
pub use mode::GmacOnce;
#[cfg(feature = "getrandom")]
pub use mode::RandomNonceSealer;
pub use mode::{Ccm, CcmSealer, Cmac, CmacStream, GmacStream};
pub use mode::{
    Gcm, GcmSiv, Gmac, Packet, Partial, Sealer, Segments, Slot, Verified, XAes256Gcm, check_lengths,
};

#[cfg(feature = "aead")]
mod drop_in {
    #[cfg(feature = "getrandom")]
    pub use aead::Generate;
    pub use aead::{self, AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser};

    /// A nonce as the `aead` traits take it.
    pub type Nonce<Size = aead::consts::U12> = aead::array::Array<u8, Size>;

    /// A tag as the `aead` traits give it.
    pub type Tag<Size = aead::consts::U16> = aead::array::Array<u8, Size>;
}
#[cfg(feature = "aead")]
pub use drop_in::*;

/// What programs for `aes-gcm` 0.10 import from that crate: `use carryless::aead_0_5 as aes_gcm;`.
///
/// [`Ccm`], [`GcmSiv`], [`XAes256Gcm`] and SGCM have the same traits; `Gcm`, `Ccm` and SGCM with LEA too.
///
/// ```
/// use carryless::aead_0_5 as aes_gcm;
/// use aes_gcm::aead::{Aead, KeyInit};
/// use aes_gcm::{Aes256Gcm, Nonce};
///
/// let cipher = Aes256Gcm::new(&[7; 32].into());
/// let nonce = Nonce::from_slice(b"unique nonce");
/// let sealed = cipher.encrypt(nonce, b"plaintext".as_ref())?;
/// assert_eq!(cipher.decrypt(nonce, sealed.as_ref())?, b"plaintext");
/// # Ok::<(), aes_gcm::Error>(())
/// ```
#[cfg(feature = "aead-0-5")]
pub mod aead_0_5 {
    pub use ::aead_0_5 as aead;
    pub use ::aead_0_5::{AeadCore, AeadInPlace, Error, Key, KeyInit, KeySizeUser};

    pub use crate::{Aes128Gcm, Aes192Gcm, Aes256Gcm};

    /// A nonce as these traits take it.
    pub type Nonce<Size> = aead::generic_array::GenericArray<u8, Size>;

    /// A tag as they give it.
    pub type Tag<Size = aead::consts::U16> = aead::generic_array::GenericArray<u8, Size>;
}

/// AES-GCM with a key of 16 bytes.
pub type Aes128Gcm = Gcm<Aes128>;
/// AES-GCM with a key of 24 bytes.
pub type Aes192Gcm = Gcm<Aes192>;
/// AES-GCM with a key of 32 bytes.
pub type Aes256Gcm = Gcm<Aes256>;

/// AES-GCM-SIV with a key of 16 bytes.
pub type Aes128GcmSiv = GcmSiv<Aes128>;
/// AES-GCM-SIV with a key of 32 bytes.
pub type Aes256GcmSiv = GcmSiv<Aes256>;
/// AES-CCM with a key of 16 bytes.
pub type Aes128Ccm = Ccm<Aes128>;
/// AES-CCM with a key of 24 bytes.
pub type Aes192Ccm = Ccm<Aes192>;
/// AES-CCM with a key of 32 bytes.
pub type Aes256Ccm = Ccm<Aes256>;

/// SGCM: GCM with a hash modulo a prime.
///
/// **Non-standard, experimental, no interoperability.** No NIST, ISO/IEC or IETF document defines SGCM. The default AEAD of this
/// library is AES-GCM.
#[cfg(feature = "sgcm")]
pub mod sgcm {
    use crate::engine::{Aes128, Aes192, Aes256};
    #[cfg(feature = "lea")]
    use crate::engine::{Lea128, Lea192, Lea256};
    pub use crate::mode::sgcm::{Sgcm, SgcmSealer};

    /// AES-SGCM with a key of 16 bytes.
    pub type Aes128Sgcm = Sgcm<Aes128>;
    /// AES-SGCM with a key of 24 bytes.
    pub type Aes192Sgcm = Sgcm<Aes192>;
    /// AES-SGCM with a key of 32 bytes.
    pub type Aes256Sgcm = Sgcm<Aes256>;
    /// LEA-SGCM with a key of 16 bytes.
    #[cfg(feature = "lea")]
    pub type Lea128Sgcm = Sgcm<Lea128>;
    /// LEA-SGCM with a key of 24 bytes.
    #[cfg(feature = "lea")]
    pub type Lea192Sgcm = Sgcm<Lea192>;
    /// LEA-SGCM with a key of 32 bytes.
    #[cfg(feature = "lea")]
    pub type Lea256Sgcm = Sgcm<Lea256>;
}
/// LEA-GCM with a key of 16 bytes: GCM over [`Lea128`].
///
/// # Examples
/// ```
/// use carryless::Lea128Gcm;
///
/// let key = Lea128Gcm::from_slice(&[0x42; 16])?;
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&[1; 12], b"header", &mut text)?;
/// key.open_in_place(&[1; 12], b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
#[cfg(feature = "lea")]
pub type Lea128Gcm = Gcm<Lea128>;
/// LEA-GCM with a key of 24 bytes.
#[cfg(feature = "lea")]
pub type Lea192Gcm = Gcm<Lea192>;
/// LEA-GCM with a key of 32 bytes.
#[cfg(feature = "lea")]
pub type Lea256Gcm = Gcm<Lea256>;

/// What is easy to misuse: unverified plaintext, a hash that is no MAC, ciphers that authenticate
/// nothing.
#[cfg(feature = "hazmat")]
pub mod hazmat {
    pub use crate::mode::cbc::{CbcDecryptor, CbcEncryptor, CbcMessage};
    pub use crate::mode::cipher::{BlockCipher, CounterWidth};
    pub use crate::mode::ctr::Ctr;
    pub use crate::mode::ghash::{Ghash, Polyval};
    pub use crate::mode::xts::Xts;
    pub use crate::mode::{CcmOpener, Opener, pkcs7};
    #[cfg(feature = "cipher")]
    pub use cipher;

    /// The parts of SGCM.
    #[cfg(feature = "sgcm")]
    pub mod sgcm {
        pub use crate::engine::prime::Element;
        pub use crate::mode::ghash::Sghash;
        pub use crate::mode::sgcm::SgcmOpener;
    }
}
