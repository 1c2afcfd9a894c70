//! The last vectors of a message, or all of a short one, and its tag, where loads and stores take a mask: straight-line
//! code for each count of vectors, not of blocks.
//!
//! The text lies in vectors as it does in memory, and the last of them is masked. What is hashed ends with the block
//! of lengths, so the table of powers is read from where the count of blocks says; what meets them behind the text is zero.
//! The two ends, the last block of the AAD and the lengths, stand in the upper half of the last vector, if that is free:
//! a product costs as much for four lanes as for two (Zen 4). Otherwise they are multiplied under the AES rounds, and so is, when
//! sealing, the last turn of the loop before. One reduction for all but that.

use core::ops::Range;

use super::TURN;
use super::aes::{Schedule, rounds, spare_rounds};
use super::counters::{FROM_J0, Steps};
use super::form::{HashKey, PAD, Row, Span, Sum};
use super::gcm::{Direction, Drain};
use super::last::Last;
use crate::simd::{InOut, Simd};

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Seals or opens what is left of a message, at most a turn, one byte at least; the tag.
///
/// * `ONLY`: nothing of the text came before, so that all counter blocks differ from the pre-counter block in the
///   last byte alone.
/// * `turn`: the last turn of the loop, which sealing has yet to hash, so that `last.y` is the hash before it; none if
///   `ONLY`.
///
/// # Constant time
/// As [`super::gcm::message`].
#[inline(always)]
pub(super) fn pass<S: Simd, R: Schedule, H: HashKey, D: Direction, const ONLY: bool>(
    s: S,
    enc: R,
    hash: &H,
    last: Last<S::Narrow>,
    turn: Option<InOut<'_>>,
    mut text: InOut<'_>,
) -> Narrow<S> {
    // Of the longest text with a block of AAD and that of the lengths: `Span` and `Row::of_two` find what they want.
    const { assert!(H::POWERS >= TURN * S::LANES + 2) };
    const { assert!(S::LANES <= PAD) };
    debug_assert!((1..=TURN * S::BYTES).contains(&text.len()), "a pass");
    let n = s.narrow();
    // Before the way parts: the first round waits for nothing else.
    let start = s.spread(n.xor(last.j0, enc.first(n)));
    let vectors = 1 + text.len().wrapping_sub(1) / S::BYTES;
    let tag = by_count!(vectors; TURN, COUNT => {
        // Never shorter: this is the proof that the loads need no check.
        let Some(whole) = text.split_to(S::BYTES * (COUNT - 1)) else {
            return n.zero();
        };
        // The remainder tells the compiler what is so: then it finds that there are as many powers.
        let more = text.len().wrapping_sub(1) / 16 % S::LANES;
        let blocks = S::LANES * (COUNT - 1) + 1 + more;
        let Some(powers) = Span::new(hash, blocks + 1, S::LANES * COUNT) else {
            return n.zero();
        };
        let sum = Sum::zero(s);
        Vectors::<S, H, COUNT> { s, hash, last, start, whole, tail: text, powers, blocks, sum }.run::<R, D, ONLY>(enc, turn)
    });
    tag.unwrap_or(n.zero())
}

/// The last `COUNT` vectors of a message.
struct Vectors<'a, S: Simd, H: HashKey, const COUNT: usize> {
    s: S,
    hash: &'a H,
    last: Last<S::Narrow>,
    /// The pre-counter block with the first round key in each lane.
    start: S::V,
    /// All vectors but the last.
    whole: InOut<'a>,
    /// The last.
    tail: InOut<'a>,
    /// The powers of H for its blocks.
    powers: Span<'a>,
    /// Blocks of text.
    blocks: usize,
    sum: Sum<S>,
}

