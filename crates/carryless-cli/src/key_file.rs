//! Keys from files.

use std::path::{Path, PathBuf};

use carryless_file::cobblestone::{HEADER_LEN, Key, TAG_LEN};
use carryless_file::container::MAX_HEADER_LEN;
use carryless_file::gcm;
use carryless_file::key_file::{self, KeyFileError, MAX_LEN, check_raw, is_protected};

use crate::exit::{Failure, show};
use crate::print;
use crate::secret_file::{Reader, refuse};

/// The longest key file, under a passphrase, and one byte more.
pub const PROTECTED_LIMIT: usize = MAX_HEADER_LEN + HEADER_LEN + MAX_LEN + TAG_LEN + 1;

/// A file with a key, which may be a pipe.
pub enum KeyFile {
    /// From `carryless keygen`.
    Text(PathBuf),
    /// The bytes of a key.
    Raw(PathBuf),
}

/// What a key is for: a raw one that was hardly drawn at random seals nothing new, and opens what it sealed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Seal,
    Open,
}

impl KeyFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::Text(path) | Self::Raw(path) => path,
        }
    }

    /// The key in it.
    pub fn key(&self, reader: &Reader, purpose: Purpose) -> Result<Key, Failure> {
        self.read(reader, purpose, key_file::parse, |raw| {
            Key::from_slice(raw).ok()
        })
    }

    /// The key for GCM messages in it.
    pub fn gcm_key(&self, reader: &Reader, purpose: Purpose) -> Result<gcm::Key, Failure> {
        self.read(reader, purpose, key_file::parse_gcm, |raw| {
            gcm::Key::from_slice(raw).ok()
        })
    }

    fn read<T>(
        &self,
        reader: &Reader,
        purpose: Purpose,
        text: fn(&[u8]) -> Result<T, KeyFileError>,
        raw: fn(&[u8]) -> Option<T>,
    ) -> Result<T, Failure> {
        let name = format!("key file {}", show(self.path()));
        let content = reader.content(self.path(), &name, PROTECTED_LIMIT)?;
        let key = match self {
            Self::Text(_) if is_protected(&content) => text(&reader.unprotect(&content, &name)?),
            Self::Text(_) => text(&content),
            Self::Raw(_) => match check_raw(&content) {
                Err(error @ (KeyFileError::Printable | KeyFileError::Equal))
                    if purpose == Purpose::Open =>
                {
                    print::warning(&format!(
                        "{name}: {error}; it opens what it sealed, and is refused to seal: take another key"
                    ));
                    Ok(())
                }
                checked => checked,
            }
            .map(|()| raw(&content).expect("a length of keys")),
        };
        key.map_err(|error| {
            let failure = refuse(&name, error.into());
            advice(error).into_iter().fold(failure, Failure::hint)
        })
    }
}

/// What to do with what is not the key file that it was said to be.
const fn advice(error: KeyFileError) -> Option<&'static str> {
    use KeyFileError as E;

    match error {
        E::Raw => Some("--raw-key-file takes raw keys"),
        E::BareHex => Some("`xxd -r -p` makes of it what --raw-key-file takes"),
        E::Printable => {
            Some("--passphrase-file takes passphrases, -k files from `carryless keygen`")
        }
        E::Line { line: 1 } | E::RawLength { .. } => {
            Some("-k takes files from `carryless keygen`, --passphrase-file passphrases")
        }
        E::Equal => Some("`carryless keygen` draws a key"),
        _ => None,
    }
}
