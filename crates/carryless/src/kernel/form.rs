//! Products in GF(2^128) on vectors, and the hash key they want (`techniques` 1.1 to 1.5).

use zeroize::ZeroizeOnDrop;

use crate::block::{Block, Half, Lane};
use crate::field;
use crate::secret;
use crate::simd::{Columns, Simd};

/// Zeros behind the powers of a table: a vector of powers may begin with any of them.
pub const PAD: usize = 4;

/// The hash key: powers of the twisted H, highest first. Blocks in flight may not exceed them.
///
/// Each lane is a little-endian 128-bit integer.
pub trait HashKey {
    /// The highest power.
    const POWERS: usize;
    /// `H^POWERS`, .., `H^2`, `H`, and [`PAD`] zeros.
    fn h(&self) -> &[Lane];
    /// `H^POWERS x^-64` and so on, for the form R/F; zeros as well.
    fn d(&self) -> &[Lane];
    /// The sums of both halves of each of the powers, for Karatsuba's: of two vectors at a time, lane by
    /// lane.
    fn sums(&self) -> &[Half];
}

/// Powers of H in the lanes of a vector, and the same `x^-64`.
pub struct Row<S: Simd> {
    h: S::V,
    d: S::V,
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

/// Powers of H in a row, from one on down, and the zeros behind the last. Lanes behind the data must be zero: what they meet need
/// not be such a zero.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    h: &'a [Lane],
    d: &'a [Lane],
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

/// [`HashKey`] of `N` rows, the zeros among them: as many powers as the last blocks of a message take with the block of
/// their AAD and that of the lengths; of these `T` with sums, for what is multiplied in pairs.
#[repr(C, align(64))]
#[derive(Clone)]
pub struct Powers<const N: usize, const T: usize> {
    h: [Lane; N],
    d: [Lane; N],
    sums: [Half; T],
}

impl<const N: usize, const T: usize> HashKey for Powers<N, T> {
    const POWERS: usize = N - PAD;

    #[inline(always)]
    fn h(&self) -> &[Lane] {
        &self.h
    }
    #[inline(always)]
    fn d(&self) -> &[Lane] {
        &self.d
    }
    #[inline(always)]
    fn sums(&self) -> &[Half] {
        &self.sums
    }
}

impl<const N: usize, const T: usize> Default for Powers<N, T> {
    /// Of the hash key zero.
    #[inline(always)]
    fn default() -> Self {
        Self {
            h: [Lane([0; 16]); N],
            d: [Lane([0; 16]); N],
            sums: [[0; 8]; T],
        }
    }
}

impl<const N: usize, const T: usize> Drop for Powers<N, T> {
    fn drop(&mut self) {
        secret::wipe(&mut self.h);
        secret::wipe(&mut self.d);
        secret::wipe(&mut self.sums);
    }
}

impl<const N: usize, const T: usize> ZeroizeOnDrop for Powers<N, T> {}

/// `0xc2 << 56` in the low half: the fold constant.
const FOLD: [u64; 2] = [field::FOLD, 0];

/// As many powers as there are, and the sums of their halves.
pub const ALL: usize = usize::MAX;

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
    pub fn add<H: HashKey>(&mut self, s: S, x: S::V, powers: &H, power: usize) {
        let (h, d) = (powers.h(), powers.d());
        let at = H::POWERS - power;
        let (h, d) = (s.rows(h, at), s.rows(d, at));
        self.add_product(s, x, Row { h, d });
    }

    /// Adds the products of `COUNT` blocks, as far as they are there, with `H^COUNT`, .., `H`, a lane each.
    ///
    /// # Constant time
    /// Secret: `blocks`, `powers`. Public: which are there.
    #[inline(always)]
    pub fn add_blocks<H: HashKey, const COUNT: usize>(
        &mut self,
        s: S,
        blocks: [Option<<S::Narrow as Simd>::V>; COUNT],
        powers: &H,
    ) {
        const { assert!(!S::MASKS || (COUNT <= S::LANES && S::LANES <= COUNT + PAD)) };
        let mut x = s.zero();
        up_to_four!(i in COUNT => {
            if let Some(block) = blocks[i] {
                x = s.insert(x, i, block);
            }
        });
        self.add(s, x, powers, COUNT);
    }

    /// Adds the products of all lanes of `x` with `H^power`.
    ///
    /// # Constant time
    /// Secret: `x`, `powers`. Public: `power`.
    #[inline(always)]
    pub fn add_splat<H: HashKey>(&mut self, s: S, x: S::V, powers: &H, power: usize) {
        let (h, d) = (powers.h(), powers.d());
        let at = H::POWERS - power;
        let (h, d) = (s.splat(&h[at]), s.splat(&d[at]));
        self.add_product(s, x, Row { h, d });
    }

