//! Input keys, whose length is the choice of the cipher.

use core::fmt;
use std::sync::OnceLock;

use zeroize::Zeroizing;

use super::Error;

/// An instance of the chunked stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cipher {
    /// SHA-512 and AES-128-GCM: the recommended one.
    #[default]
    Cobblestone128,
    /// SHA-512 and AES-256-GCM, where 256-bit keys are mandated.
    Cobblestone256,
}

impl Cipher {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Cobblestone128, Self::Cobblestone256];

    /// Bytes of an input key.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Cobblestone128 => 16,
            Self::Cobblestone256 => 32,
        }
    }

    /// The name that other implementations use too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cobblestone128 => "Cobblestone-128",
            Self::Cobblestone256 => "Cobblestone-256",
        }
    }

    /// The AEAD's name in the IANA registry, which goes into the key derivation.
    pub(super) const fn aead_name(self) -> &'static [u8] {
        match self {
            Self::Cobblestone128 => b"AEAD_AES_128_GCM",
            Self::Cobblestone256 => b"AEAD_AES_256_GCM",
        }
    }
}

impl fmt::Display for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An input key: uniformly random bytes, from which each stream's own keys are derived.
///
/// **Never a password**: there is no stretching. Wiped when dropped.
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::{Cipher, Key};
///
/// assert_eq!(Key::from_slice(&[7; 32])?.cipher(), Cipher::Cobblestone256);
/// assert!(Key::from_slice(&[7; 24]).is_err());
/// # Ok::<(), carryless_file::cobblestone::Error>(())
/// ```
#[derive(Clone)]
pub struct Key {
    cipher: Cipher,
    /// Boxed: it stays where it is until it is wiped.
    bytes: Box<Zeroizing<[u8; 32]>>,
    /// Its public name in containers, once that was asked for.
    id: OnceLock<KeyIdBytes>,
}

/// See [`KeyId`](crate::container::KeyId).
pub(crate) type KeyIdBytes = [u8; 8];

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("cipher", &self.cipher)
            .finish_non_exhaustive()
    }
}

impl Key {
    /// Takes a key of 16 bytes for Cobblestone-128, or of 32 for Cobblestone-256.
    ///
    /// # Errors
    /// [`Error::KeyLength`] for any other.
    pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
        let has_its_length = |cipher: &Cipher| cipher.key_len() == key.len();
        let cipher = Cipher::ALL
            .into_iter()
            .find(has_its_length)
            .ok_or(Error::KeyLength { got: key.len() })?;
        let mut bytes = Box::new(Zeroizing::new([0; 32]));
        bytes[..key.len()].copy_from_slice(key);
        Ok(Self::of(cipher, bytes))
    }

    /// Makes a new key from the system's random generator.
    ///
    /// # Errors
    /// [`Error::Random`] if that fails.
    pub fn generate(cipher: Cipher) -> Result<Self, Error> {
        let mut bytes = Box::new(Zeroizing::new([0; 32]));
        getrandom::fill(&mut bytes[..cipher.key_len()]).map_err(|_| Error::Random)?;
        Ok(Self::of(cipher, bytes))
    }

    const fn of(cipher: Cipher, bytes: Box<Zeroizing<[u8; 32]>>) -> Self {
        let id = OnceLock::new();
        Self { cipher, bytes, id }
    }

    /// Its public name, which is derived when it is first asked for.
    pub(crate) fn id(&self, derive: impl FnOnce() -> KeyIdBytes) -> &KeyIdBytes {
        self.id.get_or_init(derive)
    }

    /// What it is a key of.
    #[must_use]
    pub const fn cipher(&self) -> Cipher {
        self.cipher
    }

    /// The key itself.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.cipher.key_len()]
    }
}
