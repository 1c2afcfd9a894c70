//! Planes in words: portable.
#![forbid(unsafe_code)]

use super::{MAX_BLOCKS, Planes};
use crate::block::Block;

/// Exchanges an index bit of the words, that in which the pairs differ, with one inside them: bits that
/// lie `shift` above `mask` in the first word of a pair with those of the second in `mask`.
macro_rules! exchange {
    ($w:ident 4 apart, $shift:literal, $mask:literal) => {
        exchange!($w, $shift, $mask, [(0, 4), (1, 5), (2, 6), (3, 7)]);
    };
    ($w:ident 2 apart, $shift:literal, $mask:literal) => {
        exchange!($w, $shift, $mask, [(0, 2), (1, 3), (4, 6), (5, 7)]);
    };
    ($w:ident 1 apart, $shift:literal, $mask:literal) => {
        exchange!($w, $shift, $mask, [(0, 1), (2, 3), (4, 5), (6, 7)]);
    };
    ($w:ident, $shift:literal, $mask:literal, [$(($a:literal, $b:literal)),*]) => {$(
        let moved = (($w[$a] >> $shift) ^ $w[$b]) & $mask;
        $w[$b] ^= moved;
        $w[$a] ^= moved << $shift;
    )*};
}

/// The planes in words of one type: a quarter of the word is a row, a quarter of that a position.
macro_rules! words {
    ($Word:ident $KEY:literal $RARE:ident: $keep:ident $spread:ident $pack:ident $unpack:ident) => {
        impl Planes for $Word {
            const BLOCKS: usize = Self::BITS as usize / 16;
            type Word = Self;
            type Key = [Self; $KEY];
            const NO_KEY: [Self; $KEY] = [0; $KEY];
            type Few = Self;
            const RARE: bool = super::$RARE;

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn keep(planes: [Self; 8]) -> [Self; $KEY] {
                $keep(planes)
            }

            #[inline(always)]
            fn spread(key: &[Self; $KEY]) -> [Self; 8] {
                $spread(key)
            }

            #[inline(always)]
            fn rotate<const ROWS: u32, const COLS: u32>(self) -> Self {
                const ROW: u32 = $Word::BITS / 4;
                const COL: u32 = ROW / 4;
                const FIRST_ROW: $Word = $Word::MAX >> (3 * ROW);
                if COLS == 0 {
                    return self.rotate_right(ROW * ROWS);
                }
                // The columns that stay within their row, and those that come round from its start.
                let stay = $Word::MAX / FIRST_ROW * (FIRST_ROW >> (COL * COLS));
                let (near, far) = (
                    self.rotate_right(ROW * ROWS + COL * COLS),
                    self.rotate_right(ROW * (ROWS - 1) + COL * COLS),
                );
                (near & stay) | (far & !stay)
            }

            #[inline(always)]
            fn skew(self) -> Self {
                const ROW: u32 = $Word::BITS / 4;
                // The lower two columns of rows 1 and 3.
                const LOWER: $Word = ((1 << (ROW / 2)) - 1) * (1 << ROW | 1 << (3 * ROW));
                let moved = ((self >> (ROW / 2)) ^ self) & LOWER;
                self ^ moved ^ (moved << (ROW / 2))
            }

            #[inline(always)]
            fn pack(blocks: &[Block; MAX_BLOCKS]) -> [Self; 8] {
                $pack(blocks)
            }

            #[inline(always)]
            fn unpack(planes: [Self; 8], blocks: &mut [Block; MAX_BLOCKS]) {
                $unpack(planes, blocks);
            }
        }
    };
}

words!(u32 8 RARE_32: keep_all all pack_two unpack_two);
words!(u64 2 RARE_64: keep_four_in_one four_of_one pack_four unpack_four);

// As they are: to pick them apart again would take longer than two blocks are worth.
#[inline(always)]
fn keep_all(planes: [u32; 8]) -> [u32; 8] {
    planes
}

#[inline(always)]
fn all(key: &[u32; 8]) -> [u32; 8] {
    *key
}

/// The bit of the first block in each position.
const FIRST: u64 = u64::MAX / 0xf;

