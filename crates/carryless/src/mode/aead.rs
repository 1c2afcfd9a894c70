//! The traits of the `aead` crate, so that programs written for `aes_gcm` compile unchanged.

use aead::array::ArraySize;
use aead::array::typenum::{Const, ToUInt, U, U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

use super::gcm::Gcm;
use crate::engine::{AeadKeys, Aes128, Aes192, Aes256, Engine, EveryAead, InOut};

/// A cipher with its key size as a type.
pub trait TypedKey: EveryAead {
    /// Bytes of a key.
    type KeySize: ArraySize;
}

impl TypedKey for Aes128 {
    type KeySize = U16;
}
impl TypedKey for Aes192 {
    type KeySize = U24;
}
impl TypedKey for Aes256 {
    type KeySize = U32;
}

impl<C: TypedKey, const NONCE: usize, const TAG: usize> KeySizeUser for Gcm<C, NONCE, TAG> {
    type KeySize = C::KeySize;
}

impl<C: TypedKey, const NONCE: usize, const TAG: usize> KeyInit for Gcm<C, NONCE, TAG> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        AeadKeys::build_in_place(Engine::selected_for::<C>(), Self::of, |gcm| gcm.set(key))
    }
}

impl<C: TypedKey, const NONCE: usize, const TAG: usize> AeadCore for Gcm<C, NONCE, TAG>
where
    Const<NONCE>: ToUInt<Output: ArraySize>,
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    type NonceSize = U<NONCE>;
    type TagSize = U<TAG>;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// Unlike with `aes_gcm`, the buffer of a failed opening is zeroed.
impl<C: TypedKey, const NONCE: usize, const TAG: usize> AeadInOut for Gcm<C, NONCE, TAG>
where
    Const<NONCE>: ToUInt<Output: ArraySize>,
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    #[inline]
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        aad: &[u8],
        text: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let tag = self
            .seal(nonce, aad, InOut::from(text))
            .map_err(|_| Error)?;
        Tag::<Self>::try_from(tag.as_slice()).map_err(|_| Error)
    }

    #[inline]
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
