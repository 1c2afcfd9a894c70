//! SGCM: GCM with a hash modulo a prime.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::hazmat::sgcm::SgcmOpener;
use carryless::sgcm::{Sgcm, SgcmSealer};
use carryless::{Aes128, Aes192, Aes256, Engine, Lea128, Lea192, Lea256};

use super::super::algorithm::by_key;
use super::super::answer::Error;
use super::paths::{Message, Opening, Pieces, Sealing, both_ways};
use super::{Aead, one_shot, streams};

macro_rules! for_ciphers {
    ($name:ident $Ciphers:ident: $($Cipher:ident)*) => {
        $(
            impl Aead for Sgcm<$Cipher> {
                one_shot!();
                streams!();
            }

            both_ways!([] SgcmSealer<'_, $Cipher>, SgcmOpener<'_, $Cipher>, sealer => sealer.finish());
        )*

        pub fn $name(key: &[u8], _: usize, engine: Engine) -> Result<Box<dyn Aead>, KeyError> {
            by_key!(key, C => Ok(Box::new(Sgcm::<C>::with_engine(key, engine)?)); $Ciphers)
        }
    };
}

for_ciphers!(aes_sgcm AES: Aes128 Aes192 Aes256);
for_ciphers!(lea_sgcm LEA: Lea128 Lea192 Lea256);
