//! One lane: the same intrinsics for `aesni` and `avx`; the entry point decides the encoding.

use core::arch::x86_64::*;

use super::super::tuning::{self, Tuning};
use super::super::{Columns, Simd};
use super::{Aesni, Avx};
use crate::block::{Half, Lane};

macro_rules! one_lane {
    ($Token:ident, $TUNING:ident, $features:literal) => {
        impl Simd for $Token {
            const LANES: usize = 1;
            const TUNING: Tuning = tuning::$TUNING;
            type V = __m128i;
            type Narrow = Self;
            type Short = Self;

            of_one_lane!(__m128i);
            together!(__m128i, $features: _mm_xor_si128 _mm_aesenc_si128 _mm_aesdec_si128 _mm_clmulepi64_si128);

            #[inline(always)]
            unsafe fn read(self, src: *const u8) -> __m128i {
                // SAFETY: the caller's promise.
                unsafe { _mm_loadu_si128(src.cast()) }
            }
            #[inline(always)]
            unsafe fn write(self, dst: *mut u8, v: __m128i) {
                // SAFETY: the caller's promise.
                unsafe { _mm_storeu_si128(dst.cast(), v) }
            }
            #[inline(always)]
            fn rows(self, rows: &[Lane], at: usize) -> __m128i {
                let row: *const Lane = &rows[at];
                // SAFETY: a `Lane` is 16 bytes, aligned to 16.
                unsafe { _mm_load_si128(row.cast()) }
            }
            #[inline(always)]
            fn set_rows(self, rows: &mut [Lane], at: usize, v: __m128i) {
                let row: *mut Lane = &mut rows[at];
                // SAFETY: a `Lane` is 16 bytes, aligned to 16.
                unsafe { _mm_store_si128(row.cast(), v) }
            }
            #[inline(always)]
            fn splat(self, row: &Lane) -> __m128i {
                let row: *const Lane = row;
                // SAFETY: a `Lane` is 16 bytes, aligned to 16.
                unsafe { _mm_load_si128(row.cast()) }
            }
            #[inline(always)]
            fn splat_words(self, [lo, hi]: [u64; 2]) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_set_epi64x(hi.cast_signed(), lo.cast_signed()) }
            }
            #[inline(always)]
            fn halves(self, halves: &[Half], at: usize) -> __m128i {
                let two: *const [Half] = &halves[at..at + 2];
                // SAFETY: two halves are 16 bytes.
                unsafe { _mm_loadu_si128(two.cast()) }
            }
            #[inline(always)]
            fn set_halves(self, halves: &mut [Half], at: usize, v: __m128i) {
                let two: *mut [Half] = &mut halves[at..at + 2];
                // SAFETY: two halves are 16 bytes.
                unsafe { _mm_storeu_si128(two.cast(), v) }
            }
            #[inline(always)]
            fn words(self, v: __m128i) -> [u64; 2] {
                // SAFETY: the token proves SSE4.1.
                let (lo, hi) = unsafe { (_mm_cvtsi128_si64(v), _mm_extract_epi64::<1>(v)) };
                [lo.cast_unsigned(), hi.cast_unsigned()]
            }
            #[inline(always)]
            fn zero(self) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_setzero_si128() }
            }
            #[inline(always)]
            fn xor(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_xor_si128(a, b) }
            }
            #[inline(always)]
            fn and(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_and_si128(a, b) }
            }
            #[inline(always)]
            fn reverse(self, v: __m128i) -> __m128i {
                // SAFETY: the token proves SSSE3.
                unsafe {
                    _mm_shuffle_epi8(
                        v,
                        _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                    )
                }
            }
            #[inline(always)]
            fn permute(self, v: __m128i, picks: __m128i) -> __m128i {
                // SAFETY: the token proves SSSE3.
                unsafe { _mm_shuffle_epi8(v, picks) }
            }
            #[inline(always)]
            fn swap(self, v: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_shuffle_epi32::<0b01_00_11_10>(v) }
            }
            #[inline(always)]
            fn low_halves(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_unpacklo_epi64(a, b) }
            }
            #[inline(always)]
            fn high_halves(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_unpackhi_epi64(a, b) }
            }
            #[inline(always)]
            fn add(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_add_epi32(a, b) }
            }
            #[inline(always)]
            fn count(self, n: u32) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_set_epi32(0, 0, 0, n.cast_signed()) }
            }
            #[inline(always)]
            fn aes_round(self, v: __m128i, key: __m128i) -> __m128i {
                // SAFETY: the token proves AES-NI.
                unsafe { _mm_aesenc_si128(v, key) }
            }
            #[inline(always)]
            fn aes_last(self, v: __m128i, _: __m128i, end: __m128i) -> __m128i {
                // SAFETY: the token proves AES-NI.
                unsafe { _mm_aesenclast_si128(v, end) }
            }
            #[inline(always)]
            fn aes_inverse_round(self, v: __m128i, key: __m128i) -> __m128i {
                // SAFETY: the token proves AES-NI.
                unsafe { _mm_aesdec_si128(v, key) }
            }
            #[inline(always)]
            fn aes_inverse_last(self, v: __m128i, _: __m128i, end: __m128i) -> __m128i {
                // SAFETY: the token proves AES-NI.
                unsafe { _mm_aesdeclast_si128(v, end) }
            }
            #[inline(always)]
            fn shift_left(self, v: __m128i, bits: u8) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_sll_epi64(v, _mm_cvtsi32_si128(bits.into())) }
            }
            #[inline(always)]
            fn shift_right(self, v: __m128i, bits: u8) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_srl_epi64(v, _mm_cvtsi32_si128(bits.into())) }
            }
            #[inline(always)]
            fn clmul_lo_lo(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: the token proves PCLMULQDQ.
                unsafe { _mm_clmulepi64_si128::<0x00>(a, b) }
            }
            #[inline(always)]
            fn clmul_lo_hi(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: the token proves PCLMULQDQ.
                unsafe { _mm_clmulepi64_si128::<0x10>(a, b) }
            }
            #[inline(always)]
            fn clmul_hi_lo(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: the token proves PCLMULQDQ.
                unsafe { _mm_clmulepi64_si128::<0x01>(a, b) }
            }
            #[inline(always)]
            fn clmul_hi_hi(self, a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: the token proves PCLMULQDQ.
                unsafe { _mm_clmulepi64_si128::<0x11>(a, b) }
            }
            #[inline(always)]
            fn order(self, a: &mut __m128i, b: &mut __m128i) {
                order!("/* {0} {1} */", xmm_reg, a, b, pure, nomem);
            }
            #[inline(always)]
            fn order_memory(self, a: &mut __m128i, b: &mut __m128i) {
                order!("/* {0} {1} */", xmm_reg, a, b);
            }
        }

        impl Columns for $Token {
            #[inline(always)]
            fn inverse_mix_columns(self, v: __m128i) -> __m128i {
                // SAFETY: the token proves AES-NI.
                unsafe { _mm_aesimc_si128(v) }
            }
            #[inline(always)]
            fn prefix_xor_columns(self, v: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                let pairs = unsafe { _mm_xor_si128(v, _mm_slli_si128::<4>(v)) };
                // SAFETY: as above.
                unsafe { _mm_xor_si128(pairs, _mm_slli_si128::<8>(pairs)) }
            }
            #[inline(always)]
            fn rotate_last_column(self, v: __m128i) -> __m128i {
                // SAFETY: the token proves SSSE3.
                unsafe { _mm_shuffle_epi8(v, _mm_set1_epi32(0x0c0f_0e0d)) }
            }
            #[inline(always)]
            fn splat_last_column(self, v: __m128i) -> __m128i {
                // SAFETY: SSE2 belongs to x86-64.
                unsafe { _mm_shuffle_epi32::<0b11_11_11_11>(v) }
            }
            #[inline(always)]
            fn rotate_second_column(self, v: __m128i) -> __m128i {
                // SAFETY: the token proves SSSE3.
                unsafe { _mm_shuffle_epi8(v, _mm_set1_epi32(0x0407_0605)) }
            }
        }
    };
}

one_lane!(Aesni, AESNI, "aes,pclmulqdq");
one_lane!(Avx, AVX, "aes,pclmulqdq,avx");
