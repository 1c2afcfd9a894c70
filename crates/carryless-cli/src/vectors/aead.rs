//! Sealing and opening, every tag length and path.

mod gcm;
mod others;
mod sgcm;

use carryless::Engine;
use carryless::error::{InputError, KeyError, OpenError};

pub use self::gcm::{gcm, lea_gcm};
pub use self::others::{ccm, gcm_siv, xaes};
pub use self::sgcm::{aes_sgcm, lea_sgcm};
use super::answer::{Answer, Error, Kind};
use super::buffer::Buffer;
use super::call::{Call, Way};
use super::request::{pieces, whole_blocks};

/// A key of any cipher and tag length.
pub trait Aead {
    fn engine(&self) -> Engine;
    fn seal_into(
        &self,
        iv: &[u8],
        aad: &[u8],
        text: &[u8],
        out: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), InputError>;
    fn seal_in_place(
        &self,
        iv: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), InputError>;
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
    /// Another path, which most lack.
    fn seal_by(
        &self,
        _path: &str,
        _message: &Message<'_>,
        _out: &mut [u8],
        _tag: &mut [u8],
    ) -> Result<(), Error> {
        Err(Error::of(Kind::Unsupported))
    }
    fn open_by(
        &self,
        _path: &str,
        _message: &Message<'_>,
        _out: &mut [u8],
        _tag: &[u8],
    ) -> Result<(), Error> {
        Err(Error::of(Kind::Unsupported))
    }
}

/// A message as a request cuts it.
#[derive(Clone)]
pub struct Message<'a> {
    pub iv: &'a [u8],
    pub aad: &'a [u8],
    pub text: &'a [u8],
    pub aad_pieces: Vec<&'a [u8]>,
    /// Of segments all but the last are whole blocks.
    pub text_pieces: Vec<&'a [u8]>,
}

impl<'a> Message<'a> {
    fn of(call: &Call<'_>, iv: &'a [u8], aad: &'a [u8], text: &'a [u8]) -> Self {
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
}

impl Message<'_> {
    /// Has `stream` take the AAD and the text piece by piece.
    fn through<S>(
        &self,
        stream: &mut S,
        mut out: &mut [u8],
        aad: impl Fn(&mut S, &[u8]) -> Result<(), InputError>,
        text: impl Fn(&mut S, &[u8], &mut [u8]) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        for piece in &self.aad_pieces {
            aad(stream, piece)?;
        }
        for piece in &self.text_pieces {
            let (now, later) = out.split_at_mut(piece.len());
            text(stream, piece, now)?;
            out = later;
        }
        Ok(())
    }
}

/// [`Message::through`] a sealer or an opener, by its method for a piece of text.
macro_rules! through {
    ($message:ident, $stream:ident, $method:ident, $out:expr) => {
        $message.through(
            &mut $stream,
            $out,
            |stream, piece| stream.aad(piece),
            |stream, piece, out| stream.$method(piece, out),
        )
    };
}
use through;

/// The calls that all keys have, for a type whose methods have the same names.
macro_rules! one_shot {
    () => {
        fn engine(&self) -> Engine {
            self.engine()
        }
        fn seal_into(
            &self,
            iv: &[u8],
            aad: &[u8],
            text: &[u8],
            out: &mut [u8],
            tag: &mut [u8],
        ) -> Result<(), InputError> {
            tag.copy_from_slice(&self.seal_into(iv, aad, text, out)?);
            Ok(())
        }
        fn seal_in_place(
            &self,
            iv: &[u8],
            aad: &[u8],
            text: &mut [u8],
            tag: &mut [u8],
        ) -> Result<(), InputError> {
            tag.copy_from_slice(&self.seal_in_place(iv, aad, text)?);
            Ok(())
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
    };
}
use one_shot;

/// Makes a key of bytes for tags of a length.
pub type New = fn(&[u8], usize, Engine) -> Result<Box<dyn Aead>, KeyError>;

pub fn seal(call: &Call<'_>, new: New) -> Result<Answer, Error> {
    let [key, iv] = call.key_and_iv()?;
    let (aad, text) = (call.hex("aad")?, call.hex("pt")?);
    let tag_len = call.tag_len()?;
    call.common.check_splits(text.len(), aad.len())?;
    let engine = call.engine_for_path(Way::Forth, &iv)?;
    call.algorithm.check_sizes(&key, &iv, tag_len)?;
    let key = new(&key, tag_len, engine)?;
    let mut out = Buffer::output(text.len(), call.common.offset);
    let mut tag = vec![0; tag_len];
    match call.common.path {
        "into" => key.seal_into(&iv, &aad, &text, &mut out, &mut tag)?,
        "in-place" => {
            out.copy_from_slice(&text);
            key.seal_in_place(&iv, &aad, &mut out, &mut tag)?;
        }
        path => {
            let message = Message::of(call, &iv, &aad, &text);
            key.seal_by(path, &message, &mut out, &mut tag)?;
        }
    }
    Ok(Answer::success(key.engine())
        .with_hex("ct", &out)
        .with_hex("tag", &tag))
}

pub fn open(call: &Call<'_>, new: New) -> Result<Answer, Error> {
    let [key, iv] = call.key_and_iv()?;
    let (aad, text, tag) = (call.hex("aad")?, call.hex("ct")?, call.hex("tag")?);
    call.common.check_splits(text.len(), aad.len())?;
    let mut out = Buffer::output(text.len(), call.common.offset);
    if call.in_place() {
        out.copy_from_slice(&text);
    }
    let before = out.to_vec();
    let engine = call.engine_for_path(Way::Back, &iv);
    let opened = engine.and_then(|engine| {
        call.algorithm.check_sizes(&key, &iv, tag.len())?;
        let key = new(&key, tag.len(), engine)?;
        match call.common.path {
            "into" => key.open_into(&iv, &aad, &text, &mut out, &tag)?,
            "in-place" => key.open_in_place(&iv, &aad, &mut out, &tag)?,
            path => {
                let message = Message::of(call, &iv, &aad, &text);
                key.open_by(path, &message, &mut out, &tag)?;
            }
        }
        Ok(key.engine())
    });
    match opened {
        Ok(engine) => Ok(Answer::success(engine).with_hex("pt", &out)),
        Err(error) => Err(error.with_out(out.state(&before))),
    }
}
