//! Products of blocks one after the other, or two at a time.

use super::karatsuba::Karatsuba;
use super::rf::Sum;
use super::table::{HashKey, Row};
use crate::simd::Simd;

/// Sums of products that are reduced together, of messages whose blocks meet their powers one after the other: if `PAIRED`,
/// of two blocks at a time as [`Karatsuba`] has them, otherwise in the form of [`Sum`]. Not on several lanes, whose sums of halves stand
/// elsewhere.
///
/// On one lane the products that wait for the last block are what a short message takes longest for: CPUs begin one every
/// other cycle (Zen, Haswell), and a fourth less of them is worth a reduction of one more.
#[derive(Clone, Copy)]
pub struct Products<S: Simd, const PAIRED: bool> {
    pairs: Karatsuba<S>,
    sum: Sum<S>,
}

impl<S: Simd, const PAIRED: bool> Products<S, PAIRED> {
    /// The empty sum.
    #[inline(always)]
    pub fn zero(s: S) -> Self {
        debug_assert!(
            !PAIRED || S::TUNING.pairs,
            "pairs of blocks, not of vectors"
        );
        let (pairs, sum) = (Karatsuba::zero(s), Sum::zero(s));
        Self { pairs, sum }
    }

    /// Adds what another sum stands for.
    #[inline(always)]
    fn add_sum(&mut self, s: S, sum: Sum<S>) {
        if PAIRED {
            self.pairs.add_sum(s, sum);
        } else {
            self.sum.r = s.xor(self.sum.r, sum.r);
            self.sum.f = s.xor(self.sum.f, sum.f);
        }
    }

    /// Adds the products of the lanes of `x` with `H^power`, `H^(power - 1)`, ..
    ///
    /// # Constant time
    /// Secret: `x`, `powers`. Public: `power`.
    #[inline(always)]
    pub fn add<H: HashKey>(&mut self, s: S, x: S::V, powers: &H, power: usize) {
        let mut sum = Sum::zero(s);
        sum.add(s, x, powers, power);
        self.add_sum(s, sum);
    }

    /// Adds the products of the lanes of `x` with those of the row.
    ///
    /// # Constant time
    /// Secret: all.
    #[inline(always)]
    pub fn add_row(&mut self, s: S, x: S::V, row: Row<S>) {
        let mut sum = Sum::zero(s);
        sum.add_product(s, x, row);
        self.add_sum(s, sum);
    }

    /// Adds the products of all lanes of `x` with `H^power`.
    ///
    /// # Constant time
    /// Secret: `x`, `powers`. Public: `power`.
    #[inline(always)]
    pub fn add_splat<H: HashKey>(&mut self, s: S, x: S::V, powers: &H, power: usize) {
        let mut sum = Sum::zero(s);
        sum.add_splat(s, x, powers, power);
        self.add_sum(s, sum);
    }

    /// Adds the products of `a` with `H^power`, and of `b` with the power below.
    ///
    /// # Constant time
    /// Secret: `a`, `b`, `powers`. Public: `power`.
    #[inline(always)]
    pub fn add_two<H: HashKey>(&mut self, s: S, [a, b]: [S::V; 2], powers: &H, power: usize) {
        debug_assert!(PAIRED, "otherwise the pairs are not reduced");
        self.pairs.add_pair(s, a, b, powers, power);
    }

    /// The element that the sum stands for, each lane for itself.
    #[inline(always)]
    pub fn reduce(self, s: S) -> S::V {
        if PAIRED {
            self.pairs.reduce(s)
        } else {
            self.sum.reduce(s)
        }
    }

    /// Keeps the order between the computations of this sum and of `other`; see [`Simd::order`].
    #[inline(always)]
    pub fn order(&mut self, s: S, other: &mut S::V) {
        if PAIRED {
            self.pairs.order(s, other)
        } else {
            self.sum.order(s, other)
        }
    }

    /// Has the sum made before what is read or fenced later, or tied if blocks are paired; see [`Simd::order_memory`].
    #[inline(always)]
    pub fn order_memory(&mut self, s: S) {
        if PAIRED {
            s.order(&mut self.pairs.lo, &mut self.pairs.mi);
        } else {
            self.sum.order_memory(s);
        }
    }
}
