//! The last vectors of a message, or all of a short one, and its tag: straight-line code for each count of vectors.
//!
//! The text lies in vectors as it does in memory; behind its end the last one is zero. What is hashed ends with the block of
//! lengths, so powers are read from where the count of blocks says; what meets them behind the text is zero.
//! The two ends, the last block of the AAD and the lengths, are multiplied under the AES rounds: in the upper half of the last
//! vector, if it has four lanes and that half is free, as a product costs as much for four lanes as for two (Zen 4); otherwise
//! by themselves. So is, when sealing, the last turn of the loop before. One reduction for all but that.

use core::ops::Range;

use super::rest;
use super::turns::Drain;
use crate::block::Counter;
use crate::kernel::aes::{Schedule, encrypt, rounds, spare_rounds};
use crate::kernel::counters::Steps;
use crate::kernel::message::{Direction, Header};
use crate::kernel::product::{HashKey, PAD, Products, Row, Span, Sum, load_acc};
use crate::kernel::{Refused, TURN, ghash};
use crate::simd::tuning::SHORT;
use crate::simd::{InOut, Simd};

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// A message before its last vectors.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Before<N: Simd> {
    /// The pre-counter block.
    pub j0: N::V,
    /// The block before the text, added to its hash, which is not multiplied yet; or zero.
    pub head: N::V,
    /// The hash before the text, where `head` is zero.
    pub y: N::V,
    /// The block of lengths.
    pub lengths: N::V,
}

impl<N: Simd<Narrow = N>> Before<N> {
    /// Of a message with a text of `len` bytes that are not done.
    #[inline(always)]
    pub(in crate::kernel) fn new<S: Simd<Narrow = N>, H: HashKey>(
        s: S,
        hash: &H,
        j0: Counter,
        header: &Header<'_>,
        len: usize,
    ) -> Self {
        let n = s.narrow();
        Self {
            j0: n.splat_words(j0.words()),
            head: ghash::pending(s, hash, header.aad),
            y: load_acc(n, header.acc),
            lengths: n.splat_words([8 * (header.done + len) as u64, 8 * header.aad_len as u64]),
        }
    }

    /// Multiplies the block before the text, if there is one, where more than a last pass is behind it.
    #[inline(always)]
    pub(in crate::kernel) fn finish_head<H: HashKey>(
        &mut self,
        n: N,
        hash: &H,
        header: &Header<'_>,
    ) {
        if !header.aad.is_empty() {
            self.y = ghash::multiply(n, hash, self.head);
            self.head = n.zero();
        }
    }
}

/// Seals or opens what is left of a message, at most `MOST` vectors of text, one byte at least; the tag.
///
/// * `bases`: what counter blocks are counted from ([`Steps`]), if text came before.
/// * `turn`: the last turn of the loop, which sealing has yet to hash, so that `before.y` is the hash before it; none where
///   [`drained_first`](crate::simd::tuning::Tuning::drained_first).
///
/// # Constant time
/// As [`super::message`].
#[inline(always)]
pub(in crate::kernel) fn pass<S: Simd, R: Schedule, H: HashKey, D: Direction, const MOST: usize>(
    s: S,
    enc: R,
    hash: &H,
    before: Before<S::Narrow>,
    bases: Option<[S::V; 2]>,
    turn: Option<InOut<'_>>,
    mut text: InOut<'_>,
) -> Result<Narrow<S>, Refused> {
    // Of the longest text with a block of AAD and that of the lengths: `Span` finds what it wants.
    // What ends otherwise does not come here.
    const { assert!(H::POWERS >= MOST * S::LANES + 2 || rest::suit::<S>()) };
    const { assert!(S::LANES <= PAD) };
    let n = s.narrow();
    // Before the way parts: the first round waits for nothing else.
    let mask = n.xor(before.j0, enc.start(n));
    let bases = bases.unwrap_or(Steps::first_bases(s, s.spread(mask)));
    // Without masks, what depends on the length of the last vector stays outside of the copies.
    let tail = if S::MASKS {
        s.zero()
    } else {
        s.load_last(text.source())
    };
    let vectors = text.len().saturating_sub(1) / S::BYTES;
    let made = by_count!(vectors + 1; MOST, COUNT => {
        // Never shorter: this is the proof that the loads need no check.
        let mut last = text.reborrow();
        let whole = last.split_to(S::BYTES * (COUNT - 1)).ok_or(Refused)?;
        let len = last.len();
        // The remainder tells the compiler what is so: then it finds that there are as many powers.
        let blocks = S::LANES * (COUNT - 1) + 1 + len.wrapping_sub(1) / 16 % S::LANES;
        // From that of the block of AAD on.
        let powers = Span::new(hash, blocks + 2, 1 + S::LANES * COUNT).ok_or(Refused)?;
        let tail = Tail::<S, H, COUNT> { s, hash, before, mask, bases, whole, last, tail, len, powers };
        if const { S::TUNING.pairs && COUNT > SHORT } {
            tail.run::<R, D, true>(enc, turn)
        } else {
            tail.run::<R, D, false>(enc, turn)
        }
    });
    let (tag, tail) = made.ok_or(Refused)?;
    if const { !S::MASKS } {
        s.store_last(text, tail);
    }
    Ok(tag)
}

