//! Generic kernels: one source for every vector width, key size and direction.
//!
//! Each is `#[inline(always)]` and becomes machine code inside an entry point of `engine`. A kernel knows vectors, blocks and
//! fields; it does not know modes.
#![doc = include_str!("NOTES.md")]
#![forbid(unsafe_code)]
#![allow(
    unconditional_panic,
    arithmetic_overflow,
    reason = "`each!` spells out sixteen steps, of which those from `N` on are never compiled"
)]
#![allow(
    clippy::cast_possible_truncation,
    reason = "counts of lanes and steps are small, those of blocks below 2^32 by the limits of GCM"
)]

/// `by_count!(n; MAX, N => expression)`: the expression with the constant `N` equal to `n`, from 1 to
/// `MAX`, at most 16; one copy of straight-line code for each. `None` for other `n`.
macro_rules! by_count {
    ($n:expr; $max:expr, $N:ident => $body:expr) => {
        by_count!(@ $n, $max, $N, $body, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    (@ $n:expr, $max:expr, $N:ident, $body:expr, $($k:literal)*) => {
        match $n {
            $($k => if const { $k <= $max } {
                const $N: usize = $k;
                Some($body)
            } else {
                None
            },)*
            _ => None,
        }
    };
}

/// What a kernel answers that was called with lengths that are not for it, or with too few powers of H. Callers check both, so that
/// it does not happen; if it did, zeros in the place of a tag would tell nobody. The caller wipes the output, and panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

use crate::simd::tuning::TURN;

pub mod aes;
pub mod batch;
pub mod ccm;
pub mod chain;
pub mod counters;
pub mod ctr;
pub mod gcm;
pub mod ghash;
pub mod inverse;
pub mod keys;
#[cfg(feature = "lea")]
pub mod lea;
pub mod message;
pub mod once;
pub mod product;
pub mod schedule;
pub mod siv;
pub mod tiny;
pub mod xts;

#[cfg(test)]
mod tests;
