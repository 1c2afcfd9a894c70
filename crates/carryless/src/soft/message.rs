//! A whole message, of counter mode and hash.
#![forbid(unsafe_code)]

use super::aes::xor;
use super::{HashKey, Hasher, Multiplier};
use crate::block::{Block, length_block};
use crate::kernel::message::Direction;
use crate::simd::InOut;

/// The full tag of a message: blocks of AAD, text and lengths share batches of the hash.
///
/// * `cipher`: XORs the key stream into the text, and gives the mask of the tag.
///
/// # Constant time
/// Secret: `hash`, AAD and text. Public: their lengths.
#[inline(always)]
pub fn tag<D: Direction, M: Multiplier>(
    hash: &HashKey<M>,
    aad: &[u8],
    mut text: InOut<'_>,
    cipher: impl FnOnce(InOut<'_>) -> Block,
) -> Block {
    let lengths = length_block(aad.len() as u64, text.len() as u64);
    let mut hasher = Hasher::new(hash, 0);
    hasher.absorb(aad);
    if !D::SEAL {
        hasher.absorb(text.source());
    }
    let mask = cipher(text.reborrow());
    if D::SEAL {
        hasher.absorb(text.written());
    }
    hasher.absorb(&lengths);
    xor(mask, hasher.finish().to_be_bytes())
}
