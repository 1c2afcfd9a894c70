//! Counters that are about to wrap anywhere, hashes in pieces, and codes without a text.

use carryless::error::InputError;
use carryless::hazmat::{BlockCipher, CounterWidth, Ghash};
use carryless::{Aes128, Aes192, Aes256, Gmac};

use super::{Dice, each};
use crate::harness::reference::{self, Aes, Block, Poly};
use crate::harness::{Random, caught_panic};

/// A counter whose lower bits, as many as is drawn, are ones but for a small number.
fn counter(dice: &mut Dice) -> Block {
    let any = u128::from_be_bytes(*dice.bytes(16).first_chunk().unwrap());
    let bits = dice.one(&[8, 16, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128]);
    let ones = u128::MAX >> (128 - bits);
    (any | ones)
        .wrapping_sub(dice.below(40) as u128)
        .to_be_bytes()
}

/// CTR, a block at a time (SP 800-38A section 6.5).
fn ctr(aes: &Aes, counter: &Block, width: CounterWidth, text: &[u8]) -> Vec<u8> {
    let mut count = *counter;
    let mut out = Vec::new();
    for block in text.chunks(16) {
        let stream = aes.encrypt(&count);
        out.extend(block.iter().zip(stream).map(|(a, b)| a ^ b));
        count = match width {
            CounterWidth::Bits32 => reference::increment(&count),
            CounterWidth::Bits128 => u128::from_be_bytes(count).wrapping_add(1).to_be_bytes(),
        };
    }
    out
}

type InPlace<'a> = dyn Fn(&Block, CounterWidth, &mut [u8]) + 'a;

/// Key stream from a counter that is drawn, where the text stands.
fn counts(
    aes: &Aes,
    dice: &mut Dice,
    ctr_in_place: &InPlace<'_>,
) -> (Block, CounterWidth, Vec<u8>) {
    let (counter, text) = (counter(dice), [dice.piece(), dice.piece()].concat());
    let width = dice.one(&[CounterWidth::Bits32, CounterWidth::Bits128]);
    let mut out = text.clone();
    ctr_in_place(&counter, width, &mut out);
    let right = out == ctr(aes, &counter, width, &text);
    assert!(right, "another text from {counter:x?}, {width:?}");
    (counter, width, text)
}

macro_rules! run {
    ($engine:ident, $dice:ident: $Cipher:ident $key_len:literal $tag:literal) => {{
        let key = $dice.bytes($key_len);
        let aes = Aes::new(&key);
        let cipher = BlockCipher::<$Cipher>::with_engine(&key, $engine).unwrap();
        assert_eq!(cipher.engine(), $engine);
        for _ in 0..8 {
            let in_place =
                |counter: &_, width, text: &mut _| cipher.ctr_in_place(counter, width, text);
            let (counter, width, text) = counts(&aes, $dice, &in_place);
            let mut out = vec![0xa5; text.len()];
            assert_eq!(cipher.ctr_into(&counter, width, &text, &mut out), Ok(()));
            assert!(out == ctr(&aes, &counter, width, &text), "between buffers");
            let (got, expected) = (text.len() + 1, text.len());
            let refused = cipher.ctr_into(&counter, width, &text, &mut vec![0; got]);
            assert_eq!(refused, Err(InputError::Output { got, expected }));
        }
        let known = reference::Gcm::new(&key);
        let gmac = Gmac::<$Cipher, $tag>::with_engine(&key, $engine).unwrap();
        assert_eq!(gmac.engine(), $engine);
        for _ in 0..4 {
            let (nonce, data) = ($dice.nonce(), $dice.piece());
            let right = known.seal(&nonce, &data, b"").1;
            assert_eq!(gmac.mac(&nonce, &data).unwrap(), right[..$tag]);
            let (tag, is_right) = $dice.tag(&right[..$tag]);
            let verified = gmac.verify(&nonce, &data, &tag);
            assert_eq!(verified.is_ok(), is_right == Some(true), "{verified:?}");
        }
        12
    }};
}

#[test]
fn c3_counters_and_codes_do_as_the_reference() {
    each(
        "counters and codes",
        |engine, dice| any_key!(run engine dice),
    );
}

#[test]
fn c3_hashes_in_pieces_do_as_the_reference() {
    each("hashes", |engine, dice| {
        let h = *dice.bytes(16).first_chunk().unwrap();
        let mut hash = Ghash::with_engine(&h, engine).unwrap();
        assert_eq!(hash.engine(), engine);
        let (key, mut y) = (Poly::from_block(&h), Poly(0));
        let pieces = dice.below(8);
        for _ in 0..pieces {
            let piece = dice.piece();
            hash.update(&piece);
            let blocks = reference::blocks(&piece);
            y = blocks.fold(y, |y, block| y.add(Poly::from_block(&block)).times(key));
            assert_eq!(hash.clone().finish(), y.to_block());
        }
        pieces
    });
}

/// A counter that is carried through its lower half alone.
#[test]
fn control_c3_a_carry_that_ends_half_way_is_noticed() {
    let aes = Aes::new(&[7; 16]);
    let halved = |counter: &Block, width, text: &mut [u8]| {
        for (n, block) in text.chunks_mut(16).enumerate() {
            let (upper, lower) = (&counter[..8], counter[8..].first_chunk().unwrap());
            let lower = u64::from_be_bytes(*lower).wrapping_add(n as u64);
            let counter = [upper, &lower.to_be_bytes()].concat();
            let out = ctr(&aes, counter.first_chunk().unwrap(), width, block);
            block.copy_from_slice(&out);
        }
    };
    let mut dice = Dice(Random::new(0));
    caught_panic("another text from", || {
        for _ in 0..1000 {
            counts(&aes, &mut dice, &halved);
        }
    });
}
