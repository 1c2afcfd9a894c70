//! Sealed files with key slots: what `carryless seal` writes by default.
//!
//! `prefix (26) || length of the slots (2) || slots || MAC (32) || payload`. The prefix holds magic,
//! version, cipher and a random file id, and never changes. Each slot wraps the file key for one raw
//! key, one passphrase (by Argon2id) or one [recipient](crate::recipient), and any one of them opens the file. The MAC, by a key from the
//! file key, covers all of that; the payload is a stream of [`cobblestone`](crate::cobblestone) whose
//! context is the hash of the prefix, so that new slots leave it as it is. `docs/format.md` of the
//! repository has every byte.
//!
//! Three ways in:
//!
//! * [`writer`] and [`reader`], [`seek_reader`]: `Write`, `Read`, `Read + Seek`.
//! * [`create`] and [`start`]: the header, and calls by chunk for those who run many threads.
//! * [`Header`]: what a file says of itself without a key, and [`Header::unlock`], from which new slots
//!   are made by [`Unlocked::rekey`].
//!
//! ```
//! use std::io::{Read, Write};
//! use carryless_file::cobblestone::{Cipher, Key};
//! use carryless_file::container::{Argon2id, Credential, Lock, Passphrase, reader, writer};
//!
//! let key = Key::generate(Cipher::Cobblestone128)?;
//! let passphrase = Passphrase::new(b"correct horse".to_vec())?;
//! let cost = Argon2id::new(8192, 1, 1)?;      // `Argon2id::default()` in earnest
//! let locks = [Lock::Key(&key), Lock::Passphrase(&passphrase, cost)];
//! let mut writer = writer(Cipher::default(), &locks, Vec::new())?;
//! writer.write_all(b"attack at dawn")?;
//! let sealed = writer.finish()?;
//!
//! for credential in [Credential::Key(&key), Credential::Passphrase(&passphrase)] {
//!     let mut text = String::new();
//!     reader(&credential, sealed.as_slice())?.read_to_string(&mut text)?;
//!     assert_eq!(text, "attack at dawn");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it does not do
//! Hide lengths or the kinds of the slots; say who sealed (whoever can open can also forge); revoke.
//! Without a key nothing of a header is authentic.

mod error;
mod file_key;
mod header;
mod lanes;
#[cfg(all(feature = "large-pages", target_os = "linux"))]
mod large_pages;
mod passphrase;
mod slot;
mod stream;

pub use self::error::{Error, Malformed};
pub use self::file_key::{Unlocked, create};
pub use self::header::Header;
pub use self::passphrase::{Argon2id, Passphrase};
pub use self::slot::{Credential, KeyId, Lock, Slot};
pub use self::stream::{Start, reader, seek_reader, start, writer};

/// What a container begins with: a byte beyond ASCII and the two of a line end, which a transfer as
/// text breaks, around a name.
pub const MAGIC: [u8; 8] = *b"\x93CLESS\r\n";
/// The version that this library writes, and the only one it reads.
pub const VERSION: u8 = 1;
/// Bytes of the file id.
pub const FILE_ID_LEN: usize = 16;
/// Bytes of the prefix, which never changes in the life of a file.
pub const PREFIX_LEN: usize = MAGIC.len() + 2 + FILE_ID_LEN;
/// A file has at most so many slots.
pub const MAX_SLOTS: usize = 16;
/// At most so many of them are for passphrases: each is a guess that who made the file could test.
pub const MAX_PASSPHRASES: usize = 4;
/// All slots take at most so many bytes.
pub const MAX_SLOTS_LEN: usize = 20 * 1024;
/// The longest header, in bytes.
pub const MAX_HEADER_LEN: usize = FIXED_LEN + MAX_SLOTS_LEN + MAC_LEN;

/// The prefix and the length of the slots.
const FIXED_LEN: usize = PREFIX_LEN + 2;
const MAC_LEN: usize = 32;

/// Whether a file that begins so is a container, whole or not. Any other may be a bare stream.
///
/// # Examples
/// ```
/// assert!(carryless_file::container::is_container(b"\x93CLESS\r\n\x01.."));
/// assert!(!carryless_file::container::is_container(b"\x93CLESS\n"));
/// ```
#[must_use]
pub fn is_container(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}
