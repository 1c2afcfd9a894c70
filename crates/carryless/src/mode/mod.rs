//! Modes of operation: lengths, nonces, tags and wiping, in terms of engines.
//!
//! No instruction of any CPU is named here, and no algorithm of a cipher or field.
#![forbid(unsafe_code)]

#[cfg(feature = "aead")]
mod aead;
#[cfg(feature = "aead-0-5")]
mod aead_0_5;
#[cfg(feature = "aead")]
mod aead_fixed;
mod batch;
mod ccm;
mod chain;
mod cmac;
#[cfg(feature = "digest")]
mod digest;
mod frame;
mod gcm;
mod gcm_siv;
mod gmac;
mod hashing;
#[cfg(any(feature = "aead", feature = "cipher", feature = "digest"))]
mod key_size;
mod limits;
mod nonce;
mod once;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "getrandom")]
mod random_nonce;
mod segment;
#[cfg(feature = "sgcm")]
pub(crate) mod sgcm;
mod slot;
mod stream;
mod tag;
mod whole;
mod xaes;

#[cfg(feature = "hazmat")]
pub(crate) mod cbc;
#[cfg(feature = "hazmat")]
pub(crate) mod cipher;
#[cfg(feature = "cipher")]
mod cipher_traits;
#[cfg(feature = "hazmat")]
pub(crate) mod ctr;
#[cfg(feature = "hazmat")]
pub(crate) mod ghash;
#[cfg(feature = "hazmat")]
pub mod pkcs7;
#[cfg(feature = "hazmat")]
pub(crate) mod xts;

pub use batch::Packet;
#[cfg(feature = "hazmat")]
pub use ccm::CcmOpener;
pub use ccm::{Ccm, CcmSealer};
pub use cmac::{Cmac, CmacStream};
#[cfg(feature = "digest")]
pub use digest::GmacOnce;
pub use gcm::Gcm;
pub use gcm_siv::GcmSiv;
pub use gmac::{Gmac, GmacStream};
pub use limits::check_lengths;
#[cfg(feature = "getrandom")]
pub use random_nonce::RandomNonceSealer;
pub use segment::{Partial, Segments, Verified};
pub use slot::Slot;
#[cfg(feature = "hazmat")]
pub use stream::Opener;
pub use stream::Sealer;
pub use xaes::XAes256Gcm;
