//! Messages of all lengths and in all pieces, bad input.

use carryless::error::{InputError, KeyError};
use carryless::sgcm::{Aes128Sgcm, Aes192Sgcm, Aes256Sgcm};
use carryless::{Aes128Gcm, Engine};

use crate::{bytes, engines, quick};

/// The engines give what the first one does, for each length of AAD and text about the sizes of batches.
#[test]
fn c2_engines_agree_at_all_lengths() {
    let engines = engines();
    let key = bytes(32, 3);
    let seal = |engine, aad: &[u8], text: &[u8]| {
        let sgcm = Aes256Sgcm::with_engine(&key, engine).unwrap();
        let mut text = text.to_vec();
        let tag = sgcm.seal_in_place(&[7; 12], aad, &mut text).unwrap();
        (text, tag)
    };
    let mut count = 0;
    let lengths = (0..300).map(|len| (len * 7 % 67, len));
    let lengths = lengths.chain((0..300).step_by(5).map(|len| (len, len * 5 % 41)));
    for (aad_len, len) in lengths.chain([(0, 4099), (2050, 1029)]) {
        let (aad, text) = (bytes(aad_len, 1), bytes(len, 2));
        let expected = seal(Engine::Soft32, &aad, &text);
        for engine in &engines {
            assert!(
                seal(*engine, &aad, &text) == expected,
                "{engine}: AAD of {aad_len}, text of {len} bytes"
            );
        }
        count += 1;
    }
    for engine in engines {
        println!("C2 {engine}: {count} messages of SGCM");
    }
}

/// Every cut of the AAD, and of the text, in two; nonces of 12 bytes and others.
#[test]
fn c3_every_split_gives_the_message_sealed_at_once() {
    let (aad, text) = (bytes(70, 2), bytes(300, 3));
    for engine in engines() {
        let sgcm = Aes192Sgcm::with_engine(&bytes(24, 1), engine).unwrap();
        let mut count = 0;
        for nonce in [bytes(12, 4), bytes(1, 5), bytes(33, 6)] {
            let mut whole = text.clone();
            let tag = sgcm.seal_in_place(&nonce, &aad, &mut whole).unwrap();
            for split in (0..=text.len()).step_by(if quick() { 7 } else { 1 }) {
                let at = split.min(aad.len());
                let (mut pieces, mut to) = (text.clone(), vec![0; text.len()]);
                let mut sealer = sgcm.sealer(&nonce).unwrap();
                sealer.aad(&aad[..at]).unwrap();
                sealer.aad(&aad[at..]).unwrap();
                sealer.seal_in_place(&mut pieces[..split]).unwrap();
                sealer.seal_into(&text[split..], &mut to[split..]).unwrap();
                pieces[split..].copy_from_slice(&to[split..]);
                assert!(sealer.aad(b"").is_err());
                assert_eq!(sealer.finish(), tag, "{engine}, {split}");
                assert!(pieces == whole, "{engine}, {split}");
                count += 1;
                #[cfg(feature = "hazmat")]
                {
                    let mut opener = sgcm.opener(&nonce).unwrap();
                    opener.aad(&aad).unwrap();
                    opener.open_into(&whole[..split], &mut to[..split]).unwrap();
                    opener.open_in_place(&mut pieces[split..]).unwrap();
                    to[split..].copy_from_slice(&pieces[split..]);
                    assert_eq!(opener.finish(&tag), Ok(()), "{engine}, {split}");
                    assert!(to == text, "{engine}, {split}");
                }
            }
        }
        println!("C3 {engine}: {count} splits of SGCM");
    }
}

