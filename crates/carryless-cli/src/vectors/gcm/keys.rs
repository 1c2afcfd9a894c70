//! Keys of AES-GCM and GMAC behind one interface each, with a method for each path.

use carryless::error::{InputError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Engine, Gcm, Gmac, Packet, Partial};
use zeroize::Zeroize;

/// A key of any cipher and tag length.
pub trait Packets {
    fn engine(&self) -> Engine;
    fn seal_into(
        &self,
        iv: &[u8],
        aad: &[u8],
        text: &[u8],
        out: &mut [u8],
    ) -> Result<Vec<u8>, InputError>;
    fn seal_in_place(&self, iv: &[u8], aad: &[u8], text: &mut [u8]) -> Result<Vec<u8>, InputError>;
    fn seal_scatter(
        &self,
        iv: &[u8],
        aad: &[u8],
        text: &[&[u8]],
        out: &mut [u8],
    ) -> Result<Vec<u8>, InputError>;
    fn seal_stream(
        &self,
        iv: &[u8],
        aad: &[&[u8]],
        text: &[&[u8]],
        out: &mut [u8],
    ) -> Result<Vec<u8>, InputError>;
    /// As the middle of three packets.
    fn seal_batch(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &[u8],
        out: &mut [u8],
    ) -> Result<Vec<u8>, OpenError>;
    /// Piece by piece from the last to the first, all but the last of whole blocks, and merged.
    fn seal_segments(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &[&[u8]],
        out: &mut [u8],
    ) -> Result<Vec<u8>, InputError>;
    fn open_into(
        &self,
        iv: &[u8],
        aad: &[u8],
        text: &[u8],
        out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError>;
    fn open_in_place(
        &self,
        iv: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError>;
    fn open_stream(
        &self,
        iv: &[u8],
        aad: &[&[u8]],
        text: &[&[u8]],
        out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError>;
    /// As the middle of three packets.
    fn open_batch(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &[u8],
        out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError>;
    /// Piece by piece from the last to the first, all but the last of whole blocks.
    fn open_segments(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &[&[u8]],
        out: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError>;
}

/// A MAC key of any cipher and tag length.
pub trait Macs {
    fn engine(&self) -> Engine;
    fn mac(&self, iv: &[u8], data: &[u8]) -> Result<Vec<u8>, InputError>;
    fn verify(&self, iv: &[u8], data: &[u8], tag: &[u8]) -> Result<(), OpenError>;
}

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

macro_rules! for_cipher {
    ($Cipher:ty) => {
        impl<const TAG: usize> Packets for Gcm<$Cipher, 12, TAG> {
            fn engine(&self) -> Engine {
                self.engine()
            }
            fn seal_into(
                &self,
                iv: &[u8],
                aad: &[u8],
                text: &[u8],
                out: &mut [u8],
            ) -> Result<Vec<u8>, InputError> {
                Ok(self.seal_into(iv, aad, text, out)?.to_vec())
            }
            fn seal_in_place(
                &self,
                iv: &[u8],
                aad: &[u8],
                text: &mut [u8],
            ) -> Result<Vec<u8>, InputError> {
                Ok(self.seal_in_place(iv, aad, text)?.to_vec())
            }
            fn seal_scatter(
                &self,
                iv: &[u8],
                aad: &[u8],
                text: &[&[u8]],
                out: &mut [u8],
            ) -> Result<Vec<u8>, InputError> {
                Ok(self.seal_scatter(iv, aad, text, out)?.to_vec())
            }
            fn seal_stream(
                &self,
                iv: &[u8],
                aad: &[&[u8]],
                text: &[&[u8]],
                mut out: &mut [u8],
            ) -> Result<Vec<u8>, InputError> {
                let mut sealer = self.sealer(iv)?;
                aad.iter().try_for_each(|piece| sealer.aad(piece))?;
                for piece in text {
                    let (now, later) = out.split_at_mut(piece.len());
                    sealer.seal_into(piece, now)?;
                    out = later;
                }
                Ok(sealer.finish().to_vec())
            }
            fn seal_batch(
                &self,
                nonce: &[u8; 12],
                aad: &[u8],
                text: &[u8],
                out: &mut [u8],
            ) -> Result<Vec<u8>, OpenError> {
                let [mut first, mut last] = Neighbour::of(nonce, text);
                let mut packets = [
                    Packet::in_place(&first.nonce, aad, &mut first.text),
                    Packet::between(nonce, aad, text, out)?,
                    Packet::in_place(&last.nonce, aad, &mut last.text),
                ];
                self.seal_batch(&mut packets)?;
                Ok(packets[1].tag().to_vec())
            }
            fn seal_segments(
                &self,
                nonce: &[u8; 12],
                aad: &[u8],
                text: &[&[u8]],
                mut out: &mut [u8],
            ) -> Result<Vec<u8>, InputError> {
                let message = self.segments(nonce);
                let mut later: Option<Partial> = None;
                for piece in text.iter().rev() {
                    let (rest, now) = out.split_at_mut(out.len() - piece.len());
                    let part = message.seal_into(rest.len() as u64, piece, now)?;
                    later = Some(match later {
                        Some(later) => message.merge(&part, &later)?,
                        None => part,
                    });
                    out = rest;
                }
                Ok(message.finish(aad, later.as_slice())?.to_vec())
            }
            fn open_into(
                &self,
                iv: &[u8],
                aad: &[u8],
                text: &[u8],
                out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), OpenError> {
                self.open_into(iv, aad, text, out, tag)
            }
            fn open_in_place(
                &self,
                iv: &[u8],
                aad: &[u8],
                text: &mut [u8],
                tag: &[u8],
            ) -> Result<(), OpenError> {
                self.open_in_place(iv, aad, text, tag)
            }
            fn open_stream(
                &self,
                iv: &[u8],
                aad: &[&[u8]],
                text: &[&[u8]],
                out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), OpenError> {
                let mut opener = self.opener(iv)?;
                aad.iter().try_for_each(|piece| opener.aad(piece))?;
                let mut rest = &mut *out;
                for piece in text {
                    let (now, later) = rest.split_at_mut(piece.len());
                    opener.open_into(piece, now)?;
                    rest = later;
                }
                // The opener gave out what nobody had verified: taking it back is up to its user.
                opener.finish(tag).inspect_err(|_| out.zeroize())
            }
            fn open_batch(
                &self,
                nonce: &[u8; 12],
                aad: &[u8],
                text: &[u8],
                out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), OpenError> {
                let [mut first, mut last] = Neighbour::of(nonce, text);
                let first_tag = self.seal_in_place(&first.nonce, aad, &mut first.text)?;
                let last_tag = self.seal_in_place(&last.nonce, aad, &mut last.text)?;
                self.open_batch(&mut [
                    Packet::in_place(&first.nonce, aad, &mut first.text).with_tag(&first_tag),
                    Packet::between(nonce, aad, text, out)?.with_tag(tag),
                    Packet::in_place(&last.nonce, aad, &mut last.text).with_tag(&last_tag),
                ])
            }
            fn open_segments(
                &self,
                nonce: &[u8; 12],
                aad: &[u8],
                text: &[&[u8]],
                mut out: &mut [u8],
                tag: &[u8],
            ) -> Result<(), OpenError> {
                let message = self.segments(nonce);
                let mut end = 0;
                let mut parts = Vec::new();
                for piece in text {
                    parts.push(message.authenticate(end, piece)?);
                    end += piece.len() as u64;
                }
                let verified = message.verify(aad, &parts, tag)?;
                for piece in text.iter().rev() {
                    let (rest, now) = out.split_at_mut(out.len() - piece.len());
                    verified.open_into(rest.len() as u64, piece, now)?;
                    out = rest;
                }
                Ok(())
            }
        }

        impl<const TAG: usize> Macs for Gmac<$Cipher, TAG> {
            fn engine(&self) -> Engine {
                self.engine()
            }
            fn mac(&self, iv: &[u8], data: &[u8]) -> Result<Vec<u8>, InputError> {
                Ok(self.mac(iv, data)?.to_vec())
            }
            fn verify(&self, iv: &[u8], data: &[u8], tag: &[u8]) -> Result<(), OpenError> {
                self.verify(iv, data, tag)
            }
        }
    };
}

for_cipher!(Aes128);
for_cipher!(Aes192);
for_cipher!(Aes256);
