//! Decryption in planes: the rounds of [`super::aes`] backwards, under the same keys.
//!
//! InvMixColumns is MixColumns behind another sum of rows, and leaves the constant of the S-box, which the keys hold, as it is: so a
//! key that is added before it serves the S-box behind it too ([`super::sbox::inverse_sub_bytes`]).
#![forbid(unsafe_code)]

use super::aes::{Batch, add_key, in_batches, is_skewed, mix_columns};
use super::sbox::inverse_sub_bytes_or_call;
use super::schedule::RoundKey;
use crate::simd::{InOut, Planes};

/// InvMixColumns on a state in which row `r` stands `r * SKEW` columns to the right: MixColumns of `s + 4 (s + t)`, where `t` is
/// the row below by two (FIPS 197 section 5.3.3; the product of both matrices is the inverse).
#[inline(always)]
pub(super) fn inverse_mix_columns<P: Planes, const SKEW: u32, const TWICE: u32>(
    s: [P; 8],
) -> [P; 8] {
    let [a, b, c, d, e, f, g, h] = s.map(|plane| plane.xor(plane.rotate::<2, TWICE>()));
    // x^8 = x^4 + x^3 + x + 1, x^9 = x^5 + x^4 + x^2 + x.
    let four = [
        g,
        g.xor(h),
        a.xor(h),
        b.xor(g),
        c.xor(g).xor(h),
        d.xor(h),
        e,
        f,
    ];
    let mut sum = s;
    for (plane, four) in sum.iter_mut().zip(four) {
        *plane = plane.xor(four);
    }
    mix_columns::<P, SKEW, TWICE>(sum)
}

/// All rounds of a state that is in its place.
///
/// # Constant time
/// Secret: `keys`, `s`. Public: how many keys.
#[inline(always)]
fn rounds<P: Planes>(keys: &[RoundKey<P::Word>], mut s: [P; 8]) -> [P; 8] {
    macro_rules! round {
        ($key:expr, $skew:literal, $twice:literal) => {
            s = inverse_sub_bytes_or_call(inverse_mix_columns::<P, $skew, $twice>(add_key(
                s, $key,
            )));
        };
    }
    let [first, inner @ .., last] = keys else {
        return s;
    };
    s = inverse_sub_bytes_or_call(add_key(s, last));
    let (head, body) = inner.split_at(inner.len() % 4);
    for [zero, one, two, three] in body.as_chunks().0.iter().rev() {
        round!(three, 3, 2);
        round!(two, 2, 0);
        round!(one, 1, 2);
        round!(zero, 0, 0);
    }
    if let [.., three] = head {
        round!(three, 3, 2);
    }
    if let [one, two, _] = head {
        round!(two, 2, 0);
        round!(one, 1, 2);
    }
    add_key(s, first)
}

/// All rounds, to a state that is not skewed, in a function of its own for all that want them.
///
/// # Constant time
/// Secret: `keys`, `s`. Public: how many keys.
#[inline(never)]
pub(super) fn apart<P: Planes>(keys: &[RoundKey<P::Word>], s: &mut [P; 8]) {
    *s = unskewed(keys, *s);
}

/// All rounds, to a state that is not skewed.
#[inline(always)]
fn unskewed<P: Planes>(keys: &[RoundKey<P::Word>], s: [P; 8]) -> [P; 8] {
    let s = rounds::<P>(keys, s);
    if is_skewed(keys.len()) {
        s.map(P::skew)
    } else {
        s
    }
}

/// Decrypts a batch.
#[inline(never)]
fn batch<P: Planes>(keys: &[RoundKey<P::Word>], blocks: &mut Batch) {
    let mut s = P::pack(blocks);
    if P::APART {
        apart(keys, &mut s);
    } else {
        s = unskewed(keys, s);
    }
    P::unpack(s, blocks);
}

/// Decrypts whole blocks; bytes beyond the last whole block stay as they are.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: the length of the text, how many keys.
pub(super) fn decrypt<P: Planes>(keys: &[RoundKey<P::Word>], text: InOut<'_>) {
    in_batches::<P>(text, |blocks, _| batch::<P>(keys, blocks));
}
