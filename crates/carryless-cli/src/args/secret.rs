//! What opens: keys and passphrases, from everywhere but the command line.

use std::path::PathBuf;

use clap::ArgGroup;

/// Keys and passphrases; without any, the passphrase in `CARRYLESS_PASSPHRASE`.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("context_of_either_kind").multiple(false))]
pub struct Secret {
    /// A key: a file from `keygen`, or one of 16 or 32 raw bytes; its owner alone may read it
    #[arg(short, long, value_name = "FILE")]
    pub key_file: Vec<PathBuf>,
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
