use carryless::error::{InputError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Gmac};

use crate::{bytes, engines, three};

#[test]
fn c3_gmac_in_pieces_is_that_of_the_whole() {
    macro_rules! with {
        ($engine:expr, $($Cipher:ident $key:literal)+) => {$(
            let mac = Gmac::<$Cipher>::with_engine(&[5; $key], $engine).unwrap();
            let data = bytes(400);
            for nonce in [&[1; 12][..], &[2; 16], &[3; 1], &[4; 60]] {
                for len in [0, 1, 15, 16, 17, 32, 48, 100, 400] {
                    let expected = mac.mac(nonce, &data[..len]).unwrap();
                    for at in 0..=len {
                        let mut pieces = mac.begin(nonce).unwrap();
                        for piece in three(&data[..len], at) {
                            pieces.update(piece).unwrap();
                        }
                        assert_eq!(pieces.finish(), expected, "{}: {len} at {at}", $engine);
                    }
                }
            }
        )+};
    }
    for engine in engines() {
        with!(engine, Aes128 16 Aes192 24 Aes256 32);
    }
}

#[test]
fn c6_gmac_in_pieces_refuses_what_the_whole_does() {
    let mac = Gmac::<Aes128, 12>::from_slice(&[5; 16]).unwrap();
    assert_eq!(mac.begin(&[]).unwrap_err(), InputError::EmptyNonce);
    let begin = || {
        let mut pieces = mac.begin(&[1; 12]).unwrap();
        pieces.update(b"data").unwrap();
        pieces
    };
    let tag = begin().finish();
    begin().verify(&tag).unwrap();
    let error = InputError::Tag {
        got: 11,
        expected: 12,
    };
    assert_eq!(begin().verify(&tag[1..]), Err(OpenError::Input(error)));
    for bit in 0..96 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(
            begin().verify(&wrong),
            Err(OpenError::Unauthentic(_))
        ));
    }
}