// Four planes in a word: of each the bit of another block.
#[inline(always)]
fn keep_four_in_one(planes: [u64; 8]) -> [u64; 2] {
    [0, 4].map(|at| {
        let bit = |i: usize| planes[at + i] & (FIRST << i);
        bit(0) | bit(1) | bit(2) | bit(3)
    })
}

#[inline(always)]
fn four_of_one(&[low, high]: &[u64; 2]) -> [u64; 8] {
    planes_of_two!(low, high)
}

/// The plane that has this bit of each position, in all blocks.
#[inline(always)]
fn in_all<const BIT: u32>(word: u64) -> u64 {
    let bits = word >> BIT & FIRST;
    (bits << 4).wrapping_sub(bits)
}

// Inside the words (r1 r0 p2 p1 p0) becomes (r1 r0 c1 c0 b0), their index (c1 c0 b0) becomes
// (p2 p1 p0), where `p` numbers planes and `b` blocks: three exchanges.
#[inline(always)]
fn pack_two(blocks: &[Block; MAX_BLOCKS]) -> [u32; 8] {
    let mut w = [0; 8];
    for (b, block) in blocks.iter().take(2).enumerate() {
        for (c, column) in block.as_chunks().0.iter().enumerate() {
            w[2 * c + b] = u32::from_le_bytes(*column);
        }
    }
    exchange!(w 4 apart, 4, 0x0f0f_0f0f);
    exchange!(w 2 apart, 2, 0x3333_3333);
    exchange!(w 1 apart, 1, 0x5555_5555);
    w
}

#[inline(always)]
fn unpack_two(mut w: [u32; 8], blocks: &mut [Block; MAX_BLOCKS]) {
    exchange!(w 1 apart, 1, 0x5555_5555);
    exchange!(w 2 apart, 2, 0x3333_3333);
    exchange!(w 4 apart, 4, 0x0f0f_0f0f);
    for (b, block) in blocks.iter_mut().take(2).enumerate() {
        for (c, column) in block.as_chunks_mut().0.iter_mut().enumerate() {
            *column = w[2 * c + b].to_le_bytes();
        }
    }
}

// An index bit of the word goes to a place inside the words and that bit to the next place, until
// the last one becomes the index: six exchanges instead of a transposition and a shuffle.
// Inside the words (r1 r0 c1 c0 b1 b0) becomes (c0 r1 r0 p2 p1 p0), their index (p2 p1 p0)
// becomes (c1 b1 b0), where `p` numbers planes and `b` blocks.
#[inline(always)]
fn pack_four(blocks: &[Block; MAX_BLOCKS]) -> [u64; 8] {
    let mut w = [0; 8];
    for (i, block) in blocks.iter().take(4).enumerate() {
        [w[i], w[i + 4]] = halves(block);
    }
    exchange!(w 4 apart, 8, 0x00ff_00ff_00ff_00ff);
    exchange!(w 4 apart, 16, 0x0000_ffff_0000_ffff);
    exchange!(w 4 apart, 32, 0x0000_0000_ffff_ffff);
    exchange!(w 4 apart, 4, 0x0f0f_0f0f_0f0f_0f0f);
    exchange!(w 2 apart, 2, 0x3333_3333_3333_3333);
    exchange!(w 1 apart, 1, 0x5555_5555_5555_5555);
    w
}

#[inline(always)]
fn unpack_four(mut w: [u64; 8], blocks: &mut [Block; MAX_BLOCKS]) {
    exchange!(w 1 apart, 1, 0x5555_5555_5555_5555);
    exchange!(w 2 apart, 2, 0x3333_3333_3333_3333);
    exchange!(w 4 apart, 4, 0x0f0f_0f0f_0f0f_0f0f);
    exchange!(w 4 apart, 32, 0x0000_0000_ffff_ffff);
    exchange!(w 4 apart, 16, 0x0000_ffff_0000_ffff);
    exchange!(w 4 apart, 8, 0x00ff_00ff_00ff_00ff);
    for (i, block) in blocks.iter_mut().take(4).enumerate() {
        *block = (u128::from(w[i]) | u128::from(w[i + 4]) << 64).to_le_bytes();
    }
}

/// The little-endian words of a block.
#[inline(always)]
pub(super) fn halves(block: &Block) -> [u64; 2] {
    let both = u128::from_le_bytes(*block);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    [both as u64, (both >> 64) as u64]
}
