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

#[cfg(carryless_fused)]
use super::TurnPowers;
use super::{HashKey, Karatsuba, Powers, Row, Sum};
use crate::block::Lane;
use crate::field;
use crate::simd::Simd;
#[cfg(carryless_fused)]
use crate::simd::tests::tokens::each_cpu_token;
#[cfg(carryless_fused)]
use crate::simd::tuning::TURN;

/// `x^n` as the integer `S`.
const fn x_to(n: u32) -> u128 {
    1 << (127 - n)
}

/// What is to be reduced: `p0 + p1 x^64 + p2 x^128`; in the form R/F there is no third part.
type Parts = [u128; 3];

/// The element, by long division: 64 shifts a part, each taking out the modulus.
fn divided(parts: Parts) -> u128 {
    let shift = |v: u128| (v >> 1) ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
    let x64 = |v: u128| (0..64).fold(v, |v, _| shift(v));
    parts[0] ^ x64(parts[1] ^ x64(parts[2]))
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

/// What is to be proved of a reduction: of a function of the first `count` parts of each lane.
fn reduces(
    count: usize,
    reduce: &dyn Fn([Parts; 2]) -> Vec<u128>,
) -> Result<(usize, usize), String> {
    let unit = |i: usize| {
        let mut parts = [0; 3];
        parts[i / 128] = 1u128 << (i % 128);
        parts
    };
    let all: Vec<Parts> = (0..128 * count).map(unit).collect();
    for (i, unit) in all.iter().enumerate() {
        let input = [*unit, all[(i + 100) % all.len()]];
        for (parts, lane) in input.into_iter().cycle().zip(reduce(input)) {
            let expected = divided(parts);
            if lane != expected {
                return Err(format!("{parts:x?} give {lane:#x}, not {expected:#x}"));
            }
        }
    }
    let linear = |a: Parts, b: Parts| -> Result<(), String> {
        let sum = [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2]];
        let (of_a, of_b) = (reduce([a, b])[0], reduce([b, a])[0]);
        let of_sum = reduce([sum, a])[0];
        if of_sum == of_a ^ of_b {
            Ok(())
        } else {
            Err(format!("not linear for {a:x?} and {b:x?}"))
        }
    };
    let mut pairs = 0;
    for i in 0..all.len() {
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
    let mut words = || {
        let mut parts = [0; 3];
        parts[..count].fill_with(&mut word);
        parts
    };
    for _ in 0..100_000 {
        linear(words(), words())?;
        pairs += 1;
    }
    Ok((all.len(), pairs))
}

/// The reduction of the form R/F.
fn reduction<S: Simd>(s: S) -> impl Fn([Parts; 2]) -> Vec<u128> {
    move |[a, b]| {
        let sum = Sum {
            r: lanes(s, a[0], b[0]),
            f: lanes(s, a[1], b[1]),
        };
        read(s, sum.reduce(s))
    }
}

/// Sums of Karatsuba's form, whose middle part has the other two in it.
fn karatsuba<S: Simd>(s: S, a: Parts, b: Parts) -> Karatsuba<S> {
    let [middle_a, middle_b] = [a, b].map(|parts| parts[0] ^ parts[1] ^ parts[2]);
    Karatsuba {
        lo: lanes(s, a[2], b[2]),
        mi: lanes(s, middle_a, middle_b),
        hi: lanes(s, a[0], b[0]),
    }
}

/// The reduction of that form.
fn karatsuba_reduction<S: Simd>(s: S) -> impl Fn([Parts; 2]) -> Vec<u128> {
    move |[a, b]| read(s, karatsuba(s, a, b).reduce(s))
}

#[cfg(carryless_fused)]
#[test]
fn p1_the_reduction_is_long_division_and_linear() {
    fn test<S: Simd>(name: &str, s: S) {
        let of = |count, reduce: &dyn Fn([Parts; 2]) -> Vec<u128>| {
            reduces(count, reduce).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let short = of(2, &reduction(s));
        let long = of(3, &karatsuba_reduction(s));
        println!("P1 {name}: {} unit vectors reduced", short.0 + long.0);
        println!("P1 {name}: {} sums for linearity", short.1 + long.1);
    }
    each_cpu_token!(test);
}

/// Hash keys that matter: the ends, one-bit values, and some that look random.
fn keys() -> Vec<u128> {
    let mut keys: Vec<u128> = (0..128).map(|i| 1 << i).collect();
    keys.extend([0, u128::MAX, u128::MAX << 64, u128::MAX >> 64]);
    keys.extend((1..60).map(|i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)));
    keys
}

/// Whether the table holds the powers of `h`, twisted, beside so many of them their products with `x^64`, and so many sums of
/// halves of two vectors of `lanes` of them.
fn holds_the_powers<H: HashKey>(
    powers: &H,
    h: u128,
    lanes: usize,
    [n_shifted, n_sums]: [usize; 2],
) -> Result<usize, String> {
    let mut power = x_to(0);
    for n in 1..=H::POWERS {
        power = field::multiply(power, h);
        let stored = u128::from_le_bytes(powers.h()[H::POWERS - n].0);
        if stored != field::twist(power) {
            return Err(format!("H = {h:#x}: power {n} is {stored:#x}"));
        }
        if n <= n_shifted {
            let shifted = u128::from_le_bytes(powers.d()[H::POWERS - n].0);
            if shifted != field::multiply(stored, x_to(64)) {
                return Err(format!("H = {h:#x}: shifted power {n} is {shifted:#x}"));
            }
        }
        if n <= n_sums {
            // Power 2 L of a pair of vectors stands first, followed by power L, then 2 L - 1, L - 1, ..
            let (pair, place) = ((n - 1) / (2 * lanes), (n - 1) % (2 * lanes));
            let from_top = 2 * lanes - 1 - place;
            let at = 2 * (from_top % lanes) + from_top / lanes;
            let sum = u64::from_le_bytes(powers.sums()[n_sums + at - 2 * lanes * (pair + 1)]);
            if sum != stored as u64 ^ (stored >> 64) as u64 {
                return Err(format!("H = {h:#x}: sum of halves {n} is {sum:#x}"));
            }
        }
    }
    Ok(H::POWERS + n_shifted + n_sums)
}

#[cfg(carryless_fused)]
#[test]
fn p3_the_table_holds_the_powers_of_the_key() {
    fn test<S: Simd>(name: &str, s: S) {
        let check = |h: u128| {
            let bytes = h.to_be_bytes();
            match S::LANES {
                1 => holds_the_powers(&Powers::<10, 8, 24>::new(s, &bytes), h, 1, [10, 8]),
                2 => holds_the_powers(&Powers::<18, 16, 44>::new(s, &bytes), h, 2, [18, 16]),
                _ => holds_the_powers(&Powers::<22, 16, 52>::new(s, &bytes), h, S::LANES, [22, 16]),
            }
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
    each_cpu_token!(test);
}

/// The powers of a message of AES-GCM-SIV: the lowest are those of short ones too. A key that wants no twist stands for one that had it.
#[cfg(carryless_fused)]
#[test]
fn p3_the_powers_of_one_message_are_those_of_its_key() {
    fn test<S: Simd>(name: &str, s: S) {
        let n = s.narrow();
        let check = |h: u128| {
            let twisted = field::twist(h);
            let key = n.splat_words([twisted as u64, (twisted >> 64) as u64]);
            holds_the_powers(&TurnPowers::new(n, key), h, 1, [0, TURN])
        };
        let counts = keys()
            .into_iter()
            .map(check)
            .collect::<Result<Vec<_>, String>>();
        let counts = counts.unwrap_or_else(|error| panic!("{name}: {error}"));
        let count: usize = counts.iter().sum();
        println!("P3 {name}: {count} powers of one message checked");
    }
    each_cpu_token!(test);
}

/// On one lane the sums may be odd in number, as last passes in pairs have it.
#[cfg(carryless_fused)]
#[test]
fn p3_the_table_for_pairs_of_blocks_holds_the_sums() {
    fn test<S: Simd>(name: &str, s: S) {
        let n = s.narrow();
        let check = |h: u128| {
            holds_the_powers(
                &Powers::<10, 9, 25>::new(n, &h.to_be_bytes()),
                h,
                1,
                [10, 9],
            )
        };
        let counts = keys().into_iter().map(check).collect::<Result<Vec<_>, _>>();
        let counts = counts.unwrap_or_else(|error| panic!("{name}: {error}"));
        let count: usize = counts.iter().sum();
        println!("P3 {name}: {count} stored powers checked");
    }
    each_cpu_token!(test);
}

#[cfg(carryless_fused)]
#[test]
fn p3_a_table_for_one_message_holds_the_powers_that_it_takes() {
    fn test<S: Simd>(name: &str, s: S) {
        type Table = Powers<22, 16, 52>;
        let h = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e_u128;
        let all = Table::new(s, &h.to_be_bytes());
        for most in 1..=22 {
            let mut some = Table::default();
            some.set_up_to(s, [h as u64, (h >> 64) as u64], most);
            for n in 1..=most {
                let at = 22 - n;
                assert_eq!(some.h()[at].0, all.h()[at].0, "{name}: {most}, power {n}");
                assert_eq!(some.d()[at].0, all.d()[at].0, "{name}: {most}, shifted {n}");
            }
            assert!(
                most > 14 || some.h()[0].0 == [0; 16],
                "{name}: {most} are few"
            );
        }
    }
    each_cpu_token!(test);
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

/// `x * H` in each lane, with the key that `twist` makes of it and its shifted twin.
fn product<S: Simd>(s: S, twist: fn(u128) -> u128) -> impl Fn(u128, [u128; 2]) -> Vec<u128> {
    move |h, x| {
        let twisted = twist(h);
        let shifted = field::multiply(twisted, x_to(64));
        let mut sum = Sum::zero(s);
        sum.add_product(
            s,
            lanes(s, x[0], x[1]),
            Row {
                h: lanes(s, twisted, twisted),
                d: lanes(s, shifted, shifted),
            },
        );
        read(s, sum.reduce(s))
    }
}

/// The same by Karatsuba, as the first or the second vector of a pair.
fn karatsuba_product<S: Simd>(s: S, second: bool) -> impl Fn(u128, [u128; 2]) -> Vec<u128> {
    move |h, x| {
        let h = field::twist(h);
        let mut powers = Powers::<8, 8, 20>::default();
        powers.rows[8..16].fill(Lane(h.to_le_bytes()));
        let sum = u128::from(h as u64 ^ (h >> 64) as u64);
        powers.rows[16..].fill(Lane((sum << 64 | sum).to_le_bytes()));
        let (x, zero) = (lanes(s, x[0], x[1]), s.zero());
        let (a, b) = if second { (zero, x) } else { (x, zero) };
        let mut sum = Karatsuba::zero(s);
        sum.add_pair(s, a, b, &powers, 2 * S::LANES);
        read(s, sum.reduce(s))
    }
}

#[cfg(carryless_fused)]
#[test]
fn p2_every_product_of_unit_vectors_is_right_in_every_lane() {
    fn test<S: Simd>(name: &str, s: S) {
        let count = |product: &dyn Fn(u128, [u128; 2]) -> Vec<u128>| {
            multiplies(product).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let count = count(&product(s, field::twist))
            + count(&karatsuba_product(s, false))
            + count(&karatsuba_product(s, true));
        println!("P2 {name}: {count} products checked");
    }
    each_cpu_token!(test);
}

mod controls;
