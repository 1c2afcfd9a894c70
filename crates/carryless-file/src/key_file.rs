//! Key files: text with a checksum.
//!
//! A key file is ASCII of at most [`MAX_LEN`] bytes. Lines end in `\n` or `\r\n`; blank lines and
//! those that start with `#` mean nothing. The others are `name: value`, each name once, in any
//! order:
//!
//! | name | value |
//! | --- | --- |
//! | `carryless-key` | `v1` |
//! | `kind` | `file`: for [`container`](crate::container) and [`cobblestone`](crate::cobblestone); `gcm`: for [`gcm`]; `x25519`, `x-wing`: an [`Identity`](crate::recipient::Identity) |
//! | `key` | the key in hexadecimal, 32 digits (AES-128) or 64 (AES-256, identities) |
//! | `checksum` | 16 hexadecimal digits: the first 8 bytes of SHA-512(`carryless-key v1` 0x00 kind 0x00 key) |
//!
//! The checksum finds slips of hand and of storage; it protects against nobody. A key serves one
//! kind of use, which is why the kind is recorded and covered.
//!
//! Under a passphrase it is a container of that text ([`protect`], [`unprotect`]).
//!
//! The raw bytes of a key are no key file: where a program takes them, it asks [`check_raw`] whether
//! they may be one, and not a passphrase or a key written as text.

mod identity;
mod protected;

use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

pub use self::identity::{format_identity, parse_identity};
use crate::cobblestone::Key;
use crate::gcm;
use crate::secret::burning;

pub use self::protected::{is_protected, protect, unprotect};

/// The longest key file, in bytes.
pub const MAX_LEN: usize = 4096;

const VERSION: &str = "v1";
const FILE: &str = "file";
const GCM: &str = "gcm";
const CHECKSUM_LEN: usize = 8;
const KEY_LENS: [usize; 2] = [16, 32];

/// Why a key file was not taken. Nothing of its content is in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// Too short for a key file, or too long.
    #[error("it has {got} bytes: a key file has more than 8 and at most 4096")]
    Length {
        /// Bytes there are.
        got: usize,
    },
    /// The length of a raw key, and no text.
    #[error("it is no text: with its 16 or 32 bytes it may be a raw key")]
    Raw,
    /// Not the length of a raw key.
    #[error("it has {got} bytes: a raw key has 16 or 32")]
    RawLength {
        /// Bytes there are.
        got: usize,
    },
    /// Hexadecimal digits without the rest of a key file.
    #[error("it looks like a key in bare hexadecimal, which is neither a key file nor a raw key")]
    BareHex,
    /// A raw key that somebody may have thought of.
    #[error("it is text: a raw key is random bytes, and this may be a passphrase")]
    Printable,
    /// A raw key that nobody drew.
    #[error("all its bytes are equal: a raw key is random bytes")]
    Equal,
    /// A line is not `name: value` in ASCII.
    #[error("line {line} is not `name: value`")]
    Line {
        /// From 1.
        line: usize,
    },
    /// A name that this version does not have, or one that came before.
    #[error("line {line} has an unknown or repeated name")]
    Name {
        /// From 1.
        line: usize,
    },
    /// A name is missing.
    #[error("it has no line `{name}: ..`")]
    Missing {
        /// The name.
        name: &'static str,
    },
    /// Written by a later version.
    #[error("its version is not v1")]
    Version,
    /// A key for another use.
    #[error("its key is not of the kind `{expected}`: a key serves one format")]
    Kind {
        /// The kind that was asked for.
        expected: &'static str,
    },
    /// A recipient, where an identity is needed.
    #[error("it holds a recipient, which opens nothing: take its identity")]
    Recipient,
    /// The key is not 32 or 64 hexadecimal digits.
    #[error("its key is not 32 or 64 hexadecimal digits")]
    Key,
    /// The checksum is not that of the key: one of them was changed.
    #[error("its checksum does not belong to its key: the file was damaged")]
    Checksum,
}

