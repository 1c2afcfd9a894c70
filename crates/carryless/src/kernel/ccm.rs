//! CCM (SP 800-38C section 6): the chain of a text and its counter mode at once, the one under the latency of the other.

use super::aes::{self, Any, RoundKeys, Schedule};
use crate::block::{Block, Counter};
use crate::simd::{InOut, Simd};

/// Encrypts whole blocks in counter mode, from the block `counter` on, or else decrypts them; `chain` is the last block of CBC-MAC
/// before the plaintext, and then that behind it.
///
/// A block of the chain waits for the one before it, while the key stream waits for nothing: it is made two blocks ahead, so that
/// the plaintext is there, either way, when the last round of the block before adds it.
///
/// # Constant time
/// Secret: `enc`, `chain`, `text`. Public: its length, `counter`, `seal`.
#[inline(always)]
pub fn apply<S: Simd>(
    s: S,
    enc: &RoundKeys,
    counter: Counter,
    chain: &mut Block,
    mut text: InOut<'_>,
    seal: bool,
) {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    if text.len() < 16 {
        return;
    }
    // What of the key stream there is between the source and the plaintext.
    let between = n.splat_words([if seal { 0 } else { u64::MAX }; 2]);
    let start = enc.start(n);
    let mut counters = n.counters(counter);
    let (first, second) = (counters, n.add(counters, n.count(1)));
    counters = n.add(counters, n.count(2));
    let [mut now, mut next] = aes::encrypt(n, enc, [n.reverse(first), n.reverse(second)]);
    let mut source = text.load(n, 0);
    let plain = n.xor(source, n.and(now, between));
    let mut state = n.xor(n.load(chain, 0), n.xor(plain, start));
    while let Some(mut block) = text.split_to(16) {
        let keys = enc.hidden();
        let (start, [before, last]) = (keys.start(n), keys.last(n));
        let out = n.xor(source, now);
        let mut sum = n.zero();
        if text.len() >= 16 {
            source = text.load(n, 0);
            let plain = n.xor(source, n.and(next, between));
            sum = n.xor(plain, start);
        }
        let ahead = n.xor(n.reverse(counters), start);
        counters = n.add(counters, n.count(1));
        let [linked, ahead] = aes::before_last(n, keys, [state, ahead]);
        state = n.aes_last(linked, before, n.xor(last, sum));
        now = next;
        next = n.aes_last(ahead, before, last);
        block.store(n, 0, out);
    }
    InOut::in_place(chain).store(n, 0, state);
}
