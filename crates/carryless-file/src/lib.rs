//! Sealed files and streams on AES-GCM.
//!
//! * [`cobblestone`]: the stream of [c2sp.org/chunked-encryption](https://c2sp.org/chunked-encryption)
//!   under the names Cobblestone-128 and Cobblestone-256: chunk by chunk for those who seek or use
//!   many threads, as a writer that seals, and as a reader that gives out authentic bytes only.
//! * [`container`]: such a stream behind key slots, so that any of several keys and passphrases opens
//!   it; also for reading at any place, and opening what may be either.
//! * [`gcm`]: a file as one message of AES-GCM, for exchange with other tools.
//! * [`key_file`]: keys as text with a checksum.
//! * [`recipient`]: public keys for which whoever has them seals, and their identities, which open.
//!
//! ```
//! use std::io::{Read, Write};
//! use carryless_file::cobblestone::{Cipher, Key, OpenReader, SealWriter};
//!
//! let key = Key::generate(Cipher::Cobblestone128)?;
//! let mut writer = SealWriter::new(&key, b"", Vec::new())?;
//! writer.write_all(b"attack at dawn")?;
//! let sealed = writer.finish()?;
//!
//! let mut text = String::new();
//! OpenReader::new(&key, b"", sealed.as_slice())?.read_to_string(&mut text)?;
//! assert_eq!(text, "attack at dawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(feature = "large-pages"), forbid(unsafe_code))]
#![cfg_attr(feature = "large-pages", deny(unsafe_code))]

// `sha2` takes the words of ARMv8's instructions for little-endian ones.
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "big",
    not(sha2_backend = "soft")
))]
compile_error!(
    "`sha2` gives wrong hashes on big-endian AArch64: build with RUSTFLAGS='--cfg sha2_backend=\"soft\"'"
);

mod aead;
pub mod cobblestone;
pub mod container;
#[cfg(test)]
#[path = "../../carryless/tests/harness/draws.rs"]
mod draws;
mod expand;
pub mod gcm;
#[cfg(test)]
#[path = "../tests/boundaries/groups.rs"]
mod groups;
mod io;
pub mod key_file;
pub mod recipient;
mod secret;

#[cfg(carryless_ct)]
pub use secret::checker;
