//! The chunked stream of [c2sp.org/chunked-encryption](https://c2sp.org/chunked-encryption).
//!
//! `salt (24) || commitment (32) || chunks`. A chunk is the ciphertext of [`CHUNK_LEN`] bytes and its
//! tag of 16; the last one is always shorter and may be empty, which is what marks the end, so that
//! cutting, extending, swapping or repeating chunks is noticed. Chunk `k` starts at
//! [`chunk_offset`]`(k)`. Key, base nonce and commitment are HKDF-Expand-SHA-512 of the input key, the
//! random salt and the caller's *context*; the nonce of chunk `k` is the base nonce XOR `k`.
//!
//! What it does not do: hide the length, compress, derive keys from passwords, or say which key
//! or cipher it was sealed with. The length of the key is the choice of the cipher.
//!
//! # Limits
//! A stream has at most 2^38 chunks (4 PiB). One key may seal 2^77 streams of that size before two
//! of them share a derived key and nonce with probability 2^-32. The salt is random; a salt that
//! repeats under one key and context reveals the XOR of the two texts.

mod chunk;
mod derive;
mod error;
mod key;
mod read;
mod seek;
mod span;
#[cfg(test)]
mod tests;
mod write;

pub use self::chunk::{Opener, Sealer};
pub use self::error::{Error, Tampering};
pub use self::key::{Cipher, Key};
pub use self::read::OpenReader;
pub use self::seek::SeekReader;
pub use self::span::Span;
pub use self::write::SealWriter;

/// Bytes of plaintext in every chunk but the last.
pub const CHUNK_LEN: usize = 16384;
/// Bytes of a tag.
pub const TAG_LEN: usize = 16;
/// Bytes of a sealed chunk other than the last.
pub const SEALED_CHUNK_LEN: usize = CHUNK_LEN + TAG_LEN;
/// Bytes of the salt.
pub const SALT_LEN: usize = 24;
/// Bytes of the commitment.
pub const COMMITMENT_LEN: usize = 32;
/// Bytes before the first chunk.
pub const HEADER_LEN: usize = SALT_LEN + COMMITMENT_LEN;
/// A stream has at most this many chunks.
pub const MAX_CHUNKS: u64 = 1 << 38;

/// Chunks that the reader and the writer handle at once.
const BATCH: usize = 32;

/// Where chunk `index` starts in the stream.
///
/// # Examples
/// ```
/// assert_eq!(carryless_file::cobblestone::chunk_offset(2), 56 + 2 * 16400);
/// ```
#[must_use]
pub const fn chunk_offset(index: u64) -> u64 {
    HEADER_LEN as u64 + index * SEALED_CHUNK_LEN as u64
}

/// Bytes of the stream that seals `plaintext_len` bytes; `None` beyond [`MAX_CHUNKS`].
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::sealed_len;
///
/// assert_eq!(sealed_len(0), Some(56 + 16));
/// assert_eq!(sealed_len(16384), Some(56 + 16400 + 16));
/// assert_eq!(sealed_len(u64::MAX), None);
/// ```
#[must_use]
pub const fn sealed_len(plaintext_len: u64) -> Option<u64> {
    let whole = plaintext_len / CHUNK_LEN as u64;
    if whole >= MAX_CHUNKS {
        return None;
    }
    Some(chunk_offset(whole) + plaintext_len % CHUNK_LEN as u64 + TAG_LEN as u64)
}

/// Bytes of plaintext in a stream of `sealed_len` bytes, before anything of it was authenticated.
///
/// # Errors
/// [`Tampering`] if no stream has this length.
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::plaintext_len;
///
/// assert_eq!(plaintext_len(72), Ok(0));
/// assert!(plaintext_len(56).is_err());
/// assert!(plaintext_len(56 + 16400).is_err());
/// ```
pub const fn plaintext_len(sealed_len: u64) -> Result<u64, Tampering> {
    if sealed_len < HEADER_LEN as u64 {
        return Err(Tampering::TooShort { got: sealed_len });
    }
    let body = sealed_len - HEADER_LEN as u64;
    let whole = body / SEALED_CHUNK_LEN as u64;
    let rest = body % SEALED_CHUNK_LEN as u64;
    if whole >= MAX_CHUNKS {
        return Err(Tampering::TooManyChunks);
    }
    if rest < TAG_LEN as u64 {
        return Err(Tampering::Truncated { chunks: whole });
    }
    Ok(whole * CHUNK_LEN as u64 + rest - TAG_LEN as u64)
}
