//! CCM: counter mode with CBC-MAC (SP 800-38C; RFC 3610).

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::limits::{between, check_key, exact_tag};
use super::nonce::FRAMES;
use super::tag::{first, of_bytes, verify};
use crate::engine::{Block, CipherKeys, Direction, Engine, EveryCipher, InOut, Open, Seal, Tag};
use crate::error::{InputError, KeyError, OpenError, Unavailable};
use crate::secret::{Choice, ZeroedOnDrop, then_overwrite_stack};

mod lengths;
mod stream;
#[cfg(feature = "aead")]
mod traits;

use lengths::Lengths;
#[cfg(feature = "hazmat")]
pub use stream::CcmOpener;
pub use stream::CcmSealer;
use stream::{Stream, compare};

/// AES in CCM, for protocols that ask for it: [`Gcm`](crate::Gcm) is several times faster.
///
/// * `NONCE`: bytes of a nonce, 7 to 13, as the traits of `aead` have it. The methods here take every such length.
/// * `TAG`: bytes of a tag: 8, 10, 12, 14, 16; 4 and 6 need the feature `hazmat`.
///
/// A nonce is used once under a key. The longer it is the shorter is the text: at most 2^(8 (15 - n)) - 1 bytes with
/// a nonce of
/// `n` (13: 64 KiB; 12: 16 MiB; 11: 4 GiB). A key is for at most 2^61 calls of the
/// cipher, one a block of data and two a block of text (SP 800-38C section 5.3).
///
/// # Examples
/// ```
/// use carryless::Aes128Ccm;
///
/// let key = Aes128Ccm::from_slice(&[0x42; 16])?;
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&[1; 12], b"header", &mut text)?;   // a nonce is used once
/// key.open_in_place(&[1; 12], b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
///
/// # Constant time
/// Secret: key, text, AAD, tags. Public: all lengths, nonces, and whether opening succeeded.
#[derive(Clone)]
pub struct Ccm<C: EveryCipher, const NONCE: usize = 12, const TAG: usize = 16> {
    keys: ZeroedOnDrop<CipherKeys<C>>,
}

impl<C: EveryCipher, const NONCE: usize, const TAG: usize> fmt::Debug for Ccm<C, NONCE, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ccm")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher, const NONCE: usize, const TAG: usize> ZeroizeOnDrop for Ccm<C, NONCE, TAG> {}

impl<C: EveryCipher, const NONCE: usize, const TAG: usize> Ccm<C, NONCE, TAG> {
    /// Bytes of a key.
    pub const KEY_LEN: usize = C::KEY_LEN;

    /// Refuses other lengths when compiled.
    const LENGTHS_ARE_ALLOWED: () = {
        assert!(matches!(NONCE, 7..=13), "a CCM nonce is 7 to 13 bytes");
        assert!(
            matches!(TAG, 8 | 10 | 12 | 14 | 16)
                || cfg!(feature = "hazmat") && matches!(TAG, 4 | 6),
            "a CCM tag is 8, 10, 12, 14 or 16 bytes; 4 and 6 need the feature `hazmat`"
        );
    };

    /// Takes a key of [`KEY_LEN`](Self::KEY_LEN) bytes for the selected engine.
    ///
    /// # Errors
    /// [`InputError::Key`] if it has another length.
    ///
    /// # Panics
    /// As [`Engine::selected`].
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, InputError> {
        check_key::<C>(key)?;
        let engine = Engine::selected_for_blocks::<C>();
        Ok(Self::build(engine, key).expect("selected engines are available"))
    }

    /// Takes a key for the engine named.
    ///
    /// # Errors
    /// [`KeyError::Input`] for a key of another length, [`KeyError::Engine`] if this machine can't
    /// use the engine.
    #[inline(always)]
    pub fn with_engine(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        check_key::<C>(key)?;
        Ok(Self::build(engine, key)?)
    }

    /// With a key of the cipher's length.
    #[inline(always)]
    fn build(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
        let () = Self::LENGTHS_ARE_ALLOWED;
        Ok(Self {
            keys: ZeroedOnDrop::new(CipherKeys::with_engine(engine, key)?),
        })
    }

    /// The engine that this key uses.
    pub const fn engine(&self) -> Engine {
        self.keys.get().engine()
    }

