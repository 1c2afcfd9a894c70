//! Vectors of 128-bit lanes: what a kernel may do with them, and the proof that this CPU can.
//!
//! A **token** is a zero-sized `Copy` value that only its `detect` makes: holding one is the proof
//! that the CPU has the instructions, which is what makes the methods of [`Simd`] safe to call.
//! With `inout` this is the only place of the library core that holds raw pointers and intrinsics;
//! it knows nothing of ciphers and modes.

mod cpu;
mod inout;
pub(crate) mod partial;
mod planes;
#[cfg(carryless_fused)]
pub mod stack;
#[cfg(carryless_fused)]
#[macro_use]
mod token;
#[cfg(carryless_a64)]
pub mod aarch64;
mod timing;
pub mod tuning;
#[cfg(feature = "lea")]
pub mod words;
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
pub mod x86_64;

/// The tokens of this target.
#[cfg(carryless_a64)]
pub use aarch64 as native;
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
pub use x86_64 as native;

pub use cpu::{Features, Missing};
pub use inout::{Blocks, InOut, SideBySide};
#[cfg(carryless_a64)]
pub use planes::NeonPlanes;
pub use planes::{MAX_BLOCKS, Planes, RARE_32, RARE_64, WORDS_64, Wide};
pub use timing::DataIndependentTiming;

use self::tuning::Tuning;
use crate::block::{Counter, Half, Lane};

/// A CPU with AES and carry-less multiplication on vectors of `LANES` lanes of 128 bits.
///
/// Every method is `#[inline(always)]` and becomes one instruction, or a few, inside an entry
/// point that carries the token's features (`cpu!`).
///
/// A lane is a little-endian 128-bit register: byte 0 of memory is its lowest byte. "Reversed"
/// means that the 16 bytes of each lane stand the other way round, as GHASH wants them
/// (`docs/math.md` 1: bit 127-i is then the coefficient of x^i).
pub trait Simd: Copy {
    /// Lanes of a vector.
    const LANES: usize;
    /// Bytes of a vector.
    const BYTES: usize = 16 * Self::LANES;
    /// The vector.
    type V: Copy;
    /// The same CPU with vectors of one lane, for tails and tags.
    type Narrow: Columns<Narrow = Self::Narrow>;

    /// Whether loads and stores take a mask, so that [`load_first`](Self::load_first) and [`store_first`](Self::store_first) are
    /// one instruction. Otherwise kernels have the end of a text from [`load_last`](Self::load_last), and give it to
    /// [`store_last`](Self::store_last).
    const MASKS: bool = false;
    /// Whether the instruction of an AES round adds a key before SubBytes and ShiftRows, as AESE does, or behind them.
    ///
    /// What lies between two rounds, a **state**, has the key between them yet to be added, or has it in it; so has what a block
    /// is before the first round. A round takes the one key that it adds: see [`aes_key`](Self::aes_key).
    const KEY_FIRST: bool = false;
    /// Whether [`load_apart`](Self::load_apart) is faster than to load and to shuffle.
    const APART: bool = false;
    /// What kernels are tuned by.
    const TUNING: Tuning;
    /// The same CPU with vectors of at most two lanes: for the last blocks of a message, with masks for few of them.
    type Short: Simd<Narrow = Self::Narrow>;

    /// The token of the one-lane vectors.
    fn narrow(self) -> Self::Narrow;
    /// The token of the vectors of at most two lanes.
    fn short(self) -> Self::Short;

    /// Loads a vector.
    ///
    /// # Safety
    /// `src` is valid for reading `BYTES` bytes; no alignment is needed.
    unsafe fn read(self, src: *const u8) -> Self::V;
    /// Stores a vector.
    ///
    /// # Safety
    /// `dst` is valid for writing `BYTES` bytes; no alignment is needed.
    unsafe fn write(self, dst: *mut u8, v: Self::V);

