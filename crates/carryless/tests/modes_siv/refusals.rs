//! Bad input, failed openings, and what is shown of a key.

use carryless::error::{InputError, KeyError};
use carryless::{Aes128GcmSiv, Aes256GcmSiv, Engine, XAes256Gcm};

use super::{Mode, UNAUTHENTIC, bytes, quick};

fn refuses<M: Mode>(key_len: usize, engine: Engine) {
    for got in (0..40).filter(|len| *len != key_len) {
        let error = InputError::Key {
            got,
            expected: key_len,
        };
        assert_eq!(
            M::key(&bytes(got, 0), engine).err(),
            Some(KeyError::Input(error))
        );
    }
    let mode = M::key(&bytes(key_len, 0), engine).unwrap();
    let (right, text, mut out) = (bytes(M::NONCE, 1), [7; 33], [0xa5; 33]);
    for got in (0..40).filter(|len| *len != M::NONCE) {
        let (nonce, error) = (
            bytes(got, 1),
            InputError::Nonce {
                got,
                expected: M::NONCE,
            },
        );
        assert_eq!(mode.seal_to(&nonce, b"", &text, &mut out), Err(error));
        // The nonce comes before the tag.
        assert_eq!(
            mode.open_to(&nonce, b"", &text, &mut out, &[]),
            Err(error.into())
        );
    }
    for got in (0..40).filter(|len| *len != 16) {
        let error = InputError::Tag { got, expected: 16 };
        assert_eq!(
            mode.open_to(&right, b"", &text, &mut out, &bytes(got, 1)),
            Err(error.into())
        );
    }
    let error = InputError::Output {
        got: 32,
        expected: 33,
    };
    assert_eq!(mode.seal_to(&right, b"", &text, &mut out[1..]), Err(error));
    assert_eq!(
        mode.open_to(&right, b"", &text, &mut out[1..], &[0; 16]),
        Err(error.into())
    );
    assert_eq!(out, [0xa5; 33], "nothing is written");
}

#[test]
fn c6_wrong_lengths_are_refused_before_anything_is_written() {
    for engine in Engine::available() {
        refuses::<Aes128GcmSiv>(16, engine);
        refuses::<Aes256GcmSiv>(32, engine);
        refuses::<XAes256Gcm>(32, engine);
    }
}

fn wipes<M: Mode>(key_len: usize, engine: Engine) {
    let mode = M::key(&bytes(key_len, 0), engine).unwrap();
    let (nonce, aad) = (bytes(M::NONCE, 1), bytes(5, 2));
    let lens: &[usize] = if quick() {
        &[0, 1, 100, 1700]
    } else {
        &[0, 1, 16, 100, 1500, 1700]
    };
    for &len in lens {
        let mut sealed = bytes(len, 3);
        let tag = mode.seal(&nonce, &aad, &mut sealed).unwrap();
        let fails = |nonce: &[u8], aad: &[u8], sealed: &[u8], tag: &[u8]| {
            let (mut place, mut out) = (sealed.to_vec(), vec![0xa5; len]);
            assert_eq!(
                mode.open(nonce, aad, &mut place, tag),
                UNAUTHENTIC,
                "{engine}, {len}"
            );
            assert_eq!(
                mode.open_to(nonce, aad, sealed, &mut out, tag),
                UNAUTHENTIC,
                "{engine}, {len}"
            );
            assert!(
                place.iter().chain(&out).all(|byte| *byte == 0),
                "{engine}, {len}"
            );
        };
        let flipped = |bytes: &[u8], bit: usize| {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        };
        (0..128).for_each(|bit| fails(&nonce, &aad, &sealed, &flipped(&tag, bit)));
        (0..8 * M::NONCE).for_each(|bit| fails(&flipped(&nonce, bit), &aad, &sealed, &tag));
        fails(&nonce, &flipped(&aad, 39), &sealed, &tag);
        if len > 0 {
            fails(&nonce, &aad, &flipped(&sealed, 0), &tag);
            fails(&nonce, &aad, &flipped(&sealed, 8 * len - 1), &tag);
        }
    }
}

#[test]
fn m1_a_failed_opening_leaves_zeros() {
    for engine in Engine::available() {
        wipes::<Aes128GcmSiv>(16, engine);
        wipes::<Aes256GcmSiv>(32, engine);
        wipes::<XAes256Gcm>(32, engine);
    }
}

#[test]
fn u3_nothing_of_a_key_is_shown() {
    let siv = Aes128GcmSiv::with_engine(&[0x42; 16], Engine::Soft64).unwrap();
    assert_eq!(
        format!("{siv:?}"),
        "GcmSiv { cipher: \"AES-128\", engine: Soft64, .. }"
    );
    let xaes = XAes256Gcm::with_engine(&[0x42; 32], Engine::Soft64).unwrap();
    assert_eq!(format!("{xaes:?}"), "XAes256Gcm { engine: Soft64, .. }");
}
