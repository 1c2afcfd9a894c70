//! The beginning of a long text.

use super::tail::Before;
use super::turns::{drain, turns, whole_turns};
use crate::block::Counter;
use crate::kernel::TURN;
use crate::kernel::aes::{Any, RoundKeys};
use crate::kernel::counters::{Cached, FirstRounds};
use crate::kernel::ghash;
use crate::kernel::message::{Direction, Header};
use crate::kernel::product::{HashKey, store_acc};
use crate::simd::{InOut, Simd};

/// Seals or opens the beginning of a long text, whole turns. [`super::message`] does the rest.
///
/// The turns begin behind the first round of AES, which the last byte of a counter block goes through beforehand, once for
/// each value.
///
/// * `header`: becomes that of the rest.
/// * `first`: a place for those rounds.
///
/// # Constant time
/// As [`super::message`].
#[inline(always)]
pub fn bulk<S: Simd, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    j0: Counter,
    header: &mut Header<'_>,
    first: &mut FirstRounds,
    text: InOut<'_>,
) {
    if const { !S::TUNING.bulk } {
        return;
    }
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let len = text.len();
    debug_assert!(whole_turns::<S>(len) == len, "whole turns");
    first.set(s, enc);
    let Before { head, mut y, .. } = Before::new(s, hash, j0, header, len);
    if !header.aad.is_empty() {
        y = ghash::multiply(n, hash, head);
    }
    let counters = Cached::new(s, enc, first, header.counter(j0));
    let turn;
    (y, turn) = turns::<S, _, H, D, _>(s, enc, hash, counters, y, text);
    // To its place, not into registers that callers save.
    header.acc = store_acc(n, drain::<S, H>(s, hash, y, turn));
    header.aad = &[];
    header.done += len;
}

/// How much of a long text [`bulk`] does: more than a turn is left.
pub const fn bulk_len<S: Simd>(len: usize) -> usize {
    whole_turns::<S>(len - 1) - TURN * S::BYTES
}
