//! GCM in one pass: counter mode and GHASH interleaved (SP 800-38D algorithms 4 and 5).
//!
//! A message is turns of eight vectors while there are that many, and one last pass, straight-line code
//! for each count of vectors, or pairs of blocks in a loop. A short message is the last pass alone.

pub mod bulk;
pub mod gmac;
pub(super) mod rest;
pub mod segment;
pub(super) mod tail;
mod turns;

use self::tail::Before;
use self::turns::drain;
pub(super) use self::turns::{turns, whole_turns};
use super::aes::{RoundKeys, Rounds, Schedule};
use super::counters::{ByColumns, Counters, Kept, Steps};
use super::message::{Direction, Header, block};
use super::product::HashKey;
use super::{Refused, TURN};
use crate::block::Counter;
use crate::simd::tuning::SHORT;
use crate::simd::{InOut, Simd};

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Seals or opens a message with text, or any if code is compact.
///
/// * `j0`: the pre-counter block of a 12-byte nonce, which counts 1; the text starts at the next. By value,
///   in registers: a vector load of it would wait for the stores of its words.
/// * `text`: by reference, as a copy loads its three words in other pieces than they were stored in, and waits.
///
/// # Constant time
/// Secret: `enc`, `hash`, `header.acc`, the text and the AAD. Public: all lengths.
#[inline(always)]
pub fn message<S: Simd, R: Rounds, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    j0: Counter,
    header: &Header<'_>,
    text: &mut InOut<'_>,
    given: D::Given<'_>,
) -> Result<D::Answer, Refused> {
    let enc = enc.of::<R>();
    let tag = tag_of::<S, _, H, D>(s, enc, hash, j0, header, text.reborrow())?;
    Ok(D::answer(&block(s.narrow(), tag), given))
}

/// The same; its full tag.
#[inline(always)]
fn tag_of<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    j0: Counter,
    header: &Header<'_>,
    mut text: InOut<'_>,
) -> Result<Narrow<S>, Refused> {
    let n = s.narrow();
    let mut before = Before::new(s, hash, j0, header, text.len());
    let whole = whole_turns::<S>(if const { rest::suit::<S>() } {
        text.len()
    } else {
        // A last turn that is full belongs to the last pass, under whose latency the tag's mask is made.
        text.len().saturating_sub(1)
    });
    let (mut bases, mut turn) = (None, None);
    if let Some(text) = text.split_to(whole)
        && whole > 0
    {
        before.finish_head(n, hash, header);
        let counter = header.counter(j0);
        let behind = counter.add((whole / 16) as u32);
        (before.y, turn) = if const { ByColumns::suit::<S>() } {
            let mut kept = Kept::default();
            let counters = ByColumns::new(s, enc, counter, &mut kept);
            turns::<S, _, H, D, _>(s, enc, hash, counters, before.y, text)
        } else {
            let counters = Counters::<S, true>::new(s, counter);
            turns::<S, _, H, D, _>(s, enc, hash, counters, before.y, text)
        };
        if const { S::TUNING.drained_first } {
            before.y = drain::<S, H>(s, hash, before.y, turn.take());
        }
        bases = Some(Steps::bases(s, behind, enc.start(s)));
    }
    if const { S::TUNING.compact } && text.is_empty() {
        return Ok(tail::tag_alone(n, enc, hash, before));
    }
    if const { rest::suit::<S>() } {
        let count = (header.done + whole) / 16 + 1;
        return rest::pass::<_, _, H, D>(n, enc, hash, before, count as u32, text);
    }
    tail::pass::<_, _, H, D, TURN>(s, enc, hash, before, bases, turn, text)
}

/// Seals or opens a message of at most [`longest_short`] bytes of text; its AAD is not hashed yet.
///
/// It is the last pass alone, of as many vectors as there are registers for: hardly anything of it leaves the registers, so
/// that little stack has to be overwritten behind it, which would take a quarter of the time.
///
/// # Constant time
/// As [`message`].
#[inline(always)]
pub fn short<S: Simd, R: Rounds, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
    given: D::Given<'_>,
) -> Result<D::Answer, Refused> {
    if const { S::TUNING.compact } {
        return Err(Refused);
    }
    let enc = enc.of::<R>();
    let tag = short_tag::<S, _, H, D>(s, enc, hash, j0, aad, text.reborrow())?;
    Ok(D::answer(&block(s.narrow(), tag), given))
}

/// The same; its full tag.
#[inline(always)]
fn short_tag<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: InOut<'_>,
) -> Result<Narrow<S>, Refused> {
    let n = s.narrow();
    let before = Before::new(s, hash, j0, &Header::whole(aad), text.len());
    if text.is_empty() {
        Ok(tail::tag_alone(n, enc, hash, before))
    } else if const { !S::MASKS } {
        tail::pass::<_, _, H, D, SHORT>(s, enc, hash, before, None, None, text)
    } else if text.len() <= S::Short::BYTES {
        tail::pass::<_, _, H, D, 1>(s.short(), enc, hash, before, None, None, text)
    } else {
        tail::pass::<_, _, H, D, TURN>(s, enc, hash, before, None, None, text)
    }
}

/// Bytes of the longest text that counts as short.
pub const fn longest_short<S: Simd>() -> usize {
    if S::MASKS {
        TURN * S::BYTES
    } else {
        SHORT * S::BYTES
    }
}
