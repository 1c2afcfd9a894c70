//! `xtask/assure/counts.toml`: limits, and what the tables of `docs/performance-arm.md` have besides.

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use super::Counts;
use super::peers::Peer;
use crate::run::{Outcome, root};

/// Cycles a byte, least and most, by core, engine and work.
pub(super) type Cycles = BTreeMap<String, [f64; 2]>;

#[derive(Deserialize)]
pub(super) struct Committed {
    /// The compiler that the counts were found with: others differ a little, in either direction.
    pub(super) compiler: String,
    pub(super) engines: Counts,
    #[serde(default)]
    pub(super) peers: Vec<Peer>,
    #[serde(default)]
    pub(super) cycles: Cycles,
}

fn path() -> PathBuf {
    root().join("xtask/assure/counts.toml")
}

const HEAD: &str = "\
# Executed instructions of a call, as `cargo xtask count --update` found them: the work and its bytes, with AES-128, 12
# bytes of AAD, checks and wiping included; `set` makes a key. A hundredth more of them fails.
# Below, as with `--peers`, those of Debian's libraries; with `--models`, modelled cycles a byte.
";

impl Committed {
    pub(super) fn read() -> Result<Self, String> {
        let text = fs::read_to_string(path()).map_err(|error| format!("counts.toml: {error}"))?;
        toml::from_str(&text).map_err(|error| format!("counts.toml: {error}"))
    }

    pub(super) fn write(&self) -> Outcome {
        let mut text = format!("{HEAD}\ncompiler = \"{}\"\n", self.compiler);
        for (engine, works) in &self.engines {
            _ = writeln!(text, "\n[engines.{engine}]");
            for (work, count) in works {
                _ = writeln!(text, "\"{work}\" = {count}");
            }
        }
        for Peer {
            name,
            machine,
            crypto,
            seal,
        } in &self.peers
        {
            _ = write!(
                text,
                "\n[[peers]]\nname = \"{name}\"\nmachine = \"{machine}\"\ncrypto = {crypto}\nseal = {seal:?}\n"
            );
        }
        text += "\n[cycles]\n";
        for (what, [least, most]) in &self.cycles {
            _ = writeln!(text, "\"{what}\" = [{least:.3}, {most:.3}]");
        }
        fs::write(path(), text).map_err(|error| format!("counts.toml: {error}"))
    }
}
