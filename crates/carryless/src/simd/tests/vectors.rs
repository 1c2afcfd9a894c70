//! The vectors of the CPU, and those of the test engines, against definitions on bytes and integers.

use std::println;
use std::vec;
use std::vec::Vec;

use super::reference::{Block, inverse_mix_columns, inverse_round, round, xor};
use super::tokens::each_token;
use super::{InOut, add, bytes, clmul, words};
use crate::block::{Counter, Lane};
use crate::simd::{Columns, Simd};

/// The bytes of a vector.
fn out<S: Simd>(s: S, v: S::V) -> Vec<u8> {
    let mut data = vec![0; S::BYTES];
    InOut::in_place(&mut data).store(s, 0, v);
    data
}

/// The lanes as little-endian integers.
fn lanes(data: &[u8]) -> Vec<u128> {
    data.chunks(16)
        .map(|lane| u128::from_le_bytes(lane.try_into().unwrap()))
        .collect()
}

/// Each lane by a function on its integer.
fn same<S: Simd>(s: S, v: S::V, expected: impl FnMut(&u128) -> u128, input: &[u8], what: &str) {
    let expected: Vec<u128> = lanes(input).iter().map(expected).collect();
    assert_eq!(lanes(&out(s, v)), expected, "{what} on {} lanes", S::LANES);
}

fn operations<S: Simd>(_: &str, s: S) {
    for seed in 0..100 {
        let (a, b) = (bytes(seed, S::BYTES), bytes(seed + 1000, S::BYTES));
        let (va, vb) = (s.load(&a, 0), s.load(&b, 0));
        let both: Vec<_> = lanes(&a).into_iter().zip(lanes(&b)).collect();
        let pairs = |v: S::V, f: &dyn Fn(u128, u128) -> u128, what: &str| {
            let expected: Vec<u128> = both.iter().map(|(a, b)| f(*a, *b)).collect();
            assert_eq!(lanes(&out(s, v)), expected, "{what} on {} lanes", S::LANES);
        };
        pairs(s.xor(va, vb), &|a, b| a ^ b, "xor");
        pairs(s.and(va, vb), &|a, b| a & b, "and");
        pairs(s.add(va, vb), &add, "add");
        same(s, s.reverse(va), |lane| lane.swap_bytes(), &a, "reverse");
        same(s, s.swap(va), |lane| lane.rotate_left(64), &a, "swap");
        same(s, s.zero(), |_| 0, &a, "zero");
        for bits in [1, 8, 16, 48, 63] {
            let left = |lane: &u128| words(*lane, |word| word << bits);
            same(s, s.shift_left(va, bits), left, &a, "shift_left");
            let right = |lane: &u128| words(*lane, |word| word >> bits);
            same(s, s.shift_right(va, bits), right, &a, "shift_right");
        }
        same(
            s,
            s.count(seed as u32),
            |_| u128::from(seed as u32),
            &a,
            "count",
        );
        let first = lanes(&a)[0];
        same(
            s,
            s.splat(&Lane(first.to_le_bytes())),
            |_| first,
            &a,
            "splat",
        );
        let words = [first as u64, (first >> 64) as u64];
        same(s, s.splat_words(words), |_| first, &a, "splat_words");
        assert_eq!(s.words(va), words);
        // One lane from all, and all from one.
        let sum = lanes(&a).into_iter().fold(0, |sum, lane| sum ^ lane);
        let narrow = s.narrow();
        assert_eq!(lanes(&out(narrow, s.fold(va))), [sum]);
        let four = [va, vb, s.xor(va, vb), s.zero()];
        let sums = four.map(|v| lanes(&out(narrow, s.fold(v)))[0]);
        assert_eq!(lanes(&out(s, s.fold_each(four))), sums[..S::LANES]);
        let wide = s.widen(narrow.load(&a, 0));
        let mut index = 0;
        same(
            s,
            wide,
            |lane| {
                if core::mem::replace(&mut index, 1) == 0 {
                    *lane
                } else {
                    0
                }
            },
            &a,
            "widen",
        );
        // Rows in memory.
        let mut rows = [Lane([0; 16]); 5];
        s.set_rows(&mut rows, 1, va);
        let stored: Vec<u8> = rows[1..1 + S::LANES].iter().flat_map(|row| row.0).collect();
        assert_eq!(stored, a);
        assert!(rows[0].0 == [0; 16] && rows[1 + S::LANES..].iter().all(|row| row.0 == [0; 16]));
        assert_eq!(out(s, s.rows(&rows, 1)), a);
        // Counters.
        for count in [0, 1, 0xffff_fffe, u32::MAX, 0x7fff_ffff] {
            let mut block: Block = a[..16].try_into().unwrap();
            block[12..].copy_from_slice(&count.to_be_bytes());
            let counters = out(s, s.reverse(s.counters(Counter::from_block(&block))));
            for (i, lane) in counters.chunks(16).enumerate() {
                block[12..].copy_from_slice(&count.wrapping_add(i as u32).to_be_bytes());
                assert_eq!(lane, block, "lane {i} of the counters from {count:#x}");
            }
        }
        // A fence changes nothing.
        let (mut x, mut y) = (va, vb);
        s.order(&mut x, &mut y);
        s.order_memory(&mut x, &mut y);
        assert_eq!((out(s, x), out(s, y)), (a.clone(), b.clone()));
        // Loads and stores at a place.
        let mut data = bytes(seed, S::BYTES + 40);
        assert_eq!(out(s, s.load(&data, 13)), data[13..13 + S::BYTES]);
        let mut text = InOut::in_place(&mut data);
        text.store(s, 17, vb);
        assert_eq!(out(s, text.load(s, 17)), b);
        assert_eq!(out(s, text.load_written(s, 17)), b);
    }
}

