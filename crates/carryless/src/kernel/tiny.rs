//! A message of one block of text at most, and of one of AAD: straight-line code in registers. What would be a loop or a
//! table of counts elsewhere takes longer here than the work itself.

use super::aes::{self, RoundKeys, Rounds, Schedule};
use super::counters::FROM_J0;
use super::message::{Direction, block};
use super::product::{HashKey, Sum};
use crate::block::Counter;
use crate::simd::{InOut, Simd};

/// Whether a message is such.
#[inline(always)]
pub fn fits(aad: &[u8], text: &InOut<'_>) -> bool {
    aad.len().max(text.len()) <= 16
}

/// Seals or opens a message that [`fits`].
///
/// # Constant time
/// Secret: `enc`, `hash`, `text` and `aad`. Public: their lengths, `j0`.
#[inline(always)]
pub fn message<S: Simd, R: Rounds, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
    given: D::Given<'_>,
) -> D::Answer {
    let enc = enc.of::<R>();
    let tag = if S::MASKS {
        side_by_side::<S, _, H, D>(s, enc, hash, j0, aad, text)
    } else {
        one_by_one::<S::Narrow, _, H, D>(s.narrow(), enc, hash, j0, aad, text)
    };
    D::answer(&block(s.narrow(), tag), given)
}

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// The tag, what is hashed side by side: a product takes as long for four lanes as for one (Zen 4: two cycles).
#[inline(always)]
fn side_by_side<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
) -> Narrow<S> {
    let n = s.narrow();
    let len = text.len();
    let lengths = n.splat_words([8 * len as u64, 8 * aad.len() as u64]);
    let aad = n.reverse(s.load_block(aad));
    let j0 = n.splat_words(j0.words());
    let mut sum = Sum::zero(s);
    if len == 0 {
        sum.add_blocks(s, [Some(aad), Some(lengths)], hash);
        let [mask] = aes::encrypt(n, enc, [j0]);
        return n.xor(n.reverse(s.fold(sum.reduce(s))), mask);
    }
    let given = s.load_block(text.source());
    let ciphertext = (!D::SEAL).then(|| n.reverse(given));
    sum.add_blocks(s, [Some(aad), ciphertext, Some(lengths)], hash);
    let [mask, stream] = aes::encrypt(n, enc, [j0, n.xor(j0, n.splat(&FROM_J0[0]))]);
    let made = n.xor(given, stream);
    s.store_block(text.reborrow(), made);
    if D::SEAL {
        // Lanes are added before: nothing but the products waits for the ciphertext.
        let mut sum = sum.fold(s);
        sum.add(n, n.reverse(n.keep_first(made, len)), hash, 2);
        return n.xor(n.reverse(sum.reduce(n)), mask);
    }
    n.xor(n.reverse(s.fold(sum.reduce(s))), mask)
}

/// The same, one product after the other.
#[inline(always)]
fn one_by_one<S: Simd<Narrow = S>, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
) -> S::V {
    let len = text.len();
    let lengths = s.splat_words([8 * len as u64, 8 * aad.len() as u64]);
    let aad = s.reverse(s.load_partial(aad));
    let j0 = s.splat_words(j0.words());
    let mut sum = Sum::zero(s);
    sum.add(s, lengths, hash, 1);
    if len == 0 {
        sum.add(s, aad, hash, 2);
        let [mask] = aes::encrypt(s, enc, [j0]);
        return s.xor(s.reverse(sum.reduce(s)), mask);
    }
    sum.add(s, aad, hash, 3);
    let given = s.load_partial(text.source());
    let [mask, stream] = aes::encrypt(s, enc, [j0, s.xor(j0, s.splat(&FROM_J0[0]))]);
    let made = s.xor(given, stream);
    s.store_partial(text.reborrow(), made);
    let ciphertext = if D::SEAL {
        s.keep_first(made, len)
    } else {
        given
    };
    sum.add(s, s.reverse(ciphertext), hash, 2);
    s.xor(s.reverse(sum.reduce(s)), mask)
}
