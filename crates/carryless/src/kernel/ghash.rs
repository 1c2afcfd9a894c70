//! GHASH (SP 800-38D section 6.4) of whole blocks, and of a last one that is filled up.

use super::form::{HashKey, Karatsuba, Sum};
use crate::secret::hide;
use crate::simd::Simd;

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// The hash `y` in registers: reversed bytes, a little-endian integer.
#[inline(always)]
pub fn load_acc<S: Simd<Narrow = S>>(s: S, acc: u128) -> S::V {
    s.splat_words([acc as u64, (acc >> 64) as u64])
}

/// The counterpart of [`load_acc`].
#[inline(always)]
pub fn store_acc<S: Simd<Narrow = S>>(s: S, y: S::V) -> u128 {
    let [lo, hi] = s.words(y);
    u128::from(lo) | u128::from(hi) << 64
}

/// Hashes `data`, the last block filled up with zeros, into `y`.
///
/// # Constant time
/// Secret: `powers`, `y`, `data`. Public: the length.
#[inline(always)]
pub fn absorb<S: Simd, H: HashKey>(s: S, powers: &H, acc: u128, data: &[u8]) -> u128 {
    let n = s.narrow();
    let mut y = load_acc(n, acc);
    let mut turns = data.chunks_exact(8 * S::BYTES);
    for turn in turns.by_ref() {
        y = absorb_turn::<S, H>(s, hide(powers), y, turn);
    }
    let mut blocks = turns.remainder().chunks_exact(16 * 8);
    for eight in blocks.by_ref() {
        y = absorb_few::<_, H, 8>(n, hide(powers), y, eight);
    }
    let rest = blocks.remainder();
    let given = by_count!(rest.len().div_ceil(16); 8, COUNT => absorb_few::<_, H, COUNT>(n, powers, y, rest));
    store_acc(n, given.unwrap_or(y))
}

/// Hashes one turn.
#[inline(always)]
pub(super) fn absorb_turn<S: Simd, H: HashKey>(
    s: S,
    powers: &H,
    y: Narrow<S>,
    turn: &[u8],
) -> Narrow<S> {
    let mut sum = Karatsuba::zero(s);
    let y = s.widen(y);
    each!(step in 4 => {
        // The vector with the hash so far comes last: what waits for that does not fill the CPU's queues.
        let j = 3 - step;
        let (at, power) = (2 * j * S::BYTES, (8 - 2 * j) * S::LANES);
        let (mut a, b) = (s.reverse(s.load(turn, at)), s.reverse(s.load(turn, at + S::BYTES)));
        if j == 0 {
            a = s.xor(a, y);
        }
        // One pair after the other: all at once would not fit into the registers.
        sum.tie(s, &mut a);
        sum.add_pair(s, a, b, powers, power);
    });
    s.fold(sum.reduce(s))
}

/// Hashes `COUNT` blocks, of which the last may be partial.
#[inline(always)]
pub(super) fn absorb_few<S: Simd<Narrow = S>, H: HashKey, const COUNT: usize>(
    s: S,
    powers: &H,
    y: S::V,
    data: &[u8],
) -> S::V {
    let Some((whole, last)) = data.split_at_checked(16 * (COUNT - 1)) else {
        return y;
    };
    let mut sum = Sum::zero(s);
    each!(i in COUNT => {
        let block = if i + 1 < COUNT { s.load(whole, 16 * i) } else { s.load_partial(last) };
        let x = s.reverse(block);
        sum.add(s, if i == 0 { s.xor(x, y) } else { x }, powers, COUNT - i);
    });
    sum.reduce(s)
}

/// Hashes a short `data`, block by block, all but the last product: for headers, under the latency of
/// the AES. Zero if there is none.
///
/// # Constant time
/// Secret: `powers`, `data`. Public: the length.
#[inline(always)]
pub fn pending<S: Simd<Narrow = S>, H: HashKey>(s: S, powers: &H, data: &[u8]) -> S::V {
    if data.len() <= 16 {
        return s.reverse(s.load_partial(data));
    }
    let (first, rest) = data.split_at(16);
    let mut pending = s.reverse(s.load_partial(first));
    for block in rest.chunks(16) {
        pending = s.xor(
            multiply(s, powers, pending),
            s.reverse(s.load_partial(block)),
        );
    }
    pending
}

/// `x * H`.
#[inline(always)]
pub fn multiply<S: Simd<Narrow = S>, H: HashKey>(s: S, powers: &H, x: S::V) -> S::V {
    let mut sum = Sum::zero(s);
    sum.add(s, x, powers, 1);
    sum.reduce(s)
}
