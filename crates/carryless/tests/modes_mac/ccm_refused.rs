use carryless::error::{InputError, KeyError};
use carryless::{Ccm, Engine};

use crate::{bytes, engines};

#[test]
fn u3_wrong_lengths_are_refused_in_order_and_nothing_is_written() {
    let (got, expected) = (17, 16);
    assert_eq!(
        Key::from_slice(&[5; 17]).unwrap_err(),
        InputError::Key { got, expected }
    );
    for engine in engines() {
        wrong_lengths(engine);
        println!("U3 {engine}: 10 wrong lengths in CCM refused");
    }
}

type Key = Ccm<carryless::Aes128, 13, 8>;

fn wrong_lengths(engine: Engine) {
    let (got, expected) = (17, 16);
    let key = Key::with_engine(&[5; 16], engine).unwrap();
    let error = Key::with_engine(&[5; 17], engine).unwrap_err();
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
}

#[test]
fn u3_other_lengths_than_declared_are_refused() {
    for engine in engines() {
        other_lengths(engine);
        println!("U3 {engine}: 6 lengths in CCM that were not declared refused");
    }
}

fn other_lengths(engine: Engine) {
    let key = Ccm::<carryless::Aes128>::with_engine(&[5; 16], engine).unwrap();
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
