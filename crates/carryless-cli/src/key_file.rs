//! Reads a file with a secret; every failure has exit code 4.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use carryless_file::cobblestone::Key;
use carryless_file::gcm;
use carryless_file::key_file::{self, KeyFileError, MAX_LEN, check_raw};
use zeroize::Zeroizing;

use crate::exit::{Code, Failure, show};
use crate::input::read_full;
use crate::print;

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
    pub fn key(&self, purpose: Purpose) -> Result<Key, Failure> {
        self.read(purpose, key_file::parse, |raw| Key::from_slice(raw).ok())
    }

    /// The key for GCM messages in it.
    pub fn gcm_key(&self, purpose: Purpose) -> Result<gcm::Key, Failure> {
        self.read(purpose, key_file::parse_gcm, |raw| {
            gcm::Key::from_slice(raw).ok()
        })
    }

    fn read<T>(
        &self,
        purpose: Purpose,
        text: fn(&[u8]) -> Result<T, KeyFileError>,
        raw: fn(&[u8]) -> Option<T>,
    ) -> Result<T, Failure> {
        let name = format!("key file {}", show(self.path()));
        let content = read_private(self.path(), &name, MAX_LEN + 1)?;
        let key = match self {
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

/// The content, up to a limit, of a file that its owner alone may read, or of a pipe.
pub fn read_private(path: &Path, name: &str, limit: usize) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let refuse = |error| refuse(name, error);
    let mut file = File::open(path)
        .context("can't be opened")
        .map_err(refuse)?;
    if readable_by_others(&file)
        .context("can't be examined")
        .map_err(refuse)?
    {
        return Err(
            refuse(anyhow::anyhow!("others than its owner may read it")).hint(format!(
                "if what is in it is still secret: chmod 600 {}",
                show(path)
            )),
        );
    }
    read_at_most(&mut file, limit)
        .context("can't be read")
        .map_err(refuse)
}

fn refuse(name: &str, error: anyhow::Error) -> Failure {
    Failure::new(Code::Key, error.context(name.to_string()))
}

/// Whether group or world have any right to a regular file.
#[cfg(unix)]
pub fn readable_by_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    let metadata = file.metadata()?;
    Ok(metadata.is_file() && metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
pub fn readable_by_others(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Reads into a buffer that never moves, so that it can be wiped.
fn read_at_most(file: &mut File, limit: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut content = Zeroizing::new(vec![0; limit]);
    let len = read_full(file, &mut content)?;
    content.truncate(len);
    Ok(content)
}
