//! The key schedule.

use super::RoundKey;
use crate::secret::wipe;

/// The first 256 bits of the fraction of the square root of 766965; 76, 69 and 65 are the letters of the name in ASCII.
const DELTA: [u32; 8] = [
    0xc3ef_e9db,
    0x4462_6b02,
    0x79e2_7c8a,
    0x78df_30ec,
    0x715e_a49e,
    0xc785_da0a,
    0xe04e_f22a,
    0xe5c4_0957,
];

/// By how many bits the words of a round key are rotated.
const ROTATIONS: [u32; 6] = [1, 3, 6, 11, 13, 17];

/// Expands a key of 4, 6 or 8 words into its place; of four, a round key has the second in three places.
///
/// # Constant time
/// Secret: `key`. Public: its length.
pub fn expand(key: &[u8], round_keys: &mut [RoundKey]) {
    let mut t = [0; 8];
    let words = key.as_chunks().0;
    for (t, word) in t.iter_mut().zip(words) {
        *t = u32::from_le_bytes(*word);
    }
    for (i, round_key) in round_keys.iter_mut().enumerate() {
        let delta = DELTA[i % words.len()];
        let mut step = |j: usize| {
            // Eight words are gone through six at a time, from where the round before ended.
            let k = if words.len() == 8 { (6 * i + j) % 8 } else { j };
            t[k] = t[k]
                .wrapping_add(delta.rotate_left((i + j) as u32))
                .rotate_left(ROTATIONS[j]);
            t[k]
        };
        *round_key = if words.len() == 4 {
            let [a, b, c, d] = [step(0), step(1), step(2), step(3)];
            [a, b, c, b, d, b]
        } else {
            [step(0), step(1), step(2), step(3), step(4), step(5)]
        };
    }
    wipe(&mut t);
}
