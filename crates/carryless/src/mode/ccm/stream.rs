//! A message piece by piece, its lengths declared before the first: sealing for everybody, opening (unverified
//! plaintext) for
//! `hazmat`.

use core::fmt;
use core::marker::PhantomData;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::super::chain::Chain;
use super::super::limits::between;
#[cfg(feature = "hazmat")]
use super::super::limits::exact_tag;
use super::super::nonce::FRAMES;
use super::super::tag::first;
#[cfg(feature = "hazmat")]
use super::super::tag::{of_bytes, verify};
use super::lengths::Lengths;
#[cfg(feature = "hazmat")]
use crate::engine::Open;
use crate::engine::{
    Block, CipherKeys, Counter, Direction, EveryCipher, InOut, Seal, Tag, xor_into,
};
use crate::error::InputError;
#[cfg(feature = "hazmat")]
use crate::error::OpenError;
use crate::secret::{self, Choice, then_overwrite_stack};

/// A message in the making, in either direction.
pub(super) struct Stream<'k, C: EveryCipher, D: Direction> {
    keys: &'k CipherKeys<C>,
    chain: Chain,
    /// The counter block of the tag; those of the text follow.
    counter: u128,
    declared: Lengths,
    aad_len: u64,
    text_len: u64,
    /// The key stream of the block that the text is in the middle of.
    stream: Block,
    direction: PhantomData<D>,
}

impl<C: EveryCipher, D: Direction> Drop for Stream<'_, C, D> {
    fn drop(&mut self) {
        secret::wipe(&mut self.stream);
    }
}

impl<'k, C: EveryCipher, D: Direction> Stream<'k, C, D> {
    /// * `nonce`: of the length that was declared.
    pub(super) fn begin(keys: &'k CipherKeys<C>, nonce: &[u8], declared: Lengths) -> Self {
        let [block, counter] = declared.blocks(nonce);
        let mut chain = Chain::of(block.to_be_bytes());
        // The length of the AAD in front of it (SP 800-38C appendix A.2.2).
        let len = declared.aad.to_be_bytes();
        match declared.aad {
            0 => {}
            1..0xff00 => chain.absorb(keys, &len[6..]),
            0xff00..0x1_0000_0000 => {
                chain.absorb(keys, &[0xff, 0xfe]);
                chain.absorb(keys, &len[4..]);
            }
            _ => {
                chain.absorb(keys, &[0xff, 0xff]);
                chain.absorb(keys, &len);
            }
        }
        Self {
            keys,
            chain,
            counter,
            declared,
            aad_len: 0,
            text_len: 0,
            stream: [0; 16],
            direction: PhantomData,
        }
    }

    /// Adds AAD.
    pub(super) fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        let got = self.aad_len.saturating_add(aad.len() as u64);
        if got > self.declared.aad {
            return Err(self.wrong_aad(got));
        }
        self.aad_len = got;
        self.chain.absorb(self.keys, aad);
        Ok(())
    }

    fn wrong_aad(&self, got: u64) -> InputError {
        InputError::DeclaredAad {
            got,
            expected: self.declared.aad,
        }
    }

    /// Adds text, behind all AAD.
    pub(super) fn text(&mut self, mut text: InOut<'_>) -> Result<(), InputError> {
        let got = self.text_len.saturating_add(text.len() as u64);
        if text.is_empty() {
            return Ok(());
        }
        if self.aad_len < self.declared.aad {
            return Err(self.wrong_aad(self.aad_len));
        }
        if got > self.declared.text {
            return Err(InputError::DeclaredText {
                got,
                expected: self.declared.text,
            });
        }
        // Behind the AAD, and behind each block of text, a block waits for the next.
        if self.text_len == 0 {
            self.chain.pad();
        }
        let filled = (self.text_len % 16) as usize;
        if filled > 0 {
            let len = text.len().min(16 - filled);
            self.partial(filled, text.split_to(len));
        }
        let whole = text.len() & !15;
        if let Some(whole) = text.split_to(whole).filter(|whole| !whole.is_empty()) {
            let blocks = self.text_len.div_ceil(16);
            counted(
                self.counter + 1 + u128::from(blocks),
                whole,
                |counter, text| {
                    self.keys.ccm(counter, &mut self.chain.block, text, D::SEAL);
                },
            );
        }
        self.text_len = got;
        if !text.is_empty() {
            self.stream = (self.counter + 1 + u128::from(got / 16)).to_be_bytes();
            self.chain.close_beside(self.keys, &mut self.stream);
            self.partial(0, Some(text));
        }
        Ok(())
    }

    /// The bytes of one block from `at` on.
    fn partial(&mut self, at: usize, text: Option<InOut<'_>>) {
        let Some(mut text) = text else { return };
        let mut plain = [0; 16];
        for (i, plain) in plain.iter_mut().enumerate().take(text.len()) {
            let [before] = text.get(i);
            let after = before ^ self.stream[at + i];
            *plain = if D::SEAL { before } else { after };
            text.set(i, &[after]);
        }
        self.chain.absorb(self.keys, &plain[..text.len()]);
        plain.zeroize();
        // What was used is not to lie in a place that a stream was moved from; the rest never was.
        secret::wipe(&mut self.stream[at..at + text.len()]);
    }

    /// The full tag, if all came that was declared.
    pub(super) fn finish(&mut self) -> Result<Block, InputError> {
        if self.aad_len < self.declared.aad {
            return Err(self.wrong_aad(self.aad_len));
        }
        if self.text_len < self.declared.text {
            return Err(InputError::DeclaredText {
                got: self.text_len,
                expected: self.declared.text,
            });
        }
        Ok(self.end())
    }

    /// The full tag of all that came.
    pub(super) fn end(&mut self) -> Block {
        let mut mask = self.counter.to_be_bytes();
        self.chain.close_beside(self.keys, &mut mask);
        xor_into(&mut mask, &self.chain.block);
        mask
    }
}

