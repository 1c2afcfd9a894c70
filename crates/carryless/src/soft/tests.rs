//! The fixsliced AES against a model in bytes, itself checked against FIPS 197.

use std::string::String;
use std::vec::Vec;
use std::{format, println};

#[cfg(carryless_a64)]
use super::Neon;
use super::aes::mix_columns;
use super::inverse::inverse_mix_columns;
use super::sbox::{NEGATED, inverse_sub_bytes, sub_bytes};
use super::{Enc, Form, HashKey, Soft32, Soft32Narrow, Soft64, Soft64Words, Word};
use crate::block::{Block, Counter};
use crate::simd::{InOut, MAX_BLOCKS, Planes};

mod counters;
mod model;

pub(super) fn sbox_table() -> [u8; 256] {
    core::array::from_fn(|i| model::sbox(u8::try_from(i).expect("below 256")))
}

/// Bytes without a pattern, the same in each run (splitmix64).
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31).to_le_bytes()
    };
    (0..len.div_ceil(8))
        .flat_map(|_| next())
        .take(len)
        .collect()
}

/// Calls the test for every form with the name of its engine.
macro_rules! each_form {
    ($test:ident) => {{
        $test::<Soft64>("soft64");
        $test::<Soft64Words>("soft64:words");
        $test::<Soft32>("soft32");
        $test::<Soft32Narrow>("soft32:narrow");
        #[cfg(carryless_a64)]
        $test::<Neon>("neon");
    }};
}

use each_form;

/// Whether `circuit` makes `right` pairs of all 256 values and what comes out, in every lane and position.
fn holds_everywhere<P: Planes>(
    circuit: impl Fn([P; 8]) -> [P; 8],
    right: impl Fn(u8, u8) -> bool,
) -> bool {
    (0..=255u8).all(|first| {
        let value =
            |b: usize, i: usize| first.wrapping_add(u8::try_from(16 * b + i).expect("128 bytes"));
        let mut blocks = core::array::from_fn(|b| core::array::from_fn(|i| value(b, i)));
        P::unpack(circuit(P::pack(&blocks)), &mut blocks);
        (0..P::BLOCKS).all(|b| (0..16).all(|i| right(value(b, i), blocks[b][i])))
    })
}

/// Whether `circuit` is the S-box, but for its NOTs.
fn is_the_sbox<P: Planes>(circuit: impl Fn([P; 8]) -> [P; 8]) -> bool {
    let table = sbox_table();
    holds_everywhere(circuit, |from, to| to ^ NEGATED == table[usize::from(from)])
}

/// Whether it is the inverse of the S-box, behind its NOTs.
fn is_the_inverse<P: Planes>(circuit: impl Fn([P; 8]) -> [P; 8]) -> bool {
    let table = sbox_table();
    holds_everywhere(circuit, |from, to| from ^ NEGATED == table[usize::from(to)])
}

#[test]
fn p5_the_circuits_are_the_sbox_and_its_inverse_on_every_value_in_every_lane() {
    fn test<F: Form>(name: &str) {
        let lanes = 16 * F::Planes::BLOCKS;
        assert!(is_the_sbox::<F::Planes>(sub_bytes), "{name}");
        assert!(is_the_inverse::<F::Planes>(inverse_sub_bytes), "{name}");
        println!(
            "P5 {name}: {} values through the S-box in every lane, and as many back",
            256 * lanes
        );
    }
    assert_eq!(
        (model::sbox(0), model::sbox(0x53)),
        (0x63, 0xed),
        "the model, FIPS 197 section 5.1.1"
    );
    each_form!(test);
}

#[test]
fn control_p5_a_faulty_circuit() {
    for plane in 0..8 {
        // One bit of one lane at one position.
        let flip = |mut planes: [u64; 8]| {
            planes[plane] ^= 1 << 37;
            planes
        };
        let swap = |mut planes: [u32; 8]| {
            planes.swap(plane, (plane + 1) % 8);
            planes
        };
        assert!(!is_the_sbox::<u64>(|planes| sub_bytes(flip(planes))));
        assert!(!is_the_sbox::<u32>(|planes| swap(sub_bytes(planes))));
        assert!(!is_the_inverse::<u64>(|planes| inverse_sub_bytes(flip(
            planes
        ))));
        assert!(!is_the_inverse::<u32>(|planes| swap(inverse_sub_bytes(
            planes
        ))));
    }
    println!("one bit of one lane, two planes swapped: caught: a value in some lane");
}

/// The block with row `r` moved `skew * r` columns to the right.
fn skewed(block: Block, skew: usize) -> Block {
    core::array::from_fn(|i| block[(i + 16 - 4 * (skew * (i % 4) % 4)) % 16])
}

