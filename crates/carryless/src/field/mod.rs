//! GF(2^128) in plain integers, constant time: what the kernels are checked against, and the few
//! steps of key set-up that need no vectors.
//!
//! An element is the integer `S(b)` of `docs/math.md` 1: the block's bytes read big-endian, so
//! that bit `127 - i` is the coefficient of `x^i`.
#![forbid(unsafe_code)]

/// `C2 = x^63 + x^62 + x^57` of the reversed modulus, in the upper half: what doubling folds in.
const POLY: u128 = (0xc2 << 120) | 1;

/// The low word of the fold constant of a Montgomery step, `0xc2 << 56` (`docs/math.md` 2).
pub const FOLD: u64 = 0xc2 << 56;

/// The twisted key `h * x`, which absorbs the bit by which the product of reflected operands is
/// short (`docs/math.md` 1; RFC 8452 appendix A calls the map `mulX_POLYVAL`).
///
/// # Constant time
/// Secret: `h`.
#[inline(always)]
pub const fn twist(h: u128) -> u128 {
    let carry = 0u128.wrapping_sub(h >> 127);
    (h << 1) ^ (carry & POLY)
}

/// The element whose twisted key is `h`: POLYVAL wants none (RFC 8452 appendix A calls the map `mulX_GHASH`).
///
/// # Constant time
/// Secret: `h`.
#[inline(always)]
pub const fn untwist(h: u128) -> u128 {
    let carry = 0u128.wrapping_sub(h & 1);
    (h ^ (carry & POLY)) >> 1 | (carry & 1 << 127)
}

/// The product as SP 800-38D algorithm 1 defines it, bit by bit.
///
/// # Constant time
/// Secret: both.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the reference of the tests and of merging")
)]
pub const fn multiply(a: u128, b: u128) -> u128 {
    let (mut sum, mut v, mut i) = (0, b, 0);
    while i < 128 {
        let take = 0u128.wrapping_sub(a >> (127 - i) & 1);
        sum ^= v & take;
        let carry = 0u128.wrapping_sub(v & 1);
        v = (v >> 1) ^ (carry & (0xe1 << 120));
        i += 1;
    }
    sum
}

#[cfg(test)]
mod tests;
