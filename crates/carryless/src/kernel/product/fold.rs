//! The fold: a division by `x^64` (`docs/math.md` 2).

use crate::field;
use crate::simd::{Columns, Simd};

/// `0xc2 << 56` in the low half: the fold constant.
const FOLD: [u64; 2] = [field::FOLD, 0];

/// The products of the low halves with the fold constant (`docs/math.md` 2).
#[inline(always)]
pub(super) fn fold<S: Simd>(s: S, v: S::V) -> S::V {
    s.clmul_lo_lo(v, s.splat_words(FOLD))
}

/// The same by shifts: the constant has three bits.
#[inline(always)]
pub(super) fn fold_by_shifts<S: Columns>(s: S, v: S::V) -> S::V {
    let (low, high) = (s.shift_left::<63>(v), s.shift_right::<1>(v));
    let low = s.xor(s.xor(low, s.shift_left::<62>(v)), s.shift_left::<57>(v));
    let high = s.xor(s.xor(high, s.shift_right::<2>(v)), s.shift_right::<7>(v));
    s.low_halves(low, high)
}

/// `h x^-64` (`docs/math.md` 3).
#[inline(always)]
pub(super) fn shifted<S: Simd>(s: S, h: S::V) -> S::V {
    s.xor(s.swap(h), fold(s, h))
}
