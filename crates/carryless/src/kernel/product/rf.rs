//! Products in the form R/F (`docs/math.md` 3).

use super::fold::fold;
use super::table::{HashKey, PAD, Row, Span};
use crate::simd::Simd;

/// Sums of products that are reduced together: `R` and `F`, meaning `R + F x^-64`.
///
/// With `d = h x^-64` stored beside each power `h`, a product is four multiplications without a
/// shuffle, and the reduction of any number of them is one: `R + swap(F) + F.lo * C2`
/// (`docs/math.md` 3, form R/F). That is the shortest chain from a block to its hash.
pub struct Sum<S: Simd> {
    pub(super) r: S::V,
    pub(super) f: S::V,
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

    /// The sum that stands for `y`.
    #[inline(always)]
    pub fn of(s: S, y: S::V) -> Self {
        Self { r: y, f: s.zero() }
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
        s.add_product(&mut self.r, &mut self.f, x, h, d);
    }

    /// The element that the sum stands for, each lane for itself.
    #[inline(always)]
    pub fn reduce(self, s: S) -> S::V {
        let folded = fold(s, self.f);
        s.xor(s.xor(self.r, s.swap(self.f)), folded)
    }

    /// Keeps the order between the computations of this sum and of `other`; see [`Simd::order`].
    #[inline(always)]
    pub fn order(&mut self, s: S, other: &mut S::V) {
        s.order(&mut self.r, other);
    }

    /// Has the sum made before what is read or fenced later; see [`Simd::order_memory`].
    #[inline(always)]
    pub fn order_memory(&mut self, s: S) {
        s.order_memory(&mut self.r, &mut self.f);
    }
}
