//! The last blocks of a message, or all of a short one, and its tag: straight-line code for each count.
//! Where vectors take masks it is [`super::wide`], but for few blocks.
//!
//! The pre-counter block stands behind the counter blocks, so that the mask of the tag comes out of the
//! same vectors as the key stream, and the text lies in them as it does in memory. In what is hashed its lane is that
//! of the block of lengths, if it is behind text in the last vector; otherwise the two ends, the last block of the AAD
//! and the lengths, are a vector of their own. Those ends are multiplied under the AES rounds, and so, where blocks are multiplied in pairs, is the
//! last turn that was sealed, with a reduction of its own. One reduction for all else.

use core::ops::Range;

use super::TURN;
use super::aes::{Schedule, rounds, spare_rounds};
use super::counters::{FROM_J0, LAST_FROM_J0, Steps};
use super::form::{HashKey, Products, Sum};
use super::gcm::{Direction, Drain};
use crate::block::Counter;
use crate::simd::{InOut, Simd};

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Vectors of the longest pass: those of its text, a turn at most, and one for the pre-counter block.
const MAX: usize = TURN + 1;

/// Vectors of text up to which hardly anything leaves the registers.
pub(super) const SHORT: usize = 4;

/// The most blocks in so many vectors.
pub(super) const fn most<S: Simd>(vectors: usize) -> usize {
    vectors * S::LANES
}

/// Up to this many blocks vectors of one lane are faster: nothing goes from lane to lane (Zen 3: 64
/// cycles a block, not 69; two blocks 87, not 79).
const NARROW: usize = 1;

/// The state of a message before its last blocks.
#[derive(Clone, Copy)]
pub(super) struct Last<N: Simd> {
    /// The pre-counter block.
    pub j0: N::V,
    /// The count is a multiple of a turn, two before the first block.
    pub counter: Counter,
    /// The block before the text, added to its hash, which is not multiplied yet; or zero.
    pub head: N::V,
    /// The hash before the text, where `head` is zero.
    pub y: N::V,
    /// The block of lengths.
    pub lengths: N::V,
}

/// Seals or opens what is left of a message, at most `MOST` vectors of text, one
/// byte at least; the tag.
///
/// * `ONLY`: nothing of the text came before, so that all counter blocks differ from the pre-counter block in the
///   last byte alone.
/// * `turn`: the last turn of the loop, which sealing has yet to hash, so that `last.y` is the hash before it; none if
///   `ONLY`.
///
/// # Constant time
/// As [`super::gcm::message`].
#[inline(always)]
pub(super) fn pass<
    S: Simd,
    R: Schedule,
    H: HashKey,
    D: Direction,
    const ONLY: bool,
    const MOST: usize,
>(
    s: S,
    enc: R,
    hash: &H,
    last: Last<S::Narrow>,
    turn: Option<InOut<'_>>,
    mut text: InOut<'_>,
) -> Narrow<S> {
    let n = s.narrow();
    // Before the way parts: the first round waits for nothing else.
    let start = s.spread(n.xor(last.j0, enc.first(n)));
    // What depends on the length of the last block stays outside of the copies.
    let mut whole = text.split_blocks();
    let tail = n.load_partial(text.source());
    let len = text.len();
    let given = by_count!(whole.len() / 16 + 1; most::<S>(MOST), COUNT => {
        // Never shorter: this is the proof that the loads need no check.
        let Some(whole) = whole.split_to(16 * (COUNT - 1)) else {
            return n.zero();
        };
        if COUNT <= NARROW {
            let start = s.lane(start, 0);
            let products = Products::zero(n, false);
            Blocks::<S::Narrow, H, COUNT> { s: n, hash, last, start, whole, tail, len, products }.run::<R, D, ONLY>(enc, turn)
        } else {
            let products = Products::zero(s, Blocks::<S, H, COUNT>::PAIRED);
            Blocks::<S, H, COUNT> { s, hash, last, start, whole, tail, len, products }.run::<R, D, ONLY>(enc, turn)
        }
    });
    let Some((tag, tail)) = given else {
        return n.zero();
    };
    n.store_partial(text, tail);
    tag
}

