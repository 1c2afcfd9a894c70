//! GF(2^128) against the polynomials of a book.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test that can't go on has failed; bytes of numbers"
)]

#[allow(
    dead_code,
    clippy::duplicate_mod,
    reason = "shared with the integration tests"
)]
#[path = "../../tests/harness/reference.rs"]
mod reference;

use std::vec::Vec;

use self::reference::Poly;
use super::{FOLD, multiply, twist};

/// The element that the integer `S` stands for.
fn poly(s: u128) -> Poly {
    Poly(s.reverse_bits())
}

/// Numbers that look random.
fn random(n: usize) -> Vec<u128> {
    let mut state = 1u128;
    let step = |_| {
        state = state
            .wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645)
            .wrapping_add(0x1234_5678_9abc_def1);
        state ^ state >> 64
    };
    (0..n).map(step).collect()
}

#[test]
fn every_product_of_unit_vectors_is_that_of_polynomials() {
    for i in 0..128 {
        for j in 0..128 {
            let (a, b) = (1u128 << i, 1u128 << j);
            assert_eq!(
                poly(multiply(a, b)),
                poly(a).times(poly(b)),
                "bits {i} and {j}"
            );
        }
    }
}

#[test]
fn products_distribute_over_sums() {
    let numbers = random(300);
    for three in numbers.windows(3) {
        let [a, b, c] = [three[0], three[1], three[2]];
        assert_eq!(multiply(a, b ^ c), multiply(a, b) ^ multiply(a, c));
        assert_eq!(multiply(a ^ b, c), multiply(a, c) ^ multiply(b, c));
        assert_eq!(multiply(a, b), multiply(b, a));
    }
}

#[test]
fn one_is_the_top_bit_and_x_the_next() {
    for a in random(50) {
        assert_eq!(multiply(a, 1 << 127), a);
        assert_eq!(poly(multiply(a, 1 << 126)), poly(a).times(Poly(2)));
    }
}

/// The product of the kernels, of reflected operands, is short by one `x`: the twist takes it out of
/// the key beforehand. In the integer `S`, whose top bit is the coefficient of `x^0`, a shift to the
/// left divides by `x`.
#[test]
fn the_twist_divides_by_x() {
    for h in random(500)
        .into_iter()
        .chain((0..128).map(|i| 1 << i))
        .chain([0, u128::MAX])
    {
        assert_eq!(poly(twist(h)).times(Poly(2)), poly(h), "{h:#x}");
    }
}

/// A Montgomery step on 64 bits adds a multiple of the reversed modulus that clears the low word:
/// `FOLD` is the part of the modulus that lands in the next one.
#[test]
fn the_fold_constant_clears_a_low_word() {
    for low in (0..64)
        .map(|i| 1u64 << i)
        .chain([u64::MAX, 0x0123_4567_89ab_cdef])
    {
        let carryless = (0..64)
            .filter(|i| low >> i & 1 == 1)
            .fold(0, |sum, i| sum ^ u128::from(FOLD) << i);
        let folded = u128::from(low) << 64 ^ carryless;
        assert_eq!(
            poly(folded),
            poly(u128::from(low)).times(Poly(1 << 64)),
            "{low:#x}"
        );
    }
}

mod controls {
    use std::println;

    use super::{multiply, poly};

    /// What P1 and P2 compare with must itself notice a wrong modulus.
    #[test]
    fn control_p2_a_product_with_another_modulus_is_noticed() {
        let wrong = |a: u128, b: u128| {
            // `x^7 + x^2 + x + 1` with the bit of `x^2` lost: wrong where the product is reduced.
            let (mut sum, mut v) = (0, b);
            for i in 0..128 {
                sum ^= if a >> (127 - i) & 1 == 1 { v } else { 0 };
                v = (v >> 1) ^ if v & 1 == 1 { 0xc1 << 120 } else { 0 };
            }
            sum
        };
        let differs = |product: &dyn Fn(u128, u128) -> u128| {
            let pairs = (0..128).flat_map(|i| (0..128).map(move |j| (1u128 << i, 1u128 << j)));
            pairs
                .filter(|(a, b)| poly(product(*a, *b)) != poly(*a).times(poly(*b)))
                .count()
        };
        assert_eq!(differs(&multiply), 0);
        let noticed = differs(&wrong);
        assert!(noticed > 0);
        println!("x^2 lost from the modulus: caught: {noticed} products differ");
    }
}
