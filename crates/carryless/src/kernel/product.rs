//! Products in GF(2^128) on vectors, and the hash key they want (`docs/math.md` 1 to 4).

mod apart;
mod fold;
mod karatsuba;
mod lowest;
mod pairs;
mod rf;
mod shift;
pub mod table;

pub use self::apart::Apart;
pub use self::karatsuba::Karatsuba;
pub use self::lowest::{FEW, Lowest, TurnPowers};
pub use self::pairs::Products;
pub use self::rf::Sum;
pub use self::shift::Power;
pub use self::table::{HashKey, Little, PAD, Powers, Row, Span};
use crate::simd::Simd;

/// The hash `y` in registers: reversed bytes, a little-endian integer.
#[inline(always)]
pub fn load_acc<S: Simd<Narrow = S>>(s: S, acc: u128) -> S::V {
    s.splat_words([acc as u64, (acc >> 64) as u64])
}

/// The counterpart of [`load_acc`].
#[inline(always)]
pub fn store_acc<S: Simd<Narrow = S>>(s: S, y: S::V) -> u128 {
    let [lo, hi] = s.words(y);
    u128::from(lo) | u128::from(hi) << 64
}

#[cfg(test)]
mod tests;