    /// Seals `text` where it stands; the tag.
    ///
    /// # Errors
    /// [`InputError::CcmNonce`], [`InputError::CcmText`]; `text` is as before then.
    #[inline]
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
    ) -> Result<[u8; TAG], InputError> {
        self.seal(nonce, aad, InOut::in_place(text))
    }

    /// Seals `plaintext` into `ciphertext`, which has the same length; the tag.
    ///
    /// # Errors
    /// [`InputError`]; nothing is written then.
    #[inline]
    pub fn seal_into(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<[u8; TAG], InputError> {
        self.seal(nonce, aad, between(plaintext, ciphertext)?)
    }

    /// Opens `text` where it stands.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`] if the tag is wrong, with `text` zeroed; [`OpenError::Input`]
    /// for lengths that can't be right, with `text` as before.
    #[inline]
    pub fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError> {
        self.open(nonce, aad, InOut::in_place(text), tag)
    }

    /// Opens `ciphertext` into `plaintext`, which has the same length.
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place); on a wrong tag `plaintext` is zeroed.
    #[inline]
    pub fn open_into(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError> {
        self.open(nonce, aad, between(ciphertext, plaintext)?, tag)
    }

    /// Begins a message that is sealed piece by piece; how long it will be is declared first, since its first block
    /// says so.
    ///
    /// # Errors
    /// [`InputError::CcmNonce`], [`InputError::CcmText`].
    #[inline]
    pub fn sealer(
        &self,
        nonce: &[u8],
        aad_len: u64,
        text_len: u64,
    ) -> Result<CcmSealer<'_, C, TAG>, InputError> {
        let lengths = Lengths::new::<TAG>(nonce, aad_len)?.with_text(text_len)?;
        Ok(CcmSealer::of(self.begin(nonce, lengths)))
    }

    /// Begins a message that is opened piece by piece, giving out unverified plaintext.
    ///
    /// # Errors
    /// As [`sealer`](Self::sealer).
    #[cfg(feature = "hazmat")]
    #[inline]
    pub fn opener(
        &self,
        nonce: &[u8],
        aad_len: u64,
        text_len: u64,
    ) -> Result<CcmOpener<'_, C, TAG>, InputError> {
        let lengths = Lengths::new::<TAG>(nonce, aad_len)?.with_text(text_len)?;
        Ok(CcmOpener::of(self.begin(nonce, lengths)))
    }

    #[inline(always)]
    fn begin<D: Direction>(&self, nonce: &[u8], lengths: Lengths) -> Stream<'_, C, D> {
        then_overwrite_stack::<FRAMES, _>(|| Stream::begin(self.keys.get(), nonce, lengths))
    }

    #[inline]
    fn seal(&self, nonce: &[u8], aad: &[u8], text: InOut<'_>) -> Result<[u8; TAG], InputError> {
        let lengths = Lengths::new::<TAG>(nonce, aad.len() as u64)?.with_text(text.len() as u64)?;
        Ok(first(&mut seal_whole(
            self.keys.get(),
            nonce,
            lengths,
            aad,
            text,
        )?))
    }

    #[inline]
    fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut text: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), OpenError> {
        let lengths = Lengths::new::<TAG>(nonce, aad.len() as u64)?;
        let tag = of_bytes(exact_tag::<TAG>(tag)?);
        let lengths = lengths.with_text(text.len() as u64)?;
        let right = open_whole(self.keys.get(), nonce, lengths, aad, text.reborrow(), &tag)?;
        Ok(verify(right, text)?)
    }
}

/// Seals a message; the full tag.
fn seal_whole<C: EveryCipher>(
    keys: &CipherKeys<C>,
    nonce: &[u8],
    lengths: Lengths,
    aad: &[u8],
    text: InOut<'_>,
) -> Result<Block, InputError> {
    then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
        let mut stream = Stream::<C, Seal>::begin(keys, nonce, lengths);
        stream.aad(aad)?;
        stream.text(text)?;
        Ok(stream.end())
    })
}

/// Opens a message; whether `tag` is its tag.
fn open_whole<C: EveryCipher>(
    keys: &CipherKeys<C>,
    nonce: &[u8],
    lengths: Lengths,
    aad: &[u8],
    text: InOut<'_>,
    tag: &Tag,
) -> Result<Choice, InputError> {
    then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
        let mut stream = Stream::<C, Open>::begin(keys, nonce, lengths);
        stream.aad(aad)?;
        stream.text(text)?;
        Ok(compare(stream.end(), tag))
    })
}

#[cfg(test)]
mod tests;
