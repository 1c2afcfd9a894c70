//! What can go wrong with a stream.

use std::io;

/// In what way a stream is not the one that was sealed with this key and context.
///
/// All of it follows from the position of the change, which whoever made it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Tampering {
    /// Too short for the header.
    #[error(
        "it has {got} bytes, the shortest sealed stream has 72: it is cut off, or no such stream"
    )]
    TooShort {
        /// Bytes there are.
        got: u64,
    },
    /// The commitment is not that of key, salt and context.
    #[error(
        "the header does not belong to this key and context: another key or context, a changed header, or no such stream"
    )]
    Header,
    /// A chunk is not authentic.
    #[error("chunk {index} is not what was sealed there: changed, moved, cut or extended")]
    Chunk {
        /// Its number, from 0.
        index: u64,
    },
    /// The last chunk is missing.
    #[error("it ends after {chunks} whole chunks without its last one: it is cut off")]
    Truncated {
        /// Whole chunks before the end.
        chunks: u64,
    },
    /// The stream goes on beyond [`MAX_CHUNKS`](super::MAX_CHUNKS).
    #[error("it has more than 2^38 chunks")]
    TooManyChunks,
}

/// Why sealing or opening stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The stream is not what was sealed with this key and context.
    #[error("not what was sealed with this key: {0}")]
    Tampering(#[from] Tampering),
    /// The key has the size of no cipher.
    #[error("key is {got} bytes, needs 16 (Cobblestone-128) or 32 (Cobblestone-256)")]
    KeyLength {
        /// Bytes given.
        got: usize,
    },
    /// The text is longer than 2^38 chunks.
    #[error("text is longer than 2^38 chunks of 16 KiB")]
    TextTooLong,
    /// A text that is not the last is no whole number of chunks; or it is one chunk, and longer.
    #[error("text is {got} bytes, needs {expected}")]
    Chunking {
        /// Bytes given.
        got: usize,
        /// What is needed.
        expected: &'static str,
    },
    /// The output has the wrong length.
    #[error("output is {got} bytes, needs {expected}")]
    Output {
        /// Bytes given.
        got: usize,
        /// Bytes that are written.
        expected: usize,
    },
    /// The system gave no random bytes.
    #[error("the system's random generator failed")]
    Random,
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Error> for io::Error {
    /// Tampering becomes [`io::ErrorKind::InvalidData`] with the [`Error`] inside.
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => error,
            error @ Error::Tampering(_) => Self::new(io::ErrorKind::InvalidData, error),
            error => Self::other(error),
        }
    }
}
