//! `cargo xtask count`: how many instructions the engines of Arm execute, by QEMU's user mode, which counts them exactly.
//!
//! Counts stand for measurements where no machine is at hand. They are committed as limits: a hundredth more is a
//! fault; so is an instruction of AES or a product of 64 bits in an engine for CPUs that have none. Calls of the C
//! library take a few more or less by where memory lies, so a program that is counted finds the same stack everywhere: no
//! variable of the environment, its name without the folder of the clone, and numbers of as many digits.

mod committed;
mod cores;
mod in_order;
mod models;
mod page;
mod peers;

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use self::committed::Committed;
use crate::assure::machine::{AARCH32, AARCH64, Machine, plugin};
use crate::builds::compiler;
use crate::run::{Outcome, command, output_of, root};

/// What is counted, and the bytes of text.
const WORKS: [(&str, &[usize]); 18] = [
    ("seal", &LENGTHS),
    ("open", &LENGTHS),
    ("seal four", &FOURS),
    ("open four", &FOURS),
    ("ghash", &[LONG]),
    ("set", &[0]),
    ("encrypt", &[BATCH]),
    ("ctr", &TEXTS),
    ("xts encrypt", &TEXTS),
    ("xts decrypt", &TEXTS),
    ("cbc encrypt", &TEXTS),
    ("cbc decrypt", &TEXTS),
    ("cmac", &TEXTS),
    ("ccm seal", &TEXTS),
    ("gcm-siv seal", &TEXTS),
    ("lea-ctr", &SHORT_TEXTS),
    ("sgcm seal", &SHORT_TEXTS),
    ("lea-sgcm seal", &SHORT_TEXTS),
];

/// Of other modes of AES.
const TEXTS: [usize; 3] = [64, 1500, LONG];

/// Of LEA and SGCM, as the paper has them.
const SHORT_TEXTS: [usize; 3] = [64, 256, 1024];

/// Of messages.
const LENGTHS: [usize; 5] = [16, 64, 256, 1500, LONG];

/// Of each of four messages in one call.
const FOURS: [usize; 2] = [16, 64];

/// Bytes that the engines of NEON encrypt at once.
const BATCH: usize = 128;

/// The longest of the messages of which all that are no longer tell how much code a program that seals and opens meets.
const MIXED: usize = 2048;

/// The length of which papers give figures.
const LONG: usize = 10_000;

/// Runs of which the second has more calls; their difference is without what is done once. Of one digit, both.
const TIMES: [u64; 2] = [1, 9];

/// A machine, what the plugin must know of it, and its engines, the preferred one first.
struct Place {
    machine: &'static Machine,
    argument: &'static str,
    engines: &'static [&'static str],
}

const PLACES: [Place; 2] = [
    Place {
        machine: &AARCH64,
        argument: "",
        engines: &["armce3", "armce", "neon", "soft64"],
    },
    Place {
        machine: &AARCH32,
        argument: ",arm=on",
        engines: &["armce32", "neon32", "soft32"],
    },
];

/// Instructions by the work and the bytes: `seal 16`.
type Works = BTreeMap<String, u64>;

/// Those of an engine, by its name.
type Counts = BTreeMap<String, Works>;

/// Whether an engine is for CPUs with instructions of AES.
fn has_crypto(engine: &str) -> bool {
    engine.starts_with("armce")
}

