//! LEA on NEON, four blocks a vector of words and up to three of those side by side [Seo 2017, section 3].

use core::ptr::{from_mut, from_ref, null, null_mut};

use super::{Neon32, body};
use crate::block::{Block, Counter};
use crate::kernel::lea::RoundKey;
use crate::simd::InOut;

/// Bytes of a group of blocks.
const GROUP: usize = 64;

body! { /// Groups of blocks, or their key stream.
fn lea_encrypt(keys: *const RoundKey, rounds: usize, dst: *mut u8, src: *const u8, groups: usize, counter: *const Block),
"neon32/head.s", "lea/macros.s", "lea/encrypt.s", "lea/end.s" }

body! { /// Groups of blocks, or of a chain.
fn lea_decrypt(keys: *const RoundKey, rounds: usize, dst: *mut u8, src: *const u8, groups: usize, chain: *mut Block),
"neon32/head.s", "lea/macros.s", "lea/decrypt.s", "lea/end.s" }

/// How many rounds so many keys are for.
///
/// # Panics
/// If no LEA has so many.
fn rounds_of(keys: &[RoundKey]) -> usize {
    assert!(
        matches!(keys.len(), 24 | 28 | 32),
        "{} round keys of LEA",
        keys.len()
    );
    keys.len()
}

impl Neon32 {
    /// Encrypts whole groups, or XORs the key stream from the block `counter` on into them, which is then that of the block
    /// behind; bytes beyond the last stay as they are.
    ///
    /// # Constant time
    /// Secret: `keys`, `counter`, `text`. Public: how many of each.
    pub fn encrypt_lea(self, keys: &[RoundKey], counter: Option<&mut Counter>, text: InOut<'_>) {
        let rounds = rounds_of(keys);
        let block = counter.as_ref().map(|counter| counter.to_block());
        let first = block.as_ref().map_or(null(), from_ref);
        let (src, dst, len) = text.into_raw();
        let groups = len / GROUP;
        // SAFETY: `self` proves the feature; there are so many round keys and groups, and an `InOut` has equal or disjoint ends.
        unsafe { lea_encrypt(keys.as_ptr(), rounds, dst, src, groups, first) }
        if let Some(counter) = counter {
            #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32")]
            let blocks = (GROUP / 16 * groups) as u32;
            *counter = counter.add(blocks);
        }
    }

    /// Decrypts whole groups, as a chain if there is the block before them, in whose place the last is left; bytes beyond stay as they are.
    ///
    /// # Constant time
    /// Secret: `keys`, and what comes of the text. Public: how many of each.
    pub fn decrypt_lea(self, keys: &[RoundKey], chain: Option<&mut Block>, text: InOut<'_>) {
        let rounds = rounds_of(keys);
        let chain = chain.map_or(null_mut(), from_mut);
        let (src, dst, len) = text.into_raw();
        // SAFETY: as for `encrypt_lea`; the chain is a block, and not of the text.
        unsafe { lea_decrypt(keys.as_ptr(), rounds, dst, src, len / GROUP, chain) }
    }
}

#[cfg(test)]
mod tests;