/// Reads the content of a key file of the kind `file`.
///
/// # Errors
/// [`KeyFileError`].
///
/// # Examples
/// ```
/// use carryless_file::{cobblestone::{Cipher, Key}, key_file};
///
/// let key = Key::generate(Cipher::Cobblestone256)?;
/// let text = key_file::format(&key);
/// assert_eq!(key_file::parse(text.as_bytes())?.as_bytes(), key.as_bytes());
/// assert!(key_file::parse(key.as_bytes()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(content: &[u8]) -> Result<Key, KeyFileError> {
    let bytes = key_of(content, FILE)?;
    Key::from_slice(&bytes).map_err(|_| KeyFileError::Key)
}

/// Reads the content of a key file of the kind `gcm`.
///
/// # Errors
/// [`KeyFileError`].
///
/// # Examples
/// ```
/// use carryless_file::{gcm::Key, key_file};
///
/// let key = Key::generate(32)?;
/// let text = key_file::format_gcm(&key);
/// assert_eq!(key_file::parse_gcm(text.as_bytes())?.as_bytes(), key.as_bytes());
/// assert!(key_file::parse(text.as_bytes()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_gcm(content: &[u8]) -> Result<gcm::Key, KeyFileError> {
    let bytes = key_of(content, GCM)?;
    gcm::Key::from_slice(&bytes).map_err(|_| KeyFileError::Key)
}

/// Whether bytes from elsewhere may be a raw key: 16 or 32 of them, neither text nor all equal. One random
/// key in 200,000 is text by chance.
///
/// # Errors
/// [`KeyFileError::RawLength`], [`BareHex`](KeyFileError::BareHex), [`Printable`](KeyFileError::Printable),
/// [`Equal`](KeyFileError::Equal).
///
/// # Examples
/// ```
/// use carryless_file::key_file::{KeyFileError, check_raw};
///
/// assert_eq!(check_raw(b"\x93\x07\0\xd2\x5a\xff\x11\x86\x0c\xb7\xe0\x21\x4f\x9a\xc3\x38"), Ok(()));
/// assert_eq!(check_raw(b"correct horse 16"), Err(KeyFileError::Printable));
/// ```
pub fn check_raw(content: &[u8]) -> Result<(), KeyFileError> {
    let text = core::str::from_utf8(content);
    let typed = |c: char| !c.is_control() || c.is_ascii_whitespace();
    if is_hex(content.trim_ascii()) {
        Err(KeyFileError::BareHex)
    } else if !KEY_LENS.contains(&content.len()) {
        Err(KeyFileError::RawLength { got: content.len() })
    } else if text.is_ok_and(|text| text.chars().all(typed)) {
        Err(KeyFileError::Printable)
    } else if content.iter().all(|byte| *byte == content[0]) {
        Err(KeyFileError::Equal)
    } else {
        Ok(())
    }
}

/// The key of a file of this kind.
fn key_of(content: &[u8], kind: &'static str) -> Result<Zeroizing<Vec<u8>>, KeyFileError> {
    Fields::of(content)?.key(kind)
}

/// Whether there are digits, and nothing but hexadecimal ones.
fn is_hex(content: &[u8]) -> bool {
    !content.is_empty() && content.iter().all(u8::is_ascii_hexdigit)
}

/// Writes a key as text, of the kind `file`.
///
/// # Examples
/// ```
/// use carryless_file::{cobblestone::Key, key_file};
///
/// let text = key_file::format(&Key::from_slice(&[0; 16])?);
/// assert!(text.contains("key: 00000000000000000000000000000000\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn format(key: &Key) -> Zeroizing<String> {
    text(key.as_bytes(), FILE, &comment(key.cipher().name()))
}

/// Writes a key as text, of the kind `gcm`; see [`parse_gcm`].
#[must_use]
pub fn format_gcm(key: &gcm::Key) -> Zeroizing<String> {
    let cipher = match key.as_bytes().len() {
        16 => "AES-128-GCM",
        _ => "AES-256-GCM",
    };
    text(key.as_bytes(), GCM, &comment(cipher))
}

