//! P1 on the reduction as the kernels have it, and the table of powers against the field.
//!
//! In the integer `S` of an element the top bit is the coefficient of `x^0`: the reduction's
//! `R + F x^-64`, which counts from the other end, is `R + F x^64` in the field.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test that can't go on has failed; bytes of numbers"
)]

use std::format;
use std::println;
use std::string::String;
use std::vec::Vec;

#[cfg(target_arch = "x86_64")]
use super::POWERS;
use super::{Powers, Sum};
use crate::block::Lane;
use crate::field;
use crate::simd::Simd;
#[cfg(target_arch = "x86_64")]
use crate::simd::{
    Missing,
    x86_64::{Aesni, Avx, Vaes256, Vaes512},
};

/// `x^n` as the integer `S`.
const fn x_to(n: u32) -> u128 {
    1 << (127 - n)
}

/// `r + f x^64`, by long division: 64 shifts, each taking out the modulus.
fn divided(r: u128, f: u128) -> u128 {
    let shift = |v: u128| (v >> 1) ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
    r ^ (0..64).fold(f, |v, _| shift(v))
}

/// Lanes of different values in turn, so that none can stand for its neighbour.
fn lanes<S: Simd>(s: S, first: u128, second: u128) -> S::V {
    let rows = [first, second, first, second].map(|lane| Lane(lane.to_le_bytes()));
    s.rows(&rows, 0)
}

fn read<S: Simd>(s: S, v: S::V) -> Vec<u128> {
    let mut rows = [Lane([0; 16]); 4];
    s.set_rows(&mut rows, 0, v);
    rows[..S::LANES]
        .iter()
        .map(|row| u128::from_le_bytes(row.0))
        .collect()
}

/// What is to be proved of a reduction: of a function of `R` and `F` of each lane.
fn reduces(reduce: &dyn Fn([(u128, u128); 2]) -> Vec<u128>) -> Result<(usize, usize), String> {
    let units = || {
        (0..128)
            .map(|i| (1u128 << i, 0))
            .chain((0..128).map(|i| (0, 1u128 << i)))
    };
    let all: Vec<(u128, u128)> = units().collect();
    let of = |input: [(u128, u128); 2]| -> Result<u128, String> {
        let result = reduce(input);
        for ((r, f), lane) in input.into_iter().cycle().zip(&result) {
            if *lane != divided(r, f) {
                return Err(format!(
                    "R = {r:#x}, F = {f:#x} give {lane:#x}, not {:#x}",
                    divided(r, f)
                ));
            }
        }
        Ok(result[0])
    };
    for (i, unit) in all.iter().enumerate() {
        of([*unit, all[(i + 100) % 256]])?;
    }
    let linear = |a: (u128, u128), b: (u128, u128)| -> Result<(), String> {
        let sum = (a.0 ^ b.0, a.1 ^ b.1);
        let (of_a, of_b) = (reduce([a, b])[0], reduce([b, a])[0]);
        let of_sum = reduce([sum, a])[0];
        if of_sum == of_a ^ of_b {
            Ok(())
        } else {
            Err(format!("not linear for {a:x?} and {b:x?}"))
        }
    };
    let mut pairs = 0;
    for i in 0..256 {
        for j in 0..i {
            linear(all[i], all[j])?;
            pairs += 1;
        }
    }
    let mut state = 1u128;
    let mut word = || {
        state = state
            .wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645)
            .wrapping_add(99);
        state ^ state >> 64
    };
    for _ in 0..100_000 {
        linear((word(), word()), (word(), word()))?;
        pairs += 1;
    }
    Ok((256, pairs))
}

fn reduction<S: Simd>(s: S) -> impl Fn([(u128, u128); 2]) -> Vec<u128> {
    move |[a, b]| {
        let sum = Sum {
            r: lanes(s, a.0, b.0),
            f: lanes(s, a.1, b.1),
        };
        read(s, sum.reduce(s))
    }
}

/// Runs the test for each token that this CPU gives.
#[cfg(target_arch = "x86_64")]
macro_rules! each_token {
    ($test:ident) => {{
        fn with<S: Simd>(name: &str, token: Result<S, Missing>, test: impl Fn(&str, S)) {
            match token {
                Ok(s) => test(name, s),
                Err(missing) => println!("{name}: not run: {missing}"),
            }
        }
        with("aesni", Aesni::detect(), $test);
        with("avx", Avx::detect(), $test);
        with("vaes256", Vaes256::detect(), $test);
        with("vaes512", Vaes512::detect(), $test);
    }};
}

#[cfg(target_arch = "x86_64")]
#[test]
fn p1_the_reduction_is_long_division_and_linear() {
    fn test<S: Simd>(name: &str, s: S) {
        let (units, pairs) =
            reduces(&reduction(s)).unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("P1 {name}: {units} unit vectors reduced");
        println!("P1 {name}: {pairs} sums for linearity");
    }
    each_token!(test);
}

/// Hash keys that matter: the ends, one-bit values, and some that look random.
fn keys() -> Vec<u128> {
    let mut keys: Vec<u128> = (0..128).map(|i| 1 << i).collect();
    keys.extend([0, u128::MAX, u128::MAX << 64, u128::MAX >> 64]);
    keys.extend((1..60).map(|i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)));
    keys
}

/// Whether the table holds the powers of `h`, twisted, and each beside it times `x^64`.
fn holds_the_powers<const P: usize>(powers: &Powers<P>, h: u128) -> Result<usize, String> {
    let mut power = x_to(0);
    for n in 1..=P {
        power = field::multiply(power, h);
        let [stored, shifted] =
            [&powers.h, &powers.d].map(|rows| u128::from_le_bytes(rows[P - n].0));
        if stored != field::twist(power) {
            return Err(format!("H = {h:#x}: power {n} is {stored:#x}"));
        }
        if shifted != field::multiply(stored, x_to(64)) {
            return Err(format!("H = {h:#x}: shifted power {n} is {shifted:#x}"));
        }
    }
    Ok(2 * P)
}

