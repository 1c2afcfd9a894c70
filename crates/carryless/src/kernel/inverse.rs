//! Decryption of whole blocks by the equivalent inverse cipher (FIPS 197 section 5.3.5), whose rounds have the order of those of encryption.

use super::aes::{self, Any, RoundKeys, Schedule};
use crate::simd::{Columns, InOut, Simd};

/// The keys of decryption: those of encryption from the last to the first, InvMixColumns of all between these two.
///
/// # Constant time
/// Secret: `enc` but for its number of rounds.
#[inline(always)]
pub fn keys<S: Simd>(s: S, enc: &RoundKeys, dec: &mut RoundKeys) {
    let n = s.narrow();
    enc.reverse(n, dec, |key| n.inverse_mix_columns(key));
}

/// Decrypts whole blocks (SP 800-38A section 6.1), eight vectors at a time.
///
/// # Constant time
/// Secret: `dec`, `text`. Public: its length.
#[inline(always)]
pub fn blocks<S: Simd>(s: S, dec: &RoundKeys, mut text: InOut<'_>) {
    const N: usize = 8;
    let dec = dec.of::<Any>();
    while let Some(mut chunk) = text.split_to(N * S::BYTES) {
        let mut states = [s.zero(); N];
        each!(i in N => { states[i] = chunk.load(s, i * S::BYTES); });
        states = aes::decrypt(s, dec.hidden(), states);
        each!(i in N => { chunk.store(s, i * S::BYTES, states[i]); });
    }
    let s = s.narrow();
    while let Some(mut block) = text.split_to(16) {
        let [state] = aes::decrypt(s, dec.hidden(), [block.load(s, 0)]);
        block.store(s, 0, state);
    }
}