/// Whether `tag` is the right one, which leaves no trace.
pub(super) fn compare(mut right: Block, tag: &Tag) -> Choice {
    let choice = secret::equal(&right, &tag.bytes, tag.len);
    right.zeroize();
    choice
}

/// Has `run` go through the text from the counter block on. Engines count in 32 bits: it is carried where these wrap.
pub(super) fn counted(
    mut counter: u128,
    mut text: InOut<'_>,
    mut run: impl FnMut(Counter, InOut<'_>),
) {
    while !text.is_empty() {
        let block = Counter::from_block(&counter.to_be_bytes());
        let until_wrap = (1 << 32) - u64::from(block.count());
        let most = usize::try_from(16 * until_wrap).unwrap_or(usize::MAX);
        let Some(piece) = text.split_to(most.min(text.len())) else {
            return;
        };
        run(block, piece);
        counter += u128::from(until_wrap);
    }
}

/// A message that is sealed piece by piece; from [`Ccm::sealer`](crate::Ccm::sealer).
///
/// It is wiped when dropped. A move, that into [`finish`](Self::finish) included, may leave a copy of the chain in
/// the old place.
///
/// # Examples
/// ```
/// let key = carryless::Aes256Ccm::from_slice(&[1; 32])?;
/// let mut text = *b"one, two, three";
/// let mut sealer = key.sealer(&[0; 12], 6, 15)?;
/// sealer.aad(b"header")?;
/// sealer.seal_in_place(&mut text[..5])?;
/// sealer.seal_in_place(&mut text[5..])?;
/// let tag = sealer.finish()?;
/// key.open_in_place(&[0; 12], b"header", &mut text, &tag)?;
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
pub struct CcmSealer<'k, C: EveryCipher, const TAG: usize = 16> {
    stream: Stream<'k, C, Seal>,
}

impl<C: EveryCipher, const TAG: usize> fmt::Debug for CcmSealer<'_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CcmSealer")
            .field("cipher", &C::NAME)
            .field("text_len", &self.stream.text_len)
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher, const TAG: usize> ZeroizeOnDrop for CcmSealer<'_, C, TAG> {}

impl<'k, C: EveryCipher, const TAG: usize> CcmSealer<'k, C, TAG> {
    #[inline(always)]
    pub(super) fn of(stream: Stream<'k, C, Seal>) -> Self {
        Self { stream }
    }