#[test]
fn every_operation_on_lanes_is_what_scalar_code_computes() {
    each_token!(operations);
}

fn products<S: Simd>(name: &str, s: S) {
    let mut count = 0;
    for i in 0..128 {
        for j in 0..128 {
            // Another pair in each lane.
            let pair = |lane: usize| (1u128 << ((i + lane) % 128), 1u128 << ((j + 3 * lane) % 128));
            let bytes = |f: &dyn Fn(usize) -> u128| {
                (0..S::LANES)
                    .flat_map(|lane| f(lane).to_le_bytes())
                    .collect::<Vec<u8>>()
            };
            let (a, b) = (bytes(&|lane| pair(lane).0), bytes(&|lane| pair(lane).1));
            let (va, vb) = (s.load(&a, 0), s.load(&b, 0));
            let (low, high) = (|x: u128| x as u64, |x: u128| (x >> 64) as u64);
            let check = |v: S::V, f: &dyn Fn(u128, u128) -> u128, what: &str| {
                let expected: Vec<u128> = (0..S::LANES)
                    .map(|lane| f(pair(lane).0, pair(lane).1))
                    .collect();
                assert_eq!(lanes(&out(s, v)), expected, "{what}, bits {i} and {j}");
            };
            check(
                s.clmul_lo_lo(va, vb),
                &|a, b| clmul(low(a), low(b)),
                "low by low",
            );
            check(
                s.clmul_lo_hi(va, vb),
                &|a, b| clmul(low(a), high(b)),
                "low by high",
            );
            check(
                s.clmul_hi_lo(va, vb),
                &|a, b| clmul(high(a), low(b)),
                "high by low",
            );
            check(
                s.clmul_hi_hi(va, vb),
                &|a, b| clmul(high(a), high(b)),
                "high by high",
            );
            count += 4 * S::LANES;
        }
    }
    println!("P2 {name}: {count} carry-less products");
}

#[test]
fn p2_every_carry_less_product_of_unit_vectors_is_right() {
    each_token!(products);
}