impl<S: Simd, H: HashKey, const COUNT: usize> Vectors<'_, S, H, COUNT> {
    /// How many vectors are sealed ahead: their products are made while the others are encrypted.
    const AHEAD: usize = if COUNT > 5 { COUNT.div_ceil(2) } else { COUNT };

    /// How many vectors go through the rounds at first.
    const fn ahead<D: Direction>() -> usize {
        if D::SEAL { Self::AHEAD } else { COUNT }
    }

    /// The vectors of the first or the second half.
    const fn half<D: Direction>(second: bool) -> Range<usize> {
        if second {
            Self::ahead::<D>()..COUNT
        } else {
            0..Self::ahead::<D>()
        }
    }

    #[inline(always)]
    fn run<R: Schedule, D: Direction, const ONLY: bool>(
        mut self,
        enc: R,
        turn: Option<InOut<'_>>,
    ) -> Narrow<S> {
        const { assert!(TURN < R::COMMON + 1, "rounds for the pairs of a turn") };
        let (s, n) = (self.s, self.s.narrow());
        let mut states = if ONLY {
            self.first_counters()
        } else {
            self.counters(enc)
        };
        let mut mask = s.lane(self.start, 0);
        let mut drain = Drain::new(s, turn, self.last.y);
        let enc = enc.hidden();
        let tail = s.load_first(self.tail.source());
        let mut last = self.last_alone();
        spare_rounds!(key of enc: R, behind 0, s => {
            self.round::<D, false>(key, &mut states);
            mask = n.aes_round(mask, s.lane(key, 0));
        });
        rounds!(r in R::COMMON => {
            self.round::<D, false>(enc.key(s, r), &mut states);
            mask = n.aes_round(mask, enc.key(n, r));
            if r == 1 {
                self.add_ends(&mut last);
            }
            if !D::SEAL && r <= COUNT {
                let i = r - 1;
                let v = if i + 1 < COUNT { self.whole.load(s, i * S::BYTES) } else { tail };
                self.add(i, v, &last);
                self.sum.fence(s);
            }
            drain.behind(s, self.hash, r, &mut states[0]);
            self.sum.tie(s, &mut states[0]);
        });
        self.last.y = drain.end(s);
        self.finish::<R, D, false>(enc.hidden(), &mut states, tail);
        mask = n.aes_last(mask, enc.last(n));
        if const { Self::ahead::<D>() < COUNT } {
            let enc = enc.hidden();
            spare_rounds!(key of enc: R, behind 0, s => { self.round::<D, true>(key, &mut states); });
            rounds!(r in R::COMMON => {
                self.round::<D, true>(enc.key(s, r), &mut states);
                if r <= Self::AHEAD {
                    self.add(r - 1, states[r - 1], &last);
                    self.sum.tie(s, &mut states[COUNT - 1]);
                }
            });
            self.finish::<R, D, true>(enc.hidden(), &mut states, tail);
        }
        if D::SEAL {
            each!(i in COUNT => {
                let added = i < Self::AHEAD && Self::AHEAD < COUNT;
                if !added {
                    self.add(i, states[i], &last);
                }
            });
        }
        n.xor(n.reverse(s.fold(self.sum.reduce(s))), mask)
    }

    /// The counter blocks with the first round key.
    #[inline(always)]
    fn counters<R: Schedule>(&self, enc: R) -> [S::V; TURN] {
        let s = self.s;
        let key = enc.first(s);
        let [low, high] = Steps::<S>::bases(s, self.last.counter, key);
        let mut states = [key; TURN];
        each!(i in COUNT => {
            states[i] = Steps::<S>::count(s, low, high, 2 + i * S::LANES);
        });
        states
    }

    /// The same for the first blocks of a text.
    #[inline(always)]
    fn first_counters(&self) -> [S::V; TURN] {
        let (s, start) = (self.s, self.start);
        let mut states = [start; TURN];
        each!(i in COUNT => { states[i] = s.xor(start, s.rows(&FROM_J0, i * S::LANES)); });
        states
    }

    /// A round of a half.
    #[inline(always)]
    fn round<D: Direction, const SECOND: bool>(&self, key: S::V, states: &mut [S::V; TURN]) {
        each!(i of Self::half::<D>(SECOND) => {
            states[i] = self.s.aes_round(states[i], key);
        });
    }

    /// The last round of a half, and the text with it, which is stored.
    #[inline(always)]
    fn finish<R: Schedule, D: Direction, const SECOND: bool>(
        &mut self,
        enc: R,
        states: &mut [S::V; TURN],
        tail: S::V,
    ) {
        let s = self.s;
        let key = enc.last(s);
        each!(i of Self::half::<D>(SECOND) => {
            let text = if i + 1 < COUNT { self.whole.load(s, i * S::BYTES) } else { tail };
            states[i] = s.aes_last(states[i], s.xor(text, key));
        });
        each!(i of Self::half::<D>(SECOND) => {
            if i + 1 < COUNT {
                self.whole.store(s, i * S::BYTES, states[i]);
            } else {
                s.store_first(self.tail.reborrow(), states[i]);
            }
        });
    }

    /// Adds the products of vector `i` of the ciphertext.
    #[inline(always)]
    fn add(&mut self, i: usize, v: S::V, last: &LastVector<S>) {
        let s = self.s;
        let mut x = v;
        if i + 1 == COUNT {
            x = s.keep_first(x, self.tail.len());
        }
        x = s.reverse(x);
        if i == 0 {
            x = s.xor(x, s.widen(self.last.y));
        }
        if i + 1 == COUNT {
            self.sum.add_product(s, s.xor(x, last.ends), last.powers);
        } else {
            self.sum.add_span(s, x, self.powers, i * S::LANES);
        }
    }

    /// The last vector, with nothing but text in it.
    #[inline(always)]
    fn last_alone(&self) -> LastVector<S> {
        let (s, ends) = (self.s, self.s.zero());
        let powers = self.powers.row(s, (COUNT - 1) * S::LANES);
        LastVector { ends, powers }
    }

    /// What is hashed before the text and behind it goes into the upper half of the last vector, if that is free; otherwise
    /// its products are added.
    #[inline(always)]
    fn add_ends(&mut self, last: &mut LastVector<S>) {
        let s = self.s;
        let at = const { S::LANES / 2 };
        let ends = s.insert(
            s.insert(s.zero(), at, self.last.head),
            at + 1,
            self.last.lengths,
        );
        let powers = Row::of_two(s, self.hash, at, [self.blocks + 2, 1]);
        if self.tail.len() > S::BYTES / 2 {
            self.sum.add_product(s, ends, powers);
        } else {
            let powers = Row::splice(s, last.powers, powers);
            *last = LastVector { ends, powers };
        }
    }
}

/// The last vector of what is hashed.
struct LastVector<S: Simd> {
    /// What stands in it besides text.
    ends: S::V,
    /// The powers of its lanes.
    powers: Row<S>,
}
