//! Chunks by number: what readers, writers, seekers and threads are made of.

use core::fmt;

use carryless::{DataIndependentTiming, Engine};

use super::derive::Derived;
use super::{
    CHUNK_LEN, Error, HEADER_LEN, Key, MAX_CHUNKS, SALT_LEN, SEALED_CHUNK_LEN, TAG_LEN, Tampering,
};
use crate::aead::Aead;
use crate::secret::{burning, equal};

/// A stream's AEAD key and base nonce.
pub(super) struct Chunks {
    aead: Aead,
    base: [u8; 12],
}

impl Chunks {
    pub(super) fn new(derived: &Derived) -> Self {
        Self {
            aead: Aead::new(derived.key()),
            base: derived.nonce(),
        }
    }

    fn engine(&self) -> Engine {
        self.aead.engine()
    }

    /// The nonce of a chunk; `None` beyond the last possible one.
    pub(super) fn nonce(&self, index: u64) -> Option<[u8; 12]> {
        if index >= MAX_CHUNKS {
            return None;
        }
        let mut nonce = self.base;
        for (byte, count) in nonce[4..].iter_mut().zip(index.to_be_bytes()) {
            *byte ^= count;
        }
        Some(nonce)
    }

    /// Seals one chunk; `sealed` is longer by a tag.
    fn seal(&self, index: u64, text: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let nonce = self.nonce(index).ok_or(Error::TextTooLong)?;
        let (ciphertext, tag) = sealed.split_at_mut(text.len());
        let right = match &self.aead {
            Aead::Aes128(key) => key.seal_into(&nonce, &[], text, ciphertext),
            Aead::Aes256(key) => key.seal_into(&nonce, &[], text, ciphertext),
        };
        tag.copy_from_slice(&right.expect("a chunk is within the limits of GCM"));
        Ok(())
    }

    /// Opens one chunk; `text` is shorter by a tag, and zeroed if the chunk is not authentic.
    fn open(&self, index: u64, sealed: &[u8], text: &mut [u8]) -> Result<(), Tampering> {
        let nonce = self.nonce(index).ok_or(Tampering::TooManyChunks)?;
        let (ciphertext, tag) = sealed.split_at(text.len());
        let opened = match &self.aead {
            Aead::Aes128(key) => key.open_into(&nonce, &[], ciphertext, text, tag),
            Aead::Aes256(key) => key.open_into(&nonce, &[], ciphertext, text, tag),
        };
        opened.map_err(|_| Tampering::Chunk { index })
    }
}

/// One new stream under a key: seals its chunks, in any order and from any number of threads.
///
/// **Each chunk is sealed once.** Sealing two different texts as one chunk reveals their XOR and
/// breaks the authentication of the stream. [`SealWriter`](super::SealWriter) keeps count itself.
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::{CHUNK_LEN, Key, Opener, SEALED_CHUNK_LEN, Sealer};
///
/// let key = Key::from_slice(&[7; 16])?;
/// let sealer = Sealer::new(&key, b"example")?;
/// let text = [1; CHUNK_LEN + 5];
/// let mut sealed = [0; SEALED_CHUNK_LEN + 5 + 16];
/// sealer.seal_chunks(0, &text, true, &mut sealed)?;
///
/// let opener = Opener::new(&key, b"example", sealer.header())?;
/// let mut last = [0; 5];
/// opener.open_chunks(1, &sealed[SEALED_CHUNK_LEN..], true, &mut last)?;
/// assert_eq!(last, [1; 5]);
/// # Ok::<(), carryless_file::cobblestone::Error>(())
/// ```
pub struct Sealer {
    chunks: Chunks,
    header: [u8; HEADER_LEN],
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer")
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl Sealer {
    /// Begins a stream with a random salt. `context` says what the stream is for and may be empty;
    /// opening needs the same.
    ///
    /// # Errors
    /// [`Error::Random`].
    pub fn new(key: &Key, context: &[u8]) -> Result<Self, Error> {
        let mut salt = [0; SALT_LEN];
        getrandom::fill(&mut salt).map_err(|_| Error::Random)?;
        Ok(Self::with_salt(key, context, &salt))
    }

    pub(super) fn with_salt(key: &Key, context: &[u8], salt: &[u8; SALT_LEN]) -> Self {
        let derived = Derived::new(key, salt, context);
        let mut header = [0; HEADER_LEN];
        header[..SALT_LEN].copy_from_slice(salt);
        header[SALT_LEN..].copy_from_slice(&derived.commitment());
        Self {
            chunks: Chunks::new(&derived),
            header,
        }
    }

    /// Salt and commitment, with which the stream starts.
    #[must_use]
    pub const fn header(&self) -> &[u8; HEADER_LEN] {
        &self.header
    }

    /// The engine that seals.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.chunks.engine()
    }

