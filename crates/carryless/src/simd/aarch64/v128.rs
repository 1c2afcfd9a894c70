//! One lane.
#![allow(
    unknown_lints,
    inline_always_mismatching_target_features,
    reason = "what these methods are inlined into has the features"
)]

use core::arch::aarch64::*;
use core::arch::asm;

use super::super::tuning::{self, Tuning};
use super::super::{Columns, Simd};
use super::{Armce, Armce3, in_order, load, store};
use crate::block::{Half, Lane};

/// `calls! { fn name(a: Type, ..) -> Type = expression; }`: methods of instructions alone, which the token proves.
macro_rules! calls {
    ($(fn $name:ident($($arg:ident: $Arg:ty),*) -> $Out:ty = $value:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: $Arg),*) -> $Out {
            // SAFETY: the token proves NEON, AES and PMULL.
            unsafe { $value }
        }
    )*};
}

/// The vector.
type V = uint8x16_t;

/// A token that proves NEON, AES and PMULL. What else one proves is for the compiler to use: of two XORs it makes EOR3.
pub trait Proof: Copy {
    const TUNING: Tuning;
}

impl Proof for Armce {
    const TUNING: Tuning = tuning::ARMCE;
}

impl Proof for Armce3 {
    const TUNING: Tuning = tuning::ARMCE3;
}

#[inline(always)]
fn words_of(v: V) -> uint64x2_t {
    // SAFETY: NEON belongs to the targets that have this module.
    unsafe { vreinterpretq_u64_u8(v) }
}

#[inline(always)]
fn of_words(v: uint64x2_t) -> V {
    // SAFETY: as above.
    unsafe { vreinterpretq_u8_u64(v) }
}

