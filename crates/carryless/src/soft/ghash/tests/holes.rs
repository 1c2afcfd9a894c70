//! Multiplication with holes: where carries could go wrong.

use std::string::String;
use std::vec::Vec;
use std::{format, println};

#[cfg(carryless_a64)]
use super::By8;
use super::{
    By16, By32, By64, HashKey, Multiplier, Random, Subject, carryless, checked, constant_key,
    divide, each_multiplier, product, quick, single_key,
};
use crate::field::multiply;
use crate::soft::ghash::karatsuba::Factor;
use crate::soft::ghash::{by16, by32, by64};

/// Operands that fill the holes: all mixtures of classes of words of `BITS` bits, in some of the words.
fn full(bits: usize, classes: usize) -> Vec<u128> {
    let pick =
        |take: &dyn Fn(usize) -> bool| (0..128).filter(|i| take(*i)).fold(0, |sum, i| sum | 1 << i);
    let parts = (0..4).flat_map(|level| (0..1 << level).map(move |part| (128 >> level, part)));
    let mut all: Vec<u128> = parts
        .filter(|(len, _)| *len >= bits)
        .flat_map(|(len, part)| {
            (1..1 << classes).map(move |mixture| {
                pick(&|i| i / len == part && mixture >> (i % bits % classes) & 1 == 1)
            })
        })
        .collect();
    // Without the lowest bits, which one of the multipliers treats apart.
    let lowest = u128::from(by64::LOWEST) << 64 | u128::from(by64::LOWEST);
    all.extend(all.clone().iter().map(|x| x & !lowest));
    all
}

/// Of how many products a sum is made: each number up to the most, and quickly one, the most, and one less.
fn counts<M: Subject>() -> impl Iterator<Item = usize> {
    let is_asked = |count: &usize| !quick() || *count == 1 || *count + 1 >= M::POWERS;
    (1..=M::POWERS).filter(is_asked)
}

fn full_operands<M: Subject>(key: impl Fn(u128) -> HashKey<M>) -> Result<usize, String> {
    let operands = full(M::WORDS.0, M::WORDS.1);
    for power in &operands {
        let key = key(*power);
        for block in &operands {
            let expected = divide(carryless(*block, *power));
            let right = counts::<M>().all(|count| {
                let sum = if count % 2 == 1 { expected } else { 0 };
                product(&key, &std::vec![*block; count]) == sum
            });
            if !right {
                return Err(format!("{block:#x} times {power:#x} is wrong"));
            }
        }
    }
    Ok(operands.len().pow(2))
}

#[test]
fn p4_full_operands_do_not_overflow() {
    fn test<M: Subject>() {
        let count = full_operands(constant_key::<M>).expect("every product");
        checked::<M>("P4", &format!("{count} products of full operands"));
    }
    each_multiplier!(test);
}

/// As before the lowest bits were cleared: 16 terms meet in the middle.
fn overflowing_key(twisted: u128) -> HashKey<By64> {
    let mut key = constant_key::<By64>(twisted);
    for n in 0..By64::POWERS {
        by64::split(&mut key.0.factors, n, twisted);
    }
    key.0.masks = [[[0; 4]; 3]; 4];
    key
}

#[test]
fn control_p4_a_count_too_large_for_its_hole() {
    let noticed = full_operands(overflowing_key).expect_err("16 terms do not fit");
    println!("soft64 with lowest bits: caught: {noticed}");
    let noticed =
        class_products(3, 11, |x| x, |p| p & (u64::MAX / 7) >> 1).expect_err("nor do 11 in 3 bits");
    println!("soft32 with classes of every third bit: caught: {noticed}");
}

/// The control of the one above, precisely: random operands would not have shown the fault.
#[test]
fn the_overflow_is_rare() {
    let (mut random, ones) = (Random(3), u128::MAX);
    let right = |power, block| {
        product(&overflowing_key(power), &[block]) == divide(carryless(block, power))
    };
    assert!((0..100).all(|_| right(random.block(), random.block())));
    assert!(!right(ones, ones));
}