    /// Adds the products of the lanes of `x` with the powers from row `at` of `span` on; lanes behind the data are zero.
    ///
    /// # Constant time
    /// Secret: `x`, `span`. Public: `at`.
    #[inline(always)]
    pub fn add_span(&mut self, s: S, x: S::V, span: Span<'_>, at: usize) {
        self.add_product(s, x, span.row(s, at));
    }

    /// Adds the product of each lane of `x` with the first power of the span of its number.
    ///
    /// # Constant time
    /// Secret: `x`, `spans`.
    #[inline(always)]
    pub fn add_first_of_each(&mut self, s: S, x: S::V, spans: &[Span<'_>; 4]) {
        let n = s.narrow();
        let (mut h, mut d) = (s.splat(&spans[0].h[0]), s.splat(&spans[0].d[0]));
        up_to_four!(m in S::LANES => {
            if m > 0 {
                h = s.insert(h, m, n.splat(&spans[m].h[0]));
                d = s.insert(d, m, n.splat(&spans[m].d[0]));
            }
        });
        self.add_product(s, x, Row { h, d });
    }

    /// The sum of all lanes.
    ///
    /// # Constant time
    /// Secret: the sum.
    #[inline(always)]
    pub fn fold(self, s: S) -> Sum<S::Narrow> {
        let (r, f) = (s.fold(self.r), s.fold(self.f));
        Sum { r, f }
    }

    /// Adds the lanes of each of the sums, all in one, to the lane of its number.
    #[inline(always)]
    pub fn add_folded(&mut self, s: S, [a, b, c, d]: [Self; 4]) {
        self.r = s.xor(self.r, s.fold_each([a.r, b.r, c.r, d.r]));
        self.f = s.xor(self.f, s.fold_each([a.f, b.f, c.f, d.f]));
    }

    /// Adds the products of the lanes of `x` with those of the row.
    ///
    /// # Constant time
    /// Secret: all.
    #[inline(always)]
    pub fn add_product(&mut self, s: S, x: S::V, Row { h, d }: Row<S>) {
        let r = s.xor(s.clmul_lo_hi(x, d), s.clmul_hi_hi(x, h));
        let f = s.xor(s.clmul_lo_lo(x, d), s.clmul_hi_lo(x, h));
        self.r = s.xor(self.r, r);
        self.f = s.xor(self.f, f);
    }

    /// The element that the sum stands for, each lane for itself.
    #[inline(always)]
    pub fn reduce(self, s: S) -> S::V {
        let folded = fold(s, self.f);
        s.xor(s.xor(self.r, s.swap(self.f)), folded)
    }

    /// Keeps the order between the computations of this sum and of `other`; see [`Simd::tie`].
    #[inline(always)]
    pub fn tie(&mut self, s: S, other: &mut S::V) {
        s.tie(&mut self.r, other);
    }

    /// Has the sum made before what is read or fenced later; see [`Simd::fence`].
    #[inline(always)]
    pub fn fence(&mut self, s: S) {
        s.fence(&mut self.r, &mut self.f);
    }
}

/// Sums of products that are reduced together, by Karatsuba's three multiplications: low halves, high
/// halves, and sums of both, from which the first two are yet to be taken.
///
/// For turns, and last passes in pairs: a product costs one multiplication less than in the form R/F, the reduction one more.
pub struct Karatsuba<S: Simd> {
    lo: S::V,
    mi: S::V,
    hi: S::V,
}

impl<S: Simd> Clone for Karatsuba<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Simd> Copy for Karatsuba<S> {}

impl<S: Simd> Karatsuba<S> {
    /// The empty sum.
    #[inline(always)]
    pub fn zero(s: S) -> Self {
        Self {
            lo: s.zero(),
            mi: s.zero(),
            hi: s.zero(),
        }
    }

