//! A message of AES-GCM-SIV in one entry (RFC 8452 section 4): its keys, which are used for nothing else, the hash under the
//! latency of their expansion, and the key stream.
//!
//! Of the hash key four powers are enough, but where a text is decrypted and hashed at once.

use super::aes::{self, Any, RoundKeys, Schedule};
use super::counters::LittleCounters;
use super::gcm::{turns, whole_turns};
use super::message::{Seal, block};
use super::product::{FEW, Lowest};
use super::{Refused, TURN, ghash, schedule};
use crate::block::{Block, Counter, Counting, LittleCounter};
use crate::secret::forget_origin;
use crate::simd::tuning::{SIV_AT_ONCE, SMALL};
use crate::simd::{Columns, InOut, Simd};

/// Whether a message is for [`message`]: a short one, or, where there are turns, any that is opened.
#[inline(always)]
pub fn fits<S: Simd>(aad: &[u8], text: &InOut<'_>, seal: bool) -> bool {
    let any = S::TUNING.siv_turns && !seal;
    !SMALL && (any || aad.len().max(text.len()) <= S::TUNING.siv)
}

/// What belongs to one message.
pub struct Place<'a, E> {
    /// For its round keys.
    pub enc: &'a mut E,
    /// To open, the tag that it came with. Behind the kernel it is the one that belongs to the message.
    pub tag: &'a mut Block,
}

/// A part of the work on a message.
enum Step {
    /// To hash the AAD.
    Aad,
    /// To hash the text, and make the tag.
    Text,
    /// To encrypt or decrypt the text.
    Stream,
}

/// Seals a message that [`fits`], or else opens it.
///
/// * `enc`: the key that makes those of each message, of 128 or 256 bits; another is refused.
///
/// # Constant time
/// Secret: `enc` but for its number of rounds, `aad`, `text`, the tag. Public: all lengths, `nonce`, `seal`.
#[inline(always)]
pub fn message<S: Simd>(
    s: S,
    enc: &RoundKeys,
    nonce: &[u8; 12],
    aad: &[u8],
    mut text: InOut<'_>,
    place: Place<'_, RoundKeys>,
    seal: bool,
) -> Result<(), Refused> {
    const { assert!(S::LANES == 1 || !S::TUNING.siv_turns, "turns of one lane") };
    let n = s.narrow();
    let [lo, hi] = Counter::from_nonce(nonce).with_count(0).words();
    // The nonce stands behind the count, which is zero.
    let first = n.splat_words([lo << 32, lo >> 32 | hi << 32]);
    let h = derive(n, enc.of::<Any>(), first, place.enc)?;
    let powers = &Lowest::new(n, h);
    let enc = (*place.enc).of::<Any>();
    let (mut y, mut hashed, mut tag) = (n.zero(), 0, n.load(place.tag, 0));
    // A loop: the code of each step is there once.
    let steps = if seal {
        [Step::Aad, Step::Text, Step::Stream]
    } else {
        [Step::Aad, Step::Stream, Step::Text]
    };
    for step in steps {
        let data = match step {
            Step::Aad => aad,
            Step::Text if seal => text.source(),
            Step::Text => text.written().get(hashed..).ok_or(Refused)?,
            Step::Stream => {
                let mut counter = LittleCounter::of_tag_words(n.words(tag));
                let mut rest = text.reborrow();
                if const { S::TUNING.siv_turns } && !seal && rest.len() >= SIV_AT_ONCE {
                    let begin = rest.split_to(whole_turns::<S>(rest.len())).ok_or(Refused)?;
                    let whole = begin.len();
                    y = at_once(s, enc, hidden::<S>(powers), counter, y, begin);
                    hashed = whole - TURN * S::BYTES;
                    // It has 32 bits, in which it counts over.
                    counter = counter.further((whole / 16) as u32);
                }
                stream(s, enc, counter, rest);
                continue;
            }
        };
        y = absorb(s, powers, y, data)?;
        if let Step::Text = step {
            let bits = [aad.len(), text.len()].map(|len| 8 * len as u64);
            y = n.xor(y, n.splat_words(bits));
            let hash = n.xor(
                ghash::multiply(n, hidden::<S>(powers), y),
                n.splat_words([lo, hi]),
            );
            let hash = n.and(hash, n.splat_words([u64::MAX, u64::MAX >> 1]));
            [tag] = aes::encrypt(n, enc.hidden(), [hash]);
        }
    }
    *place.tag = block(n, tag);
    Ok(())
}

