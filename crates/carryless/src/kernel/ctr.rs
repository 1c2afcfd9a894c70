//! Counter mode (SP 800-38A section 6.5) with a 32-bit counter.

use super::aes::{self, RoundKeys};
use crate::block::Counter;
use crate::secret;
use crate::simd::{InOut, Simd};

/// Vectors of a turn.
const N: usize = 8;

/// XORs the key stream from the block `counter` on into the text, any number of bytes.
///
/// # Constant time
/// Secret: `keys`, `text`, `counter` (it may come from a hashed nonce). Public: the length.
#[inline(always)]
pub fn apply<S: Simd, const K: usize>(s: S, keys: &RoundKeys<K>, counter: Counter, mut text: InOut<'_>) {
    let lanes = const { S::LANES as u32 };
    let (mut counters, mut blocks) = (s.counters(counter), 0u32);
    while let Some(mut turn) = text.split_to(N * S::BYTES) {
        let mut states = [counters; N];
        each!(i in N => { states[i] = s.reverse(s.add(counters, s.count(i as u32 * lanes))); });
        counters = s.add(counters, s.count(N as u32 * lanes));
        blocks = blocks.wrapping_add(N as u32 * lanes);
        states = aes::encrypt(s, secret::hide(keys), states);
        each!(i in N => {
            let v = s.xor(turn.load(s, i * S::BYTES), states[i]);
            turn.store(s, i * S::BYTES, v);
        });
    }
    let (s, mut counter) = (s.narrow(), counter.add(blocks));
    while !text.is_empty() {
        let len = text.len().min(8 * 16);
        let Some(piece) = text.split_to(len) else { return };
        by_count!(len.div_ceil(16), COUNT => few::<_, K, COUNT>(s, secret::hide(keys), counter, piece));
        counter = counter.add(8);
    }
}

/// The same for `COUNT` blocks, of which the last may be partial.
#[inline(always)]
fn few<S: Simd<Narrow = S>, const K: usize, const COUNT: usize>(s: S, keys: &RoundKeys<K>, counter: Counter, mut text: InOut<'_>) {
    let Some(mut whole) = text.split_to(16 * (COUNT - 1)) else { return };
    let counters = s.counters(counter);
    let mut states = [counters; COUNT];
    each!(i in COUNT => { states[i] = s.reverse(s.add(counters, s.count(i as u32))); });
    states = aes::encrypt(s, keys, states);
    let last = s.xor(text.load_all(s), states[COUNT - 1]);
    each!(i in COUNT - 1 => {
        let v = s.xor(whole.load(s, 16 * i), states[i]);
        whole.store(s, 16 * i, v);
    });
    text.store_all(s, last);
}
