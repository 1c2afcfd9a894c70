//! A file as one NIST message: `nonce (12) || ciphertext || tag (16)`.
//!
//! What OpenSSL and every other library open: AES-128-GCM or AES-256-GCM by the length of the key, a
//! random nonce, no AAD. The text is cut into segments that any number of threads seal, or check and
//! open; the message is the same whatever the segments were. **Nothing can be opened before all of it
//! was read**, so that there are no ranges and no pipes without a place for the whole ciphertext:
//! [`cobblestone`](crate::cobblestone) and [`container`](crate::container) have neither limit.
//!
//! ```
//! use std::io::{Cursor, Write};
//! use carryless_file::gcm::{Key, SealWriter, open};
//!
//! let key = Key::from_slice(&[7; 32])?;       // random in earnest, and used for this format alone
//! let mut writer = SealWriter::new(&key, Vec::new())?;
//! writer.write_all(b"attack at dawn")?;
//! let sealed = writer.finish()?;
//! assert_eq!(sealed.len(), 12 + 14 + 16);
//!
//! let mut text = Vec::new();
//! open(&key, &mut Cursor::new(sealed), &mut text)?;
//! assert_eq!(text, b"attack at dawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//! 2^36 - 32 bytes of text. At most 2^32 messages a key, as nonces are random: **one that repeats under a
//! key gives away the XOR of two texts, and the key of the authentication.** A message does not commit to
//! its key: one can be made that opens under two.

mod error;
mod key;
mod message;
mod stream;
#[cfg(test)]
mod tests;

pub use carryless::Partial;

pub use self::error::Error;
pub use self::key::Key;
pub use self::message::{Opener, Sealer, Verified};
pub use self::stream::{SealWriter, open};

/// Bytes of the nonce, which come first.
pub const NONCE_LEN: usize = 12;
/// Bytes of the tag, which come last.
pub const TAG_LEN: usize = 16;
/// The longest text, in bytes.
pub const MAX_TEXT_LEN: u64 = (1 << 36) - 32;

/// Bytes of text in a file of `sealed_len` bytes, before anything of it was authenticated.
///
/// # Errors
/// [`Error::Length`] if no message has this length.
///
/// # Examples
/// ```
/// use carryless_file::gcm::text_len;
///
/// assert_eq!(text_len(28)?, 0);
/// assert!(text_len(27).is_err());
/// # Ok::<(), carryless_file::gcm::Error>(())
/// ```
pub const fn text_len(sealed_len: u64) -> Result<u64, Error> {
    match sealed_len.checked_sub((NONCE_LEN + TAG_LEN) as u64) {
        Some(len) if len <= MAX_TEXT_LEN => Ok(len),
        _ => Err(Error::Length { got: sealed_len }),
    }
}
