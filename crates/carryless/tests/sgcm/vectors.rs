//! The vectors of the profile, and messages that must not open.

use carryless::Engine;
use carryless::error::{InputError, KeyError, OpenError};
use carryless::sgcm::Aes128Sgcm;
use sha2::{Digest, Sha256};

use crate::{UNAUTHENTIC, engines, lines, unhex};

/// `with!(cipher, key, engine => |sgcm| work)`: the work with the key object of the cipher whose keys are as long.
macro_rules! with {
    ($cipher:expr, $key:expr, $engine:expr => |$sgcm:ident| $work:expr) => {
        match ($cipher, $key.len()) {
            ("aes", 16) => with!(@Aes128Sgcm $key, $engine, $sgcm, $work),
            ("aes", 24) => with!(@Aes192Sgcm $key, $engine, $sgcm, $work),
            ("aes", 32) => with!(@Aes256Sgcm $key, $engine, $sgcm, $work),
            #[cfg(feature = "lea")]
            ("lea", 16) => with!(@Lea128Sgcm $key, $engine, $sgcm, $work),
            #[cfg(feature = "lea")]
            ("lea", 24) => with!(@Lea192Sgcm $key, $engine, $sgcm, $work),
            #[cfg(feature = "lea")]
            ("lea", 32) => with!(@Lea256Sgcm $key, $engine, $sgcm, $work),
            other => panic!("no cipher has such keys: {other:?}"),
        }
    };
    (@$Sgcm:ident $key:expr, $engine:expr, $sgcm:ident, $work:expr) => {{
        let $sgcm = carryless::sgcm::$Sgcm::with_engine($key, $engine).unwrap();
        $work
    }};
}

/// The ciphers, what their long messages are called, and how many messages of them open.
const CIPHERS: &[(&str, &str, usize)] = if cfg!(feature = "lea") {
    &[("aes", "aes-long", 180), ("lea", "lea-long", 102)]
} else {
    &[("aes", "aes-long", 180)]
};

/// A published message.
#[derive(Clone)]
struct Case {
    cipher: &'static str,
    name: &'static str,
    result: &'static str,
    key: Vec<u8>,
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let lines = CIPHERS
        .iter()
        .flat_map(|(cipher, ..)| lines(cipher).map(move |line| (*cipher, line)));
    let cases = lines.map(|(cipher, (name, words))| {
        let [result, fields @ ..] = &words[..] else {
            panic!("not a case: {name}")
        };
        let [key, nonce, aad, text, ciphertext, tag] = fields else {
            panic!("not a case: {name}")
        };
        Case {
            cipher,
            name,
            result,
            key: unhex(key),
            nonce: unhex(nonce),
            aad: unhex(aad),
            text: unhex(text),
            ciphertext: unhex(ciphertext),
            tag: unhex(tag),
        }
    });
    cases.collect()
}

/// Whether a message comes out by each call, and in three pieces.
fn comes_out(case: &Case, engine: Engine) -> Result<(), String> {
    let Case {
        cipher,
        name,
        key,
        nonce,
        aad,
        text,
        ciphertext,
        tag,
        ..
    } = case;
    let failed = |what| Err(format!("{engine}, {cipher}, {name}: {what}"));
    with!(*cipher, key, engine => |sgcm| {
        let (mut place, mut to) = (text.clone(), vec![0xa5; text.len()]);
        let made = sgcm.seal_in_place(nonce, aad, &mut place).unwrap();
        if made[..] != tag[..] || place != *ciphertext {
            return failed("it is sealed otherwise");
        }
        if sgcm.seal_into(nonce, aad, text, &mut to) != Ok(made) || to != *ciphertext {
            return failed("it is sealed otherwise into a buffer");
        }
        let opened = sgcm.open_in_place(nonce, aad, &mut place, tag);
        to.fill(0xa5);
        let opened_into = sgcm.open_into(nonce, aad, ciphertext, &mut to, tag);
        if opened != Ok(()) || opened_into != Ok(()) || place != *text || to != *text {
            return failed("it does not open");
        }
        let mut sealer = sgcm.sealer(nonce).unwrap();
        let (head, tail) = aad.split_at(aad.len() / 3);
        sealer.aad(head).unwrap();
        sealer.aad(tail).unwrap();
        let (head, tail) = place.split_at_mut(text.len() / 3);
        sealer.seal_in_place(head).unwrap();
        let (middle, tail) = tail.split_at_mut(tail.len() / 2);
        sealer.seal_in_place(middle).unwrap();
        sealer.seal_in_place(tail).unwrap();
        if sealer.finish()[..] != tag[..] || place != *ciphertext {
            return failed("it is sealed otherwise in pieces");
        }
        Ok(())
    })
}

