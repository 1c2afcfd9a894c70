//! The block cipher and its modes that authenticate nothing; of blocks alone chains too, for Monte Carlo tests.

mod keys;

use carryless::Engine;
use carryless::error::{InputError, KeyError};
use carryless::hazmat::{CounterWidth, pkcs7};

pub use self::keys::{among_three, cbc, ctr, ecb, lea_cbc, lea_ctr, lea_ecb, xts};
use super::answer::{Answer, Error, Kind};
use super::buffer::Buffer;
use super::call::{Call, Way};
use super::request::{pieces, whole_blocks};

/// The longest chain: some seconds.
const MOST_REPEATS: u64 = 100_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Ecb,
    Cbc,
    Ctr,
    Xts,
}

/// A key, and what each message begins with.
pub trait Cipher {
    fn engine(&self) -> Engine;
    fn run_into(&mut self, way: Way, src: &[u8], dst: &mut [u8]) -> Result<(), InputError>;
    fn run_in_place(&mut self, way: Way, text: &mut [u8]) -> Result<(), InputError>;
    /// Another path, which some lack.
    fn run_by(
        &mut self,
        path: &str,
        way: Way,
        text: &Text<'_>,
        dst: &mut [u8],
    ) -> Result<(), Error>;
}

/// A text as a request cuts it.
pub struct Text<'a> {
    whole: &'a [u8],
    pieces: Vec<&'a [u8]>,
}

/// Makes a key of bytes, what a message begins with, and how much of that counts.
pub type New = fn(&[u8], &[u8; 16], CounterWidth, Engine) -> Result<Box<dyn Cipher>, KeyError>;

/// Encryption from the field `pt` to the field `ct`, or back.
pub fn run(call: &Call<'_>, way: Way, mode: Mode, new: New) -> Result<Answer, Error> {
    let (from, to) = match way {
        Way::Forth => ("pt", "ct"),
        Way::Back => ("ct", "pt"),
    };
    let [key, iv] = call.key_and_iv()?;
    let mut text = call.hex(from)?;
    call.common.check_splits(text.len(), 0)?;
    let repeat = call.repeat(mode)?;
    let width = call.width(mode)?;
    let padded = call.is_padded(mode)?;
    let engine = call.engine_for_path(way, &iv)?;
    call.algorithm.check_sizes(&key, &iv, 0)?;
    if padded && way == Way::Forth {
        text = padded_text(&text, call.common.offset)?;
    }
    if !call.algorithm.takes(text.len()) || repeat > 1 && text.len() != 16 {
        return Err(Error::of(Kind::DataLength));
    }
    let iv = iv.first_chunk().unwrap_or(&[0; 16]);
    let mut key = new(&key, iv, width, engine)?;
    let answer = Answer::success(key.engine());
    let mut out = Buffer::output(text.len(), call.common.offset);
    match call.common.path {
        "into" => key.run_into(way, &text, &mut out)?,
        "in-place" => {
            out.copy_from_slice(&text);
            key.run_in_place(way, &mut out)?;
        }
        path => {
            let split = &call.common.split;
            let pieces = match mode {
                Mode::Cbc => pieces(&text, &whole_blocks(split)),
                _ => pieces(&text, split),
            };
            let whole = &*text;
            key.run_by(path, way, &Text { whole, pieces }, &mut out)?;
        }
    }
    if repeat > 1 {
        for _ in 2..repeat {
            key.run_in_place(way, &mut out)?;
        }
        let previous = out.to_vec();
        key.run_in_place(way, &mut out)?;
        return Ok(answer.with_hex(to, &out).with_hex("prev", &previous));
    }
    if padded && way == Way::Back {
        return Ok(answer.with_hex(to, pkcs7::unpad(&mut out)?));
    }
    Ok(answer.with_hex(to, &out))
}

impl Call<'_> {
    /// How often a block goes through the cipher.
    fn repeat(&self, mode: Mode) -> Result<u64, Error> {
        match mode {
            Mode::Ecb => match self.request.number("repeat", 1)? {
                repeat @ 1..=MOST_REPEATS => Ok(repeat),
                _ => Err(Error::bad("repeat is not 1..100000000")),
            },
            _ => Ok(1),
        }
    }

    fn width(&self, mode: Mode) -> Result<CounterWidth, Error> {
        match mode {
            Mode::Ctr => match self.request.number("ctr_bits", 128)? {
                128 => Ok(CounterWidth::Bits128),
                32 => Ok(CounterWidth::Bits32),
                _ => Err(Error::bad("ctr_bits is neither 128 nor 32")),
            },
            _ => Ok(CounterWidth::Bits128),
        }
    }

    fn is_padded(&self, mode: Mode) -> Result<bool, Error> {
        match mode {
            Mode::Cbc => match self.request.text("padding", "none")? {
                "none" => Ok(false),
                "pkcs7" => Ok(true),
                _ => Err(Error::bad("padding is neither none nor pkcs7")),
            },
            _ => Ok(false),
        }
    }
}

fn padded_text(text: &[u8], offset: usize) -> Result<Buffer, Error> {
    let mut buffer = Buffer::output(pkcs7::padded_len(text.len()), offset);
    buffer[..text.len()].copy_from_slice(text);
    pkcs7::pad(&mut buffer, text.len())?;
    Ok(buffer)
}
