//! The traits of the `aead` crate for modes with one length of nonces and one of tags.

use aead::array::typenum::{U12, U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

use super::gcm_siv::GcmSiv;
use super::key_size::TypedKey;
#[cfg(feature = "sgcm")]
use super::sgcm::Sgcm;
use super::xaes::XAes256Gcm;
#[cfg(feature = "sgcm")]
use crate::engine::EveryCipher;
use crate::engine::{InOut, KnownSiv};

/// `aead! { [generics] Mode, KeySize, NonceSize }`
macro_rules! aead {
    ([$($generics:tt)*] $Mode:ty, $KeySize:ty, $NonceSize:ty) => {
        impl<$($generics)*> KeySizeUser for $Mode {
            type KeySize = $KeySize;
        }

        impl<$($generics)*> KeyInit for $Mode {
            fn new(key: &Key<Self>) -> Self {
                Self::from_slice(key).expect("selected engines are available")
            }
        }

        impl<$($generics)*> AeadCore for $Mode {
            type NonceSize = $NonceSize;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        /// The buffer of a failed opening is zeroed.
        impl<$($generics)*> AeadInOut for $Mode {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                text: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>, Error> {
                let tag = self.seal(nonce, aad, InOut::from(text));
                tag.map(Into::into).map_err(|_| Error)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                text: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                self.open(nonce, aad, InOut::from(text), tag)
                    .map_err(|_| Error)
            }
        }
    };
}

aead! { [C: TypedKey + KnownSiv] GcmSiv<C>, C::KeySize, U12 }
aead! { [] XAes256Gcm, U32, U24 }
#[cfg(feature = "sgcm")]
aead! { [C: TypedKey + EveryCipher] Sgcm<C>, C::KeySize, U12 }
