//! Two lanes: VAES and VPCLMULQDQ on 256-bit registers.

use core::arch::x86_64::*;

use super::super::Simd;
use super::super::tuning::{self, Tuning};
use super::{Avx, Vaes256};
use crate::block::{Half, Lane};

impl Simd for Vaes256 {
    const LANES: usize = 2;
    const TUNING: Tuning = tuning::VAES256;
    type V = __m256i;
    type Narrow = Avx;
    type Short = Self;

    together!(__m256i, "avx2,vaes,vpclmulqdq": _mm256_xor_si256 _mm256_aesenc_epi128 _mm256_aesdec_epi128 _mm256_clmulepi64_epi128);

    #[inline(always)]
    fn narrow(self) -> Avx {
        self.into()
    }
    #[inline(always)]
    fn short(self) -> Self {
        self
    }
    #[inline(always)]
    unsafe fn read(self, src: *const u8) -> __m256i {
        // SAFETY: the caller's promise.
        unsafe { _mm256_loadu_si256(src.cast()) }
    }
    #[inline(always)]
    unsafe fn write(self, dst: *mut u8, v: __m256i) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(dst.cast(), v) }
    }
    #[inline(always)]
    fn rows(self, rows: &[Lane], at: usize) -> __m256i {
        let pair: *const [Lane] = &rows[at..at + 2];
        // SAFETY: two `Lane`s are 32 bytes.
        unsafe { _mm256_loadu_si256(pair.cast()) }
    }
    #[inline(always)]
    fn set_rows(self, rows: &mut [Lane], at: usize, v: __m256i) {
        let pair: *mut [Lane] = &mut rows[at..at + 2];
        // SAFETY: two `Lane`s are 32 bytes.
        unsafe { _mm256_storeu_si256(pair.cast(), v) }
    }
    #[inline(always)]
    fn splat(self, row: &Lane) -> __m256i {
        self.spread(self.narrow().splat(row))
    }
    #[inline(always)]
    fn splat_words(self, words: [u64; 2]) -> __m256i {
        self.spread(self.narrow().splat_words(words))
    }
    #[inline(always)]
    fn halves(self, halves: &[Half], at: usize) -> __m256i {
        let four: *const [Half] = &halves[at..at + 4];
        // SAFETY: four halves are 32 bytes.
        unsafe { _mm256_loadu_si256(four.cast()) }
    }
    #[inline(always)]
    fn set_halves(self, halves: &mut [Half], at: usize, v: __m256i) {
        let four: *mut [Half] = &mut halves[at..at + 4];
        // SAFETY: four halves are 32 bytes.
        unsafe { _mm256_storeu_si256(four.cast(), v) }
    }
    #[inline(always)]
    fn insert(self, v: __m256i, at: usize, lane: __m128i) -> __m256i {
        if at == 0 {
            self.splice(self.widen(lane), v)
        } else {
            // SAFETY: the token proves AVX2.
            unsafe { _mm256_inserti128_si256::<1>(v, lane) }
        }
    }
    #[inline(always)]
    fn lane(self, v: __m256i, at: usize) -> __m128i {
        if at == 0 {
            // SAFETY: the token proves AVX.
            unsafe { _mm256_castsi256_si128(v) }
        } else {
            // SAFETY: the token proves AVX2.
            unsafe { _mm256_extracti128_si256::<1>(v) }
        }
    }
    #[inline(always)]
    fn splice(self, low: __m256i, high: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_blend_epi32::<0b1111_0000>(low, high) }
    }
    #[inline(always)]
    fn words(self, v: __m256i) -> [u64; 2] {
        // SAFETY: the token proves AVX.
        self.narrow().words(unsafe { _mm256_castsi256_si128(v) })
    }
    #[inline(always)]
    fn zero(self) -> __m256i {
        // SAFETY: the token proves AVX.
        unsafe { _mm256_setzero_si256() }
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn reverse(self, v: __m256i) -> __m256i {
        // SAFETY: the token proves AVX.
        let order = unsafe {
            _mm256_setr_epi8(
                15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, //
                15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
            )
        };
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_shuffle_epi8(v, order) }
    }
    #[inline(always)]
    fn permute(self, v: __m256i, picks: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_shuffle_epi8(v, picks) }
    }
    #[inline(always)]
    fn swap(self, v: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_shuffle_epi32::<0b01_00_11_10>(v) }
    }
    #[inline(always)]
    fn low_halves(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_unpacklo_epi64(a, b) }
    }
    #[inline(always)]
    fn high_halves(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_unpackhi_epi64(a, b) }
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_add_epi32(a, b) }
    }
    #[inline(always)]
    fn count(self, n: u32) -> __m256i {
        // SAFETY: the token proves AVX.
        unsafe { _mm256_set_epi32(0, 0, 0, n.cast_signed(), 0, 0, 0, n.cast_signed()) }
    }
    #[inline(always)]
    fn lane_numbers(self) -> __m256i {
        // SAFETY: the token proves AVX.
        unsafe { _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0) }
    }
    #[inline(always)]
    fn fold(self, v: __m256i) -> __m128i {
        // SAFETY: the token proves AVX.
        let low = unsafe { _mm256_castsi256_si128(v) };
        // SAFETY: the token proves AVX2.
        let high = unsafe { _mm256_extracti128_si256::<1>(v) };
        self.narrow().xor(low, high)
    }
    #[inline(always)]
    fn widen(self, v: __m128i) -> __m256i {
        // SAFETY: the token proves AVX.
        unsafe { _mm256_zextsi128_si256(v) }
    }
    #[inline(always)]
    fn spread(self, v: __m128i) -> __m256i {
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_broadcastsi128_si256(v) }
    }
    #[inline(always)]
    fn aes_round(self, v: __m256i, key: __m256i) -> __m256i {
        // SAFETY: the token proves VAES.
        unsafe { _mm256_aesenc_epi128(v, key) }
    }
    #[inline(always)]
    fn aes_last(self, v: __m256i, _: __m256i, end: __m256i) -> __m256i {
        // SAFETY: the token proves VAES.
        unsafe { _mm256_aesenclast_epi128(v, end) }
    }
    #[inline(always)]
    fn aes_inverse_round(self, v: __m256i, key: __m256i) -> __m256i {
        // SAFETY: the token proves VAES.
        unsafe { _mm256_aesdec_epi128(v, key) }
    }
    #[inline(always)]
    fn aes_inverse_last(self, v: __m256i, _: __m256i, end: __m256i) -> __m256i {
        // SAFETY: the token proves VAES.
        unsafe { _mm256_aesdeclast_epi128(v, end) }
    }
    #[inline(always)]
    fn shift_left(self, v: __m256i, bits: u8) -> __m256i {
        // SAFETY: SSE2 belongs to x86-64.
        let bits = unsafe { _mm_cvtsi32_si128(bits.into()) };
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_sll_epi64(v, bits) }
    }
    #[inline(always)]
    fn shift_right(self, v: __m256i, bits: u8) -> __m256i {
        // SAFETY: SSE2 belongs to x86-64.
        let bits = unsafe { _mm_cvtsi32_si128(bits.into()) };
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_srl_epi64(v, bits) }
    }
    #[inline(always)]
    fn clmul_lo_lo(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm256_clmulepi64_epi128::<0x00>(a, b) }
    }
    #[inline(always)]
    fn clmul_lo_hi(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm256_clmulepi64_epi128::<0x10>(a, b) }
    }
    #[inline(always)]
    fn clmul_hi_lo(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm256_clmulepi64_epi128::<0x01>(a, b) }
    }
    #[inline(always)]
    fn clmul_hi_hi(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm256_clmulepi64_epi128::<0x11>(a, b) }
    }
    #[inline(always)]
    fn order(self, a: &mut __m256i, b: &mut __m256i) {
        // SAFETY: the token proves AVX.
        unsafe { order(a, b) }
    }
    #[inline(always)]
    fn order_memory(self, a: &mut __m256i, b: &mut __m256i) {
        // SAFETY: the token proves AVX.
        unsafe { order_memory(a, b) }
    }
}

/// The registers of the `asm!` need the feature in the function's own signature.
#[inline]
#[target_feature(enable = "avx")]
fn order(a: &mut __m256i, b: &mut __m256i) {
    order!("/* {0} {1} */", ymm_reg, a, b, pure, nomem);
}

/// As above.
#[inline]
#[target_feature(enable = "avx")]
fn order_memory(a: &mut __m256i, b: &mut __m256i) {
    order!("/* {0} {1} */", ymm_reg, a, b);
}
