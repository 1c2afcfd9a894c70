//! The ways through a key that are more than one call, written once for all types of keys.
//!
//! Keys here are those of tests: what a sealer that is boxed leaves behind is not wiped.

use carryless::error::{InputError, OpenError};
use carryless::{Packet, Partial};
use zeroize::Zeroize;

use super::super::answer::{Error, Kind};
use super::super::call::Call;
use super::super::request::{pieces, whole_blocks};
use super::{Aead, Derived};

/// A message as a request cuts it.
pub struct Message<'a> {
    pub iv: &'a [u8],
    pub aad: &'a [u8],
    pub text: &'a [u8],
    pub aad_pieces: Vec<&'a [u8]>,
    /// Of segments all but the last are whole blocks.
    pub text_pieces: Vec<&'a [u8]>,
}

/// A message that goes on piece by piece.
pub trait Pieces {
    fn aad(&mut self, piece: &[u8]) -> Result<(), InputError>;
    fn text(&mut self, piece: &[u8], out: &mut [u8]) -> Result<(), InputError>;
}

/// One that is sealed.
pub trait Sealing: Pieces {
    fn finish(self: Box<Self>, tag: &mut [u8]) -> Result<(), InputError>;
}

/// One that is opened.
pub trait Opening: Pieces {
    fn finish(self: Box<Self>, tag: &[u8]) -> Result<(), OpenError>;
}

/// What a key of GCM has besides.
pub trait GcmPaths {
    fn seal_scatter(
        &self,
        message: &Message<'_>,
        out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), InputError>;
    fn seal_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError>;
    fn open_batch(&self, packets: &mut [Packet<'_>]) -> Result<(), OpenError>;
    fn segments(&self, nonce: &[u8; 12]) -> Box<dyn Segments + '_>;
}

/// The segments of a message.
pub trait Segments {
    fn seal_into(&self, start: u64, piece: &[u8], out: &mut [u8]) -> Result<Partial, InputError>;
    fn authenticate(&self, start: u64, piece: &[u8]) -> Result<Partial, InputError>;
    fn merge(&self, first: &Partial, second: &Partial) -> Result<Partial, InputError>;
    fn finish(&self, aad: &[u8], parts: &[Partial], tag: &mut [u8]) -> Result<(), InputError>;
    fn verify<'p>(
        &'p self,
        aad: &[u8],
        parts: &'p [Partial],
        tag: &[u8],
    ) -> Result<Box<dyn Verified + 'p>, OpenError>;
}

/// Those of a message that was found authentic.
pub trait Verified {
    fn open_into(&self, start: u64, piece: &[u8], out: &mut [u8]) -> Result<(), OpenError>;
}

/// Seals a message by a path that is not one call.
pub fn seal(
    key: &dyn Aead,
    path: &str,
    message: Message<'_>,
    out: &mut [u8],
    tag: &mut [u8],
) -> Result<(), Error> {
    if let Some(Derived { key, nonce }) = key.derived(message.iv)? {
        let iv = &nonce;
        return seal(&*key, path, Message { iv, ..message }, out, tag);
    }
    match path {
        "stream" => {
            let mut sealer = key.sealer(&message)?;
            message.through(&mut *sealer, out)?;
            sealer.finish(tag)?;
        }
        "scatter" => gcm(key)?.seal_scatter(&message, out, tag)?,
        "batch" => seal_packets(gcm(key)?, &message, out, tag)?,
        "segments" => seal_segments(gcm(key)?, &message, out, tag)?,
        _ => return Err(Error::of(Kind::Unsupported)),
    }
    Ok(())
}

/// Opens one.
pub fn open(
    key: &dyn Aead,
    path: &str,
    message: Message<'_>,
    out: &mut [u8],
    tag: &[u8],
) -> Result<(), Error> {
    if let Some(Derived { key, nonce }) = key.derived(message.iv)? {
        let iv = &nonce;
        return open(&*key, path, Message { iv, ..message }, out, tag);
    }
    match path {
        "stream" => {
            let mut opener = key.opener(&message)?;
            message.through(&mut *opener, out)?;
            // The opener gave out what nobody had verified: taking it back is up to its user.
            opener.finish(tag).inspect_err(|_| out.zeroize())?;
        }
        "batch" => open_packets(key, &message, out, tag)?,
        "segments" => open_segments(gcm(key)?, &message, out, tag)?,
        _ => return Err(Error::of(Kind::Unsupported)),
    }
    Ok(())
}

fn gcm(key: &dyn Aead) -> Result<&dyn GcmPaths, Error> {
    key.gcm().ok_or(Error::of(Kind::Unsupported))
}

impl<'a> Message<'a> {
    pub fn of(call: &Call<'_>, iv: &'a [u8], aad: &'a [u8], text: &'a [u8]) -> Self {
        let common = &call.common;
        Self {
            iv,
            aad,
            text,
            aad_pieces: pieces(aad, &common.aad_split),
            text_pieces: match common.path {
                "segments" => pieces(text, &whole_blocks(&common.split)),
                _ => pieces(text, &common.split),
            },
        }
    }