fn rounds<S: Simd>(name: &str, s: S) {
    let mut count = 0;
    for at in 0..16 {
        for value in 0..=255u8 {
            // Another value in each lane.
            let state = |lane: usize| {
                let mut block: Block = core::array::from_fn(|i| (17 * i + 31 * lane) as u8);
                block[at] = value.wrapping_add(lane as u8);
                block
            };
            let keys: [Block; 2] =
                core::array::from_fn(|n| core::array::from_fn(|i| (0x5a + 83 * n) as u8 ^ i as u8));
            let [before, behind] = keys.map(|key| s.splat(&Lane(key)));
            // From the state that has the key before the round, or has it yet to be added.
            let data: Vec<u8> = (0..S::LANES).flat_map(state).collect();
            let v = s.xor(s.load(&data, 0), s.aes_key(s.zero(), before));
            let expected = |mix| {
                (0..S::LANES)
                    .flat_map(|lane| round(&xor(&state(lane), &keys[0]), &keys[1], mix))
                    .collect::<Vec<u8>>()
            };
            let made = s.aes_round(v, s.aes_key(before, behind));
            // What is yet to be added.
            let made = s.xor(made, s.aes_key(behind, s.zero()));
            assert_eq!(out(s, made), expected(true), "byte {at} is {value}");
            let made = s.aes_last(v, before, behind);
            assert_eq!(out(s, made), expected(false), "byte {at} is {value}");
            let undone = |mix| {
                (0..S::LANES)
                    .flat_map(|lane| inverse_round(&xor(&state(lane), &keys[0]), &keys[1], mix))
                    .collect::<Vec<u8>>()
            };
            let made = s.aes_inverse_round(v, s.aes_key(before, behind));
            let made = s.xor(made, s.aes_key(behind, s.zero()));
            assert_eq!(out(s, made), undone(true), "byte {at} is {value}");
            let made = s.aes_inverse_last(v, before, behind);
            assert_eq!(out(s, made), undone(false), "byte {at} is {value}");
            count += 4 * S::LANES;
        }
    }
    println!("P5 {name}: {count} AES rounds");
}

#[test]
fn p5_every_byte_goes_through_the_aes_rounds_rightly() {
    each_token!(rounds);
}

fn together<S: Simd>(_: &str, s: S) {
    for seed in 0..100 {
        let data = bytes(seed, 10 * S::BYTES);
        let v = |i| s.load(&data, i * S::BYTES);
        let (mut states, mut inverse) = ([0, 1, 2, 3, 4].map(v), [0, 1, 2, 3, 4].map(v));
        s.aes_rounds(&mut states, v(5));
        s.aes_inverse_rounds(&mut inverse, v(5));
        for i in 0..5 {
            assert_eq!(out(s, states[i]), out(s, s.aes_round(v(i), v(5))));
            assert_eq!(out(s, inverse[i]), out(s, s.aes_inverse_round(v(i), v(5))));
        }
        let (mut r, mut f, [x, h, d]) = (v(5), v(6), [7, 8, 9].map(v));
        s.add_product(&mut r, &mut f, x, h, d);
        let to_r = s.xor(s.clmul_lo_hi(x, d), s.clmul_hi_hi(x, h));
        let to_f = s.xor(s.clmul_lo_lo(x, d), s.clmul_hi_lo(x, h));
        assert_eq!(out(s, r), out(s, s.xor(v(5), to_r)));
        assert_eq!(out(s, f), out(s, s.xor(v(6), to_f)));
    }
}

#[test]
fn methods_of_several_instructions_are_those_of_one_each() {
    each_token!(together);
}

