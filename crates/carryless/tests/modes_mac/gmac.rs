use carryless::error::{InputError, OpenError};
use carryless::{Aes128, Aes192, Aes256, Gmac};

use crate::{bytes, engines, three};

#[test]
fn c3_gmac_in_pieces_is_that_of_the_whole() {
    macro_rules! with {
        ($engine:expr, $($Cipher:ident $key:literal)+) => {$(
            let mac = Gmac::<$Cipher>::with_engine(&[5; $key], $engine).unwrap();
            let (data, mut count) = (bytes(400), 0);
            for nonce in [&[1; 12][..], &[2; 16], &[3; 1], &[4; 60]] {
                for len in [0, 1, 15, 16, 17, 32, 48, 100, 400] {
                    let expected = mac.mac(nonce, &data[..len]).unwrap();
                    for at in 0..=len {
                        let mut pieces = mac.begin(nonce).unwrap();
                        for piece in three(&data[..len], at) {
                            pieces.update(piece).unwrap();
                        }
                        assert_eq!(pieces.finish(), expected, "{}: {len} at {at}", $engine);
                        count += 1;
                    }
                }
            }
            println!("C3 {}: {count} splits of GMAC", $engine);
        )+};
    }
    for engine in engines() {
        with!(engine, Aes128 16 Aes192 24 Aes256 32);
    }
}

#[test]
fn u3_gmac_in_pieces_refuses_what_the_whole_does() {
    for engine in engines() {
        let mac = Gmac::<Aes128, 12>::with_engine(&[5; 16], engine).unwrap();
        assert_eq!(mac.begin(&[]).unwrap_err(), InputError::EmptyNonce);
        assert_eq!(mac.mac(&[], b"data"), Err(InputError::EmptyNonce));
        let (mut count, expected) = (2, 12);
        for got in (0..20).filter(|len| *len != expected) {
            let error = OpenError::Input(InputError::Tag { got, expected });
            let mut pieces = mac.begin(&[1; 12]).unwrap();
            pieces.update(b"data").unwrap();
            assert_eq!(pieces.verify(&[0; 20][..got]), Err(error));
            assert_eq!(mac.verify(&[1; 12], b"data", &[0; 20][..got]), Err(error));
            count += 2;
        }
        println!("U3 {engine}: {count} wrong lengths in GMAC refused");
    }
}
