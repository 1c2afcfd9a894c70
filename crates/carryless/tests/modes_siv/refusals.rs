//! Bad input, and what is shown of a key.

use carryless::error::{InputError, KeyError};
use carryless::{Aes128GcmSiv, Aes256GcmSiv, Engine, XAes256Gcm};

use super::{Mode, bytes, engines};

/// How many wrong lengths a mode refuses.
fn refuses<M: Mode>(key_len: usize, engine: Engine) -> usize {
    let mut count = 0;
    for got in (0..40).filter(|len| *len != key_len) {
        let error = InputError::Key {
            got,
            expected: key_len,
        };
        assert_eq!(
            M::key(&bytes(got, 0), engine).err(),
            Some(KeyError::Input(error))
        );
        count += 1;
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
        count += 2;
    }
    for got in (0..40).filter(|len| *len != 16) {
        let error = InputError::Tag { got, expected: 16 };
        assert_eq!(
            mode.open_to(&right, b"", &text, &mut out, &bytes(got, 1)),
            Err(error.into())
        );
        count += 1;
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
    count + 2
}

#[test]
fn u3_wrong_lengths_are_refused_before_anything_is_written() {
    for engine in engines() {
        let count = refuses::<Aes128GcmSiv>(16, engine)
            + refuses::<Aes256GcmSiv>(32, engine)
            + refuses::<XAes256Gcm>(32, engine);
        println!("U3 {engine}: {count} lengths in AES-GCM-SIV and XAES-256-GCM refused");
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