/// The tag of a message without text.
#[inline(always)]
pub(super) fn tag_alone<S: Simd<Narrow = S>, R: Schedule, H: HashKey>(
    s: S,
    enc: R,
    hash: &H,
    last: Last<S>,
) -> S::V {
    let [mask] = super::aes::encrypt(s, enc, [last.j0]);
    let mut sum = Sum::zero(s);
    sum.add(s, last.head, hash, 2);
    sum.add(s, s.xor(last.y, last.lengths), hash, 1);
    s.xor(s.reverse(sum.reduce(s)), mask)
}

/// The last `COUNT` blocks of a message: its tag, and the last block, for the caller to store.
///
/// Positions 0 to `COUNT - 1` are the text's, `COUNT` is that of the pre-counter block.
struct Blocks<'a, S: Simd, H: HashKey, const COUNT: usize> {
    s: S,
    hash: &'a H,
    last: Last<S::Narrow>,
    /// The pre-counter block with the first round key in each lane.
    start: S::V,
    /// All blocks but the last.
    whole: InOut<'a>,
    /// The last, zeros behind its bytes.
    tail: Narrow<S>,
    /// Bytes of the last.
    len: usize,
    products: Products<S>,
}

impl<'a, S: Simd, H: HashKey, const COUNT: usize> Blocks<'a, S, H, COUNT> {
    /// Vectors with text.
    const TEXT: usize = COUNT.div_ceil(S::LANES);
    /// Vectors with all positions.
    const VECTORS: usize = COUNT / S::LANES + 1;
    /// Whether the pre-counter block, and so the block of lengths, has a place behind the text in its last.
    const LENGTHS_FIT: bool = Self::TEXT == Self::VECTORS;
    /// Whether blocks are multiplied in pairs: the last one, if their number is odd, with the lengths. For few the shorter
    /// reduction counts (Zen 4, `avx`: 80 to 128 bytes take 4 to 10 % less, opening 64 bytes 3 % more).
    const PAIRED: bool = S::FEWER_PRODUCTS && COUNT > SHORT;
    /// How many vectors are sealed ahead: their products are made while the others are encrypted.
    const AHEAD: usize = if Self::VECTORS > 3 {
        Self::VECTORS.div_ceil(2)
    } else {
        Self::VECTORS
    };

    /// How many vectors go through the rounds at first.
    const fn ahead<D: Direction>() -> usize {
        if D::SEAL { Self::AHEAD } else { Self::VECTORS }
    }

    /// The vectors of the first or the second half.
    const fn half<D: Direction>(second: bool) -> Range<usize> {
        if second {
            Self::ahead::<D>()..Self::VECTORS
        } else {
            0..Self::ahead::<D>()
        }
    }

