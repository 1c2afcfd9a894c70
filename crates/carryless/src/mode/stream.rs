//! A message piece by piece: sealing for everybody, opening (unverified plaintext) for `hazmat`.

use core::fmt;
use core::marker::PhantomData;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::frame::FrameKeys;
use super::hashing::Hashing;
#[cfg(feature = "hazmat")]
use super::limits::check_tag;
use super::limits::{MAX_HASHED, MAX_TEXT, between};
use super::nonce::FRAMES;
#[cfg(feature = "hazmat")]
use super::tag::{padded, verify};
use super::tag::{shorten, tag_of};
#[cfg(feature = "hazmat")]
use crate::engine::Open;
use crate::engine::{
    AeadKeys, Block, Counter, Direction, EveryAead, InOut, Seal, Tag, length_block,
};
use crate::error::InputError;
#[cfg(feature = "hazmat")]
use crate::error::OpenError;
use crate::secret::{self, Choice, then_overwrite_stack};

/// A message in the making, in either direction.
pub(super) struct Stream<'k, K: FrameKeys, D: Direction> {
    keys: &'k K,
    j0: Counter,
    hashing: Hashing<K::Acc>,
    aad_len: u64,
    pub(super) text_len: u64,
    /// The key stream of the block that the text is in the middle of.
    stream: Block,
    direction: PhantomData<D>,
}

impl<K: FrameKeys, D: Direction> Drop for Stream<'_, K, D> {
    fn drop(&mut self) {
        // With a nonce that was hashed the pre-counter block is a secret: it is a hash under H.
        self.j0.zeroize();
        self.stream.zeroize();
    }
}

impl<'k, K: FrameKeys, D: Direction> Stream<'k, K, D> {
    #[inline(always)]
    pub(super) fn begin(keys: &'k K, j0: Counter) -> Self {
        Self {
            keys,
            j0,
            hashing: Hashing::default(),
            aad_len: 0,
            text_len: 0,
            stream: [0; 16],
            direction: PhantomData,
        }
    }

    /// Begins in the middle of a text, `offset` bytes behind its start: a multiple of 16, at most
    /// the longest text.
    pub(super) fn begin_at(keys: &'k K, j0: Counter, offset: u64) -> Self {
        let mut stream = Self::begin(keys, j0);
        stream.text_len = offset;
        stream
    }