/// `product!(instruction, a, b)`: an instruction on the low or the high halves.
///
/// Of the intrinsics LLVM makes loads of halves, each with an address of its own.
macro_rules! product {
    ($instruction:literal, $a:ident, $b:ident) => {{
        let (a, b) = (in_order($a), in_order($b));
        let product;
        // SAFETY: the token proves PMULL.
        unsafe {
            asm!(
                // Tests call kernels outside of entry points.
                ".arch_extension aes",
                $instruction,
                out(vreg) product,
                in(vreg) a,
                in(vreg) b,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        in_order(product)
    }};
}

#[inline(always)]
fn low_product<T: Proof>(_: T, a: V, b: V) -> V {
    product!("pmull {0:v}.1q, {1:v}.1d, {2:v}.1d", a, b)
}

#[inline(always)]
fn high_product<T: Proof>(_: T, a: V, b: V) -> V {
    product!("pmull2 {0:v}.1q, {1:v}.2d, {2:v}.2d", a, b)
}

impl<T: Proof> Simd for T {
    const LANES: usize = 1;
    const KEY_FIRST: bool = true;
    /// What that takes is written for the lanes of little-endian machines.
    const APART: bool = cfg!(target_endian = "little");
    const TUNING: Tuning = <T as Proof>::TUNING;
    type V = V;
    type Narrow = Self;
    type Short = Self;

    of_one_lane!(V);

    #[inline(always)]
    unsafe fn read(self, src: *const u8) -> V {
        // SAFETY: the caller's promise.
        unsafe { load(src) }
    }
    #[cfg(target_endian = "little")]
    #[inline(always)]
    fn load_apart(self, bytes: &[u8], at: usize) -> [V; 2] {
        let two: *const [u8] = &bytes[at..at + 32];
        // SAFETY: so many bytes are there, and no alignment is needed.
        let uint64x2x2_t(high, low) = unsafe { vld2q_u64(two.cast()) };
        // SAFETY: the token proves NEON.
        [low, high].map(|half| unsafe { vrev64q_u8(of_words(half)) })
    }
    #[inline(always)]
    unsafe fn write(self, dst: *mut u8, v: V) {
        // SAFETY: the caller's promise.
        unsafe { store(dst, v) }
    }
    #[inline(always)]
    fn rows(self, rows: &[Lane], at: usize) -> V {
        self.splat(&rows[at])
    }
    #[inline(always)]
    fn set_rows(self, rows: &mut [Lane], at: usize, v: V) {
        let row: *mut Lane = &mut rows[at];
        // SAFETY: a `Lane` is 16 bytes.
        unsafe { store(row.cast(), v) }
    }
    #[inline(always)]
    fn splat(self, row: &Lane) -> V {
        let row: *const Lane = row;
        // SAFETY: a `Lane` is 16 bytes.
        unsafe { load(row.cast()) }
    }
    #[inline(always)]
    fn halves(self, halves: &[Half], at: usize) -> V {
        let two: *const [Half] = &halves[at..at + 2];
        // SAFETY: two halves are 16 bytes.
        unsafe { load(two.cast()) }
    }
    #[inline(always)]
    fn set_halves(self, halves: &mut [Half], at: usize, v: V) {
        let two: *mut [Half] = &mut halves[at..at + 2];
        // SAFETY: two halves are 16 bytes.
        unsafe { store(two.cast(), v) }
    }
    #[inline(always)]
    fn count(self, n: u32) -> V {
        self.splat_words([n.into(), 0])
    }
    calls! {
        fn zero() -> V = vdupq_n_u8(0);
        fn xor(a: V, b: V) -> V = veorq_u8(a, b);
        fn and(a: V, b: V) -> V = vandq_u8(a, b);
        fn permute(v: V, picks: V) -> V = vqtbl1q_u8(v, picks);
        fn swap(v: V) -> V = vextq_u8::<8>(v, v);
        fn low_halves(a: V, b: V) -> V = of_words(vtrn1q_u64(words_of(a), words_of(b)));
        fn high_halves(a: V, b: V) -> V = of_words(vtrn2q_u64(words_of(a), words_of(b)));
        fn add(a: V, b: V) -> V = vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
        fn splat_column(column: u32) -> V = vreinterpretq_u8_u32(vdupq_n_u32(column));
        fn splat_words(words: [u64; 2]) -> V = of_words(vcombine_u64(vcreate_u64(words[0]), vcreate_u64(words[1])));
        fn words(v: V) -> [u64; 2] = [vgetq_lane_u64::<0>(words_of(v)), vgetq_lane_u64::<1>(words_of(v))];
        fn shift_left(v: V, bits: u8) -> V = of_words(vshlq_u64(words_of(v), vdupq_n_s64(bits.into())));
        fn shift_right(v: V, bits: u8) -> V = of_words(vshlq_u64(words_of(v), vdupq_n_s64(-i64::from(bits))));
        fn aes_last(v: V, before: V, end: V) -> V = veorq_u8(vaeseq_u8(v, before), end);
        fn aes_inverse_last(v: V, before: V, end: V) -> V = veorq_u8(vaesdq_u8(v, before), end);
    }
    #[inline(always)]
    fn reverse(self, v: V) -> V {
        // SAFETY: the token proves NEON.
        self.swap(unsafe { vrev64q_u8(v) })
    }
    /// Both instructions in one: CPUs take them as one if they stand together, on one register.
    #[inline(always)]
    fn aes_round(self, v: V, key: V) -> V {
        let mut v = in_order(v);
        // SAFETY: the token proves AES.
        unsafe {
            asm!(
                ".arch_extension aes",
                "aese {0:v}.16b, {1:v}.16b",
                "aesmc {0:v}.16b, {0:v}.16b",
                inout(vreg) v,
                in(vreg) in_order(key),
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        in_order(v)
    }
    /// As [`aes_round`](Simd::aes_round).
    #[inline(always)]
    fn aes_inverse_round(self, v: V, key: V) -> V {
        let mut v = in_order(v);
        // SAFETY: the token proves AES.
        unsafe {
            asm!(
                ".arch_extension aes",
                "aesd {0:v}.16b, {1:v}.16b",
                "aesimc {0:v}.16b, {0:v}.16b",
                inout(vreg) v,
                in(vreg) in_order(key),
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        in_order(v)
    }
    /// In this order, as LLVM knows neither how long products take nor that CPUs in order wait for them.
    #[cfg(target_endian = "little")]
    #[inline(always)]
    fn aes_rounds_and_products(
        self,
        [mut v, mut w]: [V; 2],
        key: V,
        [x, a, b]: [V; 3],
    ) -> ([V; 2], [V; 2]) {
        let (low, high);
        // SAFETY: the token proves AES and PMULL.
        unsafe {
            asm!(
                ".arch_extension aes",
                "pmull {low:v}.1q, {x:v}.1d, {a:v}.1d",
                "pmull2 {high:v}.1q, {x:v}.2d, {b:v}.2d",
                "aese {v:v}.16b, {key:v}.16b",
                "aesmc {v:v}.16b, {v:v}.16b",
                "aese {w:v}.16b, {key:v}.16b",
                "aesmc {w:v}.16b, {w:v}.16b",
                low = out(vreg) low,
                high = out(vreg) high,
                v = inout(vreg) v,
                w = inout(vreg) w,
                key = in(vreg) key,
                x = in(vreg) x,
                a = in(vreg) a,
                b = in(vreg) b,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        ([v, w], [low, high])
    }
    #[inline(always)]
    fn clmul_lo_lo(self, a: V, b: V) -> V {
        low_product(self, a, b)
    }
    #[inline(always)]
    fn clmul_lo_hi(self, a: V, b: V) -> V {
        high_product(self, self.swap(a), b)
    }
    #[inline(always)]
    fn clmul_hi_lo(self, a: V, b: V) -> V {
        low_product(self, self.swap(a), b)
    }
    #[inline(always)]
    fn clmul_hi_hi(self, a: V, b: V) -> V {
        high_product(self, a, b)
    }
    #[inline(always)]
    fn order(self, a: &mut V, b: &mut V) {
        order!("/* {0:v} {1:v} */", vreg, a, b, pure, nomem);
    }
    #[inline(always)]
    fn order_memory(self, a: &mut V, b: &mut V) {
        order!("/* {0:v} {1:v} */", vreg, a, b);
    }
}

impl<T: Proof> Columns for T {
    #[inline(always)]
    fn inverse_mix_columns(self, v: V) -> V {
        // SAFETY: the token proves AES.
        unsafe { vaesimcq_u8(v) }
    }
    #[inline(always)]
    fn prefix_xor_columns(self, v: V) -> V {
        let zero = self.zero();
        // SAFETY: the token proves NEON.
        let pairs = self.xor(v, unsafe { vextq_u8::<12>(zero, v) });
        // SAFETY: as above.
        self.xor(pairs, unsafe { vextq_u8::<8>(zero, pairs) })
    }
    #[inline(always)]
    fn rotate_last_column(self, v: V) -> V {
        self.permute(v, self.splat_words([0x0c0f_0e0d_0c0f_0e0d; 2]))
    }
    calls! {
        fn splat_last_column(v: V) -> V = vreinterpretq_u8_u32(vdupq_laneq_u32::<3>(vreinterpretq_u32_u8(v)));
    }
    #[inline(always)]
    fn rotate_second_column(self, v: V) -> V {
        self.permute(v, self.splat_words([0x0407_0605_0407_0605; 2]))
    }
}
