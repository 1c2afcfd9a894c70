//! Vectors in plain integers whose AES rounds add the key first, as AESE of the Arm architecture does: kernels that are right
//! on these and on those of x86-64 know both ways.

use super::reference::{inverse_mix_columns, inverse_round, round};
use super::words;
use crate::block::{Half, Lane};
use crate::simd::tuning::{self, Tuning};
use crate::simd::{Columns, Missing, Simd};

/// Vectors of 1, 2 or 4 lanes; four take masks. Kernels call their methods, and are compiled in less time than with them inside.
#[derive(Clone, Copy)]
pub(crate) struct KeyFirst<const LANES: usize>;

impl<const LANES: usize> KeyFirst<LANES> {
    pub(crate) fn detect() -> Result<Self, Missing> {
        Ok(Self)
    }
}

/// Half of a lane: the low one, or the high one.
fn half(lane: u128, high: bool) -> u64 {
    (lane >> if high { 64 } else { 0 }) as u64
}

/// SubBytes, ShiftRows and, or not, MixColumns behind the addition of `key`.
fn keyed(lane: u128, key: u128, mix: bool) -> u128 {
    u128::from_le_bytes(round(&(lane ^ key).to_le_bytes(), &[0; 16], mix))
}

/// The same of decryption.
fn inverse_keyed(lane: u128, key: u128, mix: bool) -> u128 {
    u128::from_le_bytes(inverse_round(&(lane ^ key).to_le_bytes(), &[0; 16], mix))
}

/// The product of the halves that are named, in each lane.
fn products<const LANES: usize>(
    a: [u128; LANES],
    b: [u128; LANES],
    [of_a, of_b]: [bool; 2],
) -> [u128; LANES] {
    core::array::from_fn(|i| super::clmul(half(a[i], of_a), half(b[i], of_b)))
}

/// The 32-bit column, rotated to the right, in every column.
fn column([lane]: [u128; 1], i: u32, by: u32) -> [u128; 1] {
    let word = ((lane >> (32 * i)) as u32).rotate_right(by);
    [(0..4).fold(0, |all, i| all | u128::from(word) << (32 * i))]
}

impl<const LANES: usize> Simd for KeyFirst<LANES> {
    const LANES: usize = LANES;
    const MASKS: bool = LANES == 4;
    const KEY_FIRST: bool = true;
    const TUNING: Tuning = match LANES {
        1 => tuning::AVX,
        2 => tuning::VAES256,
        _ => tuning::VAES512,
    };
    type V = [u128; LANES];
    type Narrow = KeyFirst<1>;
    type Short = KeyFirst<2>;