/// Whether `circuit` makes of each column what `right` does, on a state with this skew: on every unit vector, in every lane, thus
/// on all inputs, as it is linear.
fn mixes<P: Planes>(
    skew: u32,
    circuit: impl Fn([P; 8]) -> [P; 8],
    right: impl Fn(Block) -> Block,
) -> Result<usize, String> {
    let skew = skew as usize;
    for at in 0..16 {
        for bit in 0..8 {
            let unit: Block = core::array::from_fn(|i| u8::from(i == at) << bit);
            let (from, to) = (skewed(unit, skew), skewed(right(unit), skew));
            for lane in 0..P::BLOCKS {
                let [mut blocks, mut expected] = [[[0; 16]; MAX_BLOCKS]; 2];
                (blocks[lane], expected[lane]) = (from, to);
                P::unpack(circuit(P::pack(&blocks)), &mut blocks);
                if blocks != expected {
                    return Err(format!("skew {skew}, byte {at}, bit {bit}, lane {lane}"));
                }
            }
        }
    }
    Ok(128 * P::BLOCKS)
}

/// MixColumns and its inverse in one layout.
fn mixes_both_ways<P: Planes, const SKEW: u32, const TWICE: u32>() -> Result<usize, String> {
    let there = mixes(SKEW, mix_columns::<P, SKEW, TWICE>, model::mix_columns)?;
    let back = inverse_mix_columns::<P, SKEW, TWICE>;
    Ok(there + mixes(SKEW, back, model::inverse_mix_columns)?)
}

/// The same in all four.
fn mixes_in_every_layout<P: Planes>() -> Result<usize, String> {
    Ok(mixes_both_ways::<P, 0, 0>()?
        + mixes_both_ways::<P, 1, 2>()?
        + mixes_both_ways::<P, 2, 0>()?
        + mixes_both_ways::<P, 3, 2>()?)
}

#[test]
fn p5_columns_are_mixed_rightly_in_every_layout_both_ways() {
    fn test<F: Form>(name: &str) {
        let count = mixes_in_every_layout::<F::Planes>();
        let count = count.unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("P5 {name}: {count} unit vectors through MixColumns and its inverse");
    }
    each_form!(test);
}

#[test]
fn control_p5_columns_by_another_matrix_or_in_another_layout() {
    fn test<P: Planes>() {
        let back = inverse_mix_columns::<P, 0, 0>;
        for result in [
            mixes(0, mix_columns::<P, 0, 0>, model::inverse_mix_columns),
            mixes(0, back, model::mix_columns),
            mixes(2, back, model::inverse_mix_columns),
            // A sum of rows that are one layout on.
            mixes(
                1,
                inverse_mix_columns::<P, 1, 0>,
                model::inverse_mix_columns,
            ),
        ] {
            println!("caught: {}", result.expect_err("a fault"));
        }
    }
    test::<u32>();
    test::<u64>();
}

/// The bytes of the round keys that `keys` stands for.
fn decode<W: Word, const K: usize>(keys: &Enc<W, K>) -> Vec<Block> {
    let decode_one = |(round, key): (usize, &W::Key)| {
        let mut blocks = [[0; 16]; MAX_BLOCKS];
        W::unpack(W::spread(key), &mut blocks);
        assert!(
            blocks[..W::BLOCKS].iter().all(|block| *block == blocks[0]),
            "the same in all lanes"
        );
        let negated = if round == 0 { 0 } else { NEGATED };
        let skew = round + 4 * K - (K - 1);
        core::array::from_fn(|i| blocks[0][(i + 4 * skew * (i % 4)) % 16] ^ negated)
    };
    keys.0.iter().enumerate().map(decode_one).collect()
}

fn schedule_is_right<W: Word, const K: usize>(example: &str, last_word: &str) -> usize {
    let table = sbox_table();
    let key = hex::decode(example).expect("hexadecimal");
    let expected = model::round_keys(&key, &table);
    assert_eq!(
        hex::encode(&expected[K - 1][12..]),
        last_word,
        "the model, FIPS 197 appendix A"
    );
    assert_eq!(decode(&Enc::<W, K>::new(&key)), expected);
    for seed in 0..50 {
        let key = bytes(seed, 4 * (K - 7));
        assert_eq!(
            decode(&Enc::<W, K>::new(&key)),
            model::round_keys(&key, &table),
            "seed {seed}"
        );
    }
    for at in 0..key.len() {
        for value in 0..=255 {
            let mut key = key.clone();
            key[at] = value;
            assert_eq!(
                decode(&Enc::<W, K>::new(&key)),
                model::round_keys(&key, &table),
                "byte {at} is {value}"
            );
        }
    }
    51 + 256 * key.len()
}

