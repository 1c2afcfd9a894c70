//! CCM (SP 800-38C section 6): the chain of a text and its counter mode at once, the one under the latency of the other.

use super::aes::{self, Any, RoundKeys, Schedule};
use crate::block::{Block, Counter};
use crate::simd::{InOut, Simd};

/// Encrypts whole blocks in counter mode, from the block `counter` on, or else decrypts them; `chain` is the last block of CBC-MAC
/// before the plaintext, and then that of the plaintext, neither of them encrypted yet.
///
/// A block of the chain waits for the one before it, while the key stream waits for nothing: it is made two blocks ahead, the
/// first two beside the block before the plaintext, so that the plaintext is there, either way, when the last round of the block
/// before adds it.
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
    let Some(mut block) = text.split_to(16) else {
        return;
    };
    // What of the key stream there is between the source and the plaintext.
    let between = n.splat_words([if seal { 0 } else { u64::MAX }; 2]);
    let mut counters = n.counters(counter);
    let (first, second) = (counters, n.add(counters, n.count(1)));
    counters = n.add(counters, n.count(2));
    let blocks = [n.load(chain, 0), n.reverse(first), n.reverse(second)];
    let [linked, mut now, mut next] = aes::encrypt(n, enc, blocks);
    let mut source = block.load(n, 0);
    let plain = n.xor(source, n.and(now, between));
    let mut state = n.xor(linked, n.xor(plain, enc.start(n)));
    while text.len() >= 16 {
        let keys = enc.hidden();
        let (start, [before, last]) = (keys.start(n), keys.last(n));
        let out = n.xor(source, now);
        source = text.load(n, 0);
        let plain = n.xor(source, n.and(next, between));
        let ahead = n.xor(n.reverse(counters), start);
        counters = n.add(counters, n.count(1));
        let [linked, ahead] = aes::before_last(n, keys, [state, ahead]);
        state = n.aes_last(linked, before, n.xor(last, n.xor(plain, start)));
        now = next;
        next = n.aes_last(ahead, before, last);
        block.store(n, 0, out);
        let Some(following) = text.split_to(16) else {
            break;
        };
        block = following;
    }
    block.store(n, 0, n.xor(source, now));
    let start = enc.hidden().start(n);
    InOut::in_place(chain).store(n, 0, n.xor(state, start));
}
