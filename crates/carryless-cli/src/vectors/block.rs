//! The block cipher: ECB encryption with chains for Monte Carlo tests, and counter mode.

use carryless::hazmat::{BlockCipher, CounterWidth};
use carryless::{Aes128, Aes192, Aes256, Engine};

use super::answer::{Answer, Error, Kind};
use super::buffer::Buffer;
use super::request::{Common, Request};

/// The longest chain: some seconds.
const MOST_REPEATS: u64 = 100_000_000;

/// AES with any key.
enum Aes {
    Aes128(BlockCipher<Aes128>),
    Aes192(BlockCipher<Aes192>),
    Aes256(BlockCipher<Aes256>),
}

macro_rules! with_cipher {
    ($aes:expr, $cipher:ident => $result:expr) => {
        match $aes {
            Aes::Aes128($cipher) => $result,
            Aes::Aes192($cipher) => $result,
            Aes::Aes256($cipher) => $result,
        }
    };
}

impl Aes {
    fn new(key: &[u8], engine: Engine) -> Result<Self, Error> {
        Ok(match key.len() {
            16 => Self::Aes128(BlockCipher::with_engine(key, engine)?),
            24 => Self::Aes192(BlockCipher::with_engine(key, engine)?),
            32 => Self::Aes256(BlockCipher::with_engine(key, engine)?),
            _ => return Err(Error::of(Kind::KeyLength)),
        })
    }

    fn engine(&self) -> Engine {
        with_cipher!(self, cipher => cipher.engine())
    }

    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        with_cipher!(self, cipher => cipher.encrypt_blocks(blocks));
    }
}

pub fn ecb_encrypt(request: &Request, common: &Common<'_>) -> Result<Answer, Error> {
    let key = request.required_hex("key", common.offset)?;
    let mut text = request.hex("pt", common.offset)?;
    let repeat = request.number("repeat", 1)?;
    if !(1..=MOST_REPEATS).contains(&repeat) {
        return Err(Error::bad("repeat is not 1..100000000"));
    }
    common.check_path(&["into", "in-place"])?;
    let aes = Aes::new(&key, common.engine()?)?;
    if !text.len().is_multiple_of(16) || repeat > 1 && text.len() != 16 {
        return Err(Error::of(Kind::DataLength));
    }
    let blocks = text.as_chunks_mut::<16>().0;
    let answer = Answer::success(aes.engine());
    if repeat == 1 {
        aes.encrypt_blocks(blocks);
        return Ok(answer.with_hex("ct", &text));
    }
    for _ in 1..repeat {
        aes.encrypt_blocks(blocks);
    }
    let previous = blocks.as_flattened().to_vec();
    aes.encrypt_blocks(blocks);
    Ok(answer.with_hex("ct", &text).with_hex("prev", &previous))
}

/// Counter mode in either direction, from the field `from` to the field `to`.
pub fn ctr(
    request: &Request,
    common: &Common<'_>,
    from: &str,
    to: &'static str,
) -> Result<Answer, Error> {
    let (key, iv) = (
        request.required_hex("key", common.offset)?,
        request.required_hex("iv", common.offset)?,
    );
    let mut text = request.hex(from, common.offset)?;
    let width = match request.number("ctr_bits", 128)? {
        128 => CounterWidth::Bits128,
        32 => CounterWidth::Bits32,
        _ => return Err(Error::bad("ctr_bits is neither 128 nor 32")),
    };
    common.check_path(&["into", "in-place"])?;
    let aes = Aes::new(&key, common.engine()?)?;
    let counter = <&[u8; 16]>::try_from(&*iv).map_err(|_| Error::of(Kind::IvLength))?;
    let answer = Answer::success(aes.engine());
    if common.path == "in-place" {
        with_cipher!(aes, cipher => cipher.ctr_in_place(counter, width, &mut text));
        return Ok(answer.with_hex(to, &text));
    }
    let mut out = Buffer::output(text.len(), common.offset);
    with_cipher!(aes, cipher => cipher.ctr_into(counter, width, &text, &mut out))?;
    Ok(answer.with_hex(to, &out))
}
