//! U7: what the library draws is what the system gave, byte for byte, and no call is without a draw.

use carryless::{Aes128, Aes192, Aes256, Gcm, RandomNonceSealer};

use crate::harness::traced::{self, Values};

/// Nonces of one sealer: of more messages than a byte counts, in both ways, with refused calls among them.
fn nonces() -> Values {
    let mut values = Values::new();
    macro_rules! of {
        ($($Cipher:ident $len:literal: $($tag:literal)+;)+) => {$($(
            let gcm = Gcm::<$Cipher, 12, $tag>::from_slice(&[7; $len]).unwrap();
            let mut sealer = RandomNonceSealer::new(gcm);
            for message in 0..600 {
                let text = vec![1; message % 40];
                let mut out = text.clone();
                let (nonce, _) = match message % 3 {
                    0 => sealer.seal_in_place(b"", &mut out).unwrap(),
                    1 => sealer.seal_into(b"header", &text, &mut out).unwrap(),
                    _ => {
                        assert!(sealer.seal_into(b"", &text, &mut vec![0; text.len() + 1]).is_err());
                        sealer.seal_into(b"", &text, &mut out).unwrap()
                    }
                };
                let what = format!("nonce {message}, {}, tags of {}", stringify!($Cipher), $tag);
                values.push((what, nonce.to_vec()));
            }
        )+)+};
    }
    of!(Aes128 16: 12 16; Aes192 24: 14 16; Aes256 32: 12 15 16;);
    values
}

#[cfg(feature = "aead")]
fn of_the_traits() -> Values {
    use carryless::aead::Generate;
    use carryless::{Aes128Gcm, Aes256Gcm, Key, Nonce};

    let draw = |number| {
        [
            (
                format!("key {number}, 16 bytes"),
                Key::<Aes128Gcm>::generate().to_vec(),
            ),
            (
                format!("key {number}, 32 bytes"),
                Key::<Aes256Gcm>::generate().to_vec(),
            ),
            (
                format!("nonce {number} of the traits"),
                <Nonce>::generate().to_vec(),
            ),
        ]
    };
    (0..300).flat_map(draw).collect()
}

#[cfg(not(feature = "aead"))]
const fn of_the_traits() -> Values {
    Values::new()
}

#[test]
fn u7_nonces_and_keys_are_what_the_system_gave() {
    let test = "draws::system::u7_nonces_and_keys_are_what_the_system_gave";
    let count = traced::compare(test, &[], || [nonces(), of_the_traits()].concat());
    if let Some(count) = count {
        println!("U7 nonces and keys: {count} are what the system gave");
    }
}

#[test]
fn control_u7_what_the_system_did_not_give_is_noticed() {
    traced::control();
}