/// Every value of a class of `places` bits, `step` apart, times every value.
fn class_products<F: Factor>(
    step: usize,
    places: usize,
    factor: impl Fn(u32) -> F,
    parities: impl Fn(F::Product) -> u64,
) -> Result<usize, String> {
    let class = |value: u32| (0..places).fold(0, |sum, i| sum | (value >> i & 1) << (step * i));
    for a in 0..1 << places {
        for b in 0..1 << places {
            let right = carryless(class(a).into(), class(b).into())[0];
            if u128::from(parities(factor(class(a)).times(factor(class(b))))) != right {
                return Err(format!("class {a:#b} times class {b:#b} is wrong"));
            }
        }
    }
    Ok(1 << (2 * places))
}

/// All that is not linear; the rest is P2's. The 2^31 products of 64-bit words are too many.
#[test]
fn p4_every_product_of_classes_is_right() {
    let count = class_products(4, 8, |x| x, |p| p & by32::PARITIES).expect("every product");
    checked::<By32>(
        "P4",
        &format!("{count} products: every value of a class times every value"),
    );
    let count = class_products(3, 6, by16::Long::new, |p| (p & by16::PARITIES).into())
        .expect("every product");
    checked::<By16>(
        "P4",
        &format!("{count} products: every value of a class times every value"),
    );
}

fn random_products<M: Multiplier>(
    count: u32,
    fault: impl Fn(&mut HashKey<M>),
) -> Result<(), String> {
    let mut random = Random(4);
    for n in 0..count {
        let (block, h) = (random.block(), random.block());
        let mut key = single_key::<M>(h);
        fault(&mut key);
        if product(&key, &[block]) != multiply(block, h) {
            return Err(format!("product {n}: {block:#x} times {h:#x} is wrong"));
        }
    }
    Ok(())
}

#[test]
fn p4_random_products_are_those_of_the_field() {
    fn test<M: Subject>() {
        let few = if quick() { 20_000 } else { 200_000 };
        let count = if cfg!(miri) { 20 } else { few };
        random_products::<M>(count, |_| {}).expect("every product");
        checked::<M>("P4", &format!("{count} random products"));
    }
    each_multiplier!(test);
}

#[test]
#[ignore = "ten million products of each take a minute and more"]
fn p4_ten_million_random_products_are_those_of_the_field() {
    fn test<M: Subject>() {
        random_products::<M>(10_000_000, |_| {}).expect("every product");
        checked::<M>("P4", "10000000 random products");
    }
    each_multiplier!(test);
}

#[test]
fn control_p4_a_dropped_word_or_mask_or_a_wrong_shift() {
    fn test<M: Subject>() {
        let mut last = String::new();
        for part in 0..M::PARTS {
            let faulty = |key: &mut HashKey<M>| M::drop_part(&mut key.0, part);
            last = random_products(1000, faulty).expect_err("every part matters");
        }
        println!(
            "{}, one of {} words and masks dropped: caught: {last}",
            M::ENGINES[0],
            M::PARTS
        );
        let noticed = random_products::<M>(1000, |key| {
            // Class 1 taken from where the last one stands.
            let n = M::POWERS - 1;
            let wrong = *M::part(&mut key.0, M::WORDS.1 - 1, n);
            *M::part(&mut key.0, 1, n) = wrong;
        });
        println!(
            "{}, a class shifted wrongly: caught: {}",
            M::ENGINES[0],
            noticed.expect_err("a fault")
        );
    }
    each_multiplier!(test);
}

#[test]
fn p4_the_lowest_bits_are_multiplied_by_masks() {
    let mut key = constant_key::<By64>(u128::MAX);
    let rows = key.0.factors.as_flattened();
    assert!(
        rows.iter().all(|word| word & by64::LOWEST == 0),
        "no word keeps its lowest bits"
    );
    // The masks alone give what these bits give; of two full words together nothing is left.
    assert!(
        key.0
            .masks
            .iter()
            .all(|parts| *parts == [[u64::MAX; 4], [u64::MAX; 4], [0; 4]])
    );
    key.0.factors = [[0; 4]; 27];
    let mut count = 0;
    for i in 0..128 {
        let lowest = u128::from(by64::LOWEST) << 64 | u128::from(by64::LOWEST);
        assert_eq!(product(&key, &[1 << i]), divide(carryless(1 << i, lowest)));
        count += 1;
    }
    checked::<By64>("P4", &format!("{count} products by masks"));
}

#[test]
fn every_factor_looks_long() {
    let key = constant_key::<By16>(0);
    let rows = key.0.as_flattened();
    assert!(rows.iter().all(|factor| factor.0 == 1 << 31), "zero too");
}
