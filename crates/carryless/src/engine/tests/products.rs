//! P1 to P3 on the hashes that ship, of every engine: only a build with the hashes alone can give them a key.

use std::format;
use std::println;
use std::string::String;
use std::vec;

use super::super::list::EveryHash;
use super::super::{Block, Engine, Gf128, HashKeys, Polyval};
use super::{engines, keys, most};
use crate::field;

/// A key, and a value of the hash, that is no unit vector.
const ANY: u128 = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;

/// Sums of random values for which P1 asks.
const RANDOM: usize = 2000;

/// A field whose elements are integers, and the product of its hash by definition.
trait Elements: EveryHash<Acc = u128> {
    /// The polynomial 1.
    const ONE: u128;
    /// What the product makes of it and itself.
    const ONE_BY_ONE: u128;

    /// The element times x.
    fn times_x(a: u128) -> u128;
    /// The product.
    fn product(a: u128, b: u128) -> u128;
    /// The block that stands for the element.
    fn block(a: u128) -> Block;
    /// The element for which the block stands.
    fn element(block: Block) -> u128;
}

impl Elements for Gf128 {
    const ONE: u128 = 1 << 127;
    const ONE_BY_ONE: u128 = Self::ONE;

    fn times_x(a: u128) -> u128 {
        a >> 1 ^ if a & 1 == 1 { 0xe1 << 120 } else { 0 }
    }
    fn product(a: u128, b: u128) -> u128 {
        field::multiply(a, b)
    }
    fn block(a: u128) -> Block {
        a.to_be_bytes()
    }
    fn element(block: Block) -> u128 {
        u128::from_be_bytes(block)
    }
}

/// RFC 8452 section 3: bit `i` is the coefficient of `x^i`.
impl Elements for Polyval {
    const ONE: u128 = 1;
    /// `x^-128 = x^127 + x^124 + x^121 + x^114 + 1`.
    const ONE_BY_ONE: u128 = 1 << 127 | 1 << 124 | 1 << 121 | 1 << 114 | 1;

    /// `x^128 = x^127 + x^126 + x^121 + 1`.
    fn times_x(a: u128) -> u128 {
        let reduced = 1u128 << 127 | 1 << 126 | 1 << 121 | 1;
        a << 1 ^ if a >> 127 == 1 { reduced } else { 0 }
    }
    /// `dot(a, b) = a b x^-128`.
    fn product(a: u128, b: u128) -> u128 {
        let times = |a: u128, b: u128| {
            (0..128).rev().fold(0, |sum, i| {
                Self::times_x(sum) ^ if a >> i & 1 == 1 { b } else { 0 }
            })
        };
        times(times(a, b), Self::ONE_BY_ONE)
    }
    fn block(a: u128) -> Block {
        a.to_le_bytes()
    }
    fn element(block: Block) -> u128 {
        u128::from_le_bytes(block)
    }
}

fn key<F: Elements>(engine: Engine, h: u128) -> HashKeys<F> {
    HashKeys::with_engine(engine, &F::block(h)).expect("an engine of here")
}

/// What blocks and a hash so far become.
fn hash<F: Elements>(key: &HashKeys<F>, mut acc: u128, blocks: &[Block]) -> u128 {
    key.absorb(&mut acc, blocks.as_flattened());
    F::element(key.finish(acc))
}

/// What a block and a hash so far become under a key.
fn product<F: Elements>(engine: Engine, acc: u128, block: u128, h: u128) -> u128 {
    hash(&key::<F>(engine, h), acc, &[F::block(block)])
}

/// The element times a power of x, a division by the polynomial for each step.
fn times_power<F: Elements>(a: u128, n: usize) -> u128 {
    (0..n).fold(a, |a, _| F::times_x(a))
}

