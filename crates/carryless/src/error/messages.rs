//! What [`InputError`] says.

use core::fmt;

use super::InputError;

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
