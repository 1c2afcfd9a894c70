//! P5 on the kernels: the key schedule, and AES on blocks, against FIPS 197.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test that can't go on has failed; bytes of numbers"
)]
#![cfg(carryless_fused)]

use std::format;
use std::println;
use std::string::String;
use std::vec::Vec;

use super::TURN;
use super::aes::{self, RoundKeys};
use super::counters::{Cached, FirstRounds, GROUP, Starts};
use super::schedule;
use crate::block::{Block, Counter, Lane};
use crate::simd::tests::tokens::each_token;
use crate::simd::{InOut, Simd};

#[allow(
    dead_code,
    clippy::duplicate_mod,
    reason = "shared with the integration tests"
)]
#[path = "../../tests/harness/reference.rs"]
mod reference;

use self::reference::{Aes, round};

mod counts;
mod refused;
mod rest;

/// A key schedule: a key in, round keys out.
type Schedule<'s> = &'s dyn Fn(&[u8]) -> Vec<Block>;

/// Every byte value at every position of a key of each size.
fn expands(schedule: Schedule<'_>) -> Result<usize, String> {
    let mut count = 0;
    for len in [16, 24, 32] {
        for at in 0..len {
            for value in 0..=255 {
                let mut key: Vec<u8> = (0..len as u8).map(|i| i.wrapping_mul(29) ^ 0x35).collect();
                key[at] = value;
                let (got, expected) = (schedule(&key), Aes::new(&key).round_keys);
                if got != expected {
                    return Err(format!("key of {len} bytes, byte {at} is {value:#x}"));
                }
                count += 1;
            }
        }
    }
    Ok(count)
}

fn expand<S: Simd>(s: S) -> impl Fn(&[u8]) -> Vec<Block> {
    fn rows<S: Simd>(keys: &RoundKeys) -> Vec<Block> {
        keys.rows::<S>().map(|row| row.0).collect()
    }
    move |key| match key.len() {
        16 => rows::<S>(&schedule::expand::<S, 11, 16>(s, key.try_into().unwrap())),
        24 => rows::<S>(&schedule::expand::<S, 13, 24>(s, key.try_into().unwrap())),
        _ => rows::<S>(&schedule::expand::<S, 15, 32>(s, key.try_into().unwrap())),
    }
}

#[test]
fn p5_the_key_schedule_is_right_for_every_byte_at_every_position() {
    fn test<S: Simd>(name: &str, s: S) {
        let count = expands(&expand(s)).unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("P5 {name}: {count} keys expanded");
    }
    each_token!(test);
}

/// The example of FIPS 197 appendix A and B.
#[test]
fn the_key_of_fips_197_is_expanded_as_printed() {
    fn test<S: Simd>(name: &str, s: S) {
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
        let last = 0xd014_f9a8_c9ee_2589_e13f_0cc8_b663_0ca6_u128.to_be_bytes();
        assert_eq!(expand(s)(&key)[10], last, "{name}");
        let keys = schedule::expand::<S, 11, 16>(s, &key);
        let mut text = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes();
        aes::blocks(s, &keys, InOut::in_place(&mut text));
        assert_eq!(
            text,
            0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes(),
            "{name}"
        );
    }
    each_token!(test);
}

/// One middle round and the last, on some blocks at once: a cipher of three round keys.
type Rounds<'r> = &'r dyn Fn(&[Block; 3], &mut [u8]);

/// Every byte value at every position of a block, in every place of a batch.
fn substitutes(rounds: Rounds<'_>) -> Result<usize, String> {
    // More than two batches of eight vectors of two lanes.
    const BLOCKS: usize = 37;
    let keys: [Block; 3] =
        core::array::from_fn(|r| core::array::from_fn(|i| (r * 83 + i * 7) as u8));
    let mut count = 0;
    for at in 0..16 {
        for value in 0..=255u8 {
            let block = |n: usize| {
                let mut block: Block = core::array::from_fn(|i| (i * 11 + n * 3) as u8);
                block[at] = value.wrapping_add(n as u8);
                block
            };
            let mut data: Vec<u8> = (0..BLOCKS).flat_map(block).collect();
            rounds(&keys, &mut data);
            for (n, got) in data.chunks(16).enumerate() {
                let state = round(&reference::xor(&block(n), &keys[0]), &keys[1], true);
                if got != round(&state, &keys[2], false) {
                    return Err(format!("block {n}, byte {at} is {:#x}", block(n)[at]));
                }
                count += 1;
            }
        }
    }
    Ok(count)
}