#[test]
fn u3_wrong_lengths_are_refused_before_anything_is_written() {
    for engine in engines() {
        let mut count = 0;
        for got in (0..40).filter(|len| *len != 24) {
            let expected = 24;
            let error = KeyError::Input(InputError::Key { got, expected });
            let made = Aes192Sgcm::with_engine(&bytes(got, 0), engine);
            assert_eq!(made.err(), Some(error));
            count += 1;
        }
        let sgcm = Aes192Sgcm::with_engine(&bytes(24, 0), engine).unwrap();
        let (nonce, text, mut out) = ([1; 12], [7; 33], [0xa5; 33]);
        let error = InputError::EmptyNonce;
        assert_eq!(sgcm.seal_into(&[], b"", &text, &mut out), Err(error));
        assert_eq!(sgcm.sealer(&[]).err(), Some(error));
        // The nonce comes before the tag.
        assert_eq!(
            sgcm.open_into(&[], b"", &text, &mut out, &[]),
            Err(error.into())
        );
        for got in (0..40).filter(|len| *len != 16) {
            let error = InputError::Tag { got, expected: 16 };
            let opened = sgcm.open_into(&nonce, b"", &text, &mut out, &bytes(got, 1));
            assert_eq!(opened, Err(error.into()));
            count += 1;
        }
        let (got, expected) = (32, 33);
        let error = InputError::Output { got, expected };
        assert_eq!(
            sgcm.seal_into(&nonce, b"", &text, &mut out[1..]),
            Err(error)
        );
        let opened = sgcm.open_into(&nonce, b"", &text, &mut out[1..], &[0; 16]);
        assert_eq!(opened, Err(error.into()));
        assert_eq!(out, [0xa5; 33], "nothing is written");
        let mut sealer = sgcm.sealer(&nonce).unwrap();
        sealer.seal_in_place(&mut [1]).unwrap();
        assert_eq!(sealer.aad(b"late"), Err(InputError::AadAfterText));
        println!("U3 {engine}: {} wrong inputs to SGCM refused", count + 6);
    }
}

/// With no AAD and no text the tag is the encrypted J0, as in GCM: the same frame.
#[test]
fn c2_an_empty_message_has_the_tag_of_gcm() {
    let key = bytes(16, 9);
    for engine in engines() {
        let sgcm = Aes128Sgcm::with_engine(&key, engine).unwrap();
        let gcm = Aes128Gcm::with_engine(&key, engine).unwrap();
        let ours = sgcm.seal_in_place(&[3; 12], b"", &mut []);
        assert_eq!(ours, gcm.seal_in_place(&[3; 12], b"", &mut []), "{engine}");
        println!("C2 {engine}: 1 messages of SGCM");
    }
}

#[cfg(feature = "aead")]
#[test]
fn c2_the_traits_of_aead_seal_the_same() {
    use carryless::{AeadInOut, KeyInit, Nonce};

    let key = bytes(24, 8);
    let sgcm = Aes192Sgcm::with_engine(&key, Engine::Soft64).unwrap();
    let other = Aes192Sgcm::new_from_slice(&key).unwrap();
    let nonce = Nonce::from([5; 12]);
    let (mut ours, mut theirs) = (bytes(100, 1), bytes(100, 1));
    let tag = sgcm.seal_in_place(&nonce, b"aad", &mut ours).unwrap();
    let by_trait = other
        .encrypt_inout_detached(&nonce, b"aad", theirs[..].as_mut().into())
        .unwrap();
    assert!(by_trait[..] == tag[..] && ours == theirs);
    let opened = other.decrypt_inout_detached(&nonce, b"aad", ours[..].as_mut().into(), &by_trait);
    assert!(opened.is_ok() && ours == bytes(100, 1));
    let failed = other.decrypt_inout_detached(&nonce, b"", theirs[..].as_mut().into(), &by_trait);
    assert!(failed.is_err() && theirs.iter().all(|byte| *byte == 0));
}

#[test]
fn u3_nothing_of_a_key_is_shown() {
    let sgcm = Aes128Sgcm::with_engine(&[0x42; 16], Engine::Soft64).unwrap();
    assert_eq!(
        format!("{sgcm:?}"),
        "Sgcm { cipher: \"AES-128\", engine: Soft64, .. }"
    );
    let sealer = sgcm.sealer(&[0x17; 12]).unwrap();
    assert_eq!(
        format!("{sealer:?}"),
        "SgcmSealer { cipher: \"AES-128\", text_len: 0, .. }"
    );
}
