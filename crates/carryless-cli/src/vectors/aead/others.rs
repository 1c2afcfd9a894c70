//! XAES-256-GCM, AES-GCM-SIV and CCM.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::hazmat::CcmOpener;
use carryless::{Aes128, Aes192, Aes256, Ccm, CcmSealer, Engine, GcmSiv, XAes256Gcm};

use super::super::algorithm::{by_key, by_tag};
use super::super::answer::Error;
use super::paths::{Message, Opening, Pieces, Sealing, both_ways};
use super::{Aead, Derived, one_shot};

impl Aead for XAes256Gcm {
    one_shot!();

    fn derived(&self, iv: &[u8]) -> Result<Option<Derived>, InputError> {
        let (key, nonce) = self.derive(iv)?;
        let key = Box::new(key);
        Ok(Some(Derived { key, nonce }))
    }
}

pub fn xaes(key: &[u8], _: usize, engine: Engine) -> Result<Box<dyn Aead>, KeyError> {
    Ok(Box::new(XAes256Gcm::with_engine(key, engine)?))
}

impl Aead for GcmSiv<Aes128> {
    one_shot!();
}

impl Aead for GcmSiv<Aes256> {
    one_shot!();
}

pub fn gcm_siv(key: &[u8], _: usize, engine: Engine) -> Result<Box<dyn Aead>, KeyError> {
    by_key!(key, C => Ok(Box::new(GcmSiv::<C>::with_engine(key, engine)?)); 16 Aes128, Aes256)
}

macro_rules! for_cipher {
    ($($Cipher:ident)*) => {$(
        impl<const TAG: usize> Aead for Ccm<$Cipher, 12, TAG> {
            one_shot!();

            fn sealer(&self, message: &Message<'_>) -> Result<Box<dyn Sealing + '_>, Error> {
                let Message { iv, aad, text, .. } = message;
                Ok(Box::new(self.sealer(iv, aad.len() as u64, text.len() as u64)?))
            }
            fn opener(&self, message: &Message<'_>) -> Result<Box<dyn Opening + '_>, Error> {
                let Message { iv, aad, text, .. } = message;
                Ok(Box::new(self.opener(iv, aad.len() as u64, text.len() as u64)?))
            }
        }

        both_ways!([const TAG: usize] CcmSealer<'_, $Cipher, TAG>, CcmOpener<'_, $Cipher, TAG>, sealer => sealer.finish()?);
    )*};
}

for_cipher!(Aes128 Aes192 Aes256);

/// The type's length of nonces is that of the traits of `aead`: its methods take all that CCM has.
pub fn ccm(key: &[u8], tag_len: usize, engine: Engine) -> Result<Box<dyn Aead>, KeyError> {
    by_key!(key, C => by_tag!(
        tag_len, TAG => Ok(Box::new(Ccm::<C, 12, TAG>::with_engine(key, engine)?));
        4 6 8 10 12 14 16
    ); AES)
}
