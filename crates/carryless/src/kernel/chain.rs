//! Cipher block chaining (SP 800-38A section 6.2), and the same as a message authentication code (SP 800-38B, SP 800-38C).
//!
//! A chain waits for each block: its kernel is as fast as one block after the other can be, and eight chains side by side take
//! hardly longer than one.

use super::aes::{self, Any, RoundKeys, Schedule};
use crate::block::Block;
use crate::simd::{InOut, Simd};

/// Chains that go side by side.
pub const CHAINS: usize = 8;

/// What goes through a chain: text that becomes ciphertext, or data that is only read.
trait Chained: Sized {
    /// Bytes of it.
    fn len(&self) -> usize;
    /// Its first `len` bytes, if there are so many.
    fn head(self, len: usize) -> Option<Self>;
    /// The block `at` bytes on.
    fn load<S: Simd<Narrow = S>>(&self, s: S, at: usize) -> S::V;
    /// What that becomes.
    fn put<S: Simd<Narrow = S>>(&mut self, s: S, at: usize, v: S::V);
}

impl Chained for InOut<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn head(mut self, len: usize) -> Option<Self> {
        self.split_to(len)
    }
    #[inline(always)]
    fn load<S: Simd<Narrow = S>>(&self, s: S, at: usize) -> S::V {
        self.load(s, at)
    }
    #[inline(always)]
    fn put<S: Simd<Narrow = S>>(&mut self, s: S, at: usize, v: S::V) {
        self.store(s, at, v);
    }
}

impl Chained for &[u8] {
    #[inline(always)]
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }
    #[inline(always)]
    fn head(self, len: usize) -> Option<Self> {
        self.get(..len)
    }
    #[inline(always)]
    fn load<S: Simd<Narrow = S>>(&self, s: S, at: usize) -> S::V {
        s.load(self, at)
    }
    #[inline(always)]
    fn put<S: Simd<Narrow = S>>(&mut self, _: S, _: usize, _: S::V) {}
}

/// Encrypts whole blocks, each added to the one before; `chain` is that before the first, and then the last.
///
/// # Constant time
/// Secret: `enc`, `chain`, `text`. Public: its length.
#[inline(always)]
pub fn encrypt<S: Simd>(s: S, enc: &RoundKeys, chain: &mut Block, text: InOut<'_>) {
    alone(s, enc, chain, text);
}

/// The last block of the same; the data stays.
///
/// # Constant time
/// As for [`encrypt`].
#[inline(always)]
pub fn mac<S: Simd>(s: S, enc: &RoundKeys, chain: &mut Block, data: &[u8]) {
    alone(s, enc, chain, data);
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

/// One chain, which is as fast as a block follows the one before.
///
/// The next block, with the first key, is added with the last key of the rounds before it: no sum is on the way from
/// one encryption to the next.
#[inline(always)]
fn alone<S: Simd, T: Chained>(s: S, enc: &RoundKeys, chain: &mut Block, mut text: T) {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let len = text.len() & !15;
    if len == 0 {
        return;
    }
    let first = n.xor(text.load(n, 0), enc.start(n));
    let mut state = n.xor(n.load(chain, 0), first);
    for at in (0..len).step_by(16) {
        let keys = enc.hidden();
        let (start, [before, last]) = (keys.start(n), keys.last(n));
        let (mut end, mut sum) = (last, n.zero());
        if at + 16 < len {
            sum = n.xor(text.load(n, at + 16), start);
            end = n.xor(last, sum);
        }
        let [linked] = aes::before_last(n, keys, [state]);
        state = n.aes_last(linked, before, end);
        text.put(n, at, n.xor(state, sum));
    }
    InOut::in_place(chain).store(n, 0, state);
}

/// As many blocks as all have, likewise. All chains are of one length then, which is compared once a step: between
/// branches the compiler would put the rounds of one chain behind those of another.
#[inline(always)]
fn side_by_side<S: Simd, T: Chained>(
    s: S,
    enc: &RoundKeys,
    chains: &mut [Block; CHAINS],
    texts: [T; CHAINS],
) {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let mut len = usize::MAX;
    each!(i in CHAINS => { len = len.min(texts[i].len()); });
    len &= !15;
    let Some(mut texts) = heads(texts, len).filter(|_| len > 0) else {
        return;
    };
    let (mut states, start) = ([n.zero(); CHAINS], enc.start(n));
    each!(i in CHAINS => {
        states[i] = n.xor(n.load(&chains[i], 0), n.xor(texts[i].load(n, 0), start));
    });
    for at in (0..len).step_by(16) {
        let keys = enc.hidden();
        let (start, [before, last]) = (keys.start(n), keys.last(n));
        // Behind the last block nothing is added.
        let next = (at + 16).min(len - 16);
        let more = n.splat_words([if next > at { u64::MAX } else { 0 }; 2]);
        states = aes::before_last(n, keys, states);
        each!(i in CHAINS => {
            let sum = n.and(n.xor(texts[i].load(n, next), start), more);
            states[i] = n.aes_last(states[i], before, n.xor(last, sum));
            texts[i].put(n, at, n.xor(states[i], sum));
        });
    }
    each!(i in CHAINS => { InOut::in_place(&mut chains[i]).store(n, 0, states[i]); });
}

/// The first `len` bytes of each.
#[inline(always)]
fn heads<T: Chained>([a, b, c, d, e, f, g, h]: [T; CHAINS], len: usize) -> Option<[T; CHAINS]> {
    let [a, b, c, d] = [a.head(len)?, b.head(len)?, c.head(len)?, d.head(len)?];
    Some([
        a,
        b,
        c,
        d,
        e.head(len)?,
        f.head(len)?,
        g.head(len)?,
        h.head(len)?,
    ])
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
