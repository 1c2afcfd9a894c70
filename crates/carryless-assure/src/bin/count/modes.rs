//! Work of the modes beside GCM; each restarts its message, and CBC takes the whole blocks of the text.

use core::hint::black_box;

use carryless::hazmat::{BlockCipher, CbcDecryptor, CbcEncryptor, CounterWidth, Xts};
use carryless::sgcm::{Aes128Sgcm, Lea128Sgcm};
use carryless::{Aes128, Aes128Ccm, Aes128GcmSiv, Cmac, Engine, Lea128};

use crate::{AAD, KEY, NONCE};

/// A block that a mode begins with.
const BLOCK: [u8; 16] = [9; 16];

/// Two keys that differ.
const KEYS: [u8; 32] = {
    let mut keys = [7; 32];
    keys[0] = 8;
    keys
};

/// Does the work so many times; `None` if it cannot.
pub(crate) fn run(engine: Engine, work: &str, text: &mut [u8], times: usize) -> Option<()> {
    /// `each!(key, text => work)`: with a key that is made once.
    macro_rules! each {
        ($made:expr, |$key:ident, $text:ident| $work:expr) => {{
            let mut made = $made.ok()?;
            for _ in 0..times {
                let ($key, $text) = (&mut made, black_box(&mut *text));
                black_box($work);
            }
        }};
    }
    let whole = text.len() & !15;
    match work {
        "encrypt" => each!(
            BlockCipher::<Aes128>::with_engine(&KEY, engine),
            |key, text| {
                key.encrypt_blocks(text.as_chunks_mut().0);
            }
        ),
        "ctr" => each!(
            BlockCipher::<Aes128>::with_engine(&KEY, engine),
            |key, text| {
                key.ctr_in_place(&BLOCK, CounterWidth::Bits32, text);
            }
        ),
        "xts encrypt" => each!(Xts::<Aes128>::with_engine(&KEYS, engine), |key, text| {
            key.encrypt_in_place(&BLOCK, text).ok()?;
        }),
        "xts decrypt" => each!(Xts::<Aes128>::with_engine(&KEYS, engine), |key, text| {
            key.decrypt_in_place(&BLOCK, text).ok()?;
        }),
        "cbc encrypt" => {
            each!(
                CbcEncryptor::<Aes128>::with_engine(&KEY, &BLOCK, engine),
                |key, text| {
                    key.encrypt_in_place(&mut text[..whole]).ok()?;
                }
            );
        }
        "cbc decrypt" => {
            each!(
                CbcDecryptor::<Aes128>::with_engine(&KEY, &BLOCK, engine),
                |key, text| {
                    key.decrypt_in_place(&mut text[..whole]).ok()?;
                }
            );
        }
        "cmac" => each!(Cmac::<Aes128>::with_engine(&KEY, engine), |key, text| key
            .mac(text)),
        "ccm seal" => each!(Aes128Ccm::with_engine(&KEY, engine), |key, text| {
            key.seal_in_place(&NONCE, &AAD, text).ok()?
        }),
        "gcm-siv seal" => each!(Aes128GcmSiv::with_engine(&KEY, engine), |key, text| {
            key.seal_in_place(&NONCE, &AAD, text).ok()?
        }),
        "lea-ctr" => each!(
            BlockCipher::<Lea128>::with_engine(&KEY, engine),
            |key, text| {
                key.ctr_in_place(&BLOCK, CounterWidth::Bits32, text);
            }
        ),
        "sgcm seal" => each!(Aes128Sgcm::with_engine(&KEY, engine), |key, text| {
            key.seal_in_place(&NONCE, &AAD, text).ok()?
        }),
        "lea-sgcm seal" => each!(Lea128Sgcm::with_engine(&KEY, engine), |key, text| {
            key.seal_in_place(&NONCE, &AAD, text).ok()?
        }),
        _ => return None,
    }
    Some(())
}
