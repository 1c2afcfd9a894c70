//! carryless, and what of it a mode is compared with.

use std::array::from_fn;

use carryless::hazmat::sgcm::Sghash;
use carryless::hazmat::{CbcDecryptor, CbcEncryptor, CbcMessage, Ctr, Xts};
use carryless::{Aes128, Aes256, Aes256Gcm, Ccm, Cmac, Engine, GcmSiv, Lea128, Lea256, XAes256Gcm};

use crate::job::{AAD, Block, EACH, IV, Job, Mode, NO_TAG, NONCE, both, one};

/// Counter mode of a cipher.
macro_rules! ctr {
    ($C:ident, $key:expr, $engine:expr) => {{
        let mut ctr = Ctr::<$C>::with_engine($key, &IV, $engine).unwrap();
        one(move |text| {
            ctr.restart(&IV);
            ctr.apply_in_place(text).unwrap();
            NO_TAG
        })
    }};
}

macro_rules! of_key_size {
    ($C:ident, $mode:expr, $key:expr) => {
        match $mode {
            Mode::Ctr => ctr!($C, $key, Engine::selected()),
            Mode::Xts => {
                let xts = Xts::<$C>::from_slice($key).unwrap();
                let back = xts.clone();
                both(
                    move |text| {
                        xts.encrypt_in_place(&IV, text).unwrap();
                        NO_TAG
                    },
                    move |text, _| back.decrypt_in_place(&IV, text).is_ok(),
                )
            }
            Mode::Cbc => {
                let mut there = CbcEncryptor::<$C>::from_slice($key, &IV).unwrap();
                let mut back = CbcDecryptor::<$C>::from_slice($key, &IV).unwrap();
                both(
                    move |text| {
                        there.restart(&IV);
                        there.encrypt_in_place(text).unwrap();
                        NO_TAG
                    },
                    move |text, _| {
                        back.restart(&IV);
                        back.decrypt_in_place(text).is_ok()
                    },
                )
            }
            Mode::CbcEach => {
                let cbc = CbcEncryptor::<$C>::from_slice($key, &IV).unwrap();
                one(move |text| {
                    let len = text.len() / EACH;
                    let mut parts = text.chunks_mut(len);
                    let mut messages: [_; EACH] =
                        from_fn(|_| CbcMessage::in_place(&IV, parts.next().unwrap()));
                    cbc.encrypt_each(&mut messages).unwrap();
                    NO_TAG
                })
            }
            Mode::Cmac => {
                let mac = Cmac::<$C>::from_slice($key).unwrap();
                one(move |text| mac.mac(text))
            }
            Mode::CmacEach => {
                let mac = Cmac::<$C>::from_slice($key).unwrap();
                one(move |text| {
                    let mut parts = text.chunks(text.len() / EACH);
                    let parts: [&[u8]; EACH] = from_fn(|_| parts.next().unwrap());
                    let mut tags = [NO_TAG; EACH];
                    mac.mac_each(&parts, &mut tags).unwrap();
                    tags[EACH - 1]
                })
            }
            Mode::Ccm => {
                let ccm = Ccm::<$C>::from_slice($key).unwrap();
                let back = ccm.clone();
                both(
                    move |text| ccm.seal_in_place(&NONCE[..12], AAD, text).unwrap(),
                    move |text, tag| back.open_in_place(&NONCE[..12], AAD, text, tag).is_ok(),
                )
            }
            Mode::GcmSiv => {
                let siv = GcmSiv::<$C>::from_slice($key).unwrap();
                let back = siv.clone();
                both(
                    move |text| siv.seal_in_place(&NONCE[..12], AAD, text).unwrap(),
                    move |text, tag| back.open_in_place(&NONCE[..12], AAD, text, tag).is_ok(),
                )
            }
            Mode::Xaes => {
                let xaes = XAes256Gcm::from_slice($key).unwrap();
                let back = xaes.clone();
                both(
                    move |text| xaes.seal_in_place(&NONCE, AAD, text).unwrap(),
                    move |text, tag| back.open_in_place(&NONCE, AAD, text, tag).is_ok(),
                )
            }
            Mode::Lea => lea($key, Engine::selected()),
            Mode::Sghash => {
                let mut hash = Sghash::new($key.first_chunk().unwrap());
                one(move |text| {
                    hash.update(text);
                    NO_TAG
                })
            }
        }
    };
}

fn lea(key: &[u8], engine: Engine) -> Option<Job> {
    match key.len() {
        16 => ctr!(Lea128, key, engine),
        _ => ctr!(Lea256, key, engine),
    }
}

pub fn job(mode: Mode, bits: usize, key: &[u8]) -> Option<Job> {
    match bits {
        128 => of_key_size!(Aes128, mode, key),
        _ => of_key_size!(Aes256, mode, key),
    }
}

/// What of carryless itself a goal of the mode names.
pub fn beside(mode: Mode, bits: usize, key: &[u8]) -> Option<(&'static str, Job)> {
    let (name, of) = match mode {
        Mode::CbcEach => ("CBC, one a call", Mode::Cbc),
        Mode::CmacEach => ("CMAC, one a call", Mode::Cmac),
        Mode::Ccm => {
            let (mut there, mut back) = (job(Mode::Cmac, bits, key)?, job(Mode::Cmac, bits, key)?);
            let back = move |text: &mut [u8], _: &Block| (back.there)(text) != NO_TAG;
            return Some(("CMAC", both(move |text| (there.there)(text), back)?));
        }
        // Of which it has no vectors.
        Mode::Lea => return Some(("plain integers", lea(key, Engine::Soft32)?)),
        Mode::Xaes => {
            let key: [u8; 32] = key.try_into().unwrap();
            let nonce = NONCE.first_chunk().unwrap();
            let there =
                move |text: &mut [u8]| Aes256Gcm::seal_once(&key, nonce, AAD, text).unwrap();
            let back = move |text: &mut [u8], tag: &Block| {
                Aes256Gcm::open_once(&key, nonce, AAD, text, tag).is_ok()
            };
            return Some(("GCM, key used once", both(there, back)?));
        }
        _ => return None,
    };
    let mut single = job(of, bits, key)?;
    let all = one(move |text| {
        let len = text.len() / EACH;
        text.chunks_mut(len)
            .fold(NO_TAG, |_, text| (single.there)(text))
    });
    Some((name, all?))
}
