//! The powers of a hash key of POLYVAL that is used for one message, whose blocks are little-endian integers and whose key wants no
//! twist (RFC 8452 section 3).

use super::rf::Sum;
use super::shift::Power;
use super::table::HashKey;
use crate::block::{Half, Lane};
use crate::simd::tuning::TURN;
use crate::simd::{self, Simd};

/// How many are the lowest.
pub const FEW: usize = 4;

/// The lowest powers, in registers.
pub struct Lowest<S: Simd>([Power<S>; FEW]);

impl<S: Simd<Narrow = S>> Lowest<S> {
    /// Those of the key `h`.
    ///
    /// # Constant time
    /// Secret: `h`.
    #[inline(always)]
    pub fn new(s: S, h: S::V) -> Self {
        let h = Power::new(s, h);
        let square = h.square(s);
        let [cube, fourth] = [square.by(s, &h), square.square(s)];
        Self([h, square, cube, fourth])
    }

    /// Adds the product of power `n` (1 to [`FEW`]) with `x`.
    #[inline(always)]
    pub fn add(&self, s: S, sum: &mut Sum<S>, n: usize, x: S::V) {
        self.0[n - 1].add(s, sum, x);
    }

    /// The product of the key itself with `x`.
    #[inline(always)]
    pub fn times(&self, s: S, x: S::V) -> S::V {
        self.0[0].times(s, x)
    }
}

/// The powers of a turn of one lane, and their sums, on the stack of a kernel, which is overwritten behind it.
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

impl TurnPowers {
    /// Those of the key `h`.
    ///
    /// # Constant time
    /// Secret: `h`.
    #[inline(always)]
    pub fn new<S: Simd<Narrow = S>>(s: S, h: S::V) -> Self {
        const { assert!(FEW <= TURN && TURN <= 2 * FEW, "products with the highest") };
        let lowest = Lowest::new(s, h).0;
        let (mut h, mut rows) = ([h; TURN], [Lane([0; 16]); TURN + TURN / 2]);
        each!(i in FEW => { h[TURN - 1 - i] = lowest[i].row().h; });
        each!(i in TURN - FEW => { h[TURN - FEW - 1 - i] = lowest[FEW - 1].times(s, lowest[i].row().h); });
        each!(i in TURN => { s.set_rows(&mut rows, i, h[i]); });
        each!(i in TURN / 2 => {
            let [a, b] = [h[2 * i], h[2 * i + 1]];
            let sums = s.xor(s.low_halves(a, b), s.high_halves(a, b));
            s.set_halves(simd::halves_mut(&mut rows), 2 * (TURN + i), sums);
        });
        Self(rows)
    }
}
