//! Tags: their lengths, their place, and what becomes of a text whose tag was wrong.

use super::frame::FrameKeys;
use super::limits::TagLen;
use crate::engine::{Block, Counter, InOut, Tag};
use crate::error::Unauthentic;
use crate::secret::{self, Choice};

/// The first `TAG` bytes; what is cut off is wiped.
#[inline(always)]
pub(super) fn shorten<const TAG: usize>(tag: &mut Block) -> [u8; TAG] {
    let () = TagLen::<TAG>::IS_ALLOWED;
    first(tag)
}

/// [`shorten`] for whatever mode, which refused other lengths.
#[inline(always)]
pub(super) fn first<const TAG: usize>(tag: &mut Block) -> [u8; TAG] {
    let mut short = [0; TAG];
    short.copy_from_slice(&tag[..TAG]);
    if TAG < 16 {
        secret::wipe(tag);
    }
    short
}

/// The tag as engines take it.
#[inline(always)]
pub(super) fn padded<const TAG: usize>(tag: &[u8; TAG]) -> Tag {
    let () = TagLen::<TAG>::IS_ALLOWED;
    of_bytes(tag)
}

/// [`padded`] for whatever mode.
#[inline(always)]
pub(super) fn of_bytes<const TAG: usize>(tag: &[u8; TAG]) -> Tag {
    let mut bytes = [0; 16];
    bytes[..TAG].copy_from_slice(tag);
    Tag { bytes, len: TAG }
}

/// Zeroes the text if its tag was wrong.
#[inline(always)]
pub(super) fn verify(right: Choice, text: InOut<'_>) -> Result<(), Unauthentic> {
    // Success or failure is what opening is asked for.
    if right.publish() { Ok(()) } else { fail(text) }
}

/// Zeroes a text whose tag was wrong.
#[cold]
#[inline(never)]
pub(super) fn fail(text: InOut<'_>) -> Result<(), Unauthentic> {
    secret::wipe(text.into_written());
    Err(Unauthentic)
}

/// The tag of a hash `y` under the encrypted pre-counter block.
pub(super) fn tag_of<K: FrameKeys>(keys: &K, j0: Counter, acc: K::Acc) -> Block {
    let mut tag = keys.finish(acc);
    let mut mask = j0.to_block();
    keys.encrypt_block(&mut mask);
    K::hide(&mut tag, &mask);
    tag
}
