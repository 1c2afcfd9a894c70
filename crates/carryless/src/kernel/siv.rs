//! A message of AES-GCM-SIV in one entry (RFC 8452 section 4): its keys, which are used for nothing else, the hash under the
//! latency of their expansion, and the key stream.
//!
//! Of the hash key four powers are enough, which make no table. Where a long text is opened another entry stands between two calls
//! of it, which decrypts and hashes at once.

use super::aes::{self, Any, RoundKeys, Schedule};
use super::counters::LittleCounters;
use super::gcm::{turns, whole_turns};
use super::message::{Seal, block};
use super::product::{FEW, Lowest, Sum, TurnPowers};
use super::{Refused, TURN, schedule};
use crate::block::{Block, Counter, Counting, LittleCounter};
use crate::secret::wipe;
use crate::simd::tuning::{SIV_AT_ONCE, SMALL};
use crate::simd::{Columns, InOut, Simd};
use zeroize::ZeroizeOnDrop;

/// Whether a message is for one call of [`message`], if it is not opened [`at_once`].
#[inline(always)]
pub fn fits<S: Simd>(aad: &[u8], text: &InOut<'_>) -> bool {
    !SMALL && aad.len().max(text.len()) <= S::TUNING.siv
}

/// The bytes of a text to be opened that are for [`open_turns`], whole turns, and those of them that it hashes.
#[inline(always)]
pub fn at_once<S: Simd>(len: usize) -> Option<[usize; 2]> {
    let whole = whole_turns::<S>(len);
    let hashed = whole.checked_sub(TURN * S::BYTES)?;
    (S::TUNING.siv_turns && len >= SIV_AT_ONCE).then_some([whole, hashed])
}

/// What belongs to one message.
pub struct Place<'a, E> {
    /// For its round keys.
    pub enc: &'a mut E,
    /// To open, the tag that it came with. Behind the kernel it is the one that belongs to the message.
    pub tag: &'a mut Block,
    /// Where [`open_turns`] comes between two calls: one that seals no text, for keys and AAD, and one that opens the rest.
    pub halfway: Option<&'a mut Halfway>,
}

/// What a message has halfway, of which nothing is decrypted at first.
#[derive(Default)]
pub struct Halfway {
    /// The hash key.
    h: Block,
    /// The hash so far.
    y: Block,
    /// Bytes of the AAD.
    aad_len: usize,
    /// Bytes of the text that are decrypted: whole turns.
    decrypted: usize,
}

impl Drop for Halfway {
    fn drop(&mut self) {
        wipe(&mut self.h);
        wipe(&mut self.y);
    }
}

impl ZeroizeOnDrop for Halfway {}

/// Seals a message that [`fits`], or else opens it; or does one part of what is opened [`at_once`].
///
/// * `enc`: the key that makes those of each message, of 128 or 256 bits; another is refused.
/// * `aad`, `text`: from halfway on, the turn that is decrypted and not hashed, and what is not decrypted.
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
    mut place: Place<'_, RoundKeys>,
    seal: bool,
) -> Result<(), Refused> {
    let n = s.narrow();
    let [lo, hi] = Counter::from_nonce(nonce).with_count(0).words();
    // The nonce stands behind the count, which is zero.
    let first = n.splat_words([lo << 32, lo >> 32 | hi << 32]);
    let (h, y, decrypted) = match &place.halfway {
        Some(halfway) if halfway.decrypted > 0 => (
            n.load(&halfway.h, 0),
            n.load(&halfway.y, 0),
            halfway.decrypted,
        ),
        _ => (derive(n, enc.of::<Any>(), first, place.enc)?, n.zero(), 0),
    };
    let powers = Lowest::new(n, h);
    let enc = (*place.enc).of::<Any>();
    let mut tag = n.load(place.tag, 0);
    // A loop: the code of each of its two steps is there once.
    for hashes in [seal, !seal] {
        if hashes {
            let plaintext = if seal { text.source() } else { text.written() };
            let y = absorb(s, &powers, y, aad, plaintext);
            let mut aad_len = aad.len();
            if let Some(halfway) = place.halfway.as_deref_mut() {
                if seal {
                    debug_assert!(text.is_empty(), "the AAD alone");
                    (halfway.h, halfway.y) = (block(n, h), block(n, y));
                    halfway.aad_len = aad_len;
                    return Ok(());
                }
                aad_len = halfway.aad_len;
            }
            let bits = [aad_len, decrypted + text.len()].map(|len| 8 * len as u64);
            let bits = n.splat_words(bits);
            let hash = powers.times(n, n.xor(y, bits));
            let hash = n.xor(hash, n.splat_words([lo, hi]));
            let hash = n.and(hash, n.splat_words([u64::MAX, u64::MAX >> 1]));
            [tag] = aes::encrypt(n, enc.hidden(), [hash]);
        } else {
            // It has 32 bits, in which it counts over.
            let counter =
                LittleCounter::of_tag_words(n.words(tag)).further((decrypted / 16) as u32);
            stream(s, enc, counter, text.reborrow());
        }
    }
    *place.tag = block(n, tag);
    Ok(())
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

/// Hashes AAD and text, the last block of each filled up with zeros.
///
/// One loop for both: two are more code.
#[inline(always)]
fn absorb<S: Simd>(
    s: S,
    powers: &Lowest<S::Narrow>,
    mut y: <S::Narrow as Simd>::V,
    aad: &[u8],
    text: &[u8],
) -> <S::Narrow as Simd>::V {
    let n = s.narrow();
    let (mut data, mut behind) = (aad, Some(text));
    loop {
        let block = if let Some((few, rest)) = data.split_at_checked(16 * FEW) {
            data = rest;
            let mut sum = Sum::zero(n);
            each!(i in FEW => {
                let x = n.load(few, 16 * i);
                powers.add(n, &mut sum, FEW - i, if i == 0 { n.xor(x, y) } else { x });
            });
            y = sum.reduce(n);
            continue;
        } else if !data.is_empty() {
            let (block, rest) = data.split_at(data.len().min(16));
            data = rest;
            s.load_block(block)
        } else if let Some(next) = behind.take() {
            data = next;
            continue;
        } else {
            return y;
        };
        y = powers.times(n, n.xor(y, block));
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

/// Decrypts whole turns of a message that is opened, two at least, and hashes all of them but the last, where `TUNING.siv_turns` is
/// set: nothing else does.
///
/// * `halfway`: behind the first call of [`message`].
///
/// # Constant time
/// Secret: `enc`, `counter`, `text`, what is in `halfway`. Public: the length.
#[inline(always)]
pub fn open_turns<S: Simd>(
    s: S,
    enc: &RoundKeys,
    halfway: &mut Halfway,
    counter: LittleCounter,
    text: InOut<'_>,
) {
    const { assert!(S::LANES == 1 || !S::TUNING.siv_turns, "turns of one lane") };
    if const { !S::TUNING.siv_turns } {
        return;
    }
    debug_assert!(whole_turns::<S>(text.len()) == text.len(), "whole turns");
    let n = s.narrow();
    halfway.decrypted = text.len();
    let powers = &TurnPowers::new(n, n.load(&halfway.h, 0));
    let counters = LittleCounters::new(s, counter);
    let y = n.load(&halfway.y, 0);
    let (y, _) = turns::<S, _, _, Seal, _>(s, enc.of::<Any>(), powers, counters, y, text);
    halfway.y = block(n, y);
}
