//! The traits of the `aead` crate.

use aead::array::ArraySize;
use aead::array::typenum::{Const, ToUInt, U};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

use super::super::key_size::TypedKey;
use super::Ccm;
use crate::engine::{EveryCipher, InOut};

impl<C: EveryCipher + TypedKey, const NONCE: usize, const TAG: usize> KeySizeUser
    for Ccm<C, NONCE, TAG>
{
    type KeySize = C::KeySize;
}

impl<C: EveryCipher + TypedKey, const NONCE: usize, const TAG: usize> KeyInit
    for Ccm<C, NONCE, TAG>
{
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self::from_slice(key).expect("a key of the cipher's length")
    }
}

impl<C: EveryCipher + TypedKey, const NONCE: usize, const TAG: usize> AeadCore
    for Ccm<C, NONCE, TAG>
where
    Const<NONCE>: ToUInt<Output: ArraySize>,
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    type NonceSize = U<NONCE>;
    type TagSize = U<TAG>;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// Unlike with `ccm`, the buffer of a failed opening is zeroed.
impl<C: EveryCipher + TypedKey, const NONCE: usize, const TAG: usize> AeadInOut
    for Ccm<C, NONCE, TAG>
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