#[test]
fn c1_the_vectors_of_the_profile_come_out_on_every_engine() {
    let cases = cases();
    for engine in engines() {
        let valid = cases.iter().filter(|case| case.result == "valid");
        let count = valid
            .map(|case| comes_out(case, engine).unwrap_or_else(|error| panic!("{error}")))
            .count();
        println!("C1 {engine}: {count} vectors of SGCM");
        let expected: usize = CIPHERS.iter().map(|(.., valid)| valid).sum();
        assert_eq!(count, expected);
    }
}

#[test]
fn control_c1_a_changed_vector_is_noticed() {
    let mut case = cases().swap_remove(7);
    case.tag[15] ^= 1;
    let error = comes_out(&case, Engine::selected()).expect_err("a fault");
    println!("a changed vector of SGCM: caught: {error}");
}

/// As many bytes of `SHA-256(seed || 0) || SHA-256(seed || 1) ..`, given as `seed:len`.
fn generated(word: &str) -> Vec<u8> {
    let (seed, len) = word.split_once(':').unwrap();
    let len: usize = len.parse().unwrap();
    let hashes = (0u32..).flat_map(|i| {
        let hash = Sha256::new()
            .chain_update(seed)
            .chain_update(i.to_be_bytes());
        hash.finalize().to_vec()
    });
    hashes.take(len).collect()
}

#[test]
fn c1_long_messages_come_out_on_every_engine() {
    for engine in engines() {
        let mut count = 0;
        let lines = CIPHERS
            .iter()
            .flat_map(|(cipher, long, _)| lines(long).map(move |line| (*cipher, line)));
        for (cipher, (name, words)) in lines {
            let [key, nonce, aad, text, hash, tag] = words[..].try_into().unwrap();
            let (key, nonce) = (unhex(key), unhex(nonce));
            let (aad, mut text) = (generated(aad), generated(text));
            let plain = text.clone();
            with!(cipher, &key, engine => |sgcm| {
                let made = sgcm.seal_in_place(&nonce, &aad, &mut text).unwrap();
                assert_eq!(hex::encode(Sha256::digest(&text)), hash, "{engine}, {name}");
                assert_eq!(hex::encode(made), tag, "{engine}, {name}");
                assert_eq!(sgcm.open_in_place(&nonce, &aad, &mut text, &made), Ok(()));
            });
            assert!(text == plain, "{engine}, {name}");
            count += 1;
        }
        println!("C1 {engine}: {count} vectors of SGCM, long ones");
        assert_eq!(count, 5 * CIPHERS.len());
    }
}

/// What must not open: among it tags by XOR, by blocks added by XOR or read from their other end, and by GHASH.
#[test]
fn c7_what_must_not_open_does_not_and_leaves_zeros() {
    let cases = cases();
    for engine in engines() {
        let mut count = 0;
        for case in cases.iter().filter(|case| case.result == "invalid") {
            let Case {
                cipher,
                name,
                key,
                nonce,
                aad,
                ciphertext,
                tag,
                ..
            } = case;
            let (mut place, mut to) = (ciphertext.clone(), vec![0xa5; ciphertext.len()]);
            with!(*cipher, key, engine => |sgcm| {
                let opened = sgcm.open_in_place(nonce, aad, &mut place, tag);
                assert_eq!(opened, UNAUTHENTIC, "{engine}, {name}");
                let opened = sgcm.open_into(nonce, aad, ciphertext, &mut to, tag);
                assert_eq!(opened, UNAUTHENTIC, "{engine}, {name}");
            });
            assert!(
                place.iter().chain(&to).all(|byte| *byte == 0),
                "{engine}, {name}"
            );
            count += 1;
        }
        println!("C7 {engine}: {count} messages of SGCM refused");
        assert_eq!(count, 104 * CIPHERS.len());
    }
}

/// What is refused before any work: lengths of keys, nonces and tags.
#[test]
fn c6_the_lengths_of_the_profile_s_errors_are_refused() {
    let mut count = 0;
    let of_aes = |case: &&Case| case.cipher == "aes" && case.result == "error";
    for case in cases().iter().filter(of_aes) {
        let (nonce, tag, name) = (&case.nonce, &case.tag, case.name);
        let key = Aes128Sgcm::with_engine(&case.key, Engine::Soft64);
        if !matches!(case.key.len(), 16 | 24 | 32) {
            let error = InputError::Key {
                got: case.key.len(),
                expected: 16,
            };
            assert_eq!(key.err(), Some(KeyError::Input(error)), "{name}");
        } else {
            let error = match nonce.len() {
                0 => InputError::EmptyNonce,
                _ => InputError::Tag {
                    got: tag.len(),
                    expected: 16,
                },
            };
            let mut text = [7; 5];
            with!(case.cipher, &case.key, Engine::Soft64 => |sgcm| {
                let opened = sgcm.open_in_place(nonce, &case.aad, &mut text, tag);
                assert_eq!(opened, Err(OpenError::Input(error)), "{name}");
            });
            assert_eq!(text, [7; 5], "{name}");
        }
        count += 1;
    }
    assert_eq!(count, 23);
}
