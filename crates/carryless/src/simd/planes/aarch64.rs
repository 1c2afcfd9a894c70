//! The vectors of NEON, little-endian.

use core::arch::aarch64 as arch;

pub(super) use arch::uint8x16_t as V;

use arch::{uint64x1_t, uint64x2_t};

/// Safe functions of the intrinsics.
macro_rules! always {
    ($($name:ident $(<$N:ident>)? ($($arg:ident: $Arg:ty),*) -> $Out:ty = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        pub(super) fn $name $(<const $N: i32>)? ($($arg: $Arg),*) -> $Out {
            // SAFETY: this module exists only if the whole build has the feature `neon`.
            unsafe { arch::$intrinsic $(::<$N>)? ($($arg),*) }
        }
    )*};
}

always! {
    xor(a: V, b: V) -> V = veorq_u8;
    and(a: V, b: V) -> V = vandq_u8;
    common_bits(a: V, b: V) -> V = vtstq_u8;
    permute(v: V, order: V) -> V = vqtbl1q_u8;
    interleave(a: V, b: V) -> V = vzip1q_u8;
    down_words<N>(v: uint64x2_t) -> uint64x2_t = vshrq_n_u64;
    up_words<N>(v: uint64x2_t) -> uint64x2_t = vshlq_n_u64;
    as_words(v: V) -> uint64x2_t = vreinterpretq_u64_u8;
    as_bytes(v: uint64x2_t) -> V = vreinterpretq_u8_u64;
    half(word: u64) -> uint64x1_t = vcreate_u64;
    join(low: uint64x1_t, high: uint64x1_t) -> uint64x2_t = vcombine_u64;
    word<N>(v: uint64x2_t) -> u64 = vgetq_lane_u64;
}

#[inline(always)]
pub(super) fn new(words: [u64; 2]) -> V {
    as_bytes(join(half(words[0]), half(words[1])))
}

#[inline(always)]
pub(super) fn words(v: V) -> [u64; 2] {
    [word::<0>(as_words(v)), word::<1>(as_words(v))]
}

#[inline(always)]
pub(super) fn down<const N: i32>(v: V) -> V {
    as_bytes(down_words::<N>(as_words(v)))
}

#[inline(always)]
pub(super) fn up<const N: i32>(v: V) -> V {
    as_bytes(up_words::<N>(as_words(v)))
}

/// Each byte of the word twice.
#[inline(always)]
pub(super) fn twice(word: u64) -> V {
    let v = new([word, 0]);
    interleave(v, v)
}

/// For each byte all ones if it equals `b`, which has ones where `a` has all or none.
#[inline(always)]
pub(super) fn equal(a: V, b: V) -> V {
    common_bits(a, b)
}

#[inline(always)]
pub(super) fn transpose_bytes(v: V) -> V {
    permute(v, new([0x0d09_0501_0c08_0400, 0x0f0b_0703_0e0a_0602]))
}

#[inline(always)]
pub(super) fn rotate<const ROWS: u32, const COLS: u32>(v: V) -> V {
    permute(v, new(const { rotation(ROWS, COLS) }))
}

#[inline(always)]
pub(super) fn skew(v: V) -> V {
    permute(v, new([0x0504_0706_0302_0100, 0x0d0c_0f0e_0b0a_0908]))
}

/// For each byte the number of that which [`rotate`] moves there.
const fn rotation(rows: u32, cols: u32) -> [u64; 2] {
    let (mut order, mut n) = ([0; 2], 0);
    while n < 16 {
        let from = 4 * ((n / 4 + rows) % 4) + (n + cols) % 4;
        order[(n / 8) as usize] |= (from as u64) << (8 * (n % 8));
        n += 1;
    }
    order
}
