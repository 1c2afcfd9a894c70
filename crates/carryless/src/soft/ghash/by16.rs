//! Products of 16-bit words, for CPUs without a product of 64 bits, or whose time for it varies: 162
//! for a block.
//!
//! The classes are every third bit, as few terms meet. Many multipliers stop early if the upper bits
//! of a factor are all zero or all one: UMULL of Cortex-M3, every product of ARM7 and of old PowerPC.
//! So the top bit of each factor is set, which makes all factors look alike to them, and in the low
//! 32 bits of the product changes the top one alone, where there is no parity (Pornin, BearSSL
//! `MUL15`).
#![forbid(unsafe_code)]

use core::hint::black_box;

use super::karatsuba::{Factor, Rows, Scratch, each_block, join_half, join_nine, nine, of_half};
use super::{Multiplier, integers};
use crate::block::Block;

/// Products of 16-bit words.
#[derive(Clone, Copy)]
pub struct By16;

/// Few, as the CPUs that need it have little memory.
const POWERS: usize = 2;
const PRODUCTS: usize = 162;

/// Every third bit of 16: class 0, the longest one.
const CLASS: u32 = 0x9249;
/// The parities in a sum of products of classes.
pub(super) const PARITIES: u32 = 0x4924_9249;
/// What makes a factor look long.
const TOP: u32 = 1 << 31;

// As many terms meet in the middle of a product as a class has places. The count must stay below the
// next place: 6 < 2^3, and no carry comes from the place below.
const _: () = assert!(CLASS.count_ones() < 1 << 3 && PARITIES & TOP == 0);

/// A word of 16 bits, and the top bit set; zero where there is none yet.
#[derive(Clone, Copy)]
#[cfg_attr(test, derive(Default))]
pub struct Long(pub(super) u32);

impl Long {
    /// From 16 bits.
    #[inline(always)]
    pub(super) fn new(bits: u32) -> Self {
        Self(bits | TOP)
    }
}

impl Factor for Long {
    type Product = u32;
    const ZERO: Self = Self(0);
    const NOTHING: u32 = 0;

    #[inline(always)]
    fn times(self, other: Self) -> u32 {
        self.0.wrapping_mul(other.0)
    }
}

type Powers = Rows<Long, POWERS, PRODUCTS>;

impl Multiplier for By16 {
    const POWERS: usize = POWERS;
    type Batch = [Block; POWERS];
    const NO_BLOCKS: Self::Batch = [[0; 16]; POWERS];
    type Powers = Powers;
    const NO_POWERS: Powers = [[Long::ZERO; POWERS]; PRODUCTS];
    type Scratch = Scratch<Long, POWERS, PRODUCTS>;
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
        match *blocks {
            [a] => sum(powers, &integers(acc, &[a]), scratch),
            [a, b, ..] => sum(powers, &integers(acc, &[a, b]), scratch),
            [] => [0; 4],
        }
    }
}

/// The six words whose products, as [`combine`] wants them, make that of words.
#[inline(always)]
fn classes(w: u16) -> [Long; 6] {
    let w = u32::from(w);
    let (a, b, c) = (w & CLASS, w >> 1 & CLASS, w >> 2 & CLASS);
    [a, b, c, a ^ b, a ^ c, b ^ c].map(Long::new)
}

/// The product of words that the sums of its six products on classes make.
#[inline(always)]
fn combine([a, b, c, ab, ac, bc]: &[u32; 6]) -> u32 {
    // The coefficients of x^0 to x^4; their parities stand at multiples of x^3.
    let (one, two, three) = (ab ^ a ^ b, ac ^ a ^ b ^ c, bc ^ b ^ c);
    ((a ^ three << 3) & PARITIES) | ((one ^ c << 3) & PARITIES) << 1 | (two & PARITIES) << 2
}

/// Puts the words whose products make that of blocks into column `n`.
#[inline(always)]
fn split(rows: &mut Powers, n: usize, block: u128) {
    for (rows, word) in rows.as_chunks_mut::<18>().0.iter_mut().zip(nine(block)) {
        for (rows, half) in rows.as_chunks_mut::<6>().0.iter_mut().zip(of_half(word)) {
            for (row, class) in rows.iter_mut().zip(classes(half)) {
                row[n] = class;
            }
        }
    }
}

#[inline(always)]
fn sum<const N: usize>(
    powers: &Powers,
    blocks: &[u128; N],
    scratch: &mut Scratch<Long, POWERS, PRODUCTS>,
) -> [u64; 4] {
    each_block!(n in N => split(&mut scratch.factors, n, blocks[n]));
    // The compiler must not see that no result depends on the top bits.
    black_box(&mut *scratch).multiply::<N>(black_box(powers));
    let mut products = [0; 9];
    for (product, sums) in products.iter_mut().zip(scratch.sums.as_chunks::<18>().0) {
        let (halves, _) = sums.as_chunks();
        *product = join_half([
            combine(&halves[0]),
            combine(&halves[1]),
            combine(&halves[2]),
        ]);
    }
    join_nine(&products)
}
