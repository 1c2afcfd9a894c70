//! The key schedule of AES (FIPS 197 section 5.2) into fixsliced round keys.
#![forbid(unsafe_code)]

use zeroize::ZeroizeOnDrop;

use super::sbox::{NEGATED, sub_bytes};
use crate::secret::erase;

/// The most round keys: those of AES-256.
pub(super) const MAX_KEYS: usize = 15;
/// The most words of a key schedule.
const MAX_WORDS: usize = 4 * MAX_KEYS;

/// A round key as bit planes for four blocks.
pub(super) type RoundKey = [u64; 8];

/// The round keys of AES with `K - 1` rounds: planes in the layout that the state has in that round
/// (see [`super::aes`]), with the NOTs of the S-box of the round before.
#[derive(Clone)]
pub struct Enc<const K: usize>(pub(super) [RoundKey; K]);

impl<const K: usize> Drop for Enc<K> {
    fn drop(&mut self) {
        erase(&mut self.0, &[[0; 8]; K]);
    }
}

impl<const K: usize> ZeroizeOnDrop for Enc<K> {}

impl<const K: usize> Enc<K> {
    /// Expands a key of `4 * (K - 7)` bytes.
    ///
    /// # Panics
    /// If the length differs.
    ///
    /// # Constant time
    /// Secret: `key`.
    pub fn new(key: &[u8]) -> Self {
        let mut words = [0; MAX_WORDS];
        expand(&mut words[..4 * K], key);
        let mut keys = Self([[0; 8]; K]);
        for (round, (planes, words)) in keys.0.iter_mut().zip(words.as_chunks().0).enumerate() {
            slice(planes, words, skew(round, K));
            if round > 0 {
                for (bit, plane) in planes.iter_mut().enumerate() {
                    *plane ^= u64::from(NEGATED >> bit & 1).wrapping_neg();
                }
            }
        }
        erase(&mut words, &[0; MAX_WORDS]);
        keys
    }
}

/// By how many columns row 1 of the state stands to the right in `round` of `keys - 1`: one more for
/// each ShiftRows left out, and none at the end.
const fn skew(round: usize, keys: usize) -> usize {
    (round + 3 * (keys - 1)) % 4
}

/// FIPS 197 algorithm 2; words are little-endian, thus row `r` of a column is byte `r`.
///
/// # Constant time
/// Secret: `key`. Public: its length.
fn expand(words: &mut [u32], key: &[u8]) {
    let key_words = words.len() / 4 - 7;
    assert!(key.len() == 4 * key_words, "a key of {} bytes", key.len());
    for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut constant: u32 = 1;
    for i in key_words..words.len() {
        let mut word = words[i - 1];
        if i % key_words == 0 {
            word = sub_word(word).rotate_right(8) ^ constant;
            // Doubled in GF(2^8); AES-128 uses ten of them, two beyond 0x80.
            constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
        } else if key_words > 6 && i % key_words == 4 {
            word = sub_word(word);
        }
        words[i] = word ^ words[i - key_words];
    }
}

/// SubWord (FIPS 197 section 5.2): bit `i` of the four bytes, eight apart, makes a plane; what stands
/// between them is garbage that no gate mixes in.
///
/// # Constant time
/// Secret: `word`.
fn sub_word(word: u32) -> u32 {
    const ONES: u32 = 0x0101_0101;
    let word = u64::from(word);
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
    let mut out = ONES * u32::from(NEGATED);
    for (bit, plane) in planes.iter().enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "the upper half is garbage")]
        let plane = *plane as u32;
        out ^= (plane & ONES) << bit;
    }
    out
}

/// Makes the planes of a round key, row `r` turned to the right by `r * skew` columns.
///
/// # Constant time
/// Secret: `words`. Public: `skew`.
fn slice(planes: &mut RoundKey, words: &[u32; 4], skew: usize) {
    // The byte of each row from the column that belongs here.
    let column = |c: usize| {
        let row = |r: usize| words[(c + 4 * r - r * skew) % 4] & (0xff << (8 * r));
        row(0) | row(1) | row(2) | row(3)
    };
    // Byte 2r + h: row r of column 2h, or 2h + 1.
    let even = spread(column(0)) | spread(column(2)) << 8;
    let odd = spread(column(1)) | spread(column(3)) << 8;
    for (bit, plane) in planes.iter_mut().enumerate() {
        const ONES: u64 = 0x0101_0101_0101_0101;
        // Nibble 4r + c has one bit: that of row r and column c. It becomes four.
        let bits = (even >> bit & ONES) | (odd >> bit & ONES) << 4;
        *plane = (bits << 4).wrapping_sub(bits);
    }
}

/// Byte `i` to byte `2i`.
fn spread(word: u32) -> u64 {
    let word = u64::from(word);
    let word = (word | word << 16) & 0x0000_ffff_0000_ffff;
    (word | word << 8) & 0x00ff_00ff_00ff_00ff
}
