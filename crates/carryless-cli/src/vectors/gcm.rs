//! AES-GCM and GMAC, every tag length and path.

use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Engine, Gcm, Gmac};
use zeroize::Zeroize;

use super::answer::{Answer, Error, Kind};
use super::buffer::Buffer;
use super::request::{Common, Request, pieces};

/// The tag lengths that SP 800-38D allows, in bytes.
const TAG_LENGTHS: [u64; 7] = [4, 8, 12, 13, 14, 15, 16];

/// A key of any cipher and tag length.
trait Packets {
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
}

/// A MAC key of any cipher and tag length.
trait Macs {
    fn engine(&self) -> Engine;
    fn mac(&self, iv: &[u8], data: &[u8]) -> Result<Vec<u8>, InputError>;
    fn verify(&self, iv: &[u8], data: &[u8], tag: &[u8]) -> Result<(), OpenError>;
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

/// A key object of the type for these lengths; errors in the order of the protocol.
macro_rules! by_lengths {
    ($Type:ident $(, $nonce:literal)?; $key:expr, $iv:expr, $tag_len:expr, $engine:expr) => {{
        macro_rules! of_cipher {
            ($Cipher:ty) => {
                match $tag_len {
                    4 => Box::new($Type::<$Cipher $(, $nonce)?, 4>::with_engine($key, $engine)?),
                    8 => Box::new($Type::<$Cipher $(, $nonce)?, 8>::with_engine($key, $engine)?),
                    12 => Box::new($Type::<$Cipher $(, $nonce)?, 12>::with_engine($key, $engine)?),
                    13 => Box::new($Type::<$Cipher $(, $nonce)?, 13>::with_engine($key, $engine)?),
                    14 => Box::new($Type::<$Cipher $(, $nonce)?, 14>::with_engine($key, $engine)?),
                    15 => Box::new($Type::<$Cipher $(, $nonce)?, 15>::with_engine($key, $engine)?),
                    _ => Box::new($Type::<$Cipher $(, $nonce)?, 16>::with_engine($key, $engine)?),
                }
            };
        }
        check_sizes($key, $iv, $tag_len)?;
        Ok(match $key.len() {
            16 => of_cipher!(Aes128),
            24 => of_cipher!(Aes192),
            _ => of_cipher!(Aes256),
        })
    }};
}

fn packets(key: &[u8], iv: &[u8], tag_len: u64, engine: Engine) -> Result<Box<dyn Packets>, Error> {
    by_lengths!(Gcm, 12; key, iv, tag_len, engine)
}

fn macs(key: &[u8], iv: &[u8], tag_len: u64, engine: Engine) -> Result<Box<dyn Macs>, Error> {
    by_lengths!(Gmac; key, iv, tag_len, engine)
}

/// The first of key, IV and tag that has a wrong length.
fn check_sizes(key: &[u8], iv: &[u8], tag_len: u64) -> Result<(), Error> {
    if !matches!(key.len(), 16 | 24 | 32) {
        return Err(Error::of(Kind::KeyLength));
    }
    if iv.is_empty() {
        return Err(Error::of(Kind::IvLength));
    }
    if !TAG_LENGTHS.contains(&tag_len) {
        return Err(Error::of(Kind::TagLength));
    }
    Ok(())
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Input(error) => error.into(),
            _ => Self::of(Kind::EngineUnavailable),
        }
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Input(error) => error.into(),
            _ => Self::of(Kind::Auth),
        }
    }
}

pub fn seal(request: &Request, common: &Common<'_>) -> Result<Answer, Error> {
    let offset = common.offset;
    let (key, iv) = (
        request.required_hex("key", offset)?,
        request.required_hex("iv", offset)?,
    );
    let (aad, text) = (request.hex("aad", offset)?, request.hex("pt", offset)?);
    let tag_len = request.number("tag_len", 16)?;
    common.check_splits(text.len(), aad.len())?;
    common.check_path(&["into", "in-place", "stream", "scatter"])?;
    let key = packets(&key, &iv, tag_len, common.engine()?)?;
    let mut out = Buffer::output(text.len(), offset);
    let tag = match common.path {
        "in-place" => {
            out.copy_from_slice(&text);
            key.seal_in_place(&iv, &aad, &mut out)
        }
        "stream" => key.seal_stream(
            &iv,
            &pieces(&aad, &common.aad_split),
            &pieces(&text, &common.split),
            &mut out,
        ),
        "scatter" => key.seal_scatter(&iv, &aad, &pieces(&text, &common.split), &mut out),
        _ => key.seal_into(&iv, &aad, &text, &mut out),
    }?;
    Ok(Answer::success(key.engine())
        .with_hex("ct", &out)
        .with_hex("tag", &tag))
}

pub fn open(request: &Request, common: &Common<'_>) -> Result<Answer, Error> {
    let offset = common.offset;
    let (key, iv) = (
        request.required_hex("key", offset)?,
        request.required_hex("iv", offset)?,
    );
    let (aad, text, tag) = (
        request.hex("aad", offset)?,
        request.hex("ct", offset)?,
        request.hex("tag", offset)?,
    );
    common.check_splits(text.len(), aad.len())?;
    common.check_path(&["into", "in-place", "stream"])?;
    let engine = common.engine()?;
    let mut out = if common.path == "in-place" {
        Buffer::new(&text, offset)
    } else {
        Buffer::output(text.len(), offset)
    };
    let before = if common.path == "in-place" {
        text.to_vec()
    } else {
        out.filling()
    };
    let opened = packets(&key, &iv, tag.len() as u64, engine).and_then(|key| {
        match common.path {
            "in-place" => key.open_in_place(&iv, &aad, &mut out, &tag),
            "stream" => key.open_stream(
                &iv,
                &pieces(&aad, &common.aad_split),
                &pieces(&text, &common.split),
                &mut out,
                &tag,
            ),
            _ => key.open_into(&iv, &aad, &text, &mut out, &tag),
        }?;
        Ok(key.engine())
    });
    match opened {
        Ok(engine) => Ok(Answer::success(engine).with_hex("pt", &out)),
        Err(error) => Err(error.with_out(out.state(&before))),
    }
}

pub fn mac(request: &Request, common: &Common<'_>) -> Result<Answer, Error> {
    let offset = common.offset;
    let (key, iv) = (
        request.required_hex("key", offset)?,
        request.required_hex("iv", offset)?,
    );
    let aad = request.hex("aad", offset)?;
    let tag_len = request.number("tag_len", 16)?;
    common.check_path(&["into"])?;
    let key = macs(&key, &iv, tag_len, common.engine()?)?;
    let tag = key.mac(&iv, &aad)?;
    Ok(Answer::success(key.engine()).with_hex("tag", &tag))
}

pub fn verify(request: &Request, common: &Common<'_>) -> Result<Answer, Error> {
    let offset = common.offset;
    let (key, iv) = (
        request.required_hex("key", offset)?,
        request.required_hex("iv", offset)?,
    );
    let (aad, tag) = (request.hex("aad", offset)?, request.hex("tag", offset)?);
    common.check_path(&["into"])?;
    let key = macs(&key, &iv, tag.len() as u64, common.engine()?)?;
    key.verify(&iv, &aad, &tag)?;
    Ok(Answer::success(key.engine()))
}
