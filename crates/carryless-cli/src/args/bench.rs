//! What the benchmark measures.

use core::str::FromStr;
use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{ArgPredicate, PossibleValuesParser, TypedValueParser};

use crate::vectors::{Algorithm, Family};

/// Measure every engine that this machine can use
///
/// Engines take turns in random order, the figures are medians. Every figure is of one message: of a nonce made
/// beforehand, of 12 bytes or the length that the algorithm has, and no additional data (what only authenticates has nothing else), from one
/// buffer to another, key set-up not included, on one thread, unless an option says otherwise. Cycles are no counter's: they are nanoseconds times the core's clock as it was, found by timing a
/// chain of additions, each of which takes a cycle (x86-64 and Arm; an emulator has no such clock, and its figures mean
/// nothing). One or two per cent are noise. The plot shows cycles per byte over length (nanoseconds where cycles are not known), and
/// what the units of the CPU would allow at best, if they are known.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  carryless bench
  carryless bench --bits 256 --op open --lengths 64,1500,16k
  carryless bench --op gmac,ctr --lengths 16k,1m
  carryless bench --alg aes-xts,aes-cbc --op decrypt     what takes whole blocks alone gets the next whole one
  carryless bench --oneshot --lengths 64,256             a new key for every message
  carryless bench --batch 8 --lengths 16,64              eight messages a call, figures per message
  carryless bench --threads 1,2,0 --lengths 1g --op seal one long message by one, two and all cores
  carryless bench --lengths 16,64,256,1k,4k,16k,64k,1m --svg bench.svg
  carryless bench --engine soft64 --rounds 3 --json")]
pub struct Bench {
    /// Algorithms, by the names that `carryless vectors` has for them
    #[arg(
        long = "alg",
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "aes-gcm",
        value_parser = algorithms()
    )]
    pub algs: Vec<&'static Algorithm>,
    /// Lengths of messages in bytes; k, m and g stand for 2^10, 2^20 and 2^30; at most 1g, a batch too
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "16,64,256,1500,16k,1m"
    )]
    #[arg(default_value_if("threads", ArgPredicate::IsPresent, "256k,1m,16m,64m"))]
    pub lengths: Vec<Length>,
    /// Key lengths; what an algorithm has not is left out
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "128,256"
    )]
    pub bits: Vec<BenchBits>,
    /// What is done, if an algorithm does it; without this all that it does
    #[arg(long = "op", value_delimiter = ',', value_name = "LIST")]
    pub ops: Vec<Op>,
    /// A new key for every message, in the same call
    #[arg(long, conflicts_with_all = ["batch", "threads"])]
    pub oneshot: bool,
    /// N messages in one call
    #[arg(long, value_name = "N", conflicts_with = "threads")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    pub batch: Option<u32>,
    /// Every message by N threads, each of which gets 128 KiB at least; 0 is one for each core
    #[arg(short, long, value_delimiter = ',', value_name = "LIST")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub threads: Vec<u32>,
    /// How often each engine has its turn
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// One JSON object per line: the machine, then each figure
    #[arg(long)]
    pub json: bool,
    /// Draw a plot into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Replace the plot if it exists
    #[arg(short, long, requires = "svg")]
    pub force: bool,
}

fn algorithms() -> impl TypedValueParser<Value = &'static Algorithm> {
    let names = PossibleValuesParser::new(Algorithm::of_messages().map(|algorithm| algorithm.name));
    names.map(|name| Algorithm::find(&name).expect("a name of the list"))
}

/// The length of a message in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length(pub u32);

impl Length {
    /// One GiB.
    pub const MAX: u32 = 1 << 30;
}

impl FromStr for Length {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let units = [('k', 10), ('m', 20), ('g', 30)];
        let (digits, shift) = units
            .into_iter()
            .find_map(|(unit, shift)| {
                Some((text.strip_suffix([unit, unit.to_ascii_uppercase()])?, shift))
            })
            .unwrap_or((text, 0));
        let number: u32 = digits
            .parse()
            .map_err(|_| "it is not a number of bytes, nor one with k, m or g")?;
        number
            .checked_mul(1 << shift)
            .filter(|len| *len <= Self::MAX)
            .map(Self)
            .ok_or("it is longer than 1g")
    }
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

impl BenchBits {
    pub const fn number(self) -> u32 {
        match self {
            Self::Bits128 => 128,
            Self::Bits192 => 192,
            Self::Bits256 => 256,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Op {
    /// Encrypt, and make the tag
    Seal,
    /// Verify the tag, and decrypt
    Open,
    /// Of aes-gcm: the tag of data that is not encrypted
    Gmac,
    /// Of aes-gcm: encrypt without a tag
    Ctr,
    /// Make the tag
    Mac,
    Encrypt,
    Decrypt,
    /// Hash whole blocks
    Hash,
}

impl Op {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Open => "open",
            Self::Gmac => "gmac",
            Self::Ctr => "ctr",
            Self::Mac => "mac",
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::Hash => "hash",
        }
    }

    /// What an algorithm does.
    pub const fn of(algorithm: &Algorithm) -> &'static [Self] {
        match algorithm.family {
            Family::Aead(_) => &[Self::Seal, Self::Open],
            Family::Mac(_) => &[Self::Mac],
            Family::Cipher(..) => &[Self::Encrypt, Self::Decrypt],
            Family::Hash(_) => &[Self::Hash],
            Family::Part(_) => &[],
        }
    }

    /// Whether an algorithm, or a part of it, does this.
    pub fn is_of(self, algorithm: &Algorithm) -> bool {
        let part = matches!(self, Self::Gmac | Self::Ctr) && algorithm.name == "aes-gcm";
        part || Self::of(algorithm).contains(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::Length;

    #[test]
    fn lengths_have_units() {
        let good = [
            ("0", 0),
            ("1500", 1500),
            ("16k", 16384),
            ("64M", 64 << 20),
            ("1g", 1 << 30),
        ];
        for (text, len) in good {
            assert_eq!(text.parse(), Ok(Length(len)), "{text}");
        }
        for text in [
            "",
            "k",
            "1.5k",
            "-1",
            "1kk",
            "1t",
            "2g",
            "1025m",
            "4294967296",
            "1 k",
        ] {
            assert!(text.parse::<Length>().is_err(), "{text}");
        }
    }
}