#[cfg(target_arch = "x86_64")]
#[test]
fn p3_the_table_holds_the_powers_of_the_key() {
    fn test<S: Simd>(name: &str, s: S) {
        let short = |h: u128| holds_the_powers(&Powers::<POWERS>::new(s, &h.to_be_bytes()), h);
        let long = |h: u128| holds_the_powers(&Powers::<32>::new(s, &h.to_be_bytes()), h);
        let check = |h: u128| {
            // Four powers at once are for four lanes.
            let long = if S::LANES == 4 { long(h)? } else { 0 };
            Ok(short(h)? + long)
        };
        let counts = keys()
            .into_iter()
            .map(check)
            .collect::<Result<Vec<_>, String>>();
        let count: usize = counts
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .iter()
            .sum();
        println!("P3 {name}: {count} stored powers checked");
    }
    each_token!(test);
}

/// P2 on the product itself, in each lane: all pairs of unit vectors.
fn multiplies(product: &dyn Fn(u128, [u128; 2]) -> Vec<u128>) -> Result<usize, String> {
    let mut count = 0;
    for i in 0..128 {
        for j in 0..128 {
            let (h, x) = (1u128 << i, [1u128 << j, 1 << (127 - j)]);
            for (lane, y) in product(h, x).into_iter().enumerate() {
                let expected = field::multiply(x[lane % 2], h);
                if y != expected {
                    return Err(format!(
                        "lane {lane}: bits {j} and {i} give {y:#x}, not {expected:#x}"
                    ));
                }
                count += 1;
            }
        }
    }
    Ok(count)
}

/// `x * H` in each lane, with the twisted key and its shifted twin.
fn product<S: Simd>(s: S) -> impl Fn(u128, [u128; 2]) -> Vec<u128> {
    move |h, x| {
        let twisted = field::twist(h);
        let shifted = field::multiply(twisted, x_to(64));
        let mut sum = Sum::zero(s);
        sum.add_product(
            s,
            lanes(s, x[0], x[1]),
            lanes(s, twisted, twisted),
            lanes(s, shifted, shifted),
        );
        read(s, sum.reduce(s))
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn p2_every_product_of_unit_vectors_is_right_in_every_lane() {
    fn test<S: Simd>(name: &str, s: S) {
        let count = multiplies(&product(s)).unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("P2 {name}: {count} products checked");
    }
    each_token!(test);
}

mod controls {
    use super::*;

    fn clmul(a: u64, b: u64) -> u128 {
        (0..64)
            .filter(|i| a >> i & 1 == 1)
            .fold(0, |sum, i| sum ^ u128::from(b) << i)
    }

    /// The reduction in plain integers, with any constant.
    fn scalar(constant: u64) -> impl Fn([(u128, u128); 2]) -> Vec<u128> {
        move |input| {
            input
                .iter()
                .map(|(r, f)| r ^ f.rotate_left(64) ^ clmul(*f as u64, constant))
                .collect()
        }
    }

    #[test]
    fn control_p1_a_shift_by_56_is_noticed_as_57_would_be() {
        reduces(&scalar(0xc2 << 56)).unwrap_or_else(|error| panic!("{error}"));
        for wrong in [0xc2 << 55, 0xc1 << 56, 0x42 << 56, 0x82 << 56] {
            println!(
                "caught: {}",
                reduces(&scalar(wrong)).expect_err("a wrong constant")
            );
        }
    }

    #[test]
    fn control_p1_a_sum_with_carries_is_noticed() {
        // Right on all unit vectors: only the pairs tell.
        let adds = |input: [(u128, u128); 2]| -> Vec<u128> {
            let each = |(r, f): &(u128, u128)| {
                r.wrapping_add(f.rotate_left(64)) ^ clmul(*f as u64, 0xc2 << 56)
            };
            input.iter().map(each).collect()
        };
        println!("caught: {}", reduces(&adds).expect_err("an addition"));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn control_p2_a_key_without_its_twist_is_noticed() {
        fn test<S: Simd>(name: &str, s: S) {
            let untwisted = move |h: u128, x: [u128; 2]| {
                let mut sum = Sum::zero(s);
                let shifted = field::multiply(h, x_to(64));
                sum.add_product(
                    s,
                    lanes(s, x[0], x[1]),
                    lanes(s, h, h),
                    lanes(s, shifted, shifted),
                );
                read(s, sum.reduce(s))
            };
            println!(
                "{name}: caught: {}",
                multiplies(&untwisted).expect_err("no twist")
            );
        }
        each_token!(test);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn control_p3_a_flipped_bit_and_swapped_powers_are_noticed_in_the_table() {
        fn test<S: Simd>(name: &str, s: S) {
            let h = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e_u128;
            let faults: [&dyn Fn(&mut Powers<POWERS>); 4] = [
                &|powers| powers.h[POWERS - 7].0[3] ^= 1,
                &|powers| powers.d[POWERS - 7].0[3] ^= 1,
                &|powers| powers.h.swap(0, 1),
                &|powers| powers.d.swap(4, 5),
            ];
            for fault in faults {
                let mut powers = Powers::<POWERS>::new(s, &h.to_be_bytes());
                assert!(holds_the_powers(&powers, h).is_ok());
                fault(&mut powers);
                println!(
                    "{name}: caught: {}",
                    holds_the_powers(&powers, h).expect_err("a fault")
                );
            }
        }
        each_token!(test);
    }
}
