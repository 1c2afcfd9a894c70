//! AES-GCM and GMAC, every tag length and path.

mod keys;

use carryless::error::{KeyError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Engine, Gcm, Gmac};

use super::answer::{Answer, Error, Kind};
use super::buffer::Buffer;
use super::request::{Common, Request, pieces, whole_blocks};
use keys::{Macs, Packets};

/// The tag lengths that SP 800-38D allows, in bytes.
const TAG_LENGTHS: [u64; 7] = [4, 8, 12, 13, 14, 15, 16];

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

/// The nonce of paths that have 12 bytes alone.
fn nonce(iv: &[u8]) -> Result<&[u8; 12], Error> {
    iv.try_into().map_err(|_| Error::of(Kind::Unsupported))
}

/// Fails if the path can't have this nonce.
fn check_nonce(common: &Common<'_>, iv: &[u8]) -> Result<(), Error> {
    match common.path {
        "batch" | "segments" => nonce(iv).map(|_| ()),
        _ => Ok(()),
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
    common.check_path(&["into", "in-place", "stream", "scatter", "batch", "segments"])?;
    check_nonce(common, &iv)?;
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
        "batch" => Ok(key.seal_batch(nonce(&iv)?, &aad, &text, &mut out)?),
        "segments" => {
            let text = pieces(&text, &whole_blocks(&common.split));
            key.seal_segments(nonce(&iv)?, &aad, &text, &mut out)
        }
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
    common.check_path(&["into", "in-place", "stream", "batch", "segments"])?;
    check_nonce(common, &iv)?;
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
            "batch" => key.open_batch(nonce(&iv)?, &aad, &text, &mut out, &tag),
            "segments" => {
                let text = pieces(&text, &whole_blocks(&common.split));
                key.open_segments(nonce(&iv)?, &aad, &text, &mut out, &tag)
            }
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
