//! Counter blocks of whole vectors as AES states, before the first round or behind it.

mod columns;

use zeroize::ZeroizeOnDrop;

pub(super) use self::columns::{ByColumns, Kept};
use super::TURN;
use super::aes::Schedule;
use super::ctr;
use crate::block::{Counter, Lane, LittleCounter};
use crate::secret;
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

/// What AES has made of the counter blocks of turns.
pub(super) trait Starts<S: Simd> {
    /// Rounds that are done.
    const ROUND: usize;
    /// Whether the round behind them adds [`key`](Self::key), not that of the schedule.
    const OWN_KEY: bool = false;

    /// The vectors of a turn; afterwards a turn further.
    fn next<R: Schedule>(&mut self, s: S, enc: R) -> [S::V; TURN];

    /// What that round adds to the vectors of the turn.
    #[inline(always)]
    fn key(&self, s: S) -> S::V {
        s.zero()
    }
}

/// The counter blocks before the first round.
///
/// Aligned, the count is one more than a multiple of a turn, and the turn's first block is the next, as with the pre-counter block
/// of a 12-byte nonce: all but two blocks of a turn then differ from it in the low bits of the last byte, and the
/// other two from that a turn further. That is one
/// XOR a vector in place of an addition, a byte reversal and an XOR. Otherwise the count is that of the first block, whatever it is.
pub(super) struct Counters<S: Simd, const ALIGNED: bool> {
    /// Reversed, so that the count is the lowest word.
    base: S::V,
}

impl<S: Simd, const ALIGNED: bool> Counters<S, ALIGNED> {
    #[inline(always)]
    pub(super) fn new(s: S, counter: Counter) -> Self {
        let base = if ALIGNED {
            s.reverse(s.splat_words(counter.words()))
        } else {
            s.counters(counter)
        };
        Self { base }
    }
}

impl<S: Simd, const ALIGNED: bool> Starts<S> for Counters<S, ALIGNED> {
    const ROUND: usize = 0;

    #[inline(always)]
    fn next<R: Schedule>(&mut self, s: S, enc: R) -> [S::V; TURN] {
        let start = enc.start(s);
        let mut states = [start; TURN];
        if ALIGNED {
            let low = s.xor(s.reverse(self.base), start);
            self.base = s.add(self.base, s.count(Steps::<S>::BLOCKS as u32));
            let high = s.xor(s.reverse(self.base), start);
            each!(i in TURN => { states[i] = Steps::<S>::count(s, low, high, 2 + i * S::LANES); });
        } else {
            each!(i in TURN => {
                states[i] = s.xor(s.reverse(s.add(self.base, s.count((i * S::LANES) as u32))), start);
            });
            self.base = s.add(self.base, s.count(Steps::<S>::BLOCKS as u32));
        }
        states
    }
}

/// The counter blocks of AES-GCM-SIV (RFC 8452 section 4).
pub(super) struct LittleCounters<S: Simd>(S::V);

impl<S: Simd> LittleCounters<S> {
    #[inline(always)]
    pub(super) fn new(s: S, counter: LittleCounter) -> Self {
        Self(ctr::first(s, counter))
    }
}

impl<S: Simd> Starts<S> for LittleCounters<S> {
    const ROUND: usize = 0;

    #[inline(always)]
    fn next<R: Schedule>(&mut self, s: S, enc: R) -> [S::V; TURN] {
        let start = enc.start(s);
        let mut states = [start; TURN];
        each!(i in TURN => {
            states[i] = s.xor(s.add(self.0, s.count((i * S::LANES) as u32)), start);
        });
        self.0 = s.add(self.0, s.count(Steps::<S>::BLOCKS as u32));
        states
    }
}

/// What the first round of AES makes of the last byte of a counter block: of counts 2 to 257, as the first block of a
/// text counts 2 under a 12-byte nonce.
///
/// The round is linear but for its S-box, which stands alone in each byte: a block that differs from another in the last
/// byte becomes one that differs by what these two bytes become. So a vector takes one XOR in place of the round
/// (FACE; `docs/math.md` 6). Of the key alone.
#[repr(C, align(64))]
pub struct FirstRounds(pub(super) [Lane; GROUP]);

/// Blocks whose counters differ in the last byte alone.
pub(super) const GROUP: usize = 256;

impl Default for FirstRounds {
    #[inline(always)]
    fn default() -> Self {
        Self([Lane([0; 16]); GROUP])
    }
}

impl Drop for FirstRounds {
    fn drop(&mut self) {
        secret::wipe(&mut self.0);
    }
}

impl ZeroizeOnDrop for FirstRounds {}

