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

use crate::builds::{add_target, compiler, linker_variable};
use crate::programs;
use crate::run::{Outcome, command, root, succeeds};

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

struct Machine {
    target: &'static str,
    /// Debian's prefix of its compiler and libraries.
    debian: &'static str,
    emulator: &'static str,
    /// What the plugin must know.
    plugin: &'static str,
    engines: &'static [&'static str],
}

const MACHINES: [Machine; 2] = [
    Machine {
        target: "aarch64-unknown-linux-gnu",
        debian: "aarch64-linux-gnu",
        emulator: "qemu-aarch64",
        plugin: "",
        engines: &["armce3", "armce", "neon", "soft64"],
    },
    Machine {
        target: "armv7-unknown-linux-gnueabihf",
        debian: "arm-linux-gnueabihf",
        emulator: "qemu-arm",
        plugin: ",arm=on",
        engines: &["armce32", "neon32", "soft32"],
    },
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
    let plugin = plugin()?;
    let mut found = Counts::new();
    for machine in MACHINES {
        let program = machine.build()?;
        for engine in machine.engines {
            let works = found.entry((*engine).to_owned()).or_default();
            for (work, lengths) in WORKS {
                for length in lengths {
                    let count = machine.count(&plugin, &program, engine, work, *length)?;
                    println!("{engine:9} {work:5} {length:6} {count:9}");
                    works.insert(format!("{work} {length}"), count);
                }
            }
        }
    }
    Ok(found)
}

/// The plugin, compiled.
fn plugin() -> Result<PathBuf, String> {
    let (source, made) = (
        "xtask/assure/count.c",
        root().join("target/assure/count.so"),
    );
    fs::create_dir_all(root().join("target/assure")).map_err(|error| error.to_string())?;
    let words = [
        "-O2",
        "-shared",
        "-fPIC",
        "-o",
        &made.to_string_lossy(),
        source,
    ];
    if !succeeds("cc", &words) {
        return Err(format!("cc does not compile {source}"));
    }
    Ok(made)
}

impl Machine {
    /// The program `count` of crates/carryless-assure.
    fn build(&self) -> Result<PathBuf, String> {
        add_target(self.target)?;
        let (linker, compiler) = (linker_variable(self.target), format!("{}-gcc", self.debian));
        let env = [
            (&*linker, &*compiler),
            ("CARGO_TARGET_DIR", "target/emulated"),
        ];
        let args = [
            "--release",
            "--package",
            "carryless-assure",
            "--bin",
            "count",
            "--target",
            self.target,
        ];
        let built = programs::build_binaries(&args, &env)?;
        let program = built.into_iter().find(|program| program.name == "count");
        program
            .map(|program| program.path)
            .ok_or_else(|| "cargo built no program `count`".into())
    }

    /// Instructions of one call.
    fn count(
        &self,
        plugin: &Path,
        program: &Path,
        engine: &str,
        work: &str,
        length: usize,
    ) -> Result<u64, String> {
        let [few, many] = TIMES.map(|times| {
            self.run(
                plugin,
                program,
                &[engine, work, &length.to_string(), &times.to_string()],
            )
        });
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
    fn run(&self, plugin: &Path, program: &Path, words: &[&str]) -> Result<[u64; 2], String> {
        let out = root().join("target/assure/count.txt");
        let plugin = format!("{},out={}{}", plugin.display(), out.display(), self.plugin);
        let folder = format!("/usr/{}", self.debian);
        let program = program.to_string_lossy();
        let first = ["-plugin", &plugin, "-cpu", "max", "-L", &folder, &program];
        let ended = command(self.emulator, &[&first[..], words].concat()).output();
        let ended = ended.map_err(|error| format!("{}: {error}", self.emulator))?;
        if !ended.status.success() {
            return Err(format!(
                "{} {}: {}",
                self.emulator,
                words.join(" "),
                ended.status
            ));
        }
        let text =
            fs::read_to_string(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
        match (numbers.next(), numbers.next()) {
            (Some(all), Some(crypto)) => Ok([all, crypto]),
            _ => Err(format!("{}: `{text}`", out.display())),
        }
    }
}
