//! The verbs that read and write sealed files.

use core::str::FromStr;
use std::path::PathBuf;

use clap::ValueEnum;

use super::{Context, Kdf, OpenSecret, RekeySecret, SealSecret, Wait};

/// Formats of sealed data.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Key slots for any of several keys, passphrases and recipients, and a chunked stream (docs/format.md)
    Container,
    /// The bare stream of c2sp.org/chunked-encryption, under one key file
    Cobblestone,
    /// One message as in NIST SP 800-38D: nonce, ciphertext, tag; under one key file of its own kind
    Gcm,
}

impl Format {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Container => "container",
            Self::Cobblestone => "cobblestone",
            Self::Gcm => "gcm",
        }
    }
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
            0 => processors(),
            given => given,
        }
    }
}

/// How many threads the machine runs at once.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where output goes.
#[derive(clap::Args)]
pub struct Target {
    /// Write here; `-` is standard output. With several inputs, or if it ends in /: into this directory
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the target if it exists
    #[arg(short, long)]
    pub force: bool,
}

/// Seal files or a stream
///
/// INPUT becomes INPUT.cless, standard input goes to standard output. A target appears under its name only
/// when it is complete and on the disk; the name is there to stay when the call has ended. One that is a device or
/// pipe is written directly. It has the rights of the input file, less what the umask takes away. The input stays. Of
/// several files each has its own result: one that fails does not keep the others from their turn, and the exit
/// code is that of the first that failed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless seal -k backup.key photos.tar          writes photos.tar.cless
  carryless seal -k backup.key notes.txt -o notes.sealed
  carryless seal -k backup.key *.pdf -o sealed/
  find photos -type f -exec carryless seal -k backup.key {} +
  carryless seal --passphrase -k backup.key letter.odt   either opens it
  carryless seal -R office.txt -r cless1q73h.. letter.odt   their identities open it, and nothing here does
  tar c photos | carryless seal -k backup.key | ssh host 'cat > photos.tar.cless'
  tail -f log | carryless seal -k backup.key --flush-after 5 | ssh host 'cat > log.cless'")]
pub struct Seal {
    #[command(flatten)]
    pub secret: SealSecret,
    /// What to seal; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub target: Target,
    #[command(flatten)]
    pub kdf: Kdf,
    #[command(flatten)]
    pub context: Context,
    /// The format of the output
    #[arg(long, default_value = "container")]
    pub format: Format,
    #[command(flatten)]
    pub wait: Wait,
    #[command(flatten)]
    pub flow: Flow,
}

/// Open what `seal` or another program sealed
///
/// INPUT.cless becomes INPUT, standard input goes to standard output. Changed, cut, reordered or extended
/// data is refused with exit code 3, and no file is left. Data for
/// standard output comes in pieces that were authenticated one by one; if the end is missing, the exit
/// code says so after the beginning was written: wait for it before you act on the data. Of several
/// files each has its own result, and the exit code is 3 if one was not what was sealed, else that of
/// the first that failed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless open -k backup.key photos.tar.cless    writes photos.tar
  carryless open -i my.identity letter.odt.cless   sealed for its recipient
  carryless open -k backup.key photos.tar.cless -o - | tar t
  carryless open -k backup.key --range 1000000:4096 disk.img.cless -o - | xxd
  carryless open -k backup.key --format cobblestone --context invoices < in.cless > out.pdf")]
pub struct Open {
    #[command(flatten)]
    pub secret: OpenSecret,
    /// What to open; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub target: Target,
    /// Only LEN bytes (without LEN: all) from byte OFF of the text on, which must have them; reads no more of a
    /// file than the chunks that hold them and the last, which says where the text ends
    #[arg(long, value_name = "OFF:LEN")]
    pub range: Option<Range>,
    /// Take less than LEN bytes where the text ends before
    #[arg(long, requires = "range")]
    pub short_range: bool,
    #[command(flatten)]
    pub context: Context,
    /// The format of the input; without it a container, if it begins like one, or else a bare stream
    #[arg(long)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub wait: Wait,
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
    /// Fewer bytes are enough, where the text ends.
    pub or_less: bool,
}

impl Open {
    /// The part of the text that is wanted.
    pub fn range(&self) -> Option<Range> {
        let or_less = self.short_range;
        self.range.map(|range| Range { or_less, ..range })
    }
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
            or_less: false,
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
    pub secret: OpenSecret,
    /// What to check; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub context: Context,
    /// The format of the input; without it a container, if it begins like one, or else a bare stream
    #[arg(long)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub flow: Flow,
}

/// Say what sealed files say of themselves, without a key
///
/// **Nothing of it is authenticated**: whoever had the file may have changed it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless inspect photos.tar.cless
  carryless inspect --json *.cless | jq .slots")]
pub struct Inspect {
    /// What to look at; `-` or nothing is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    pub json: bool,
}

/// Change which keys, passphrases and recipients open containers
///
/// The file gets new slots for the new keys, passphrase and recipients, and only for those; what is sealed in it
/// is copied unchanged. It needs a key, identity or passphrase that opens it now, and is replaced when the new one is
/// complete. **It revokes nothing**: a copy from before still opens as before, and who could open
/// it may have kept what opens this one too. To revoke, seal anew.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless rekey -k old.key --new-key-file new.key photos.tar.cless
  carryless rekey -k my.key --new-key-file my.key --new-passphrase letter.odt.cless   adds a passphrase
  carryless rekey -i my.identity --new-recipients-file office.txt letter.odt.cless
  carryless rekey -p --new-passphrase letter.odt.cless -o other.cless")]
pub struct Rekey {
    #[command(flatten)]
    pub secret: OpenSecret,
    #[command(flatten)]
    pub new: RekeySecret,
    #[command(flatten)]
    pub kdf: Kdf,
    /// The containers
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub target: Target,
    /// Print one JSON object per file on standard output
    #[arg(long)]
    pub json: bool,
}
