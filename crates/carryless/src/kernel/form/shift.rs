//! A hash times a power of H that is too high to be stored: for merging hashes of parts.

use super::{Powers, Sum, shifted};
use crate::kernel::ghash::{load_acc, store_acc};
use crate::simd::Simd;

impl<const P: usize> Powers<P> {
    /// `acc * H^blocks`: square and multiply, from the lowest bit up (`techniques` 1.6).
    ///
    /// # Constant time
    /// Secret: `powers`, `acc`. Public: `blocks`.
    #[inline(always)]
    pub fn shift<S: Simd>(s: S, powers: &Self, acc: u128, mut blocks: u64) -> u128 {
        let s = s.narrow();
        let mut y = load_acc(s, acc);
        // H, H^2, H^4, ..: the product of twisted elements is twisted.
        let mut square = s.rows(&powers.h, P - 1);
        while blocks != 0 {
            let d = shifted(s, square);
            if blocks & 1 == 1 {
                y = times(s, y, square, d);
            }
            blocks >>= 1;
            square = times(s, square, square, d);
        }
        store_acc(s, y)
    }
}

/// `x * h`, where `d = h x^-64`.
#[inline(always)]
fn times<S: Simd>(s: S, x: S::V, h: S::V, d: S::V) -> S::V {
    let mut sum = Sum::zero(s);
    sum.add_product(s, x, h, d);
    sum.reduce(s)
}
