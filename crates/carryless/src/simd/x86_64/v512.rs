//! Four lanes: VAES and VPCLMULQDQ on 512-bit registers.

use core::arch::x86_64::*;

use super::super::tuning::{self, Tuning};
use super::super::{InOut, Simd};
use super::{Avx, Vaes256, Vaes512};
use crate::block::{Half, Lane};

impl Simd for Vaes512 {
    const LANES: usize = 4;
    const MASKS: bool = true;
    const TUNING: Tuning = tuning::VAES512;
    type V = __m512i;
    type Narrow = Avx;
    type Short = Vaes256;

    together!(__m512i, "avx512f,vaes,vpclmulqdq": _mm512_xor_si512 _mm512_aesenc_epi128 _mm512_aesdec_epi128 _mm512_clmulepi64_epi128);

    #[inline(always)]
    fn narrow(self) -> Avx {
        self.into()
    }
    #[inline(always)]
    fn short(self) -> Vaes256 {
        self.into()
    }
    #[inline(always)]
    unsafe fn read(self, src: *const u8) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { _mm512_loadu_si512(src.cast()) }
    }
    #[inline(always)]
    unsafe fn write(self, dst: *mut u8, v: __m512i) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(dst.cast(), v) }
    }
    #[inline(always)]
    fn rows(self, rows: &[Lane], at: usize) -> __m512i {
        let four: *const [Lane] = &rows[at..at + 4];
        // SAFETY: four `Lane`s are 64 bytes.
        unsafe { _mm512_loadu_si512(four.cast()) }
    }
    #[inline(always)]
    fn set_rows(self, rows: &mut [Lane], at: usize, v: __m512i) {
        let four: *mut [Lane] = &mut rows[at..at + 4];
        // SAFETY: four `Lane`s are 64 bytes.
        unsafe { _mm512_storeu_si512(four.cast(), v) }
    }
    #[inline(always)]
    fn load_first(self, bytes: &[u8]) -> __m512i {
        // SAFETY: only bytes of the mask are read, and there are so many.
        unsafe { _mm512_maskz_loadu_epi8(first(self, bytes.len()), bytes.as_ptr().cast()) }
    }
    #[inline(always)]
    fn load_block(self, bytes: &[u8]) -> __m128i {
        debug_assert!(bytes.len() <= 16, "a lane takes no more");
        // Where an empty slice points to there may be no page, and to find out that nothing is read takes a thousand cycles.
        let from = if bytes.is_empty() {
            [0].as_ptr()
        } else {
            bytes.as_ptr()
        };
        // SAFETY: only bytes of the mask are read, and there are so many.
        unsafe { _mm_maskz_loadu_epi8(first_of_lane(self, bytes.len()), from.cast()) }
    }
    #[inline(always)]
    fn store_block(self, text: InOut<'_>, v: __m128i) {
        let bytes = text.into_written();
        debug_assert!((1..=16).contains(&bytes.len()), "some of a lane");
        // SAFETY: only bytes of the mask are written, and there are so many.
        unsafe {
            _mm_mask_storeu_epi8(
                bytes.as_mut_ptr().cast(),
                first_of_lane(self, bytes.len()),
                v,
            )
        }
    }
    #[inline(always)]
    fn store_first(self, text: InOut<'_>, v: __m512i) {
        let bytes = text.into_written();
        // SAFETY: only bytes of the mask are written, and there are so many.
        unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first(self, bytes.len()), v) }
    }
    #[inline(always)]
    fn keep_first(self, v: __m512i, len: usize) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_maskz_mov_epi8(first(self, len), v) }
    }
    #[inline(always)]
    fn splat(self, row: &Lane) -> __m512i {
        self.spread(self.narrow().splat(row))
    }
    #[inline(always)]
    fn splat_words(self, words: [u64; 2]) -> __m512i {
        self.spread(self.narrow().splat_words(words))
    }
    #[inline(always)]
    fn halves(self, halves: &[Half], at: usize) -> __m512i {
        let eight: *const [Half] = &halves[at..at + 8];
        // SAFETY: eight halves are 64 bytes.
        unsafe { _mm512_loadu_si512(eight.cast()) }
    }
    #[inline(always)]
    fn set_halves(self, halves: &mut [Half], at: usize, v: __m512i) {
        let eight: *mut [Half] = &mut halves[at..at + 8];
        // SAFETY: eight halves are 64 bytes.
        unsafe { _mm512_storeu_si512(eight.cast(), v) }
    }
    #[inline(always)]
    fn insert(self, v: __m512i, at: usize, lane: __m128i) -> __m512i {
        match at {
            // SAFETY: the token proves AVX-512.
            0 => unsafe { _mm512_inserti32x4::<0>(v, lane) },
            // SAFETY: as above.
            1 => unsafe { _mm512_inserti32x4::<1>(v, lane) },
            // SAFETY: as above.
            2 => unsafe { _mm512_inserti32x4::<2>(v, lane) },
            // SAFETY: as above.
            _ => unsafe { _mm512_inserti32x4::<3>(v, lane) },
        }
    }
    #[inline(always)]
    fn lane(self, v: __m512i, at: usize) -> __m128i {
        match at {
            // SAFETY: the token proves AVX-512.
            0 => unsafe { _mm512_castsi512_si128(v) },
            // SAFETY: as above.
            1 => unsafe { _mm512_extracti32x4_epi32::<1>(v) },
            // SAFETY: as above.
            2 => unsafe { _mm512_extracti32x4_epi32::<2>(v) },
            // SAFETY: as above.
            _ => unsafe { _mm512_extracti32x4_epi32::<3>(v) },
        }
    }
    #[inline(always)]
    fn splice(self, low: __m512i, high: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_mask_blend_epi64(0b1111_0000, low, high) }
    }
    #[inline(always)]
    fn words(self, v: __m512i) -> [u64; 2] {
        // SAFETY: the token proves AVX-512.
        self.narrow().words(unsafe { _mm512_castsi512_si128(v) })
    }
    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_setzero_si512() }
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_xor_si512(a, b) }
    }
    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_and_si512(a, b) }
    }
    #[inline(always)]
    fn reverse(self, v: __m512i) -> __m512i {
        let order = self.splat_words([0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607]);
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_shuffle_epi8(v, order) }
    }
    #[inline(always)]
    fn permute(self, v: __m512i, picks: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_shuffle_epi8(v, picks) }
    }
    #[inline(always)]
    fn swap(self, v: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_shuffle_epi32::<0b01_00_11_10>(v) }
    }
    #[inline(always)]
    fn low_halves(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_unpacklo_epi64(a, b) }
    }
    #[inline(always)]
    fn high_halves(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_unpackhi_epi64(a, b) }
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_add_epi32(a, b) }
    }
    #[inline(always)]
    fn count(self, n: u32) -> __m512i {
        self.splat_words([n.into(), 0])
    }
    #[inline(always)]
    fn lane_numbers(self) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0) }
    }
    #[inline(always)]
    fn fold(self, v: __m512i) -> __m128i {
        // SAFETY: the token proves AVX-512.
        let low = unsafe { _mm512_castsi512_si256(v) };
        // SAFETY: the token proves AVX-512.
        let high = unsafe { _mm512_extracti64x4_epi64::<1>(v) };
        let short = self.short();
        short.fold(short.xor(low, high))
    }
    #[inline(always)]
    fn fold_each(self, [a, b, c, d]: [__m512i; 4]) -> __m512i {
        halve(self, halve(self, a, b), halve(self, c, d))
    }
    #[inline(always)]
    fn nonzero_lanes(self, v: __m512i) -> u8 {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_test_epi64_mask(v, v) }
    }
    #[inline(always)]
    fn widen(self, v: __m128i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_zextsi128_si512(v) }
    }
    #[inline(always)]
    fn spread(self, v: __m128i) -> __m512i {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_broadcast_i32x4(v) }
    }
    #[inline(always)]
    fn aes_round(self, v: __m512i, key: __m512i) -> __m512i {
        // SAFETY: the token proves VAES.
        unsafe { _mm512_aesenc_epi128(v, key) }
    }
    #[inline(always)]
    fn aes_last(self, v: __m512i, _: __m512i, end: __m512i) -> __m512i {
        // SAFETY: the token proves VAES.
        unsafe { _mm512_aesenclast_epi128(v, end) }
    }
    #[inline(always)]
    fn aes_inverse_round(self, v: __m512i, key: __m512i) -> __m512i {
        // SAFETY: the token proves VAES.
        unsafe { _mm512_aesdec_epi128(v, key) }
    }
    #[inline(always)]
    fn aes_inverse_last(self, v: __m512i, _: __m512i, end: __m512i) -> __m512i {
        // SAFETY: the token proves VAES.
        unsafe { _mm512_aesdeclast_epi128(v, end) }
    }
    #[inline(always)]
    fn shift_left(self, v: __m512i, bits: u8) -> __m512i {
        // SAFETY: SSE2 belongs to x86-64.
        let bits = unsafe { _mm_cvtsi32_si128(bits.into()) };
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_sll_epi64(v, bits) }
    }
    #[inline(always)]
    fn shift_right(self, v: __m512i, bits: u8) -> __m512i {
        // SAFETY: SSE2 belongs to x86-64.
        let bits = unsafe { _mm_cvtsi32_si128(bits.into()) };
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_srl_epi64(v, bits) }
    }
    #[inline(always)]
    fn clmul_lo_lo(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x00>(a, b) }
    }
    #[inline(always)]
    fn clmul_lo_hi(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x10>(a, b) }
    }
    #[inline(always)]
    fn clmul_hi_lo(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x01>(a, b) }
    }
    #[inline(always)]
    fn clmul_hi_hi(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x11>(a, b) }
    }
    #[inline(always)]
    fn order(self, a: &mut __m512i, b: &mut __m512i) {
        // SAFETY: the token proves AVX-512.
        unsafe { order(a, b) }
    }
    #[inline(always)]
    fn order_memory(self, a: &mut __m512i, b: &mut __m512i) {
        // SAFETY: the token proves AVX-512.
        unsafe { order_memory(a, b) }
    }
}

