//! The key schedule of AES (FIPS 197 section 5.2) into fixsliced round keys.
#![forbid(unsafe_code)]

use zeroize::ZeroizeOnDrop;

use super::sbox::{NEGATED, NEGATED_WORD, sub_bytes};
#[cfg(carryless_a64)]
use super::single;
use crate::secret::erase;
#[cfg(carryless_a64)]
use crate::simd;
use crate::simd::Planes;

/// The most round keys: those of AES-256.
pub(super) const MAX_KEYS: usize = 15;
/// The most words of a key schedule.
pub const MAX_WORDS: usize = 4 * MAX_KEYS;

/// The lowest bit of each byte.
const BYTES: u32 = u32::MAX / 0xff;

/// A word that holds a plane of a round key, with the bits of as many blocks as it has room for.
pub trait Word: Planes<Word = Self> + Default + Send + Sync + 'static {
    /// Every bit the other way.
    #[must_use]
    fn complement(self) -> Self;

    /// The planes of the block with these columns, row `r` in byte `r`, in all blocks.
    fn slice(columns: [u32; 4]) -> [Self; 8];

    /// SubWord (FIPS 197 section 5.2).
    ///
    /// # Constant time
    /// Secret: `word`.
    #[inline(always)]
    #[must_use]
    fn sub_word(word: u32) -> u32 {
        sub_word(word)
    }
}

/// A round key, kept as bit planes.
pub(super) type RoundKey<W> = <W as Planes>::Key;

/// The round keys of AES with `K - 1` rounds: planes in the layout that the state has in that round
/// (see [`super::aes`]), with the NOTs of the S-box of the round before.
#[derive(Clone)]
pub struct Enc<W: Word, const K: usize>(pub(super) [RoundKey<W>; K]);

impl<W: Word, const K: usize> Default for Enc<W, K> {
    fn default() -> Self {
        Self([W::NO_KEY; K])
    }
}

impl<W: Word, const K: usize> Drop for Enc<W, K> {
    fn drop(&mut self) {
        erase(&mut self.0, &[W::NO_KEY; K]);
    }
}

impl<W: Word, const K: usize> ZeroizeOnDrop for Enc<W, K> {}

impl<W: Word, const K: usize> Enc<W, K> {
    /// Expands a key of `4 * (K - 7)` bytes.
    ///
    /// # Panics
    /// If the length differs.
    ///
    /// # Constant time
    /// Secret: `key`.
    pub fn new(key: &[u8]) -> Self {
        let mut words = [0; MAX_WORDS];
        expand::<W>(&mut words[..4 * K], key);
        let mut keys = Self::default();
        for (round, (key, words)) in keys.0.iter_mut().zip(words.as_chunks().0).enumerate() {
            let mut planes = W::slice(turned(words, skew(round, K)));
            if round > 0 {
                for (bit, plane) in planes.iter_mut().enumerate() {
                    if NEGATED >> bit & 1 == 1 {
                        *plane = plane.complement();
                    }
                }
            }
            *key = W::keep(planes);
        }
        erase(&mut words, &[0; MAX_WORDS]);
        keys
    }
}

/// By how many columns row 1 of the state stands to the right in `round` of `keys - 1`: one more for
/// each ShiftRows left out, and none at the end.
pub(super) const fn skew(round: usize, keys: usize) -> usize {
    (round + 3 * (keys - 1)) % 4
}

/// FIPS 197 algorithm 2; words are little-endian, thus row `r` of a column is byte `r`.
///
/// # Constant time
/// Secret: `key`. Public: its length.
pub fn expand<W: Word>(words: &mut [u32], key: &[u8]) {
    let key_words = words.len() / 4 - 7;
    assert!(key.len() == 4 * key_words, "a key of {} bytes", key.len());
    for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut constant: u32 = 1;
    // Counted, not divided: no function that sees a secret divides, so that T4 can say so.
    for (i, column) in (key_words..words.len()).zip((0..key_words).cycle()) {
        let mut word = words[i - 1];
        if column == 0 {
            word = W::sub_word(word).rotate_right(8) ^ constant;
            // Doubled in GF(2^8); AES-128 uses ten of them, two beyond 0x80.
            constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
        } else if key_words > 6 && column == 4 {
            word = W::sub_word(word);
        }
        words[i] = word ^ words[i - key_words];
    }
}

/// [`Word::sub_word`] by the circuit: bit `i` of the four bytes, eight apart, makes a plane; what stands
/// between them is garbage that no gate mixes in.
///
/// # Constant time
/// Secret: `word`.
fn sub_word(word: u32) -> u32 {
    let planes = sub_bytes([
        word,
        word >> 1,
        word >> 2,
        word >> 3,
        word >> 4,
        word >> 5,
        word >> 6,
        word >> 7,
    ]);
    let mut out = NEGATED_WORD;
    for (bit, plane) in planes.iter().enumerate() {
        out ^= (plane & BYTES) << bit;
    }
    out
}

/// The columns with row `r` turned to the right by `r * skew` columns.
///
/// # Constant time
/// Secret: `words`. Public: `skew`.
#[inline(always)]
fn turned(words: &[u32; 4], skew: usize) -> [u32; 4] {
    // The byte of each row from the column that belongs here.
    [0, 1, 2, 3].map(|c| {
        let row = |r: usize| words[(c + 4 * r - r * skew) % 4] & (0xff << (8 * r));
        row(0) | row(1) | row(2) | row(3)
    })
}

impl Word for u32 {
    #[inline(always)]
    fn complement(self) -> Self {
        !self
    }

    #[inline(always)]
    fn slice(columns: [u32; 4]) -> [Self; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|bit| {
            // Bit pair 4r + c has one bit: that of row r and column c. It becomes two.
            let [a, b, c, d] = columns.map(|column| column >> bit & BYTES);
            let bits = a | b << 2 | c << 4 | d << 6;
            bits | bits << 1
        })
    }
}

impl Word for u64 {
    #[inline(always)]
    fn complement(self) -> Self {
        !self
    }

    #[inline(always)]
    fn slice(columns: [u32; 4]) -> [Self; 8] {
        // Byte 2r + h: row r of column 2h, or 2h + 1.
        let even = spread(columns[0]) | spread(columns[2]) << 8;
        let odd = spread(columns[1]) | spread(columns[3]) << 8;
        [0, 1, 2, 3, 4, 5, 6, 7].map(|bit| {
            const BYTES: u64 = u64::MAX / 0xff;
            // Nibble 4r + c has one bit: that of row r and column c. It becomes four.
            let bits = (even >> bit & BYTES) | (odd >> bit & BYTES) << 4;
            (bits << 4).wrapping_sub(bits)
        })
    }
}

/// Byte `i` to byte `2i`.
#[inline(always)]
fn spread(word: u32) -> u64 {
    let word = u64::from(word);
    let word = (word | word << 16) & 0x0000_ffff_0000_ffff;
    (word | word << 8) & 0x00ff_00ff_00ff_00ff
}

#[cfg(carryless_a64)]
impl Word for simd::NeonPlanes {
    #[inline(always)]
    fn complement(self) -> Self {
        self.inverted()
    }

    #[inline(always)]
    fn slice(columns: [u32; 4]) -> [Self; 8] {
        let mut block = [0; 16];
        for (bytes, column) in block.as_chunks_mut().0.iter_mut().zip(columns) {
            *bytes = column.to_le_bytes();
        }
        Self::of_equal(&block)
    }

    #[inline(always)]
    fn sub_word(word: u32) -> u32 {
        single::sub_word(word)
    }
}
