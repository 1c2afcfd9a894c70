//! T3: real time, by statistics (docs/constant-time.md).
//!
//! Runs `crates/carryless-assure`'s program `timing`, which measures every call under secrets of two
//! classes. Other programs disturb it: a large difference must show under every seed to count.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

use super::constant_time::{listed, output};
use super::evidence::{Evidence, Failure, Verdict};
use crate::run::{command, root};

/// Runs of each measurement under each seed, if the environment does not say otherwise.
const RUNS: u64 = 1_000_000;
/// Where it says so.
const VARIABLE: &str = "CARRYLESS_TIMING_RUNS";
const SEEDS: [&str; 3] = ["1", "2", "3"];
/// A larger |t| says that the classes differ.
const LIMIT: f64 = 5.0;
/// What the program measures of each engine.
const CALLS: [&str; 4] = ["key-set-up", "open-by-tag", "seal-by-key", "seal-by-text"];
/// The seeded fault, and the same without the fault.
const CONTROLS: [&str; 2] = ["constant-time", "early-exit"];

/// T3: every engine of this machine.
pub(super) fn t3() -> Verdict {
    let bench = Bench::new()?;
    let mut evidence = Evidence {
        controls: bench.controls()?,
        ..Evidence::default()
    };
    let mut leaks = Vec::new();
    for (engine, missing) in listed(&[], &bench.program)? {
        if let Some(reason) = missing {
            evidence.gaps.insert(engine, reason);
            continue;
        }
        let measured = bench.measure(&engine, &CALLS)?;
        for (call, values) in measured.iter().filter(|(_, values)| values.leak()) {
            leaks.push(format!("{engine} {call}: {}", values.shown()));
        }
        evidence.lines.push(bench.line(&engine, &measured));
        evidence.engines.insert(engine);
    }
    if leaks.is_empty() {
        return Ok(evidence);
    }
    Err(Failure::Failed(format!(
        "|t| above {LIMIT} under every seed:\n{}\nall:\n{}",
        leaks.join("\n"),
        evidence.lines.join("\n")
    )))
}

/// |t| under each seed.
#[derive(Default)]
struct Values(Vec<f64>);

impl Values {
    /// Noise is large under one seed or two, a leak under all.
    fn leak(&self) -> bool {
        self.0.iter().all(|t| *t >= LIMIT)
    }

    fn shown(&self) -> String {
        let values: Vec<String> = self.0.iter().map(|t| format!("{t:.1}")).collect();
        values.join(" ")
    }
}

/// By call.
type Measured = BTreeMap<String, Values>;

struct Bench {
    program: PathBuf,
    runs: u64,
}

impl Bench {
    fn new() -> Result<Self, String> {
        let runs = match env::var(VARIABLE) {
            Ok(text) => text
                .parse()
                .map_err(|_| format!("{VARIABLE}: {text} is no number"))?,
            Err(_) => RUNS,
        };
        Ok(Self {
            program: build()?,
            runs,
        })
    }

    /// The fault must be found, and its like without the fault be let pass.
    fn controls(&self) -> Result<Vec<String>, String> {
        let measured = self.measure("controls", &CONTROLS)?;
        let verdict = |(name, values): (&String, &Values)| {
            let shown = values.shown();
            match (name.as_str(), values.leak()) {
                ("early-exit", true) => Ok(format!("{name}: caught: |t| {shown}")),
                ("constant-time", false) => Ok(format!("{name}: let pass: |t| {shown}")),
                _ => Err(format!("the control {name} was misjudged: |t| {shown}")),
            }
        };
        measured.iter().map(verdict).collect()
    }

    /// Measures under every seed, one after the other: two at once would disturb each other.
    fn measure(&self, what: &str, calls: &[&str]) -> Result<Measured, String> {
        let mut measured = Measured::new();
        for seed in SEEDS {
            let run = output(
                &[&self.program.to_string_lossy()],
                &[what, seed, &self.runs.to_string()],
            )?;
            if !run.status.success() {
                let said = String::from_utf8_lossy(&run.stderr);
                return Err(format!("{what}: {}\n{said}", run.status));
            }
            let text = String::from_utf8_lossy(&run.stdout);
            for (call, t) in text.lines().filter_map(statistic) {
                measured.entry(call.into()).or_default().0.push(t);
            }
        }
        let complete = measured.keys().eq(calls)
            && measured.values().all(|values| {
                values.0.len() == SEEDS.len() && !values.0.iter().any(|t| t.is_nan())
            });
        if complete {
            return Ok(measured);
        }
        Err(format!(
            "{what}: no statistic of each call, or too few runs"
        ))
    }

    fn line(&self, engine: &str, measured: &Measured) -> String {
        let all = || measured.values().flat_map(|values| &values.0);
        let most = all().copied().fold(0.0, f64::max);
        let runs = self.runs * all().count() as u64;
        let calls: Vec<String> = measured
            .iter()
            .map(|(call, values)| format!("{call} {}", values.shown()))
            .collect();
        let calls = calls.join(", ");
        format!("{engine}: |t| at most {most:.1} over {runs} runs ({calls})")
    }
}

/// Builds `timing` as users build the library.
fn build() -> Result<PathBuf, String> {
    let folder = "target/assure/t3";
    let args = [
        "build",
        "--quiet",
        "--release",
        "--package",
        "carryless-assure",
        "--bin",
        "timing",
        "--target-dir",
        folder,
    ];
    match command("cargo", &args).status() {
        Ok(status) if status.success() => Ok(root().join(folder).join("release/timing")),
        _ => Err("timing does not build".into()),
    }
}

/// Call and |t| of a line `CALL: 1.23`.
fn statistic(line: &str) -> Option<(&str, f64)> {
    let (call, t) = line.split_once(": ")?;
    Some((call, t.parse().ok()?))
}