    fn narrow(self) -> KeyFirst<1> {
        KeyFirst
    }
    fn short(self) -> KeyFirst<2> {
        KeyFirst
    }
    unsafe fn read(self, src: *const u8) -> Self::V {
        // SAFETY: the caller's promise: so many bytes as the lanes have.
        let lanes = unsafe { src.cast::<[[u8; 16]; LANES]>().read_unaligned() };
        lanes.map(u128::from_le_bytes)
    }
    unsafe fn write(self, dst: *mut u8, v: Self::V) {
        let lanes = v.map(u128::to_le_bytes);
        // SAFETY: as above.
        unsafe { dst.cast::<[[u8; 16]; LANES]>().write_unaligned(lanes) }
    }
    #[inline(never)]
    fn rows(self, rows: &[Lane], at: usize) -> Self::V {
        core::array::from_fn(|i| u128::from_le_bytes(rows[at + i].0))
    }
    #[inline(never)]
    fn set_rows(self, rows: &mut [Lane], at: usize, v: Self::V) {
        rows[at..at + LANES].copy_from_slice(&v.map(|lane| Lane(lane.to_le_bytes())));
    }
    #[inline(never)]
    fn halves(self, halves: &[Half], at: usize) -> Self::V {
        let word = |i: usize| u128::from(u64::from_le_bytes(halves[at + i]));
        core::array::from_fn(|i| word(2 * i) | word(2 * i + 1) << 64)
    }
    #[inline(never)]
    fn set_halves(self, halves: &mut [Half], at: usize, v: Self::V) {
        for (i, lane) in v.into_iter().enumerate() {
            halves[at + 2 * i] = half(lane, false).to_le_bytes();
            halves[at + 2 * i + 1] = half(lane, true).to_le_bytes();
        }
    }
    #[inline(never)]
    fn splat(self, row: &Lane) -> Self::V {
        [u128::from_le_bytes(row.0); LANES]
    }
    #[inline(never)]
    fn splat_words(self, [low, high]: [u64; 2]) -> Self::V {
        [u128::from(low) | u128::from(high) << 64; LANES]
    }
    #[inline(never)]
    fn spread(self, [lane]: [u128; 1]) -> Self::V {
        [lane; LANES]
    }
    #[inline(never)]
    fn insert(self, mut v: Self::V, at: usize, [lane]: [u128; 1]) -> Self::V {
        v[at] = lane;
        v
    }
    #[inline(never)]
    fn lane(self, v: Self::V, at: usize) -> [u128; 1] {
        [v[at]]
    }
    #[inline(never)]
    fn splice(self, low: Self::V, high: Self::V) -> Self::V {
        core::array::from_fn(|i| if i < LANES / 2 { low[i] } else { high[i] })
    }
    #[inline(never)]
    fn words(self, v: Self::V) -> [u64; 2] {
        [false, true].map(|high| half(v[0], high))
    }
    fn zero(self) -> Self::V {
        [0; LANES]
    }
    #[inline(never)]
    fn xor(self, a: Self::V, b: Self::V) -> Self::V {
        core::array::from_fn(|i| a[i] ^ b[i])
    }
    #[inline(never)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        core::array::from_fn(|i| a[i] & b[i])
    }
    #[inline(never)]
    fn reverse(self, v: Self::V) -> Self::V {
        v.map(u128::swap_bytes)
    }
    #[inline(never)]
    fn permute(self, v: Self::V, picks: Self::V) -> Self::V {
        core::array::from_fn(|i| {
            let bytes = v[i].to_le_bytes();
            let pick = |pick: u8| {
                if pick < 0x80 {
                    bytes[usize::from(pick % 16)]
                } else {
                    0
                }
            };
            u128::from_le_bytes(picks[i].to_le_bytes().map(pick))
        })
    }
    #[inline(never)]
    fn swap(self, v: Self::V) -> Self::V {
        v.map(|lane| lane.rotate_left(64))
    }
    #[inline(never)]
    fn low_halves(self, a: Self::V, b: Self::V) -> Self::V {
        core::array::from_fn(|i| u128::from(half(a[i], false)) | b[i] << 64)
    }
    #[inline(never)]
    fn high_halves(self, a: Self::V, b: Self::V) -> Self::V {
        core::array::from_fn(|i| a[i] >> 64 | b[i] >> 64 << 64)
    }
    #[inline(never)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        core::array::from_fn(|i| super::add(a[i], b[i]))
    }
    fn count(self, n: u32) -> Self::V {
        [n.into(); LANES]
    }
    fn lane_numbers(self) -> Self::V {
        core::array::from_fn(|i| i as u128)
    }
    #[inline(never)]
    fn fold(self, v: Self::V) -> [u128; 1] {
        [v.into_iter().fold(0, |sum, lane| sum ^ lane)]
    }
    #[inline(never)]
    fn widen(self, lane: [u128; 1]) -> Self::V {
        self.insert(self.zero(), 0, lane)
    }
    #[inline(never)]
    fn aes_round(self, v: Self::V, key: Self::V) -> Self::V {
        core::array::from_fn(|i| keyed(v[i], key[i], true))
    }
    #[inline(never)]
    fn aes_last(self, v: Self::V, before: Self::V, end: Self::V) -> Self::V {
        core::array::from_fn(|i| keyed(v[i], before[i], false) ^ end[i])
    }
    #[inline(never)]
    fn aes_inverse_round(self, v: Self::V, key: Self::V) -> Self::V {
        core::array::from_fn(|i| inverse_keyed(v[i], key[i], true))
    }
    #[inline(never)]
    fn aes_inverse_last(self, v: Self::V, before: Self::V, end: Self::V) -> Self::V {
        core::array::from_fn(|i| inverse_keyed(v[i], before[i], false) ^ end[i])
    }
    #[inline(never)]
    fn shift_left(self, v: Self::V, bits: u8) -> Self::V {
        v.map(|lane| words(lane, |word| word << bits))
    }
    #[inline(never)]
    fn shift_right(self, v: Self::V, bits: u8) -> Self::V {
        v.map(|lane| words(lane, |word| word >> bits))
    }
    #[inline(never)]
    fn clmul_lo_lo(self, a: Self::V, b: Self::V) -> Self::V {
        products(a, b, [false, false])
    }
    #[inline(never)]
    fn clmul_lo_hi(self, a: Self::V, b: Self::V) -> Self::V {
        products(a, b, [false, true])
    }
    #[inline(never)]
    fn clmul_hi_lo(self, a: Self::V, b: Self::V) -> Self::V {
        products(a, b, [true, false])
    }
    #[inline(never)]
    fn clmul_hi_hi(self, a: Self::V, b: Self::V) -> Self::V {
        products(a, b, [true, true])
    }
    fn order(self, _: &mut Self::V, _: &mut Self::V) {}
    fn order_memory(self, _: &mut Self::V, _: &mut Self::V) {}
}

impl Columns for KeyFirst<1> {
    fn inverse_mix_columns(self, v: [u128; 1]) -> [u128; 1] {
        v.map(|lane| u128::from_le_bytes(inverse_mix_columns(&lane.to_le_bytes())))
    }
    fn prefix_xor_columns(self, [lane]: [u128; 1]) -> [u128; 1] {
        [lane ^ lane << 32 ^ lane << 64 ^ lane << 96]
    }
    fn rotate_last_column(self, v: [u128; 1]) -> [u128; 1] {
        column(v, 3, 8)
    }
    fn splat_last_column(self, v: [u128; 1]) -> [u128; 1] {
        column(v, 3, 0)
    }
    fn rotate_second_column(self, v: [u128; 1]) -> [u128; 1] {
        column(v, 1, 8)
    }
}