/// Whether the product reduces each power of x that two factors make, and is linear in either factor on all pairs of unit
/// vectors and on random values: thus divides by the polynomial whatever products add up to.
fn reduces<F: Elements>(product: &dyn Fn(u128, u128) -> u128) -> Result<usize, String> {
    let units: [u128; 128] = core::array::from_fn(|n| times_power::<F>(F::ONE, n));
    for n in 0..255 {
        let low = n.min(127);
        if product(units[low], units[n - low]) != times_power::<F>(F::ONE_BY_ONE, n) {
            return Err(format!("power {n} of x is reduced wrongly"));
        }
    }
    let of_unit = units.map(|unit| [product(unit, ANY), product(ANY, unit)]);
    for i in 0..128 {
        for j in 0..i {
            let (sum, [a, b]) = (units[i] ^ units[j], [of_unit[i], of_unit[j]]);
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
fn multiplies<F: Elements>(product: &dyn Fn(u128, u128) -> u128) -> Result<usize, String> {
    for i in 0..128 {
        for j in 0..128 {
            let (x, h) = (1u128 << i, 1u128 << j);
            if product(x, h) != F::product(x, h) {
                return Err(format!("bits {i} and {j}"));
            }
        }
    }
    Ok(128 * 128)
}

/// Whether one bit at any place of up to `most` blocks is hashed with the power of `h` that belongs there.
fn meets_its_powers<F: Elements>(
    h: u128,
    most: usize,
    hash: &dyn Fn(&[Block]) -> u128,
) -> Result<usize, String> {
    let mut count = 0;
    for n in 1..=most {
        let mut power = h;
        for i in (0..n).rev() {
            for j in 0..128 {
                let mut blocks = vec![[0; 16]; n];
                blocks[i] = F::block(1 << j);
                if hash(&blocks) != F::product(1 << j, power) {
                    return Err(format!("bit {j} of block {i} of {n} meets a wrong power"));
                }
                count += 1;
            }
            power = F::product(power, h);
        }
    }
    Ok(count)
}

fn every_sum_is_reduced<F: Elements>() {
    for engine in engines() {
        let sums = reduces::<F>(&|x, h| product::<F>(engine, 0, x, h))
            .unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("P1 {engine}: 255 powers of x reduced in {}", F::NAME);
        println!("P1 {engine}: {sums} sums for linearity in {}", F::NAME);
    }
}

fn every_product_is_right<F: Elements>() {
    for engine in engines() {
        let count = multiplies::<F>(&|x, h| product::<F>(engine, 0, x, h))
            .unwrap_or_else(|error| panic!("{engine}: {error}"));
        // The accumulator enters like the block.
        for i in 0..128 {
            assert_eq!(
                product::<F>(engine, 1 << i, 0, ANY),
                F::product(1 << i, ANY),
                "{engine}: bit {i} of the hash so far"
            );
        }
        println!("P2 {engine}: {count} products in {}", F::NAME);
    }
}

#[test]
fn p1_sums_of_products_are_divided_by_the_polynomial() {
    every_sum_is_reduced::<Gf128>();
}

#[test]
fn p1_sums_of_products_of_polyval_are_divided_by_its_polynomial() {
    every_sum_is_reduced::<Polyval>();
}

#[test]
fn p2_every_product_of_unit_vectors_is_right() {
    every_product_is_right::<Gf128>();
}

#[test]
fn p2_every_product_of_unit_vectors_by_polyval_is_right() {
    every_product_is_right::<Polyval>();
}

/// The entry of POLYVAL; those of GHASH are tested through messages.
#[test]
fn p3_polyval_meets_every_block_with_its_power() {
    for engine in engines() {
        let mut count = 0;
        for h in keys(engine).take(2).map(Polyval::element) {
            let key = key::<Polyval>(engine, h);
            count += meets_its_powers::<Polyval>(h, most(engine), &|blocks| hash(&key, 0, blocks))
                .unwrap_or_else(|error| panic!("{engine}: {error}"));
        }
        println!("P3 {engine}: {count} unit vectors through POLYVAL");
    }
}

/// The example of RFC 8452 section 7.
#[test]
fn the_product_of_polyval_is_as_printed() {
    let a = Polyval::element(0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e_u128.to_be_bytes());
    let dot = 0xebe5_6340_1e7e_91ea_3ad6_426b_8140_c394_u128.to_be_bytes();
    assert_eq!(Polyval::block(Polyval::product(a, 0xff)), dot);
}

#[test]
fn control_p1_a_lost_bit_and_a_carry_are_noticed() {
    assert!(reduces::<Gf128>(&field::multiply).is_ok());
    assert!(reduces::<Polyval>(&Polyval::product).is_ok());
    // One bit of what the highest power is reduced to.
    let lost = |x: u128, h: u128| field::multiply(x, h) ^ x & h & 1;
    // Two neighbouring powers make one more, as in a sum of integers.
    let carry = |x: u128, h: u128| field::multiply(x, h) ^ x & x >> 1 & 1;
    for (what, fault) in [("a bit", &lost as &dyn Fn(_, _) -> _), ("a carry", &carry)] {
        let error = reduces::<Gf128>(fault).expect_err("a fault");
        println!("{what}: caught: {error}");
    }
}

#[test]
fn control_p2_one_lost_partial_product_is_noticed() {
    fn test<F: Elements>() {
        assert!(multiplies::<F>(&F::product).is_ok());
        // That of the lowest coefficients.
        let lost = |x: u128, h: u128| {
            let both = x & h & F::ONE != 0;
            F::product(x, h) ^ if both { F::ONE_BY_ONE } else { 0 }
        };
        let error = multiplies::<F>(&lost).expect_err("a lost product");
        println!("{}: caught: {error}", F::NAME);
    }
    test::<Gf128>();
    test::<Polyval>();
}

#[test]
fn control_p2_polyval_by_the_product_of_ghash_is_noticed() {
    // All bytes in reverse, but the key lacks an x (RFC 8452 appendix A).
    let error = multiplies::<Polyval>(&field::multiply).expect_err("a lost x");
    println!("a lost x: caught: {error}");
}

#[test]
fn control_p3_blocks_that_change_places_are_noticed() {
    let horner = |blocks: &[Block]| {
        blocks.iter().fold(0, |y, block| {
            Polyval::product(y ^ Polyval::element(*block), ANY)
        })
    };
    assert!(meets_its_powers::<Polyval>(ANY, 10, &horner).is_ok());
    // As nine blocks on a table of eight powers.
    let swapped = |blocks: &[Block]| {
        let mut blocks = blocks.to_vec();
        if blocks.len() == 9 {
            blocks.swap(0, 1);
        }
        horner(&blocks)
    };
    let error = meets_its_powers::<Polyval>(ANY, 10, &swapped).expect_err("swapped blocks");
    println!("the first two of nine blocks: caught: {error}");
}