    #[inline(always)]
    fn run<R: Schedule, D: Direction, const ONLY: bool>(
        mut self,
        enc: R,
        turn: Option<InOut<'_>>,
    ) -> (Narrow<S>, Narrow<S>) {
        // Counts beyond are type-checked, but never compiled.
        const { assert!(COUNT > most::<S>(TURN) || Self::VECTORS <= MAX) };
        const { assert!(S::LANES <= 2, "what is put together lane by lane") };
        const { assert!(TURN < R::COMMON + 1, "rounds for the pairs of a turn") };
        let (s, n) = (self.s, self.s.narrow());
        let mut states = if ONLY {
            self.first_counters()
        } else {
            self.counters(enc)
        };
        let mut drain = Drain::new(s, turn, self.last.y);
        // Keys are not to be loaded early, or kept over the rounds between, and then spilled.
        let enc = enc.hidden();
        spare_rounds!(key of enc: R, behind 0, s => { self.round::<D, false>(key, &mut states); });
        rounds!(r in R::COMMON => {
            self.round::<D, false>(enc.key(s, r), &mut states);
            if r == 1 {
                self.add_ends();
            }
            if !D::SEAL && r <= Self::TEXT {
                self.add(r - 1, None);
                self.products.fence(s);
            }
            drain.behind(s, self.hash, r, &mut states[0]);
            self.products.tie(s, &mut states[0]);
        });
        self.last.y = drain.end(s);
        self.finish::<R, D, false>(enc.hidden(), &mut states);
        if const { Self::ahead::<D>() < Self::VECTORS } {
            let enc = enc.hidden();
            spare_rounds!(key of enc: R, behind 0, s => { self.round::<D, true>(key, &mut states); });
            rounds!(r in R::COMMON => {
                self.round::<D, true>(enc.key(s, r), &mut states);
                if r <= Self::AHEAD {
                    self.add(r - 1, Some(&states));
                    self.products.tie(s, &mut states[Self::VECTORS - 1]);
                }
            });
            self.finish::<R, D, true>(enc.hidden(), &mut states);
        }
        if D::SEAL {
            each!(i in Self::TEXT => {
                let added = i < Self::AHEAD && Self::AHEAD < Self::VECTORS;
                if !added {
                    self.add(i, Some(&states));
                }
            });
        }
        let y = n.reverse(s.fold(self.products.reduce(s)));
        let tag = n.xor(y, s.lane(states[Self::VECTORS - 1], COUNT % S::LANES));
        let tail = s.lane(states[Self::TEXT - 1], (COUNT - 1) % S::LANES);
        (tag, tail)
    }

    /// The counter blocks with the first round key.
    #[inline(always)]
    fn counters<R: Schedule>(&self, enc: R) -> [S::V; MAX] {
        let s = self.s;
        let key = enc.first(s);
        let [low, high] = Steps::<S>::bases(s, self.last.counter, key);
        let mut states = [key; MAX];
        each!(i in Self::TEXT => {
            states[i] = Steps::<S>::count(s, low, high, 2 + i * S::LANES);
        });
        let j0 = s.lane(self.start, 0);
        states[Self::VECTORS - 1] = s.insert(states[Self::VECTORS - 1], COUNT % S::LANES, j0);
        states
    }

    /// The same for the first blocks of a text.
    #[inline(always)]
    fn first_counters(&self) -> [S::V; MAX] {
        let (s, start) = (self.s, self.start);
        let mut states = [start; MAX];
        each!(i in COUNT / S::LANES => { states[i] = s.xor(start, s.rows(&FROM_J0, i * S::LANES)); });
        if !COUNT.is_multiple_of(S::LANES) {
            let steps = LAST_FROM_J0[COUNT - 1];
            states[Self::VECTORS - 1] = s.xor(start, s.rows(&steps, 0));
        }
        states
    }

    /// A round of a half.
    #[inline(always)]
    fn round<D: Direction, const SECOND: bool>(&self, key: S::V, states: &mut [S::V; MAX]) {
        each!(i of Self::half::<D>(SECOND) => {
            states[i] = self.s.aes_round(states[i], key);
        });
    }

    /// The last round of a half, and the text with it, which is stored.
    #[inline(always)]
    fn finish<R: Schedule, D: Direction, const SECOND: bool>(
        &mut self,
        enc: R,
        states: &mut [S::V; MAX],
    ) {
        let s = self.s;
        let key = enc.last(s);
        each!(i of Self::half::<D>(SECOND) => {
            states[i] = s.aes_last(states[i], s.xor(self.source(i), key));
        });
        each!(i of Self::half::<D>(SECOND) => {
            if i < Self::TEXT {
                self.store(i, states[i]);
            }
        });
    }

