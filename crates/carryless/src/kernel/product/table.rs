//! The table of powers of the hash key.

use zeroize::ZeroizeOnDrop;

use super::fold::shifted;
use super::rf::Sum;
use super::shift::Power;
use crate::block::{Block, Half, Lane};
use crate::field;
use crate::secret;
use crate::simd::{self, Simd};

/// Rows behind the powers of a table where vectors have several lanes: one may begin with any power. What meets them is zero.
pub const PAD: usize = 4;

/// The hash key: powers of the twisted H, highest first. Blocks in flight may not exceed them.
///
/// Each lane is a little-endian 128-bit integer.
pub trait HashKey {
    /// The highest power.
    const POWERS: usize;
    /// Whether a block is a big-endian integer, as GHASH has it; otherwise a little-endian one.
    const BIG: bool = true;

    /// The integers that blocks are.
    #[inline(always)]
    fn integers<S: Simd>(s: S, blocks: S::V) -> S::V {
        if Self::BIG { s.reverse(blocks) } else { blocks }
    }
    /// `H^POWERS`, .., `H^2`, `H`, and [`PAD`] rows of something.
    fn h(&self) -> &[Lane];
    /// `H^POWERS x^-64` and so on, for the form R/F; so many rows behind as well.
    fn d(&self) -> &[Lane];
    /// The sums of both halves of each of the powers, for Karatsuba's: of two vectors at a time, lane by
    /// lane.
    fn sums(&self) -> &[Half];
}

/// The powers of another hash key for POLYVAL, whose blocks are little-endian integers (RFC 8452 section 3).
pub struct Little<'a, H>(pub &'a H);

impl<H: HashKey> HashKey for Little<'_, H> {
    const POWERS: usize = H::POWERS;
    const BIG: bool = false;

    #[inline(always)]
    fn h(&self) -> &[Lane] {
        self.0.h()
    }
    #[inline(always)]
    fn d(&self) -> &[Lane] {
        self.0.d()
    }
    #[inline(always)]
    fn sums(&self) -> &[Half] {
        self.0.sums()
    }
}

/// Powers of H in the lanes of a vector, and the same `x^-64`.
pub struct Row<S: Simd> {
    pub(super) h: S::V,
    pub(super) d: S::V,
}

impl<S: Simd> Clone for Row<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Simd> Copy for Row<S> {}

impl<S: Simd> Row<S> {
    /// Half of the lanes of `low`, and the upper half of those of `high`.
    ///
    /// # Constant time
    /// Secret: both.
    #[inline(always)]
    pub fn splice(s: S, low: Self, high: Self) -> Self {
        let (h, d) = (s.splice(low.h, high.h), s.splice(low.d, high.d));
        Self { h, d }
    }
}

/// Powers of H in a row, from one on down, and rows behind the last. Lanes behind the data must be zero: what they meet is
/// something.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    pub(super) h: &'a [Lane],
    pub(super) d: &'a [Lane],
}

impl<'a> Span<'a> {
    /// So many rows from `H^power` on; `None` if the table does not go so far up or down.
    ///
    /// * `rows`: a constant: then it is the proof that loads need no check.
    #[inline(always)]
    pub fn new<H: HashKey>(powers: &'a H, power: usize, rows: usize) -> Option<Self> {
        let first = H::POWERS.checked_sub(power)?;
        let rows = first..first + rows;
        let (h, d) = (powers.h().get(rows.clone())?, powers.d().get(rows)?);
        Some(Self { h, d })
    }

    /// The first power in the lane `at`, H itself in the one behind it; the others are not zero.
    ///
    /// # Constant time
    /// Secret: what is in them. Public: `at`.
    #[inline(always)]
    pub fn ends<S: Simd, H: HashKey>(&self, s: S, powers: &H, at: usize) -> Row<S> {
        let (n, last) = (s.narrow(), H::POWERS - 1);
        let h = s.insert(s.splat(&self.h[0]), at + 1, n.splat(&powers.h()[last]));
        let d = s.insert(s.splat(&self.d[0]), at + 1, n.splat(&powers.d()[last]));
        Row { h, d }
    }

    /// The powers from row `at` on.
    ///
    /// # Constant time
    /// Secret: what is in them. Public: `at`.
    #[inline(always)]
    pub fn row<S: Simd>(&self, s: S, at: usize) -> Row<S> {
        let (h, d) = (s.rows(self.h, at), s.rows(self.d, at));
        Row { h, d }
    }
}

/// [`HashKey`] of `N` powers: as many as the last blocks of a message take with the block of their AAD and that of the lengths.
/// Of the lower `T` there are sums, for what is multiplied in pairs, two in a row; `R` rows are all.
///
/// One table, so that there is something behind the powers: behind `d` stands `h`, and behind that the sums. So the powers of a
/// turn begin a line of the cache, as their number and that of the highest is what it is.
#[repr(C, align(64))]
#[derive(Clone)]
pub struct Powers<const N: usize, const T: usize, const R: usize> {
    pub(super) rows: [Lane; R],
}

impl<const N: usize, const T: usize, const R: usize> HashKey for Powers<N, T, R> {
    const POWERS: usize = N;

    #[inline(always)]
    fn h(&self) -> &[Lane] {
        &self.rows[N..]
    }
    #[inline(always)]
    fn d(&self) -> &[Lane] {
        &self.rows
    }
    #[inline(always)]
    fn sums(&self) -> &[Half] {
        &simd::halves(&self.rows)[2 * R - T..]
    }
}

