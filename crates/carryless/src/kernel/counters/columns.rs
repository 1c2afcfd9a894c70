//! Counter blocks behind the first round, of which one round makes four (`docs/math.md` 6).

use super::Starts;
use crate::block::{Counter, Lane};
use crate::kernel::TURN;
use crate::kernel::aes::Schedule;
use crate::secret::forget_origin;
use crate::simd::Simd;

/// Aligned counter blocks ([`Counters`](super::Counters)) of one lane, where a round adds its key first.
///
/// The first round puts the last byte, which alone differs in 256 blocks, into the first column. So on a block of four such columns
/// it makes those of four blocks; the other columns are those of all, and come in by the key that the second round adds.
pub(in crate::kernel) struct ByColumns<'k> {
    counter: Counter,
    /// One less than the count before the turn that `kept` has the columns of: a multiple of a turn.
    multiple: u32,
    kept: &'k mut Kept,
}

/// What [`ByColumns`] has in memory, as the rounds need the registers.
pub(in crate::kernel) struct Kept {
    /// In each column the bytes that the first is made from, with the first key: of a block with a zero in place of the last.
    bytes: Lane,
    /// The second key, to which the other columns are added: those of the blocks that differ from the multiple in the last byte alone.
    key: Lane,
    /// The first columns of the next turn, four by four.
    columns: [Lane; TURN / 4],
}

impl Default for Kept {
    #[inline(always)]
    fn default() -> Self {
        let none = Lane([0; 16]);
        Self {
            bytes: none,
            key: none,
            columns: [none; TURN / 4],
        }
    }
}

impl<'k> ByColumns<'k> {
    /// Whether they are for these vectors.
    pub(in crate::kernel) const fn suit<S: Simd>() -> bool {
        S::KEY_FIRST && S::LANES == 1
    }

    /// From a count on that is one more than a multiple of a turn: the first block is the next.
    ///
    /// # Constant time
    /// Secret: `enc`.
    #[inline(always)]
    pub(in crate::kernel) fn new<S: Simd, R: Schedule>(
        s: S,
        enc: R,
        counter: Counter,
        kept: &'k mut Kept,
    ) -> Self {
        let multiple = counter.count() - 1;
        debug_assert!(Self::suit::<S>(), "for no other vectors");
        debug_assert!(multiple.is_multiple_of(TURN as u32), "aligned");
        let block = s.xor(s.splat_words(counter.with_count(0).words()), enc.first(s));
        let bytes = s.permute(block, s.splat_words([0x0f0a_0500_0f0a_0500; 2]));
        let columns = first_columns(s, multiple, bytes);
        set(s, &mut kept.bytes, bytes);
        each!(i in TURN / 4 => { set(s, &mut kept.columns[i], columns[i]); });
        let mut begun = Self {
            counter,
            multiple,
            kept,
        };
        begun.enter(s, enc);
        begun
    }

    /// Sets the key.
    #[inline(always)]
    fn enter<S: Simd, R: Schedule>(&mut self, s: S, enc: R) {
        let block = self.counter.with_count(self.multiple & !0xff);
        let columns = s.aes_round(s.splat_words(block.words()), enc.first(s));
        let [first, _] = s.words(columns);
        let others = s.xor(columns, s.count(first as u32));
        set(s, &mut self.kept.key, s.xor(others, enc.second(s)));
    }
}

/// How much more than the multiple the last bytes of a turn's blocks are, where ShiftRows takes them from.
const ROWS: [Lane; TURN / 4] = {
    assert!(TURN.is_multiple_of(4) && 0x100 % TURN == 0);
    let mut rows = [Lane([0; 16]); TURN / 4];
    let mut i = 0;
    while i < TURN {
        rows[i / 4].0[(4 * i + 15) % 16] = 2 + i as u8;
        i += 1;
    }
    rows
};

/// The first columns of a turn, from its multiple and the bytes that they are made from.
#[inline(always)]
fn first_columns<S: Simd>(s: S, multiple: u32, bytes: S::V) -> [S::V; TURN / 4] {
    let count = s.splat_column(multiple << 24);
    let mut columns = [bytes; TURN / 4];
    each!(i in TURN / 4 => {
        columns[i] = s.aes_round(s.add(s.rows(&ROWS, i), count), bytes);
    });
    columns
}

impl<S: Simd> Starts<S> for ByColumns<'_> {
    const ROUND: usize = 1;
    const OWN_KEY: bool = true;

    #[inline(always)]
    fn next<R: Schedule>(&mut self, s: S, enc: R) -> [S::V; TURN] {
        self.multiple = self.multiple.wrapping_add(TURN as u32);
        // Before the loads, as CPUs that go in order wait for it.
        let next = first_columns(s, self.multiple, s.splat(&forget_origin(&*self.kept).bytes));
        let mut states = one_each(s, &self.kept.columns);
        if self.multiple.is_multiple_of(0x100) {
            let before = s.splat(&self.kept.key);
            self.enter(s, enc);
            let change = s.xor(before, s.splat(&self.kept.key));
            // The key is now that of the last two blocks: the others come before the multiple.
            each!(i in TURN - 2 => { states[i] = s.xor(states[i], change); });
        }
        each!(i in TURN / 4 => { set(s, &mut self.kept.columns[i], next[i]); });
        states
    }

    #[inline(always)]
    fn key(&self, s: S) -> S::V {
        s.splat(&self.kept.key)
    }
}

/// Each column in a state of its own.
#[inline(always)]
fn one_each<S: Simd>(s: S, columns: &[Lane; TURN / 4]) -> [S::V; TURN] {
    let mut states = [s.zero(); TURN];
    each!(i in TURN => {
        let [a, b, c, d] = columns[i / 4].0.as_chunks().0[i % 4];
        states[i] = s.count(u32::from_le_bytes([a, b, c, d]));
    });
    states
}

#[inline(always)]
fn set<S: Simd>(s: S, row: &mut Lane, v: S::V) {
    s.set_rows(core::slice::from_mut(row), 0, v);
}