    /// Adds the products of the lanes of `a`, then of `b`, with `H^power`, `H^(power - 1)`, .., where
    /// `power` is a multiple of the lanes of both, or these are one each.
    ///
    /// The sums of halves of both vectors fit into one, which two shuffles and one XOR make.
    ///
    /// # Constant time
    /// Secret: `a`, `b`, `powers`. Public: `power`.
    #[inline(always)]
    pub fn add_pair<H: HashKey>(
        &mut self,
        s: S,
        mut a: S::V,
        mut b: S::V,
        powers: &H,
        power: usize,
    ) {
        // LLVM would merge the shuffles below with the byte reversal before, into more of them.
        s.tie(&mut a, &mut b);
        let first = H::POWERS - power;
        let (h, g) = (
            s.rows(powers.h(), first),
            s.rows(powers.h(), first + S::LANES),
        );
        let sums = s.halves(powers.sums(), powers.sums().len() - power);
        let x = s.xor(s.low_halves(a, b), s.high_halves(a, b));
        self.lo = s.xor(self.lo, s.xor(s.clmul_lo_lo(a, h), s.clmul_lo_lo(b, g)));
        self.hi = s.xor(self.hi, s.xor(s.clmul_hi_hi(a, h), s.clmul_hi_hi(b, g)));
        self.mi = s.xor(
            self.mi,
            s.xor(s.clmul_lo_lo(x, sums), s.clmul_hi_hi(x, sums)),
        );
    }

    /// Adds what another sum stands for: its `R` to the high halves, its `F` to what is between them and the low ones.
    #[inline(always)]
    fn add_sum(&mut self, s: S, Sum { r, f }: Sum<S>) {
        self.hi = s.xor(self.hi, r);
        self.mi = s.xor(self.mi, s.xor(r, f));
    }

    /// The element that the sum stands for, each lane for itself (`techniques` 1.2).
    #[inline(always)]
    pub fn reduce(self, s: S) -> S::V {
        let mi = s.xor(self.middle(s), fold(s, self.lo));
        s.xor(s.xor(self.hi, s.swap(mi)), fold(s, mi))
    }

    /// The sum of the elements of all lanes, where nothing but the multiplier is waited for: it may be spared what shifts can do.
    #[inline(always)]
    pub fn reduce_alone(self, s: S) -> <S::Narrow as Simd>::V {
        if !S::FEWER_PRODUCTS {
            return s.fold(self.reduce(s));
        }
        let n = s.narrow();
        let mi = n.xor(s.fold(self.middle(s)), fold_by_shifts(n, s.fold(self.lo)));
        n.xor(n.xor(s.fold(self.hi), n.swap(mi)), fold_by_shifts(n, mi))
    }

    /// What is between the low and the high halves, with the low ones as they stand there: their fold is yet to be added.
    #[inline(always)]
    fn middle(&self, s: S) -> S::V {
        let mi = s.xor(self.mi, s.xor(self.lo, self.hi));
        s.xor(mi, s.swap(self.lo))
    }

    /// Keeps the order between the computations of this sum and of `other`; see [`Simd::tie`].
    #[inline(always)]
    pub fn tie(&mut self, s: S, other: &mut S::V) {
        s.tie(&mut self.hi, other);
    }
}

/// Sums of products that are reduced together, of messages whose blocks meet their powers one after the other: if `paired`,
/// of two blocks at a time as [`Karatsuba`] has them, otherwise in the form of [`Sum`].
///
/// On one lane the products that wait for the last block are what a short message takes longest for: CPUs begin one every
/// other cycle (Zen, Haswell), and a fourth less of them is worth a reduction of one more.
#[derive(Clone, Copy)]
pub struct Products<S: Simd> {
    paired: bool,
    pairs: Karatsuba<S>,
    sum: Sum<S>,
}

impl<S: Simd> Products<S> {
    /// The empty sum.
    ///
    /// * `paired`: a constant; not on several lanes, whose sums of halves stand elsewhere.
    #[inline(always)]
    pub fn zero(s: S, paired: bool) -> Self {
        debug_assert!(
            !paired || S::FEWER_PRODUCTS,
            "pairs of blocks, not of vectors"
        );
        let (pairs, sum) = (Karatsuba::zero(s), Sum::zero(s));
        Self { paired, pairs, sum }
    }

