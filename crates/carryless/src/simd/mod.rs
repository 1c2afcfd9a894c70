//! Vectors of 128-bit lanes: what a kernel may do with them, and the proof that this CPU can.
//!
//! A **token** is a zero-sized `Copy` value that only its `detect` makes: holding one is the proof
//! that the CPU has the instructions, which is what makes the methods of [`Simd`] safe to call.
//! With `inout` this is the only place of the library core that holds raw pointers and intrinsics;
//! it knows nothing of ciphers and modes.

mod cpu;
mod inout;
mod planes;
pub mod tuning;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod x86_64;

pub use cpu::{Features, Missing};
pub use inout::InOut;
pub use planes::{MAX_BLOCKS, Planes, Wide};

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
    /// one instruction; kernels use those nowhere else.
    const MASKS: bool = false;
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

    /// One AES round: ShiftRows, SubBytes, MixColumns, AddRoundKey (FIPS 197 section 5.1).
    fn aes_round(self, v: Self::V, key: Self::V) -> Self::V;
    /// The last AES round, without MixColumns.
    fn aes_last(self, v: Self::V, key: Self::V) -> Self::V;

    /// Carry-less product of the low halves of both.
    fn clmul_lo_lo(self, a: Self::V, b: Self::V) -> Self::V;
    /// Carry-less product of the low half of `a` and the high half of `b`.
    fn clmul_lo_hi(self, a: Self::V, b: Self::V) -> Self::V;
    /// Carry-less product of the high half of `a` and the low half of `b`.
    fn clmul_hi_lo(self, a: Self::V, b: Self::V) -> Self::V;
    /// Carry-less product of the high halves of both.
    fn clmul_hi_hi(self, a: Self::V, b: Self::V) -> Self::V;

    /// Keeps the order of the two computations: neither value may be used in what comes later
    /// before both exist. Changes no value and costs no instruction; a no-op under Miri.
    fn tie(self, a: &mut Self::V, b: &mut Self::V);
    /// The same, for memory too: what is read or written later in the program is so behind it.
    fn fence(self, a: &mut Self::V, b: &mut Self::V);

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

    /// Loads the first bytes of a vector, as many as there are (0 to `BYTES`), zeros behind them.
    #[inline(always)]
    fn load_first(self, bytes: &[u8]) -> Self::V {
        let mut v = self.zero();
        for (lane, block) in bytes.chunks(16).enumerate().take(Self::LANES) {
            v = self.insert(v, lane, self.narrow().load_partial(block));
        }
        v
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

    /// Writes the first bytes of a vector, as many as there are (0 to `BYTES`).
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

    /// Ones in the first `len` (0 to `BYTES`) bytes, zeros behind them.
    #[inline(always)]
    fn ones(self, len: usize) -> Self::V {
        debug_assert!(len <= Self::BYTES, "a vector has no more");
        // The minimum is the proof that the load needs no check.
        self.load(&ONES, 64 - len.min(64))
    }

    /// `v` with zeros behind its first `len` (0 to `BYTES`) bytes.
    #[inline(always)]
    fn keep_first(self, v: Self::V, len: usize) -> Self::V {
        self.and(v, self.ones(len))
    }

    /// Loads 0 to 16 bytes into the only lane, zeros behind them.
    ///
    /// By loads that overlap and stay inside the slice: a copy to the stack and back would wait for the store.
    #[inline(always)]
    fn load_partial(self, bytes: &[u8]) -> Self::V
    where
        Self: Simd<Narrow = Self>,
    {
        debug_assert!(bytes.len() <= 16, "a lane takes no more");
        if bytes.len() >= 16 {
            self.load(bytes, 0)
        } else if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
            let both = self.splat_words([u64::from_le_bytes(*head), u64::from_le_bytes(*tail)]);
            self.permute(both, self.splat(&JOINED[bytes.len() - 8]))
        } else {
            self.splat_words([short_word(bytes), 0])
        }
    }

    /// Writes the first bytes of the only lane, as many as there are (0 to 16); the counterpart of
    /// [`load_partial`](Self::load_partial).
    #[inline(always)]
    fn store_partial(self, mut text: InOut<'_>, v: Self::V)
    where
        Self: Simd<Narrow = Self>,
    {
        let len = text.len();
        debug_assert!(len <= 16, "a lane has no more");
        if len >= 16 {
            return text.store(self, 0, v);
        }
        let ([head, _], bytes) = (self.words(v), text.into_written());
        if len < 8 {
            return set_short_word(bytes, head);
        }
        let [tail, _] = self.words(self.permute(v, self.splat(&TAILS[len - 8])));
        bytes[len - 8..].copy_from_slice(&tail.to_le_bytes());
        bytes[..8].copy_from_slice(&head.to_le_bytes());
    }
}

