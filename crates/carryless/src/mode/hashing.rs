//! A hash in the frame of GCM in the making, which any bytes may be added to.

use zeroize::Zeroize;

use super::frame::FrameKeys;
use crate::engine::Block;

/// A hash in the making.
#[derive(Clone, Default)]
pub(super) struct Hashing<A: Zeroize = u128> {
    pub(super) acc: A,
    /// Bytes of AAD or ciphertext that do not fill a block yet, zeros behind them.
    pub(super) pending: Block,
}

impl<A: Zeroize> Drop for Hashing<A> {
    fn drop(&mut self) {
        self.acc.zeroize();
        self.pending.zeroize();
    }
}

impl<A: Zeroize> Hashing<A> {
    /// Adds data behind `len` bytes of it.
    pub(super) fn add(&mut self, keys: &impl FrameKeys<Acc = A>, len: u64, mut data: &[u8]) {
        let filled = (len % 16) as usize;
        if filled > 0 {
            let (head, rest) = data.split_at(data.len().min(16 - filled));
            self.pending[filled..filled + head.len()].copy_from_slice(head);
            data = rest;
            if filled + head.len() < 16 {
                return;
            }
            self.absorb_pending(keys);
        }
        let (whole, rest) = data.split_at(data.len() & !15);
        keys.absorb(&mut self.acc, whole);
        self.pending[..rest.len()].copy_from_slice(rest);
    }

    /// Adds what is pending, filled up.
    pub(super) fn absorb_pending(&mut self, keys: &impl FrameKeys<Acc = A>) {
        keys.absorb(&mut self.acc, &self.pending);
        self.pending = [0; 16];
    }
}
