//! The errors of all formats as one.

use std::io::{self, ErrorKind};

use carryless_file::cobblestone::{self, Tampering};
use carryless_file::{container, gcm};

/// Why there is no more text.
#[derive(Debug)]
pub(crate) enum Fault {
    Stream(cobblestone::Error),
    Container(container::Error),
    Message(gcm::Error),
}

impl Fault {
    /// Of the error of a source or sink.
    pub(crate) fn kind(&self) -> Option<ErrorKind> {
        match self {
            Self::Stream(cobblestone::Error::Io(error)) => Some(error.kind()),
            Self::Message(gcm::Error::Io(error)) => Some(error.kind()),
            _ => None,
        }
    }

    pub(crate) const fn tampering(&self) -> Option<Tampering> {
        match self {
            Self::Stream(cobblestone::Error::Tampering(tampering)) => Some(*tampering),
            _ => None,
        }
    }

    pub(crate) const fn is_unauthentic(&self) -> bool {
        match self {
            Self::Stream(error) => matches!(error, cobblestone::Error::Tampering(_)),
            Self::Container(error) => error.is_unauthentic(),
            Self::Message(error) => error.is_unauthentic(),
        }
    }
}

impl From<cobblestone::Error> for Fault {
    fn from(error: cobblestone::Error) -> Self {
        Self::Stream(error)
    }
}

impl From<container::Error> for Fault {
    fn from(error: container::Error) -> Self {
        match error {
            container::Error::Stream(error) => Self::Stream(error),
            error => Self::Container(error),
        }
    }
}

impl From<gcm::Error> for Fault {
    fn from(error: gcm::Error) -> Self {
        Self::Message(error)
    }
}

impl From<io::Error> for Fault {
    /// The library's own errors are inside.
    fn from(error: io::Error) -> Self {
        let kind = error.kind();
        match error.downcast() {
            Ok(error) => {
                assert_eq!(kind, ErrorKind::InvalidData, "{error}");
                Self::Stream(error)
            }
            Err(error) => Self::Stream(error.into()),
        }
    }
}
