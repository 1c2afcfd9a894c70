//! `cargo xtask count`: how many instructions the engines of Arm execute, by QEMU's user mode, which counts them exactly.
//!
//! Counts stand for measurements where no machine is at hand. They are committed as limits: a hundredth more is a
//! fault, as calls of the C library take a few more or less by where memory lies; so is an instruction of AES or a product of 64
//! bits in an engine for CPUs that have none.

mod page;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::assure::machine::{AARCH32, AARCH64, Machine, plugin};
use crate::builds::compiler;
use crate::run::{Outcome, output, root};

/// What is counted, and the bytes of text.
const WORKS: [(&str, &[usize]); 5] = [
    ("seal", &LENGTHS),
    ("open", &LENGTHS),
    ("ctr", &[LONG]),
    ("ghash", &[LONG]),
    ("set", &[0]),
];

/// Of messages.
const LENGTHS: [usize; 5] = [16, 64, 256, 1500, LONG];

/// The length of which papers give figures.
const LONG: usize = 10_000;

/// Runs of which the second has more calls; their difference is without what is done once.
const TIMES: [u64; 2] = [3, 13];

/// A machine, what the plugin must know of it, and its engines.
type Place = (&'static Machine, &'static str, &'static [&'static str]);

const PLACES: [Place; 2] = [
    (&AARCH64, "", &["armce3", "armce", "neon", "soft64"]),
    (&AARCH32, ",arm=on", &["armce32", "neon32", "soft32"]),
];

/// Instructions of an engine, by its name, and by the work and the bytes: `seal 16`.
type Counts = BTreeMap<String, BTreeMap<String, u64>>;

#[derive(Deserialize)]
struct Committed {
    /// The compiler that they were found with: others differ a little, in either direction.
    compiler: String,
    engines: Counts,
}

fn path() -> PathBuf {
    root().join("xtask/assure/counts.toml")
}

/// Counts, and compares.
pub(crate) fn check() -> Outcome {
    let text = fs::read_to_string(path()).map_err(|error| format!("counts.toml: {error}"))?;
    let committed: Committed =
        toml::from_str(&text).map_err(|error| format!("counts.toml: {error}"))?;
    let found = count()?;
    let same = committed.compiler == compiler()?;
    let mut faults = Vec::new();
    for (engine, works) in &found {
        let limits = committed.engines.get(engine);
        for (work, count) in works {
            match limits.and_then(|works| works.get(work)) {
                None => faults.push(format!("  {engine}, {work}: no limit")),
                Some(limit) => {
                    let most = limit + if same { limit / 100 } else { limit / 10 } + 4;
                    if *count > most {
                        faults.push(format!("  {engine}, {work}: {count}, at most {most}"));
                    }
                }
            }
        }
    }
    for (engine, works) in &committed.engines {
        let there = |work: &&String| {
            found
                .get(engine)
                .is_some_and(|found| found.contains_key(*work))
        };
        let gone = works.keys().filter(|work| !there(work));
        faults.extend(gone.map(|work| format!("  {engine}, {work}: committed, but not there")));
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "more instructions than committed (cargo xtask count --update):\n{}",
        faults.join("\n")
    ))
}

/// Counts, and commits what was found.
pub(crate) fn update() -> Outcome {
    let mut text = String::from(
        "# Executed instructions of a call, as `cargo xtask count --update` found them: the work and its bytes, with AES-128, 12\n\
         # bytes of AAD, checks and wiping included; `set` makes a key. A hundredth more of them fails.\n\n",
    );
    text += &format!("compiler = \"{}\"\n", compiler()?);
    let counts = count()?;
    for (engine, works) in &counts {
        text += &format!("\n[engines.{engine}]\n");
        for (work, count) in works {
            text += &format!("\"{work}\" = {count}\n");
        }
    }
    fs::write(path(), text).map_err(|error| format!("counts.toml: {error}"))?;
    page::write(&counts)
}

/// What every engine executes.
fn count() -> Result<Counts, String> {
    let plugin = plugin("count")?;
    let out = root().join("target/assure/count.txt");
    let mut found = Counts::new();
    for (machine, argument, engines) in PLACES {
        let plugin = format!("{plugin},out={}{argument}", out.display());
        machine.prepare()?;
        let program = machine.build("count", &[])?;
        let mut words = machine.words("max", &plugin);
        words.push(program.to_string_lossy().into_owned());
        let counter = Counter { words, out: &out };
        for engine in engines {
            let works = found.entry((*engine).to_owned()).or_default();
            for (work, lengths) in WORKS {
                for length in lengths {
                    let count = counter.count(engine, work, *length)?;
                    println!("{engine:9} {work:5} {length:6} {count:9}");
                    works.insert(format!("{work} {length}"), count);
                }
            }
        }
    }
    Ok(found)
}

/// What runs the program under the plugin.
struct Counter<'a> {
    words: Vec<String>,
    /// What the plugin writes.
    out: &'a Path,
}

impl Counter<'_> {
    /// Instructions of one call.
    fn count(&self, engine: &str, work: &str, length: usize) -> Result<u64, String> {
        let length = length.to_string();
        let [few, many] = TIMES.map(|times| self.run(&[engine, work, &length, &times.to_string()]));
        let ([few, _], [many, crypto]) = (few?, many?);
        if crypto > 0 && !engine.starts_with("armce") {
            return Err(format!(
                "{engine} {work} {length} bytes: {crypto} instructions of AES or products of 64 bits"
            ));
        }
        if crypto == 0 && engine.starts_with("armce") {
            return Err(format!(
                "{engine} {work}: no instruction of AES seen: the count is blind"
            ));
        }
        Ok(many.saturating_sub(few) / (TIMES[1] - TIMES[0]))
    }

    /// Instructions of a whole run, and those of them that are AES or products of 64 bits.
    fn run(&self, words: &[&str]) -> Result<[u64; 2], String> {
        let Self { words: first, out } = self;
        let first: Vec<&str> = first.iter().map(String::as_str).collect();
        output(first[0], &[&first[1..], words].concat())?;
        let text =
            fs::read_to_string(out).map_err(|error| format!("{}: {error}", out.display()))?;
        let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
        match (numbers.next(), numbers.next()) {
            (Some(all), Some(crypto)) => Ok([all, crypto]),
            _ => Err(format!("{}: `{text}`", out.display())),
        }
    }
}
