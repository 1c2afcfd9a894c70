//! The vectors of SSE2, which every x86-64 CPU has.

use core::arch::x86_64 as arch;

pub(super) use arch::__m128i as V;

/// Safe functions of the intrinsics.
macro_rules! always {
    ($($name:ident $(<$N:ident: $I:ty>)? ($($arg:ident: $Arg:ty),*) -> $Out:ty = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        pub(super) fn $name $(<const $N: $I>)? ($($arg: $Arg),*) -> $Out {
            // SAFETY: this module exists only if the whole build has the feature `sse2`.
            unsafe { arch::$intrinsic $(::<$N>)? ($($arg),*) }
        }
    )*};
}

always! {
    xor(a: V, b: V) -> V = _mm_xor_si128;
    and(a: V, b: V) -> V = _mm_and_si128;
    or(a: V, b: V) -> V = _mm_or_si128;
    equal(a: V, b: V) -> V = _mm_cmpeq_epi8;
    down<N: i32>(v: V) -> V = _mm_srli_epi64;
    up<N: i32>(v: V) -> V = _mm_slli_epi64;
    down_row<N: i32>(v: V) -> V = _mm_srli_epi32;
    up_row<N: i32>(v: V) -> V = _mm_slli_epi32;
    rows<N: i32>(v: V) -> V = _mm_shuffle_epi32;
    low_pairs<N: i32>(v: V) -> V = _mm_shufflelo_epi16;
    high_pairs<N: i32>(v: V) -> V = _mm_shufflehi_epi16;
    interleave(a: V, b: V) -> V = _mm_unpacklo_epi8;
    high_halves(a: V, b: V) -> V = _mm_unpackhi_epi64;
    set(high: i64, low: i64) -> V = _mm_set_epi64x;
    low(v: V) -> i64 = _mm_cvtsi128_si64;
}

#[inline(always)]
pub(super) fn new(words: [u64; 2]) -> V {
    set(words[1].cast_signed(), words[0].cast_signed())
}

#[inline(always)]
pub(super) fn words(v: V) -> [u64; 2] {
    [low(v), low(high_halves(v, v))].map(i64::cast_unsigned)
}

/// Each byte of the word twice.
#[inline(always)]
pub(super) fn twice(word: u64) -> V {
    let v = new([word, 0]);
    interleave(v, v)
}

/// Two perfect shuffles turn the four bits of a byte's number by two places.
#[inline(always)]
pub(super) fn transpose_bytes(v: V) -> V {
    let v = interleave(v, high_halves(v, v));
    interleave(v, high_halves(v, v))
}

#[inline(always)]
pub(super) fn rotate<const ROWS: u32, const COLS: u32>(v: V) -> V {
    let v = if ROWS == 1 {
        rows::<0b00_11_10_01>(v)
    } else {
        rows::<0b01_00_11_10>(v)
    };
    match COLS {
        0 => v,
        1 => or(down_row::<8>(v), up_row::<24>(v)),
        2 => high_pairs::<0b10_11_00_01>(low_pairs::<0b10_11_00_01>(v)),
        _ => or(down_row::<24>(v), up_row::<8>(v)),
    }
}

#[inline(always)]
pub(super) fn skew(v: V) -> V {
    high_pairs::<0b10_11_01_00>(low_pairs::<0b10_11_01_00>(v))
}
