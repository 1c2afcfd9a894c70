//! AES key expansion (FIPS 197 section 5.2) without AESKEYGENASSIST, which is microcoded and slow.
//!
//! The last round of AES on a vector of four equal columns is SubBytes: ShiftRows moves nothing then, the
//! key before it is zero, and the round constant is the key behind it (`docs/math.md` 7).

use super::aes::RoundKeys;
use crate::simd::{Columns, Simd};

/// What is done with round keys, one after the other.
pub(super) trait Sink<S: Simd> {
    /// Takes the key of this round, from which the next is made.
    fn key(&mut self, s: S, round: usize, key: &mut S::V);
}

/// A block that meets `K` keys one after the other, a key further: with the one before and this.
#[inline(always)]
pub(super) fn further<S: Simd, const K: usize>(
    s: S,
    v: S::V,
    round: usize,
    [before, key]: [S::V; 2],
) -> S::V {
    if round == 0 {
        s.xor(v, s.aes_key(s.zero(), key))
    } else if round < K - 1 {
        s.aes_round(v, s.aes_key(before, key))
    } else {
        s.aes_last(v, before, key)
    }
}

/// A place for `K` keys.
pub(super) struct Place<'a, const K: usize>(pub(super) &'a mut RoundKeys);

impl<S: Simd, const K: usize> Sink<S> for Place<'_, K> {
    #[inline(always)]
    fn key(&mut self, s: S, round: usize, key: &mut S::V) {
        self.0.set::<_, K>(s, round, *key);
    }
}

/// Expands a key of `L = 4 * (K - 7)` bytes: 16, 24 or 32.
///
/// # Constant time
/// Secret: `key`.
#[inline(always)]
pub fn expand<S: Simd, const K: usize, const L: usize>(s: S, key: &[u8; L]) -> RoundKeys {
    let mut round_keys = RoundKeys::default();
    keys::<_, K, L, _>(s.narrow(), key, &mut Place::<K>(&mut round_keys));
    round_keys
}

/// Gives the round keys of a key to `sink`, in their order.
///
/// # Constant time
/// Secret: `key`.
#[inline(always)]
pub(super) fn keys<S: Columns, const K: usize, const L: usize, T: Sink<S>>(
    s: S,
    key: &[u8; L],
    sink: &mut T,
) {
    const { assert!(L == 4 * (K - 7)) };
    match K {
        11 => expand_128(s, s.load(key, 0), sink),
        13 => expand_192(s, key, sink),
        _ => expand_256(s, s.load(key, 0), s.load(key, 16), sink),
    }
}

/// The round constant `x^(i - 1)` of FIPS 197 section 5.2, in each column.
const fn constant(i: usize) -> [u64; 2] {
    let byte = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36][i - 1];
    [byte << 32 | byte; 2]
}

/// The columns of `previous` summed up to each, plus `word`, which is equal in all columns.
#[inline(always)]
fn next<S: Columns>(s: S, previous: S::V, word: S::V) -> S::V {
    s.xor(s.prefix_xor_columns(previous), word)
}

/// SubBytes of `word`, which is equal in all columns, plus `constant`.
#[inline(always)]
fn substitute<S: Columns>(s: S, word: S::V, constant: S::V) -> S::V {
    s.aes_last(word, s.zero(), constant)
}

/// A key of 128 bits.
///
/// # Constant time
/// Secret: `k`.
#[inline(always)]
pub(super) fn expand_128<S: Columns>(s: S, mut k: S::V, sink: &mut impl Sink<S>) {
    sink.key(s, 0, &mut k);
    each!(i in 10 => {
        let word = substitute(s, s.rotate_last_column(k), s.splat_words(constant(i + 1)));
        k = next(s, k, word);
        sink.key(s, i + 1, &mut k);
    });
}

/// A key of 256 bits, in two halves.
///
/// # Constant time
/// Secret: both.
#[inline(always)]
pub(super) fn expand_256<S: Columns>(s: S, mut even: S::V, mut odd: S::V, sink: &mut impl Sink<S>) {
    sink.key(s, 0, &mut even);
    sink.key(s, 1, &mut odd);
    each!(i in 7 => {
        let word = substitute(s, s.rotate_last_column(odd), s.splat_words(constant(i + 1)));
        even = next(s, even, word);
        sink.key(s, 2 * i + 2, &mut even);
        if i < 6 {
            let word = substitute(s, s.splat_last_column(even), s.zero());
            odd = next(s, odd, word);
            sink.key(s, 2 * i + 3, &mut odd);
        }
    });
}

/// Six words a step: the round keys lie one and a half to a step, three to two steps.
#[inline(always)]
fn expand_192<S: Columns>(s: S, key: &[u8], sink: &mut impl Sink<S>) {
    // The last two words of a step stand in the low half of the second vector.
    let mut step = (s.load(key, 0), s.load_partial(&key[16..24]));
    sink.key(s, 0, &mut step.0);
    each!(i in 4 => {
        let before = step.1;
        step = six(s, step, 2 * i + 1);
        sink.key(s, 3 * i + 1, &mut s.low_halves(before, step.0));
        sink.key(s, 3 * i + 2, &mut s.low_halves(s.swap(step.0), step.1));
        step = six(s, step, 2 * i + 2);
        sink.key(s, 3 * i + 3, &mut step.0);
    });
}

/// The next six words.
#[inline(always)]
fn six<S: Columns>(s: S, (four, two): (S::V, S::V), step: usize) -> (S::V, S::V) {
    let word = substitute(
        s,
        s.rotate_second_column(two),
        s.splat_words(constant(step)),
    );
    let four = next(s, four, word);
    (four, next(s, two, s.splat_last_column(four)))
}
