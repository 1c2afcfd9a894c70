//! The hash of SGCM by products on NEON.
#![forbid(unsafe_code)]

use super::super::arm::Assembled;
use super::super::{Block, Hash, P12451, length_block};
use crate::asm::{Assembly, Neon32};
use crate::secret::then_overwrite_stack;
use crate::soft::prime::{BATCH, Element, Limbs};

/// Bytes of stack that hashing takes: a block that is filled up, limbs, and what assembly saves of registers.
const FRAMES: usize = 256;

/// The same with a batch.
const MESSAGE: usize = FRAMES + 128;

impl<A: Assembly> Hash<P12451> for Assembled<A> {
    type Key = Limbs;

    fn key(self, h: &Block) -> Limbs {
        Limbs::new(h)
    }
    fn update(self, key: &Limbs, acc: &mut Element, blocks: &[u8]) {
        let neon: Neon32 = self.0.into();
        then_overwrite_stack::<FRAMES, _>(|| neon.hash_prime(key, acc, blocks));
    }
    /// In one batch, if it has room for all.
    fn message(self, key: &Limbs, aad: &[u8], ciphertext: &[u8]) -> Element {
        let lengths = length_block(aad.len() as u64, ciphertext.len() as u64);
        let text_at = aad.len().next_multiple_of(16);
        let lengths_at = text_at.saturating_add(ciphertext.len()).saturating_add(15) & !15;
        let mut acc = Element::default();
        if lengths_at < BATCH {
            let neon: Neon32 = self.0.into();
            then_overwrite_stack::<MESSAGE, _>(|| {
                let mut batch = [0; BATCH];
                batch[..aad.len()].copy_from_slice(aad);
                batch[text_at..][..ciphertext.len()].copy_from_slice(ciphertext);
                batch[lengths_at..][..16].copy_from_slice(&lengths);
                neon.hash_prime(key, &mut acc, &batch[..lengths_at + 16]);
            });
        } else {
            for part in [aad, ciphertext, &lengths] {
                Hash::<P12451>::absorb(self, key, &mut acc, part);
            }
        }
        acc
    }
    #[inline(always)]
    fn finish(self, _key: &Limbs, acc: Element) -> Block {
        acc.to_block()
    }
}