impl<const N: usize, const T: usize, const R: usize> Default for Powers<N, T, R> {
    /// Of the hash key zero.
    #[inline(always)]
    fn default() -> Self {
        Self {
            rows: [Lane([0; 16]); R],
        }
    }
}

impl<const N: usize, const T: usize, const R: usize> Drop for Powers<N, T, R> {
    fn drop(&mut self) {
        secret::wipe(&mut self.rows);
    }
}

impl<const N: usize, const T: usize, const R: usize> ZeroizeOnDrop for Powers<N, T, R> {}

/// As many powers as there are, and the sums of their halves.
pub const ALL: usize = usize::MAX;

impl<const N: usize, const T: usize, const R: usize> Powers<N, T, R> {
    /// The powers of the hash key `h`.
    ///
    /// # Constant time
    /// Secret: `h`.
    #[inline(always)]
    pub fn new<S: Simd>(s: S, h: &Block) -> Self {
        let mut powers = Self::default();
        let h = u128::from_be_bytes(*h);
        powers.set_up_to(s, [h as u64, (h >> 64) as u64], ALL);
        powers
    }

    /// Sets the powers of the key `h` of POLYVAL, as many as `most`.
    ///
    /// # Constant time
    /// Secret: `h`. Public: `most`.
    #[inline(always)]
    pub fn set_little<S: Simd>(s: S, powers: &mut Self, h: &Block, most: usize) {
        let h = field::untwist(u128::from_le_bytes(*h));
        powers.set_up_to(s, [h as u64, (h >> 64) as u64], most);
    }

    /// Sets the powers of the hash key with these words, each time as many again, so that hardly one waits for another.
    ///
    /// * `most`: up to this one at least, [`ALL`] if turns or pairs of blocks follow.
    ///
    /// # Constant time
    /// Secret: `h`. Public: `most`.
    #[inline(always)]
    pub(in crate::kernel) fn set_up_to<S: Simd>(&mut self, s: S, [lo, hi]: [u64; 2], most: usize) {
        const { assert!(N <= 32 * S::LANES, "doubled so often") };
        const { assert!(N >= S::LANES && N.is_multiple_of(S::Short::LANES)) };
        const { assert!(S::LANES == 1 || (R - 2 * N >= PAD && T.is_multiple_of(2 * S::LANES))) };
        const { assert!(N >= T && R == 2 * N + T.div_ceil(2) && T.div_ceil(2 * S::LANES) <= 16) };
        let twisted = field::twist(u128::from(lo) | u128::from(hi) << 64);
        self.set_lowest(s, [twisted as u64, (twisted >> 64) as u64]);
        self.double::<S, 1>(s, most);
        self.double::<S, 2>(s, most);
        self.double::<S, 4>(s, most);
        self.double::<S, 8>(s, most);
        self.double::<S, 16>(s, most);
        if most == ALL {
            each!(i in T.div_ceil(2 * S::LANES) => {
                // The last of an odd number on one lane: one of them is there already.
                self.add_halves(s, (T - 2 * i * S::LANES).max(2 * S::LANES));
            });
        }
    }

    /// Sets H, of these words, and the powers above it that are in its vector: stored one by one they could not be loaded at
    /// once for a while.
    #[inline(always)]
    fn set_lowest<S: Simd>(&mut self, s: S, words: [u64; 2]) {
        let (n, mut powers) = (s.narrow(), s.splat_words(words));
        if S::LANES > 1 {
            let first = n.splat_words(words);
            let second = Power::new(n, first).times(n, first);
            powers = s.insert(powers, S::LANES - 2, second);
            if S::LANES == 4 {
                let square = Power::new(n, second);
                powers = s.insert(powers, 1, square.times(n, first));
                powers = s.insert(powers, 0, square.times(n, second));
            }
        }
        self.set(s, S::LANES, powers);
    }

    /// Sets as many powers again as `VECTORS` hold, if there are so many, and `most` is among them.
    #[inline(always)]
    fn double<S: Simd, const VECTORS: usize>(&mut self, s: S, most: usize) {
        let there = VECTORS * S::LANES;
        if there >= N || most <= there {
            return;
        }
        each!(i in VECTORS => {
            if there + (i + 1) * S::LANES <= N {
                self.multiply(s, (i + 1) * S::LANES, there);
            }
        });
        if N < 2 * there && !(N - there).is_multiple_of(S::LANES) {
            self.multiply(s.short(), N - there, there);
        }
    }

    /// Sets `H^n`, and in the other lanes the powers below.
    #[inline(always)]
    fn set<S: Simd>(&mut self, s: S, n: usize, h: S::V) {
        s.set_rows(&mut self.rows, 2 * N - n, h);
        s.set_rows(&mut self.rows, N - n, shifted(s, h));
    }

    /// Sets `H^(a + b)` and the powers below, as many as there are lanes.
    #[inline(always)]
    fn multiply<S: Simd>(&mut self, s: S, a: usize, b: usize) {
        let mut sum = Sum::zero(s);
        let x = s.rows(&self.rows, 2 * N - a);
        sum.add_splat(s, x, self, b);
        self.set(s, a + b, sum.reduce(s));
    }

    /// Sets the sums of halves of `H^n` and the powers below, two vectors of them.
    #[inline(always)]
    fn add_halves<S: Simd>(&mut self, s: S, n: usize) {
        let (h, g) = (
            s.rows(&self.rows, 2 * N - n),
            s.rows(&self.rows, 2 * N - n + S::LANES),
        );
        let sums = s.xor(s.low_halves(h, g), s.high_halves(h, g));
        s.set_halves(simd::halves_mut(&mut self.rows), 2 * R - n, sums);
    }
}