    /// Bytes that [`seal_chunks`](Self::seal_chunks) makes of `plaintext_len`.
    #[must_use]
    pub const fn sealed_chunks_len(plaintext_len: usize, last: bool) -> usize {
        plaintext_len + (plaintext_len / CHUNK_LEN + last as usize) * TAG_LEN
    }

    /// Seals the chunks from number `first` on. `text` is any number of whole chunks; if it is the
    /// `last` of the stream, a shorter one follows them, or an empty one.
    ///
    /// # Errors
    /// [`Error::Chunking`] for a text that ends within a chunk and is not the last,
    /// [`Error::Output`], [`Error::TextTooLong`].
    pub fn seal_chunks(
        &self,
        first: u64,
        text: &[u8],
        last: bool,
        sealed: &mut [u8],
    ) -> Result<(), Error> {
        let (got, expected) = (sealed.len(), Self::sealed_chunks_len(text.len(), last));
        if !last && !text.len().is_multiple_of(CHUNK_LEN) {
            return Err(Error::Chunking {
                got: text.len(),
                expected: "a multiple of 16384, unless it is the last",
            });
        }
        if got != expected {
            return Err(Error::Output { got, expected });
        }
        let _timing = DataIndependentTiming::begin();
        let (texts, rest) = text.as_chunks::<CHUNK_LEN>();
        let (outputs, rest_output) = sealed.as_chunks_mut::<SEALED_CHUNK_LEN>();
        let mut index = first;
        for (text, output) in texts.iter().zip(outputs) {
            self.chunks.seal(index, text, output)?;
            index += 1;
        }
        if last {
            self.chunks.seal(index, rest, rest_output)
        } else {
            Ok(())
        }
    }
}

/// A stream whose header belongs to the key: opens its chunks, in any order and from any number of
/// threads.
///
/// A chunk that opens is what was sealed under that number. **Only the last chunk says where the
/// stream ends**: who reads from a place in the middle and cares about the length opens that too.
pub struct Opener {
    chunks: Chunks,
}

impl fmt::Debug for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener")
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl Opener {
    /// Checks the header.
    ///
    /// # Errors
    /// [`Tampering::Header`] if key, salt and context do not have this commitment.
    ///
    /// # Constant time
    /// Secret: the key. Public: whether the commitment is right.
    pub fn new(key: &Key, context: &[u8], header: &[u8; HEADER_LEN]) -> Result<Self, Tampering> {
        let mut salt = [0; SALT_LEN];
        salt.copy_from_slice(&header[..SALT_LEN]);
        let commitment = &header[SALT_LEN..];
        let derived = Derived::new(key, &salt, context);
        // The right one must not stay: with it a forger has a header that passes.
        if !burning(|| equal(&derived.commitment(), commitment)) {
            return Err(Tampering::Header);
        }
        Ok(Self {
            chunks: Chunks::new(&derived),
        })
    }

    /// The engine that opens.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.chunks.engine()
    }

    /// Opens the chunks from number `first` on; the bytes of text. `sealed` is any number of whole
    /// chunks; if it is the `last` of the stream, the shorter one that ends it follows them.
    ///
    /// `text` may be longer than needed; nothing is written beyond.
    ///
    /// # Errors
    /// [`Tampering`] (in [`Error::Tampering`]): with [`Tampering::Chunk`] the chunks before the one
    /// named are in `text` and authentic, the one named is zeroed, those behind were not looked at.
    /// [`Error::Chunking`] for input that ends within a chunk and is not the last, [`Error::Output`]
    /// if `text` is too short.
    pub fn open_chunks(
        &self,
        first: u64,
        sealed: &[u8],
        last: bool,
        text: &mut [u8],
    ) -> Result<usize, Error> {
        let (inputs, rest) = sealed.as_chunks::<SEALED_CHUNK_LEN>();
        if !last && !rest.is_empty() {
            return Err(Error::Chunking {
                got: sealed.len(),
                expected: "a multiple of 16400, unless it is the last",
            });
        }
        let whole = inputs.len() * CHUNK_LEN;
        let expected = whole + rest.len().saturating_sub(TAG_LEN);
        if text.len() < expected {
            return Err(Error::Output {
                got: text.len(),
                expected,
            });
        }
        let _timing = DataIndependentTiming::begin();
        let mut index = first;
        for (input, output) in inputs.iter().zip(text.as_chunks_mut::<CHUNK_LEN>().0) {
            self.chunks.open(index, input, output)?;
            index += 1;
        }
        if last && rest.len() < TAG_LEN {
            return Err(Tampering::Truncated { chunks: index }.into());
        }
        if last {
            self.chunks.open(index, rest, &mut text[whole..expected])?;
        }
        Ok(expected)
    }
}
