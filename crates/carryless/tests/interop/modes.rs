//! The modes that both sides have: what their cases are drawn from, and our calls.

use carryless::hazmat::{CbcDecryptor, CbcEncryptor, Ctr, Xts, pkcs7};
use carryless::{Ccm, Cmac, Gcm, GcmSiv, Gmac, XAes256Gcm};

use crate::cases::{Case, Draw};

/// A mode, and what its cases are drawn from.
pub(crate) struct Mode {
    /// As the script calls it.
    pub(crate) name: &'static str,
    /// Cases for each key size and direction.
    pub(crate) cases: usize,
    /// Bytes of a key.
    pub(crate) keys: &'static [usize],
    pub(crate) nonce: fn(&mut Draw) -> Vec<u8>,
    pub(crate) aad: fn(&mut Draw) -> Vec<u8>,
    pub(crate) text: fn(&mut Draw) -> Vec<u8>,
    /// Bytes of a tag; 0 in a mode that authenticates nothing.
    pub(crate) tags: &'static [usize],
    /// Works in place; whether the case is authentic.
    pub(crate) run: fn(&mut Case, Way) -> bool,
}

/// Which way a mode goes.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    Seal,
    Open,
}

/// GCM with fewer cases, from which the other modes differ.
const USUAL: Mode = Mode {
    name: "AES-GCM",
    cases: 500,
    keys: &[16, 24, 32],
    nonce: nonce_of_gcm,
    aad: message,
    text: message,
    tags: &[16],
    run: gcm,
};

/// A cipher alone.
const CIPHER: Mode = Mode {
    nonce: block,
    aad: nothing,
    tags: &[0],
    ..USUAL
};

pub(crate) const MODES: &[Mode] = &[
    Mode {
        cases: 5000,
        ..USUAL
    },
    Mode {
        name: "GMAC",
        text: nothing,
        run: gmac,
        ..USUAL
    },
    Mode {
        name: "CCM",
        nonce: |draw| draw.bytes_of(&[7, 8, 9, 10, 11, 12, 13]),
        tags: &[4, 6, 8, 10, 12, 14, 16],
        run: ccm,
        ..USUAL
    },
    Mode {
        name: "AES-GCM-SIV",
        keys: &[16, 32],
        nonce: |draw| draw.bytes(12),
        run: gcm_siv,
        ..USUAL
    },
    Mode {
        name: "XAES-256-GCM",
        keys: &[32],
        nonce: |draw| draw.bytes(24),
        run: xaes,
        ..USUAL
    },
    Mode {
        name: "CMAC",
        nonce: nothing,
        text: nothing,
        run: cmac,
        ..USUAL
    },
    Mode {
        name: "CBC",
        text: blocks,
        run: cbc,
        ..CIPHER
    },
    Mode {
        name: "CBC-PKCS7",
        run: cbc_padded,
        ..CIPHER
    },
    Mode {
        name: "CTR",
        nonce: counter,
        run: ctr,
        ..CIPHER
    },
    Mode {
        name: "XTS",
        keys: &[32, 64],
        text: unit,
        run: xts,
        ..CIPHER
    },
];

fn nothing(_: &mut Draw) -> Vec<u8> {
    vec![]
}

fn block(draw: &mut Draw) -> Vec<u8> {
    draw.bytes(16)
}

/// Often short, sometimes empty.
fn message(draw: &mut Draw) -> Vec<u8> {
    let most = draw.one_of(&[1, 40, 300, 2000]);
    let len = draw.below(most);
    draw.bytes(len)
}

fn blocks(draw: &mut Draw) -> Vec<u8> {
    let mut text = message(draw);
    text.truncate(text.len() & !15);
    text
}

/// Of XTS: a block or more, whole ones or not.
fn unit(draw: &mut Draw) -> Vec<u8> {
    [block(draw), message(draw)].concat()
}

/// In every second case one that is hashed; pyca takes 8 to 128 bytes.
fn nonce_of_gcm(draw: &mut Draw) -> Vec<u8> {
    let other = 8 + draw.below(121);
    draw.bytes_of(&[12, other])
}

/// Ones before the last byte, so that a carry goes up to any place.
fn counter(draw: &mut Draw) -> Vec<u8> {
    let mut counter = block(draw);
    counter[draw.below(16)..15].fill(0xff);
    counter
}

/// `with_cipher! { bytes of a key, C in bytes Cipher, .. => code }`: the code with the cipher of such keys.
macro_rules! with_cipher {
    ($len:expr, $C:ident in $($bytes:literal $Cipher:ident),+ => $code:expr) => {
        match $len {
            $($bytes => {
                type $C = carryless::$Cipher;
                $code
            })+
            other => panic!("a key of {other} bytes"),
        }
    };
    ($len:expr, $C:ident => $code:expr) => {
        with_cipher!($len, $C in 16 Aes128, 24 Aes192, 32 Aes256 => $code)
    };
}

