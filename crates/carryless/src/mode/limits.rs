//! The limits of SP 800-38D section 5.2.1.1, on 64-bit lengths whatever the pointer size.

use crate::engine::{BlockCipher, InOut};
use crate::error::InputError;

/// The longest text, 2^39 - 256 bits.
pub(super) const MAX_TEXT: u64 = (1 << 36) - 32;
/// The longest AAD and nonce, 2^64 - 1 bits, in whole bytes.
pub(super) const MAX_HASHED: u64 = (1 << 61) - 1;

/// Whether GCM allows a nonce, AAD and text of these many bytes.
///
/// # Errors
/// The first length that is beyond its limit.
///
/// # Examples
/// ```
/// assert!(carryless::check_lengths(12, 0, (1 << 36) - 32).is_ok());
/// assert!(carryless::check_lengths(12, 0, (1 << 36) - 31).is_err());
/// ```
#[inline(always)]
pub const fn check_lengths(nonce_len: u64, aad_len: u64, text_len: u64) -> Result<(), InputError> {
    if nonce_len == 0 {
        Err(InputError::EmptyNonce)
    } else if nonce_len > MAX_HASHED {
        Err(InputError::NonceTooLong { got: nonce_len })
    } else if aad_len > MAX_HASHED {
        Err(InputError::AadTooLong { got: aad_len })
    } else if text_len > MAX_TEXT {
        Err(InputError::TextTooLong { got: text_len })
    } else {
        Ok(())
    }
}

/// [`check_lengths`] of slices.
#[inline(always)]
pub(super) const fn check(nonce: &[u8], aad: &[u8], text_len: usize) -> Result<(), InputError> {
    check_lengths(nonce.len() as u64, aad.len() as u64, text_len as u64)
}

/// Refuses, when compiled, tag lengths that SP 800-38D section 5.2.1.2 does not have. Everything that
/// makes or takes a tag asks for it.
pub(super) struct TagLen<const TAG: usize>;

impl<const TAG: usize> TagLen<TAG> {
    pub(super) const IS_ALLOWED: () = assert!(
        matches!(TAG, 12..=16) || cfg!(feature = "hazmat") && matches!(TAG, 4 | 8),
        "a GCM tag is 12 to 16 bytes; 4 and 8 need the feature `hazmat`"
    );

    /// The length, for code that is one for all.
    pub(super) const BYTES: usize = {
        let () = Self::IS_ALLOWED;
        TAG
    };
}

/// A tag as the type `[u8; TAG]` has it.
#[inline(always)]
pub(super) fn check_tag<const TAG: usize>(tag: &[u8]) -> Result<&[u8; TAG], InputError> {
    let () = TagLen::<TAG>::IS_ALLOWED;
    exact_tag(tag)
}

/// The same of whatever mode, which refused other types.
#[inline(always)]
pub(super) fn exact_tag<const TAG: usize>(tag: &[u8]) -> Result<&[u8; TAG], InputError> {
    tag.try_into().map_err(|_| InputError::Tag {
        got: tag.len(),
        expected: TAG,
    })
}

/// Fails unless `key` has the length of the cipher's keys.
#[inline(always)]
pub(super) fn check_key<C: BlockCipher>(key: &[u8]) -> Result<(), InputError> {
    if key.len() == C::KEY_LEN {
        Ok(())
    } else {
        Err(InputError::Key {
            got: key.len(),
            expected: C::KEY_LEN,
        })
    }
}

/// The nonce as an array, for a mode that takes no other length.
#[inline(always)]
pub(super) fn check_nonce<const NONCE: usize>(nonce: &[u8]) -> Result<&[u8; NONCE], InputError> {
    nonce.try_into().map_err(|_| InputError::Nonce {
        got: nonce.len(),
        expected: NONCE,
    })
}

/// The text from `src` to `dst`.
#[inline(always)]
pub(super) fn between<'a>(src: &'a [u8], dst: &'a mut [u8]) -> Result<InOut<'a>, InputError> {
    let (expected, got) = (src.len(), dst.len());
    InOut::between(src, dst).ok_or(InputError::Output { got, expected })
}
