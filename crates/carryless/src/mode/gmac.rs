//! GMAC: the tag of additional data alone (SP 800-38D section 3).

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::gcm::Gcm;
use super::hashing::Hashing;
use super::limits::{MAX_HASHED, check, check_key, check_tag};
use super::nonce::{FRAMES, j0};
use super::tag::{padded, shorten, tag_of, verify};
use crate::engine::{AeadKeys, Block, Counter, Engine, EveryAead, InOut, length_block};
use crate::error::{InputError, KeyError, OpenError};
use crate::secret::{self, then_overwrite_stack};

/// A message authentication code: GCM without text.
///
/// Unlike HMAC or CMAC it needs **a nonce that never repeats under the key**: two tags with one nonce
/// reveal the hash key, and with it every forgery.
///
/// # Examples
/// ```
/// use carryless::{Aes128, Gmac};
///
/// let mac = Gmac::<Aes128>::from_slice(&[3; 16])?;
/// let tag = mac.mac(&[0; 12], b"a message in the clear")?;
/// mac.verify(&[0; 12], b"a message in the clear", &tag)?;
/// assert!(mac.verify(&[0; 12], b"another", &tag).is_err());
///
/// let mut pieces = mac.begin(&[0; 12])?;   // the same message: the nonce may be the same
/// pieces.update(b"a message")?;
/// pieces.update(b" in the clear")?;
/// assert_eq!(pieces.finish(), tag);
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
#[derive(Clone)]
pub struct Gmac<C: EveryAead, const TAG: usize = 16> {
    gcm: Gcm<C, 12, TAG>,
}

impl<C: EveryAead, const TAG: usize> fmt::Debug for Gmac<C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gmac")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl<C: EveryAead, const TAG: usize> ZeroizeOnDrop for Gmac<C, TAG> {}

impl<C: EveryAead, const TAG: usize> Gmac<C, TAG> {
    /// Takes a key for the selected engine.
    ///
    /// # Errors
    /// [`InputError::Key`] if it has not the length of the cipher's keys.
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, InputError> {
        check_key::<C>(key)?;
        Self::build_in_place(Engine::selected_for::<C>(), key)
    }

    /// Takes a key for the engine named.
    ///
    /// # Errors
    /// As [`Gcm::with_engine`].
    #[inline(always)]
    pub fn with_engine(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        check_key::<C>(key)?;
        engine.runs_aead::<C>()?;
        Self::build_in_place(engine, key)
    }

    /// As [`Gcm::build_in_place`].
    #[inline(always)]
    fn build_in_place<E>(engine: Engine, key: &[u8]) -> Result<Self, E> {
        let empty = |keys| Ok(Self { gcm: Gcm::of(keys) });
        AeadKeys::build_in_place(engine, empty, |made| match made {
            Ok(gmac) => gmac.gcm.set(key),
            Err(_) => 0,
        })
    }

    /// The engine that this key uses.
    pub const fn engine(&self) -> Engine {
        self.gcm.engine()
    }

    /// The tag of `data`.
    ///
    /// # Errors
    /// [`InputError`] for an empty nonce or a length beyond the limits of SP 800-38D.
    pub fn mac(&self, nonce: &[u8], data: &[u8]) -> Result<[u8; TAG], InputError> {
        self.gcm.seal_in_place(nonce, data, &mut [])
    }

    /// Whether `tag` is the tag of `data`.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`] if not; [`OpenError::Input`] for lengths that can't be right.
    pub fn verify(&self, nonce: &[u8], data: &[u8], tag: &[u8]) -> Result<(), OpenError> {
        self.gcm.open_in_place(nonce, data, &mut [], tag)
    }

    /// Begins a message that comes piece by piece.
    ///
    /// # Errors
    /// [`InputError`] for an empty or too long nonce.
    #[inline(always)]
    pub fn begin(&self, nonce: &[u8]) -> Result<GmacStream<'_, C, TAG>, InputError> {
        check(nonce, &[], 0)?;
        Ok(GmacStream {
            keys: self.keys(),
            message: Message::begin(self.keys(), nonce),
        })
    }

    /// The keys of its GCM.
    #[inline(always)]
    pub(super) fn keys(&self) -> &AeadKeys<C> {
        self.gcm.keys.get()
    }
}

