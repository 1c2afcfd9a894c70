//! The powers of a hash key that is used for one message, on the stack of its kernel, which is overwritten behind it.

use super::rf::Sum;
use super::shift::Power;
use super::table::HashKey;
use crate::block::{Half, Lane};
use crate::simd::tuning::TURN;
use crate::simd::{self, Simd};

/// How many are the lowest.
pub const FEW: usize = 4;

/// The lowest powers of a key of POLYVAL, whose blocks are little-endian integers and whose key wants no twist (RFC 8452 section 3).
#[repr(C, align(16))]
pub struct Lowest([Lane; 2 * FEW]);

impl HashKey for Lowest {
    const POWERS: usize = FEW;
    const BIG: bool = false;

    #[inline(always)]
    fn h(&self) -> &[Lane] {
        &self.0
    }
    #[inline(always)]
    fn d(&self) -> &[Lane] {
        &self.0[FEW..]
    }
    /// None: they are multiplied in the form R/F.
    #[inline(always)]
    fn sums(&self) -> &[Half] {
        &[]
    }
}

impl Lowest {
    /// Those of the key `h`.
    ///
    /// # Constant time
    /// Secret: `h`.
    #[inline(always)]
    pub fn new<S: Simd<Narrow = S>>(s: S, h: S::V) -> Self {
        let h = Power::new(s, h);
        let square = h.square(s);
        let powers = [square.square(s), square.by(s, &h), square, h];
        let mut rows = [Lane([0; 16]); 2 * FEW];
        each!(i in FEW => {
            let row = powers[i].row();
            s.set_rows(&mut rows, i, row.h);
            s.set_rows(&mut rows, FEW + i, row.d);
        });
        Self(rows)
    }

    /// Those of a turn of one lane.
    ///
    /// # Constant time
    /// Secret: the powers.
    #[inline(always)]
    pub fn for_turn<S: Simd<Narrow = S>>(&self, s: S) -> TurnPowers {
        const { assert!(FEW <= TURN && TURN <= 2 * FEW, "products with the highest") };
        let (mut h, mut rows) = ([s.zero(); TURN], [Lane([0; 16]); TURN + TURN / 2]);
        each!(i in FEW => { h[TURN - FEW + i] = s.rows(&self.0, i); });
        each!(i in TURN - FEW => {
            let mut sum = Sum::zero(s);
            sum.add(s, h[FEW + i], self, FEW);
            h[i] = sum.reduce(s);
        });
        each!(i in TURN => { s.set_rows(&mut rows, i, h[i]); });
        each!(i in TURN / 2 => {
            let [a, b] = [h[2 * i], h[2 * i + 1]];
            let sums = s.xor(s.low_halves(a, b), s.high_halves(a, b));
            s.set_halves(simd::halves_mut(&mut rows), 2 * (TURN + i), sums);
        });
        TurnPowers(rows)
    }
}

/// The powers of a turn, and their sums.
#[repr(C, align(16))]
pub struct TurnPowers([Lane; TURN + TURN / 2]);

impl HashKey for TurnPowers {
    const POWERS: usize = TURN;
    const BIG: bool = false;

    #[inline(always)]
    fn h(&self) -> &[Lane] {
        &self.0
    }
    /// None: they are multiplied by Karatsuba's three multiplications.
    #[inline(always)]
    fn d(&self) -> &[Lane] {
        &[]
    }
    #[inline(always)]
    fn sums(&self) -> &[Half] {
        &simd::halves(&self.0)[2 * TURN..]
    }
}
