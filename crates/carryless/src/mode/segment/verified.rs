//! Segments of a message that was found authentic.

use core::fmt;

use super::{Partial, Segments};
use crate::engine::{EveryAead, InOut, Open};
use crate::error::{InputError, OpenError};
use crate::mode::limits::between;
use crate::mode::tag::verify;
use crate::secret;

/// A message that was found authentic, whose segments may be decrypted; from [`Segments::verify`].
///
/// Each segment is hashed again while it is decrypted, in the same pass, and compared with the partial
/// that was verified: what is given out is what was verified, even if the ciphertext is read anew from a
/// file that has changed since.
///
/// # Examples
/// ```
/// use carryless::{Aes128Gcm, error::OpenError};
///
/// let key = Aes128Gcm::from_slice(&[1; 16])?;
/// let mut file = [7; 100];
/// let tag = key.seal_in_place(&[0; 12], b"", &mut file)?;
///
/// let message = key.segments(&[0; 12]);
/// let parts = [message.authenticate(0, &file[..64])?, message.authenticate(64, &file[64..])?];
/// let verified = message.verify(b"", &parts, &tag)?;   // of the file as it was read
/// let mut text = [0; 36];
/// verified.open_into(64, &file[64..], &mut text)?;     // in any order, also none
/// assert_eq!(text, [7; 36]);
///
/// file[3] ^= 1;                                        // the file changes
/// let opened = verified.open_in_place(0, &mut file[..64]);
/// assert!(matches!(opened, Err(OpenError::Unauthentic(_))));
/// assert_eq!(file[..64], [0; 64]);
/// # Ok::<(), OpenError>(())
/// ```
pub struct Verified<'k, 'p, C: EveryAead, const TAG: usize = 16> {
    pub(super) message: Segments<'k, C, TAG>,
    pub(super) parts: &'p [Partial],
}

impl<C: EveryAead, const TAG: usize> fmt::Debug for Verified<'_, '_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verified")
            .field("message", &self.message)
            .field("parts", &self.parts)
            .finish()
    }
}

impl<C: EveryAead, const TAG: usize> Verified<'_, '_, C, TAG> {
    /// Opens where it stands the segment that begins at byte `offset`. It must be one of those that
    /// were verified, not a part or several of them.
    ///
    /// # Errors
    /// [`InputError::SegmentUnverified`] (in [`OpenError::Input`]) if there is none of this offset and
    /// length, with the text as before; [`OpenError::Unauthentic`] if the ciphertext is not the one that
    /// was verified, with the text zeroed.
    pub fn open_in_place(&self, offset: u64, text: &mut [u8]) -> Result<(), OpenError> {
        self.of_any_tag().open(offset, InOut::in_place(text))
    }

    /// [`open_in_place`](Self::open_in_place) from one buffer to another of the same length.
    ///
    /// # Errors
    /// As there, and [`InputError::Output`].
    pub fn open_into(
        &self,
        offset: u64,
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), OpenError> {
        self.of_any_tag()
            .open(offset, between(ciphertext, plaintext)?)
    }

    /// See [`Segments::of_any_tag`].
    const fn of_any_tag(&self) -> Verified<'_, '_, C> {
        Verified {
            message: self.message.of_any_tag(),
            parts: self.parts,
        }
    }
}

impl<C: EveryAead> Verified<'_, '_, C> {
    fn open(&self, start: u64, mut text: InOut<'_>) -> Result<(), OpenError> {
        let len = text.len() as u64;
        // They are in order; those without text may share an offset with the one behind them.
        let first = self.parts.partition_point(|part| part.start < start);
        let mut there = self.parts[first..].iter();
        let known = there
            .find(|part| part.start > start || part.len == len)
            .filter(|part| part.start == start)
            .ok_or(InputError::SegmentUnverified { start, len })?;
        let found = self.message.run::<Open>(start, text.reborrow())?;
        // Equal seals are those of equal hashes, but by a chance of 2^-128.
        Ok(verify(secret::equal(&found.seal, &known.seal, 16), text)?)
    }
}
