//! Keys of this format, a type of their own: a key serves one format.

use core::fmt;

use zeroize::Zeroizing;

use super::Error;

/// A key for files of one message: 16 bytes for AES-128-GCM, 32 for AES-256-GCM. Wiped when dropped.
///
/// # Examples
/// ```
/// use carryless_file::gcm::Key;
///
/// assert_eq!(Key::generate(32)?.as_bytes().len(), 32);
/// assert!(Key::from_slice(&[7; 24]).is_err());
/// # Ok::<(), carryless_file::gcm::Error>(())
/// ```
#[derive(Clone)]
pub struct Key {
    /// Boxed: it stays where it is until it is wiped.
    bytes: Box<Zeroizing<[u8; 32]>>,
    len: usize,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl Key {
    /// Takes a key.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless it has 16 or 32 bytes.
    pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
        let mut new = Self::zero(key.len())?;
        new.bytes[..key.len()].copy_from_slice(key);
        Ok(new)
    }

    /// Makes a new key of 16 or 32 bytes from the system's random generator.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::Random`].
    pub fn generate(len: usize) -> Result<Self, Error> {
        let mut new = Self::zero(len)?;
        getrandom::fill(&mut new.bytes[..len]).map_err(|_| Error::Random)?;
        Ok(new)
    }

    fn zero(len: usize) -> Result<Self, Error> {
        if len != 16 && len != 32 {
            return Err(Error::KeyLength { got: len });
        }
        let bytes = Box::new(Zeroizing::new([0; 32]));
        Ok(Self { bytes, len })
    }

    /// The key itself.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
