//! Whole turns: the loop of long texts.

use crate::kernel::TURN;
use crate::kernel::aes::{Schedule, rounds, spare_rounds};
use crate::kernel::counters::Starts;
use crate::kernel::ghash;
use crate::kernel::message::{Direction, Seal};
use crate::kernel::product::{Apart, HashKey, Karatsuba};
use crate::secret::forget_origin;
use crate::simd::{InOut, Simd};

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// The bytes of a text of `len` that are whole turns.
#[inline(always)]
pub(in crate::kernel) const fn whole_turns<S: Simd>(len: usize) -> usize {
    len / (TURN * S::BYTES) * (TURN * S::BYTES)
}

/// `round_of!(r of enc, first, s: S, C => states)`: round `r` of states of `C`, if it is not done; `first` is what the first of
/// those adds, if `C` has a key of its own.
macro_rules! round_of {
    ($r:ident of $enc:ident, $first:ident, $s:ident: $S:ty, $C:ty => $states:ident) => {
        if decided!(<$C as Starts<$S>>::OWN_KEY && $r == <$C as Starts<$S>>::ROUND + 1) {
            $s.aes_rounds(&mut $states, $first);
        } else if decided!($r > <$C as Starts<$S>>::ROUND) {
            $s.aes_rounds(&mut $states, $enc.key($s, $r));
        }
    };
}

/// Whole turns: the AES rounds of one beside the hash of one, so that both units stay busy.
///
/// `Seal` hashes what was written, a turn late, as it must exist to be hashed: ciphertext of GCM, and plaintext of AES-GCM-SIV that
/// is opened. `Open` hashes what is read, each turn its own.
/// One reduction a turn (aggregation, `docs/math.md` 4).
///
/// * `counters`: those of the text.
/// * `text`: so many turns.
///
/// Gives the hash behind them; of what was written that before the last, which comes too.
#[inline(always)]
pub(in crate::kernel) fn turns<'t, S: Simd, R: Schedule, H: HashKey, D: Direction, C: Starts<S>>(
    s: S,
    enc: R,
    hash: &H,
    mut counters: C,
    mut y: Narrow<S>,
    mut text: InOut<'t>,
) -> (Narrow<S>, Option<InOut<'t>>) {
    let mut previous = None;
    while let Some(mut turn) = text.split_to(TURN * S::BYTES) {
        let (enc, hash) = (enc.hidden(), forget_origin(hash));
        let mut states = counters.next(s, enc);
        // Behind the spare rounds, if there are any, what the first common round adds that is not done.
        let mut first = counters.key(s);
        if const { C::OWN_KEY } {
            spare_rounds!(key of enc: R, behind C::ROUND + 1, s: S => {
                s.aes_rounds(&mut states, first);
                first = key;
            });
        } else {
            spare_rounds!(key of enc: R, behind C::ROUND, s: S => { s.aes_rounds(&mut states, key); });
        }
        let mut sum = Karatsuba::zero(s);
        let mut last_keys = None;
        let hashed = if D::SEAL {
            previous.as_ref()
        } else {
            Some(&turn)
        };
        if let Some(hashed) = hashed
            && const { S::APART && C::OWN_KEY && R::COMMON == TURN + 1 }
        {
            let hashed = if D::SEAL {
                hashed.written()
            } else {
                hashed.source()
            };
            let (hash, keys) =
                rounds_and_hash(s, enc, first, &mut states, hash, hashed, s.widen(y));
            (y, last_keys) = (s.fold(hash), Some(keys));
        } else if let Some(hashed) = hashed {
            let carry = s.widen(y);
            rounds!(r in R::COMMON => {
                round_of!(r of enc, first, s: S, C => states);
                if decided!(r >= S::TUNING.first_pair && r < S::TUNING.first_pair + TURN && (r - S::TUNING.first_pair).is_multiple_of(2)) {
                    add_pair::<S, H, D>(s, &mut sum, hash, hashed, carry, r - S::TUNING.first_pair);
                    sum.order(s, &mut states[TURN - 1]);
                }
            });
            y = s.fold(sum.reduce(s));
        } else {
            rounds!(r in R::COMMON => {
                round_of!(r of enc, first, s: S, C => states);
            });
        }
        let [before, last] = last_keys.unwrap_or(enc.last(s));
        each!(i in TURN => {
            states[i] = s.aes_last(states[i], before, s.xor(turn.load(s, i * S::BYTES), last));
        });
        each!(i in TURN => { turn.store(s, i * S::BYTES, states[i]); });
        previous = Some(turn);
    }
    (y, if D::SEAL { previous } else { None })
}