/// The tag of a message without text.
#[inline(always)]
pub(super) fn tag_alone<S: Simd<Narrow = S>, R: Schedule, H: HashKey>(
    s: S,
    enc: R,
    hash: &H,
    before: Before<S>,
) -> S::V {
    let [mask] = encrypt(s, enc, [before.j0]);
    let mut sum = Sum::zero(s);
    sum.add(s, before.head, hash, 2);
    sum.add(s, s.xor(before.y, before.lengths), hash, 1);
    s.xor(s.reverse(sum.reduce(s)), mask)
}

/// The last `COUNT` vectors of a message.
struct Tail<'a, S: Simd, H: HashKey, const COUNT: usize> {
    s: S,
    hash: &'a H,
    before: Before<S::Narrow>,
    /// The pre-counter block before the first round.
    mask: Narrow<S>,
    /// What counter blocks are counted from ([`Steps`]).
    bases: [S::V; 2],
    /// All vectors but the last.
    whole: InOut<'a>,
    /// The last.
    last: InOut<'a>,
    /// The same, zeros behind its bytes.
    tail: S::V,
    /// Bytes of the last.
    len: usize,
    /// The powers of H for the block before its blocks, and for those.
    powers: Span<'a>,
}

impl<S: Simd, H: HashKey, const COUNT: usize> Tail<'_, S, H, COUNT> {
    /// How many vectors are sealed ahead: their products are made while the others are encrypted.
    const AHEAD: usize = if COUNT > S::TUNING.sealed_at_once {
        COUNT.div_ceil(2)
    } else {
        COUNT
    };

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

    /// The tag, and the last vector of the output, which without masks is for the caller to store.
    ///
    /// * `PAIRED`: whether blocks are multiplied in pairs: the last one, if their number is odd, with the lengths.
    #[inline(always)]
    fn run<R: Schedule, D: Direction, const PAIRED: bool>(
        mut self,
        enc: R,
        turn: Option<InOut<'_>>,
    ) -> (Narrow<S>, S::V) {
        const { assert!(TURN < R::COMMON + 1, "rounds for the pairs of a turn") };
        let (s, n) = (self.s, self.s.narrow());
        if S::MASKS {
            self.tail = s.load_first(self.last.source());
        }
        let (mut states, mut mask) = (self.counters(), self.mask);
        let mut drain = Drain::new(s, turn, self.before.y);
        let mut products = Products::<S, PAIRED>::zero(s);
        // Keys are not to be loaded early, or kept over the rounds between, and then spilled.
        let enc = enc.hidden();
        let mut last = None;
        spare_rounds!(key of enc: R, behind 0, s: S => {
            self.round::<D, false>(key, &mut states);
            mask = n.aes_round(mask, s.lane(key, 0));
        });
        rounds!(r in R::COMMON => {
            let key = enc.key(s, r);
            self.round::<D, false>(key, &mut states);
            mask = n.aes_round(mask, if S::MASKS { enc.key(n, r) } else { s.lane(key, 0) });
            if decided!(r == 1) {
                last = self.add_ends(&mut products);
            }
            if decided!(!D::SEAL && r <= COUNT) {
                self.add::<D, PAIRED>(&mut products, r - 1, &states, last);
                products.order_memory(s);
            }
            if decided!(D::SEAL && Drain::<S>::has_pair(r)) {
                drain.behind(s, self.hash, r, &mut states[0]);
            }
            products.order(s, &mut states[0]);
        });
        self.before.y = drain.end(s);
        let enc = enc.hidden();
        let [before, key] = enc.last(n);
        mask = n.aes_last(mask, before, key);
        self.finish::<R, D, false>(enc, &mut states);
        if const { Self::ahead::<D>() < COUNT } {
            let enc = enc.hidden();
            spare_rounds!(key of enc: R, behind 0, s: S => { self.round::<D, true>(key, &mut states); });
            rounds!(r in R::COMMON => {
                self.round::<D, true>(enc.key(s, r), &mut states);
                if decided!(r <= Self::AHEAD) {
                    self.add::<D, PAIRED>(&mut products, r - 1, &states, last);
                    products.order(s, &mut states[COUNT - 1]);
                }
            });
            self.finish::<R, D, true>(enc.hidden(), &mut states);
        }
        if D::SEAL {
            each!(i of Self::half::<D>(Self::AHEAD < COUNT) => {
                self.add::<D, PAIRED>(&mut products, i, &states, last);
            });
        }
        let y = n.reverse(s.fold(products.reduce(s)));
        (n.xor(y, mask), states[COUNT - 1])
    }

    /// The counter blocks before the first round.
    #[inline(always)]
    fn counters(&self) -> [S::V; TURN] {
        let s = self.s;
        let [low, high] = self.bases;
        let mut states = [s.zero(); TURN];
        each!(i in COUNT => {
            states[i] = Steps::count(s, low, high, 2 + i * S::LANES);
        });
        states
    }

    /// A round of a half.
    #[inline(always)]
    fn round<D: Direction, const SECOND: bool>(&self, key: S::V, states: &mut [S::V; TURN]) {
        part!(half of states[Self::half::<D>(SECOND)] => { self.s.aes_rounds(half, key); });
    }

    /// The last round of a half, and the text with it, which is stored, without masks but for the last vector.
    #[inline(always)]
    fn finish<R: Schedule, D: Direction, const SECOND: bool>(
        &mut self,
        enc: R,
        states: &mut [S::V; TURN],
    ) {
        let s = self.s;
        let [before, key] = enc.last(s);
        each!(i of Self::half::<D>(SECOND) => {
            states[i] = s.aes_last(states[i], before, s.xor(self.source(i), key));
        });
        each!(i of Self::half::<D>(SECOND) => {
            if i + 1 < COUNT {
                self.whole.store(s, i * S::BYTES, states[i]);
            } else if S::MASKS {
                s.store_first(self.last.reborrow(), states[i]);
            }
        });
    }

    /// Vector `i` of the text, zeros where there is none.
    #[inline(always)]
    fn source(&self, i: usize) -> S::V {
        if i + 1 < COUNT {
            self.whole.load(self.s, i * S::BYTES)
        } else {
            self.tail
        }
    }

    /// Vector `i` that was sealed: of those ahead from memory where registers are scarce.
    #[inline(always)]
    fn sealed(&self, i: usize, states: &[S::V; TURN]) -> S::V {
        if !S::MASKS && i < Self::AHEAD && Self::AHEAD < COUNT {
            self.whole.load_written(self.s, i * S::BYTES)
        } else {
            states[i]
        }
    }

    /// Adds the products of vector `i` of the ciphertext, and of what stands beside it; in pairs with that before, if it is the
    /// second of two. What is sealed is in `states`, or written from them.
    #[inline(always)]
    fn add<D: Direction, const PAIRED: bool>(
        &mut self,
        products: &mut Products<S, PAIRED>,
        i: usize,
        states: &[S::V; TURN],
        last: Option<LastVector<S>>,
    ) {
        let s = self.s;
        let x = self.hashed::<D>(i, states);
        if !PAIRED {
            let (ends, powers) = match last {
                Some(LastVector { ends, powers }) if i + 1 == COUNT => (ends, powers),
                _ => (s.zero(), self.powers.row(s, 1 + i * S::LANES)),
            };
            products.add_row(s, s.xor(x, ends), powers);
        } else if i % 2 == 1 {
            let two = [self.hashed::<D>(i - 1, states), x];
            products.add_two(s, two, self.hash, COUNT + 2 - i);
        } else if i + 1 == COUNT {
            let two = [x, s.widen(self.before.lengths)];
            products.add_two(s, two, self.hash, 2);
        }
    }

    /// Vector `i` of the ciphertext as it is hashed.
    #[inline(always)]
    fn hashed<D: Direction>(&self, i: usize, states: &[S::V; TURN]) -> S::V {
        let s = self.s;
        let mut x = if D::SEAL {
            self.sealed(i, states)
        } else {
            self.source(i)
        };
        if D::SEAL && i + 1 == COUNT {
            x = s.keep_first(x, self.len);
        }
        x = s.reverse(x);
        if i == 0 {
            x = s.xor(x, s.widen(self.before.y));
        }
        x
    }

    /// Adds the products of what is hashed before the text and behind it; but on four lanes, if the upper half of the last vector
    /// is free, that goes there.
    #[inline(always)]
    fn add_ends<const PAIRED: bool>(
        &mut self,
        products: &mut Products<S, PAIRED>,
    ) -> Option<LastVector<S>> {
        let (s, Before { head, lengths, .. }) = (self.s, self.before);
        if S::LANES == 1 {
            products.add_splat(s, s.widen(head), self.hash, COUNT + 2);
            if const { !PAIRED || COUNT.is_multiple_of(2) } {
                products.add_splat(s, s.widen(lengths), self.hash, 1);
            }
            return None;
        }
        let at = const { S::LANES / 4 * 2 };
        let ends = s.insert(s.insert(s.zero(), at, head), at + 1, lengths);
        let powers = self.powers.ends(s, self.hash, at);
        if const { S::LANES < 4 } {
            products.add_row(s, ends, powers);
            return None;
        }
        let text = self.powers.row(s, 1 + (COUNT - 1) * S::LANES);
        if self.len > S::BYTES / 2 {
            products.add_row(s, ends, powers);
            let ends = s.zero();
            return Some(LastVector { ends, powers: text });
        }
        let powers = Row::splice(s, text, powers);
        Some(LastVector { ends, powers })
    }
}

/// The last of four lanes of what is hashed.
#[derive(Clone, Copy)]
struct LastVector<S: Simd> {
    /// What stands in it besides text.
    ends: S::V,
    /// The powers of its lanes.
    powers: Row<S>,
}
