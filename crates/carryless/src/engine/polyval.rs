//! POLYVAL by GHASH, for engines whose kernels know only that (RFC 8452 appendix A).
#![forbid(unsafe_code)]

use super::{Block, Gf128, Hash};
use crate::field::untwist;
use crate::secret::wipe;

/// Blocks that are reversed at a time: a few batches of whatever engine.
const BATCH: usize = 32;

/// The key of GHASH that serves POLYVAL under `h`.
///
/// # Constant time
/// Secret: `h`.
pub(super) fn key_of_ghash(h: &Block) -> Block {
    untwist(u128::from_le_bytes(*h)).to_be_bytes()
}

/// Hashes whole blocks.
///
/// # Constant time
/// Secret: `key`, `acc`, `blocks`. Public: the number of blocks.
pub(super) fn update<E: Hash<Gf128>>(engine: E, key: &E::Key, acc: &mut u128, blocks: &[u8]) {
    let mut reversed = [[0; 16]; BATCH];
    for batch in blocks.as_chunks().0.chunks(BATCH) {
        for (place, block) in reversed.iter_mut().zip(batch) {
            *place = u128::from_le_bytes(*block).to_be_bytes();
        }
        engine.update(key, acc, reversed[..batch.len()].as_flattened());
    }
    wipe(&mut reversed);
}

/// `by_ghash! { [generics] Engine }`: the hash for an engine that has GHASH.
macro_rules! by_ghash {
    ([$($generics:tt)*] $Engine:ty) => {
        impl<$($generics)*> Hash<Polyval> for $Engine {
            type Key = <Self as Hash<Gf128>>::Key;

            fn key(self, h: &Block) -> Self::Key {
                Hash::<Gf128>::key(self, &polyval::key_of_ghash(h))
            }
            fn update(self, key: &Self::Key, acc: &mut u128, blocks: &[u8]) {
                polyval::update(self, key, acc, blocks);
            }
            fn shift(self, key: &Self::Key, acc: &mut u128, blocks: u64) {
                Hash::<Gf128>::shift(self, key, acc, blocks);
            }
            #[inline(always)]
            fn finish(self, _key: &Self::Key, acc: u128) -> Block {
                acc.to_le_bytes()
            }
        }
    };
}
pub(super) use by_ghash;
