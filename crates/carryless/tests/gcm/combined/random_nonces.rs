//! Sealers that draw their nonces, fresh and resumed, up to their last message.

use std::collections::BTreeSet;

use carryless::error::{InputError, RandomNonceError};
use carryless::{Aes128, Aes192, Aes256, Gcm, RandomNonceSealer};

use super::each;
use crate::harness::reference;

const MOST: u64 = 1 << 32;

macro_rules! run {
    ($engine:ident, $dice:ident: $Cipher:ident $key_len:literal $tag:literal) => {{
        let key = $dice.bytes($key_len);
        let known = reference::Gcm::new(&key);
        let gcm = Gcm::<$Cipher, 12, $tag>::with_engine(&key, $engine).unwrap();
        let power = 1 << $dice.below(33);
        let mut sealed = $dice.one(&[0, 1, power, MOST - 3, MOST, MOST + 1]);
        let mut sealer = if sealed == 0 {
            RandomNonceSealer::new(gcm)
        } else {
            RandomNonceSealer::resume(gcm, sealed)
        };
        assert_eq!(sealer.engine(), $engine);
        let (calls, mut nonces) = (1 + $dice.below(8), BTreeSet::new());
        for _ in 0..calls {
            assert_eq!(sealer.remaining(), MOST.saturating_sub(sealed));
            let (aad, text) = ($dice.piece(), $dice.piece());
            let mut out = text.clone();
            let result = match $dice.below(5) {
                0 => {
                    let (got, expected) = (text.len() + 1, text.len());
                    let refused = sealer.seal_into(&aad, &text, &mut vec![0; got]);
                    let error = InputError::Output { got, expected };
                    assert_eq!(refused.err(), Some(RandomNonceError::Input(error)));
                    continue;
                }
                1..3 => sealer.seal_in_place(&aad, &mut out),
                _ => sealer.seal_into(&aad, &text, &mut out),
            };
            if sealed >= MOST {
                assert_eq!(result.err(), Some(RandomNonceError::Exhausted));
                assert!(out == text, "written");
                continue;
            }
            let (nonce, tag) = result.unwrap();
            let (ciphertext, right) = known.seal(&nonce, &aad, &text);
            assert!(out == ciphertext, "another ciphertext");
            assert_eq!(tag[..], right[..$tag]);
            assert!(nonces.insert(nonce), "a nonce for the second time");
            sealed += 1;
        }
        calls
    }};
}

#[test]
fn c3_sealers_of_random_nonces_do_as_the_reference() {
    each(
        "sealers of random nonces",
        |engine, dice| any_key!(run engine dice),
    );
}
