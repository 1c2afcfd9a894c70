//! A new key and its only, short message in one pass: each round key meets
//! E(0), E(J0) and the counters of the text as soon as it is there, and is then forgotten.
//!
//! The expansion of a key is one chain of dependent steps, under which ten blocks are encrypted for
//! nothing. Of H two powers are enough: they stay in registers, as everything does but the key
//! stream.

use super::Refused;
use super::message::block;
use super::product::{Power, Sum};
use super::schedule::{self, Sink};
use crate::block::{Block, Counter, Lane};
use crate::simd::{Columns, InOut, Simd};

/// Blocks of the longest text.
pub const BLOCKS: usize = 8;

/// Where goes what a message makes beside its output.
pub struct Place<'a> {
    /// The key stream, which the caller wipes.
    pub stream: &'a mut [Lane; BLOCKS],
    /// The full tag that belongs to the ciphertext.
    pub tag: &'a mut Block,
}

/// E(0), E(J0) and the key stream.
const STATES: usize = 2 + BLOCKS;

/// Blocks on their way through `K` round keys.
struct Rounds<S: Simd, const K: usize> {
    states: [S::V; STATES],
    /// The key before.
    before: S::V,
}

impl<S: Simd, const K: usize> Sink<S> for Rounds<S, K> {
    #[inline(always)]
    fn key(&mut self, s: S, round: usize, key: &mut S::V) {
        let states = &mut self.states;
        each!(i in STATES => {
            states[i] = schedule::further::<_, K>(s, states[i], round, [self.before, *key]);
            // Else the compiler makes all keys first, and keeps them on the stack.
            s.order(&mut states[i], key);
        });
        self.before = *key;
    }
}

/// Seals a message of at most [`BLOCKS`] blocks under `key`, or else opens it. A longer one is refused.
///
/// * `j0`: the pre-counter block of a 12-byte nonce.
///
/// # Constant time
/// Secret: `key`, `aad`, `text`. Public: all lengths, `j0`, `seal`.
#[inline(always)]
pub fn message<S: Simd, const K: usize, const L: usize>(
    s: S,
    key: &[u8; L],
    j0: Counter,
    aad: &[u8],
    text: InOut<'_>,
    place: Place<'_>,
    seal: bool,
) -> Result<(), Refused> {
    narrow::<_, K, L>(s.narrow(), key, j0, aad, text, place, seal)
}

/// The same on one lane.
#[inline(always)]
fn narrow<S: Columns, const K: usize, const L: usize>(
    s: S,
    key: &[u8; L],
    j0: Counter,
    aad: &[u8],
    mut text: InOut<'_>,
    place: Place<'_>,
    seal: bool,
) -> Result<(), Refused> {
    let lengths = s.splat_words([8 * text.len() as u64, 8 * aad.len() as u64]);
    let mut rounds = Rounds::<_, K> {
        states: [s.zero(); STATES],
        before: s.zero(),
    };
    let counter = s.counters(j0);
    each!(i in BLOCKS + 1 => {
        rounds.states[i + 1] = s.reverse(s.add(counter, s.count(i as u32)));
    });
    schedule::keys::<_, K, L, _>(s, key, &mut rounds);
    let states = rounds.states;
    each!(i in BLOCKS => { s.set_rows(place.stream, i, states[i + 2]); });
    let h = Power::first(s, states[0]);
    let square = h.square(s);

    let mut y = s.zero();
    let mut blocks = aad.chunks_exact(16);
    for block in blocks.by_ref() {
        y = h.times(s, s.xor(y, s.reverse(s.load(block, 0))));
    }
    if !blocks.remainder().is_empty() {
        let block = s.load_partial(blocks.remainder());
        y = h.times(s, s.xor(y, s.reverse(block)));
    }

    let mut stream = place.stream.iter();
    while let Some(mut two) = text.split_to(32) {
        let a = stream.next().ok_or(Refused)?;
        let b = stream.next().ok_or(Refused)?;
        let before = [two.load(s, 0), two.load(s, 16)];
        let after = [s.xor(before[0], s.splat(a)), s.xor(before[1], s.splat(b))];
        let [a, b] = if seal { after } else { before };
        let mut sum = Sum::zero(s);
        square.add(s, &mut sum, s.xor(y, s.reverse(a)));
        h.add(s, &mut sum, s.reverse(b));
        y = sum.reduce(s);
        two.store(s, 0, after[0]);
        two.store(s, 16, after[1]);
    }
    // One or two blocks, of which the last meets the block of the lengths.
    if text.len() > 16
        && let Some(mut one) = text.split_to(16)
    {
        let stream = stream.next().ok_or(Refused)?;
        let before = one.load(s, 0);
        let after = s.xor(before, s.splat(stream));
        let hashed = if seal { after } else { before };
        y = h.times(s, s.xor(y, s.reverse(hashed)));
        one.store(s, 0, after);
    }
    let mut sum = Sum::zero(s);
    if text.is_empty() {
        h.add(s, &mut sum, s.xor(y, lengths));
    } else {
        let stream = stream.next().ok_or(Refused)?;
        let before = s.load_partial(text.source());
        let after = s.keep_first(s.xor(before, s.splat(stream)), text.len());
        let hashed = if seal { after } else { before };
        square.add(s, &mut sum, s.xor(y, s.reverse(hashed)));
        h.add(s, &mut sum, lengths);
        s.store_partial(text, after);
    }
    *place.tag = block(s, s.xor(s.reverse(sum.reduce(s)), states[1]));
    Ok(())
}
