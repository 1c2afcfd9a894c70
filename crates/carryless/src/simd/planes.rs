//! Bit planes: what a bit-sliced cipher computes with, on 64-bit words or 128-bit vectors.
//!
//! Eight planes hold the bits 0 to 7 of all bytes of some blocks. Within a plane, the byte of row `r`
//! and column `c` of the AES state (FIPS 197 section 3.4: byte `r + 4c` of the block) stands at
//! position `4r + c`; a position has one bit for each block. Rows lie outermost because the cipher
//! rotates them most.
//!
//! No operation here has a branch, an index or a slow instruction that depends on a value.
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
mod aarch64;
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
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

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
/// Big-endian AArch64 is among them: its lanes are numbered from the other end.
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

/// The most blocks that any planes hold.
pub const MAX_BLOCKS: usize = 8;

/// One plane of some blocks.
pub trait Planes: Copy {
    /// Blocks, thus bits of a position: at most [`MAX_BLOCKS`].
    const BLOCKS: usize;

    /// `a + b` in GF(2).
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// `a * b` in GF(2).
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// The plane in which all blocks have the bits of `word`, in which four blocks have them.
    ///
    /// The four bits of each position of `word` must be equal.
    fn spread(word: u64) -> Self;
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

/// Exchanges the bits of word `a` that lie `SHIFT` above `mask` with those of word `b` in `mask`.
#[inline(always)]
fn exchange<const SHIFT: u32>(words: &mut [u64; 8], a: usize, b: usize, mask: u64) {
    let moved = ((words[a] >> SHIFT) ^ words[b]) & mask;
    words[b] ^= moved;
    words[a] ^= moved << SHIFT;
}

/// Exchanges an index bit of the words, that in which the pairs differ, with one inside them.
macro_rules! exchange_all {
    ($words:ident, $shift:literal, $mask:literal, [$(($a:literal, $b:literal)),*]) => {
        $(exchange::<$shift>(&mut $words, $a, $b, $mask);)*
    };
}

/// The planes of four blocks, portable. Position `n` has the bits `4n..4n + 4`.
impl Planes for u64 {
    const BLOCKS: usize = 4;

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn spread(word: u64) -> Self {
        word
    }

    #[inline(always)]
    fn rotate<const ROWS: u32, const COLS: u32>(self) -> Self {
        const ONES: u64 = 0x0001_0001_0001_0001;
        if COLS == 0 {
            return self.rotate_right(16 * ROWS);
        }
        // The columns that stay within their row, and those that come round from its start.
        let stay = ONES * (0xffff >> (4 * COLS));
        let (near, far) = (
            self.rotate_right(16 * ROWS + 4 * COLS),
            self.rotate_right(16 * (ROWS - 1) + 4 * COLS),
        );
        (near & stay) | (far & !stay)
    }

    #[inline(always)]
    fn skew(self) -> Self {
        let moved = ((self >> 8) ^ self) & 0x00ff_0000_00ff_0000;
        self ^ moved ^ (moved << 8)
    }

    // An index bit of the word goes to a place inside the words and that bit to the next place, until
    // the last one becomes the index: six exchanges instead of a transposition and a shuffle.
    // Inside the words (r1 r0 c1 c0 b1 b0) becomes (c0 r1 r0 p2 p1 p0), their index (p2 p1 p0)
    // becomes (c1 b1 b0), where `p` numbers planes and `b` blocks.
    #[inline(always)]
    fn pack(blocks: &[Block; MAX_BLOCKS]) -> [Self; 8] {
        let mut w = [0; 8];
        for (i, block) in blocks.iter().take(4).enumerate() {
            [w[i], w[i + 4]] = halves(block);
        }
        exchange_all!(
            w,
            8,
            0x00ff_00ff_00ff_00ff,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        exchange_all!(
            w,
            16,
            0x0000_ffff_0000_ffff,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        exchange_all!(
            w,
            32,
            0x0000_0000_ffff_ffff,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        exchange_all!(
            w,
            4,
            0x0f0f_0f0f_0f0f_0f0f,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        exchange_all!(
            w,
            2,
            0x3333_3333_3333_3333,
            [(0, 2), (1, 3), (4, 6), (5, 7)]
        );
        exchange_all!(
            w,
            1,
            0x5555_5555_5555_5555,
            [(0, 1), (2, 3), (4, 5), (6, 7)]
        );
        w
    }

    #[inline(always)]
    fn unpack(planes: [Self; 8], blocks: &mut [Block; MAX_BLOCKS]) {
        let mut w = planes;
        exchange_all!(
            w,
            1,
            0x5555_5555_5555_5555,
            [(0, 1), (2, 3), (4, 5), (6, 7)]
        );
        exchange_all!(
            w,
            2,
            0x3333_3333_3333_3333,
            [(0, 2), (1, 3), (4, 6), (5, 7)]
        );
        exchange_all!(
            w,
            4,
            0x0f0f_0f0f_0f0f_0f0f,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        exchange_all!(
            w,
            32,
            0x0000_0000_ffff_ffff,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        exchange_all!(
            w,
            16,
            0x0000_ffff_0000_ffff,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        exchange_all!(
            w,
            8,
            0x00ff_00ff_00ff_00ff,
            [(0, 4), (1, 5), (2, 6), (3, 7)]
        );
        for (i, block) in blocks.iter_mut().take(4).enumerate() {
            *block = (u128::from(w[i]) | u128::from(w[i + 4]) << 64).to_le_bytes();
        }
    }
}

/// The little-endian words of a block.
#[inline(always)]
fn halves(block: &Block) -> [u64; 2] {
    let both = u128::from_le_bytes(*block);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    [both as u64, (both >> 64) as u64]
}

#[cfg(test)]
mod tests;