    /// Has `stream` take the AAD and the text piece by piece.
    fn through<S: Pieces + ?Sized>(
        &self,
        stream: &mut S,
        mut out: &mut [u8],
    ) -> Result<(), InputError> {
        for piece in &self.aad_pieces {
            stream.aad(piece)?;
        }
        for piece in &self.text_pieces {
            let (now, later) = out.split_at_mut(piece.len());
            stream.text(piece, now)?;
            out = later;
        }
        Ok(())
    }

    /// The nonce of paths that have 12 bytes alone.
    fn nonce(&self) -> Result<&'a [u8; 12], Error> {
        (self.iv.try_into()).map_err(|_| Error::of(Kind::Unsupported))
    }
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

fn seal_packets(
    key: &dyn GcmPaths,
    message: &Message<'_>,
    out: &mut [u8],
    tag: &mut [u8],
) -> Result<(), Error> {
    let (nonce, aad) = (message.nonce()?, message.aad);
    let [mut first, mut last] = Neighbour::of(nonce, message.text);
    let mut packets = [
        Packet::in_place(&first.nonce, aad, &mut first.text),
        Packet::between(nonce, aad, message.text, out)?,
        Packet::in_place(&last.nonce, aad, &mut last.text),
    ];
    key.seal_batch(&mut packets)?;
    tag.copy_from_slice(packets[1].tag());
    Ok(())
}

fn open_packets(
    key: &dyn Aead,
    message: &Message<'_>,
    out: &mut [u8],
    tag: &[u8],
) -> Result<(), Error> {
    let gcm = gcm(key)?;
    let (nonce, aad) = (message.nonce()?, message.aad);
    let [mut first, mut last] = Neighbour::of(nonce, message.text);
    let (mut first_tag, mut last_tag) = (vec![0; tag.len()], vec![0; tag.len()]);
    key.seal_in_place(&first.nonce, aad, &mut first.text, &mut first_tag)?;
    key.seal_in_place(&last.nonce, aad, &mut last.text, &mut last_tag)?;
    Ok(gcm.open_batch(&mut [
        Packet::in_place(&first.nonce, aad, &mut first.text).with_tag(&first_tag),
        Packet::between(nonce, aad, message.text, out)?.with_tag(tag),
        Packet::in_place(&last.nonce, aad, &mut last.text).with_tag(&last_tag),
    ])?)
}

/// From the last to the first, and merged.
fn seal_segments(
    key: &dyn GcmPaths,
    message: &Message<'_>,
    mut out: &mut [u8],
    tag: &mut [u8],
) -> Result<(), Error> {
    let segments = key.segments(message.nonce()?);
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
    Ok(segments.finish(message.aad, later.as_slice(), tag)?)
}

/// Decrypted, from the last to the first, once the tag is found right.
fn open_segments(
    key: &dyn GcmPaths,
    message: &Message<'_>,
    out: &mut [u8],
    tag: &[u8],
) -> Result<(), Error> {
    let segments = key.segments(message.nonce()?);
    let mut end = 0;
    let mut parts = Vec::new();
    for piece in &message.text_pieces {
        parts.push(segments.authenticate(end, piece)?);
        end += piece.len() as u64;
    }
    let verified = segments.verify(message.aad, &parts, tag)?;
    let mut rest = out;
    for piece in message.text_pieces.iter().rev() {
        let (before, now) = rest.split_at_mut(rest.len() - piece.len());
        verified.open_into(before.len() as u64, piece, now)?;
        rest = before;
    }
    Ok(())
}

/// A type of sealers as [`Sealing`] and one of openers as [`Opening`]. What ends the sealer is given, as not all of them can
/// fail.
macro_rules! both_ways {
    ([$($generics:tt)*] $Sealer:ty, $Opener:ty, $sealer:ident => $made:expr) => {
        impl<$($generics)*> Pieces for $Sealer {
            fn aad(&mut self, piece: &[u8]) -> Result<(), InputError> {
                self.aad(piece)
            }
            fn text(&mut self, piece: &[u8], out: &mut [u8]) -> Result<(), InputError> {
                self.seal_into(piece, out)
            }
        }
        impl<$($generics)*> Sealing for $Sealer {
            fn finish(self: Box<Self>, tag: &mut [u8]) -> Result<(), InputError> {
                let $sealer = *self;
                tag.copy_from_slice(&$made);
                Ok(())
            }
        }
        impl<$($generics)*> Pieces for $Opener {
            fn aad(&mut self, piece: &[u8]) -> Result<(), InputError> {
                self.aad(piece)
            }
            fn text(&mut self, piece: &[u8], out: &mut [u8]) -> Result<(), InputError> {
                self.open_into(piece, out)
            }
        }
        impl<$($generics)*> Opening for $Opener {
            fn finish(self: Box<Self>, tag: &[u8]) -> Result<(), OpenError> {
                (*self).finish(tag)
            }
        }
    };
}
pub(super) use both_ways;
