//! The hash of SGCM on NEON: products by operand scanning, as [Seo 2017, section 3] has them, but of limbs that are short enough to be
//! added up for eight blocks before anything is carried (`docs/math.md` 10).

use super::{Neon32, body};
use crate::soft::prime::{Element, Limbs};

body! { /// The hash of so many blocks, one at least.
fn sghash(powers: *const u32, hash: *mut u32, data: *const u8, blocks: usize),
"neon32/head.s", "prime/sghash.s" }

impl Neon32 {
    /// Hashes whole blocks into `acc`; bytes beyond them count for nothing.
    ///
    /// # Constant time
    /// Secret: `key`, `acc`, `data`. Public: the number of blocks.
    pub fn hash_prime(self, key: &Limbs, acc: &mut Element, data: &[u8]) {
        let blocks = data.len() / 16;
        if blocks == 0 {
            return;
        }
        let mut limbs = acc.to_limbs();
        // SAFETY: `self` proves the feature; there are so many blocks, and powers and hash have the words that the function reads and
        // writes.
        unsafe { sghash(key.as_ptr(), limbs.as_mut_ptr(), data.as_ptr(), blocks) }
        *acc = Element::of_limbs(limbs);
    }
}

#[cfg(test)]
mod tests;
