//! Whom files are sealed for, and who opens them.

use std::path::PathBuf;

use carryless_file::recipient::Recipient;

use super::{NewSecret, Secret};

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
    /// The files that it is read from.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        (self.own.files()).chain(self.recipients_file.iter().cloned())
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
    /// The files that it is read from.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        (self.own.files()).chain(self.identity.iter().cloned())
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
