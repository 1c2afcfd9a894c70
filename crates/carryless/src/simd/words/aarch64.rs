//! Words on vectors of NEON, little-endian.

use core::arch::aarch64::*;

use super::super::tuning;
use super::{Base, Words, numbers};

/// Methods of one intrinsic each. NEON is the feature of the whole build: `carryless_a64` says so.
macro_rules! methods {
    ($($method:ident $intrinsic:ident),+) => {$(
        #[inline(always)]
        fn $method(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
            // SAFETY: NEON belongs to the targets that have this module.
            unsafe { $intrinsic(a, b) }
        }
    )+};
}

/// The low or high 64-bit halves of both.
macro_rules! halves {
    ($zip:ident $a:ident $b:ident) => {{
        // SAFETY: NEON belongs to the targets that have this module.
        let a = unsafe { vreinterpretq_u64_u32($a) };
        // SAFETY: as above.
        let b = unsafe { vreinterpretq_u64_u32($b) };
        // SAFETY: as above.
        let both = unsafe { $zip(a, b) };
        // SAFETY: as above.
        unsafe { vreinterpretq_u32_u64(both) }
    }};
}

impl Words for Base {
    type V = uint32x4_t;
    const BLOCKS: usize = 4;
    /// Twelve blocks, as in [Seo 2017, section 3].
    const GROUPS: usize = 3;
    const FEWEST: usize = tuning::LEA_NEON;

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> uint32x4_t {
        let bytes = &bytes[at..at + Self::BYTES];
        // SAFETY: so many bytes are there.
        let bytes = unsafe { vld1q_u8(bytes.as_ptr()) };
        // SAFETY: NEON belongs to the targets that have this module.
        unsafe { vreinterpretq_u32_u8(bytes) }
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8], at: usize, v: uint32x4_t) {
        let bytes = &mut bytes[at..at + Self::BYTES];
        // SAFETY: NEON belongs to the targets that have this module.
        let v = unsafe { vreinterpretq_u8_u32(v) };
        // SAFETY: so many bytes are there.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), v) }
    }
    #[inline(always)]
    fn splat(self, word: u32) -> uint32x4_t {
        // SAFETY: NEON belongs to the targets that have this module.
        unsafe { vdupq_n_u32(word) }
    }
    #[inline(always)]
    fn numbers(self) -> uint32x4_t {
        const NUMBERS: &[u32; 4] = &numbers();
        // SAFETY: four words are a vector.
        unsafe { vld1q_u32(NUMBERS.as_ptr()) }
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, v: uint32x4_t) -> uint32x4_t {
        // SAFETY: NEON belongs to the targets that have this module.
        let left = unsafe { vshlq_n_u32::<LEFT>(v) };
        // SAFETY: as above.
        unsafe { vsriq_n_u32::<RIGHT>(left, v) }
    }
    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        // SAFETY: NEON belongs to the targets that have this module.
        let ab = unsafe { vzip1q_u32(a, b) };
        // SAFETY: as above.
        let cd = unsafe { vzip1q_u32(c, d) };
        // SAFETY: as above.
        let ab_high = unsafe { vzip2q_u32(a, b) };
        // SAFETY: as above.
        let cd_high = unsafe { vzip2q_u32(c, d) };
        [
            halves!(vzip1q_u64 ab cd),
            halves!(vzip2q_u64 ab cd),
            halves!(vzip1q_u64 ab_high cd_high),
            halves!(vzip2q_u64 ab_high cd_high),
        ]
    }
    methods! { xor veorq_u32, and vandq_u32, add vaddq_u32, sub vsubq_u32 }
}
