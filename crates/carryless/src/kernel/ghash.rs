//! GHASH (SP 800-38D section 6.4) of whole blocks, and of a last one that is filled up.

use super::form::{Powers, Sum};
use crate::simd::Simd;

/// Blocks that are reduced together, but for CPUs whose vectors are wider ([`Simd::TURN`]).
pub const TURN: usize = 8;

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
pub fn absorb<S: Simd, const P: usize>(
    s: S,
    powers: &Powers<P>,
    acc: u128,
    mut data: &[u8],
) -> u128 {
    let (n, short) = (s.narrow(), s.short());
    let mut y = load_acc(n, acc);
    if const { S::TURN > TURN } {
        y = absorb_turns::<S, 8, P>(s, powers, y, &mut data);
    }
    y = match S::Short::LANES {
        1 => absorb_turns::<_, 8, P>(short, powers, y, &mut data),
        _ => absorb_turns::<_, 4, P>(short, powers, y, &mut data),
    };
    if !data.is_empty() {
        y = by_count!(data.len().div_ceil(16), COUNT => absorb_few::<_, COUNT, P>(n, powers, y, data));
    }
    store_acc(n, y)
}

/// Hashes turns of `N` vectors, as many as there are, and leaves the rest.
#[inline(always)]
fn absorb_turns<S: Simd, const N: usize, const P: usize>(
    s: S,
    powers: &Powers<P>,
    mut y: Narrow<S>,
    data: &mut &[u8],
) -> Narrow<S> {
    let mut turns = data.chunks_exact(N * S::BYTES);
    for turn in turns.by_ref() {
        y = absorb_turn::<S, N, P>(s, crate::secret::hide(powers), y, turn);
    }
    *data = turns.remainder();
    y
}

/// Hashes one turn of `N` vectors.
#[inline(always)]
pub(super) fn absorb_turn<S: Simd, const N: usize, const P: usize>(
    s: S,
    powers: &Powers<P>,
    y: Narrow<S>,
    turn: &[u8],
) -> Narrow<S> {
    let mut sum = Sum::zero(s);
    let y = s.widen(y);
    each!(i in N => {
        let x = s.reverse(s.load(turn, i * S::BYTES));
        sum.add(s, if i == 0 { s.xor(x, y) } else { x }, powers, (N - i) * S::LANES);
    });
    s.fold(sum.reduce(s))
}

/// Hashes `COUNT` blocks, of which the last may be partial.
#[inline(always)]
fn absorb_few<S: Simd<Narrow = S>, const COUNT: usize, const P: usize>(
    s: S,
    powers: &Powers<P>,
    y: S::V,
    data: &[u8],
) -> S::V {
    let Some((whole, last)) = data.split_at_checked(16 * (COUNT - 1)) else {
        return y;
    };
    let mut blocks = [load_last(s, last); COUNT];
    each!(i in COUNT - 1 => { blocks[i] = s.load(whole, 16 * i); });
    let mut sum = Sum::zero(s);
    sum.add_all(s, &blocks, y, powers, COUNT);
    sum.reduce(s)
}

/// 1 to 16 bytes as a block.
#[inline(always)]
fn load_last<S: Simd<Narrow = S>>(s: S, last: &[u8]) -> S::V {
    if last.len() == S::BYTES {
        s.load(last, 0)
    } else {
        s.load_partial(last)
    }
}

/// Hashes a short `data`, block by block: for headers, under the latency of the AES.
///
/// # Constant time
/// Secret: `powers`, `y`, `data`. Public: the length.
#[inline(always)]
pub fn absorb_serial<S: Simd<Narrow = S>, const P: usize>(
    s: S,
    powers: &Powers<P>,
    mut y: S::V,
    data: &[u8],
) -> S::V {
    let mut blocks = data.chunks_exact(16);
    for block in blocks.by_ref() {
        y = absorb_block(s, powers, y, s.load(block, 0));
    }
    let rest = blocks.remainder();
    if rest.is_empty() {
        y
    } else {
        absorb_block(s, powers, y, s.load_partial(rest))
    }
}

#[inline(always)]
fn absorb_block<S: Simd<Narrow = S>, const P: usize>(
    s: S,
    powers: &Powers<P>,
    y: S::V,
    block: S::V,
) -> S::V {
    let mut sum = Sum::zero(s);
    sum.add(s, s.xor(s.reverse(block), y), powers, 1);
    sum.reduce(s)
}
