//! The command line.

use std::path::PathBuf;

use clap::{ArgGroup, Parser, Subcommand, ValueEnum};

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

Exit codes:
  0    success
  1    other failures
  2    wrong usage, an engine that this machine lacks, or a target that exists
  3    the data is not what was sealed with this key: changed, cut, extended, another key, no such file
  4    the key file is unreadable or malformed
  5    reading or writing failed
  130  interrupted, 143 terminated; temporary files are removed";

#[derive(clap::Args)]
pub struct Global {
    /// Run on this engine (see `carryless engines`), instead of CARRYLESS_ENGINE or the best one
    #[arg(long, global = true, value_name = "NAME")]
    pub engine: Option<String>,
    /// No progress bar and no messages but errors
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
    Engines(Engines),
    Selftest(Selftest),
    Bench(Bench),
    Vectors(Vectors),
}

/// Make a new random key
///
/// The file is readable by its owner only. It is text with a checksum; `seal` and `open` also take files
/// of 16 or 32 raw bytes. Whoever has the key opens what was sealed with it, and without it nobody
/// does: keep a copy.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless keygen -o backup.key
  carryless keygen --bits 256 -o archive.key")]
pub struct Keygen {
    /// Write the key here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The length of the key: 128 (Cobblestone-128) or 256 (Cobblestone-256)
    #[arg(long, default_value = "128")]
    pub bits: KeyBits,
    /// Replace the file if it exists; what was sealed with the old key can't be opened any more
    #[arg(short, long)]
    pub force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum KeyBits {
    #[value(name = "128")]
    Bits128,
    #[value(name = "256")]
    Bits256,
}

/// Key and context: what opening needs to have as sealing had it.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("context_of_either_kind").multiple(false))]
pub struct Secret {
    /// The key: a file from `keygen`, or one of 16 or 32 raw bytes; its owner alone may read it
    #[arg(short, long, value_name = "FILE")]
    pub key_file: PathBuf,
    /// What the data is for: opening needs the same text. Not secret, not stored
    #[arg(long, value_name = "TEXT", group = "context_of_either_kind")]
    context: Option<String>,
    /// The context as hexadecimal digits
    #[arg(long, value_name = "HEX", group = "context_of_either_kind", value_parser = parse_hex)]
    context_hex: Option<Hex>,
}

/// Bytes that were given as digits.
#[derive(Clone)]
struct Hex(Vec<u8>);

fn parse_hex(digits: &str) -> Result<Hex, hex::FromHexError> {
    hex::decode(digits).map(Hex)
}

impl Secret {
    /// The context in bytes.
    pub fn context(&self) -> &[u8] {
        match (&self.context, &self.context_hex) {
            (Some(text), _) => text.as_bytes(),
            (None, Some(hex)) => &hex.0,
            (None, None) => &[],
        }
    }
}

/// Formats of sealed data.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// The bare stream of c2sp.org/chunked-encryption
    Cobblestone,
}

/// Seal a file or stream
///
/// The output is Cobblestone-128 or -256 of c2sp.org/chunked-encryption, by the length of the key.
/// It appears under its name only when it is complete; a target that is a device or pipe is written
/// directly. It has the rights of the input file, less what the umask takes away.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless seal -k backup.key photos.tar          writes photos.tar.cless
  carryless seal -k backup.key notes.txt -o notes.sealed
  tar c photos | carryless seal -k backup.key | ssh host 'cat > photos.tar.cless'")]
pub struct Seal {
    #[command(flatten)]
    pub secret: Secret,
    /// What to seal; `-` or nothing is standard input
    pub input: Option<PathBuf>,
    /// Write here; `-` is standard output. Without it: INPUT.cless, or standard output for standard input
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format of the output
    #[arg(long, default_value = "cobblestone")]
    pub format: Format,
    /// Replace the target if it exists
    #[arg(short, long)]
    pub force: bool,
}

/// Open what `seal` or another program sealed as Cobblestone
///
/// Changed, cut, reordered or extended data is refused with exit code 3, and no file is left. Data for
/// standard output comes in pieces that were authenticated one by one; if the end is missing, the exit
/// code says so after the beginning was written: wait for it before you act on the data.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless open -k backup.key photos.tar.cless    writes photos.tar
  carryless open -k backup.key photos.tar.cless -o - | tar t
  carryless open -k backup.key --context invoices < in.cless > out.pdf")]
pub struct Open {
    #[command(flatten)]
    pub secret: Secret,
    /// What to open; `-` or nothing is standard input
    pub input: Option<PathBuf>,
    /// Write here; `-` is standard output. Without it: INPUT less .cless, or standard output for standard input
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format of the input
    #[arg(long, default_value = "cobblestone")]
    pub format: Format,
    /// Replace the target if it exists
    #[arg(short, long)]
    pub force: bool,
}

/// Check that a sealed file or stream is whole and unchanged; write nothing
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless verify -k backup.key photos.tar.cless
  ssh host cat photos.tar.cless | carryless verify -k backup.key")]
pub struct Verify {
    #[command(flatten)]
    pub secret: Secret,
    /// What to check; `-` or nothing is standard input
    pub input: Option<PathBuf>,
    /// The format of the input
    #[arg(long, default_value = "cobblestone")]
    pub format: Format,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// List the engines and whether this machine can use them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless engines
  carryless engines --json
  CARRYLESS_ENGINE=soft64 carryless engines")]
pub struct Engines {
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Test every engine that this machine can use: known answers, forgeries, agreement
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

/// Measure every engine that this machine can use, on one thread
///
/// Engines take turns, the figures are medians. Every figure is of AES-GCM with a 12-byte nonce and no
/// additional data, from one buffer to another, key set-up not included. Cycles are of the core's
/// clock as it was, found by timing a chain of multiplications (x86-64 only). One or two per cent are noise.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless bench
  carryless bench --bits 256 --op open --lengths 64,1500,16384
  carryless bench --engine soft64 --json")]
pub struct Bench {
    /// Lengths of messages in bytes
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "16,64,256,1500,16384,1048576"
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1 << 30))]
    pub lengths: Vec<u32>,
    /// Key lengths
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "128,256"
    )]
    pub bits: Vec<BenchBits>,
    /// Directions
    #[arg(
        long = "op",
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "seal,open"
    )]
    pub ops: Vec<Op>,
    /// How often each engine has its turn
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BenchBits {
    #[value(name = "128")]
    Bits128,
    #[value(name = "192")]
    Bits192,
    #[value(name = "256")]
    Bits256,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Op {
    Seal,
    Open,
}

/// Answer test requests in JSON, one a line
///
/// The front door for conformance tests: version 1 of the vectors protocol.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  echo '{\"op\":\"info\"}' | carryless vectors
  carryless vectors requests.jsonl > answers.jsonl")]
pub struct Vectors {
    /// Requests; `-` or nothing is standard input
    pub input: Option<PathBuf>,
}