/// The rounds behind the first of a turn, beside the hash of one; the hash behind that, and the keys of the last round. For turns
/// of eight vectors and nine rounds, of which the first is done, and the second adds `begin`.
///
/// A CPU that goes in order waits where the code does not: keys and blocks are loaded a round ahead, and products stand between
/// rounds, as they take as long as one. LLVM would load all of it at first, and then store it.
#[allow(
    unused_assignments,
    reason = "`up_to_four!` spells out its steps, and behind the last is none"
)]
#[inline(always)]
fn rounds_and_hash<S: Simd, R: Schedule, H: HashKey>(
    s: S,
    enc: R,
    begin: S::V,
    states: &mut [S::V; TURN],
    hash: &H,
    hashed: &[u8],
    mut y: S::V,
) -> (S::V, [S::V; 2]) {
    let mut sum = Karatsuba::zero(s);
    let mut two = Apart::load(s, hashed, 0, Some(y), hash, TURN);
    let mut keys = [begin, enc.key(s, 3)];
    up_to_four!(i in TURN / 2 => {
        let [first, second] = keys;
        fence(s, states);
        two.add_beside(s, &mut sum, first, states);
        each!(j of 6..TURN => { states[j] = s.aes_round(states[j], first); });
        let next = 2 * (i + 1);
        if next < TURN {
            two = Apart::load(s, hashed, next * S::BYTES, None, hash, TURN - next);
            keys = [enc.key(s, 2 + next), enc.key(s, 3 + next)];
            fence(s, states);
            s.aes_rounds(states, second);
        } else {
            keys = enc.last(s);
            fence(s, states);
            y = sum.reduce_beside(s, second, states);
        }
    });
    (y, keys)
}

/// Between two rounds: neither these nor what is loaded goes to the other side.
#[inline(always)]
fn fence<S: Simd>(s: S, states: &mut [S::V; TURN]) {
    each!(i in TURN / 2 => {
        let [a, b] = &mut [states[2 * i], states[2 * i + 1]];
        s.order_memory(a, b);
        [states[2 * i], states[2 * i + 1]] = [*a, *b];
    });
}

/// Hashes the last turn that was sealed.
#[inline(always)]
pub(super) fn drain<S: Simd, H: HashKey>(
    s: S,
    hash: &H,
    y: Narrow<S>,
    turn: Option<InOut<'_>>,
) -> Narrow<S> {
    match turn {
        Some(turn) => ghash::absorb_turn::<S, H>(s, hash, y, turn.written()),
        None => y,
    }
}

/// The last turn that was sealed, if there is one, whose products are made under the rounds of the pass behind it.
pub(super) struct Drain<'t, S: Simd> {
    turn: Option<InOut<'t>>,
    y: Narrow<S>,
    sum: Karatsuba<S>,
}

impl<'t, S: Simd> Drain<'t, S> {
    /// * `y`: the hash before the turn; without one, what the end gives.
    #[inline(always)]
    pub(super) fn new(s: S, turn: Option<InOut<'t>>, y: Narrow<S>) -> Self {
        if let Some(turn) = &turn {
            debug_assert!(turn.len() == TURN * S::BYTES, "a turn of these vectors");
            debug_assert!(!S::TUNING.drained_first, "otherwise it is hashed before");
        }
        let sum = Karatsuba::zero(s);
        Self { turn, y, sum }
    }

    /// Whether products are added behind round `r`: each even one, where there may be a turn.
    pub(super) const fn has_pair(r: usize) -> bool {
        !S::TUNING.drained_first && r.is_multiple_of(2) && r <= TURN
    }

    /// Adds the products of a pair of vectors behind round `r`, the last pair first; the next round of `state` comes later.
    #[inline(always)]
    pub(super) fn behind<H: HashKey>(&mut self, s: S, hash: &H, r: usize, state: &mut S::V) {
        if let Some(turn) = &self.turn {
            add_pair::<S, H, Seal>(s, &mut self.sum, hash, turn, s.widen(self.y), TURN - r);
            self.sum.order(s, state);
        }
    }

    /// The hash behind the turn.
    #[inline(always)]
    pub(super) fn end(self, s: S) -> Narrow<S> {
        if self.turn.is_some() {
            s.fold(self.sum.reduce(s))
        } else {
            self.y
        }
    }
}

/// Adds the products of the vectors `i` and `i + 1` of a turn, the first with the hash `carry` before it.
#[inline(always)]
fn add_pair<S: Simd, H: HashKey, D: Direction>(
    s: S,
    sum: &mut Karatsuba<S>,
    hash: &H,
    turn: &InOut<'_>,
    carry: S::V,
    i: usize,
) {
    let mut a = hash_input::<S, H, D>(s, turn, i);
    let b = hash_input::<S, H, D>(s, turn, i + 1);
    if i == 0 {
        a = s.xor(a, carry);
    }
    sum.add_pair(s, a, b, hash, (TURN - i) * S::LANES);
}

/// Vector `i` of what is hashed of a turn, written or read, as it is multiplied.
#[inline(always)]
fn hash_input<S: Simd, H: HashKey, D: Direction>(s: S, turn: &InOut<'_>, i: usize) -> S::V {
    let at = i * S::BYTES;
    let blocks = if D::SEAL {
        turn.load_written(s, at)
    } else {
        turn.load(s, at)
    };
    H::integers(s, blocks)
}
