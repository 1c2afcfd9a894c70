//! `carryless selftest`: what the library tests by itself, then through its public interface the
//! published answers, forgeries, and every engine against the portable one.

use carryless::{Aes128, Aes192, Aes256, Engine, Gcm};
use serde::Serialize;

use crate::args::Selftest;
use crate::exit::{Code, Failure};
use crate::print;

/// The key of test cases 4, 10 and 16 of McGrew and Viega, "The Galois/Counter Mode of Operation",
/// appendix B; that of 24 and 32 bytes starts over.
const KEY: &str = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308";
const NONCE: &str = "cafebabefacedbaddecaf888";
const AAD: &str = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
const TEXT: &str = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
/// Ciphertext and tag, by key length.
const SEALED: [(usize, &str); 3] = [
    (
        16,
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47",
    ),
    (
        24,
        "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda27102519498e80f1478f37ba55bd6d27618c",
    ),
    (
        32,
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
    ),
];

/// The lengths at which engines are compared: all short ones, then around multiples of what kernels
/// take at once.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=300)
        .chain(
            (512..=2048)
                .step_by(256)
                .flat_map(|len| [len - 1, len, len + 1]),
        )
        .chain([16384, 65537])
}

#[derive(Serialize)]
struct Line {
    engine: &'static str,
    /// `pass`, `fail` or `skip`.
    result: &'static str,
    detail: String,
}

/// A test of one engine: what was wrong.
type Test = fn(Engine) -> Result<(), String>;

const TESTS: [(&str, Test); 4] = [
    ("library", library),
    ("known answers", known_answers),
    ("forgeries", forgeries),
    ("agreement", agreement),
];

pub fn run(args: &Selftest, only: Option<Engine>) -> Result<(), Failure> {
    let mut failed = Vec::new();
    let mut printed = Ok(());
    for engine in Engine::ALL
        .iter()
        .filter(|engine| only.is_none_or(|only| only == **engine))
    {
        let line = test(*engine);
        if line.result == "fail" {
            failed.push(line.engine);
        }
        // A reader that has enough does not make a failure a success.
        if printed.is_ok() {
            printed = if args.json {
                print::json(&line)
            } else {
                print::data(&format!(
                    "{:<16} {:<4}  {}\n",
                    line.engine, line.result, line.detail
                ))
            };
        }
    }
    if failed.is_empty() {
        return printed;
    }
    let error = anyhow::anyhow!("wrong answers from: {}", failed.join(", "));
    Err(Failure::new(Code::Other, error).hint("do not trust this program on this machine; report it with the output of `carryless engines`"))
}

fn test(engine: Engine) -> Line {
    let line = |result, detail| Line {
        engine: engine.name(),
        result,
        detail,
    };
    if let Err(carryless::error::Unavailable::Missing(missing)) = engine.availability() {
        return line("skip", missing.to_string());
    }
    for (name, test) in TESTS {
        if let Err(what) = test(engine) {
            return line("fail", format!("{name}: {what}"));
        }
    }
    line("pass", TESTS.map(|(name, _)| name).join(", "))
}

fn library(engine: Engine) -> Result<(), String> {
    engine.self_test().map_err(|error| error.to_string())
}

fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits).expect("constants are hexadecimal")
}

/// Seals: ciphertext and tag.
fn seal(
    engine: Engine,
    key: &[u8],
    nonce: &[u8],
    aad: &[u8],
    text: &[u8],
) -> Result<Vec<u8>, String> {
    let mut sealed = text.to_vec();
    let tag = match key.len() {
        16 => Gcm::<Aes128>::with_engine(key, engine)
            .map(|key| key.seal_in_place(nonce, aad, &mut sealed)),
        24 => Gcm::<Aes192>::with_engine(key, engine)
            .map(|key| key.seal_in_place(nonce, aad, &mut sealed)),
        _ => Gcm::<Aes256>::with_engine(key, engine)
            .map(|key| key.seal_in_place(nonce, aad, &mut sealed)),
    };
    sealed.extend(
        tag.map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())?,
    );
    Ok(sealed)
}

/// Opens to what is in the buffer afterwards, and whether it was authentic.
fn open(
    engine: Engine,
    key: &[u8],
    nonce: &[u8],
    aad: &[u8],
    sealed: &[u8],
) -> Result<(Vec<u8>, bool), String> {
    let (ciphertext, tag) = sealed.split_at(sealed.len() - 16);
    let mut text = ciphertext.to_vec();
    let opened = match key.len() {
        16 => Gcm::<Aes128>::with_engine(key, engine)
            .map(|key| key.open_in_place(nonce, aad, &mut text, tag)),
        24 => Gcm::<Aes192>::with_engine(key, engine)
            .map(|key| key.open_in_place(nonce, aad, &mut text, tag)),
        _ => Gcm::<Aes256>::with_engine(key, engine)
            .map(|key| key.open_in_place(nonce, aad, &mut text, tag)),
    };
    let authentic = opened.map_err(|error| error.to_string())?.is_ok();
    Ok((text, authentic))
}

fn known_answers(engine: Engine) -> Result<(), String> {
    let (nonce, aad, text) = (bytes(NONCE), bytes(AAD), bytes(TEXT));
    for (key_len, expected) in SEALED {
        let key = &bytes(KEY)[..key_len];
        if seal(engine, key, &nonce, &aad, &text)? != bytes(expected) {
            return Err(format!("sealing with a key of {key_len} bytes"));
        }
        if open(engine, key, &nonce, &aad, &bytes(expected))? != (text.clone(), true) {
            return Err(format!("opening with a key of {key_len} bytes"));
        }
    }
    Ok(())
}

fn forgeries(engine: Engine) -> Result<(), String> {
    let (nonce, aad) = (bytes(NONCE), bytes(AAD));
    for (key_len, sealed) in SEALED {
        let key = &bytes(KEY)[..key_len];
        let mut sealed = bytes(sealed);
        for at in 0..sealed.len() {
            sealed[at] ^= 1 << (at % 8);
            let (text, authentic) = open(engine, key, &nonce, &aad, &sealed)?;
            if authentic {
                return Err(format!("byte {at} was changed and nothing noticed"));
            }
            if text.iter().any(|byte| *byte != 0) {
                return Err(format!(
                    "byte {at} was changed, and the output was not wiped"
                ));
            }
            sealed[at] ^= 1 << (at % 8);
        }
    }
    Ok(())
}

/// Against the last of the list, which is portable.
fn agreement(engine: Engine) -> Result<(), String> {
    let reference = *Engine::ALL.last().expect("a build has engines");
    let (key, nonce) = (bytes(KEY), bytes(NONCE));
    for len in lengths() {
        let text: Vec<u8> = bytes(TEXT).into_iter().cycle().take(len).collect();
        let aad = &text[..len.min(len % 40)];
        for key_len in [16, 24, 32] {
            let key = &key[..key_len];
            let sealed = seal(engine, key, &nonce, aad, &text)?;
            if sealed != seal(reference, key, &nonce, aad, &text)? {
                return Err(format!(
                    "not as {reference} at {len} bytes with a key of {key_len} bytes"
                ));
            }
            if open(engine, key, &nonce, aad, &sealed)? != (text.clone(), true) {
                return Err(format!(
                    "does not open what it sealed at {len} bytes with a key of {key_len} bytes"
                ));
            }
        }
    }
    Ok(())
}
