//! One message in segments: each sealed or authenticated by itself, in any order, by any number of
//! threads or machines, and put together to one standard GCM message (`docs/math.md` 5).
//!
//! What a segment adds to the tag is the hash of its ciphertext, and with the ciphertext that tells H.
//! A [`Partial`] therefore never holds it in the clear, not even in memory: it is encrypted under the
//! key, synthetically (RFC 5297's idea), so that no random number is needed, equal hashes of equal
//! ranges give equal partials, others give unrelated ones, and a partial that was changed, or comes from
//! another key or nonce, is refused. With `E` the cipher, `||` of 64-bit big-endian numbers and `S` the
//! hash:
//!
//! ```text
//! w    = E(nonce || 0)                 the one counter of the nonce that GCM leaves alone
//! t    = E(w + (start || len))
//! seal = E(t + S)
//! pad  = E(seal + E(w + 1..1))
//! partial = start, len, seal, S + pad
//! ```
//!
//! Every input of `E` but the first is a secret of the key plus something, so that it meets a counter
//! block of a message only by a chance of 2^-128 each, as the birthday bound of GCM has it anyway.

use core::fmt;

use zeroize::Zeroize;

use super::gcm::Gcm;
use super::limits::{MAX_TEXT, between, check, check_tag};
use super::nonce::FRAMES;
use super::stream::Stream;
use super::tag::{padded, shorten, tag_of, verify};
#[cfg(feature = "hazmat")]
use crate::engine::Open;
use crate::engine::{
    AeadKeys, Block, Counter, Direction, EveryAead, Field, Gf128, InOut, Seal, Tag, length_block,
    xor_into,
};
use crate::error::{InputError, OpenError};
use crate::secret::{self, Choice, then_overwrite_stack};

/// What the segments of one message have in common: key and nonce. From
/// [`Gcm::segments`](crate::Gcm::segments).
///
/// A text is cut at multiples of 16 bytes; only the last segment may have another length. Each is sealed
/// by [`seal_in_place`](Self::seal_in_place) or [`seal_into`](Self::seal_into) at its offset, which gives
/// its [`Partial`]. All partials in the order of the text make the tag ([`finish`](Self::finish));
/// neighbours can be [merged](Self::merge) before. Whoever opens hashes all segments first
/// ([`authenticate`](Self::authenticate)), and decrypts them when all together were
/// [verified](Self::verify).
///
/// The value is small and without a secret of its own: make one wherever the key is.
///
/// **A range is sealed once under a nonce**: two texts for one range, after a failed attempt for
/// instance, are two messages under one nonce. Take a new nonce for another try.
///
/// # Examples
/// ```
/// use carryless::Aes256Gcm;
///
/// let key = Aes256Gcm::from_slice(&[1; 32])?;
/// let mut text = *b"sixteen bytes, then the rest";
/// let (head, tail) = text.split_at_mut(16);
///
/// let message = key.segments(&[0; 12]);               // on any thread, in any order
/// let second = message.seal_in_place(16, tail)?;
/// let first = message.seal_in_place(0, head)?;
/// let tag = message.finish(b"header", &[first, second])?;
///
/// key.open_in_place(&[0; 12], b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"sixteen bytes, then the rest");
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
pub struct Segments<'k, C: EveryAead, const TAG: usize = 16> {
    keys: &'k AeadKeys<C>,
    /// Of a 12-byte nonce: public.
    j0: Counter,
}

impl<C: EveryAead, const TAG: usize> Clone for Segments<'_, C, TAG> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: EveryAead, const TAG: usize> Copy for Segments<'_, C, TAG> {}

impl<C: EveryAead, const TAG: usize> fmt::Debug for Segments<'_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segments")
            .field("cipher", &C::NAME)
            .field("engine", &self.keys.engine())
            .finish_non_exhaustive()
    }
}

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Begins a message that is sealed or opened in segments, see [`Segments`].
    #[inline]
    pub fn segments(&self, nonce: &[u8; 12]) -> Segments<'_, C, TAG> {
        Segments {
            keys: self.keys.get(),
            j0: Counter::from_nonce(nonce),
        }
    }
}

impl<'k, C: EveryAead, const TAG: usize> Segments<'k, C, TAG> {
    /// Seals where it stands the part of the text that begins at byte `offset`.
    ///
    /// # Errors
    /// [`InputError::SegmentOffset`] unless `offset` is a multiple of 16, [`InputError::TextTooLong`] if
    /// the segment ends beyond the longest text, where the counter would wrap; nothing is written
    /// then.
    pub fn seal_in_place(&self, offset: u64, text: &mut [u8]) -> Result<Partial, InputError> {
        self.of_any_tag().run::<Seal>(offset, InOut::in_place(text))
    }

