//! The traits of `aead` 0.5, which programs for `aes-gcm` 0.10 and others of its time use.

use aead_0_5::generic_array::{ArrayLength, GenericArray};
use aead_0_5::{AeadCore, AeadInPlace, Error, Key, KeyInit, KeySizeUser, Nonce, Tag};
use typenum::{Const, ToUInt, U, U0, U12, U16, U24, U32};

use super::ccm::Ccm;
use super::gcm::Gcm;
use super::gcm_siv::GcmSiv;
#[cfg(feature = "sgcm")]
use super::sgcm::Sgcm;
use super::xaes::XAes256Gcm;
use crate::engine::{Aes128, Aes192, Aes256, BlockCipher, EveryAead, EveryCipher, KnownSiv};
#[cfg(feature = "lea")]
use crate::engine::{Lea128, Lea192, Lea256};

/// A cipher with its key size as a type of these traits.
pub trait KeySize: BlockCipher {
    /// Bytes of a key.
    type Size: ArrayLength<u8>;
}

macro_rules! sizes {
    ($($Cipher:ident $Size:ident),*) => {$(
        impl KeySize for $Cipher {
            type Size = $Size;
        }
    )*};
}

sizes! { Aes128 U16, Aes192 U24, Aes256 U32 }
#[cfg(feature = "lea")]
sizes! { Lea128 U16, Lea192 U24, Lea256 U32 }

/// `aead! { [generics] Mode, KeySize, NonceSize, TagSize, where .. }`
macro_rules! aead {
    ([$($generics:tt)*] $Mode:ty, $KeySize:ty, $NonceSize:ty, $TagSize:ty $(, where $($bounds:tt)*)?) => {
        impl<$($generics)*> KeySizeUser for $Mode {
            type KeySize = $KeySize;
        }

        impl<$($generics)*> KeyInit for $Mode {
            fn new(key: &Key<Self>) -> Self {
                Self::from_slice(key).expect("a key of the cipher's length")
            }
        }

        impl<$($generics)*> AeadCore for $Mode $(where $($bounds)*)? {
            type NonceSize = $NonceSize;
            type TagSize = $TagSize;
            type CiphertextOverhead = U0;
        }

        /// The buffer of a failed opening is zeroed.
        impl<$($generics)*> AeadInPlace for $Mode $(where $($bounds)*)? {
            fn encrypt_in_place_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                text: &mut [u8],
            ) -> Result<Tag<Self>, Error> {
                let tag = self.seal_in_place(nonce, aad, text);
                tag.map(|tag| GenericArray::clone_from_slice(&tag)).map_err(|_| Error)
            }

            fn decrypt_in_place_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                text: &mut [u8],
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                self.open_in_place(nonce, aad, text, tag).map_err(|_| Error)
            }
        }
    };
}

aead! {
    [C: EveryAead + KeySize, const NONCE: usize, const TAG: usize] Gcm<C, NONCE, TAG>, C::Size, U<NONCE>, U<TAG>,
    where Const<NONCE>: ToUInt<Output: ArrayLength<u8>>, Const<TAG>: ToUInt<Output: ArrayLength<u8>>
}
aead! {
    [C: EveryCipher + KeySize, const NONCE: usize, const TAG: usize] Ccm<C, NONCE, TAG>, C::Size, U<NONCE>, U<TAG>,
    where Const<NONCE>: ToUInt<Output: ArrayLength<u8>>, Const<TAG>: ToUInt<Output: ArrayLength<u8>>
}
aead! { [C: KnownSiv + KeySize] GcmSiv<C>, C::Size, U12, U16 }
aead! { [] XAes256Gcm, U32, U24, U16 }
#[cfg(feature = "sgcm")]
aead! { [C: EveryCipher + KeySize] Sgcm<C>, C::Size, U12, U16 }