    /// Adds AAD, which must all come before the text.
    pub(super) fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        if self.text_len > 0 {
            return Err(InputError::AadAfterText);
        }
        let got = self.aad_len.saturating_add(aad.len() as u64);
        if got > MAX_HASHED {
            return Err(InputError::AadTooLong { got });
        }
        self.hashing.add(self.keys, self.aad_len, aad);
        self.aad_len = got;
        Ok(())
    }

    /// Adds text.
    pub(super) fn text(&mut self, mut text: InOut<'_>) -> Result<(), InputError> {
        let got = self.text_len.saturating_add(text.len() as u64);
        if got > MAX_TEXT {
            return Err(InputError::TextTooLong { got });
        }
        if text.is_empty() {
            return Ok(());
        }
        if self.text_len == 0 && !self.aad_len.is_multiple_of(16) {
            self.hashing.absorb_pending(self.keys);
        }
        let (filled, mut counter) = self.position();
        self.text_len = got;
        if filled > 0 {
            let len = text.len().min(16 - filled);
            self.partial(filled, text.split_to(len));
            if filled + len < 16 {
                return Ok(());
            }
            self.hashing.absorb_pending(self.keys);
            counter = counter.add(1);
        }
        if let Some(whole) = text
            .split_to(text.len() & !15)
            .filter(|whole| !whole.is_empty())
        {
            self.keys
                .segment::<D>(counter, whole, &mut self.hashing.acc);
        }
        if !text.is_empty() {
            let (_, counter) = self.position();
            self.stream = counter.to_block();
            self.keys.encrypt_block(&mut self.stream);
            self.partial(0, Some(text));
        }
        Ok(())
    }

    // Calls of their own, for whoever does nothing else: nothing of them stays on the stack.
    pub(super) fn aad_alone(&mut self, aad: &[u8]) -> Result<(), InputError> {
        then_overwrite_stack::<FRAMES, _>(|| self.aad(aad))
    }

    pub(super) fn text_alone(&mut self, text: InOut<'_>) -> Result<(), InputError> {
        then_overwrite_stack::<FRAMES, _>(|| self.text(text))
    }

    pub(super) fn finish_alone(&mut self) -> Block {
        then_overwrite_stack::<FRAMES, _>(|| self.finish())
    }

    #[cfg(feature = "hazmat")]
    pub(super) fn matches_alone(&mut self, tag: &Tag) -> Choice {
        then_overwrite_stack::<FRAMES, _>(|| self.matches(tag))
    }

    /// Bytes of the block that the text is in the middle of, and that block's counter.
    fn position(&self) -> (usize, Counter) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a text has less than 2^32 blocks"
        )]
        let blocks = (self.text_len / 16) as u32;
        ((self.text_len % 16) as usize, self.j0.add(1).add(blocks))
    }

    /// The bytes of one block from `at` on.
    fn partial(&mut self, at: usize, text: Option<InOut<'_>>) {
        let Some(mut text) = text else { return };
        for i in 0..text.len() {
            let [before] = text.get(i);
            let after = before ^ self.stream[at + i];
            self.hashing.pending[at + i] = if D::SEAL { after } else { before };
            text.set(i, &[after]);
        }
        // What was used is not to lie in a place that a stream was moved from; the rest never was.
        secret::wipe(&mut self.stream[at..at + text.len()]);
    }

    /// The hash of all that came, the last block filled up.
    pub(super) fn hash(&mut self) -> K::Acc {
        if !self.text_len.is_multiple_of(16) {
            self.hashing.absorb_pending(self.keys);
        }
        self.hashing.acc
    }

    /// Whether `tag` is that of the message; the right one leaves no trace.
    pub(super) fn matches(&mut self, tag: &Tag) -> Choice {
        let mut right = self.finish();
        let choice = secret::equal(&right, &tag.bytes, tag.len);
        right.zeroize();
        choice
    }

    /// The full tag.
    pub(super) fn finish(&mut self) -> Block {
        let last_len = if self.text_len == 0 {
            self.aad_len
        } else {
            self.text_len
        };
        if !last_len.is_multiple_of(16) {
            self.hashing.absorb_pending(self.keys);
        }
        let lengths = length_block(self.aad_len, self.text_len);
        self.keys.absorb(&mut self.hashing.acc, &lengths);
        tag_of(self.keys, self.j0, self.hashing.acc)
    }
}

/// A message that is sealed piece by piece; from [`Gcm::sealer`](crate::Gcm::sealer).
///
/// It is wiped when dropped. A move, that into [`finish`](Self::finish) included, may leave a copy of
/// the hash in the making in the old place, and of the pre-counter block: keep the stack of such calls
/// to yourself, or seal in one call.
///
/// The other side opens it in one call, or as a chunked stream made of many messages: an opener
/// that gives out plaintext before the tag was seen exists only behind the feature `hazmat`.
///
/// # Examples
/// ```
/// let key = carryless::Aes256Gcm::from_slice(&[1; 32])?;
/// let mut text = *b"one, two, three";
/// let mut sealer = key.sealer(&[0; 12])?;
/// sealer.aad(b"header")?;
/// sealer.seal_in_place(&mut text[..5])?;
/// sealer.seal_in_place(&mut text[5..])?;
/// let tag = sealer.finish();
/// key.open_in_place(&[0; 12], b"header", &mut text, &tag)?;
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
pub struct Sealer<'k, C: EveryAead, const TAG: usize = 16> {
    stream: Stream<'k, AeadKeys<C>, Seal>,
}

impl<C: EveryAead, const TAG: usize> fmt::Debug for Sealer<'_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer")
            .field("cipher", &C::NAME)
            .field("text_len", &self.stream.text_len)
            .finish_non_exhaustive()
    }
}

impl<C: EveryAead, const TAG: usize> ZeroizeOnDrop for Sealer<'_, C, TAG> {}

