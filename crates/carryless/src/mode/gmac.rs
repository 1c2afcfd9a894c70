//! GMAC: the tag of additional data alone (SP 800-38D section 3).

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::gcm::Gcm;
use super::limits::check_key;
use crate::engine::{AeadKeys, Engine, EveryAead};
use crate::error::{InputError, KeyError, OpenError};

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
        engine.availability()?;
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
}
