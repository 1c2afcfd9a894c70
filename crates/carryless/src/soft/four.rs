//! Four messages under one key, whose counter blocks share batches: alone each begins a batch of its own, which a short one
//! hardly fills.
#![forbid(unsafe_code)]

use super::aes::{add_stream, xor};
use crate::block::{Block, Lane};
use crate::kernel::batch::{MESSAGES, Quad, Way};
use crate::kernel::message::Message;
use crate::simd::{InOut, MAX_BLOCKS};

/// Not on x86-64, where hardly a CPU needs a portable engine.
pub const WORTH_CODE: bool = !cfg!(target_arch = "x86_64");

/// The most counter blocks that they may have.
const BLOCKS: usize = 32;
/// Room for them, and for a batch from any of them on.
pub type Stream = [Block; BLOCKS + MAX_BLOCKS];
/// Nothing in it.
pub const NO_STREAM: Stream = [[0; 16]; BLOCKS + MAX_BLOCKS];

/// J0, and those of the text.
#[inline(always)]
fn blocks_of(text: &InOut<'_>) -> usize {
    1 + text.len().div_ceil(16)
}

/// How a message alone is cut into batches.
pub struct Batches {
    /// Blocks of a batch.
    pub blocks: usize,
    /// Blocks before J0 in the first, for nothing.
    pub before_j0: usize,
}

/// Puts the counter blocks of four messages one after the other; how many there are. `None`, and nothing is written, if there
/// are too many, or if they are as few batches message by message.
///
/// # Constant time
/// Nothing is secret.
#[inline(always)]
pub fn counter_blocks(four: &Quad<'_, '_>, stream: &mut Stream, alone: &Batches) -> Option<usize> {
    let (mut together, mut batches) = (0, 0);
    for item in four {
        let Message { aad, text, .. } = &item.message;
        // This also bounds the lengths, which nobody checked.
        if aad.len().max(text.len()) > 16 * BLOCKS {
            return None;
        }
        let blocks = blocks_of(text);
        together += blocks;
        batches += (alone.before_j0 + blocks).div_ceil(alone.blocks);
    }
    if together > BLOCKS || together.div_ceil(alone.blocks) >= batches {
        return None;
    }
    let mut places = stream.iter_mut();
    for item in four {
        let Message { j0, text, .. } = &item.message;
        for (count, place) in (1..).zip(places.by_ref().take(blocks_of(text))) {
            *place = j0.with_count(count).to_block();
        }
    }
    Some(together)
}

/// Seals or opens four messages, by the key stream of their counter blocks.
///
/// * `tag`: encrypts or decrypts a text and gives its full tag, from the AAD, the text, and its blocks of the key stream
///   of which the first is the mask.
///
/// # Constant time
/// Secret: `stream`, texts and AADs. Public: the lengths.
#[inline(never)]
pub fn by_stream<D: Way>(
    four: &mut Quad<'_, '_>,
    stream: &Stream,
    mut tag: impl FnMut(&[u8], InOut<'_>, &[Block]) -> Block,
) -> D::Answers {
    let mut stream = &stream[..];
    let mut tags = [Lane::default(); MESSAGES];
    for (item, place) in four.iter_mut().zip(&mut tags) {
        let Message { aad, text, .. } = &mut item.message;
        let (mine, others) = stream.split_at(blocks_of(text));
        stream = others;
        place.0 = tag(aad, text.reborrow(), mine);
    }
    D::answer_blocks(&tags, four)
}

/// XORs the key stream of a message into its text, for which there is enough; its mask.
#[inline(always)]
pub fn add(mut text: InOut<'_>, stream: &[Block]) -> Block {
    let [mask, blocks @ ..] = stream else {
        return [0; 16];
    };
    let (whole, last) = blocks.split_at(text.len() / 16);
    if let Some(mut text) = text.split_to(16 * whole.len()) {
        for (i, block) in whole.iter().enumerate() {
            text.set(16 * i, &xor(text.get(16 * i), *block));
        }
    }
    if !text.is_empty() {
        add_stream(text, last);
    }
    *mask
}
