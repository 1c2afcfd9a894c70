//! GCM: all paths that there are.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Engine, Gcm, Lea128, Lea192, Lea256, Packet, Partial};
use zeroize::Zeroize;

use super::super::algorithm::{by_key, by_tag};
use super::super::answer::{Error, Kind};
use super::{Aead, Message, one_shot, through};

/// A packet beside the one that was asked for, under the same key.
struct Neighbour {
    nonce: [u8; 12],
    text: Vec<u8>,
}

impl Neighbour {
    /// One before a packet and one behind it, of other nonces and lengths.
    fn of(nonce: &[u8; 12], text: &[u8]) -> [Self; 2] {
        [(1, text.len() + 1), (2, text.len() / 2)].map(|(bit, len)| {
            let mut nonce = *nonce;
            nonce[11] ^= bit;
            let text = vec![bit; len];
            Self { nonce, text }
        })
    }
}

/// The nonce of paths that have 12 bytes alone.
fn nonce<'a>(message: &Message<'a>) -> Result<&'a [u8; 12], Error> {
    (message.iv.try_into()).map_err(|_| Error::of(Kind::Unsupported))
}

macro_rules! for_cipher {
    ($($Cipher:ident)*) => {$(
        impl<const TAG: usize> Aead for Gcm<$Cipher, 12, TAG> {
            one_shot!();

            fn seal_by(
                &self,
                path: &str,
                message: &Message<'_>,
                mut out: &mut [u8],
                tag: &mut [u8],
            ) -> Result<(), Error> {
                let Message { iv, aad, text, .. } = *message;
                let made = match path {
                    "scatter" => self.seal_scatter(iv, aad, &message.text_pieces, out)?,
                    "stream" => {
                        let mut sealer = self.sealer(iv)?;
                        through!(message, sealer, seal_into, out)?;
                        sealer.finish()
                    }
                    "batch" => {
                        let nonce = nonce(message)?;
                        let [mut first, mut last] = Neighbour::of(nonce, text);
                        let mut packets = [
                            Packet::in_place(&first.nonce, aad, &mut first.text),
                            Packet::between(nonce, aad, text, out)?,
                            Packet::in_place(&last.nonce, aad, &mut last.text),
                        ];
                        self.seal_batch(&mut packets)?;
                        tag.copy_from_slice(packets[1].tag());
                        return Ok(());
                    }
                    // From the last to the first, and merged.
                    "segments" => {
                        let segments = self.segments(nonce(message)?);
                        let mut later: Option<Partial> = None;
                        for piece in message.text_pieces.iter().rev() {
                            let (rest, now) = out.split_at_mut(out.len() - piece.len());
                            let part = segments.seal_into(rest.len() as u64, piece, now)?;
                            later = Some(match later {
                                Some(later) => segments.merge(&part, &later)?,
                                None => part,
                            });
                            out = rest;
                        }
                        segments.finish(aad, later.as_slice())?
                    }
                    _ => return Err(Error::of(Kind::Unsupported)),
                };
                tag.copy_from_slice(&made);
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
                match path {
                    "stream" => {
                        let mut opener = self.opener(iv)?;
                        through!(message, opener, open_into, out)?;
                        // The opener gave out what nobody had verified: taking it back is up to its user.
                        opener.finish(tag).inspect_err(|_| out.zeroize())?;
                    }
                    "batch" => {
                        let nonce = nonce(message)?;
                        let [mut first, mut last] = Neighbour::of(nonce, text);
                        let first_tag = self.seal_in_place(&first.nonce, aad, &mut first.text)?;
                        let last_tag = self.seal_in_place(&last.nonce, aad, &mut last.text)?;
                        self.open_batch(&mut [
                            Packet::in_place(&first.nonce, aad, &mut first.text).with_tag(&first_tag),
                            Packet::between(nonce, aad, text, out)?.with_tag(tag),
                            Packet::in_place(&last.nonce, aad, &mut last.text).with_tag(&last_tag),
                        ])?;
                    }
                    // Decrypted, from the last to the first, once the tag is found right.
                    "segments" => {
                        let segments = self.segments(nonce(message)?);
                        let mut end = 0;
                        let mut parts = Vec::new();
                        for piece in &message.text_pieces {
                            parts.push(segments.authenticate(end, piece)?);
                            end += piece.len() as u64;
                        }
                        let verified = segments.verify(aad, &parts, tag)?;
                        let mut rest = out;
                        for piece in message.text_pieces.iter().rev() {
                            let (before, now) = rest.split_at_mut(rest.len() - piece.len());
                            verified.open_into(before.len() as u64, piece, now)?;
                            rest = before;
                        }
                    }
                    _ => return Err(Error::of(Kind::Unsupported)),
                }
                Ok(())
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
