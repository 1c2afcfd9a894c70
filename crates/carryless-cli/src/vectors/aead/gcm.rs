//! GCM: all paths that there are.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::hazmat::Opener;
use carryless::{
    Aes128, Aes192, Aes256, Engine, Gcm, Lea128, Lea192, Lea256, Packet, Partial, Sealer,
};

use super::super::algorithm::{by_key, by_tag};
use super::super::answer::Error;
use super::paths::{self, GcmPaths, Message, Opening, Pieces, Sealing, both_ways};
use super::{Aead, one_shot, streams};

macro_rules! for_cipher {
    ($($Cipher:ident)*) => {$(
        impl<const TAG: usize> Aead for Gcm<$Cipher, 12, TAG> {
            one_shot!();
            streams!();

            fn gcm(&self) -> Option<&dyn GcmPaths> {
                Some(self)
            }
        }

        both_ways!([const TAG: usize] Sealer<'_, $Cipher, TAG>, Opener<'_, $Cipher, TAG>, sealer => sealer.finish());

        impl<const TAG: usize> GcmPaths for Gcm<$Cipher, 12, TAG> {
            fn seal_scatter(
                &self,
                message: &Message<'_>,
                out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), InputError> {
                let Message { iv, aad, text_pieces, .. } = message;
                tag.copy_from_slice(&self.seal_scatter(iv, aad, text_pieces, out)?);
                Ok(())
            }
            fn seal_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
                self.seal_batch(packets)
            }
            fn open_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError> {
                self.open_batch(packets)
            }
            fn segments(&self, nonce: &[u8; 12]) -> Box<dyn paths::Segments + '_> {
                Box::new(self.segments(nonce))
            }
        }

        impl<const TAG: usize> paths::Segments for carryless::Segments<'_, $Cipher, TAG> {
            fn seal_into(&self, start: u64, piece: &[u8], out: &mut [u8]) -> Result<Partial, InputError> {
                self.seal_into(start, piece, out)
            }
            fn authenticate(&self, start: u64, piece: &[u8]) -> Result<Partial, InputError> {
                self.authenticate(start, piece)
            }
            fn merge(&self, first: &Partial, second: &Partial) -> Result<Partial, InputError> {
                self.merge(first, second)
            }
            fn finish(&self, aad: &[u8], parts: &[Partial], tag: &mut [u8]) -> Result<(), InputError> {
                tag.copy_from_slice(&self.finish(aad, parts)?);
                Ok(())
            }
            fn verify<'p>(
                &'p self,
                aad: &[u8],
                parts: &'p [Partial],
                tag: &[u8],
            ) -> Result<Box<dyn paths::Verified + 'p>, OpenError> {
                Ok(Box::new(self.verify(aad, parts, tag)?))
            }
        }

        impl<const TAG: usize> paths::Verified for carryless::Verified<'_, '_, $Cipher, TAG> {
            fn open_into(&self, start: u64, piece: &[u8], out: &mut [u8]) -> Result<(), OpenError> {
                self.open_into(start, piece, out)
            }
        }
    )*};
}

for_cipher!(Aes128 Aes192 Aes256 Lea128 Lea192 Lea256);

macro_rules! made {
    ($name:ident $Ciphers:ident) => {
        pub fn $name(key: &[u8], tag_len: usize, engine: Engine) -> Result<Box<dyn Aead>, KeyError> {
            by_key!(key, C => by_tag!(
                tag_len, TAG => Ok(Box::new(Gcm::<C, 12, TAG>::with_engine(key, engine)?));
                4 8 12 13 14 15 16
            ); $Ciphers)
        }
    };
}

made!(gcm AES);
made!(lea_gcm LEA);
