//! Words on vectors of SSE2, AVX2 and AVX-512.

use core::arch::x86_64::*;

use super::super::tuning;
use super::super::x86_64::{Avx2, Vaes512};
use super::{Base, Words, numbers};

/// `vectors! { Token(V) blocks, fewest; load store splat [unpack] [rotation]; method intrinsic, .. }`: each method is one intrinsic,
/// but a rotation of two shifts and what puts both together.
macro_rules! vectors {
    (
        $Token:ident($V:ident) $blocks:literal, $fewest:expr; $load:ident $store:ident $splat:ident
        [$low_words:ident $high_words:ident $low_halves:ident $high_halves:ident] $rotation:tt;
        $($method:ident $intrinsic:ident),+
    ) => {
        impl Words for $Token {
            type V = $V;
            const BLOCKS: usize = $blocks;
            const GROUPS: usize = 1;
            const FEWEST: usize = $fewest;

            #[inline(always)]
            fn load(self, bytes: &[u8], at: usize) -> $V {
                let bytes = &bytes[at..at + Self::BYTES];
                // SAFETY: so many bytes are there, and the token proves the feature.
                unsafe { $load(bytes.as_ptr().cast()) }
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8], at: usize, v: $V) {
                let bytes = &mut bytes[at..at + Self::BYTES];
                // SAFETY: so many bytes are there, and the token proves the feature.
                unsafe { $store(bytes.as_mut_ptr().cast(), v) }
            }
            #[inline(always)]
            fn splat(self, word: u32) -> $V {
                // SAFETY: the token proves the feature.
                unsafe { $splat(word.cast_signed()) }
            }
            #[inline(always)]
            fn numbers(self) -> $V {
                const NUMBERS: &[u32; $blocks] = &numbers();
                // SAFETY: the array is as long as a vector, and the token proves the feature.
                unsafe { $load(NUMBERS.as_ptr().cast()) }
            }
            #[inline(always)]
            fn transpose(self, [a, b, c, d]: [$V; 4]) -> [$V; 4] {
                // SAFETY: the token proves the feature.
                let ab = unsafe { $low_words(a, b) };
                // SAFETY: as above.
                let cd = unsafe { $low_words(c, d) };
                // SAFETY: as above.
                let ab_high = unsafe { $high_words(a, b) };
                // SAFETY: as above.
                let cd_high = unsafe { $high_words(c, d) };
                [
                    // SAFETY: as above.
                    unsafe { $low_halves(ab, cd) },
                    // SAFETY: as above.
                    unsafe { $high_halves(ab, cd) },
                    // SAFETY: as above.
                    unsafe { $low_halves(ab_high, cd_high) },
                    // SAFETY: as above.
                    unsafe { $high_halves(ab_high, cd_high) },
                ]
            }
            vectors!(@rotation $V $rotation);
            $(
                #[inline(always)]
                fn $method(self, a: $V, b: $V) -> $V {
                    // SAFETY: the token proves the feature.
                    unsafe { $intrinsic(a, b) }
                }
            )+
        }
    };
    (@rotation $V:ident [$left:ident $right:ident $or:ident]) => {
        #[inline(always)]
        fn rotate<const LEFT: i32, const RIGHT: i32>(self, v: $V) -> $V {
            // SAFETY: the token proves the feature.
            let left = unsafe { $left::<LEFT>(v) };
            // SAFETY: as above.
            let right = unsafe { $right::<RIGHT>(v) };
            // SAFETY: as above.
            unsafe { $or(left, right) }
        }
    };
    (@rotation $V:ident [$rotate:ident]) => {
        #[inline(always)]
        fn rotate<const LEFT: i32, const RIGHT: i32>(self, v: $V) -> $V {
            // SAFETY: the token proves the feature.
            unsafe { $rotate::<LEFT>(v) }
        }
    };
}

// Its feature, SSE2, is that of the whole build: `carryless_fused` says so.
vectors! {
    Base(__m128i) 4, tuning::LEA_SSE2; _mm_loadu_si128 _mm_storeu_si128 _mm_set1_epi32
    [_mm_unpacklo_epi32 _mm_unpackhi_epi32 _mm_unpacklo_epi64 _mm_unpackhi_epi64] [_mm_slli_epi32 _mm_srli_epi32 _mm_or_si128];
    xor _mm_xor_si128, and _mm_and_si128, add _mm_add_epi32, sub _mm_sub_epi32
}

vectors! {
    Avx2(__m256i) 8, tuning::LEA_AVX2; _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi32
    [_mm256_unpacklo_epi32 _mm256_unpackhi_epi32 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64] [_mm256_slli_epi32 _mm256_srli_epi32 _mm256_or_si256];
    xor _mm256_xor_si256, and _mm256_and_si256, add _mm256_add_epi32, sub _mm256_sub_epi32
}

vectors! {
    Vaes512(__m512i) 16, tuning::LEA_AVX512; _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi32
    [_mm512_unpacklo_epi32 _mm512_unpackhi_epi32 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64] [_mm512_rol_epi32];
    xor _mm512_xor_si512, and _mm512_and_si512, add _mm512_add_epi32, sub _mm512_sub_epi32
}
