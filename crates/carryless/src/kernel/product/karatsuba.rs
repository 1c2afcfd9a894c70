//! Products by Karatsuba's three multiplications (`docs/math.md` 3).

use super::fold::fold;
use super::rf::Sum;
use super::table::HashKey;
use crate::simd::Simd;

/// Sums of products that are reduced together, by Karatsuba's three multiplications: low halves, high
/// halves, and sums of both, from which the first two are yet to be taken.
///
/// For turns, and last passes in pairs: a product costs one multiplication less than in the form R/F, the reduction one more.
pub struct Karatsuba<S: Simd> {
    pub(super) lo: S::V,
    pub(super) mi: S::V,
    pub(super) hi: S::V,
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
        s.order(&mut a, &mut b);
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

    /// Adds two products of low halves (part 0), of high halves (1), or of sums of both.
    #[inline(always)]
    pub(super) fn add_part(&mut self, s: S, part: usize, [a, b]: [S::V; 2]) {
        let to = match part {
            0 => &mut self.lo,
            1 => &mut self.hi,
            _ => &mut self.mi,
        };
        *to = s.xor(*to, s.xor(a, b));
    }

    /// Adds what another sum stands for: its `R` to the high halves, its `F` to what is between them and the low ones.
    #[inline(always)]
    pub(super) fn add_sum(&mut self, s: S, Sum { r, f }: Sum<S>) {
        self.hi = s.xor(self.hi, r);
        self.mi = s.xor(self.mi, s.xor(r, f));
    }

    /// The element that the sum stands for, each lane for itself (`docs/math.md` 2).
    #[inline(always)]
    pub fn reduce(self, s: S) -> S::V {
        let mi = s.xor(self.middle(s), fold(s, self.lo));
        s.xor(s.xor(self.hi, s.swap(mi)), fold(s, mi))
    }

    /// The same beside an AES round: each of the two products, of which one waits for the other, stands before half of the states.
    #[inline(always)]
    pub fn reduce_beside<const N: usize>(self, s: S, key: S::V, states: &mut [S::V; N]) -> S::V {
        const { assert!(N >= 4 && N.is_multiple_of(2), "two states in each half") }
        let (first, second) = states.split_at_mut(N / 2);
        let folded = fold_beside::<S, N>(s, self.lo, key, first);
        let mi = s.xor(self.middle(s), folded);
        let folded = fold_beside::<S, N>(s, mi, key, second);
        s.xor(s.xor(self.hi, s.swap(mi)), folded)
    }

    /// What is between the low and the high halves, with the low ones as they stand there: their fold is yet to be added.
    #[inline(always)]
    fn middle(&self, s: S) -> S::V {
        let mi = s.xor(self.mi, s.xor(self.lo, self.hi));
        s.xor(mi, s.swap(self.lo))
    }

    /// Keeps the order between the computations of this sum and of `other`; see [`Simd::order`].
    #[inline(always)]
    pub fn order(&mut self, s: S, other: &mut S::V) {
        s.order(&mut self.hi, other);
    }
}

/// [`fold`], and a round on half of `N` states: two of them are between it and what waits for it.
#[inline(always)]
fn fold_beside<S: Simd, const N: usize>(s: S, v: S::V, key: S::V, half: &mut [S::V]) -> S::V {
    let mut folded = fold(s, v);
    each!(i of 0..2 => { s.order(&mut folded, &mut half[i]); });
    each!(i of 0..N / 2 => { half[i] = s.aes_round(half[i], key); });
    each!(i of 0..2 => { s.order(&mut folded, &mut half[i]); });
    folded
}
