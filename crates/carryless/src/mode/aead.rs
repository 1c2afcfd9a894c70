//! The traits of the `aead` crate, so that programs written for `aes_gcm` compile unchanged.

use aead::array::ArraySize;
use aead::array::typenum::{Const, ToUInt, U};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

use super::gcm::Gcm;
use super::key_size::TypedKey;
use crate::engine::{AeadKeys, Engine, EveryAead, InOut};

impl<C: EveryAead + TypedKey, const NONCE: usize, const TAG: usize> KeySizeUser
    for Gcm<C, NONCE, TAG>
{
    type KeySize = C::KeySize;
}

impl<C: EveryAead + TypedKey, const NONCE: usize, const TAG: usize> KeyInit for Gcm<C, NONCE, TAG> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        AeadKeys::build_in_place(Engine::selected_for::<C>(), Self::of, |gcm| gcm.set(key))
    }
}

impl<C: EveryAead + TypedKey, const NONCE: usize, const TAG: usize> AeadCore for Gcm<C, NONCE, TAG>
where
    Const<NONCE>: ToUInt<Output: ArraySize>,
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    type NonceSize = U<NONCE>;
    type TagSize = U<TAG>;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// Unlike with `aes_gcm`, the buffer of a failed opening is zeroed.
impl<C: EveryAead + TypedKey, const NONCE: usize, const TAG: usize> AeadInOut for Gcm<C, NONCE, TAG>
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
