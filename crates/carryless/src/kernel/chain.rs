//! Cipher block chaining (SP 800-38A section 6.2), and the same as a message authentication code (SP 800-38B, SP 800-38C).
//!
//! A chain waits for each block: its kernel is as fast as one block after the other can be, and eight chains side by side take
//! hardly longer than one.

use super::aes::{self, Any, RoundKeys, Schedule};
use crate::block::Block;
use crate::simd::{Blocks, InOut, SideBySide, Simd};

/// Chains that go side by side.
pub const CHAINS: usize = 8;

/// Encrypts whole blocks, each added to the one before; `chain` is that before the first, and then the last.
///
/// # Constant time
/// Secret: `enc`, `chain`, `text`. Public: its length.
#[inline(always)]
pub fn encrypt<S: Simd>(s: S, enc: &RoundKeys, chain: &mut Block, text: InOut<'_>) {
    side_by_side(s, enc, core::array::from_mut(chain), [text]);
}

/// The last block of the same; the data stays.
///
/// # Constant time
/// As for [`encrypt`].
#[inline(always)]
pub fn mac<S: Simd>(s: S, enc: &RoundKeys, chain: &mut Block, data: &[u8]) {
    side_by_side(s, enc, core::array::from_mut(chain), [data]);
}

/// [`encrypt`] of texts as long as each other.
///
/// # Constant time
/// As for [`encrypt`].
#[inline(always)]
pub fn encrypt_each<S: Simd>(
    s: S,
    enc: &RoundKeys,
    chains: &mut [Block; CHAINS],
    texts: [InOut<'_>; CHAINS],
) {
    side_by_side(s, enc, chains, texts);
}

/// [`mac`] of data as long as each other.
///
/// # Constant time
/// As for [`encrypt`].
#[inline(always)]
pub fn mac_each<S: Simd>(
    s: S,
    enc: &RoundKeys,
    chains: &mut [Block; CHAINS],
    data: [&[u8]; CHAINS],
) {
    side_by_side(s, enc, chains, data);
}

/// As many blocks as all have.
///
/// The next block, with the first key, is added with the last key of the rounds before it: no sum is on the way from
/// one encryption to the next. Nothing branches between the chains: rounds of one would go behind those of another.
#[inline(always)]
fn side_by_side<S: Simd, T: Blocks, const N: usize>(
    s: S,
    enc: &RoundKeys,
    chains: &mut [Block; N],
    texts: [T; N],
) {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let Some(mut texts) = SideBySide::new(texts) else {
        return;
    };
    let (mut states, start) = ([n.zero(); N], enc.start(n));
    each!(i in N => { states[i] = n.xor(n.load(&chains[i], 0), n.xor(texts.load(n, i, 0), start)); });
    for index in 0..texts.blocks() {
        let keys = enc.hidden();
        let (start, [before, last]) = (keys.start(n), keys.last(n));
        // Behind the last block nothing is added.
        let more = if index + 1 < texts.blocks() {
            u64::MAX
        } else {
            0
        };
        let more = n.splat_words([more; 2]);
        states = aes::before_last(n, keys, states);
        each!(i in N => {
            let sum = n.and(n.xor(texts.load(n, i, index + 1), start), more);
            states[i] = n.aes_last(states[i], before, n.xor(last, sum));
            texts.store(n, i, index, n.xor(states[i], sum));
        });
    }
    each!(i in N => { InOut::in_place(&mut chains[i]).store(n, 0, states[i]); });
}

/// Decrypts whole blocks of a chain, eight vectors at a time; `chain` is the block before the first, and then the last that was
/// decrypted.
///
/// # Constant time
/// Secret: `dec`, `chain`, `text`. Public: its length.
#[inline(always)]
pub fn decrypt<S: Simd>(s: S, dec: &RoundKeys, chain: &mut Block, mut text: InOut<'_>) {
    let n = s.narrow();
    let mut before = n.load(chain, 0);
    before = some::<_, 8>(s, dec, before, &mut text);
    if S::LANES > 1 {
        before = some::<_, 8>(n, dec, before, &mut text);
    }
    before = some::<_, 1>(n, dec, before, &mut text);
    InOut::in_place(chain).store(n, 0, before);
}

/// As many times `N` vectors as there are; the last block of ciphertext.
#[inline(always)]
fn some<S: Simd, const N: usize>(
    s: S,
    dec: &RoundKeys,
    mut before: <S::Narrow as Simd>::V,
    text: &mut InOut<'_>,
) -> <S::Narrow as Simd>::V {
    let (n, dec) = (s.narrow(), dec.of::<Any>());
    while let Some(mut now) = text.split_to(N * S::BYTES) {
        let mut states = [s.zero(); N];
        each!(i in N => { states[i] = now.load(s, i * S::BYTES); });
        // What is before the first vector is not in the text any more: its lanes, one further.
        let mut head = s.widen(before);
        each!(lane of 1..const { S::LANES } => { head = s.insert(head, lane, s.lane(states[0], lane - 1)); });
        before = now.load(n, N * S::BYTES - 16);
        states = aes::decrypt(s, dec.hidden(), states);
        each!(step in N => {
            // From the last on, as in place it takes the block before from where the one before it goes.
            let i = N - 1 - step;
            let chain = if i == 0 { head } else { now.load(s, i * S::BYTES - 16) };
            now.store(s, i * S::BYTES, s.xor(states[i], chain));
        });
    }
    before
}