    /// [`seal_in_place`](Self::seal_in_place) from one buffer to another of the same length.
    ///
    /// # Errors
    /// As there, and [`InputError::Output`]; nothing is written then.
    pub fn seal_into(
        &self,
        offset: u64,
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<Partial, InputError> {
        self.of_any_tag()
            .run::<Seal>(offset, between(plaintext, ciphertext)?)
    }

    /// Hashes a segment of ciphertext, decrypting nothing: the first step of opening.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    pub fn authenticate(&self, offset: u64, ciphertext: &[u8]) -> Result<Partial, InputError> {
        self.of_any_tag().hash(offset, ciphertext)
    }

    /// Decrypts a segment, giving out **plaintext that nobody verified** until all partials of the
    /// message are.
    ///
    /// For those who keep it to themselves until then, in a file without a name for instance.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    #[cfg(feature = "hazmat")]
    pub fn open_unverified(&self, offset: u64, text: &mut [u8]) -> Result<Partial, InputError> {
        self.of_any_tag().run::<Open>(offset, InOut::in_place(text))
    }

    /// The partial of two ranges of which the second follows the first. In whatever order neighbours
    /// are merged, the result is the same.
    ///
    /// # Errors
    /// [`InputError::ForeignPartial`], [`InputError::SegmentGap`], [`InputError::SegmentOverlap`].
    pub fn merge(&self, first: &Partial, second: &Partial) -> Result<Partial, InputError> {
        self.of_any_tag().join(first, second)
    }

    /// The tag of the message whose text is that of `parts`, in their order and from byte 0 on; without
    /// parts there is no text.
    ///
    /// # Errors
    /// As [`merge`](Self::merge), and [`InputError::AadTooLong`].
    pub fn finish(&self, aad: &[u8], parts: &[Partial]) -> Result<[u8; TAG], InputError> {
        let mut whole = self.of_any_tag().whole_tag(aad, parts)?;
        Ok(shorten(&mut whole))
    }

    /// Verifies the message whose ciphertext is that of `parts`. Segments can be decrypted with what
    /// it gives, those that are listed here and no others.
    ///
    /// # Errors
    /// As [`finish`](Self::finish) in [`OpenError::Input`], and [`InputError::Tag`];
    /// [`OpenError::Unauthentic`] if the tag is wrong.
    ///
    /// # Examples
    /// ```
    /// let key = carryless::Aes128Gcm::from_slice(&[1; 16])?;
    /// let mut text = [7; 40];
    /// let tag = key.seal_in_place(&[0; 12], b"", &mut text)?;
    /// let (head, tail) = text.split_at_mut(32);
    ///
    /// let message = key.segments(&[0; 12]);
    /// let parts = [message.authenticate(0, head)?, message.authenticate(32, tail)?];
    /// let verified = message.verify(b"", &parts, &tag)?;
    /// verified.open_in_place(32, tail)?;
    /// verified.open_in_place(0, head)?;
    /// assert_eq!(text, [7; 40]);
    /// # Ok::<(), carryless::error::OpenError>(())
    /// ```
    pub fn verify<'p>(
        &self,
        aad: &[u8],
        parts: &'p [Partial],
        tag: &[u8],
    ) -> Result<Verified<'k, 'p, C, TAG>, OpenError> {
        let tag = padded(check_tag::<TAG>(tag)?);
        let right = self.of_any_tag().matches(aad, parts, &tag)?;
        verify(right, InOut::in_place(&mut []))?;
        Ok(Verified {
            message: *self,
            parts,
        })
    }

    /// The same message: all but the end of its tag is one code for every length of that.
    pub(super) const fn of_any_tag(self) -> Segments<'k, C> {
        let Self { keys, j0 } = self;
        Segments { keys, j0 }
    }
}

