//! What trying a passphrase costs, and may cost.

use core::str::FromStr;

use carryless_file::container::Argon2id;

use super::Length;

/// How passphrases are made dear to guess.
#[derive(clap::Args)]
pub struct Kdf {
    /// What a try of the passphrase costs whoever guesses, and who opens: memory, passes and lanes of Argon2id. At
    /// most 1g and 64 passes, 4g in all; 64m:3:4 without this
    #[arg(long = "kdf-cost", value_name = "MEMORY:PASSES:LANES")]
    pub cost: Option<Cost>,
}

impl Kdf {
    /// The parameters, those of the format without any.
    pub fn argon2id(&self) -> Argon2id {
        self.cost.map(|Cost(cost)| cost).unwrap_or_default()
    }
}

/// Parameters of Argon2id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost(pub Argon2id);

impl FromStr for Cost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || "it is not MEMORY:PASSES:LANES, like 64m:3:4".to_string();
        let parts: Vec<&str> = text.split(':').collect();
        let [memory, passes, lanes] = parts[..] else {
            return Err(malformed());
        };
        let memory = memory.parse::<MaxMemory>()?;
        let passes = passes.parse().map_err(|_| malformed())?;
        let lanes = lanes.parse().map_err(|_| malformed())?;
        Argon2id::new(memory.kib, passes, lanes)
            .map(Self)
            .map_err(|error| error.to_string())
    }
}

/// The memory that a try may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxMemory {
    pub kib: u32,
}

impl FromStr for MaxMemory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Length(bytes) = text.parse()?;
        if !bytes.is_multiple_of(1024) {
            return Err("memory is a multiple of 1k".into());
        }
        Ok(Self { kib: bytes / 1024 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_memory_passes_and_lanes() {
        let cost = |memory, passes, lanes| Argon2id::new(memory, passes, lanes).map(Cost).ok();
        assert_eq!("64m:3:4".parse().ok(), cost(1 << 16, 3, 4));
        assert_eq!("64m:3:4".parse(), Ok(Cost(Argon2id::default())));
        assert_eq!("1g:1:16".parse().ok(), cost(1 << 20, 1, 16));
        assert_eq!("8k:64:1".parse().ok(), cost(8, 64, 1));
        for text in [
            "",
            "64m",
            "64m:3",
            "64m:3:4:",
            "64m:3:4:1",
            ":3:4",
            "64m::4",
            "64m:3:",
            "1025m:1:1",
            "1000:1:1",
            "8k:1:2",
            "8k:0:1",
            "8k:65:1",
            "1m:1:0",
            "1m:1:17",
            "1m:1:256",
            "1m:-1:1",
        ] {
            assert!(text.parse::<Cost>().is_err(), "{text}");
        }
    }
}
