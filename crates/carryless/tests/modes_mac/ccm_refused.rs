use carryless::Ccm;
use carryless::error::{InputError, KeyError, OpenError};

use crate::ccm::{Case, open, seal};
use crate::{bytes, engines};

#[test]
fn c6_wrong_lengths_are_refused_in_order_and_nothing_is_written() {
    type Key = Ccm<carryless::Aes128, 13, 8>;
    let (got, expected) = (17, 16);
    assert_eq!(
        Key::from_slice(&[5; 17]).unwrap_err(),
        InputError::Key { got, expected }
    );
    let key = Key::from_slice(&[5; 16]).unwrap();
    let error = Key::with_engine(&[5; 17], key.engine()).unwrap_err();
    assert_eq!(error, KeyError::Input(InputError::Key { got, expected }));
    let long = bytes(1 << 16);
    let mut text = long.clone();
    for got in [0, 6, 14] {
        let error = InputError::CcmNonce { got };
        assert_eq!(
            key.seal_in_place(&[1; 14][..got], b"", &mut text),
            Err(error)
        );
        assert_eq!(
            key.open_in_place(&[1; 14][..got], b"", &mut text, &[0; 7]),
            Err(error.into())
        );
    }
    let error = InputError::Tag {
        got: 7,
        expected: 8,
    };
    assert_eq!(
        key.open_in_place(&[1; 13], b"", &mut text, &[0; 7]),
        Err(error.into())
    );
    let error = InputError::CcmText {
        got: 1 << 16,
        most: 0xffff,
    };
    assert_eq!(key.seal_in_place(&[1; 13], b"", &mut text), Err(error));
    assert_eq!(
        key.open_in_place(&[1; 13], b"", &mut text, &[0; 8]),
        Err(error.into())
    );
    assert_eq!(
        error.to_string(),
        "text is 65536 bytes, at most 65535 are allowed with a nonce of this length"
    );
    assert_eq!(text, long);
    key.seal_in_place(&[1; 13], b"", &mut text[1..]).unwrap();
    key.seal_in_place(&[1; 12], b"", &mut text).unwrap();
    for (nonce, most) in [
        (13, 0xffff),
        (12, 0xff_ffff),
        (11, 0xffff_ffff),
        (8, (1u64 << 56) - 1),
    ] {
        assert!(key.sealer(&[1; 13][..nonce], u64::MAX, most).is_ok());
        assert!(key.sealer(&[1; 13][..nonce], 0, most + 1).is_err());
    }
    assert!(key.sealer(&[1; 7], 0, u64::MAX).is_ok());
}

#[test]
fn c6_other_lengths_than_declared_are_refused() {
    let key = Ccm::<carryless::Aes128>::from_slice(&[5; 16]).unwrap();
    let begin = || key.sealer(&[1; 12], 3, 20).unwrap();
    let mut text = [0xa5; 21];
    let mut sealer = begin();
    let aad = |got| InputError::DeclaredAad { got, expected: 3 };
    assert_eq!(sealer.aad(b"four"), Err(aad(4)));
    sealer.aad(b"tw").unwrap();
    assert_eq!(sealer.seal_in_place(&mut text[..1]), Err(aad(2)));
    sealer.aad(b"o").unwrap();
    let declared = |got| InputError::DeclaredText { got, expected: 20 };
    assert_eq!(sealer.seal_in_place(&mut text), Err(declared(21)));
    assert_eq!(text, [0xa5; 21]);
    sealer.seal_in_place(&mut text[..19]).unwrap();
    assert_eq!(sealer.seal_in_place(&mut text[19..]), Err(declared(21)));
    assert_eq!(sealer.finish(), Err(declared(19)));
    assert_eq!(begin().finish(), Err(aad(0)));
    assert_eq!(
        declared(19).to_string(),
        "text is 19 bytes, 20 were declared"
    );
}

#[test]
fn m1_a_message_that_is_not_authentic_leaves_nothing() {
    let data = bytes(100);
    for engine in engines() {
        for len in 0..100 {
            let case = Case {
                key: &[7; 32],
                nonce: &[1; 9],
                aad: &data[..len / 2],
                text: &data[..len],
            };
            let (ciphertext, tag) = seal::<16>(engine, &case).unwrap();
            let sealed = Case {
                text: &ciphertext,
                ..case
            };
            let mut wrong = tag;
            wrong[len % 16] ^= 1 << (len % 8);
            // `open` looks at the output.
            let failed = |case: &Case<'_>, tag: &[u8]| {
                matches!(
                    open::<16>(engine, case, tag),
                    Err(OpenError::Unauthentic(_))
                )
            };
            assert!(failed(&sealed, &wrong), "{engine}, {len}");
            assert!(
                failed(
                    &Case {
                        nonce: &[2; 9],
                        ..sealed
                    },
                    &tag
                ),
                "{engine}, {len}"
            );
            assert!(
                failed(
                    &Case {
                        aad: &data[..len / 2 + 1],
                        ..sealed
                    },
                    &tag
                ),
                "{engine}, {len}"
            );
            assert!(!failed(&sealed, &tag), "{engine}, {len}");
        }
    }
}
