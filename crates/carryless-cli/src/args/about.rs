//! The verbs that make keys, and those that are about the program itself.

use std::path::PathBuf;

use carryless_file::recipient::Kem;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Kdf, PassphraseSource};

/// Make a new random key
///
/// The file is readable by its owner only. It is text with a checksum. Whoever has the key opens what was
/// sealed with it, and without it nobody does: keep a copy. Under a passphrase the file is a container of
/// the key, which the other verbs ask the passphrase of; `rekey` changes that.
///
/// With --recipient it is an identity, for `open -i`, and its recipient is printed: the line that `seal -r`
/// takes. Who has that line alone can seal, and opens nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless keygen -o backup.key
  carryless keygen --bits 256 -o archive.key
  carryless keygen --recipient -o my.identity      prints the recipient
  carryless keygen --recipient=x-wing -o my.pq     the hybrid with ML-KEM-768, a draft: its recipient is a long line
  carryless keygen --passphrase -o laptop.key      asks for a passphrase, which opens the file from then on
  carryless keygen --kind gcm -o message.key")]
pub struct Keygen {
    /// Write the key here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The length of the key: 128 or 256
    #[arg(long, default_value = "128")]
    pub bits: KeyBits,
    /// What the key is for: `file`, container and cobblestone; `gcm`, only --format gcm
    #[arg(long, default_value = "file")]
    pub kind: KeyKind,
    /// Make an identity, and print its recipient: on standard output, or beside it on standard error. KIND is x25519, or x-wing, which withstands quantum computers, too, and whose specification is a draft
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "x25519")]
    #[arg(value_parser = kem(), conflicts_with_all = ["bits", "kind"])]
    pub recipient: Option<Kem>,
    #[command(flatten)]
    pub passphrase: PassphraseSource,
    #[command(flatten)]
    pub kdf: Kdf,
    /// Take a passphrase file that others than its owner may read, too
    #[arg(long)]
    pub allow_readable_by_others: bool,
    /// Replace the file if it exists; what was sealed with the old key can't be opened any more
    #[arg(short, long)]
    pub force: bool,
}

/// Takes the name of a kind of recipients.
fn kem() -> impl TypedValueParser<Value = Kem> {
    let named = |name: String| Kem::ALL.into_iter().find(|kem| kem.name() == name);
    PossibleValuesParser::new(Kem::ALL.map(Kem::name))
        .map(move |name| named(name).expect("one of the names"))
}

#[derive(Clone, Copy, ValueEnum)]
pub enum KeyKind {
    File,
    Gcm,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum KeyBits {
    #[value(name = "128")]
    Bits128,
    #[value(name = "256")]
    Bits256,
}

/// List the engines and whether this machine can use them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless engines
  carryless engines --json
  CARRYLESS_ENGINE=soft64 carryless engines")]
pub struct Engines {
    /// One JSON object per line, with the members that docs/engines.md lists
    #[arg(long)]
    pub json: bool,
}

/// Test every engine that this machine can use: known answers, forgeries, agreement
///
/// With each algorithm for messages that `carryless engines` lists.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless selftest
  carryless selftest --engine soft64 --json")]
pub struct Selftest {
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Answer test requests in JSON, one a line
///
/// The front door for conformance tests: version 1 of the vectors protocol.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  echo '{\"op\":\"info\"}' | carryless vectors             the algorithms, and the engines that run them
  carryless vectors requests.jsonl > answers.jsonl")]
pub struct Vectors {
    /// Requests; `-` or nothing is standard input
    pub input: Option<PathBuf>,
}

/// Print a script that completes commands in a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless completions bash > ~/.local/share/bash-completion/completions/carryless
  carryless completions zsh > ~/.zfunc/_carryless")]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Print the man page of the program or of a verb, or write all of them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless man | man -l -
  carryless man seal | man -l -
  carryless man --directory ~/.local/share/man/man1")]
pub struct Man {
    /// The page of this verb
    #[arg(conflicts_with = "directory")]
    pub verb: Option<String>,
    /// Write the pages of the program and all verbs into this directory
    #[arg(short, long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
}
