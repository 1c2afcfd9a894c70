//! Vectors of bytes, for kernels without AES and PMULL.1Q: safe functions of instructions.
//!
//! Lanes of 16, 32 and 64 bits are little-endian, on machines of either endianness: byte 0 of memory is in lane 0.

use core::arch::{aarch64 as arch, asm};

pub use arch::uint8x16_t as V;

use crate::block::Block;

/// `safe! { fn name(a: Type, ..) -> Type = expression; }`
macro_rules! safe {
    ($($(#[$doc:meta])* fn $name:ident $(<$N:ident>)? ($($arg:ident: $Arg:ty),*) -> $Out:ty = $value:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name $(<const $N: i32>)? ($($arg: $Arg),*) -> $Out {
            #[allow(clippy::wildcard_imports, reason = "names of instructions")]
            use arch::*;
            // SAFETY: this module exists only if the whole build has the feature `neon`.
            unsafe { $value }
        }
    )*};
}

/// A block as it lies in memory.
#[inline(always)]
pub fn load(block: &Block) -> V {
    // SAFETY: a block is 16 bytes.
    unsafe { super::load(block.as_ptr()) }
}

/// Writes a block.
#[inline(always)]
pub fn store(block: &mut Block, v: V) {
    // SAFETY: a block is 16 bytes.
    unsafe { super::store(block.as_mut_ptr(), v) }
}

/// The eight blocks of a batch as they lie in memory.
#[inline(always)]
pub fn load_eight(batch: &[u8; 128]) -> [V; 8] {
    let mut blocks = [splat(0); 8];
    for (v, block) in blocks.iter_mut().zip(batch.as_chunks().0) {
        *v = load(block);
    }
    blocks
}

/// Writes them.
#[inline(always)]
pub fn store_eight(batch: &mut [u8; 128], blocks: [V; 8]) {
    for (block, v) in batch.as_chunks_mut().0.iter_mut().zip(blocks) {
        store(block, v);
    }
}

/// The sums of both, each in GF(2).
#[inline(always)]
pub fn xor_eight(mut a: [V; 8], b: [V; 8]) -> [V; 8] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = xor(*a, b);
    }
    a
}

