//! Nonces: the pre-counter block (SP 800-38D section 7.1).

use super::frame::FrameKeys;
use crate::engine::{Counter, length_block};
use crate::secret::then_overwrite_stack;

/// Bytes of stack that a step of a stream takes beside those of the engine, which overwrites its own.
pub(super) const FRAMES: usize = 512;

/// The pre-counter block: `nonce || 1` for 12 bytes, otherwise the hash of the padded nonce and its
/// length (SP 800-38D section 7.1, step 2).
#[inline(always)]
pub(super) fn j0<K: FrameKeys>(keys: &K, nonce: &[u8]) -> Counter {
    match nonce.try_into() {
        Ok(nonce) => Counter::from_nonce(nonce),
        Err(_) => hashed_j0(keys, nonce),
    }
}

/// The pre-counter block of a nonce that has not 12 bytes.
#[cold]
#[inline(never)]
pub(super) fn hashed_j0<K: FrameKeys>(keys: &K, nonce: &[u8]) -> Counter {
    then_overwrite_stack::<{ FRAMES }, _>(|| {
        let mut acc = K::Acc::default();
        keys.absorb(&mut acc, nonce);
        keys.absorb(&mut acc, &length_block(0, nonce.len() as u64));
        Counter::from_block(&keys.finish(acc))
    })
}
