//! What segments add to the tag of their message.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::engine::Block;

/// Bytes of [`Partial::to_bytes`].
pub(super) const PARTIAL_LEN: usize = 48;

/// What a segment, or several that follow one another, add to the tag; encrypted under the key.
///
/// It may be stored and sent, yet keep it to those who have the key all the same: whoever sees many
/// learns which ranges of which attempts had equal ciphertexts. It is wiped when dropped.
///
/// Offset and length are bytes of the text. One of another key, nonce or place is refused where it is used, as
/// [`InputError::ForeignPartial`](crate::error::InputError::ForeignPartial).
///
/// # Examples
/// ```
/// use carryless::{Aes256Gcm, Partial, error::InputError};
///
/// let key = Aes256Gcm::from_slice(&[1; 32])?;
/// let message = key.segments(&[0; 12]);
/// let (mut head, mut tail) = ([1; 32], [2; 5]);
/// let first = message.seal_in_place(0, &mut head)?;
/// let sent = message.seal_in_place(32, &mut tail)?.to_bytes();   // by another process
///
/// let second = Partial::from_bytes(&sent);
/// assert_eq!((second.start(), second.len()), (32, 5));
/// assert_eq!(message.finish(b"", &[second.clone()]), Err(InputError::SegmentGap { end: 0, start: 32 }));
/// assert_eq!(key.segments(&[9; 12]).finish(b"", &[first.clone()]), Err(InputError::ForeignPartial));
/// let tag = message.finish(b"", &[first, second])?;
/// # let mut text = [&head[..], &tail].concat();
/// # key.open_in_place(&[0; 12], b"", &mut text, &tag)?;
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
#[derive(Clone)]
pub struct Partial {
    pub(super) start: u64,
    pub(super) len: u64,
    pub(super) seal: Block,
    pub(super) masked: Block,
}

impl fmt::Debug for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partial")
            .field("start", &self.start)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        self.seal.zeroize();
        self.masked.zeroize();
    }
}

impl ZeroizeOnDrop for Partial {}

impl Partial {
    /// Where the first byte stands in the text.
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// Bytes of text.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no text.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The partial as bytes, to be sent to whoever finishes the message: start and length as
    /// big-endian numbers of 64 bits, then the encrypted hash.
    pub fn to_bytes(&self) -> [u8; PARTIAL_LEN] {
        let mut bytes = [0; PARTIAL_LEN];
        let parts: [&[u8]; 3] = [&range_block(self.start, self.len), &self.seal, &self.masked];
        for (place, part) in bytes.chunks_exact_mut(16).zip(parts) {
            place.copy_from_slice(part);
        }
        bytes
    }

    /// The partial that these bytes are. Whether it belongs to a message is found out where it is
    /// used.
    pub fn from_bytes(bytes: &[u8; PARTIAL_LEN]) -> Self {
        let ([range, seal, masked], []) = bytes.as_chunks::<16>() else {
            unreachable!("48 bytes are three blocks")
        };
        let range = u128::from_be_bytes(*range);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        Self {
            start: (range >> 64) as u64,
            len: range as u64,
            seal: *seal,
            masked: *masked,
        }
    }
}

/// A range as a block.
pub(super) fn range_block(start: u64, len: u64) -> Block {
    (u128::from(start) << 64 | u128::from(len)).to_be_bytes()
}
