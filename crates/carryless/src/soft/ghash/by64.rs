//! Products of 64-bit words, 128 bits long, for CPUs that have them: 27 for a block.
//!
//! The count in the middle of a product could be 16, one more than fits. So the lowest bit of each
//! class of H is cleared, and its product added by masks, it too as a sum over the batch.
#![forbid(unsafe_code)]

use super::fourths::fourths;
use super::karatsuba::{Factor, Rows, Scratch, each_block, join_block, of_block};
use super::{Multiplier, behind_zeros, integers};
use crate::block::Block;
use crate::simd::RARE_64;

/// Products of 64-bit words.
#[derive(Clone, Copy)]
pub struct By64;

const POWERS: usize = 4;
const PRODUCTS: usize = 27;

fourths!(u64 u128);

/// The lowest bit of each class.
pub(super) const LOWEST: u64 = 0xf;

/// Terms that meet in one place of a product: one less than a class has places, as one factor's
/// lowest bit is clear.
const TERMS: u32 = CLASS.count_ones() - 1;
// The count must stay below the next place: 15 < 2^4, and no carry comes from the place below.
const _: () = assert!(TERMS < 1 << 4);

impl Factor for u64 {
    type Product = u128;
    const ZERO: Self = 0;
    const NOTHING: u128 = 0;

    #[inline(always)]
    fn times(self, other: Self) -> u128 {
        u128::from(self) * u128::from(other)
    }
}

/// The powers of H.
#[derive(Clone, Copy)]
pub struct Powers {
    /// The words that are multiplied, without the lowest bits.
    pub(super) factors: Rows<u64, POWERS, PRODUCTS>,
    /// For the lowest four bits, of each of [`of_block`]'s words: all ones if set.
    pub(super) masks: [[[u64; POWERS]; 3]; 4],
}

impl Multiplier for By64 {
    const POWERS: usize = POWERS;
    type Batch = [Block; POWERS];
    const NO_BLOCKS: Self::Batch = [[0; 16]; POWERS];
    type Powers = Powers;
    const NO_POWERS: Powers = Powers {
        factors: [[0; POWERS]; PRODUCTS],
        masks: [[[0; POWERS]; 3]; 4],
    };
    type Scratch = Scratch<u64, POWERS, PRODUCTS>;
    const NO_SCRATCH: Self::Scratch = Scratch::NEW;

    #[inline(always)]
    fn set(powers: &mut Powers, n: usize, power: u128) {
        let lowest = u128::from(LOWEST) << 64 | u128::from(LOWEST);
        split(&mut powers.factors, n, power & !lowest);
        for (i, parts) in powers.masks.iter_mut().enumerate() {
            for (masks, word) in parts.iter_mut().zip(of_block(power)) {
                masks[n] = (word >> i & 1).wrapping_neg();
            }
        }
    }

    // A copy for the full batches of the loop, one for what is left.
    #[inline(always)]
    fn sum_of_products(
        powers: &Powers,
        acc: u128,
        blocks: &[Block],
        scratch: &mut Self::Scratch,
    ) -> [u64; 4] {
        if RARE_64 {
            return all(powers, acc, blocks, scratch);
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

/// Blocks behind zeros, which add nothing: one copy of the code for any number.
#[inline(never)]
fn all(
    powers: &Powers,
    acc: u128,
    blocks: &[Block],
    scratch: &mut Scratch<u64, POWERS, PRODUCTS>,
) -> [u64; 4] {
    sum::<POWERS>(powers, &behind_zeros(acc, blocks), scratch)
}

/// Puts the words whose products make that of blocks into column `n`.
#[inline(always)]
pub(super) fn split(rows: &mut Rows<u64, POWERS, PRODUCTS>, n: usize, x: u128) {
    let [low, high, _] = of_block(x);
    let (low, high) = (classes(low), classes(high));
    macro_rules! put {
        ($($i:literal)*) => {$(
            rows[$i][n] = low[$i];
            rows[$i + 9][n] = high[$i];
            rows[$i + 18][n] = low[$i] ^ high[$i];
        )*};
    }
    put!(0 1 2 3 4 5 6 7 8);
}

#[inline(always)]
fn sum<const N: usize>(
    powers: &Powers,
    blocks: &[u128; N],
    scratch: &mut Scratch<u64, POWERS, PRODUCTS>,
) -> [u64; 4] {
    each_block!(n in N => split(&mut scratch.factors, n, blocks[n]));
    scratch.multiply::<N>(&powers.factors);
    let (parts, _) = scratch.sums.as_chunks();
    let mut products = [combine(&parts[0]), combine(&parts[1]), combine(&parts[2])];
    // What the cleared bits would have given.
    macro_rules! each_mask {
        ($($i:literal)*) => {$(
            let [low, high, both] = &powers.masks[$i];
            let mut sums = [0; 3];
            each_block!(n in N => {
                let words = of_block(blocks[n]);
                sums[0] ^= words[0] & low[POWERS - N + n];
                sums[1] ^= words[1] & high[POWERS - N + n];
                sums[2] ^= words[2] & both[POWERS - N + n];
            });
            products[0] ^= u128::from(sums[0]) << $i;
            products[1] ^= u128::from(sums[1]) << $i;
            products[2] ^= u128::from(sums[2]) << $i;
        )*};
    }
    each_mask!(0 1 2 3);
    join_block(products)
}
