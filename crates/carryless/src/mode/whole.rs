//! Messages of GCM in one call, by functions that are one code for all lengths of tags, as the dispatch to every engine is in
//! each. What most messages are, under nonces of 12 bytes and with the full tag, does without them.

use super::limits::between;
use super::nonce::{FRAMES, hashed_j0, j0};
use super::stream::Stream;
use crate::engine::{AeadKeys, Block, Counter, EveryAead, InOut, Message, Open, Seal, Tag};
use crate::error::InputError;
use crate::secret::{Choice, then_overwrite_stack};

/// Seals a message of lengths that were checked, whose full tag goes to `tag`.
#[inline(never)]
pub(super) fn seal<C: EveryAead>(
    keys: &AeadKeys<C>,
    nonce: &[u8; 12],
    aad: &[u8],
    text: InOut<'_>,
    tag: &mut Block,
) {
    let j0 = Counter::from_nonce(nonce);
    keys.seal(Message { j0, aad, text }, tag);
}

/// Opens a message of lengths that were checked; whether `tag` is its tag.
#[inline(never)]
pub(super) fn open<C: EveryAead>(
    keys: &AeadKeys<C>,
    nonce: &[u8; 12],
    aad: &[u8],
    text: InOut<'_>,
    tag: &Tag,
) -> Choice {
    let j0 = Counter::from_nonce(nonce);
    keys.open(Message { j0, aad, text }, tag)
}

/// Seals a message under a nonce that is hashed; the full tag.
#[cold]
#[inline(never)]
pub(super) fn seal_under_hashed<C: EveryAead>(
    keys: &AeadKeys<C>,
    nonce: &[u8],
    aad: &[u8],
    text: InOut<'_>,
) -> Result<Block, InputError> {
    then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
        let mut stream = Stream::<_, Seal>::begin(keys, hashed_j0(keys, nonce));
        stream.aad(aad)?;
        stream.text(text)?;
        Ok(stream.finish())
    })
}

/// Opens a message under a nonce that is hashed; whether `tag` is its tag.
#[cold]
#[inline(never)]
pub(super) fn open_under_hashed<C: EveryAead>(
    keys: &AeadKeys<C>,
    nonce: &[u8],
    aad: &[u8],
    text: InOut<'_>,
    tag: &Tag,
) -> Result<Choice, InputError> {
    then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
        let mut stream = Stream::<_, Open>::begin(keys, hashed_j0(keys, nonce));
        stream.aad(aad)?;
        stream.text(text)?;
        Ok(stream.matches(tag))
    })
}

/// Seals a text that lies in pieces, all of lengths that were checked, into `ciphertext`; the full tag.
#[inline(never)]
pub(super) fn seal_pieces<C: EveryAead>(
    keys: &AeadKeys<C>,
    nonce: &[u8],
    aad: &[u8],
    pieces: &[&[u8]],
    ciphertext: &mut [u8],
) -> Result<Block, InputError> {
    then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
        let mut stream = Stream::<_, Seal>::begin(keys, j0(keys, nonce));
        stream.aad(aad)?;
        let mut rest = ciphertext;
        for piece in pieces {
            let (part, behind) = rest.split_at_mut(piece.len());
            stream.text(between(piece, part)?)?;
            rest = behind;
        }
        Ok(stream.finish())
    })
}
