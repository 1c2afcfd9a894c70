//! A message of one block of text at most, and of one of AAD: straight-line code in registers. What would be a loop, a table of counts or a lane elsewhere takes longer here than the work itself.

use super::aes::{self, Schedule};
use super::counters::FROM_J0;
use super::form::{HashKey, Sum};
use super::gcm::{Direction, Open, Seal, block};
use crate::block::{Block, Counter, Tag};
use crate::secret::{self, Choice};
use crate::simd::{InOut, Simd};

/// Whether a message is such.
#[inline(always)]
pub fn fits(aad: &[u8], text: &InOut<'_>) -> bool {
    aad.len().max(text.len()) <= 16
}

/// Seals a message that [`fits`]; its full tag.
///
/// # Constant time
/// Secret: `enc`, `hash`, `text` and `aad`. Public: their lengths, `j0`.
#[inline(always)]
pub fn seal<S: Simd, R: Schedule, H: HashKey>(
    s: S,
    enc: &R,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
) -> Block {
    let n = s.narrow();
    block(n, message::<_, R, _, Seal>(n, enc, hash, j0, aad, text))
}

/// Opens a message that [`fits`]; whether `tag` is its tag.
///
/// # Constant time
/// As [`seal`]; `tag` is public, whether it is right is for the caller to publish.
#[inline(always)]
pub fn open<S: Simd, R: Schedule, H: HashKey>(
    s: S,
    enc: &R,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
    tag: &Tag,
) -> Choice {
    let n = s.narrow();
    let right = block(n, message::<_, R, _, Open>(n, enc, hash, j0, aad, text));
    secret::equal(&right, &tag.bytes, tag.len)
}

/// Seals or opens; the tag.
#[inline(always)]
fn message<S: Simd<Narrow = S>, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: &R,
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
