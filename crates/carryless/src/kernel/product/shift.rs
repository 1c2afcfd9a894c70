//! One power of H in registers: for powers too high to be stored, and for keys that are used once.

use super::fold::shifted;
use super::rf::Sum;
use super::table::{HashKey, Powers, Row};
use super::{load_acc, store_acc};
use crate::field;
use crate::simd::Simd;

/// A power of the twisted H, and the same times `x^-64`.
pub struct Power<S: Simd>(Row<S>);

impl<S: Simd> Power<S> {
    /// Of this power.
    ///
    /// # Constant time
    /// Secret: `h`.
    #[inline(always)]
    pub fn new(s: S, h: S::V) -> Self {
        let d = shifted(s, h);
        Self(Row { h, d })
    }

    /// H, of the encrypted zero block.
    ///
    /// # Constant time
    /// Secret: `block`.
    #[inline(always)]
    pub fn first(s: S, block: S::V) -> Self {
        let [lo, hi] = s.words(s.reverse(block));
        let h = field::twist(u128::from(lo) | u128::from(hi) << 64);
        Self::new(s, s.splat_words([h as u64, (h >> 64) as u64]))
    }

    /// Its square: the product of twisted elements is twisted.
    #[inline(always)]
    pub fn square(&self, s: S) -> Self {
        Self::new(s, self.times(s, self.0.h))
    }

    /// The power whose exponent is the sum of both: their product.
    ///
    /// # Constant time
    /// Secret: both.
    #[inline(always)]
    pub fn by(&self, s: S, other: &Self) -> Self {
        Self::new(s, self.times(s, other.0.h))
    }

    /// Both.
    #[inline(always)]
    pub fn row(&self) -> Row<S> {
        self.0
    }

    /// Adds its product with `x`.
    #[inline(always)]
    pub fn add(&self, s: S, sum: &mut Sum<S>, x: S::V) {
        sum.add_product(s, x, self.0);
    }

    /// Its product with `x`.
    #[inline(always)]
    pub fn times(&self, s: S, x: S::V) -> S::V {
        let mut sum = Sum::zero(s);
        self.add(s, &mut sum, x);
        sum.reduce(s)
    }
}

impl<const N: usize, const T: usize, const R: usize> Powers<N, T, R> {
    /// `acc * H^blocks`: square and multiply, from the lowest bit up (`docs/math.md` 5).
    ///
    /// # Constant time
    /// Secret: `powers`, `acc`. Public: `blocks`.
    #[inline(always)]
    pub fn shift<S: Simd>(s: S, powers: &Self, acc: u128, mut blocks: u64) -> u128 {
        let s = s.narrow();
        let mut y = load_acc(s, acc);
        let mut power = Power::new(s, s.rows(powers.h(), N - 1));
        while blocks != 0 {
            if blocks & 1 == 1 {
                y = power.times(s, y);
            }
            blocks >>= 1;
            power = power.square(s);
        }
        store_acc(s, y)
    }
}
