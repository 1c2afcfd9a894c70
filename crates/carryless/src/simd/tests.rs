//! Every operation of every vector against scalar code, every partial load and store, and the
//! cursor over the text.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test that can't go on has failed; bytes of numbers"
)]

use std::vec;
use std::vec::Vec;

use super::InOut;
use super::partial::{set_short_word, short_word};
use crate::engine::padded;

#[allow(
    dead_code,
    clippy::duplicate_mod,
    reason = "shared with the integration tests"
)]
#[path = "../../tests/harness/reference.rs"]
mod reference;

#[cfg(all(target_arch = "x86_64", carryless_rolled))]
pub(crate) mod key_first;
#[cfg(carryless_fused)]
pub(crate) mod tokens;

/// The carry-less product, by its definition.
pub(crate) fn clmul(a: u64, b: u64) -> u128 {
    (0..64)
        .filter(|i| a >> i & 1 == 1)
        .fold(0, |sum, i| sum ^ u128::from(b) << i)
}

/// The sum of each word of 32 bits.
#[cfg(carryless_fused)]
fn add(a: u128, b: u128) -> u128 {
    let word = |n: u128, i: u32| (n >> (32 * i)) as u32;
    let sum = |i| u128::from(word(a, i).wrapping_add(word(b, i))) << (32 * i);
    sum(0) | sum(1) | sum(2) | sum(3)
}

/// Both words of 64 bits by a function.
#[cfg(carryless_fused)]
fn words(lane: u128, f: impl Fn(u64) -> u64) -> u128 {
    u128::from(f(lane as u64)) | u128::from(f((lane >> 64) as u64)) << 64
}

/// Bytes that look random.
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let step = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    (0..len).map(step).collect()
}

#[test]
fn a_short_word_is_the_bytes_with_zeros_behind_them() {
    for len in 0..8 {
        for seed in 0..20 {
            let data = bytes(seed, len);
            let mut padded = [0; 8];
            padded[..len].copy_from_slice(&data);
            let word = short_word(&data);
            assert_eq!(word, u64::from_le_bytes(padded), "{len} bytes");
            let mut out = [0xa5; 16];
            set_short_word(&mut out[4..4 + len], word);
            assert_eq!(out[4..4 + len], data[..], "{len} bytes");
            let around = out[..4].iter().chain(&out[4 + len..]);
            assert_eq!(around.filter(|byte| **byte == 0xa5).count(), 16 - len);
        }
    }
}

#[test]
fn a_padded_block_is_the_bytes_with_zeros_behind_them() {
    for len in 0..=16 {
        for seed in 0..20 {
            let data = bytes(seed, len);
            let mut expected = [0; 16];
            expected[..len].copy_from_slice(&data);
            assert_eq!(padded(&data), expected, "{len} bytes");
        }
    }
}

#[test]
fn a_cursor_reads_and_writes_what_it_covers() {
    let source = bytes(1, 100);
    let mut target = vec![0; 100];
    assert!(
        InOut::between(&source, &mut target[1..]).is_none(),
        "lengths differ"
    );
    let mut text = InOut::between(&source, &mut target).unwrap();
    assert!(text.split_to(101).is_none());
    assert_eq!(text.len(), 100, "nothing was cut");
    let mut head = text.split_to(30).unwrap();
    assert_eq!((head.len(), text.len()), (30, 70));
    assert_eq!(head.source(), &source[..30]);
    assert_eq!(text.source(), &source[30..]);
    assert_eq!(head.get::<4>(26), source[26..30]);
    head.set(26, &[1, 2, 3, 4]);
    assert_eq!(head.written()[26..], [1, 2, 3, 4]);
    assert_eq!(head.source(), &source[..30], "the source is not the target");
    text.reborrow().into_written().fill(9);
    assert!(!text.is_empty());
    let rest = text.split_to(70).unwrap();
    assert!(text.is_empty());
    assert_eq!(rest.written(), [9; 70]);
    assert_eq!(target[..26], [0; 26]);
    assert_eq!(target[26..30], [1, 2, 3, 4]);
}

#[test]
fn a_cursor_in_place_sees_what_it_wrote() {
    let mut data = [1, 2, 3, 4];
    let mut text = InOut::in_place(&mut data);
    text.set(1, &[7, 8]);
    assert_eq!(text.source(), [1, 7, 8, 4]);
    assert_eq!(text.written(), [1, 7, 8, 4]);
}

#[test]
fn ranges_of_one_buffer_are_equal_or_disjoint() {
    for len in 0..6usize {
        for from in 0..=12usize {
            for to in 0..=12usize {
                let mut data = [0; 12];
                let result = InOut::within(&mut data, from..from + len, to);
                let inside = from + len <= 12 && to + len <= 12;
                let apart = from == to || from.abs_diff(to) >= len;
                assert_eq!(
                    result.is_ok(),
                    inside && apart,
                    "{len} bytes from {from} to {to}"
                );
            }
        }
    }
    #[allow(clippy::reversed_empty_ranges, reason = "what is tested")]
    let reversed = 5..3;
    assert!(InOut::within(&mut [0; 12], reversed, 0).is_err());
    assert!(InOut::within(&mut [0; 12], 0..usize::MAX, 0).is_err());
    assert!(InOut::within(&mut [0; 12], 2..4, usize::MAX).is_err());
}

#[test]
#[should_panic(expected = "store beyond the text")]
fn a_cursor_does_not_write_beyond_its_end() {
    InOut::in_place(&mut [0; 20]).set(17, &[0; 4]);
}

#[cfg(carryless_fused)]
mod vectors;

mod controls {
    use std::println;

    use super::reference::{SBOX, round};

    /// A table that differs in one value shows in the rounds that the tests go through.
    #[test]
    fn control_p5_one_wrong_value_of_the_s_box_is_noticed() {
        let wrong = |state: &[u8; 16], key: &[u8; 16]| {
            // The S-box of 0x53 is 0xed; here it is 0xec. Undo nothing else.
            let mut out = round(state, key, false);
            for (i, byte) in state.iter().enumerate() {
                if *byte == 0x53 {
                    let row = i % 4;
                    let to = (i + 16 - 4 * row) % 16;
                    out[to] ^= SBOX[0x53] ^ 0xec;
                }
            }
            out
        };
        let mut noticed = 0;
        for at in 0..16 {
            for value in 0..=255u8 {
                let mut state = [0; 16];
                state[at] = value;
                noticed += usize::from(wrong(&state, &[0; 16]) != round(&state, &[0; 16], false));
            }
        }
        assert_eq!(noticed, 16, "one value at each position");
        println!("S-box of 0x53: caught: {noticed} rounds differ, one at each position");
    }
}
