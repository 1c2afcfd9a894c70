//! P4 and C5 of SGCM, R2 to R5 of its profile: the field and its hash in every form, by vectors whose hash keys, powers and sums
//! stand at the edges.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use std::format;
use std::println;
use std::string::String;
use std::vec::Vec;

use super::*;

#[cfg(carryless_a32)]
mod limbs;

const FORMS: [Form; 5] = [
    Form::Fold64,
    Form::Fold32,
    Form::Fold16,
    Form::Montgomery64,
    Form::Montgomery32,
];

/// The lines of this kind in `vectors/sgcm.txt`: name and words.
fn lines(kind: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let file = include_str!("../../../../../vectors/sgcm.txt");
    file.lines().filter_map(move |line| {
        let mut words = line.strip_prefix(kind)?.strip_prefix(' ')?.split(' ');
        Some((words.next()?, words.collect()))
    })
}

fn bytes(word: &str) -> Vec<u8> {
    hex::decode(word.trim_start_matches('-')).unwrap()
}

/// 33 digits as an element.
fn element(digits: &str) -> Element {
    let bytes = bytes(&format!("0{digits}"));
    Element::from_be_bytes(&bytes.try_into().unwrap()).unwrap()
}

/// 1/c modulo p.
const INVERSE_OF_C: Element = Element {
    low: 0xbdeb_11be_6964_c47a_2144_5d2e_3da4_2720,
    top: 0,
};

/// The same product by one reduction or the other, of factors that are canonical.
fn product<R: Reduction, W: Word>(a: Element, b: Element) -> Element {
    let stored = if R::POWERS == 1 {
        b.times::<W>(Element::R)
    } else {
        b
    };
    let mut sum = Wide::default();
    sum.add_product::<W>(a.low, stored.low, mask(stored.top));
    sum.add_above(a.top, stored.low, stored.top);
    R::reduce::<W>(sum).canonical()
}

#[test]
fn p4_sums_and_products_modulo_the_prime_come_out_in_every_form() {
    let mut count = 0;
    for (name, words) in lines("field") {
        let [a, b, sum, expected] = words[..].try_into().unwrap();
        let (a, b) = (element(a), element(b));
        let sum = element(sum).to_be_bytes();
        assert_eq!((a + b).to_be_bytes(), sum, "{name}");
        let products = [
            a * b,
            product::<Fold, u64>(a, b),
            product::<Fold, u32>(a, b),
            product::<Fold, u16>(a, b),
            product::<Montgomery, u64>(a, b),
            product::<Montgomery, u32>(a, b),
            product::<Montgomery, u16>(a, b),
        ];
        for product in products {
            assert_eq!(
                product.to_be_bytes(),
                element(expected).to_be_bytes(),
                "{name}"
            );
        }
        count += 1;
    }
    println!("P4 SGCM: {count} sums and products in every form");
    assert_eq!(count, 250);
}

/// Whether the hashes come out, of keys that `change` was made to; how many.
fn hashes(form: Form, change: impl Fn(&mut Key)) -> Result<usize, String> {
    let mut count = 0;
    for (name, words) in lines("hash") {
        let [h, blocks, expected] = words[..].try_into().unwrap();
        let blocks = bytes(blocks);
        let mut key = Key::new(form, &bytes(h).try_into().unwrap());
        change(&mut key);
        // At once; and a batch that is not full before those that are.
        for split in [0, blocks.len().min(16), blocks.len().min(80)] {
            let mut acc = Element::default();
            let (first, rest) = blocks.split_at(split);
            key.update(form, &mut acc, first);
            key.update(form, &mut acc, rest);
            if acc.to_be_bytes() != element(expected).to_be_bytes() {
                return Err(format!("{form:?}, split at {split}: {name}"));
            }
        }
        count += 1;
    }
    Ok(count)
}

#[test]
fn c5_hashes_at_the_edges_come_out_in_every_form() {
    for form in FORMS {
        let count = hashes(form, |_| ()).unwrap_or_else(|error| panic!("{error}"));
        println!("C5 SGCM {form:?}: {count} hashes at the edges");
        assert_eq!(count, 487);
    }
}

#[test]
fn control_c5_powers_without_their_129th_bit_are_noticed() {
    // In the Montgomery domain that of h = 1 has it, which is 2^128.
    for form in FORMS {
        let result = hashes(form, |key| key.top = [0; POWERS]);
        println!("caught: {}", result.expect_err("a bit that is lost"));
    }
}

/// Whether the bounds of a form hold at their worst, all powers, blocks and the hash as large as they get, of a key that `change`
/// was made to; of how many blocks.
fn largest_sums(form: Form, change: impl Fn(&mut Key)) -> Result<usize, String> {
    let most = Element {
        low: u128::from(C) - 1,
        top: 1,
    };
    // Each power alike p - 1: no hash key gives that, and nothing is larger.
    let mut key = Key {
        low: [most.low; POWERS],
        top: [!0; POWERS],
    };
    change(&mut key);
    let blocks = [0xff; 16 * 3 * POWERS];
    // What a power that is kept multiplies by, and blocks of a batch.
    let (power, batch) = match form {
        Form::Fold64 | Form::Fold32 | Form::Fold16 => (most, POWERS),
        // -1 / 2^128 is 1 / c.
        Form::Montgomery64 | Form::Montgomery32 => (INVERSE_OF_C, 1),
    };
    let mut acc = most;
    key.update(form, &mut acc, &blocks);
    let mut expected = most;
    for blocks in blocks.as_chunks::<16>().0.chunks(batch) {
        for block in blocks {
            expected = expected + Element::of_block(block);
        }
        expected = expected * power;
    }
    if acc.to_be_bytes() == expected.to_be_bytes() {
        Ok(3 * POWERS)
    } else {
        Err(format!("{form:?}: {:x?}", acc.to_be_bytes()))
    }
}

#[test]
fn p4_the_largest_sums_are_reduced_right() {
    for form in FORMS {
        let count = largest_sums(form, |_| ()).unwrap_or_else(|error| panic!("{error}"));
        println!("P4 SGCM {form:?}: {count} of the largest blocks and powers");
    }
}

#[test]
fn control_p4_a_largest_power_without_its_129th_bit_is_noticed() {
    for form in FORMS {
        let result = largest_sums(form, |key| key.top[0] = 0);
        println!("caught: {}", result.expect_err("a bit that is lost"));
    }
}

#[test]
fn u3_numbers_from_p_on_are_no_elements() {
    let of = |top: u8, low: u128| {
        let mut bytes = [top; 17];
        bytes[1..].copy_from_slice(&low.to_be_bytes());
        Element::from_be_bytes(&bytes).is_some()
    };
    let c = u128::from(C);
    assert!(of(0, u128::MAX) && of(1, 0) && of(1, c - 1));
    assert!(!of(1, c) && !of(1, u128::MAX) && !of(2, 0) && !of(255, 0));
}
