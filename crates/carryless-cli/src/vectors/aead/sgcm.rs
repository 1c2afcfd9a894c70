//! SGCM: GCM with a hash modulo a prime.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::sgcm::Sgcm;
use carryless::{Aes128, Aes192, Aes256, Engine, Lea128, Lea192, Lea256};
use zeroize::Zeroize;

use super::super::algorithm::by_key;
use super::super::answer::{Error, Kind};
use super::{Aead, Message, one_shot, through};

macro_rules! for_ciphers {
    ($name:ident $Ciphers:ident: $($Cipher:ident)*) => {
        $(impl Aead for Sgcm<$Cipher> {
            one_shot!();

            fn seal_by(
                &self,
                path: &str,
                message: &Message<'_>,
                out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                if path != "stream" {
                    return Err(Error::of(Kind::Unsupported));
                }
                let mut sealer = self.sealer(message.iv)?;
                through!(message, sealer, seal_into, out)?;
                tag.copy_from_slice(&sealer.finish());
                Ok(())
            }

            fn open_by(
                &self,
                path: &str,
                message: &Message<'_>,
                out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), Error> {
                if path != "stream" {
                    return Err(Error::of(Kind::Unsupported));
                }
                let mut opener = self.opener(message.iv)?;
                through!(message, opener, open_into, out)?;
                // As of GCM's opener.
                Ok(opener.finish(tag).inspect_err(|_| out.zeroize())?)
            }
        })*

        pub fn $name(key: &[u8], _: usize, engine: Engine) -> Result<Box<dyn Aead>, KeyError> {
            by_key!(key, C => Ok(Box::new(Sgcm::<C>::with_engine(key, engine)?)); $Ciphers)
        }
    };
}

for_ciphers!(aes_sgcm AES: Aes128 Aes192 Aes256);
for_ciphers!(lea_sgcm LEA: Lea128 Lea192 Lea256);
