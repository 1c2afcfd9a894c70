//! From a sum of products to an element: the two forms (`docs/math.md` 10).
#![forbid(unsafe_code)]

use super::sums::{add, sub};
use super::words::{Word, short_product};
use super::{C, Element, POWERS, Wide};

/// A form of reduction, and what belongs to it.
pub(super) trait Reduction {
    /// Powers of the hash key that are kept: so many products are added up and reduced once.
    const POWERS: usize;

    /// A power as it is kept.
    fn stored<W: Word>(power: Element) -> Element;

    /// The element that the sum is, of powers as they are kept.
    ///
    /// # Constant time
    /// Secret: `sum`.
    fn reduce<W: Word>(sum: Wide) -> Element;
}

/// By 2^128 = -c: what is above 128 bits, times c, is subtracted, and what is still above is added with its sign turned once more.
pub(super) enum Fold {}

// What is added at last is below 2^31: a sum of P products, and what the hash adds to them, is below (P + 2) 2^128 p.
const _: () = assert!((POWERS as u64 + 3) * (C as u64) * (C as u64) < 1 << 31);

impl Reduction for Fold {
    const POWERS: usize = POWERS;

    #[inline(always)]
    fn stored<W: Word>(power: Element) -> Element {
        power
    }

    /// Below 2^128 + 2^31, which may be above p.
    #[inline(always)]
    fn reduce<W: Word>(sum: Wide) -> Element {
        let (low, high, top) = sum.parts();
        let (q, q_top) = W::times_c(high);
        let (low, borrow) = sub(low, q);
        // `low - above 2^128`.
        let above = q_top + short_product(C, top) + borrow;
        let (low, top) = add(low, short_product(C, above).into());
        Element { low, top }
    }
}

/// Montgomery's reduction with R = 2^128 of products with one factor times R: the powers, once and for all. So the hash is never in
/// the domain, and meets the next block as it is (Seo 2017).
///
/// R is below p, so that T/R is not below 2p as usual: what is above 128 bits is folded.
pub(super) enum Montgomery {}

impl Reduction for Montgomery {
    const POWERS: usize = 1;

    #[inline(always)]
    fn stored<W: Word>(power: Element) -> Element {
        power.times::<W>(Element::R)
    }

    #[inline(always)]
    fn reduce<W: Word>(sum: Wide) -> Element {
        let (low, high, top) = sum.parts();
        let (m, carry) = W::quotient(low);
        let (high, over) = add(high, m);
        let (high, over_again) = add(high, carry.into());
        Element::settled(high, top + over + over_again)
    }
}
