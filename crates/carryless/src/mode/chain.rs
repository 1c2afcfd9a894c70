//! A chain of blocks in the making (CBC-MAC), which any bytes may be added to: what CMAC and CCM have in common.

use zeroize::ZeroizeOnDrop;

use crate::engine::{Block, CipherKeys, EveryCipher, InOut, padded, xor_into};
use crate::secret;

/// The sum of the last encrypted block and what was added since. A block that is full waits: what becomes of the last
/// one
/// is for the mode to say.
#[derive(Clone, Default)]
pub(super) struct Chain {
    pub(super) block: Block,
    /// Bytes that were added to it: 0, if it was encrypted, to 16.
    pub(super) filled: usize,
}

impl Drop for Chain {
    fn drop(&mut self) {
        secret::wipe(&mut self.block);
    }
}

impl ZeroizeOnDrop for Chain {}

impl Chain {
    /// Begins with a whole block.
    #[inline(always)]
    pub(super) fn of(block: Block) -> Self {
        Self { block, filled: 16 }
    }

    /// Adds data.
    #[inline(always)]
    pub(super) fn absorb<C: EveryCipher>(&mut self, keys: &CipherKeys<C>, data: &[u8]) {
        let room = self.filled.wrapping_neg() % 16;
        let (head, rest) = data.split_at(room.min(data.len()));
        self.add(head);
        if rest.is_empty() {
            return;
        }
        self.close(keys);
        let (whole, last) = rest.split_at((rest.len() - 1) & !15);
        if !whole.is_empty() {
            keys.mac_cbc(&mut self.block, whole);
        }
        self.add(last);
    }

    /// Adds bytes that there is room for.
    #[inline(always)]
    fn add(&mut self, bytes: &[u8]) {
        let word = u128::from_le_bytes(padded(bytes)) << (8 * (self.filled % 16));
        xor_into(&mut self.block, &word.to_le_bytes());
        self.filled += bytes.len();
    }

    /// Fills the block with zeros.
    #[inline(always)]
    pub(super) fn pad(&mut self) {
        self.filled = 16;
    }

    /// Encrypts what was added, zeros behind it.
    #[inline(always)]
    fn close<C: EveryCipher>(&mut self, keys: &CipherKeys<C>) {
        if self.filled > 0 {
            keys.encrypt_block(&mut self.block);
            self.filled = 0;
        }
    }

    /// Encrypts what was added, at least a byte, and another block beside it, which waits for nothing.
    #[inline(always)]
    pub(super) fn close_beside<C: EveryCipher>(&mut self, keys: &CipherKeys<C>, other: &mut Block) {
        let mut blocks = [self.block, *other];
        keys.encrypt(InOut::in_place(blocks.as_flattened_mut()));
        [self.block, *other] = blocks;
        self.filled = 0;
    }
}

/// A block times x, the first bit being that of the highest power (SP 800-38B section 5.3).
pub(super) fn doubled(block: &Block) -> Block {
    let v = u128::from_be_bytes(*block);
    (v << 1 ^ (v >> 127).wrapping_neg() & 0x87).to_be_bytes()
}