    /// Adds additional data; all of it comes before the text.
    ///
    /// # Errors
    /// [`InputError::DeclaredAad`] if it is more than declared.
    #[inline]
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        then_overwrite_stack::<FRAMES, _>(|| self.stream.aad(aad))
    }

    /// Seals the next piece of the text where it stands.
    ///
    /// # Errors
    /// [`InputError::DeclaredAad`] if some of that is missing, [`InputError::DeclaredText`] if it is more than
    /// declared; the piece
    /// is as before then.
    #[inline]
    pub fn seal_in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        let text = InOut::in_place(text);
        then_overwrite_stack::<FRAMES, _>(|| self.stream.text(text))
    }

    /// Seals the next piece of the text into `ciphertext`, which has the same length.
    ///
    /// # Errors
    /// [`InputError::Output`], and as [`seal_in_place`](Self::seal_in_place); nothing is written then.
    #[inline]
    pub fn seal_into(&mut self, plaintext: &[u8], ciphertext: &mut [u8]) -> Result<(), InputError> {
        let text = between(plaintext, ciphertext)?;
        then_overwrite_stack::<FRAMES, _>(|| self.stream.text(text))
    }

    /// Ends the message; the tag.
    ///
    /// # Errors
    /// [`InputError::DeclaredAad`], [`InputError::DeclaredText`] if some is missing.
    #[inline(always)]
    pub fn finish(mut self) -> Result<[u8; TAG], InputError> {
        Ok(first(&mut then_overwrite_stack::<FRAMES, _>(|| {
            self.stream.finish()
        })?))
    }
}

/// A message that is opened piece by piece, giving out **plaintext that nobody verified** until
/// [`finish`](Self::finish) succeeds; from [`Ccm::opener`](crate::Ccm::opener).
///
/// Whoever acts on the plaintext before that acts on an attacker's words. Prefer one-call opening.
///
/// # Examples
/// ```
/// use carryless::Aes128Ccm;
///
/// let key = Aes128Ccm::from_slice(&[0x42; 16])?;
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&[1; 12], b"", &mut text)?;
///
/// let mut opener = key.opener(&[1; 12], 0, 14)?;
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
pub struct CcmOpener<'k, C: EveryCipher, const TAG: usize = 16> {
    stream: Stream<'k, C, Open>,
}

#[cfg(feature = "hazmat")]
impl<C: EveryCipher, const TAG: usize> fmt::Debug for CcmOpener<'_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CcmOpener")
            .field("cipher", &C::NAME)
            .field("text_len", &self.stream.text_len)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "hazmat")]
impl<C: EveryCipher, const TAG: usize> ZeroizeOnDrop for CcmOpener<'_, C, TAG> {}

#[cfg(feature = "hazmat")]
impl<'k, C: EveryCipher, const TAG: usize> CcmOpener<'k, C, TAG> {
    #[inline(always)]
    pub(super) fn of(stream: Stream<'k, C, Open>) -> Self {
        Self { stream }
    }

    /// Adds additional data; all of it comes before the text.
    ///
    /// # Errors
    /// As [`CcmSealer::aad`].
    #[inline]
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), InputError> {
        then_overwrite_stack::<FRAMES, _>(|| self.stream.aad(aad))
    }

    /// Decrypts the next piece of the text where it stands; it is not verified yet.
    ///
    /// # Errors
    /// As [`CcmSealer::seal_in_place`].
    #[inline]
    pub fn open_in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
        let text = InOut::in_place(text);
        then_overwrite_stack::<FRAMES, _>(|| self.stream.text(text))
    }

    /// Decrypts the next piece of the text into `plaintext`, which has the same length; it is not verified yet.
    ///
    /// # Errors
    /// As [`CcmSealer::seal_into`].
    #[inline]
    pub fn open_into(&mut self, ciphertext: &[u8], plaintext: &mut [u8]) -> Result<(), InputError> {
        let text = between(ciphertext, plaintext)?;
        then_overwrite_stack::<FRAMES, _>(|| self.stream.text(text))
    }

    /// Ends the message and verifies it: only now is the plaintext to be believed.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`]: throw away all that was given out. [`OpenError::Input`] if some is missing, or for
    /// a tag of
    /// another length.
    #[inline(always)]
    pub fn finish(mut self, tag: &[u8]) -> Result<(), OpenError> {
        let tag = of_bytes(exact_tag::<TAG>(tag)?);
        let right = then_overwrite_stack::<FRAMES, _>(|| {
            self.stream.finish().map(|right| compare(right, &tag))
        })?;
        Ok(verify(right, InOut::in_place(&mut []))?)
    }
}
