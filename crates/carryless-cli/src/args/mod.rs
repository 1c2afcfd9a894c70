//! The command line.

mod about;
mod bench;
mod files;
mod kdf;
mod names;
mod recipient;
mod secret;
mod wait;

use clap::{Parser, Subcommand, ValueEnum};

pub use self::about::{Completions, Engines, KeyBits, KeyKind, Keygen, Man, Selftest, Vectors};
pub use self::bench::{Bench, BenchBits, Length, Op};
pub use self::files::{
    Flow, Format, Inspect, Open, Range, Rekey, Seal, Target, Verify, processors,
};
pub use self::kdf::{Kdf, MaxMemory};
pub use self::names::with_tip;
pub use self::recipient::{OpenSecret, RekeySecret, SealSecret};
pub use self::secret::{Context, NewSecret, PassphraseSource, Secret};
pub use self::wait::Wait;
use crate::exit;

/// Seals and opens files and streams with AES-GCM, fast on every CPU.
#[derive(Parser)]
#[command(name = "carryless", version, max_term_width = 100, after_help = exit::HELP, after_long_help = MAIN_HELP)]
pub struct Args {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub verb: Verb,
}

const MAIN_HELP: &str = "\
Examples:
  carryless keygen -o backup.key
  carryless seal -k backup.key photos.tar          writes photos.tar.cless
  carryless open -k backup.key photos.tar.cless    writes photos.tar
  tar c photos | carryless seal -k backup.key > photos.tar.cless

Environment:
  CARRYLESS_KEY_FILE        a key file, where no key and no passphrase is named
  CARRYLESS_PASSPHRASE      a passphrase, where no key and no other passphrase is named
  CARRYLESS_NEW_PASSPHRASE  the same for `rekey`, of the new slots
  CREDENTIALS_DIRECTORY     where a service manager puts secrets; these are taken whoever may read them
  CARRYLESS_ENGINE          the engine, where --engine names none
  NO_COLOR                  no colors in messages
  TMPDIR                    where a pipe is copied that --format gcm opens; what is copied is sealed

Exit codes:
  0    success
  1    other failures
  2    wrong usage, an engine that this machine lacks, or a target that exists or is an input
  3    the data is not what was sealed with this key: changed, cut, extended, another key, no such file
  4    a file of keys or recipients, or the passphrase source, is unreadable or malformed
  5    reading or writing failed
  130  interrupted, 143 terminated; temporary files are removed";

#[derive(clap::Args)]
pub struct Global {
    /// Run on this engine (see `carryless engines`), instead of CARRYLESS_ENGINE or the best one
    #[arg(long, global = true, value_name = "NAME")]
    pub engine: Option<String>,
    /// No progress bar, and no messages but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Colors in messages; `auto` heeds NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes it the rule for all output.
    pub fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Subcommand)]
pub enum Verb {
    Keygen(Keygen),
    Seal(Seal),
    Open(Open),
    Verify(Verify),
    Inspect(Inspect),
    Rekey(Rekey),
    Engines(Engines),
    Selftest(Selftest),
    Bench(Bench),
    Vectors(Vectors),
    Completions(Completions),
    Man(Man),
}
