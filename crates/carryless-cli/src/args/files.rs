//! The verbs that read and write sealed files.

use core::str::FromStr;
use std::path::PathBuf;

use clap::ValueEnum;

use super::Secret;

/// Formats of sealed data.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The bare stream of c2sp.org/chunked-encryption, under one key file
    Cobblestone,
}

/// How files are worked on.
#[derive(clap::Args)]
pub struct Flow {
    /// Threads that seal or open at the same time; 0 is one for each core
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Print one JSON object per file on standard output
    #[arg(long)]
    pub json: bool,
}

impl Flow {
    /// How many threads to use.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            given => given,
        }
    }
}

/// Where output goes.
#[derive(clap::Args)]
pub struct Target {
    /// Write here; `-` is standard output. With several inputs: into this directory
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the target if it exists
    #[arg(short, long)]
    pub force: bool,
}

/// Seal files or a stream
///
/// INPUT becomes INPUT.cless, standard input goes to standard output. A target appears under its name only
/// when it is complete and on the disk; one that is a device or pipe is written directly. It has
/// the rights of the input file, less what the umask takes away. The input stays.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless seal -k backup.key photos.tar          writes photos.tar.cless
  carryless seal -k backup.key notes.txt -o notes.sealed
  carryless seal -k backup.key *.pdf -o sealed/
  tar c photos | carryless seal -k backup.key | ssh host 'cat > photos.tar.cless'")]
pub struct Seal {
    #[command(flatten)]
    pub secret: Secret,
    /// What to seal; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub target: Target,
    /// The format of the output
    #[arg(long, default_value = "cobblestone")]
    pub format: Format,
    #[command(flatten)]
    pub flow: Flow,
}

/// Open what `seal` or another program sealed
///
/// INPUT.cless becomes INPUT, standard input goes to standard output. Changed, cut, reordered or extended
/// data is refused with exit code 3, and no file is left. Data for
/// standard output comes in pieces that were authenticated one by one; if the end is missing, the exit
/// code says so after the beginning was written: wait for it before you act on the data.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless open -k backup.key photos.tar.cless    writes photos.tar
  carryless open -k backup.key photos.tar.cless -o - | tar t
  carryless open -k backup.key --range 1000000:4096 disk.img.cless -o - | xxd
  carryless open -k backup.key --format cobblestone --context invoices < in.cless > out.pdf")]
pub struct Open {
    #[command(flatten)]
    pub secret: Secret,
    /// What to open; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub target: Target,
    /// Only LEN bytes (without LEN: all) from byte OFF of the text on; reads no more of a file than
    /// the chunks that hold them and the last, which says where the text ends
    #[arg(long, value_name = "OFF:LEN")]
    pub range: Option<Range>,
    /// The format of the input
    #[arg(long, default_value = "cobblestone")]
    pub format: Format,
    #[command(flatten)]
    pub flow: Flow,
}

/// A part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Where it starts.
    pub offset: u64,
    /// Bytes; all there are if `None`.
    pub len: Option<u64>,
}

impl FromStr for Range {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = "it is not OFF:LEN or OFF: in bytes";
        let (offset, len) = text.split_once(':').ok_or(malformed)?;
        let number = |digits: &str| digits.parse().map_err(|_| malformed);
        Ok(Self {
            offset: number(offset)?,
            len: Some(len)
                .filter(|len| !len.is_empty())
                .map(number)
                .transpose()?,
        })
    }
}

/// Check that sealed files or a stream are whole and unchanged; write nothing
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless verify -k backup.key photos.tar.cless
  carryless verify -k backup.key --json *.cless
  ssh host cat photos.tar.cless | carryless verify -k backup.key")]
pub struct Verify {
    #[command(flatten)]
    pub secret: Secret,
    /// What to check; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// The format of the input
    #[arg(long, default_value = "cobblestone")]
    pub format: Format,
    #[command(flatten)]
    pub flow: Flow,
}