/// The mask of the first `len` bytes.
#[inline(always)]
fn first(_: Vaes512, len: usize) -> __mmask64 {
    debug_assert!(len <= 64, "a vector has no more");
    #[expect(
        clippy::cast_possible_truncation,
        reason = "64 at most; of more it takes a byte, which is less"
    )]
    let len = len as u32;
    // SAFETY: the token proves BMI2.
    unsafe { _bzhi_u64(u64::MAX, len) }
}

/// The mask of the first `len` bytes of a lane.
#[expect(clippy::cast_possible_truncation, reason = "16 are a lane")]
#[inline(always)]
fn first_of_lane(s: Vaes512, len: usize) -> __mmask16 {
    first(s, len) as __mmask16
}

/// The registers of the `asm!` need the feature in the function's own signature.
#[inline]
#[target_feature(enable = "avx512f")]
fn order(a: &mut __m512i, b: &mut __m512i) {
    order!("/* {0} {1} */", zmm_reg, a, b, pure, nomem);
}

/// As above.
#[inline]
#[target_feature(enable = "avx512f")]
fn order_memory(a: &mut __m512i, b: &mut __m512i) {
    order!("/* {0} {1} */", zmm_reg, a, b);
}

/// The sums of lanes 0 and 1 and of 2 and 3 of `a`, then those of `b`.
#[inline(always)]
fn halve(s: Vaes512, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the token proves AVX-512.
    let even = unsafe { _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b) };
    // SAFETY: as above.
    let odd = unsafe { _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b) };
    s.xor(even, odd)
}