/// Three round keys: one round between the first and the last.
#[derive(Clone, Copy)]
struct Three([Lane; 3]);

impl Three {
    fn new(keys: &[Block; 3]) -> Self {
        Self(keys.map(Lane))
    }
}

impl aes::Schedule for Three {
    const COMMON: usize = 1;
    const SPARE: usize = 0;

    fn hidden(self) -> Self {
        self
    }
    fn first<S: Simd>(self, s: S) -> S::V {
        s.splat(&self.0[0])
    }
    fn second<S: Simd>(self, s: S) -> S::V {
        s.splat(&self.0[1])
    }
    fn spare_key<S: Simd>(self, _: S, i: usize) -> S::V {
        panic!("spare key {i}")
    }
    fn spare(self) -> usize {
        0
    }
    fn key<S: Simd>(self, s: S, r: usize) -> S::V {
        s.aes_key(s.splat(&self.0[r - 1]), s.splat(&self.0[r]))
    }
    fn last<S: Simd>(self, s: S) -> [S::V; 2] {
        [s.splat(&self.0[1]), s.splat(&self.0[2])]
    }
}

/// The state in each lane that `block`, encrypted so far but for `key`, is between two rounds.
fn state_of<S: Simd>(s: S, block: &Block, key: &Block) -> Block {
    let [low, high] = s
        .narrow()
        .words(s.lane(s.aes_key(s.zero(), s.splat(&Lane(*key))), 0));
    reference::xor(
        block,
        &(u128::from(high) << 64 | u128::from(low)).to_le_bytes(),
    )
}

fn two_rounds<S: Simd>(s: S) -> impl Fn(&[Block; 3], &mut [u8]) {
    move |keys, data| aes::whole_blocks(s, Three::new(keys), InOut::in_place(data))
}

#[test]
fn p5_two_rounds_are_right_for_every_byte_at_every_position_of_every_block() {
    fn test<S: Simd>(name: &str, s: S) {
        let count = substitutes(&two_rounds(s)).unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("P5 {name}: {count} blocks through two rounds");
    }
    each_token!(test);
}

/// The blocks of turns that begin behind the first round, over three groups, from counters before and behind a carry.
fn turns_begin<S: Simd>(s: S, spoil: impl Fn(&mut FirstRounds)) -> Result<usize, String> {
    let keys: [Block; 3] =
        core::array::from_fn(|r| core::array::from_fn(|i| (r * 59 + i * 31) as u8));
    let enc = Three::new(&keys);
    let mut rows = FirstRounds::default();
    rows.set(s, enc);
    spoil(&mut rows);
    let turn = TURN * S::LANES;
    let j0 = Counter::from_nonce(&core::array::from_fn(|i| 0xf0 | i as u8));
    let mut count = 0;
    let groups = GROUP as u32;
    for start in [0, groups - turn as u32, groups, 0x00ff_ff00, 0xffff_fd00] {
        let mut cached = Cached::<S>::new(s, enc, &rows, j0.with_count(start + 1));
        for at in (0..3 * GROUP).step_by(turn) {
            let states: [S::V; TURN] = cached.next(s, enc);
            for (i, state) in states.into_iter().enumerate() {
                let mut got = [Lane([0; 16]); 4];
                s.set_rows(&mut got, 0, state);
                for (lane, got) in got[..S::LANES].iter().enumerate() {
                    let step = (at + i * S::LANES + lane + 2) as u32;
                    let block = j0.with_count(start.wrapping_add(step)).to_block();
                    let right = round(&reference::xor(&block, &keys[0]), &[0; 16], true);
                    if got.0 != state_of(s, &right, &keys[1]) {
                        return Err(format!("block {step} from counter {start:#x} on"));
                    }
                    count += 1;
                }
            }
        }
    }
    Ok(count)
}

