//! The whole key and the whole context are in what a stream derives: its header against HMAC alone.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;

use super::*;

type Headers<'a> = dyn Fn(&Key, &[u8]) -> [u8; HEADER_LEN] + 'a;

/// The commitment to a key, a salt and a context, from c2sp.org/chunked-encryption.
fn commitment(key: &Key, salt: &[u8], context: &[u8]) -> Vec<u8> {
    let name = match key.cipher() {
        Cipher::Cobblestone128 => "AEAD_AES_128_GCM",
        Cipher::Cobblestone256 => "AEAD_AES_256_GCM",
    };
    let mut info = format!("c2sp.org/chunked-encryption@v1+{name}\0").into_bytes();
    info.extend_from_slice(salt);
    info.extend_from_slice(context);
    let hash = |data: &[u8]| {
        let mut mac = Hmac::<Sha512>::new_from_slice(key.as_bytes()).expect("any length");
        mac.update(data);
        mac.finalize().into_bytes().to_vec()
    };
    let first = hash(&[&info[..], &[1]].concat());
    let second = hash(&[&first[..], &info, &[2]].concat());
    let at = key.cipher().key_len() + 12;
    [first, second].concat()[at..][..COMMITMENT_LEN].to_vec()
}

fn check(headers: &Headers<'_>) -> Result<(), String> {
    let whole = text(1 << 17);
    for cipher in [Cipher::Cobblestone128, Cipher::Cobblestone256] {
        let key = key(cipher);
        let far = [4095, 4096, 4097, 65_535, 65_536, 65_537, 1 << 17];
        for len in (0..1100).chain(far) {
            let header = headers(&key, &whole[..len]);
            let (salt, got) = header.split_at(SALT_LEN);
            if got != commitment(&key, salt, &whole[..len]) {
                return Err(format!("{cipher:?}: a context of {len} bytes"));
            }
        }
    }
    Ok(())
}

#[test]
fn contexts_of_every_length_count_whole() {
    let sealed = |key: &Key, context: &[u8]| *Sealer::new(key, context).expect("bytes").header();
    check(&sealed).unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn control_contexts_that_count_in_part() {
    for most in [96, 1024, 65_536] {
        let sealed = |key: &Key, context: &[u8]| {
            let context = &context[..context.len().min(most)];
            *Sealer::new(key, context).expect("bytes").header()
        };
        let why = check(&sealed).expect_err("the rest of the context does not count");
        println!("{most} bytes of a context: caught: {why}");
    }
}

#[test]
fn a_context_that_differs_anywhere_opens_nothing() {
    let key = key(Cipher::Cobblestone256);
    for len in [1, 15, 16, 17, 96, 97, 128, 129, 1000, 65_537] {
        let mut context = text(len);
        let sealed = seal(&key, &context, b"text");
        for at in (0..len.min(200)).chain([len / 2, len - 1]) {
            context[at] ^= 1;
            let (_, result) = open(&key, &context, &sealed[..]);
            assert_eq!(tampering(result), Tampering::Header, "byte {at} of {len}");
            context[at] ^= 1;
        }
        let longer = [&context[..], &[0]].concat();
        for other in [&context[..len - 1], &longer] {
            let (_, result) = open(&key, other, &sealed[..]);
            assert_eq!(tampering(result), Tampering::Header, "{}", other.len());
        }
        assert_eq!(open(&key, &context, &sealed[..]).0, b"text");
    }
}
