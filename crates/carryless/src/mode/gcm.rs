//! Galois/Counter Mode: one call, one message (SP 800-38D section 7).

use core::fmt;
use core::ops::Range;

use zeroize::ZeroizeOnDrop;

use super::limits::{TagLen, between, check, check_key, check_tag};
use super::nonce::j0;
use super::stream::Sealer;
use super::tag::{padded, shorten, verify};
use super::whole;
use crate::engine::{AeadKeys, Counter, Engine, EveryAead, InOut, Message};
use crate::error::{InputError, KeyError, OpenError};
use crate::secret::ZeroedOnDrop;

/// An AES-GCM key: expanded round keys, powers of H, and the engine that uses them.
///
/// `C` is the cipher; [`Aes128Gcm`](crate::Aes128Gcm), [`Aes192Gcm`](crate::Aes192Gcm) and
/// [`Aes256Gcm`](crate::Aes256Gcm) name the usual three. `NONCE` is the nonce length of the `aead`
/// traits; the methods here take any nonce of at least one byte, 12 being the fast and recommended
/// length. `TAG` is the tag length in bytes: 12 to 16, with feature `hazmat` also 4 and 8.
///
/// A key is used from any number of threads by reference. Every byte of it is zeroed when it is dropped,
/// and no call leaves anything secret on the stack; a move of the value, as of any Rust value, may
/// leave a copy behind. A [`Slot`](crate::Slot) makes it where it stays.
///
/// **Never seal two messages with one nonce under one key**: that reveals the XOR of the texts and
/// the key of the hash. If you can't count, use [`RandomNonceSealer`](crate::RandomNonceSealer).
///
/// # Examples
/// ```
/// use carryless::Aes128Gcm;
///
/// let key = Aes128Gcm::from_slice(&[0x42; 16])?;
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&[7; 12], b"header", &mut text)?;
/// key.open_in_place(&[7; 12], b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Other tag lengths do not compile, whichever way a tag is made or taken:
///
/// ```compile_fail,E0080
/// let _ = carryless::Gcm::<carryless::Aes128, 12, 11>::from_slice(&[0; 16]);
/// ```
/// ```compile_fail,E0080
/// let _ = carryless::Gcm::<carryless::Aes128, 12, 0>::open_once(&[0; 16], &[0; 12], b"", &mut [], b"");
/// ```
/// ```compile_fail,E0080
/// let _ = carryless::Gcm::<carryless::Aes128, 12, 17>::seal_once(&[0; 16], &[0; 12], b"", &mut []);
/// ```
///
/// # Constant time
/// Secret: key, text, AAD, tags. Public: all lengths, and whether opening succeeded.
#[derive(Clone)]
pub struct Gcm<C: EveryAead, const NONCE: usize = 12, const TAG: usize = 16> {
    pub(super) keys: ZeroedOnDrop<AeadKeys<C>>,
}

impl<C: EveryAead, const NONCE: usize, const TAG: usize> fmt::Debug for Gcm<C, NONCE, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gcm")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