fn comment(cipher: &str) -> String {
    format!(
        "# A carryless key for {cipher}. Whoever has it opens what was sealed with it: keep it secret.\n\
         # Without it nobody does: keep a copy.\n"
    )
}

fn text(key: &[u8], kind: &str, comment: &str) -> Zeroizing<String> {
    let digits = burning(|| Zeroizing::new(hex::encode(key)));
    let checksum = hex::encode(checksum(kind, key));
    // Long enough from the start, so that no copy of the key stays behind in a shorter one.
    let mut text = Zeroizing::new(String::with_capacity(MAX_LEN));
    for part in [
        comment,
        "carryless-key: ",
        VERSION,
        "\nkind: ",
        kind,
        "\nkey: ",
        &digits,
        "\nchecksum: ",
        &checksum,
        "\n",
    ] {
        text.push_str(part);
    }
    text
}

fn checksum(kind: &str, key: &[u8]) -> [u8; CHECKSUM_LEN] {
    burning(|| {
        let hash = Sha512::new()
            .chain_update("carryless-key v1\0")
            .chain_update(kind)
            .chain_update([0])
            .chain_update(key)
            .finalize();
        *hash.first_chunk().expect("a hash is longer")
    })
}

/// The values of a text key file.
#[derive(Default)]
struct Fields<'a> {
    version: Option<&'a str>,
    kind: Option<&'a str>,
    key: Option<&'a str>,
    checksum: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// Of what can be a key file.
    fn of(content: &'a [u8]) -> Result<Self, KeyFileError> {
        match check_raw(content) {
            Ok(()) | Err(KeyFileError::Equal) => Err(KeyFileError::Raw),
            Err(KeyFileError::BareHex) => Err(KeyFileError::BareHex),
            _ if !(CHECKSUM_LEN + 1..=MAX_LEN).contains(&content.len()) => {
                Err(KeyFileError::Length { got: content.len() })
            }
            _ => Self::read(content),
        }
    }

    fn read(content: &'a [u8]) -> Result<Self, KeyFileError> {
        let mut fields = Self::default();
        for (line, content) in (1..).zip(content.split(|byte| *byte == b'\n')) {
            let content = content.trim_ascii();
            if content.is_empty() || content[0] == b'#' {
                continue;
            }
            let text = core::str::from_utf8(content).map_err(|_| KeyFileError::Line { line })?;
            let (name, value) = text.split_once(':').ok_or(KeyFileError::Line { line })?;
            let field = match name {
                "carryless-key" => &mut fields.version,
                "kind" => &mut fields.kind,
                "key" => &mut fields.key,
                "checksum" => &mut fields.checksum,
                _ => return Err(KeyFileError::Name { line }),
            };
            if field.replace(value.trim_ascii()).is_some() {
                return Err(KeyFileError::Name { line });
            }
        }
        Ok(fields)
    }

    fn key(self, kind: &'static str) -> Result<Zeroizing<Vec<u8>>, KeyFileError> {
        let required = |field: Option<&'a str>, name| field.ok_or(KeyFileError::Missing { name });
        if required(self.version, "carryless-key")? != VERSION {
            return Err(KeyFileError::Version);
        }
        if required(self.kind, "kind")? != kind {
            return Err(KeyFileError::Kind { expected: kind });
        }
        let digits = required(self.key, "key")?;
        let len = digits.len() / 2;
        if !KEY_LENS.contains(&len) {
            return Err(KeyFileError::Key);
        }
        // Not by `hex::decode`, whose result grows and leaves parts of the key behind that nobody wipes.
        let mut key = Zeroizing::new(vec![0; len]);
        burning(|| hex::decode_to_slice(digits, &mut key)).map_err(|_| KeyFileError::Key)?;
        let given = hex::decode(required(self.checksum, "checksum")?)
            .map_err(|_| KeyFileError::Checksum)?;
        if given != checksum(kind, &key) {
            return Err(KeyFileError::Checksum);
        }
        Ok(key)
    }
}

#[cfg(test)]
mod tests;
