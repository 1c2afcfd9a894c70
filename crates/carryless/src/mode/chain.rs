//! A chain of blocks in the making (CBC-MAC), which any bytes may be added to: what CMAC and CCM have in common.

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::engine::{Block, CipherKeys, EveryCipher};

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
        self.block.zeroize();
    }
}

impl ZeroizeOnDrop for Chain {}

impl Chain {
    /// Begins with a whole block.
    #[inline(always)]
    pub(super) fn of(block: Block) -> Self {
        Self { block, filled: 16 }
    }

    /// Begins behind a block that is encrypted.
    #[inline(always)]
    pub(super) fn behind(block: Block) -> Self {
        Self { block, filled: 0 }
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
    pub(super) fn add(&mut self, bytes: &[u8]) {
        for (sum, byte) in self.block.iter_mut().skip(self.filled).zip(bytes) {
            *sum ^= byte;
        }
        self.filled += bytes.len();
    }

    /// Encrypts what was added, zeros behind it.
    #[inline(always)]
    pub(super) fn close<C: EveryCipher>(&mut self, keys: &CipherKeys<C>) {
        if self.filled > 0 {
            keys.encrypt_block(&mut self.block);
            self.filled = 0;
        }
    }
}

/// A block times x, the first bit being that of the highest power (SP 800-38B section 5.3).
pub(super) fn doubled(block: &Block) -> Block {
    let v = u128::from_be_bytes(*block);
    (v << 1 ^ (v >> 127).wrapping_neg() & 0x87).to_be_bytes()
}
