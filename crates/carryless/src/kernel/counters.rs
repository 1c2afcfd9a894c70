//! Counter blocks of whole vectors, with the first round key added.

use crate::block::{Counter, Lane};
use crate::simd::Simd;

/// The step from the pre-counter block of a 12-byte nonce, which counts 1, to the counter block of block `i` of
/// the text.
pub(super) const FROM_J0: [Lane; 32] = {
    let mut steps = [Lane([0; 16]); 32];
    let mut i = 0;
    while i < steps.len() {
        steps[i].0[15] = 1 ^ (2 + i as u8);
        i += 1;
    }
    steps
};

/// The step to block `i` of the text, and behind it that to the pre-counter block itself, which is none.
pub(super) const LAST_FROM_J0: [[Lane; 2]; 8] = {
    let mut steps = [[Lane([0; 16]); 2]; 8];
    let mut i = 0;
    while i < steps.len() {
        steps[i][0] = FROM_J0[i];
        i += 1;
    }
    steps
};

/// The counter blocks of turns of `N` vectors.
///
/// Aligned, the count is a multiple of a turn and the turn's first block is two further, as the first
/// block of a text is under a 12-byte nonce: all but two blocks of a turn then differ from one
/// base in the low bits of the last byte, and the other two from the next base. That is one
/// XOR a vector in place of an addition, a byte reversal and an XOR. Otherwise the count is that of
/// the first block, whatever it is.
pub(super) struct Counters<S: Simd, const N: usize, const ALIGNED: bool> {
    /// Reversed, so that the count is the lowest word.
    base: S::V,
}

impl<S: Simd, const N: usize, const ALIGNED: bool> Counters<S, N, ALIGNED> {
    #[inline(always)]
    pub(super) fn new(s: S, counter: Counter) -> Self {
        Self {
            base: if ALIGNED {
                s.reverse(s.splat_words(counter.words()))
            } else {
                s.counters(counter)
            },
        }
    }

    /// The vectors of a turn; afterwards a turn further.
    #[inline(always)]
    pub(super) fn next(&mut self, s: S, key: S::V) -> [S::V; N] {
        let mut states = [key; N];
        if ALIGNED {
            let low = s.xor(s.reverse(self.base), key);
            self.base = s.add(self.base, s.count((N * S::LANES) as u32));
            let high = s.xor(s.reverse(self.base), key);
            each!(i in N => { states[i] = Steps::<S, N>::count(s, low, high, 2 + i * S::LANES); });
        } else {
            each!(i in N => {
                states[i] = s.xor(s.reverse(s.add(self.base, s.count((i * S::LANES) as u32))), key);
            });
            self.base = s.add(self.base, s.count((N * S::LANES) as u32));
        }
        states
    }
}

/// Counts from a multiple of a turn of `N` vectors on.
pub(super) struct Steps<S, const N: usize>(core::marker::PhantomData<S>);

impl<S: Simd, const N: usize> Steps<S, N> {
    const TURN: usize = N * S::LANES;

    /// The bytes `00 .. 00 i`, `i` below a turn and again from zero.
    const ROWS: [Lane; 40] = {
        let mut rows = [Lane([0; 16]); 40];
        let mut i = 0;
        while i < 40 {
            rows[i].0[15] = (i % Self::TURN) as u8;
            i += 1;
        }
        rows
    };

    /// What [`count`](Self::count) counts from: the blocks of `counter`, a multiple of a turn, and of the next, with `key`.
    #[inline(always)]
    pub(super) fn bases(s: S, counter: Counter, key: S::V) -> [S::V; 2] {
        let next = counter.add(Self::TURN as u32);
        let [low, high] = [counter.words(), next.words()];
        [
            s.xor(s.splat_words(low), key),
            s.xor(s.splat_words(high), key),
        ]
    }

    /// The counter blocks from the `step`th on: `low` is the block of the multiple of a turn in every
    /// lane, `high` that of the next multiple, both with whatever was added to them.
    #[inline(always)]
    pub(super) fn count(s: S, low: S::V, high: S::V, step: usize) -> S::V {
        let base = if step + S::LANES <= Self::TURN {
            low
        } else if step >= Self::TURN {
            high
        } else {
            s.splice(low, high)
        };
        s.xor(base, s.rows(&Self::ROWS, step))
    }
}