impl FirstRounds {
    /// Sets them for a key.
    ///
    /// # Constant time
    /// Secret: `enc`.
    #[inline(always)]
    pub(super) fn set<S: Simd, R: Schedule>(&mut self, s: S, enc: R) {
        let (start, first) = (enc.start(s), enc.first(s));
        let of_zero = s.aes_round(start, s.aes_key(first, s.zero()));
        // In the place of the key behind the round, which is added there or later.
        let (key, rest) = (s.aes_key(first, of_zero), s.aes_key(of_zero, s.zero()));
        let mut counts = s.reverse(s.add(s.lane_numbers(), s.count(2)));
        // In the last byte; the carry is lost.
        let step = s.splat_words([0, (S::LANES as u64) << 56]);
        for at in (0..GROUP).step_by(S::LANES) {
            let state = s.aes_round(s.xor(counts, start), key);
            s.set_rows(&mut self.0, at, s.xor(state, rest));
            counts = s.add(counts, step);
        }
    }
}

/// The counter blocks behind the first round, where the count is one more than a multiple of a turn, and the turn's first block
/// is the next.
///
/// # Constant time
/// The table is read where the counter says, which is public.
pub(super) struct Cached<'t, S: Simd> {
    rows: &'t FirstRounds,
    /// With a zero in place of the last byte, and the next of those.
    group: Counter,
    /// That behind the first round.
    base: S::V,
    /// Blocks of the group before the turn.
    at: usize,
}

impl<'t, S: Simd> Cached<'t, S> {
    #[inline(always)]
    pub(super) fn new<R: Schedule>(s: S, enc: R, rows: &'t FirstRounds, counter: Counter) -> Self {
        let multiple = counter.count() - 1;
        let at = multiple as usize % GROUP;
        let group = counter.with_count(multiple - at as u32);
        let base = first_round(s, enc, group);
        Self {
            rows,
            group,
            base,
            at,
        }
    }
}

/// The first round of a counter block.
#[inline(always)]
fn first_round<S: Simd, R: Schedule>(s: S, enc: R, counter: Counter) -> S::V {
    let state = s.xor(s.splat_words(counter.words()), enc.start(s));
    s.aes_round(state, s.aes_key(enc.first(s), enc.second(s)))
}

impl<S: Simd> Starts<S> for Cached<'_, S> {
    const ROUND: usize = 1;

    #[inline(always)]
    fn next<R: Schedule>(&mut self, s: S, enc: R) -> [S::V; TURN] {
        let turn = Steps::<S>::BLOCKS;
        // The mask is the proof that the loads need no check.
        let at = self.at & (GROUP - turn);
        let rows = &self.rows.0[at..at + turn];
        let low = self.base;
        self.at = at + turn;
        if self.at == GROUP {
            self.group = self.group.add(GROUP as u32);
            self.base = first_round(s, enc, self.group);
        }
        let high = self.base;
        let mut states = [low; TURN];
        each!(i in TURN => {
            let base = Steps::<S>::base(s, low, high, 2 + i * S::LANES);
            states[i] = s.xor(base, s.rows(rows, i * S::LANES));
        });
        states
    }
}

/// Counts from one more than a multiple of a turn on.
pub(super) struct Steps<S>(core::marker::PhantomData<S>);

impl<S: Simd> Steps<S> {
    /// Blocks of a turn.
    const BLOCKS: usize = TURN * S::LANES;

    /// What block `i` of a turn, and of the next, differs from block 1 of its turn by.
    const ROWS: [Lane; 40] = {
        let mut rows = [Lane([0; 16]); 40];
        let mut i = 0;
        while i < 40 {
            rows[i].0[15] = 1 ^ (i % Self::BLOCKS) as u8;
            i += 1;
        }
        rows
    };

    /// What [`count`](Self::count) counts from: the blocks of `counter`, one more than a multiple of a turn, and a turn further,
    /// with `start`.
    #[inline(always)]
    pub(super) fn bases(s: S, counter: Counter, start: S::V) -> [S::V; 2] {
        let next = counter.add(Self::BLOCKS as u32);
        let [low, high] = [counter.words(), next.words()];
        [
            s.xor(s.splat_words(low), start),
            s.xor(s.splat_words(high), start),
        ]
    }

    /// The same where the count is that of a pre-counter block: `state`, before the first round.
    #[inline(always)]
    pub(super) fn first_bases(s: S, state: S::V) -> [S::V; 2] {
        let turn = s.splat_words([0, (Self::BLOCKS as u64) << 56]);
        [state, s.xor(state, turn)]
    }

    /// The counter blocks `step` further than the multiple of a turn, and so on: `low` is the block one further than that in every
    /// lane, `high` that a turn further, both with whatever was added to them.
    #[inline(always)]
    pub(super) fn count(s: S, low: S::V, high: S::V, step: usize) -> S::V {
        let base = Self::base(s, low, high, step);
        s.xor(base, s.rows(&Self::ROWS, step))
    }

    /// What the blocks from the `step`th on differ from: `low` in a turn, `high` behind it.
    #[inline(always)]
    fn base(s: S, low: S::V, high: S::V, step: usize) -> S::V {
        if step + S::LANES <= Self::BLOCKS {
            low
        } else if step >= Self::BLOCKS {
            high
        } else {
            s.splice(low, high)
        }
    }
}
