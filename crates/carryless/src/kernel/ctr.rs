//! Counter mode (SP 800-38A section 6.5) with a 32-bit counter.

use super::TURN;
use super::aes::{self, Any, RoundKeys, Schedule};
use crate::block::{Counter, Counting, LittleCounter};
use crate::simd::{InOut, Simd};

/// XORs the key stream from the block `counter` on into the text, any number of bytes.
///
/// # Constant time
/// Secret: `enc`, `text`, `counter` (it may come from a hashed nonce). Public: the length.
#[inline(always)]
pub fn apply<S: Simd>(s: S, enc: &RoundKeys, counter: Counter, mut text: InOut<'_>) {
    let enc = enc.of::<Any>();
    let counter = turns(s, enc, counter, &mut text);
    let s = s.narrow();
    // After wide turns there may be a whole narrow one.
    let counter = if S::LANES > 1 {
        turns(s, enc, counter, &mut text)
    } else {
        counter
    };
    let counter = few::<_, _, _, 4>(s, enc, counter, &mut text);
    let counter = if const { S::TUNING.compact } {
        all::<_, _, _, 1>(s, enc, counter, &mut text)
    } else {
        let counter = few::<_, _, _, 2>(s, enc, counter, &mut text);
        few::<_, _, _, 1>(s, enc, counter, &mut text)
    };
    if !text.is_empty() {
        part(s, enc, counter, text);
    }
}

/// The same with the counter of AES-GCM-SIV (RFC 8452 section 4).
///
/// # Constant time
/// As for [`apply`].
#[inline(always)]
pub fn little<S: Simd>(s: S, enc: &RoundKeys, counter: LittleCounter, mut text: InOut<'_>) {
    let enc = enc.of::<Any>();
    let counter = turns(s, enc, counter, &mut text);
    let s = s.narrow();
    // Short messages have an entry of their own, and where there are turns long ones that are opened: more counts of blocks are not worth
    // their code.
    let mut counter = if const { S::TUNING.siv_turns } {
        counter
    } else {
        all::<_, _, _, 4>(s, enc, counter, &mut text)
    };
    while let Some(block) = text.split_to(text.len().min(16))
        && !block.is_empty()
    {
        part(s, enc, counter, block);
        counter = counter.further(1);
    }
}

/// A block at most.
#[inline(always)]
fn part<S: Simd<Narrow = S>, R: Schedule, T: Counting>(s: S, enc: R, counter: T, text: InOut<'_>) {
    let [stream] = aes::encrypt(s, enc, [s.splat_words(counter.words())]);
    let v = s.xor(s.load_partial(text.source()), stream);
    s.store_partial(text, v);
}

/// The counter, where it can be added to, lane `i` counted `i` further.
#[inline(always)]
pub(super) fn first<S: Simd, T: Counting>(s: S, counter: T) -> S::V {
    let v = s.splat_words(counter.words());
    s.add(if T::BIG { s.reverse(v) } else { v }, s.lane_numbers())
}

/// Counters as blocks.
#[inline(always)]
fn block<S: Simd, T: Counting>(s: S, counters: S::V) -> S::V {
    if T::BIG {
        s.reverse(counters)
    } else {
        counters
    }
}

/// As many turns as there are; the counter behind them.
#[inline(always)]
fn turns<S: Simd, R: Schedule, T: Counting>(s: S, enc: R, counter: T, text: &mut InOut<'_>) -> T {
    let lanes = const { S::LANES as u32 };
    let (mut counters, mut blocks) = (first(s, counter), 0u32);
    while let Some(mut turn) = text.split_to(TURN * S::BYTES) {
        let mut states = [counters; TURN];
        each!(i in TURN => { states[i] = block::<_, T>(s, s.add(counters, s.count(i as u32 * lanes))); });
        counters = s.add(counters, s.count(TURN as u32 * lanes));
        blocks = blocks.wrapping_add(TURN as u32 * lanes);
        states = aes::encrypt(s, enc.hidden(), states);
        each!(i in TURN => {
            let v = s.xor(turn.load(s, i * S::BYTES), states[i]);
            turn.store(s, i * S::BYTES, v);
        });
    }
    counter.further(blocks)
}

/// As many times `COUNT` blocks as there are; the counter behind them.
#[inline(always)]
fn all<S: Simd<Narrow = S>, R: Schedule, T: Counting, const COUNT: usize>(
    s: S,
    enc: R,
    mut counter: T,
    text: &mut InOut<'_>,
) -> T {
    while text.len() >= 16 * COUNT {
        counter = few::<_, _, _, COUNT>(s, enc, counter, text);
    }
    counter
}

/// The next `COUNT` blocks, if there are so many; the counter behind them.
#[inline(always)]
fn few<S: Simd<Narrow = S>, R: Schedule, T: Counting, const COUNT: usize>(
    s: S,
    enc: R,
    counter: T,
    text: &mut InOut<'_>,
) -> T {
    let Some(mut blocks) = text.split_to(16 * COUNT) else {
        return counter;
    };
    let counters = first(s, counter);
    let mut states = [counters; COUNT];
    each!(i in COUNT => { states[i] = block::<_, T>(s, s.add(counters, s.count(i as u32))); });
    states = aes::encrypt(s, enc, states);
    each!(i in COUNT => {
        let v = s.xor(blocks.load(s, 16 * i), states[i]);
        blocks.store(s, 16 * i, v);
    });
    counter.further(COUNT as u32)
}
