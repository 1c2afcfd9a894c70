//! Whom files are sealed for, and who opens them.

use std::ffi::OsStr;
use std::path::PathBuf;

use carryless_file::recipient::{Recipient, RecipientError};
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command};

use super::{NewSecret, Secret};
use crate::key_file::KeyFile;

/// Letters of a word that are shown of one that is no recipient: hybrid ones have two thousand.
const SHOWN: usize = 72;

/// Takes a recipient.
#[derive(Clone)]
struct OneWord;

impl TypedValueParser for OneWord {
    type Value = Recipient;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        word: &OsStr,
    ) -> Result<Recipient, clap::Error> {
        let word = word.to_string_lossy();
        word.parse().map_err(|why: RecipientError| {
            let mut shown: String = word.chars().take(SHOWN).collect();
            if shown.len() < word.len() {
                shown.push_str("...");
            }
            let option = option.map(ToString::to_string).unwrap_or_default();
            let message = format!("invalid value '{shown}' for '{option}': {why}");
            command.clone().error(ErrorKind::ValueValidation, message)
        })
    }
}

/// Keys, passphrases and recipients that new files get.
#[derive(clap::Args)]
pub struct SealSecret {
    #[command(flatten)]
    pub own: Secret,
    /// Seal for this recipient, the line that `keygen --recipient` prints: who has its identity opens the file
    #[arg(short, long, value_name = "RECIPIENT", value_parser = OneWord)]
    pub recipient: Vec<Recipient>,
    /// Seal for the recipients in this file, one a line; lines that begin with # are comments
    #[arg(short = 'R', long, value_name = "FILE")]
    pub recipients_file: Vec<PathBuf>,
}

impl SealSecret {
    /// Whether there are recipients.
    pub const fn others(&self) -> bool {
        !self.recipient.is_empty() || !self.recipients_file.is_empty()
    }

    /// The files with keys.
    pub fn keys(&self) -> Vec<KeyFile> {
        self.own.keys(self.others())
    }

    /// The files that it is read from.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        (self.own.files(self.others())).chain(self.recipients_file.iter().cloned())
    }
}

/// Keys, passphrases and identities that open files.
#[derive(clap::Args)]
pub struct OpenSecret {
    #[command(flatten)]
    pub own: Secret,
    /// An identity, a file from `keygen --recipient`; its owner alone may read it
    #[arg(short, long, value_name = "FILE")]
    pub identity: Vec<PathBuf>,
}

impl OpenSecret {
    /// Whether there are identities.
    pub const fn others(&self) -> bool {
        !self.identity.is_empty()
    }

    /// The files with keys.
    pub fn keys(&self) -> Vec<KeyFile> {
        self.own.keys(self.others())
    }

    /// The files that it is read from.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        (self.own.files(self.others())).chain(self.identity.iter().cloned())
    }
}

/// Keys, passphrases and recipients that old files get.
#[derive(clap::Args)]
pub struct RekeySecret {
    #[command(flatten)]
    pub own: NewSecret,
    /// A recipient whose identity is to open the file
    #[arg(long, value_name = "RECIPIENT", value_parser = OneWord)]
    pub new_recipient: Vec<Recipient>,
    /// A file of recipients, one a line, whose identities are to open the file
    #[arg(long, value_name = "FILE")]
    pub new_recipients_file: Vec<PathBuf>,
}

impl RekeySecret {
    /// The files that it is read from.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        (self.own.files()).chain(self.new_recipients_file.iter().cloned())
    }
}
