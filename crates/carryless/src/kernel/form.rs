//! Products in GF(2^128) on vectors, and the hash key they want (`techniques` 1.1 to 1.5).

use zeroize::ZeroizeOnDrop;

use crate::block::{Block, Lane};
use crate::field;
use crate::secret;
use crate::simd::Simd;

/// Powers of H that every kernel needs: eight for a turn, one more for the length block behind a tail
/// of eight.
pub const POWERS: usize = 9;

/// The hash key: `x^64`-shifted and plain powers of the twisted H, highest first, so that the
/// vector at `P - n` starts with `H^n`. Blocks in flight may not exceed the `P` powers.
///
/// Each lane is a little-endian 128-bit integer.
#[repr(C, align(64))]
#[derive(Clone)]
pub struct Powers<const P: usize = POWERS> {
    h: [Lane; P],
    d: [Lane; P],
}

impl<const P: usize> Drop for Powers<P> {
    fn drop(&mut self) {
        secret::wipe(&mut self.h);
        secret::wipe(&mut self.d);
    }
}

impl<const P: usize> ZeroizeOnDrop for Powers<P> {}

/// `0xc2 << 56` in the low half: the fold constant.
const FOLD: [u64; 2] = [field::FOLD, 0];

/// Sums of products that are reduced together: `R` and `F`, meaning `R + F x^-64`.
///
/// With `d = h x^-64` stored beside each power `h`, a product is four multiplications without a
/// shuffle, and the reduction of any number of them is one: `R + swap(F) + F.lo * C2`
/// (`techniques` 1.3, form R/F). That is the shortest chain from a block to its hash.
pub struct Sum<S: Simd> {
    r: S::V,
    f: S::V,
}

impl<S: Simd> Clone for Sum<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Simd> Copy for Sum<S> {}

impl<S: Simd> Sum<S> {
    /// The empty sum.
    #[inline(always)]
    pub fn zero(s: S) -> Self {
        Self {
            r: s.zero(),
            f: s.zero(),
        }
    }

    /// Adds the products of the lanes of `x` with `H^power`, `H^(power - 1)`, ..
    ///
    /// # Constant time
    /// Secret: `x`, `powers`. Public: `power`.
    #[inline(always)]
    pub fn add<const P: usize>(&mut self, s: S, x: S::V, powers: &Powers<P>, power: usize) {
        let (h, d) = (s.rows(&powers.h, P - power), s.rows(&powers.d, P - power));
        self.add_product(s, x, h, d);
    }

    /// Adds the products of `N` vectors of blocks as they lie in memory, the first of them with the
    /// hash `y` before it, and descending powers from `power` on.
    ///
    /// # Constant time
    /// Secret: `blocks`, `y`, `powers`. Public: `power`.
    #[inline(always)]
    pub fn add_all<const N: usize, const P: usize>(
        &mut self,
        s: S,
        blocks: &[S::V; N],
        y: S::V,
        powers: &Powers<P>,
        power: usize,
    ) {
        each!(i in N => {
            let x = s.reverse(blocks[i]);
            self.add(s, if i == 0 { s.xor(x, y) } else { x }, powers, power - i * S::LANES);
        });
    }

    /// Adds `x * h`, where `d = h x^-64`.
    #[inline(always)]
    fn add_product(&mut self, s: S, x: S::V, h: S::V, d: S::V) {
        let r = s.xor(s.clmul_lo_hi(x, d), s.clmul_hi_hi(x, h));
        let f = s.xor(s.clmul_lo_lo(x, d), s.clmul_hi_lo(x, h));
        self.r = s.xor(self.r, r);
        self.f = s.xor(self.f, f);
    }

    /// The element that the sum stands for, each lane for itself.
    #[inline(always)]
    pub fn reduce(self, s: S) -> S::V {
        let folded = s.clmul_lo_lo(self.f, s.splat_words(FOLD));
        s.xor(s.xor(self.r, s.swap(self.f)), folded)
    }

    /// Keeps the order between the computations of this sum and of `other`; see [`Simd::tie`].
    #[inline(always)]
    pub fn tie(&mut self, s: S, other: &mut S::V) {
        s.tie(&mut self.r, other);
    }
}

/// `h x^-64` (`techniques` 1.3).
#[inline(always)]
fn shifted<S: Simd>(s: S, h: S::V) -> S::V {
    s.xor(s.swap(h), s.clmul_lo_lo(h, s.splat_words(FOLD)))
}

impl<const P: usize> Powers<P> {
    /// The powers of the hash key `h`, by doubling the known ones: four levels, not eight steps; those
    /// beyond [`POWERS`] a vector at a time.
    ///
    /// # Constant time
    /// Secret: `h`.
    #[inline(always)]
    pub fn new<S: Simd>(s: S, h: &Block) -> Self {
        const { assert!(P == POWERS || P.is_multiple_of(4) && P > POWERS && P <= 44) };
        let n = s.narrow();
        let twisted = field::twist(u128::from_be_bytes(*h));
        let first = n.splat_words([twisted as u64, (twisted >> 64) as u64]);
        let mut powers = Self {
            h: [Lane([0; 16]); P],
            d: [Lane([0; 16]); P],
        };
        powers.set(n, 1, first);
        powers.multiply(n, 1, 1);
        powers.multiply(n, 2, 1);
        powers.multiply(n, 2, 2);
        powers.multiply(n, 4, 1);
        powers.multiply(n, 4, 2);
        powers.multiply(n, 4, 3);
        powers.multiply(n, 4, 4);
        if P == POWERS {
            powers.multiply(n, 5, 4);
        } else {
            powers.lift(s, 8, 4);
            each!(i in (P / 4).saturating_sub(3) => { powers.lift(s, 8 + 4 * i, 8); });
        }
        powers
    }

    /// Sets `H^n`, and in the other lanes the powers below.
    #[inline(always)]
    fn set<S: Simd>(&mut self, s: S, n: usize, h: S::V) {
        s.set_rows(&mut self.h, P - n, h);
        s.set_rows(&mut self.d, P - n, shifted(s, h));
    }

    /// Sets `H^(a + b)`.
    #[inline(always)]
    fn multiply<S: Simd<Narrow = S>>(&mut self, s: S, a: usize, b: usize) {
        let mut sum = Sum::zero(s);
        let x = s.rows(&self.h, P - a);
        sum.add(s, x, self, b);
        self.set(s, a + b, sum.reduce(s));
    }

    /// Sets `H^(a + b)` and the powers below, as many as there are lanes.
    #[inline(always)]
    fn lift<S: Simd>(&mut self, s: S, a: usize, b: usize) {
        let mut sum = Sum::zero(s);
        let (h, d) = (s.splat(&self.h[P - b]), s.splat(&self.d[P - b]));
        sum.add_product(s, s.rows(&self.h, P - a), h, d);
        self.set(s, a + b, sum.reduce(s));
    }
}

mod shift;
pub use shift::Power;

#[cfg(test)]
mod tests;
