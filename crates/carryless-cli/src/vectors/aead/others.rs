//! XAES-256-GCM, AES-GCM-SIV and CCM.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Ccm, Engine, GcmSiv, XAes256Gcm};
use zeroize::Zeroize;

use super::super::algorithm::{by_key, by_tag};
use super::super::answer::{Error, Kind};
use super::{Aead, Message, one_shot, through};

/// What is not one call goes by the key of GCM that is derived for the message.
impl Aead for XAes256Gcm {
    one_shot!();

    fn seal_by(
        &self,
        path: &str,
        message: &Message<'_>,
        out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let (key, nonce) = self.derive(message.iv)?;
        let message = Message {
            iv: &nonce,
            ..message.clone()
        };
        key.seal_by(path, &message, out, tag)
    }

    fn open_by(
        &self,
        path: &str,
        message: &Message<'_>,
        out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let (key, nonce) = self.derive(message.iv)?;
        let message = Message {
            iv: &nonce,
            ..message.clone()
        };
        key.open_by(path, &message, out, tag)
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

            fn seal_by(
                &self,
                path: &str,
                message: &Message<'_>,
                out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                let Message { iv, aad, text, .. } = *message;
                if path != "stream" {
                    return Err(Error::of(Kind::Unsupported));
                }
                let mut sealer = self.sealer(iv, aad.len() as u64, text.len() as u64)?;
                through!(message, sealer, seal_into, out)?;
                tag.copy_from_slice(&sealer.finish()?);
                Ok(())
            }

            fn open_by(
                &self,
                path: &str,
                message: &Message<'_>,
                out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Error> {
                let Message { iv, aad, text, .. } = *message;
                if path != "stream" {
                    return Err(Error::of(Kind::Unsupported));
                }
                let mut opener = self.opener(iv, aad.len() as u64, text.len() as u64)?;
                through!(message, opener, open_into, out)?;
                // As of GCM's opener.
                Ok(opener.finish(tag).inspect_err(|_| out.zeroize())?)
            }
        }
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
