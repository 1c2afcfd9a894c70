//! A message piece by piece: sealing for everybody, opening (unverified plaintext) for `hazmat`.

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::super::limits::between;
#[cfg(feature = "hazmat")]
use super::super::limits::exact_tag;
use super::super::nonce::j0;
use super::super::stream::Stream;
#[cfg(feature = "hazmat")]
use super::super::tag::{of_bytes, verify};
use super::Keys;
#[cfg(feature = "hazmat")]
use crate::engine::Open;
use crate::engine::{Block, EveryCipher, InOut, Seal};
use crate::error::InputError;
#[cfg(feature = "hazmat")]
use crate::error::OpenError;

/// A message that is sealed piece by piece; from [`Sgcm::sealer`](crate::sgcm::Sgcm::sealer).
///
/// It is wiped when dropped. A move, that into [`finish`](Self::finish) included, may leave a copy of
/// the hash in the making in the old place, and of the pre-counter block.
///
/// # Examples
/// ```
/// let key = carryless::sgcm::Aes256Sgcm::from_slice(&[1; 32])?;
/// let mut text = *b"one, two, three";
/// let mut sealer = key.sealer(&[0; 12])?;
/// sealer.aad(b"header")?;
/// sealer.seal_in_place(&mut text[..5])?;
/// sealer.seal_in_place(&mut text[5..])?;
/// let tag = sealer.finish();
/// key.open_in_place(&[0; 12], b"header", &mut text, &tag)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SgcmSealer<'k, C: EveryCipher> {
    stream: Stream<'k, Keys<C>, Seal>,
}

impl<C: EveryCipher> fmt::Debug for SgcmSealer<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SgcmSealer")
            .field("cipher", &C::NAME)
            .field("text_len", &self.stream.text_len)
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher> ZeroizeOnDrop for SgcmSealer<'_, C> {}

impl<'k, C: EveryCipher> SgcmSealer<'k, C> {
    pub(super) fn begin(keys: &'k Keys<C>, nonce: &[u8]) -> Self {
        Self {
            stream: Stream::begin(keys, j0(keys, nonce)),
        }
    }

    /// Adds additional data; all of it comes before the text.
    ///
    /// # Errors
    /// [`InputError::AadAfterText`], or [`InputError::AadTooLong`] for all together.
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        self.stream.aad_alone(aad)
    }

    /// Seals the next piece of the text where it stands.
    ///
    /// # Errors
    /// [`InputError::TextTooLong`] for all together; the piece is as before then.
    pub fn seal_in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(InOut::in_place(text))
    }

    /// Seals the next piece of the text into `ciphertext`, which has the same length.
    ///
    /// # Errors
    /// [`InputError::Output`], [`InputError::TextTooLong`]; nothing is written then.
    pub fn seal_into(&mut self, plaintext: &[u8], ciphertext: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(between(plaintext, ciphertext)?)
    }

    /// Ends the message; the tag.
    #[must_use = "without its tag the message can't be opened"]
    pub fn finish(mut self) -> Block {
        self.stream.finish_alone()
    }
}

/// A message that is opened piece by piece, giving out **plaintext that nobody verified** until
/// [`finish`](Self::finish) succeeds; from [`Sgcm::opener`](crate::sgcm::Sgcm::opener).
///
/// Whoever acts on the plaintext before that acts on an attacker's words. Prefer one-call opening.
///
/// # Examples
/// ```
/// use carryless::sgcm::Aes128Sgcm;
///
/// let key = Aes128Sgcm::from_slice(&[0x42; 16])?;
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&[1; 12], b"", &mut text)?;
///
/// let mut opener = key.opener(&[1; 12])?;
/// opener.open_in_place(&mut text[..5])?;
/// opener.open_in_place(&mut text[5..])?;
/// if let Err(error) = opener.finish(&tag) {
///     text.fill(0);                                     // nobody may have it
///     return Err(error.into());
/// }
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "hazmat")]
pub struct SgcmOpener<'k, C: EveryCipher> {
    stream: Stream<'k, Keys<C>, Open>,
}

#[cfg(feature = "hazmat")]
impl<C: EveryCipher> fmt::Debug for SgcmOpener<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SgcmOpener")
            .field("cipher", &C::NAME)
            .field("text_len", &self.stream.text_len)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "hazmat")]
impl<C: EveryCipher> ZeroizeOnDrop for SgcmOpener<'_, C> {}

#[cfg(feature = "hazmat")]
impl<'k, C: EveryCipher> SgcmOpener<'k, C> {
    pub(super) fn begin(keys: &'k Keys<C>, nonce: &[u8]) -> Self {
        Self {
            stream: Stream::begin(keys, j0(keys, nonce)),
        }
    }

    /// Adds additional data; all of it comes before the text.
    ///
    /// # Errors
    /// [`InputError::AadAfterText`], or [`InputError::AadTooLong`] for all together.
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        self.stream.aad_alone(aad)
    }

    /// Decrypts the next piece of the text where it stands; it is not verified yet.
    ///
    /// # Errors
    /// [`InputError::TextTooLong`] for all together; the piece is as before then.
    pub fn open_in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(InOut::in_place(text))
    }

    /// Decrypts the next piece of the text into `plaintext`, which has the same length; it is not
    /// verified yet.
    ///
    /// # Errors
    /// [`InputError::Output`], [`InputError::TextTooLong`]; nothing is written then.
    pub fn open_into(&mut self, ciphertext: &[u8], plaintext: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(between(ciphertext, plaintext)?)
    }

    /// Ends the message and verifies it: only now is the plaintext to be believed.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`]: throw away all that was given out. [`OpenError::Input`] for a tag that has not 16 bytes.
    pub fn finish(mut self, tag: &[u8]) -> Result<(), OpenError> {
        let tag = of_bytes(exact_tag::<16>(tag)?);
        let right = self.stream.matches_alone(&tag);
        Ok(verify(right, InOut::in_place(&mut []))?)
    }
}
