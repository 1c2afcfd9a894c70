//! Whom files are sealed for, and who opens them.

use std::path::PathBuf;

use carryless_file::recipient::Recipient;

use super::{NewSecret, Secret};
use crate::key_file::KeyFile;

/// Keys, passphrases and recipients that new files get.
#[derive(clap::Args)]
pub struct SealSecret {
    #[command(flatten)]
    pub own: Secret,
    /// Seal for this recipient, the line that `keygen --recipient` prints: who has its identity opens the file
    #[arg(short, long, value_name = "RECIPIENT")]
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
    #[arg(long, value_name = "RECIPIENT")]
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