impl<C: EveryAead> Segments<'_, C> {
    /// Hashes a segment of ciphertext.
    fn hash(&self, offset: u64, ciphertext: &[u8]) -> Result<Partial, InputError> {
        let len = ciphertext.len() as u64;
        check_range(offset, len)?;
        Ok(then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
            let mut hash = 0;
            self.keys.absorb(&mut hash, ciphertext);
            self.mask(offset, len, hash)
        }))
    }

    /// The partial of two ranges.
    pub(super) fn join(&self, first: &Partial, second: &Partial) -> Result<Partial, InputError> {
        then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
            let mut hash = self.unmask(first)?;
            self.append(&mut hash, first.start + first.len, second)?;
            Ok(self.mask(first.start, first.len + second.len, hash))
        })
    }

    /// The full tag.
    fn whole_tag(&self, aad: &[u8], parts: &[Partial]) -> Result<Block, InputError> {
        then_overwrite_stack::<{ 2 * FRAMES }, _>(|| self.tag(aad, parts))
    }

    /// Seals or opens a segment.
    pub(super) fn run<D: Direction>(
        &self,
        offset: u64,
        text: InOut<'_>,
    ) -> Result<Partial, InputError> {
        let len = text.len() as u64;
        check_range(offset, len)?;
        then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
            let mut stream = Stream::<AeadKeys<C>, D>::begin_at(self.keys, self.j0, offset);
            stream.text(text)?;
            Ok(self.mask(offset, len, stream.hash()))
        })
    }

    /// Whether `tag` is that of the message; the right one leaves no trace.
    pub(super) fn matches(
        &self,
        aad: &[u8],
        parts: &[Partial],
        tag: &Tag,
    ) -> Result<Choice, InputError> {
        then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
            let mut right = self.tag(aad, parts)?;
            let choice = secret::equal(&right, &tag.bytes, tag.len);
            right.zeroize();
            Ok(choice)
        })
    }

    /// [`whole_tag`](Self::whole_tag), which leaves its stack.
    fn tag(&self, aad: &[u8], parts: &[Partial]) -> Result<Block, InputError> {
        check(&[0; 12], aad, 0)?;
        let (mut hash, mut end) = (0, 0);
        self.keys.absorb(&mut hash, aad);
        for part in parts {
            self.append(&mut hash, end, part)?;
            end += part.len;
        }
        self.keys
            .absorb(&mut hash, &length_block(aad.len() as u64, end));
        Ok(tag_of(self.keys, self.j0, hash))
    }

    /// Adds the hash of `next` behind a text of which `hash` is the hash and which ends at byte `end`.
    fn append(&self, hash: &mut u128, end: u64, next: &Partial) -> Result<(), InputError> {
        let added = self.unmask(next)?;
        let start = next.start;
        if end < start {
            return Err(InputError::SegmentGap { end, start });
        }
        if end > start {
            return Err(InputError::SegmentOverlap { end, start });
        }
        self.keys.shift(hash, next.len.div_ceil(16));
        Gf128::add(hash, &added);
        Ok(())
    }

    /// Encrypts the hash of a range; see the module.
    fn mask(&self, start: u64, len: u64, hash: u128) -> Partial {
        let [mut seal, whitening] = self.tweaks(start, len);
        xor_into(&mut seal, &hash.to_be_bytes());
        self.keys.encrypt_block(&mut seal);
        let mut masked = self.pad(&seal, &whitening);
        xor_into(&mut masked, &hash.to_be_bytes());
        Partial {
            start,
            len,
            seal,
            masked,
        }
    }

    /// The hash that a partial holds.
    fn unmask(&self, partial: &Partial) -> Result<u128, InputError> {
        let Partial {
            start, len, seal, ..
        } = partial;
        let [mut right, whitening] = self.tweaks(*start, *len);
        let mut hash = self.pad(seal, &whitening);
        xor_into(&mut hash, &partial.masked);
        xor_into(&mut right, &hash);
        self.keys.encrypt_block(&mut right);
        // Whether a partial is of this message is what its user must know.
        if secret::equal(&right, seal, 16).publish() {
            Ok(u128::from_be_bytes(hash))
        } else {
            Err(InputError::ForeignPartial)
        }
    }

    /// `t` and `E(w + 1..1)`.
    fn tweaks(&self, start: u64, len: u64) -> [Block; 2] {
        let mut whitening = self.j0.with_count(0).to_block();
        self.keys.encrypt_block(&mut whitening);
        [range_block(start, len), [0xff; 16]].map(|mut block| {
            xor_into(&mut block, &whitening);
            self.keys.encrypt_block(&mut block);
            block
        })
    }

    fn pad(&self, seal: &Block, whitening: &Block) -> Block {
        let mut pad = *seal;
        xor_into(&mut pad, whitening);
        self.keys.encrypt_block(&mut pad);
        pad
    }
}

/// Whether a segment may lie there.
fn check_range(start: u64, len: u64) -> Result<(), InputError> {
    if !start.is_multiple_of(16) {
        return Err(InputError::SegmentOffset { got: start });
    }
    let got = start.saturating_add(len);
    if got > MAX_TEXT {
        return Err(InputError::TextTooLong { got });
    }
    Ok(())
}

mod partial;
mod verified;

pub use self::partial::Partial;
use self::partial::range_block;
pub use self::verified::Verified;

#[cfg(test)]
mod tests;