impl<'k, C: EveryAead, const TAG: usize> Sealer<'k, C, TAG> {
    #[inline(always)]
    pub(super) fn begin(keys: &'k AeadKeys<C>, j0: Counter) -> Self {
        Self {
            stream: Stream::begin(keys, j0),
        }
    }

    /// Adds additional data; all of it comes before the text.
    ///
    /// # Errors
    /// [`InputError::AadAfterText`], or [`InputError::AadTooLong`] for all together.
    #[inline]
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        self.stream.aad_alone(aad)
    }

    /// Seals the next piece of the text where it stands.
    ///
    /// # Errors
    /// [`InputError::TextTooLong`] for all together; the piece is as before then.
    #[inline]
    pub fn seal_in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(InOut::in_place(text))
    }

    /// Seals the next piece of the text into `ciphertext`, which has the same length.
    ///
    /// # Errors
    /// [`InputError::Output`], [`InputError::TextTooLong`]; nothing is written then.
    #[inline]
    pub fn seal_into(&mut self, plaintext: &[u8], ciphertext: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(between(plaintext, ciphertext)?)
    }

    /// Ends the message; the tag.
    #[must_use = "without its tag the message can't be opened"]
    #[inline(always)]
    pub fn finish(mut self) -> [u8; TAG] {
        shorten(&mut self.stream.finish_alone())
    }
}

/// A message that is opened piece by piece, giving out **plaintext that nobody verified** until
/// [`finish`](Self::finish) succeeds; from [`Gcm::opener`](crate::Gcm::opener).
///
/// Whoever acts on the plaintext before that acts on an attacker's words. Prefer one-call opening,
/// or a chunked format such as the one of the crate `carryless-file`.
///
/// # Examples
/// ```
/// use carryless::Aes128Gcm;
///
/// let key = Aes128Gcm::from_slice(&[0x42; 16])?;
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
pub struct Opener<'k, C: EveryAead, const TAG: usize = 16> {
    stream: Stream<'k, AeadKeys<C>, Open>,
}

#[cfg(feature = "hazmat")]
impl<C: EveryAead, const TAG: usize> fmt::Debug for Opener<'_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener")
            .field("cipher", &C::NAME)
            .field("text_len", &self.stream.text_len)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "hazmat")]
impl<C: EveryAead, const TAG: usize> ZeroizeOnDrop for Opener<'_, C, TAG> {}

#[cfg(feature = "hazmat")]
impl<'k, C: EveryAead, const TAG: usize> Opener<'k, C, TAG> {
    #[inline(always)]
    pub(super) fn begin(keys: &'k AeadKeys<C>, j0: Counter) -> Self {
        Self {
            stream: Stream::begin(keys, j0),
        }
    }

    /// Adds additional data; all of it comes before the text.
    ///
    /// # Errors
    /// [`InputError::AadAfterText`], or [`InputError::AadTooLong`] for all together.
    #[inline]
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        self.stream.aad_alone(aad)
    }

    /// Decrypts the next piece of the text where it stands; it is not verified yet.
    ///
    /// # Errors
    /// [`InputError::TextTooLong`] for all together; the piece is as before then.
    #[inline]
    pub fn open_in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(InOut::in_place(text))
    }

    /// Decrypts the next piece of the text into `plaintext`, which has the same length; it is not
    /// verified yet.
    ///
    /// # Errors
    /// [`InputError::Output`], [`InputError::TextTooLong`]; nothing is written then.
    #[inline]
    pub fn open_into(&mut self, ciphertext: &[u8], plaintext: &mut [u8]) -> Result<(), InputError> {
        self.stream.text_alone(between(ciphertext, plaintext)?)
    }

    /// Ends the message and verifies it: only now is the plaintext to be believed.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`]: throw away all that was given out.
    #[inline(always)]
    pub fn finish(mut self, tag: &[u8]) -> Result<(), OpenError> {
        let tag = padded(check_tag::<TAG>(tag)?);
        let right = self.stream.matches_alone(&tag);
        Ok(verify(right, InOut::in_place(&mut []))?)
    }
}

#[cfg(test)]
mod tests;