/// A message in the making.
#[derive(Clone)]
pub(super) struct Message {
    j0: Counter,
    hashing: Hashing,
    len: u64,
}

impl Drop for Message {
    fn drop(&mut self) {
        // A nonce that was hashed gives a secret: it is a hash under H.
        self.j0.zeroize();
    }
}

impl Message {
    /// Begins under a nonce of a length that is allowed.
    #[inline(always)]
    pub(super) fn begin<C: EveryAead>(keys: &AeadKeys<C>, nonce: &[u8]) -> Self {
        Self {
            j0: j0(keys, nonce),
            hashing: Hashing::default(),
            len: 0,
        }
    }

    /// Adds data.
    pub(super) fn update<C: EveryAead>(
        &mut self,
        keys: &AeadKeys<C>,
        data: &[u8],
    ) -> Result<(), InputError> {
        let got = self.len.saturating_add(data.len() as u64);
        if got > MAX_HASHED {
            return Err(InputError::AadTooLong { got });
        }
        self.hashing.add(keys, self.len, data);
        self.len = got;
        Ok(())
    }

    /// The full tag.
    pub(super) fn finish<C: EveryAead>(&mut self, keys: &AeadKeys<C>) -> Block {
        if !self.len.is_multiple_of(16) {
            self.hashing.absorb_pending(keys);
        }
        keys.absorb(&mut self.hashing.acc, &length_block(self.len, 0));
        tag_of(keys, self.j0, self.hashing.acc)
    }
}

/// A message whose tag is made piece by piece; from [`Gmac::begin`].
///
/// All pieces together have at most 2^61 - 1 bytes (SP 800-38D section 5.2.1.1). It is wiped when dropped. A move, that into
/// [`finish`](Self::finish) included, may leave a copy of the hash in the making in the old place.
///
/// # Examples
/// ```
/// use carryless::{Aes256, Gmac, error::InputError};
///
/// let mac = Gmac::<Aes256>::from_slice(&[3; 32])?;
/// let mut message = mac.begin(&[0; 12])?;     // a nonce is used once
/// for piece in [&b"a message"[..], b" in", b" pieces"] {
///     message.update(piece)?;
/// }
/// let tag = message.finish();
///
/// let mut message = mac.begin(&[0; 12])?;
/// message.update(b"a message in pieces")?;
/// message.verify(&tag)?;
/// assert_eq!(mac.begin(&[]).err(), Some(InputError::EmptyNonce));
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
pub struct GmacStream<'k, C: EveryAead, const TAG: usize = 16> {
    keys: &'k AeadKeys<C>,
    message: Message,
}

impl<C: EveryAead, const TAG: usize> fmt::Debug for GmacStream<'_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GmacStream")
            .field("cipher", &C::NAME)
            .field("len", &self.message.len)
            .finish_non_exhaustive()
    }
}

impl<C: EveryAead, const TAG: usize> ZeroizeOnDrop for GmacStream<'_, C, TAG> {}

impl<C: EveryAead, const TAG: usize> GmacStream<'_, C, TAG> {
    /// Adds data.
    ///
    /// # Errors
    /// [`InputError::AadTooLong`] for all together.
    #[inline]
    pub fn update(&mut self, data: &[u8]) -> Result<(), InputError> {
        then_overwrite_stack::<FRAMES, _>(|| self.message.update(self.keys, data))
    }

    /// Ends the message; the tag.
    #[must_use]
    #[inline(always)]
    pub fn finish(mut self) -> [u8; TAG] {
        shorten(&mut then_overwrite_stack::<FRAMES, _>(|| {
            self.message.finish(self.keys)
        }))
    }

    /// Ends the message; whether `tag` is its tag.
    ///
    /// # Errors
    /// As [`Gmac::verify`].
    #[inline(always)]
    pub fn verify(mut self, tag: &[u8]) -> Result<(), OpenError> {
        let tag = padded(check_tag::<TAG>(tag)?);
        let right = then_overwrite_stack::<FRAMES, _>(|| {
            let mut right = self.message.finish(self.keys);
            let choice = secret::equal(&right, &tag.bytes, tag.len);
            right.zeroize();
            choice
        });
        Ok(verify(right, InOut::in_place(&mut []))?)
    }
}