/// Ones, and as many zeros, for vectors of up to 64 bytes: from `64 - len` on the first `len` are ones.
static ONES: [u8; 128] = {
    let mut ones = [0; 128];
    let (head, _) = ones.split_at_mut(64);
    head.copy_from_slice(&[0xff; 64]);
    ones
};

/// The picks that join the first and the last eight of `8 + i` bytes, which overlap.
#[expect(
    clippy::cast_possible_truncation,
    reason = "numbers of bytes of a lane"
)]
static JOINED: [Lane; 8] = {
    let mut joined = [Lane([0x80; 16]); 8];
    let mut i = 0;
    while i < joined.len() {
        let mut at = 0;
        while at < 8 + i {
            joined[i].0[at] = if at < 8 { at as u8 } else { (8 + at - i) as u8 };
            at += 1;
        }
        i += 1;
    }
    joined
};

/// The picks of the last eight of `8 + i` bytes.
#[expect(
    clippy::cast_possible_truncation,
    reason = "numbers of bytes of a lane"
)]
static TAILS: [Lane; 8] = {
    let mut tails = [Lane([0x80; 16]); 8];
    let mut i = 0;
    while i < tails.len() {
        let mut at = 0;
        while at < 8 {
            tails[i].0[at] = (i + at) as u8;
            at += 1;
        }
        i += 1;
    }
    tails
};

/// What a key schedule does with the 32-bit columns of one lane, and a reduction with its 64-bit ones.
pub trait Columns: Simd<Narrow = Self> {
    /// Shifts each 64-bit column by `BY` (0 to 63) bits, zeros in.
    fn shift_left<const BY: i32>(self, v: Self::V) -> Self::V;
    /// The same, to the right.
    fn shift_right<const BY: i32>(self, v: Self::V) -> Self::V;
    /// Each 32-bit column `i` becomes the XOR of columns `0..=i`.
    fn prefix_xor_columns(self, v: Self::V) -> Self::V;
    /// RotWord of the last 32-bit column, in every column.
    fn rotate_last_column(self, v: Self::V) -> Self::V;
    /// The last 32-bit column, in every column.
    fn splat_last_column(self, v: Self::V) -> Self::V;
    /// The second 32-bit column, rotated (RotWord), in every column.
    fn rotate_second_column(self, v: Self::V) -> Self::V;
}

/// The little-endian word of 0 to 7 bytes.
#[inline(always)]
fn short_word(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (head, tail) = (u32::from_le_bytes(*head), u32::from_le_bytes(*tail));
        u64::from(head) | u64::from(tail) << (8 * (len - 4))
    } else if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
        u64::from(*first)
            | u64::from(bytes[len / 2]) << (8 * (len / 2))
            | u64::from(*last) << (8 * (len - 1))
    } else {
        0
    }
}

/// Stores the first `bytes.len()` (0 to 7) bytes of the word; the counterpart of [`short_word`].
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bytes of a word, one after the other"
)]
#[inline(always)]
fn set_short_word(bytes: &mut [u8], word: u64) {
    let len = bytes.len();
    if len >= 4 {
        let tail = (word >> (8 * (len - 4))) as u32;
        bytes[len - 4..].copy_from_slice(&tail.to_le_bytes());
        bytes[..4].copy_from_slice(&(word as u32).to_le_bytes());
    } else if let Some(two) = bytes.first_chunk_mut() {
        *two = (word as u16).to_le_bytes();
        if let Some(third) = bytes.get_mut(2) {
            *third = (word >> 16) as u8;
        }
    } else if let Some(one) = bytes.first_mut() {
        *one = word as u8;
    }
}

#[cfg(test)]
mod tests;
