//! Whole turns of AES-GCM-SIV that are opened (RFC 8452 section 4): counter mode beside POLYVAL of the plaintext.

use super::turns::{turns, whole_turns};
use crate::block::LittleCounter;
use crate::kernel::TURN;
use crate::kernel::aes::{Any, RoundKeys};
use crate::kernel::counters::LittleCounters;
use crate::kernel::message::Seal;
use crate::kernel::product::{HashKey, Little, load_acc, store_acc};
use crate::simd::{InOut, Simd};

/// The bytes of a text of `len` that [`open_turns`] decrypts, and those of them that it hashes.
#[inline(always)]
pub const fn parts<S: Simd>(len: usize) -> [usize; 2] {
    if !S::TUNING.siv_turns {
        return [0, 0];
    }
    let whole = whole_turns::<S>(len);
    [whole, whole.saturating_sub(TURN * S::BYTES)]
}

/// Decrypts whole turns, or nothing where `TUNING.siv_turns` is not set. Each is hashed beside the next, as [`turns`] does with
/// what [`Seal`] writes: the last is not.
///
/// * `hash`: with all powers.
///
/// # Constant time
/// Secret: `enc`, `hash`, `counter`, `acc`, `text`. Public: the length.
#[inline(always)]
pub fn open_turns<S: Simd, H: HashKey>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    counter: LittleCounter,
    acc: &mut u128,
    text: InOut<'_>,
) {
    if const { !S::TUNING.siv_turns } {
        return;
    }
    debug_assert!(whole_turns::<S>(text.len()) == text.len(), "whole turns");
    let (n, counters) = (s.narrow(), LittleCounters::new(s, counter));
    let y = load_acc(n, *acc);
    let (y, _) = turns::<S, _, _, Seal, _>(s, enc.of::<Any>(), &Little(hash), counters, y, text);
    *acc = store_acc(n, y);
}