/// `with_tag! { bytes of a tag, TAG in lengths => code }`: the code with the length as a constant.
macro_rules! with_tag {
    ($len:expr, $TAG:ident in $($bytes:literal)+ => $code:expr) => {
        match $len {
            $($bytes => {
                const $TAG: usize = $bytes;
                $code
            })+
            other => panic!("a tag of {other} bytes"),
        }
    };
}

/// `aead! { Key, case, way }`: the calls that all AEADs have.
macro_rules! aead {
    ($Key:ty, $case:ident, $way:ident) => {{
        let key = <$Key>::with_engine(&$case.key, $case.engine).unwrap();
        let (nonce, aad, text) = (&$case.nonce, &$case.aad, &mut $case.text);
        match $way {
            Way::Seal => {
                let tag = key.seal_in_place(nonce, aad, text).unwrap();
                $case.tag.copy_from_slice(&tag);
                true
            }
            Way::Open => key.open_in_place(nonce, aad, text, &$case.tag).is_ok(),
        }
    }};
}

fn gcm(case: &mut Case, way: Way) -> bool {
    with_cipher!(case.key.len(), C => aead!(Gcm<C>, case, way))
}

fn ccm(case: &mut Case, way: Way) -> bool {
    with_cipher!(case.key.len(), C => with_tag!(case.tag.len(), TAG in 4 6 8 10 12 14 16 =>
        aead!(Ccm<C, 12, TAG>, case, way)))
}

fn gcm_siv(case: &mut Case, way: Way) -> bool {
    with_cipher!(case.key.len(), C in 16 Aes128, 32 Aes256 => aead!(GcmSiv<C>, case, way))
}

fn xaes(case: &mut Case, way: Way) -> bool {
    aead!(XAes256Gcm, case, way)
}

fn gmac(case: &mut Case, way: Way) -> bool {
    with_cipher!(case.key.len(), C => {
        let mac = Gmac::<C>::with_engine(&case.key, case.engine).unwrap();
        match way {
            Way::Seal => {
                case.tag.copy_from_slice(&mac.mac(&case.nonce, &case.aad).unwrap());
                true
            }
            Way::Open => mac.verify(&case.nonce, &case.aad, &case.tag).is_ok(),
        }
    })
}

fn cmac(case: &mut Case, way: Way) -> bool {
    with_cipher!(case.key.len(), C => {
        let mac = Cmac::<C>::with_engine(&case.key, case.engine).unwrap();
        match way {
            Way::Seal => {
                case.tag.copy_from_slice(&mac.mac(&case.aad));
                true
            }
            Way::Open => mac.verify(&case.aad, &case.tag).is_ok(),
        }
    })
}

/// The IV, counter block or tweak.
fn start(case: &Case) -> [u8; 16] {
    case.nonce[..].try_into().unwrap()
}

fn cbc(case: &mut Case, way: Way) -> bool {
    let (iv, engine) = (start(case), case.engine);
    with_cipher!(case.key.len(), C => match way {
        Way::Seal => CbcEncryptor::<C>::with_engine(&case.key, &iv, engine).unwrap().encrypt_in_place(&mut case.text),
        Way::Open => CbcDecryptor::<C>::with_engine(&case.key, &iv, engine).unwrap().decrypt_in_place(&mut case.text),
    })
    .unwrap();
    true
}

fn cbc_padded(case: &mut Case, way: Way) -> bool {
    match way {
        Way::Seal => {
            let len = case.text.len();
            case.text.resize(pkcs7::padded_len(len), 0);
            pkcs7::pad(&mut case.text, len).unwrap();
            cbc(case, way)
        }
        Way::Open => {
            cbc(case, way);
            let unpadded = pkcs7::unpad(&mut case.text).map(|text| text.len());
            unpadded.map(|len| case.text.truncate(len)).is_ok()
        }
    }
}

fn ctr(case: &mut Case, _: Way) -> bool {
    let start = start(case);
    with_cipher!(case.key.len(), C => {
        let mut ctr = Ctr::<C>::with_engine(&case.key, &start, case.engine).unwrap();
        ctr.apply_in_place(&mut case.text).unwrap();
    });
    true
}

fn xts(case: &mut Case, way: Way) -> bool {
    let tweak = start(case);
    with_cipher!(case.key.len(), C in 32 Aes128, 64 Aes256 => {
        let xts = Xts::<C>::with_engine(&case.key, case.engine).unwrap();
        match way {
            Way::Seal => xts.encrypt_in_place(&tweak, &mut case.text),
            Way::Open => xts.decrypt_in_place(&tweak, &mut case.text),
        }
    })
    .unwrap();
    true
}
