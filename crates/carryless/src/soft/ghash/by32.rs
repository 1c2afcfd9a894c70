//! Products of 32-bit words, 64 bits long (UMULL), for CPUs that have them: 81 for a block.
//!
//! No correction is needed: at most eight terms meet.
#![forbid(unsafe_code)]

use super::fourths::fourths;
use super::karatsuba::{Factor, Rows, Scratch, each_block, join_nine, nine};
use super::{Multiplier, behind_zeros, integers};
use crate::block::Block;
use crate::simd::RARE_32;

/// Products of 32-bit words.
#[derive(Clone, Copy)]
pub struct By32;

const POWERS: usize = 4;
const PRODUCTS: usize = 81;

fourths!(u32 u64);

// As many terms meet in the middle of a product as a class has places. The count must stay below the
// next place: 8 < 2^4, and no carry comes from the place below.
const _: () = assert!(CLASS.count_ones() < 1 << 4);

impl Factor for u32 {
    type Product = u64;
    const ZERO: Self = 0;
    const NOTHING: u64 = 0;

    #[inline(always)]
    fn times(self, other: Self) -> u64 {
        u64::from(self) * u64::from(other)
    }
}

type Powers = Rows<u32, POWERS, PRODUCTS>;

impl Multiplier for By32 {
    const POWERS: usize = POWERS;
    type Batch = [Block; POWERS];
    const NO_BLOCKS: Self::Batch = [[0; 16]; POWERS];
    type Powers = Powers;
    const NO_POWERS: Powers = [[0; POWERS]; PRODUCTS];
    type Scratch = Scratch<u32, POWERS, PRODUCTS>;
    const NO_SCRATCH: Self::Scratch = Scratch::NEW;

    #[inline(always)]
    fn set(powers: &mut Powers, n: usize, power: u128) {
        split(powers, n, power);
    }

    fn sum_of_products(
        powers: &Powers,
        acc: u128,
        blocks: &[Block],
        scratch: &mut Self::Scratch,
    ) -> [u64; 4] {
        if RARE_32 {
            return sum::<POWERS>(powers, &behind_zeros(acc, blocks), scratch);
        }
        match *blocks {
            [a] => sum(powers, &integers(acc, &[a]), scratch),
            [a, b] => sum(powers, &integers(acc, &[a, b]), scratch),
            [a, b, c] => sum(powers, &integers(acc, &[a, b, c]), scratch),
            [a, b, c, d, ..] => sum(powers, &integers(acc, &[a, b, c, d]), scratch),
            [] => [0; 4],
        }
    }
}

/// Puts the words whose products make that of blocks into column `n`.
#[inline(always)]
fn split(rows: &mut Powers, n: usize, block: u128) {
    for (rows, word) in rows.as_chunks_mut::<9>().0.iter_mut().zip(nine(block)) {
        for (row, class) in rows.iter_mut().zip(classes(word)) {
            row[n] = class;
        }
    }
}

#[inline(always)]
fn sum<const N: usize>(
    powers: &Powers,
    blocks: &[u128; N],
    scratch: &mut Scratch<u32, POWERS, PRODUCTS>,
) -> [u64; 4] {
    each_block!(n in N => split(&mut scratch.factors, n, blocks[n]));
    scratch.multiply::<N>(powers);
    let mut products = [0; 9];
    for (product, sums) in products.iter_mut().zip(scratch.sums.as_chunks().0) {
        *product = combine(sums);
    }
    join_nine(&products)
}
