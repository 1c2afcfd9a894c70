//! Bit planes: what a bit-sliced cipher computes with, on 32-bit or 64-bit words or 128-bit vectors.
//!
//! Eight planes hold the bits 0 to 7 of all bytes of some blocks. Within a plane, the byte of row `r`
//! and column `c` of the AES state (FIPS 197 section 3.4: byte `r + 4c` of the block) stands at
//! position `4r + c`; a position has one bit for each block. Rows lie outermost because the cipher
//! rotates them most. Planes of NEON alone have byte `n` at position `n`, as a permutation costs the same whatever it moves.
//!
//! No operation here has a branch, an index or a slow instruction that depends on a value.

/// The planes of a key that two words hold, by `in_all`, which gives that of a bit of a word in all blocks. Written out: a
/// function that is mapped over them may stay a call in each round.
macro_rules! planes_of_two {
    ($low:ident, $high:ident) => {
        [
            in_all::<0>($low),
            in_all::<1>($low),
            in_all::<2>($low),
            in_all::<3>($low),
            in_all::<0>($high),
            in_all::<1>($high),
            in_all::<2>($high),
            in_all::<3>($high),
        ]
    };
}

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
mod aarch64;
#[cfg(carryless_a64)]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(any(
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ),
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(target_arch = "x86_64", target_feature = "sse2"),
))]
mod wide;
mod words;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

#[cfg(carryless_a64)]
pub use neon::NeonPlanes;
#[cfg(any(
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ),
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(target_arch = "x86_64", target_feature = "sse2"),
))]
pub use wide::Wide;

/// The widest planes of a target without vectors that are always there.
///
/// Big-endian AArch64 is among them: what numbers its lanes depends on the compiler. Other engines would fail their
/// self-test where it is wrong; the portable one must be right.
#[cfg(not(any(
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ),
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(target_arch = "x86_64", target_feature = "sse2"),
)))]
pub type Wide = u64;

use crate::block::Block;

/// Whether the target has registers of 64 bits, be its pointers shorter.
pub const WORDS_64: bool = cfg!(any(
    target_pointer_width = "64",
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "wasm32",
));
/// Whether no engine that is chosen without being named computes in words of 64 bits: their code is small then, not fast.
pub const RARE_64: bool = cfg!(carryless_a64) || !WORDS_64;
/// The same of 32 bits.
pub const RARE_32: bool = WORDS_64;

/// The most blocks that any planes hold.
pub const MAX_BLOCKS: usize = 8;

/// One plane of some blocks.
pub trait Planes: Copy {
    /// Blocks, thus bits of a position: at most [`MAX_BLOCKS`].
    const BLOCKS: usize;
    /// Planes of a word, in which keys are made.
    type Word: Planes<Word = Self::Word, Key = Self::Key>;
    /// What the planes of a key are kept as, which is the same for all blocks.
    type Key: Copy + Send + Sync + 'static;
    /// None of a key yet.
    const NO_KEY: Self::Key;
    /// Planes of fewer blocks, faster where they are enough.
    type Few: Planes<Word = Self::Word, Key = Self::Key>;
    /// Whether [`select`](Self::select) is one instruction.
    const SELECTS: bool = false;
    /// Whether planes go to a function that makes the rounds for several, to save code.
    const APART: bool = false;
    /// Whether engines with them are chosen by name alone: what is used often is a function then, to save code.
    const RARE: bool = false;

    /// `a + b` in GF(2).
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// `a * b` in GF(2).
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Bits of `a` where `self` has ones, of `b` elsewhere.
    #[must_use]
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        self.and(a.xor(b)).xor(b)
    }
    /// Keeps the planes of a key, of which all blocks have the same bits.
    fn keep(planes: [Self::Word; 8]) -> Self::Key;
    /// The planes of a key in all blocks.
    fn spread(key: &Self::Key) -> [Self; 8];
    /// Moves the byte of row `r + ROWS` and column `c + COLS` to row `r` and column `c`, modulo 4;
    /// `ROWS` is 1 or 2.
    #[must_use]
    fn rotate<const ROWS: u32, const COLS: u32>(self) -> Self;
    /// Rotates rows 1 and 3 by two columns: ShiftRows twice, its own inverse.
    #[must_use]
    fn skew(self) -> Self;
    /// The planes of the first `BLOCKS` blocks.
    fn pack(blocks: &[Block; MAX_BLOCKS]) -> [Self; 8];
    /// The inverse of [`Planes::pack`]; leaves the other blocks as they are.
    fn unpack(planes: [Self; 8], blocks: &mut [Block; MAX_BLOCKS]);
}

#[cfg(test)]
mod tests;