    /// The lanes `rows[at..at + LANES]`.
    fn rows(self, rows: &[Lane], at: usize) -> Self::V;
    /// Stores to `rows[at..at + LANES]`.
    fn set_rows(self, rows: &mut [Lane], at: usize, v: Self::V);
    /// The halves of lanes `halves[at..at + 2 * LANES]`, in order.
    fn halves(self, halves: &[Half], at: usize) -> Self::V;
    /// Stores to `halves[at..at + 2 * LANES]`.
    fn set_halves(self, halves: &mut [Half], at: usize, v: Self::V);
    /// One lane in each position.
    fn splat(self, row: &Lane) -> Self::V;
    /// The lane made of two words, in each position.
    fn splat_words(self, words: [u64; 2]) -> Self::V;
    /// The 32-bit column in each position.
    #[inline(always)]
    fn splat_column(self, column: u32) -> Self::V {
        let two = u64::from(column) << 32 | u64::from(column);
        self.splat_words([two; 2])
    }
    /// The narrow value in each position.
    fn spread(self, v: <Self::Narrow as Simd>::V) -> Self::V;
    /// `v` with `lane` in its place.
    fn insert(self, v: Self::V, at: usize, lane: <Self::Narrow as Simd>::V) -> Self::V;
    /// The lane in the place.
    fn lane(self, v: Self::V, at: usize) -> <Self::Narrow as Simd>::V;
    /// Half of the lanes of `low`, and the upper half of those of `high`; more than one lane.
    fn splice(self, low: Self::V, high: Self::V) -> Self::V;
    /// The words of the lowest lane.
    fn words(self, v: Self::V) -> [u64; 2];
    /// All bits clear.
    fn zero(self) -> Self::V;

