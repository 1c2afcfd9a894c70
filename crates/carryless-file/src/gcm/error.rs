//! What can go wrong with a message.

use std::io;

use carryless::error::{InputError, OpenError};

/// Why sealing or opening stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The message is not authentic.
    #[error("not what was sealed with this key: another key, or changed, cut or extended")]
    Unauthentic,
    /// No message has this length.
    #[error("it has {got} bytes, a message has 28 to 2^36 - 4")]
    Length {
        /// Bytes there are.
        got: u64,
    },
    /// The key has the size of no cipher.
    #[error("key is {got} bytes, needs 16 (AES-128-GCM) or 32 (AES-256-GCM)")]
    KeyLength {
        /// Bytes given.
        got: usize,
    },
    /// Segments that make no message, or a text that is too long.
    #[error("{0}")]
    Input(InputError),
    /// The system gave no random bytes.
    #[error("the system's random generator failed")]
    Random,
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    /// Whether the message is not what was sealed with this key: exit status 3 of the command.
    #[must_use]
    pub const fn is_unauthentic(&self) -> bool {
        matches!(self, Self::Unauthentic | Self::Length { .. })
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Input(error) => Self::Input(error),
            _ => Self::Unauthentic,
        }
    }
}

impl From<Error> for io::Error {
    /// What is not authentic becomes [`io::ErrorKind::InvalidData`] with the [`Error`] inside.
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => error,
            error if error.is_unauthentic() => Self::new(io::ErrorKind::InvalidData, error),
            error => Self::other(error),
        }
    }
}
