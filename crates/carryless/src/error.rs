//! Every public error. Messages are lower case, without a final stop, and carry the sizes seen and
//! wanted; none carries a secret.
#![forbid(unsafe_code)]

use core::fmt;

mod messages;

pub use crate::engine::{EngineError, Missing, Unavailable};

/// The tag does not belong to this ciphertext, AAD, nonce and key.
///
/// There is one reason and one message, whatever was changed. The output has been zeroed, except that
/// of openers in pieces (`hazmat`), which was given out before.
///
/// # Examples
/// ```
/// use carryless::{Aes128Gcm, error::{OpenError, Unauthentic}};
///
/// let key = Aes128Gcm::from_slice(&[1; 16])?;
/// let mut text = *b"no tag is right";
/// let opened = key.open_in_place(&[0; 12], b"", &mut text, &[0; 16]);
/// assert_eq!(opened, Err(OpenError::Unauthentic(Unauthentic)));
/// assert_eq!(Unauthentic.to_string(), "authentication failed");
/// assert_eq!(text, [0; 15]);
/// # Ok::<(), carryless::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unauthentic;

impl fmt::Display for Unauthentic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("authentication failed")
    }
}

impl core::error::Error for Unauthentic {}

/// A size, range or order that the mode, or the call, does not allow. Nothing was written.
///
/// # Examples
/// ```
/// use carryless::{Aes128Gcm, error::InputError};
///
/// let error = Aes128Gcm::from_slice(&[0; 15]).unwrap_err();
/// assert_eq!(error, InputError::Key { got: 15, expected: 16 });
/// assert_eq!(error.to_string(), "key is 15 bytes, needs 16");
/// ```
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

impl core::error::Error for InputError {}

/// Why a message was not opened.
///
/// # Examples
/// ```
/// use carryless::{Aes128Gcm, error::{InputError, OpenError}};
///
/// let key = Aes128Gcm::from_slice(&[1; 16])?;
/// let mut text = *b"attack at dawn";
/// let opened = key.open_in_place(&[0; 12], b"", &mut text, &[0; 12]);
/// let short = InputError::Tag { got: 12, expected: 16 };
/// assert_eq!(opened, Err(OpenError::Input(short)));
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), InputError>(())
/// ```
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
///
/// # Examples
/// ```
/// use carryless::hazmat::pkcs7;
/// use carryless::error::{InputError, PaddingError};
///
/// let mut text = [0; 16];
/// assert_eq!(pkcs7::unpad(&mut text), Err(PaddingError::Wrong));
/// let partial = InputError::PartialBlock { got: 15 };
/// assert_eq!(pkcs7::unpad(&mut text[1..]), Err(PaddingError::Input(partial)));
/// ```
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
///
/// # Examples
/// ```
/// use carryless::{Aes256Gcm, Engine, error::{InputError, KeyError}};
///
/// for engine in Engine::ALL {
///     match Aes256Gcm::with_engine(&[1; 32], *engine) {
///         Ok(key) => assert_eq!(key.engine(), *engine),
///         Err(KeyError::Engine(reason)) => println!("{engine}: {reason}"),
///         Err(error) => panic!("{error}"),
///     }
/// }
/// let short = Aes256Gcm::with_engine(&[1; 16], Engine::Soft64).unwrap_err();
/// assert_eq!(short, KeyError::Input(InputError::Key { got: 16, expected: 32 }));
/// ```
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
///
/// # Examples
/// ```
/// use carryless::error::RandomNonceError;
///
/// let error = RandomNonceError::Random;
/// assert_eq!(error.to_string(), "the system's random generator failed");
/// ```
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
