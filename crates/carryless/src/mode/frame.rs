//! The frame of GCM (SP 800-38D section 7): counter mode from J0 on, and a hash of AAD, ciphertext and lengths, which the encrypted J0
//! hides.

use zeroize::Zeroize;

use crate::engine::{AeadKeys, Block, Counter, Direction, EveryAead, InOut, xor_into};

/// Keys of a mode in this frame.
pub(super) trait FrameKeys {
    /// A hash in the making.
    type Acc: Copy + Default + Zeroize;

    /// Encrypts one block.
    fn encrypt_block(&self, block: &mut Block);
    /// Seals or opens whole blocks in the middle of a text: the key stream starts with `counter`, the ciphertext goes into `acc`.
    fn segment<D: Direction>(&self, counter: Counter, text: InOut<'_>, acc: &mut Self::Acc);
    /// Hashes `data`, filled up with zeros to whole blocks.
    fn absorb(&self, acc: &mut Self::Acc, data: &[u8]);
    /// The hash of all that came.
    fn finish(&self, acc: Self::Acc) -> Block;
    /// Hides a hash by an encrypted block: the tag.
    fn hide(hash: &mut Block, mask: &Block);
}

impl<C: EveryAead> FrameKeys for AeadKeys<C> {
    type Acc = u128;

    #[inline(always)]
    fn encrypt_block(&self, block: &mut Block) {
        self.encrypt_block(block);
    }
    #[inline(always)]
    fn segment<D: Direction>(&self, counter: Counter, text: InOut<'_>, acc: &mut u128) {
        self.segment::<D>(counter, text, acc);
    }
    #[inline(always)]
    fn absorb(&self, acc: &mut u128, data: &[u8]) {
        self.absorb(acc, data);
    }
    #[inline(always)]
    fn finish(&self, acc: u128) -> Block {
        self.finish(acc)
    }
    #[inline(always)]
    fn hide(hash: &mut Block, mask: &Block) {
        xor_into(hash, mask);
    }
}