/// The parts of a key wipe themselves.
impl<C: EveryAead, const NONCE: usize, const TAG: usize> ZeroizeOnDrop for Gcm<C, NONCE, TAG> {}

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Bytes of a key.
    pub const KEY_LEN: usize = C::KEY_LEN;

    /// Takes a key of [`KEY_LEN`](Self::KEY_LEN) bytes for the selected engine.
    ///
    /// # Errors
    /// [`InputError::Key`] if it has another length.
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, InputError> {
        check_key::<C>(key)?;
        Self::build_in_place(Engine::selected_for::<C>(), key)
    }

    /// Takes a key for the engine named.
    ///
    /// # Errors
    /// [`KeyError::Input`] for a key of another length, [`KeyError::Engine`] if this machine can't
    /// use the engine.
    ///
    /// # Examples
    /// ```
    /// use carryless::{Aes256Gcm, Engine};
    ///
    /// let key = Aes256Gcm::with_engine(&[1; 32], Engine::Soft64)?;
    /// assert_eq!(key.engine(), Engine::Soft64);
    /// # Ok::<(), carryless::error::KeyError>(())
    /// ```
    #[inline(always)]
    pub fn with_engine(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        check_key::<C>(key)?;
        engine.runs_aead::<C>()?;
        Self::build_in_place(engine, key)
    }

    /// The result has its place before the key is set in it: to wrap a key is to copy it.
    #[inline(always)]
    fn build_in_place<E>(engine: Engine, key: &[u8]) -> Result<Self, E> {
        let empty = |keys| Ok(Self::of(keys));
        AeadKeys::build_in_place(
            engine,
            empty,
            #[inline(always)]
            |made| match made {
                Ok(gcm) => gcm.set(key),
                Err(_) => 0,
            },
        )
    }

    /// Sets a key of the cipher's length; the address behind it.
    #[inline(always)]
    pub(super) fn set(&mut self, key: &[u8]) -> usize {
        self.keys.get_mut().set(key)
    }

    /// With these keys, which may be empty yet.
    #[inline(always)]
    pub(super) fn of(keys: AeadKeys<C>) -> Self {
        let () = TagLen::<TAG>::IS_ALLOWED;
        Self {
            keys: ZeroedOnDrop::new(keys),
        }
    }

    /// The engine that this key uses.
    #[inline]
    pub const fn engine(&self) -> Engine {
        self.keys.get().engine()
    }

    /// Seals `text` where it stands; the tag.
    ///
    /// # Errors
    /// [`InputError`] for an empty nonce or a length beyond the limits of SP 800-38D; `text` is
    /// as before then.
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
    ///
    /// # Examples
    /// ```
    /// let key = carryless::Aes256Gcm::from_slice(&[1; 32])?;
    /// let mut sealed = [0; 5];
    /// let tag = key.seal_into(&[0; 12], b"", b"hello", &mut sealed)?;
    /// let mut opened = [0; 5];
    /// key.open_into(&[0; 12], b"", &sealed, &mut opened, &tag)?;
    /// assert_eq!(&opened, b"hello");
    /// # Ok::<(), carryless::error::OpenError>(())
    /// ```
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

    /// Seals a text that lies in pieces, as one message, into `ciphertext`, which has the length of
    /// all together; the tag.
    ///
    /// # Errors
    /// [`InputError`]; nothing is written then.
    ///
    /// # Examples
    /// ```
    /// let key = carryless::Aes128Gcm::from_slice(&[1; 16])?;
    /// let mut sealed = [0; 11];
    /// let tag = key.seal_scatter(&[0; 12], b"", &[b"hello", b" ", b"world"], &mut sealed)?;
    /// let mut whole = *b"hello world";
    /// assert_eq!(key.seal_in_place(&[0; 12], b"", &mut whole)?, tag);
    /// assert_eq!(whole, sealed);
    /// # Ok::<(), carryless::error::InputError>(())
    /// ```
    pub fn seal_scatter(
        &self,
        nonce: &[u8],
        aad: &[u8],
        pieces: &[&[u8]],
        ciphertext: &mut [u8],
    ) -> Result<[u8; TAG], InputError> {
        let expected = pieces
            .iter()
            .fold(0, |sum: usize, piece| sum.saturating_add(piece.len()));
        if ciphertext.len() != expected {
            return Err(InputError::Output {
                got: ciphertext.len(),
                expected,
            });
        }
        check(nonce, aad, expected)?;
        let mut tag = whole::seal_pieces(self.keys.get(), nonce, aad, pieces, ciphertext)?;
        Ok(shorten(&mut tag))
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

    /// Opens the ciphertext `buffer[ciphertext]` to `buffer[plaintext..]`, and gives the plaintext.
    ///
    /// The two ranges are equal or disjoint.
    ///
    /// # Errors
    /// [`InputError::Overlap`] (in [`OpenError::Input`]) if they overlap otherwise or lie outside
    /// the buffer; the rest as [`open_in_place`](Self::open_in_place).
    ///
    /// # Examples
    /// ```
    /// let key = carryless::Aes128Gcm::from_slice(&[1; 16])?;
    /// let mut packet = *b"0123....data";
    /// let tag = key.seal_in_place(&[0; 12], b"", &mut packet[8..])?;
    /// assert_eq!(key.open_within(&[0; 12], b"", &mut packet, 8..12, 0, &tag)?, b"data");
    /// # Ok::<(), carryless::error::OpenError>(())
    /// ```
    pub fn open_within<'b>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        buffer: &'b mut [u8],
        ciphertext: Range<usize>,
        plaintext: usize,
        tag: &[u8],
    ) -> Result<&'b mut [u8], OpenError> {
        let len = ciphertext.len();
        let text = InOut::within(buffer, ciphertext, plaintext).map_err(|_| InputError::Overlap)?;
        self.open(nonce, aad, text, tag)?;
        Ok(&mut buffer[plaintext..plaintext + len])
    }

    /// Begins a message that is sealed piece by piece.
    ///
    /// # Errors
    /// [`InputError`] for an empty or too long nonce.
    #[inline(always)]
    pub fn sealer(&self, nonce: &[u8]) -> Result<Sealer<'_, C, TAG>, InputError> {
        check(nonce, &[], 0)?;
        Ok(Sealer::begin(self.keys.get(), j0(self.keys.get(), nonce)))
    }

    /// Begins a message that is opened piece by piece, giving out unverified plaintext.
    ///
    /// # Errors
    /// [`InputError`] for an empty or too long nonce.
    #[cfg(feature = "hazmat")]
    #[inline(always)]
    pub fn opener(&self, nonce: &[u8]) -> Result<super::stream::Opener<'_, C, TAG>, InputError> {
        check(nonce, &[], 0)?;
        Ok(super::stream::Opener::begin(
            self.keys.get(),
            j0(self.keys.get(), nonce),
        ))
    }

    #[inline(always)]
    pub(super) fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: InOut<'_>,
    ) -> Result<[u8; TAG], InputError> {
        check(nonce, aad, text.len())?;
        let keys = self.keys.get();
        let mut tag = [0; 16];
        match nonce.try_into() {
            // What most messages are; the dispatch to every engine is in it.
            Ok(nonce) if TAG == 16 => {
                let j0 = Counter::from_nonce(nonce);
                keys.seal(Message { j0, aad, text }, &mut tag);
            }
            Ok(nonce) => whole::seal(keys, nonce, aad, text, &mut tag),
            Err(_) => tag = whole::seal_under_hashed(keys, nonce, aad, text)?,
        }
        Ok(shorten(&mut tag))
    }

    #[inline(always)]
    pub(super) fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut text: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), OpenError> {
        check(nonce, aad, text.len())?;
        let tag = padded(check_tag::<TAG>(tag)?);
        let keys = self.keys.get();
        let right = match nonce.try_into() {
            Ok(nonce) if TAG == 16 => {
                let j0 = Counter::from_nonce(nonce);
                let text = text.reborrow();
                keys.open(Message { j0, aad, text }, &tag)
            }
            Ok(nonce) => whole::open(keys, nonce, aad, text.reborrow(), &tag),
            Err(_) => whole::open_under_hashed(keys, nonce, aad, text.reborrow(), &tag)?,
        };
        Ok(verify(right, text)?)
    }
}
