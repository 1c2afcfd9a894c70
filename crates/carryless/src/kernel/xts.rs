//! XTS (IEEE 1619 section 5.3; SP 800-38E) on whole blocks: each under a tweak that is twice the one before, in GF(2^128) with the bits
//! of a little-endian integer.

use super::TURN;
use super::aes::{self, Any, RoundKeys, Schedule};
use crate::block::Block;
use crate::simd::{InOut, Simd};

/// Encrypts whole blocks; `tweak` is that of the first, and then that of the block behind the last.
///
/// # Constant time
/// Secret: `enc`, `tweak`, `text`. Public: its length.
#[inline(always)]
pub fn encrypt<S: Simd>(s: S, enc: &RoundKeys, tweak: &mut Block, text: InOut<'_>) {
    apply::<_, false>(s, enc, tweak, text);
}

/// Decrypts them.
///
/// # Constant time
/// As for [`encrypt`].
#[inline(always)]
pub fn decrypt<S: Simd>(s: S, dec: &RoundKeys, tweak: &mut Block, text: InOut<'_>) {
    apply::<_, true>(s, dec, tweak, text);
}

#[inline(always)]
fn apply<S: Simd, const INVERSE: bool>(
    s: S,
    keys: &RoundKeys,
    tweak: &mut Block,
    mut text: InOut<'_>,
) {
    let n = s.narrow();
    let mut t = n.load(tweak, 0);
    t = turns::<S, INVERSE, TURN>(s, keys, t, &mut text);
    if S::LANES > 1 {
        t = turns::<S::Narrow, INVERSE, 4>(n, keys, t, &mut text);
    }
    t = turns::<S::Narrow, INVERSE, 1>(n, keys, t, &mut text);
    InOut::in_place(tweak).store(n, 0, t);
}

/// As many times `N` vectors as there are; the tweak behind them.
#[inline(always)]
fn turns<S: Simd, const INVERSE: bool, const N: usize>(
    s: S,
    keys: &RoundKeys,
    tweak: <S::Narrow as Simd>::V,
    text: &mut InOut<'_>,
) -> <S::Narrow as Simd>::V {
    if text.len() < N * S::BYTES {
        return tweak;
    }
    let keys = keys.of::<Any>();
    let mut tweaks = first_tweaks::<S, N>(s, tweak);
    while let Some(mut turn) = text.split_to(N * S::BYTES) {
        let mut states = [s.zero(); N];
        each!(i in N => { states[i] = s.xor(turn.load(s, i * S::BYTES), tweaks[i]); });
        states = if INVERSE {
            aes::decrypt(s, keys.hidden(), states)
        } else {
            aes::encrypt(s, keys.hidden(), states)
        };
        each!(i in N => {
            turn.store(s, i * S::BYTES, s.xor(states[i], tweaks[i]));
            tweaks[i] = doubled(s, tweaks[i], const { (N * S::LANES) as u8 });
        });
    }
    s.lane(tweaks[0], 0)
}

/// The tweaks of the first `N` vectors.
#[inline(always)]
fn first_tweaks<S: Simd, const N: usize>(s: S, tweak: <S::Narrow as Simd>::V) -> [S::V; N] {
    let n = s.narrow();
    let (mut lane, mut v) = (tweak, s.widen(tweak));
    each!(i of 1..const { S::LANES } => {
        lane = doubled(n, lane, 1);
        v = s.insert(v, i, lane);
    });
    let mut tweaks = [v; N];
    each!(i of 1..const { N } => { tweaks[i] = doubled(s, tweaks[i - 1], const { S::LANES as u8 }); });
    tweaks
}

/// For [`Simd::permute`]: each byte from its own place, and from none.
const PLACES: u128 = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100;
const NOWHERE: u128 = u128::MAX;

/// The low and the high word.
const fn words(lane: u128) -> [u64; 2] {
    [lane as u64, (lane >> 64) as u64]
}

/// Tweaks times `x^times`, at most 32: what leaves the low half enters the high one, and what leaves that comes back
/// times `x^7 + x^2 + x + 1`. Whole bytes go from half to half in one step.
#[inline(always)]
fn doubled<S: Simd>(s: S, v: S::V, times: u8) -> S::V {
    if times.is_multiple_of(8) {
        let bits = u32::from(times);
        let kept = s.permute(
            v,
            s.splat_words(words(PLACES << bits | NOWHERE >> (128 - bits))),
        );
        let over = s.permute(
            v,
            s.splat_words(words(PLACES >> (128 - bits) | NOWHERE << bits)),
        );
        return s.xor(kept, s.clmul_lo_lo(over, s.splat_words([0x87, 0])));
    }
    let over = s.shift_right(v, 64 - times);
    let back = s.clmul_hi_lo(over, s.splat_words([0x87, 0]));
    let kept = s.xor(s.shift_left(v, times), s.low_halves(s.zero(), over));
    s.xor(kept, back)
}