fn columns<S: Simd>(_: &str, s: S) {
    let s = s.narrow();
    for seed in 0..100 {
        let data = bytes(seed, 16);
        let column: Vec<u32> = data
            .chunks(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        let v = s.load(&data, 0);
        let read = |v| {
            out(s, v)
                .chunks(4)
                .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
                .collect::<Vec<_>>()
        };
        let mut sum = 0;
        let sums: Vec<u32> = column
            .iter()
            .map(|word| {
                sum ^= word;
                sum
            })
            .collect();
        assert_eq!(read(s.prefix_xor_columns(v)), sums);
        let block: Block = data[..].try_into().unwrap();
        assert_eq!(
            out(s, s.inverse_mix_columns(v)),
            inverse_mix_columns(&block)
        );
        assert_eq!(read(s.splat_last_column(v)), [column[3]; 4]);
        // RotWord moves the first byte, the lowest, to the end.
        assert_eq!(
            read(s.rotate_last_column(v)),
            [column[3].rotate_right(8); 4]
        );
        assert_eq!(
            read(s.rotate_second_column(v)),
            [column[1].rotate_right(8); 4]
        );
    }
}

#[test]
fn the_columns_of_a_key_schedule_are_moved_rightly() {
    each_token!(columns);
}

fn partial<S: Simd>(_: &str, s: S) {
    let s = s.narrow();
    for (len, seed) in (0..=16).flat_map(|len| (0..20).map(move |seed| (len, seed))) {
        let data = bytes(seed, len);
        let mut padded = data.clone();
        padded.resize(16, 0);
        let v = s.load_partial(&data);
        assert_eq!(out(s, v), padded, "{len} bytes");
        stores_only(&data, |text| s.store_partial(text, v));
    }
}

/// What `store` writes is the text, and nothing around it.
fn stores_only(data: &[u8], store: impl FnOnce(InOut<'_>)) {
    let len = data.len();
    let mut target = vec![0xa5; len + 32];
    store(InOut::between(data, &mut target[16..16 + len]).unwrap());
    assert_eq!(target[16..16 + len], *data, "{len} bytes stored");
    let around = target[..16].iter().chain(&target[16 + len..]);
    assert_eq!(around.filter(|byte| **byte == 0xa5).count(), 32);
}

#[test]
fn a_last_block_of_any_length_is_loaded_and_stored() {
    each_token!(partial);
}

fn first<S: Simd>(_: &str, s: S) {
    let whole = bytes(7, 2 * S::BYTES);
    let all = s.load(&whole, S::BYTES);
    for len in 0..=S::BYTES {
        let mut padded = whole[S::BYTES..][..len].to_vec();
        padded.resize(S::BYTES, 0);
        assert_eq!(out(s, s.keep_first(all, len)), padded, "{len} bytes kept");
        let (data, text) = (whole[S::BYTES..][..len].to_vec(), all);
        assert_eq!(out(s, s.load_first(&data)), padded, "{len} bytes loaded");
        stores_only(&data, |to| s.store_first(to, text));
        for from in [0, S::BYTES] {
            if len == 0 && from == 0 {
                continue;
            }
            // On the heap, so that Miri and the sanitizers see what is read around it.
            let (data, at) = (
                whole[from..][..S::BYTES - from + len].to_vec(),
                S::BYTES - from,
            );
            let v = s.load_last(&data);
            assert_eq!(out(s, v), padded, "{len} bytes loaded behind {at}");
            if len > 0 {
                stores_only(&data, |mut text| {
                    if at > 0 {
                        text.store(s, 0, s.load(&data, 0));
                    }
                    s.store_last(text, all);
                });
            }
        }
        if len <= 16 {
            assert_eq!(
                out(s.narrow(), s.load_block(&whole[S::BYTES..][..len])),
                padded[..16],
                "{len} bytes of a lane"
            );
        }
    }
    // Two bits for a lane: whichever of them, for whichever of its bits.
    assert_eq!(s.nonzero_lanes(s.zero()), 0);
    for at in 0..8 * S::BYTES {
        let mut one = [0; 64];
        one[at / 8] = 1 << (at % 8);
        let bits = s.nonzero_lanes(s.load(&one, 0));
        assert_eq!((bits >> (2 * (at / 128))) & !0b11, 0, "bit {at}");
        assert!(
            bits != 0 && bits.trailing_zeros() as usize / 2 == at / 128,
            "bit {at}"
        );
    }
}

#[test]
fn the_first_bytes_of_a_vector_are_loaded_and_stored() {
    each_token!(first);
}