    /// Vector `i` that was sealed: of those ahead from memory, if it is there, as registers are scarce.
    #[inline(always)]
    fn sealed(&self, i: usize, states: &[S::V; MAX]) -> S::V {
        let at = i * S::LANES;
        let ahead = i < Self::AHEAD && Self::AHEAD < Self::VECTORS;
        if ahead && at + S::LANES < COUNT {
            self.whole.load_written(self.s, 16 * at)
        } else {
            states[i]
        }
    }

    /// Vector `i` of the text, zeros where there is none.
    #[inline(always)]
    fn source(&self, i: usize) -> S::V {
        let (s, at) = (self.s, i * S::LANES);
        if at + S::LANES < COUNT {
            return self.whole.load(s, 16 * at);
        }
        let mut v = s.zero();
        each!(lane in S::LANES => {
            let position = at + lane;
            if position + 1 == COUNT {
                v = s.insert(v, lane, self.tail);
            } else if position < COUNT {
                v = s.widen(self.whole.load(s.narrow(), 16 * position));
            }
        });
        v
    }

    /// Stores what there is of vector `i`, but for the last block.
    #[inline(always)]
    fn store(&mut self, i: usize, v: S::V) {
        let (s, at) = (self.s, i * S::LANES);
        if at + S::LANES < COUNT {
            self.whole.store(s, 16 * at, v);
            return;
        }
        each!(lane in S::LANES => {
            let position = at + lane;
            if position + 1 < COUNT {
                self.whole.store(s.narrow(), 16 * position, s.lane(v, lane));
            }
        });
    }

    /// Adds the products of vector `i` of the ciphertext, and of what stands beside it; in pairs with that before, if it is the
    /// second of two.
    ///
    /// * `sealed`: what the ciphertext is; otherwise it is what is read.
    #[inline(always)]
    fn add(&mut self, i: usize, sealed: Option<&[S::V; MAX]>) {
        let s = self.s;
        if !Self::PAIRED {
            let x = self.hashed(i, sealed);
            self.products.add(s, x, self.hash, COUNT + 1 - i * S::LANES);
        } else if i % 2 == 1 {
            let two = [self.hashed(i - 1, sealed), self.hashed(i, sealed)];
            self.products.add_two(s, two, self.hash, COUNT + 2 - i);
        } else if i + 1 == COUNT {
            let two = [self.hashed(i, sealed), s.widen(self.last.lengths)];
            self.products.add_two(s, two, self.hash, 2);
        }
    }

    /// Vector `i` of the ciphertext as it is hashed, with what stands beside it.
    #[inline(always)]
    fn hashed(&self, i: usize, sealed: Option<&[S::V; MAX]>) -> S::V {
        let s = self.s;
        let v = match sealed {
            Some(states) => self.sealed(i, states),
            None => self.source(i),
        };
        let mut x = v;
        if i + 1 == Self::TEXT {
            let bytes = 16 * ((COUNT - 1) % S::LANES) + self.len;
            x = s.keep_first(x, bytes);
        }
        x = s.reverse(x);
        if i == 0 {
            x = s.xor(x, s.widen(self.last.y));
        }
        if i + 1 == Self::VECTORS {
            x = s.xor(x, s.insert(s.zero(), COUNT % S::LANES, self.last.lengths));
        }
        x
    }

    /// Adds the products of what is hashed before the text, and behind it, if the lengths have no place there.
    #[inline(always)]
    fn add_ends(&mut self) {
        let (s, Last { head, lengths, .. }) = (self.s, self.last);
        if !Self::LENGTHS_FIT && S::LANES == 2 {
            let ends = s.insert(s.widen(head), 1, lengths);
            self.products.add_ends(s, ends, self.hash, [COUNT + 2, 1]);
            return;
        }
        self.products
            .add_splat(s, s.widen(head), self.hash, COUNT + 2);
        let with_text = Self::LENGTHS_FIT || Self::PAIRED && COUNT % 2 == 1;
        if !with_text {
            self.products.add_splat(s, s.widen(lengths), self.hash, 1);
        }
    }
}
