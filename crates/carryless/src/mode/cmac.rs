//! CMAC: a block cipher as a message authentication code (SP 800-38B; with AES-128 it is RFC 4493).

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::chain::Chain;
use super::limits::{check_key, exact_tag};
use super::tag::{first, of_bytes, verify};
use crate::engine::{Engine, EveryCipher, InOut};
use crate::error::{InputError, KeyError, OpenError, Unavailable};

mod key;

use key::MacKey;

/// A message authentication code that needs no nonce: CMAC with tags of `TAG` bytes, 8 to 16; 4 to 7 need the feature
/// `hazmat`.
///
/// A key makes at most 2^48 tags (SP 800-38B appendix B, for blocks of 16 bytes). Each block waits for the one before
/// it:
/// where a nonce can be had [`Gmac`](crate::Gmac) is several times faster, and where there are several messages
/// [`mac_each`](Self::mac_each) is.
///
/// # Examples
/// ```
/// use carryless::{Aes128, Cmac};
///
/// let mac = Cmac::<Aes128>::from_slice(&[3; 16])?;
/// let tag = mac.mac(b"a message in the clear");
/// mac.verify(b"a message in the clear", &tag)?;
/// assert!(mac.verify(b"another", &tag).is_err());
///
/// let mut pieces = mac.begin();
/// pieces.update(b"a message");
/// pieces.update(b" in the clear");
/// assert_eq!(pieces.finish(), tag);
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
///
/// # Constant time
/// Secret: key, data, tags. Public: all lengths, and whether verification succeeded.
#[derive(Clone)]
pub struct Cmac<C: EveryCipher, const TAG: usize = 16> {
    pub(super) key: MacKey<C>,
    /// The message of the traits of `digest`, which know no key apart from one.
    #[cfg(feature = "digest")]
    pub(super) message: Chain,
}

impl<C: EveryCipher, const TAG: usize> fmt::Debug for Cmac<C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cmac")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher, const TAG: usize> ZeroizeOnDrop for Cmac<C, TAG> {}

impl<C: EveryCipher, const TAG: usize> Cmac<C, TAG> {
    /// Refuses other lengths when compiled.
    const TAG_IS_ALLOWED: () = assert!(
        matches!(TAG, 8..=16) || cfg!(feature = "hazmat") && matches!(TAG, 4..=7),
        "a CMAC tag is 8 to 16 bytes; 4 to 7 need the feature `hazmat`"
    );

    /// Takes a key for the selected engine.
    ///
    /// # Errors
    /// [`InputError::Key`] if it has not the length of the cipher's keys.
    ///
    /// # Panics
    /// As [`Engine::selected`].
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, InputError> {
        check_key::<C>(key)?;
        let engine = Engine::selected_for_chains::<C>();
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
        let () = Self::TAG_IS_ALLOWED;
        Ok(Self {
            key: MacKey::build(engine, key)?,
            #[cfg(feature = "digest")]
            message: Chain::default(),
        })
    }

    /// The engine that this key uses.
    pub const fn engine(&self) -> Engine {
        self.key.engine()
    }

    /// The tag of `data`.
    #[inline]
    pub fn mac(&self, data: &[u8]) -> [u8; TAG] {
        first(&mut self.key.mac(data))
    }

    /// Whether `tag` is the tag of `data`.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`] if not; [`OpenError::Input`] for a tag of another length.
    #[inline]
    pub fn verify(&self, data: &[u8], tag: &[u8]) -> Result<(), OpenError> {
        let tag = of_bytes(exact_tag::<TAG>(tag)?);
        let right = self.key.mac_matches(data, &tag);
        Ok(verify(right, InOut::in_place(&mut []))?)
    }

    /// Begins a message that comes piece by piece.
    #[inline(always)]
    pub fn begin(&self) -> CmacStream<'_, C, TAG> {
        CmacStream {
            key: &self.key,
            chain: Chain::default(),
        }
    }

    /// The tags of several messages, of any lengths, side by side: on most engines eight take hardly longer than one.
    ///
    /// # Errors
    /// [`InputError::Tags`] if there are not as many places for tags as messages; nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use carryless::{Aes256, Cmac};
    ///
    /// let mac = Cmac::<Aes256>::from_slice(&[3; 32])?;
    /// let mut tags = [[0; 16]; 3];
    /// mac.mac_each(&[b"one", b"two", b"three"], &mut tags)?;
    /// assert_eq!(tags[2], mac.mac(b"three"));
    /// # Ok::<(), carryless::error::InputError>(())
    /// ```
    pub fn mac_each(&self, messages: &[&[u8]], tags: &mut [[u8; TAG]]) -> Result<(), InputError> {
        let (got, expected) = (tags.len(), messages.len());
        if got != expected {
            return Err(InputError::Tags { got, expected });
        }
        self.key.mac_each(messages, tags.as_flattened_mut(), TAG);
        Ok(())
    }
}

/// A message whose tag is made piece by piece; from [`Cmac::begin`].
///
/// It takes pieces and messages of any length, those of no byte too (SP 800-38B section 6.2). A clone goes on from here with
/// another ending. It is wiped when dropped. A move, that into [`finish`](Self::finish) included, may leave a copy of the chain in
/// the old place.
///
/// # Examples
/// ```
/// use carryless::{Aes256, Cmac};
///
/// let mac = Cmac::<Aes256>::from_slice(&[3; 32])?;
/// let mut message = mac.begin();
/// message.update(b"the same beginning, ");
/// let mut other = message.clone();
/// message.update(b"and an end");
/// other.update(b"and another");
///
/// assert_eq!(message.finish(), mac.mac(b"the same beginning, and an end"));
/// other.verify(&mac.mac(b"the same beginning, and another"))?;
/// assert!(mac.begin().verify(&[0; 16]).is_err());
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
#[derive(Clone)]
pub struct CmacStream<'k, C: EveryCipher, const TAG: usize = 16> {
    key: &'k MacKey<C>,
    chain: Chain,
}

impl<C: EveryCipher, const TAG: usize> fmt::Debug for CmacStream<'_, C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CmacStream")
            .field("cipher", &C::NAME)
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher, const TAG: usize> ZeroizeOnDrop for CmacStream<'_, C, TAG> {}

impl<C: EveryCipher, const TAG: usize> CmacStream<'_, C, TAG> {
    /// Adds data.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.key.update(&mut self.chain, data);
    }

    /// Ends the message; the tag.
    #[must_use]
    #[inline(always)]
    pub fn finish(mut self) -> [u8; TAG] {
        first(&mut self.key.finish(&mut self.chain))
    }

    /// Ends the message; whether `tag` is its tag.
    ///
    /// # Errors
    /// As [`Cmac::verify`].
    #[inline(always)]
    pub fn verify(mut self, tag: &[u8]) -> Result<(), OpenError> {
        let tag = of_bytes(exact_tag::<TAG>(tag)?);
        let right = self.key.finish_matches(&mut self.chain, &tag);
        Ok(verify(right, InOut::in_place(&mut []))?)
    }
}
