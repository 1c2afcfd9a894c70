//! A message by segments: what writers, readers and threads are made of.

use core::fmt;

use carryless::{Aes128, Aes256, DataIndependentTiming, Engine, Partial, Segments};

use super::{Error, Key, NONCE_LEN, TAG_LEN};
use crate::aead::Aead;

/// The same call on the segments of either cipher.
macro_rules! on_segments {
    ($message:expr, $segments:ident => $call:expr) => {
        match &$message.aead {
            Aead::Aes128(key) => {
                let $segments: Segments<'_, Aes128> = key.segments(&$message.nonce);
                $call
            }
            Aead::Aes256(key) => {
                let $segments: Segments<'_, Aes256> = key.segments(&$message.nonce);
                $call
            }
        }
    };
}

/// A key and a nonce.
struct Message {
    aead: Aead,
    nonce: [u8; NONCE_LEN],
}

impl Message {
    fn new(key: &Key, nonce: [u8; NONCE_LEN]) -> Self {
        Self {
            aead: Aead::new(key.as_bytes()),
            nonce,
        }
    }

    fn engine(&self) -> Engine {
        self.aead.engine()
    }
}

/// One new message: seals its segments, in any order and from any number of threads.
///
/// A text is cut at multiples of 16 bytes, as it suits. **Each range is sealed once**: another text for
/// the same range, after a failed attempt for instance, would be a second one under the nonce.
///
/// # Examples
/// ```
/// use carryless_file::gcm::{Key, Opener, Sealer};
///
/// let key = Key::from_slice(&[7; 16])?;
/// let sealer = Sealer::new(&key)?;
/// let (mut head, mut tail) = ([1; 32], [2; 5]);
/// let parts = [sealer.seal(0, &mut head)?, sealer.seal(32, &mut tail)?];
/// let tag = sealer.finish(&parts)?;
///
/// let opener = Opener::new(&key, sealer.nonce());
/// let parts = [opener.authenticate(0, &head)?, opener.authenticate(32, &tail)?];
/// let verified = opener.verify(&parts, &tag)?;
/// verified.open(32, &mut tail)?;
/// assert_eq!(tail, [2; 5]);
/// # Ok::<(), carryless_file::gcm::Error>(())
/// ```
pub struct Sealer(Message);

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer")
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl Sealer {
    /// Begins a message with a random nonce.
    ///
    /// # Errors
    /// [`Error::Random`].
    pub fn new(key: &Key) -> Result<Self, Error> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| Error::Random)?;
        Ok(Self(Message::new(key, nonce)))
    }

    /// The nonce, with which the file starts.
    #[must_use]
    pub const fn nonce(&self) -> &[u8; NONCE_LEN] {
        &self.0.nonce
    }

    /// The engine that seals.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.0.engine()
    }

    /// Seals where it stands the part of the text that begins at byte `offset`.
    ///
    /// # Errors
    /// [`Error::Input`] unless `offset` is a multiple of 16, and for a text that is too long; nothing
    /// is written then.
    pub fn seal(&self, offset: u64, text: &mut [u8]) -> Result<Partial, Error> {
        let _timing = DataIndependentTiming::begin();
        Ok(on_segments!(self.0, segments => segments.seal_in_place(offset, text))?)
    }

    /// The tag, with which the file ends, from the partials of all segments in the order of the text.
    ///
    /// # Errors
    /// [`Error::Input`] if segments are missing, repeated or of another message.
    pub fn finish(&self, parts: &[Partial]) -> Result<[u8; TAG_LEN], Error> {
        Ok(on_segments!(self.0, segments => segments.finish(b"", parts))?)
    }
}

/// One message that is to be opened: hashes its segments, in any order and from any number of threads,
/// and, once they are verified together, opens them.
pub struct Opener(Message);

impl fmt::Debug for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener")
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl Opener {
    /// For the message that begins with this nonce.
    #[must_use]
    pub fn new(key: &Key, nonce: &[u8; NONCE_LEN]) -> Self {
        Self(Message::new(key, *nonce))
    }

    /// The engine that opens.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.0.engine()
    }

    /// Hashes the ciphertext that begins at byte `offset` of the text.
    ///
    /// # Errors
    /// [`Error::Input`] unless `offset` is a multiple of 16, and beyond the longest text.
    pub fn authenticate(&self, offset: u64, ciphertext: &[u8]) -> Result<Partial, Error> {
        let _timing = DataIndependentTiming::begin();
        Ok(on_segments!(self.0, segments => segments.authenticate(offset, ciphertext))?)
    }

    /// Checks the tag against the partials of all segments, in the order of the text.
    ///
    /// # Errors
    /// [`Error::Unauthentic`]; [`Error::Input`] if segments are missing or repeated.
    pub fn verify<'a>(
        &'a self,
        parts: &'a [Partial],
        tag: &[u8; TAG_LEN],
    ) -> Result<Verified<'a>, Error> {
        Ok(Verified(match &self.0.aead {
            Aead::Aes128(key) => {
                VerifiedBy::Aes128(key.segments(&self.0.nonce).verify(b"", parts, tag)?)
            }
            Aead::Aes256(key) => {
                VerifiedBy::Aes256(key.segments(&self.0.nonce).verify(b"", parts, tag)?)
            }
        }))
    }
}

enum VerifiedBy<'a> {
    Aes128(carryless::Verified<'a, 'a, Aes128>),
    Aes256(carryless::Verified<'a, 'a, Aes256>),
}

/// A message that is authentic: opens its segments, in any order and from any number of threads.
///
/// Each is compared with what was verified while it is opened, so that a file that is read a second
/// time and has changed in between gives nothing.
pub struct Verified<'a>(VerifiedBy<'a>);

impl fmt::Debug for Verified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verified").finish_non_exhaustive()
    }
}

impl Verified<'_> {
    /// Opens where it stands one of the segments that were verified.
    ///
    /// # Errors
    /// [`Error::Unauthentic`] if it is not the one that was verified, with the text zeroed;
    /// [`Error::Input`] if there was none of this offset and length.
    pub fn open(&self, offset: u64, text: &mut [u8]) -> Result<(), Error> {
        let _timing = DataIndependentTiming::begin();
        Ok(match &self.0 {
            VerifiedBy::Aes128(verified) => verified.open_in_place(offset, text),
            VerifiedBy::Aes256(verified) => verified.open_in_place(offset, text),
        }?)
    }
}