safe! {
    /// The byte everywhere.
    fn splat(byte: u8) -> V = vdupq_n_u8(byte);
    /// The words, the low half first.
    fn of_words(words: [u64; 2]) -> V = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(words[0]), vcreate_u64(words[1])));
    /// Those of a vector.
    fn words(v: V) -> [u64; 2] = [
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(v)),
        vgetq_lane_u64::<1>(vreinterpretq_u64_u8(v)),
    ];
    /// `a + b` in GF(2).
    fn xor(a: V, b: V) -> V = veorq_u8(a, b);
    /// `a * b` in GF(2).
    fn and(a: V, b: V) -> V = vandq_u8(a, b);
    /// Every bit the other way.
    fn complement(v: V) -> V = vmvnq_u8(v);
    /// Bits of `a` where `mask` has ones, of `b` elsewhere.
    fn select(mask: V, a: V, b: V) -> V = vbslq_u8(mask, a, b);
    /// The sum of bytes.
    fn add(a: V, b: V) -> V = vaddq_u8(a, b);
    /// All ones in the bytes that have common ones.
    fn common(a: V, b: V) -> V = vtstq_u8(a, b);
    /// The bits of each byte, `N` places down.
    fn down<N>(v: V) -> V = vshrq_n_u8::<N>(v);
    /// The same up.
    fn up<N>(v: V) -> V = vshlq_n_u8::<N>(v);
    /// The low half of each byte of `a`, that of `b` above it.
    fn low_nibbles(a: V, b: V) -> V = vsliq_n_u8::<4>(a, b);
    /// The high half of each byte of `a`, and above it that of `b`.
    fn high_nibbles(a: V, b: V) -> V = vsriq_n_u8::<4>(b, a);
    /// Byte `i` is that of `v` with the number in byte `i` of `order`; zero if there is none.
    fn permute(v: V, order: V) -> V = vqtbl1q_u8(v, order);
    /// The same of three vectors.
    fn permute_three(table: [V; 3], order: V) -> V = vqtbl3q_u8(uint8x16x3_t(table[0], table[1], table[2]), order);
    /// The same of four.
    fn look_up(table: [V; 4], order: V) -> V = vqtbl4q_u8(uint8x16x4_t(table[0], table[1], table[2], table[3]), order);
    /// The same, but of `v` the byte that stands there if there is none.
    fn look_up_or(v: V, table: [V; 4], order: V) -> V =
        vqtbx4q_u8(v, uint8x16x4_t(table[0], table[1], table[2], table[3]), order);
    /// All ones in the bytes whose top bit is set.
    fn sign(v: V) -> V = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(v)));
    /// The two bytes of each 16-bit lane, exchanged.
    fn swap_bytes(v: V) -> V = vrev16q_u8(v);
    /// The two 16-bit lanes of each 32-bit one, exchanged.
    fn swap_pairs(v: V) -> V = vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(v)));
    /// The two 32-bit lanes of each half, exchanged.
    fn swap_words(v: V) -> V = vreinterpretq_u8_u32(vrev64q_u32(vreinterpretq_u32_u8(v)));
    /// The four 16-bit lanes of each half, in reverse.
    fn reverse_pairs(v: V) -> V = vreinterpretq_u8_u16(vrev64q_u16(vreinterpretq_u16_u8(v)));
    /// The high half of `a`, then the low half of `b`.
    fn across(a: V, b: V) -> V = vextq_u8::<8>(a, b);
    /// The first and third 32-bit lane of `a`, each followed by that of `b`.
    fn every_other_word(a: V, b: V) -> V = vreinterpretq_u8_u32(vtrn1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    /// The low halves.
    fn low_halves(a: V, b: V) -> V = vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
    /// The high halves.
    fn high_halves(a: V, b: V) -> V = vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
    /// Each half 16 bits up.
    fn up_a_pair(v: V) -> V = vreinterpretq_u8_u64(vshlq_n_u64::<16>(vreinterpretq_u64_u8(v)));
    /// Each half 16 bits down.
    fn down_a_pair(v: V) -> V = vreinterpretq_u8_u64(vshrq_n_u64::<16>(vreinterpretq_u64_u8(v)));
    /// Each half 8 bits up.
    fn up_a_byte(v: V) -> V = vreinterpretq_u8_u64(vshlq_n_u64::<8>(vreinterpretq_u64_u8(v)));
    /// Each half doubled.
    fn doubled_halves(v: V) -> V = vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(v), vreinterpretq_u64_u8(v)));
    /// All ones in the halves whose top bit is set.
    fn sign_of_halves(v: V) -> V = vreinterpretq_u8_s64(vshrq_n_s64::<63>(vreinterpretq_s64_u8(v)));
    /// The products of the low eight bytes, as polynomials.
    fn low_products(a: V, b: V) -> V = vreinterpretq_u8_p16(vmull_p8(
        vreinterpret_p8_u8(vget_low_u8(a)),
        vreinterpret_p8_u8(vget_low_u8(b)),
    ));
    /// Those of the high eight.
    fn high_products(a: V, b: V) -> V = vreinterpretq_u8_p16(vmull_high_p8(
        vreinterpretq_p8_u8(a),
        vreinterpretq_p8_u8(b),
    ));
}

/// The vector of constant bytes.
#[inline(always)]
pub fn constant(bytes: u128) -> V {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    of_words([bytes as u64, (bytes >> 64) as u64])
}

/// `insert! { fn name = instruction; }`: bits of one vector in another, by a mask.
///
/// Of the intrinsic with a mask that it knows LLVM makes other instructions, three in place of one.
macro_rules! insert {
    ($($(#[$doc:meta])* fn $name:ident = $instruction:literal;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(mut to: V, from: V, mask: V) -> V {
            // SAFETY: the whole build has NEON.
            unsafe {
                asm!(
                    $instruction,
                    inout(vreg) to,
                    in(vreg) from,
                    in(vreg) mask,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            to
        }
    )*};
}

insert! {
    /// Where the mask has ones.
    fn insert = "bit {0:v}.16b, {1:v}.16b, {2:v}.16b";
    /// Where it has zeros.
    fn insert_else = "bif {0:v}.16b, {1:v}.16b, {2:v}.16b";
}
