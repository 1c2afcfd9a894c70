//! Every public error. Messages are lower case, without a final stop, and carry the sizes seen and
//! wanted; none carries a secret.
#![forbid(unsafe_code)]

use core::fmt;

pub use crate::engine::{EngineError, Missing, Unavailable};

/// The tag does not belong to this ciphertext, AAD, nonce and key.
///
/// There is one reason and one message, whatever was changed. The output has been zeroed, except that
/// of openers in pieces (`hazmat`), which was given out before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unauthentic;

impl fmt::Display for Unauthentic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("authentication failed")
    }
}

impl core::error::Error for Unauthentic {}

/// A size, range or order that the mode, or the call, does not allow. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// The key has not the size of the cipher's.
    Key {
        /// Bytes given.
        got: usize,
        /// Bytes that the cipher takes.
        expected: usize,
    },
    /// The nonce is empty.
    EmptyNonce,
    /// The nonce has 2^61 bytes or more (SP 800-38D section 5.2.1.1).
    NonceTooLong {
        /// Bytes given.
        got: u64,
    },
    /// The AAD has 2^61 bytes or more (SP 800-38D section 5.2.1.1).
    AadTooLong {
        /// Bytes given.
        got: u64,
    },
    /// The text has more than 2^36 - 32 bytes (SP 800-38D section 5.2.1.1).
    TextTooLong {
        /// Bytes given.
        got: u64,
    },
    /// The destination has not the length of the source.
    Output {
        /// Bytes of the destination.
        got: usize,
        /// Bytes that are written.
        expected: usize,
    },
    /// The tag has not the size of the key object's type.
    Tag {
        /// Bytes given.
        got: usize,
        /// Bytes of the type.
        expected: usize,
    },
    /// The nonce has not the size of the mode's.
    Nonce {
        /// Bytes given.
        got: usize,
        /// Bytes that the mode takes.
        expected: usize,
    },
    /// The AAD has more than 2^36 bytes, which AES-GCM-SIV does not take (RFC 8452 section 6).
    SivAadTooLong {
        /// Bytes given.
        got: u64,
    },
    /// The text has more than 2^36 bytes, which AES-GCM-SIV does not take (RFC 8452 section 6).
    SivTextTooLong {
        /// Bytes given.
        got: u64,
    },
    /// Additional data came after the first byte of the text.
    AadAfterText,
    /// Source and destination overlap without being equal, or lie outside the buffer.
    Overlap,
    /// A segment of a message does not begin with a block of 16 bytes.
    SegmentOffset {
        /// Where it begins.
        got: u64,
    },
    /// Between two segments, or before the first, text is missing.
    SegmentGap {
        /// The first byte that is missing.
        end: u64,
        /// Where the next segment begins.
        start: u64,
    },
    /// A segment begins before the end of the one before it.
    SegmentOverlap {
        /// Where the one before ends.
        end: u64,
        /// Where the next begins.
        start: u64,
    },
    /// There are not as many keys as packets.
    Keys {
        /// Keys given.
        got: usize,
        /// Packets given.
        expected: usize,
    },
    /// The nonce has not 7 to 13 bytes (CCM, SP 800-38C appendix A.1).
    CcmNonce {
        /// Bytes given.
        got: usize,
    },
    /// The text is too long for its nonce: the longer the nonce, the fewer bytes count the text (CCM, SP 800-38C appendix A.1).
    CcmText {
        /// Bytes given.
        got: u64,
        /// Bytes of the longest text under such a nonce.
        most: u64,
    },
    /// The additional data has not the length that was declared.
    DeclaredAad {
        /// Bytes given in all.
        got: u64,
        /// Bytes declared.
        expected: u64,
    },
    /// The text has not the length that was declared.
    DeclaredText {
        /// Bytes given in all.
        got: u64,
        /// Bytes declared.
        expected: u64,
    },
    /// There are not as many places for tags as messages.
    Tags {
        /// Places given.
        got: usize,
        /// Messages given.
        expected: usize,
    },
    /// The packet was in no call that seals or opens it.
    PacketUntouched,
    /// The packet was sealed or opened, or failed to be, by an earlier call; this one left it alone.
    PacketUsed,
    /// A partial was made under another key or nonce, or was changed.
    ForeignPartial,
    /// No segment of this range was verified.
    SegmentUnverified {
        /// Where it begins.
        start: u64,
        /// Its bytes.
        len: u64,
    },
    /// The text, or a piece of it, is not whole blocks of 16 bytes.
    PartialBlock {
        /// Bytes given.
        got: usize,
    },
    /// The counter repeats before the end of the text, or before the position asked for.
    KeyStream {
        /// Where that is, in bytes from the first counter block on.
        got: u128,
        /// Bytes of key stream under one first counter block.
        limit: u128,
    },
    /// A data unit of XTS has less than 16 or more than 2^24 bytes (SP 800-38E section 4).
    DataUnit {
        /// Bytes given.
        got: usize,
    },
    /// The text is not whole sectors.
    PartialSector {
        /// Bytes given.
        got: usize,
        /// Bytes of a sector.
        sector: usize,
    },
    /// The two halves of a key for XTS are equal.
    EqualHalves,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { got, expected } => write!(f, "key is {got} bytes, needs {expected}"),
            Self::EmptyNonce => f.write_str("nonce is 0 bytes, needs 1 or more"),
            Self::NonceTooLong { got } => {
                write!(f, "nonce is {got} bytes, at most 2^61 - 1 are allowed")
            }
            Self::AadTooLong { got } => write!(
                f,
                "additional data is {got} bytes, at most 2^61 - 1 are allowed"
            ),
            Self::TextTooLong { got } => {
                write!(f, "text is {got} bytes, at most 2^36 - 32 are allowed")
            }
            Self::Output { got, expected } => write!(f, "output is {got} bytes, needs {expected}"),
            Self::Tag { got, expected } => write!(f, "tag is {got} bytes, needs {expected}"),
            Self::Nonce { got, expected } => write!(f, "nonce is {got} bytes, needs {expected}"),
            Self::SivAadTooLong { got } => write!(
                f,
                "additional data is {got} bytes, at most 2^36 are allowed"
            ),
            Self::SivTextTooLong { got } => {
                write!(f, "text is {got} bytes, at most 2^36 are allowed")
            }
            Self::AadAfterText => f.write_str("additional data must come before the text"),
            Self::Overlap => {
                f.write_str("source and destination must be equal or disjoint parts of the buffer")
            }
            Self::SegmentOffset { got } => {
                write!(f, "segment begins at byte {got}, needs a multiple of 16")
            }
            Self::SegmentGap { end, start } => {
                write!(f, "no segment from byte {end} to byte {start}")
            }
            Self::SegmentOverlap { end, start } => write!(
                f,
                "segment begins at byte {start}, the one before it ends at byte {end}"
            ),
            Self::Keys { got, expected } => write!(f, "{got} keys for {expected} packets"),
            Self::CcmNonce { got } => write!(f, "nonce is {got} bytes, needs 7 to 13"),
            Self::CcmText { got, most } => write!(
                f,
                "text is {got} bytes, at most {most} are allowed with a nonce of this length"
            ),
            Self::DeclaredAad { got, expected } => {
                write!(
                    f,
                    "additional data is {got} bytes, {expected} were declared"
                )
            }
            Self::DeclaredText { got, expected } => {
                write!(f, "text is {got} bytes, {expected} were declared")
            }
            Self::Tags { got, expected } => write!(f, "{got} tags for {expected} messages"),
            Self::PacketUntouched => f.write_str("packet was neither sealed nor opened"),
            Self::PacketUsed => f.write_str("packet was in a call before: make a new one"),
            Self::ForeignPartial => {
                f.write_str("partial is not of this key and nonce, or was changed")
            }
            Self::SegmentUnverified { start, len } => {
                write!(
                    f,
                    "no segment of {len} bytes from byte {start} was verified"
                )
            }
            Self::PartialBlock { got } => write!(f, "text is {got} bytes, needs a multiple of 16"),
            Self::KeyStream { got, limit } => {
                write!(f, "key stream ends at byte {limit}, needs {got}")
            }
            Self::DataUnit { got } => write!(f, "data unit is {got} bytes, needs 16 to 2^24"),
            Self::PartialSector { got, sector } => {
                write!(
                    f,
                    "text is {got} bytes, needs a multiple of the sector's {sector}"
                )
            }
            Self::EqualHalves => f.write_str("the two halves of the key are equal, needs two keys"),
        }
    }
}