#[test]
fn p5_round_keys_are_those_of_fips_197() {
    fn test<F: Form>(name: &str) {
        let count =
            schedule_is_right::<F::Word, 11>("2b7e151628aed2a6abf7158809cf4f3c", "b6630ca6")
                + schedule_is_right::<F::Word, 13>(
                    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
                    "01002202",
                )
                + schedule_is_right::<F::Word, 15>(
                    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                    "706c631e",
                );
        println!("P5 {name}: {count} key schedules");
    }
    each_form!(test);
}

#[test]
#[should_panic(expected = "a key of 15 bytes")]
fn a_key_of_the_wrong_length_is_refused() {
    let _ = Enc::<u32, 11>::new(&[0; 15]);
}

/// Encrypts `count` blocks, that of FIPS 197 appendix C at `at`, others elsewhere.
fn lane<F: Form, const K: usize>(count: usize, at: usize) -> Block {
    let key: Vec<u8> = (0..).take(4 * (K - 7)).collect();
    let mut blocks: Vec<Block> = bytes(at as u64, 16 * count).as_chunks().0.to_vec();
    blocks[at] = core::array::from_fn(|i| u8::try_from(0x11 * i).expect("a byte"));
    Enc::<F::Word, K>::new(&key).encrypt::<F>(InOut::in_place(blocks.as_flattened_mut()));
    blocks[at]
}

fn fips_197<F: Form>(_: &str) {
    for count in 1..=2 * MAX_BLOCKS + 1 {
        for at in 0..count {
            assert_eq!(
                hex::encode(lane::<F, 11>(count, at)),
                "69c4e0d86a7b0430d8cdb78070b4c55a",
                "block {at} of {count}"
            );
            assert_eq!(
                hex::encode(lane::<F, 13>(count, at)),
                "dda97ca4864cdfe06eaf70a0ec0d7191",
                "block {at} of {count}"
            );
            assert_eq!(
                hex::encode(lane::<F, 15>(count, at)),
                "8ea2b7ca516745bfeafc49904b496089",
                "block {at} of {count}"
            );
        }
    }
}

#[test]
fn every_lane_encrypts_the_examples_of_fips_197() {
    each_form!(fips_197);
}

fn encrypts_like_the_model<F: Form, const K: usize>() {
    let table = sbox_table();
    for seed in 0..20 {
        let key = bytes(seed, 4 * (K - 7));
        // The three bytes beyond the last block stay as they are.
        let plain = bytes(seed + 1000, 16 * MAX_BLOCKS + 3);
        let mut text = plain.clone();
        let keys = Enc::<F::Word, K>::new(&key);
        keys.clone().encrypt::<F>(InOut::in_place(&mut text));
        let model_keys = model::round_keys(&key, &table);
        let (blocks, rest) = plain.as_chunks::<16>();
        let mut expected: Vec<u8> = blocks
            .iter()
            .flat_map(|b| model::encrypt(&model_keys, *b, &table))
            .collect();
        expected.extend(rest);
        assert_eq!(text, expected, "seed {seed}");
        // Control: one bit of any plane of any round key matters.
        if seed == 0 {
            for round in 0..K {
                for plane in 0..8 {
                    let mut faulty = keys.clone();
                    let mut planes = F::Word::spread(&faulty.0[round]);
                    planes[plane] = planes[plane].xor(F::Word::slice([1, 0, 0, 0])[0]);
                    faulty.0[round] = F::Word::keep(planes);
                    let mut text = plain.clone();
                    faulty.encrypt::<F>(InOut::in_place(&mut text));
                    assert_ne!(text, expected, "round {round}, plane {plane}");
                }
            }
        }
    }
}

#[test]
fn random_blocks_are_encrypted_like_the_model() {
    fn test<F: Form>(_: &str) {
        encrypts_like_the_model::<F, 11>();
        encrypts_like_the_model::<F, 13>();
        encrypts_like_the_model::<F, 15>();
    }
    each_form!(test);
}

/// The sizes that keys add up from: of the portable engines the largest is that of `soft64`, of all on AArch64 that of `neon`.
#[test]
fn keys_stay_small() {
    fn sizes<F: Form>() -> (usize, usize) {
        (
            size_of::<Enc<F::Word, 15>>(),
            size_of::<HashKey<F::Multiplier>>(),
        )
    }
    assert_eq!(sizes::<Soft64>(), (240, 1248));
    assert_eq!(sizes::<Soft64Words>(), (240, 1248));
    assert_eq!(sizes::<Soft32>(), (480, 1296));
    assert_eq!(sizes::<Soft32Narrow>(), (480, 1296));
    #[cfg(carryless_a64)]
    assert_eq!(sizes::<Neon>(), (1920, 2304));
}