#[test]
fn turns_begin_behind_the_first_round_of_their_counter_blocks() {
    fn test<S: Simd>(name: &str, s: S) {
        let count = turns_begin(s, |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("{name}: {count} counter blocks behind their first round");
    }
    each_token!(test);
}

mod controls {
    use super::*;

    /// Round keys as a kernel has them that knows one way alone: that a round adds the key before it, or that behind.
    #[derive(Clone, Copy)]
    struct OneWay<const KEY_FIRST: bool>(Three);

    impl<const KEY_FIRST: bool> aes::Schedule for OneWay<KEY_FIRST> {
        const COMMON: usize = 1;
        const SPARE: usize = 0;

        fn hidden(self) -> Self {
            self
        }
        fn first<S: Simd>(self, s: S) -> S::V {
            self.0.first(s)
        }
        fn second<S: Simd>(self, s: S) -> S::V {
            self.0.second(s)
        }
        fn spare_key<S: Simd>(self, s: S, i: usize) -> S::V {
            self.0.spare_key(s, i)
        }
        fn spare(self) -> usize {
            0
        }
        fn key<S: Simd>(self, s: S, _: usize) -> S::V {
            if KEY_FIRST {
                self.first(s)
            } else {
                self.second(s)
            }
        }
        fn last<S: Simd>(self, s: S) -> [S::V; 2] {
            self.0.last(s)
        }
        fn start<S: Simd>(self, s: S) -> S::V {
            if KEY_FIRST { s.zero() } else { self.first(s) }
        }
    }

    #[test]
    fn control_p5_a_kernel_that_knows_one_way_is_noticed() {
        fn way<S: Simd, const KEY_FIRST: bool>(name: &str, s: S) {
            let made = substitutes(&|keys, data| {
                let keys = OneWay::<KEY_FIRST>(Three::new(keys));
                aes::whole_blocks(s, keys, InOut::in_place(data));
            });
            assert_eq!(made.is_err(), S::KEY_FIRST != KEY_FIRST, "{name}");
            if let Err(error) = made {
                println!("{name}: caught: {error}");
            }
        }
        fn test<S: Simd>(name: &str, s: S) {
            way::<_, true>(name, s);
            way::<_, false>(name, s);
        }
        each_token!(test);
    }

    #[test]
    fn control_each_row_of_the_first_rounds_is_noticed() {
        fn test<S: Simd>(name: &str, s: S) {
            for row in 0..GROUP {
                let error = turns_begin(s, |rows| rows.0[row].0[2] ^= 1).expect_err("a wrong row");
                if row % 100 == 0 {
                    println!("{name}: caught: row {row}: {error}");
                }
            }
        }
        each_token!(test);
    }

    #[test]
    fn control_p5_a_wrong_round_constant_and_a_lost_rotation_are_noticed() {
        let right = |key: &[u8]| Aes::new(key).round_keys;
        assert!(expands(&right).is_ok());
        let constant = |key: &[u8]| {
            let mut keys = right(key);
            keys[10][0] ^= 1;
            keys
        };
        println!(
            "caught: {}",
            expands(&constant).expect_err("a wrong constant")
        );
        // Without RotWord: wrong unless the bytes of the word are equal.
        let rotation = |key: &[u8]| {
            let mut keys = right(key);
            if key.len() == 24 {
                keys[2].rotate_left(1);
            }
            keys
        };
        println!(
            "caught: {}",
            expands(&rotation).expect_err("a lost rotation")
        );
    }

    #[test]
    fn control_p5_one_wrong_value_in_one_lane_is_noticed() {
        fn test<S: Simd>(name: &str, s: S) {
            let rounds = two_rounds(s);
            let wrong = |keys: &[Block; 3], data: &mut [u8]| {
                // As an S-box that is wrong for one value in the block before the last.
                let hit = data[35 * 16 + 5] == 0x53;
                rounds(keys, data);
                data[35 * 16 + 5] ^= u8::from(hit);
            };
            println!(
                "{name}: caught: {}",
                substitutes(&wrong).expect_err("a wrong value")
            );
        }
        each_token!(test);
    }
}