impl core::error::Error for InputError {}

/// Why a message was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// A length or range is wrong: the message was not looked at.
    Input(InputError),
    /// The message is not authentic; see there for the output.
    Unauthentic(Unauthentic),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Unauthentic(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for OpenError {}

impl From<InputError> for OpenError {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<Unauthentic> for OpenError {
    fn from(error: Unauthentic) -> Self {
        Self::Unauthentic(error)
    }
}

/// Why a padding was not removed.
#[cfg(feature = "hazmat")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaddingError {
    /// The text is not whole blocks; it was not looked at.
    Input(InputError),
    /// There is no right padding, whatever is wrong with it. The text has been zeroed.
    Wrong,
}

#[cfg(feature = "hazmat")]
impl fmt::Display for PaddingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Wrong => f.write_str("padding is wrong"),
        }
    }
}

#[cfg(feature = "hazmat")]
impl core::error::Error for PaddingError {}

#[cfg(feature = "hazmat")]
impl From<InputError> for PaddingError {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

/// Why a key object was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The key has the wrong size.
    Input(InputError),
    /// The engine can't be used here.
    Engine(Unavailable),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for KeyError {}

impl From<InputError> for KeyError {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<Unavailable> for KeyError {
    fn from(error: Unavailable) -> Self {
        Self::Engine(error)
    }
}

/// Why a random-nonce message was not sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RandomNonceError {
    /// A length is wrong.
    Input(InputError),
    /// 2^32 messages were sealed under this key (SP 800-38D section 8.3): take a new one.
    Exhausted,
    /// The system gave no random bytes.
    Random,
}

impl fmt::Display for RandomNonceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Exhausted => f.write_str(
                "2^32 messages were sealed with random nonces under this key, take a new key",
            ),
            Self::Random => f.write_str("the system's random generator failed"),
        }
    }
}

impl core::error::Error for RandomNonceError {}

impl From<InputError> for RandomNonceError {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}
