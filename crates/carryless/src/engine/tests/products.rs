//! P1 and P2 on the hash that ships, of every engine: only a build with the hash alone can give it a key.

use std::format;
use std::println;
use std::string::String;

use super::super::{Engine, Gf128, HashKeys};
use super::engines;
use crate::field;

/// A key, and a value of the hash, that is no unit vector.
const ANY: u128 = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;

/// Sums of random values for which P1 asks.
const RANDOM: usize = 2000;

/// What a block and a hash so far become under a key.
fn product(engine: Engine, mut acc: u128, block: u128, h: u128) -> u128 {
    let key = HashKeys::<Gf128>::with_engine(engine, &h.to_be_bytes()).expect("an engine of here");
    key.absorb(&mut acc, &block.to_be_bytes());
    u128::from_be_bytes(key.finish(acc))
}

/// The power of x, a division by the polynomial for each step.
fn power(n: usize) -> u128 {
    (0..n).fold(1 << 127, |power: u128, _| {
        power >> 1 ^ if power & 1 == 1 { 0xe1 << 120 } else { 0 }
    })
}

/// Whether the product reduces each power of x that two factors make, and is linear in either factor on all pairs of unit
/// vectors and on random values: thus divides by the polynomial whatever products add up to.
fn reduces(product: &dyn Fn(u128, u128) -> u128) -> Result<usize, String> {
    let unit = |n: usize| 1u128 << (127 - n);
    for n in 0..255 {
        let low = n.min(127);
        if product(unit(low), unit(n - low)) != power(n) {
            return Err(format!("power {n} of x is reduced wrongly"));
        }
    }
    let of_unit: [_; 128] =
        core::array::from_fn(|n| [product(unit(n), ANY), product(ANY, unit(n))]);
    for i in 0..128 {
        for j in 0..i {
            let (sum, [a, b]) = (unit(i) ^ unit(j), [of_unit[i], of_unit[j]]);
            if [product(sum, ANY), product(ANY, sum)] != [a[0] ^ b[0], a[1] ^ b[1]] {
                return Err(format!("powers {i} and {j} of x are not reduced linearly"));
            }
        }
    }
    let mut state = ANY;
    let mut random = || {
        state = field::multiply(state, ANY);
        state
    };
    for _ in 0..RANDOM {
        let (a, b, h) = (random(), random(), random());
        let sums = [
            [product(a ^ b, h), product(a, h) ^ product(b, h)],
            [product(h, a ^ b), product(h, a) ^ product(h, b)],
        ];
        if sums.iter().any(|[of_sum, sum]| of_sum != sum) {
            return Err("random values are not reduced linearly".into());
        }
    }
    Ok(128 * 127 + 2 * RANDOM)
}

/// All pairs of unit vectors against the definition.
fn multiplies(product: &dyn Fn(u128, u128) -> u128) -> Result<usize, String> {
    for i in 0..128 {
        for j in 0..128 {
            let (x, h) = (1u128 << i, 1u128 << j);
            if product(x, h) != field::multiply(x, h) {
                return Err(format!("bits {i} and {j}"));
            }
        }
    }
    Ok(128 * 128)
}

#[test]
fn p1_sums_of_products_are_divided_by_the_polynomial() {
    for engine in engines() {
        let sums = reduces(&|x, h| product(engine, 0, x, h))
            .unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("P1 {engine}: 255 powers of x reduced");
        println!("P1 {engine}: {sums} sums for linearity");
    }
}

#[test]
fn p2_every_product_of_unit_vectors_is_right() {
    for engine in engines() {
        let count = multiplies(&|x, h| product(engine, 0, x, h))
            .unwrap_or_else(|error| panic!("{engine}: {error}"));
        // The accumulator enters like the block.
        for i in 0..128 {
            assert_eq!(
                product(engine, 1 << i, 0, ANY),
                field::multiply(1 << i, ANY),
                "{engine}: bit {i} of the hash so far"
            );
        }
        println!("P2 {engine}: {count} products checked");
    }
}

#[test]
fn control_p1_a_lost_bit_and_a_carry_are_noticed() {
    assert!(reduces(&field::multiply).is_ok());
    // One bit of what the highest power is reduced to.
    let lost = |x: u128, h: u128| field::multiply(x, h) ^ x & h & 1;
    // Two neighbouring powers make one more, as in a sum of integers.
    let carry = |x: u128, h: u128| field::multiply(x, h) ^ x & x >> 1 & 1;
    for (what, fault) in [("a bit", &lost as &dyn Fn(_, _) -> _), ("a carry", &carry)] {
        println!("{what}: caught: {}", reduces(fault).expect_err("a fault"));
    }
}

#[test]
fn control_p2_one_lost_partial_product_is_noticed() {
    assert!(multiplies(&field::multiply).is_ok());
    // The product of the lowest coefficients is dropped.
    let lost = |x: u128, h: u128| {
        field::multiply(x & !(1 << 127), h) ^ if x >> 127 == 1 { h & !1 } else { 0 }
    };
    println!("caught: {}", multiplies(&lost).expect_err("a lost product"));
}
