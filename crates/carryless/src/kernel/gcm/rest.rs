//! What a message has behind its turns where code is compact and turns are long: pairs of blocks in a loop, then the last one or
//! two, and the tag.
//!
//! A pair is hashed under the AES rounds of what comes behind it. No count of blocks has code of its own, and no power above
//! H^3 is met.

use super::tail::Before;
use crate::kernel::aes::{Schedule, rounds, spare_rounds};
use crate::kernel::message::Direction;
use crate::kernel::product::{HashKey, Span, Sum};
use crate::kernel::{Refused, TURN};
use crate::secret::forget_origin;
use crate::simd::tuning::SHORT;
use crate::simd::{InOut, Simd};

/// Whether a message of these vectors ends so. Builds for size have turns of as few vectors as are worth copies.
pub(super) const fn suit<S: Simd>() -> bool {
    let suit = S::TUNING.compact && SHORT < TURN;
    assert!(!suit || S::LANES == 1 && S::TUNING.drained_first);
    suit
}

/// Bytes of a pair.
const PAIR: usize = 32;

/// Seals or opens what is left of a message, one byte at least; the tag.
///
/// * `count`: how much further than the pre-counter block the first block counts.
///
/// # Constant time
/// As [`super::message`].
#[inline(always)]
pub(in crate::kernel) fn pass<S: Simd<Narrow = S>, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    message: Before<S>,
    count: u32,
    mut text: InOut<'_>,
) -> Result<S::V, Refused> {
    let mut count = s.add(s.reverse(message.j0), s.count(count));
    let mut pending = Pending::new(s, message.y, [s.zero(), message.head]);
    while text.len() > PAIR
        && let Some(mut pair) = text.split_to(PAIR)
    {
        let (enc, hash) = (enc.hidden(), forget_origin(hash));
        let mut states = counters(s, enc, count, 1);
        count = s.add(count, s.count(2));
        spare_rounds!(key of enc: R, behind 0, s: S => { s.aes_rounds(&mut states, key); });
        rounds!(r in R::COMMON => {
            s.aes_rounds(&mut states, enc.key(s, r));
            if decided!(r <= 3) {
                pending.step(s, hash, r, &mut states[0]);
            }
        });
        let given = [pair.load(s, 0), pair.load(s, 16)];
        let [before, last] = enc.last(s);
        let mut made = given;
        each!(i in 2 => { made[i] = s.aes_last(states[i], before, s.xor(given[i], last)); });
        each!(i in 2 => { pair.store(s, 16 * i, made[i]); });
        let [first, second] = if D::SEAL { made } else { given };
        let first = s.xor(s.reverse(first), pending.y);
        pending = Pending::new(s, s.zero(), [first, s.reverse(second)]);
    }
    let (enc, hash) = (enc.hidden(), forget_origin(hash));
    end::<S, R, H, D>(s, enc, hash, message, count, pending, text)
}

/// The same with the last block or two.
///
/// A single one is the second of a pair, of which the first is zero and not there.
#[inline(always)]
fn end<S: Simd<Narrow = S>, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    message: Before<S>,
    count: S::V,
    mut pending: Pending<S>,
    mut text: InOut<'_>,
) -> Result<S::V, Refused> {
    let two = text.len() > 16;
    let mut given = [s.zero(), s.load_last(text.source())];
    if two {
        given[0] = text.load(s, 0);
    }
    let [first, second] = counters(s, enc, count, u32::from(two));
    let mut states = [s.xor(message.j0, enc.start(s)), first, second];
    // The first power is that of the first block, or of the second.
    let powers = Span::new(hash, 2 + usize::from(two), 1).ok_or(Refused)?;
    let mut sum = Sum::zero(s);
    spare_rounds!(key of enc: R, behind 0, s: S => { s.aes_rounds(&mut states, key); });
    rounds!(r in R::COMMON => {
        s.aes_rounds(&mut states, enc.key(s, r));
        if decided!(r <= 3) {
            pending.step(s, hash, r, &mut states[0]);
        }
        if decided!(r == 4) {
            sum.add(s, message.lengths, hash, 1);
        }
        if decided!(!D::SEAL && r == 5) {
            sum.add(s, s.reverse(given[1]), hash, 2);
        }
        if decided!(!D::SEAL && r == 6) {
            sum.add_product(s, s.xor(s.reverse(given[0]), pending.y), powers.row(s, 0));
        }
        sum.order(s, &mut states[1]);
    });
    let [before, last] = enc.last(s);
    let mask = s.aes_last(states[0], before, last);
    let mut made = given;
    each!(i in 2 => { made[i] = s.aes_last(states[i + 1], before, s.xor(given[i], last)); });
    // Otherwise LLVM puts the rounds of the first, which may not be there, behind those of the others.
    let [first, second] = &mut made;
    s.order(first, second);
    if two {
        text.store(s, 0, made[0]);
    } else {
        made[0] = s.zero();
    }
    if D::SEAL {
        let last = s.keep_first(made[1], S::last_len(text.len()));
        sum.add(s, s.reverse(last), hash, 2);
        sum.add_product(s, s.xor(s.reverse(made[0]), pending.y), powers.row(s, 0));
    }
    s.store_last(text, made[1]);
    Ok(s.xor(s.reverse(sum.reduce(s)), mask))
}

/// The counter blocks of two before the first round: of `count`, and so much behind it.
#[inline(always)]
fn counters<S: Simd, R: Schedule>(s: S, enc: R, count: S::V, step: u32) -> [S::V; 2] {
    let (second, start) = (s.add(count, s.count(step)), enc.start(s));
    [
        s.xor(s.reverse(count), start),
        s.xor(s.reverse(second), start),
    ]
}

/// Blocks of which the products are still to be made.
struct Pending<S: Simd> {
    /// The hash so far is in the first, or, where there is no pair before, in the sum.
    two: [S::V; 2],
    sum: Sum<S>,
    /// The hash behind them, when it is made.
    y: S::V,
}

impl<S: Simd> Pending<S> {
    /// Two blocks, and what is added to their products.
    #[inline(always)]
    fn new(s: S, y: S::V, two: [S::V; 2]) -> Self {
        let sum = Sum::of(s, y);
        Self { two, sum, y }
    }

    /// The first product, the second, or the hash, before the next round of `state`.
    #[inline(always)]
    fn step<H: HashKey>(&mut self, s: S, hash: &H, step: usize, state: &mut S::V) {
        match step {
            1 => self.sum.add(s, self.two[0], hash, 2),
            2 => self.sum.add(s, self.two[1], hash, 1),
            _ => self.y = self.sum.reduce(s),
        }
        self.sum.order(s, state);
    }
}
