//! The fold: a division by `x^64` (`docs/math.md` 2).

use crate::field;
use crate::simd::Simd;

/// `0xc2 << 56` in the low half: the fold constant.
const FOLD: [u64; 2] = [field::FOLD, 0];

/// The products of the low halves with the fold constant (`docs/math.md` 2).
#[inline(always)]
pub(super) fn fold<S: Simd>(s: S, v: S::V) -> S::V {
    s.clmul_lo_lo(v, s.splat_words(FOLD))
}

/// `h x^-64` (`docs/math.md` 3).
#[inline(always)]
pub(super) fn shifted<S: Simd>(s: S, h: S::V) -> S::V {
    s.xor(s.swap(h), fold(s, h))
}