/// Counts, and compares.
pub(crate) fn check() -> Outcome {
    let committed = Committed::read()?;
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

/// Counts, and commits what was found, with what else is asked for: `--peers`, `--models`.
pub(crate) fn update(further: &[&str]) -> Outcome {
    let known = |word: &&&str| !["--peers", "--models"].contains(*word);
    if let Some(unknown) = further.iter().find(known) {
        return Err(format!(
            "count --update takes --peers and --models, not {unknown}"
        ));
    }
    let mut committed = Committed::read()?;
    (committed.engines, committed.compiler) = (count()?, compiler()?);
    if further.contains(&"--peers") {
        committed.peers = peers::count()?;
    }
    if further.contains(&"--models") {
        committed.cycles = models::cycles()?;
    }
    committed.write()?;
    page::write(&committed)
}

/// What every engine executes: one machine beside the other, once the programs for all are built.
fn count() -> Result<Counts, String> {
    let plugin = plugin("count")?;
    let counters = PLACES
        .iter()
        .map(|place| Ok((place, place.counter(&plugin, "max")?)))
        .collect::<Result<Vec<_>, String>>()?;
    thread::scope(|scope| {
        let begin = |(place, counter)| scope.spawn(move || engines(place, counter));
        let begun: Vec<_> = counters
            .iter()
            .map(|(place, counter)| begin((*place, counter)))
            .collect();
        let mut found = Counts::new();
        for machine in begun {
            found.extend(machine.join().map_err(|_| "a thread panicked")??);
        }
        Ok(found)
    })
}

/// What the engines of a machine execute.
fn engines(place: &Place, counter: &Counter) -> Result<Counts, String> {
    let mut found = Counts::new();
    for engine in place.engines {
        let works = found.entry((*engine).to_owned()).or_default();
        for (work, lengths) in WORKS {
            for length in lengths {
                let [count, crypto] = counter.call(&[engine, work, &length.to_string()])?;
                // Of LEA only the self-tests may have some.
                let lacks = crypto == 0 && has_crypto(engine) && !work.starts_with("lea");
                if lacks || crypto > 0 && !has_crypto(engine) {
                    return Err(format!(
                        "{engine} {work} {length} bytes: {crypto} instructions of AES or products of 64 bits"
                    ));
                }
                println!("{engine:9} {work:13} {length:6} {count:9}");
                works.insert(format!("{work} {length}"), count);
            }
        }
        if !engine.starts_with("soft") {
            let touched = counter.touched(&[engine, "seal and open", &MIXED.to_string()])?;
            println!("{engine:9} touched       {MIXED:6} {touched:9}");
            works.insert(format!("touched {MIXED}"), touched);
        }
    }
    Ok(found)
}

impl Place {
    /// What counts our program's instructions, on this model of CPU.
    fn counter(&self, plugin: &str, cpu: &str) -> Result<Counter, String> {
        self.machine.prepare()?;
        let program = self.machine.build("count", &[])?;
        Ok(Counter::new(self, plugin, cpu, &[], &program))
    }
}

/// What runs a program under the plugin.
#[derive(Clone)]
struct Counter {
    words: Vec<String>,
    /// What the plugin writes.
    out: PathBuf,
}

impl Counter {
    /// On this model of CPU, with further words for QEMU.
    fn new(place: &Place, plugin: &str, cpu: &str, further: &[&str], program: &Path) -> Self {
        let name = format!("count-{}.txt", place.machine.title);
        let out = root().join("target/assure").join(name);
        let plugin = format!("{plugin},out={}{}", out.display(), place.argument);
        let mut words = place.machine.words(cpu, &plugin);
        let further = [&["-U", "PATH"], further].concat();
        words.extend(further.into_iter().map(String::from));
        let program = program.strip_prefix(root()).unwrap_or(program);
        words.push(program.to_string_lossy().into_owned());
        Self { words, out }
    }

    /// Instructions of one call, and those of a whole run that are AES or products of 64 bits.
    fn call(&self, work: &[&str]) -> Result<[u64; 2], String> {
        let [few, many] = TIMES.map(|times| self.run(work, times));
        let ([few, ..], [many, crypto, _]) = (few?, many?);
        Ok([many.saturating_sub(few) / (TIMES[1] - TIMES[0]), crypto])
    }

    /// Bytes of code that a call touches.
    fn touched(&self, work: &[&str]) -> Result<u64, String> {
        let ([once, ..], [twice, ..]) = (self.run(work, 1)?, self.run(work, 2)?);
        let call = twice - once;
        // From the middle of the first: what begins and ends the program is less than half of a call.
        let [.., touched] = self.within(twice - call - call / 2, call).run(work, 2)?;
        Ok(touched)
    }

    /// The same, with something to tell of so many instructions, behind these first ones.
    fn within(&self, from: u64, many: u64) -> Self {
        let mut within = self.clone();
        let mut words = within.words.iter_mut();
        if let Some(plugin) = words.find(|word| **word == "-plugin").and(words.next()) {
            _ = write!(plugin, ",from={from},many={many}");
        }
        within
    }

    /// Instructions of a whole run with so many calls, those of them that are AES or products of 64 bits, and bytes of code [`within`].
    ///
    /// [`within`]: Self::within
    fn run(&self, work: &[&str], times: u64) -> Result<[u64; 3], String> {
        let Self { words, out } = self;
        let mut run = command(&words[0], &[]);
        // What finds QEMU, which keeps it from the program.
        let path = env::var_os("PATH").unwrap_or_default();
        run.env_clear().env("PATH", path);
        run.args(&words[1..]).args(work).arg(times.to_string());
        output_of(run)?;
        let text =
            fs::read_to_string(out).map_err(|error| format!("{}: {error}", out.display()))?;
        let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
        let mut number = || {
            let number = numbers.next();
            number.ok_or_else(|| format!("{}: `{text}`", out.display()))
        };
        Ok([number()?, number()?, number()?])
    }
}
