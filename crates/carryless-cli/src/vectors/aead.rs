//! Sealing and opening, every tag length and path.

mod gcm;
mod others;
mod paths;
mod sgcm;

use carryless::Engine;
use carryless::error::{InputError, KeyError, OpenError};

pub use self::gcm::{gcm, lea_gcm};
pub use self::others::{ccm, gcm_siv, xaes};
use self::paths::{GcmPaths, Message, Opening, Sealing};
pub use self::sgcm::{aes_sgcm, lea_sgcm};
use super::answer::{Answer, Error, Kind};
use super::buffer::Buffer;
use super::call::{Call, Way};

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
    /// Begins a message that is sealed piece by piece, which some can't.
    fn sealer(&self, _message: &Message<'_>) -> Result<Box<dyn Sealing + '_>, Error> {
        Err(Error::of(Kind::Unsupported))
    }
    /// Begins one that is opened so.
    fn opener(&self, _message: &Message<'_>) -> Result<Box<dyn Opening + '_>, Error> {
        Err(Error::of(Kind::Unsupported))
    }
    /// What GCM alone has.
    fn gcm(&self) -> Option<&dyn GcmPaths> {
        None
    }
    /// What is derived for a message, if all that is not one call goes by that.
    fn derived(&self, _iv: &[u8]) -> Result<Option<Derived>, InputError> {
        Ok(None)
    }
}

/// A key of GCM for one message, and its nonce.
pub struct Derived {
    key: Box<dyn Aead>,
    nonce: [u8; 12],
}

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

/// [`Aead::sealer`] and [`Aead::opener`] for a type whose methods of these names take the nonce alone.
macro_rules! streams {
    () => {
        fn sealer(&self, message: &Message<'_>) -> Result<Box<dyn Sealing + '_>, Error> {
            Ok(Box::new(self.sealer(message.iv)?))
        }
        fn opener(&self, message: &Message<'_>) -> Result<Box<dyn Opening + '_>, Error> {
            Ok(Box::new(self.opener(message.iv)?))
        }
    };
}
use streams;

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
            paths::seal(&*key, path, message, &mut out, &mut tag)?;
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
                paths::open(&*key, path, message, &mut out, &tag)?;
            }
        }
        Ok(key.engine())
    });
    match opened {
        Ok(engine) => Ok(Answer::success(engine).with_hex("pt", &out)),
        Err(error) => Err(error.with_out(out.state(&before))),
    }
}