    /// `a + b` in GF(2).
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & b`.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Reverses the bytes of each lane.
    fn reverse(self, v: Self::V) -> Self::V;
    /// Puts together each lane from its own bytes: `picks` has the number (0 to 15) of the byte for each place,
    /// or a number with the top bit set for a zero.
    fn permute(self, v: Self::V, picks: Self::V) -> Self::V;
    /// Exchanges the 64-bit halves of each lane.
    fn swap(self, v: Self::V) -> Self::V;
    /// The low halves of the lanes of `a`, each followed by that of `b`.
    fn low_halves(self, a: Self::V, b: Self::V) -> Self::V;
    /// The high halves likewise.
    fn high_halves(self, a: Self::V, b: Self::V) -> Self::V;
    /// Adds the 32-bit words of both; there is no carry between words.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// The 64-bit words, times 2^`bits`. The number of bits, less than 64, is constant.
    fn shift_left(self, v: Self::V, bits: u8) -> Self::V;
    /// The 64-bit words, divided by 2^`bits`, likewise.
    fn shift_right(self, v: Self::V, bits: u8) -> Self::V;
    /// `n` in the lowest 32 bits of each lane.
    fn count(self, n: u32) -> Self::V;
    /// `i` in the lowest 32 bits of lane `i`.
    fn lane_numbers(self) -> Self::V;
    /// The XOR of all lanes.
    fn fold(self, v: Self::V) -> <Self::Narrow as Simd>::V;
    /// The XOR of all lanes of each of four, in the lane of its number; of four lanes.
    #[inline(always)]
    fn fold_each(self, vs: [Self::V; 4]) -> Self::V {
        let mut folded = self.zero();
        for (lane, v) in vs.into_iter().enumerate().take(Self::LANES) {
            folded = self.insert(folded, lane, self.fold(v));
        }
        folded
    }
    /// Two bits for each lane, from the lowest on: none set where it is zero. Of four lanes.
    #[inline(always)]
    fn nonzero_lanes(self, v: Self::V) -> u8 {
        let n = self.narrow();
        (0..Self::LANES).fold(0, |bits, lane| {
            let [lo, hi] = n.words(self.lane(v, lane));
            bits | u8::from(lo | hi != 0) << (2 * lane)
        })
    }
    /// The narrow value in the lowest lane, zero in the others.
    fn widen(self, v: <Self::Narrow as Simd>::V) -> Self::V;

    /// Of the keys before and behind an AES round the one that it adds. Nothing is before the first key: `aes_key(zero, first)`
    /// makes a block a state.
    #[inline(always)]
    fn aes_key(self, before: Self::V, behind: Self::V) -> Self::V {
        if Self::KEY_FIRST { before } else { behind }
    }
    /// One AES round, from state to state: ShiftRows, SubBytes, MixColumns (FIPS 197 section 5.1), and the key that it adds.
    fn aes_round(self, v: Self::V, key: Self::V) -> Self::V;
    /// A round on each of the states.
    #[inline(always)]
    fn aes_rounds<const N: usize>(self, states: &mut [Self::V; N], key: Self::V) {
        each!(i in N => { states[i] = self.aes_round(states[i], key); });
    }
    /// The last AES round, without MixColumns, from a state to a block: between the key before it and `end`, the last key
    /// with whatever else is to be added.
    fn aes_last(self, v: Self::V, before: Self::V, end: Self::V) -> Self::V;

    /// One round of decryption in the order of encryption (FIPS 197 section 5.3.5), likewise from state to state: InvShiftRows,
    /// InvSubBytes, InvMixColumns, and the key that it adds.
    fn aes_inverse_round(self, v: Self::V, key: Self::V) -> Self::V;
    /// That round on each of the states.
    #[inline(always)]
    fn aes_inverse_rounds<const N: usize>(self, states: &mut [Self::V; N], key: Self::V) {
        each!(i in N => { states[i] = self.aes_inverse_round(states[i], key); });
    }
    /// The last round of decryption, likewise; see [`aes_last`](Self::aes_last).
    fn aes_inverse_last(self, v: Self::V, before: Self::V, end: Self::V) -> Self::V;

    /// A round on two states, and of `[x, a, b]` the products of the low halves of `x` and `a` and of the high halves of `x` and `b`,
    /// which are there when the round is.
    #[inline(always)]
    fn aes_rounds_and_products(
        self,
        states: [Self::V; 2],
        key: Self::V,
        [x, a, b]: [Self::V; 3],
    ) -> ([Self::V; 2], [Self::V; 2]) {
        let products = [self.clmul_lo_lo(x, a), self.clmul_hi_hi(x, b)];
        (states.map(|state| self.aes_round(state, key)), products)
    }

    /// Carry-less product of the low halves of both.
    fn clmul_lo_lo(self, a: Self::V, b: Self::V) -> Self::V;
    /// Carry-less product of the low half of `a` and the high half of `b`.
    fn clmul_lo_hi(self, a: Self::V, b: Self::V) -> Self::V;
    /// Carry-less product of the high half of `a` and the low half of `b`.
    fn clmul_hi_lo(self, a: Self::V, b: Self::V) -> Self::V;
    /// Carry-less product of the high halves of both.
    fn clmul_hi_hi(self, a: Self::V, b: Self::V) -> Self::V;

    /// Four products of each lane: adds to `r` that of the low half of `x` and the high half of `d`, and that of the high halves of `x` and `h`;
    /// to `f` those with the low halves of `d` and `h`. It is a product in the form R/F (`docs/math.md` 3).
    #[inline(always)]
    fn add_product(self, r: &mut Self::V, f: &mut Self::V, x: Self::V, h: Self::V, d: Self::V) {
        *r = self.xor(*r, self.xor(self.clmul_lo_hi(x, d), self.clmul_hi_hi(x, h)));
        *f = self.xor(*f, self.xor(self.clmul_lo_lo(x, d), self.clmul_hi_lo(x, h)));
    }

    /// Keeps the order of the two computations: neither value may be used in what comes later
    /// before both exist. Changes no value and costs no instruction; a no-op under Miri.
    fn order(self, a: &mut Self::V, b: &mut Self::V);
    /// The same, for memory too: what is read or written later in the program is so behind it.
    fn order_memory(self, a: &mut Self::V, b: &mut Self::V);

    /// The block of `counter`, reversed, lane `i` counted `i` further.
    #[inline(always)]
    fn counters(self, counter: Counter) -> Self::V {
        self.add(
            self.reverse(self.splat_words(counter.words())),
            self.lane_numbers(),
        )
    }

    /// Loads `BYTES` bytes from `bytes[at..]`.
    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Self::V {
        let bytes = &bytes[at..at + Self::BYTES];
        // SAFETY: the slice has `BYTES` bytes.
        unsafe { self.read(bytes.as_ptr()) }
    }

    /// Bytes of the last vector of `len` bytes, one and more, which lie in vectors from their first on.
    #[inline(always)]
    fn last_len(len: usize) -> usize {
        len.wrapping_sub(1) % Self::BYTES + 1
    }

    /// Loads two vectors from `bytes[at..]`, reversed, and takes them apart: the low halves of both, and the high ones.
    #[inline(always)]
    fn load_apart(self, bytes: &[u8], at: usize) -> [Self::V; 2] {
        let [a, b] = [at, at + Self::BYTES].map(|at| self.reverse(self.load(bytes, at)));
        [self.low_halves(a, b), self.high_halves(a, b)]
    }

    /// Loads the first bytes of a vector, as many as there are (0 to `BYTES`), zeros behind them; with masks.
    #[inline(always)]
    fn load_first(self, bytes: &[u8]) -> Self::V {
        let mut v = self.zero();
        for (lane, block) in bytes.chunks(16).enumerate().take(Self::LANES) {
            v = self.insert(v, lane, self.narrow().load_partial(block));
        }
        v
    }

    /// Writes the first bytes of a vector, as many as there are (1 to `BYTES`); with masks.
    #[inline(always)]
    fn store_first(self, mut text: InOut<'_>, v: Self::V) {
        let mut lane = 0;
        while let Some(block) = text.split_to(text.len().min(16))
            && !block.is_empty()
        {
            self.narrow().store_partial(block, self.lane(v, lane));
            lane += 1;
        }
    }

    /// Loads the last vector of some bytes, which lie in vectors from their first on: as many as there are, zeros behind them.
    #[inline(always)]
    fn load_last(self, bytes: &[u8]) -> Self::V {
        partial::load_last(self, bytes)
    }

    /// Writes the last vector of a text, one byte and more, which lies in vectors from its first on: as many bytes as there are.
    /// Those before are written already.
    #[inline(always)]
    fn store_last(self, text: InOut<'_>, v: Self::V) {
        partial::store_last(self, text, v);
    }

    /// Loads 0 to 16 bytes into a lane, zeros behind them.
    #[inline(always)]
    fn load_block(self, bytes: &[u8]) -> <Self::Narrow as Simd>::V {
        self.narrow().load_partial(bytes)
    }

    /// Writes the first bytes of a lane, as many as there are (1 to 16).
    #[inline(always)]
    fn store_block(self, text: InOut<'_>, v: <Self::Narrow as Simd>::V) {
        self.narrow().store_partial(text, v);
    }

    /// Ones in the first `len` (0 to `BYTES`) bytes, zeros behind them.
    #[inline(always)]
    fn ones(self, len: usize) -> Self::V {
        partial::ones(self, len)
    }

    /// `v` with zeros behind its first `len` (0 to `BYTES`) bytes.
    #[inline(always)]
    fn keep_first(self, v: Self::V, len: usize) -> Self::V {
        self.and(v, self.ones(len))
    }

    /// Loads 0 to 16 bytes into the only lane, zeros behind them.
    #[inline(always)]
    fn load_partial(self, bytes: &[u8]) -> Self::V
    where
        Self: Simd<Narrow = Self>,
    {
        partial::load_partial(self, bytes)
    }

    /// Writes the first bytes of the only lane, as many as there are (0 to 16).
    #[inline(always)]
    fn store_partial(self, text: InOut<'_>, v: Self::V)
    where
        Self: Simd<Narrow = Self>,
    {
        partial::store_partial(self, text, v);
    }
}

/// The halves of lanes, in order.
#[inline(always)]
pub fn halves(lanes: &[Lane]) -> &[Half] {
    // SAFETY: a lane is two halves, which want no alignment.
    unsafe { core::slice::from_raw_parts(lanes.as_ptr().cast(), 2 * lanes.len()) }
}

/// [`halves`] that can be set.
#[inline(always)]
pub fn halves_mut(lanes: &mut [Lane]) -> &mut [Half] {
    // SAFETY: as for `halves`; any bytes are a lane.
    unsafe { core::slice::from_raw_parts_mut(lanes.as_mut_ptr().cast(), 2 * lanes.len()) }
}

/// What key schedules do with the 32-bit columns of one lane.
pub trait Columns: Simd<Narrow = Self> {
    /// InvMixColumns (FIPS 197 section 5.3.3).
    fn inverse_mix_columns(self, v: Self::V) -> Self::V;
    /// Each 32-bit column `i` becomes the XOR of columns `0..=i`.
    fn prefix_xor_columns(self, v: Self::V) -> Self::V;
    /// RotWord of the last 32-bit column, in every column.
    fn rotate_last_column(self, v: Self::V) -> Self::V;
    /// The last 32-bit column, in every column.
    fn splat_last_column(self, v: Self::V) -> Self::V;
    /// The second 32-bit column, rotated (RotWord), in every column.
    fn rotate_second_column(self, v: Self::V) -> Self::V;
}

#[cfg(test)]
pub(crate) mod tests;
