//! What opens: keys and passphrases, from everywhere but the command line.

use std::path::PathBuf;

use clap::ArgGroup;

use super::MaxMemory;
use crate::key_file::KeyFile;
use crate::secret_file::Reader;

/// Keys and passphrases; without any, the key file that `CARRYLESS_KEY_FILE` names, or else the passphrase in
/// `CARRYLESS_PASSPHRASE`.
#[derive(clap::Args)]
pub struct Secret {
    /// A key: a file from `keygen`; its owner alone may read it.
    /// Without any key and passphrase the variable CARRYLESS_KEY_FILE names one, or else
    /// CARRYLESS_PASSPHRASE is a passphrase
    #[arg(short, long, value_name = "FILE")]
    key_file: Vec<PathBuf>,
    /// A key of another program: a file of 16 or 32 random bytes. One that is text, or one byte again and
    /// again, opens what it sealed, with a warning, and seals nothing new
    #[arg(long, value_name = "FILE")]
    raw_key_file: Vec<PathBuf>,
    #[command(flatten)]
    pub passphrase: PassphraseSource,
    /// Take files with keys and passphrases that others than their owner may read, too: whoever does
    /// opens what they seal. Without this they must be on a read-only mount or in CREDENTIALS_DIRECTORY
    #[arg(long)]
    allow_readable_by_others: bool,
    /// Take the passphrase of key files that are under one from what this command of the shell prints, less a
    /// line end, instead of asking for it on the terminal
    #[arg(long, value_name = "COMMAND")]
    key_passphrase_command: Option<String>,
    /// Refuse files of which a try of a passphrase takes more memory than this (k, m and g stand for 2^10,
    /// 2^20 and 2^30); the formats allow 1g
    #[arg(long, value_name = "SIZE", default_value = "1g")]
    max_kdf_memory: MaxMemory,
}

impl Secret {
    /// What reads them.
    pub fn reader(&self) -> Reader {
        Reader::new(
            self.allow_readable_by_others,
            self.max_kdf_memory.kib,
            self.key_passphrase_command.clone(),
        )
    }

    /// The files with keys; that of the variable, where neither these nor `others` are named.
    pub fn keys(&self, others: bool) -> Vec<KeyFile> {
        let named = key_files(&self.key_file, &self.raw_key_file);
        if others || !named.is_empty() || self.passphrase.is_named() {
            return named;
        }
        let usual = std::env::var_os("CARRYLESS_KEY_FILE").filter(|name| !name.is_empty());
        let usual = usual.map(|name| KeyFile::Text(name.into()));
        usual.into_iter().collect()
    }

    /// The files that it is read from.
    pub fn files(&self, others: bool) -> impl Iterator<Item = PathBuf> + use<> {
        paths(&self.keys(others), &self.passphrase)
    }
}

fn key_files(text: &[PathBuf], raw: &[PathBuf]) -> Vec<KeyFile> {
    let text = text.iter().cloned().map(KeyFile::Text);
    text.chain(raw.iter().cloned().map(KeyFile::Raw)).collect()
}

fn paths(keys: &[KeyFile], passphrase: &PassphraseSource) -> impl Iterator<Item = PathBuf> + use<> {
    let keys: Vec<_> = keys.iter().map(|key| key.path().to_owned()).collect();
    keys.into_iter().chain(passphrase.path())
}

/// What bare streams are bound to.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("context_of_either_kind").multiple(false))]
pub struct Context {
    /// What the data is for: opening needs the same text. Not secret, not stored; of bare streams
    #[arg(long, value_name = "TEXT", group = "context_of_either_kind")]
    context: Option<String>,
    /// The context as hexadecimal digits
    #[arg(long, value_name = "HEX", group = "context_of_either_kind", value_parser = parse_hex)]
    context_hex: Option<Hex>,
}

/// Where a passphrase comes from. Never the command line, which everybody may list.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("passphrase_source").multiple(false))]
pub struct PassphraseSource {
    /// Ask for a passphrase on the terminal
    #[arg(
        id = "passphrase",
        short,
        long = "passphrase",
        group = "passphrase_source"
    )]
    pub prompt: bool,
    /// Take the passphrase from this file, less a line end; its owner alone may read it
    #[arg(
        id = "passphrase_file",
        long = "passphrase-file",
        value_name = "FILE",
        group = "passphrase_source"
    )]
    pub file: Option<PathBuf>,
    /// Take the passphrase from this open file descriptor
    #[arg(
        id = "passphrase_fd",
        long = "passphrase-fd",
        value_name = "N",
        group = "passphrase_source"
    )]
    pub fd: Option<u32>,
    /// Take the passphrase from what this command of the shell prints, less a line end
    #[arg(
        id = "passphrase_command",
        long = "passphrase-command",
        value_name = "COMMAND",
        group = "passphrase_source"
    )]
    pub command: Option<String>,
}

impl PassphraseSource {
    /// Whether there is one.
    pub const fn is_named(&self) -> bool {
        self.prompt || self.file.is_some() || self.fd.is_some() || self.command.is_some()
    }

    /// The file that it is read from.
    pub fn path(&self) -> Option<PathBuf> {
        let descriptor = || Some(format!("/dev/fd/{}", self.fd?).into());
        self.file.clone().or_else(descriptor)
    }
}

/// What is to open a file from now on; without any, the passphrase in `CARRYLESS_NEW_PASSPHRASE`.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("new_passphrase_source").multiple(false))]
pub struct NewSecret {
    /// A key that is to open the file. Without any and without a passphrase the variable
    /// CARRYLESS_NEW_PASSPHRASE is one
    #[arg(long, value_name = "FILE")]
    new_key_file: Vec<PathBuf>,
    /// The same for a file of 16 or 32 random bytes
    #[arg(long, value_name = "FILE")]
    new_raw_key_file: Vec<PathBuf>,
    /// Ask for a passphrase that is to open the file
    #[arg(long, group = "new_passphrase_source")]
    new_passphrase: bool,
    /// Take that passphrase from this file, less a line end
    #[arg(long, value_name = "FILE", group = "new_passphrase_source")]
    new_passphrase_file: Option<PathBuf>,
    /// Take that passphrase from this open file descriptor
    #[arg(long, value_name = "N", group = "new_passphrase_source")]
    new_passphrase_fd: Option<u32>,
    /// Take that passphrase from what this command of the shell prints, less a line end
    #[arg(long, value_name = "COMMAND", group = "new_passphrase_source")]
    new_passphrase_command: Option<String>,
}

impl NewSecret {
    /// The files with keys.
    pub fn keys(&self) -> Vec<KeyFile> {
        key_files(&self.new_key_file, &self.new_raw_key_file)
    }

    /// The files that it is read from.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        paths(&self.keys(), &self.passphrase())
    }

    /// Where its passphrase comes from.
    pub fn passphrase(&self) -> PassphraseSource {
        PassphraseSource {
            prompt: self.new_passphrase,
            file: self.new_passphrase_file.clone(),
            fd: self.new_passphrase_fd,
            command: self.new_passphrase_command.clone(),
        }
    }
}

/// Bytes that were given as digits.
#[derive(Clone)]
struct Hex(Vec<u8>);

fn parse_hex(digits: &str) -> Result<Hex, hex::FromHexError> {
    hex::decode(digits).map(Hex)
}

impl Context {
    /// In bytes, if one was given.
    pub fn bytes(&self) -> Option<&[u8]> {
        match (&self.context, &self.context_hex) {
            (Some(text), _) => Some(text.as_bytes()),
            (None, Some(hex)) => Some(&hex.0),
            (None, None) => None,
        }
    }
}
