//! The vectors of WebAssembly, if the build has them; its intrinsics are safe.
#![forbid(unsafe_code)]

use core::arch::wasm32::{i8x16_shuffle, u64x2, u64x2_extract_lane, u64x2_shl, u64x2_shr};

pub(super) use core::arch::wasm32::{
    i8x16_eq as equal, v128 as V, v128_and as and, v128_xor as xor,
};

#[inline(always)]
pub(super) fn new(words: [u64; 2]) -> V {
    u64x2(words[0], words[1])
}

#[inline(always)]
pub(super) fn words(v: V) -> [u64; 2] {
    [u64x2_extract_lane::<0>(v), u64x2_extract_lane::<1>(v)]
}

#[inline(always)]
pub(super) fn down<const N: u32>(v: V) -> V {
    u64x2_shr(v, N)
}

#[inline(always)]
pub(super) fn up<const N: u32>(v: V) -> V {
    u64x2_shl(v, N)
}

/// Each byte of the word twice.
#[inline(always)]
pub(super) fn twice(word: u64) -> V {
    let v = new([word, 0]);
    i8x16_shuffle::<0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7>(v, v)
}

#[inline(always)]
pub(super) fn transpose_bytes(v: V) -> V {
    i8x16_shuffle::<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(v, v)
}

#[inline(always)]
pub(super) fn rotate<const ROWS: u32, const COLS: u32>(v: V) -> V {
    match (ROWS, COLS) {
        (1, 0) => i8x16_shuffle::<4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3>(v, v),
        (1, 1) => i8x16_shuffle::<5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0>(v, v),
        (1, 2) => i8x16_shuffle::<6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1>(v, v),
        (1, _) => i8x16_shuffle::<7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14, 3, 0, 1, 2>(v, v),
        (_, 0) => i8x16_shuffle::<8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7>(v, v),
        (_, 1) => i8x16_shuffle::<9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4>(v, v),
        (_, 2) => i8x16_shuffle::<10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5>(v, v),
        (_, _) => i8x16_shuffle::<11, 8, 9, 10, 15, 12, 13, 14, 3, 0, 1, 2, 7, 4, 5, 6>(v, v),
    }
}

#[inline(always)]
pub(super) fn skew(v: V) -> V {
    i8x16_shuffle::<0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11, 14, 15, 12, 13>(v, v)
}
