//! Messages without text.

use crate::block::{Block, Counter};
use crate::kernel::aes::{self, Any, RoundKeys, Schedule};
use crate::kernel::message::block;
use crate::kernel::product::HashKey;
use crate::kernel::{Refused, TURN, ghash};
use crate::simd::Simd;

/// The tag of a message that is AAD alone (GMAC, SP 800-38D section 3); one block goes faster through [`tiny`](crate::kernel::tiny).
///
/// Refused where code is compact: [`super::message`] does it.
///
/// # Constant time
/// Secret: `enc`, `hash`, `aad`. Public: its length, `j0`.
#[inline(always)]
pub fn gmac<S: Simd, H: HashKey>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    tag: &mut Block,
) -> Result<(), Refused> {
    if const { S::TUNING.compact } {
        return Err(Refused);
    }
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let j0 = n.splat_words(j0.words());
    // The mask takes longer than the hash of a few vectors; behind many no register is wanted for it, and the CPU makes it meanwhile.
    // On narrower ones the hash would stand in each entry twice for next to nothing.
    let few = S::MASKS && aad.len() <= TURN * S::BYTES;
    let mut mask = n.zero();
    if few {
        [mask] = aes::encrypt(n, enc.hidden(), [j0]);
    }
    let lengths = [0, 8 * aad.len() as u64];
    let y = ghash::absorb_and::<S, H, true>(s, hash, n.zero(), aad, lengths)?;
    if !few {
        [mask] = aes::encrypt(n, enc.hidden(), [j0]);
    }
    *tag = block(n, n.xor(n.reverse(y), mask));
    Ok(())
}