/// Decrypts whole turns, two at least, and hashes all of them but the last; the hash behind those.
#[inline(always)]
fn at_once<S: Simd, R: Schedule>(
    s: S,
    enc: R,
    powers: &Lowest,
    counter: LittleCounter,
    y: <S::Narrow as Simd>::V,
    text: InOut<'_>,
) -> <S::Narrow as Simd>::V {
    let powers = &powers.for_turn(s.narrow());
    let counters = LittleCounters::new(s, counter);
    let (y, _) = turns::<S, _, _, Seal, _>(s, enc, powers, counters, y, text);
    y
}

/// Puts the round keys of a message into their place; its hash key.
///
/// * `first`: the block of the nonce that counts zero.
#[inline(always)]
fn derive<N: Columns, R: Schedule>(
    n: N,
    enc: R,
    first: N::V,
    round_keys: &mut RoundKeys,
) -> Result<N::V, Refused> {
    let mut states = [first; 6];
    each!(i in 6 => { states[i] = n.add(first, n.count(i as u32)); });
    let [a, b, c, d, e, f] = aes::encrypt(n, enc, states);
    // The first half of each.
    let [h, key, more] = [n.low_halves(a, b), n.low_halves(c, d), n.low_halves(e, f)];
    match enc.spare() {
        0 => schedule::expand_128(n, key, &mut schedule::Place::<11>(round_keys)),
        4 => schedule::expand_256(n, key, more, &mut schedule::Place::<15>(round_keys)),
        _ => return Err(Refused),
    }
    Ok(h)
}

/// Hashes AAD or text, the last block filled up with zeros.
#[inline(always)]
fn absorb<S: Simd>(
    s: S,
    powers: &Lowest,
    mut y: <S::Narrow as Simd>::V,
    mut data: &[u8],
) -> Result<<S::Narrow as Simd>::V, Refused> {
    let n = s.narrow();
    while let Some((few, rest)) = data.split_at_checked(16 * FEW) {
        y = ghash::absorb_few::<_, _, FEW>(n, hidden::<S>(powers), y, few)?;
        data = rest;
    }
    while !data.is_empty() {
        let (block, rest) = data.split_at(data.len().min(16));
        y = ghash::multiply(n, hidden::<S>(powers), n.xor(y, s.load_block(block)));
        data = rest;
    }
    Ok(y)
}

/// Where there are turns, which take all registers, the powers are left in memory between two products.
#[inline(always)]
fn hidden<S: Simd>(powers: &Lowest) -> &Lowest {
    if const { S::TUNING.siv_turns } {
        forget_origin(powers)
    } else {
        powers
    }
}

/// XORs the key stream from a counter on into the text.
#[inline(always)]
fn stream<S: Simd, R: Schedule>(s: S, enc: R, counter: LittleCounter, mut text: InOut<'_>) {
    let n = s.narrow();
    let mut counters = n.splat_words(counter.words());
    while let Some(mut few) = text.split_to(16 * FEW) {
        let mut states = [counters; FEW];
        each!(i in FEW => { states[i] = n.add(counters, n.count(i as u32)); });
        counters = n.add(counters, n.count(FEW as u32));
        states = aes::encrypt(n, enc.hidden(), states);
        each!(i in FEW => {
            let v = n.xor(few.load(n, 16 * i), states[i]);
            few.store(n, 16 * i, v);
        });
    }
    while let Some(block) = text.split_to(text.len().min(16))
        && !block.is_empty()
    {
        let [state] = aes::encrypt(n, enc.hidden(), [counters]);
        counters = n.add(counters, n.count(1));
        let v = n.xor(s.load_block(block.source()), state);
        s.store_block(block, v);
    }
}