    /// Adds what another sum stands for.
    #[inline(always)]
    fn add_sum(&mut self, s: S, sum: Sum<S>) {
        if self.paired {
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
        debug_assert!(self.paired, "otherwise the pairs are not reduced");
        self.pairs.add_pair(s, a, b, powers, power);
    }

    /// The element that the sum stands for, each lane for itself.
    #[inline(always)]
    pub fn reduce(self, s: S) -> S::V {
        if self.paired {
            self.pairs.reduce(s)
        } else {
            self.sum.reduce(s)
        }
    }

    /// Keeps the order between the computations of this sum and of `other`; see [`Simd::tie`].
    #[inline(always)]
    pub fn tie(&mut self, s: S, other: &mut S::V) {
        if self.paired {
            self.pairs.tie(s, other)
        } else {
            self.sum.tie(s, other)
        }
    }

    /// Has the sum made before what is read or fenced later, or tied if blocks are paired; see [`Simd::fence`].
    #[inline(always)]
    pub fn fence(&mut self, s: S) {
        if self.paired {
            s.tie(&mut self.pairs.lo, &mut self.pairs.mi);
        } else {
            self.sum.fence(s);
        }
    }
}

/// The products of the low halves with the fold constant (`techniques` 1.2).
#[inline(always)]
fn fold<S: Simd>(s: S, v: S::V) -> S::V {
    s.clmul_lo_lo(v, s.splat_words(FOLD))
}

/// The same by shifts: the constant has three bits.
#[inline(always)]
fn fold_by_shifts<S: Columns>(s: S, v: S::V) -> S::V {
    let (low, high) = (s.shift_left::<63>(v), s.shift_right::<1>(v));
    let low = s.xor(s.xor(low, s.shift_left::<62>(v)), s.shift_left::<57>(v));
    let high = s.xor(s.xor(high, s.shift_right::<2>(v)), s.shift_right::<7>(v));
    s.low_halves(low, high)
}

/// `h x^-64` (`techniques` 1.3).
#[inline(always)]
fn shifted<S: Simd>(s: S, h: S::V) -> S::V {
    s.xor(s.swap(h), fold(s, h))
}

impl<const N: usize, const T: usize> Powers<N, T> {
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

    /// Sets the powers of the hash key with these words, by doubling the known ones: four levels, not
    /// eight steps; those beyond eight a vector at a time.
    ///
    /// * `most`: up to this one at least, [`ALL`] if turns or pairs of blocks follow.
    ///
    /// # Constant time
    /// Secret: `h`. Public: `most`.
    #[inline(always)]
    pub(super) fn set_up_to<S: Simd>(&mut self, s: S, [lo, hi]: [u64; 2], most: usize) {
        const { assert!(Self::POWERS >= 8 && Self::POWERS >= T) };
        // The steps that `each!` has.
        const { assert!((Self::POWERS - 8) / S::LANES <= 16 && T.div_ceil(2 * S::LANES) <= 16) };
        const { assert!((Self::POWERS - 8).is_multiple_of(S::Short::LANES)) };
        const { assert!(S::LANES == 1 || T.is_multiple_of(2 * S::LANES)) };
        let n = s.narrow();
        let twisted = field::twist(u128::from(lo) | u128::from(hi) << 64);
        let first = n.splat_words([twisted as u64, (twisted >> 64) as u64]);
        self.set(n, 1, first);
        self.multiply(n, 1, 1);
        self.multiply(n, 2, 1);
        self.multiply(n, 2, 2);
        self.multiply(n, 4, 1);
        self.multiply(n, 4, 2);
        self.multiply(n, 4, 3);
        self.multiply(n, 4, 4);
        each!(i in (Self::POWERS - 8) / S::LANES => {
            if most > 8 + i * S::LANES {
                self.multiply(s, (i + 1) * S::LANES, 8);
            }
        });
        if !(Self::POWERS - 8).is_multiple_of(S::LANES) && most > Self::POWERS - S::Short::LANES {
            self.multiply(s.short(), Self::POWERS - 8, 8);
        }
        if most == ALL {
            each!(i in T.div_ceil(2 * S::LANES) => {
                // The last of an odd number on one lane: one of them is there already.
                self.add_halves(s, (T - 2 * i * S::LANES).max(2 * S::LANES));
            });
        }
    }

    /// Sets `H^n`, and in the other lanes the powers below.
    #[inline(always)]
    fn set<S: Simd>(&mut self, s: S, n: usize, h: S::V) {
        s.set_rows(&mut self.h, Self::POWERS - n, h);
        s.set_rows(&mut self.d, Self::POWERS - n, shifted(s, h));
    }

    /// Sets `H^(a + b)` and the powers below, as many as there are lanes.
    #[inline(always)]
    fn multiply<S: Simd>(&mut self, s: S, a: usize, b: usize) {
        let mut sum = Sum::zero(s);
        let x = s.rows(&self.h, Self::POWERS - a);
        sum.add_splat(s, x, self, b);
        self.set(s, a + b, sum.reduce(s));
    }

    /// Sets the sums of halves of `H^n` and the powers below, two vectors of them.
    #[inline(always)]
    fn add_halves<S: Simd>(&mut self, s: S, n: usize) {
        let (h, g) = (
            s.rows(&self.h, Self::POWERS - n),
            s.rows(&self.h, Self::POWERS - n + S::LANES),
        );
        let sums = s.xor(s.low_halves(h, g), s.high_halves(h, g));
        s.set_halves(&mut self.sums, T - n, sums);
    }
}

mod shift;
pub use shift::Power;

#[cfg(test)]
mod tests;
