//! F1: the fuzz targets of `fuzz/`, each for a while, under libFuzzer and the address sanitizer.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use super::Tier;
use super::evidence::{Evidence, Failure, Tally, Verdict};
use super::tools::{cargo_tool, host, nightly};
use crate::run::{command, output, root, side_by_side};

const TARGETS: &[&str] = &[
    "aead_differential",
    "open_garbage",
    "segments",
    "chunked_stream",
    "container_parse",
    "key_file",
    "recipient_slots",
    "identity_file",
    "modes",
    "vectors_protocol",
];

/// Targets with a fault behind magic bytes, how its finder speaks, and the corpus of the target that it is a faulty
/// form of.
const CONTROLS: [[&str; 3]; 5] = [
    [
        "control_over_read",
        "ERROR: AddressSanitizer: ",
        "fuzz/corpus/aead_differential",
    ],
    [
        "control_mismatch",
        "panicked at",
        "fuzz/corpus/aead_differential",
    ],
    ["control_modes", "panicked at", "fuzz/corpus/modes"],
    [
        "control_recipient_slots",
        "panicked at",
        "fuzz/corpus/recipient_slots",
    ],
    [
        "control_identity_file",
        "panicked at",
        "fuzz/corpus/identity_file",
    ],
];

/// A control that takes longer counts as missed.
const CONTROL_SECONDS: u64 = 300;

/// How libFuzzer itself is compiled, which takes a third as long and runs the targets as often.
const LIBFUZZER: &str = "-O1 -g0";

/// Replays the corpora, has the controls found, and runs each target: half a minute, for `nightly` a
/// quarter of an hour, or `CARRYLESS_FUZZ_SECONDS`; for `quick` the replay alone.
pub(super) fn f1(tier: Tier) -> Verdict {
    let seconds = seconds(tier)?;
    let mut evidence = replay()?;
    if tier == Tier::Quick {
        return Ok(evidence);
    }
    match programs() {
        Ok(programs) => {
            for control in CONTROLS {
                evidence.controls.push(find(&programs, control)?);
            }
            evidence.lines.extend(run_all(&programs, seconds)?);
        }
        Err(Failure::NotRun(reason)) => {
            evidence.gaps.insert("libFuzzer".into(), reason);
        }
        Err(failed) => return Err(failed),
    }
    Ok(evidence)
}

fn seconds(tier: Tier) -> Result<u64, String> {
    match std::env::var("CARRYLESS_FUZZ_SECONDS") {
        Ok(text) => text
            .parse()
            .map_err(|_| format!("CARRYLESS_FUZZ_SECONDS={text} is no number of seconds")),
        Err(_) if tier == Tier::Nightly => Ok(15 * 60),
        Err(_) => Ok(30),
    }
}

/// The committed inputs through the same functions, as a test on the stable toolchain.
fn replay() -> Result<Evidence, Failure> {
    let test = [
        "test",
        "--quiet",
        "--manifest-path",
        "fuzz/Cargo.toml",
        "--target-dir",
        "target/fuzz",
    ];
    let features = [
        "--no-default-features",
        "--features",
        "aead,hazmat",
        "--",
        "--nocapture",
    ];
    let text = output("cargo", &[&test[..], &features].concat())?;
    let mut evidence = Evidence::default();
    let mut tally = Tally::default();
    for line in text.lines() {
        if let Some(engine) = line.strip_prefix("F1 engine ") {
            evidence.engines.insert(engine.into());
        } else if let Some((subject, what)) = line
            .strip_prefix("F1 ")
            .and_then(|line| line.split_once(": "))
        {
            tally.add(subject, what);
        } else if line.contains("caught: ") {
            evidence.controls.push(line.into());
        }
    }
    evidence.lines = tally.lines();
    Ok(evidence)
}

/// Builds the targets; the folder that they are in.
fn programs() -> Result<String, Failure> {
    nightly(&[])?;
    let tool = cargo_tool("cargo-fuzz", "0.13.1")?;
    let host = host()?;
    let args = ["build", "--target-dir", "target/fuzz", "--target", &host];
    let built = command(&tool, &args)
        .env("RUSTUP_TOOLCHAIN", "nightly")
        .env("CXXFLAGS", LIBFUZZER)
        .output()
        .map_err(|error| format!("{tool}: {error}"))?;
    if !built.status.success() {
        let errors = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(Failure::Failed(format!(
            "the fuzz targets do not build:\n{errors}"
        )));
    }
    Ok(format!("target/fuzz/{host}/release"))
}

/// A target on its corpora: new inputs go to the first.
fn target(programs: &str, name: &str, seconds: u64, corpora: &[&str]) -> Result<Command, String> {
    let artifacts = format!("target/fuzz/artifacts/{name}/");
    for folder in corpora.iter().copied().chain([artifacts.as_str()]) {
        fs::create_dir_all(root().join(folder)).map_err(|error| format!("{folder}: {error}"))?;
    }
    let program = root().join(programs).join(name);
    let mut command = command(&program.to_string_lossy(), corpora);
    command
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={artifacts}"))
        .args([
            "-print_final_stats=1",
            "-max_len=4096",
            "-len_control=0",
            "-timeout=60",
        ])
        .env("ASAN_OPTIONS", "detect_odr_violation=0");
    let dictionary = format!("fuzz/{name}.dict");
    if root().join(&dictionary).exists() {
        command.arg(format!("-dict={dictionary}"));
    }
    Ok(command)
}

/// Runs a control until its fault is found.
fn find(programs: &str, [name, finder, seeds]: [&str; 3]) -> Result<String, Failure> {
    let corpus = format!("target/fuzz/corpus/{name}");
    let _ = fs::remove_dir_all(root().join(&corpus));
    let began = Instant::now();
    let output = target(programs, name, CONTROL_SECONDS, &[&corpus, seeds])?
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    match report.lines().find(|line| line.contains(finder)) {
        Some(said) if !output.status.success() => Ok(format!(
            "{name}: caught after {:.1} s and {} executions: {}",
            began.elapsed().as_secs_f64(),
            executions(&report),
            said.split(" on ").next().unwrap_or(said).trim(),
        )),
        _ => Err(Failure::Failed(format!(
            "{name}: the fault behind magic bytes was not found in {CONTROL_SECONDS} s:\n{}",
            tail(&report)
        ))),
    }
}

/// Each target for so long, as many at once as there are cores; a line for each.
fn run_all(programs: &str, seconds: u64) -> Result<Vec<String>, Failure> {
    let results = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    side_by_side(cores.min(TARGETS.len()), TARGETS, |name| {
        let result = fuzz(programs, name, seconds);
        if let Ok(mut results) = results.lock() {
            results.push(result);
        }
    });
    let results = results.into_inner().map_err(|error| error.to_string())?;
    let mut lines = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    lines.sort();
    Ok(lines)
}

fn fuzz(programs: &str, name: &str, seconds: u64) -> Result<String, Failure> {
    let (grown, committed) = (
        format!("target/fuzz/corpus/{name}"),
        format!("fuzz/corpus/{name}"),
    );
    let output = target(programs, name, seconds, &[&grown, &committed])?
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(Failure::Failed(format!(
            "{name}: a finding ({}):\n{}\nagain: {programs}/{name} ARTIFACT",
            output.status,
            tail(&report)
        )));
    }
    let (inputs, bytes) = size(&root().join(&committed))?;
    Ok(format!(
        "{name}: {} executions in {seconds} s without a finding, corpus of {inputs} inputs, {} KiB",
        executions(&report),
        bytes.div_ceil(1024)
    ))
}

/// Inputs and bytes of a corpus.
fn size(folder: &Path) -> Result<(usize, u64), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let sizes: Vec<u64> = entries
        .filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()))
        .collect();
    Ok((sizes.len(), sizes.iter().sum()))
}

/// How often the target ran: the final count, or that of the last line `#COUNT ..` before a crash.
fn executions(report: &str) -> &str {
    let total = report
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units: "));
    let last = || {
        let line = report.lines().rfind(|line| line.starts_with('#'))?;
        line[1..].split_whitespace().next()
    };
    total.or_else(last).map_or("0", str::trim)
}

/// The end of a report, where the finding is.
fn tail(report: &str) -> String {
    let lines: Vec<&str> = report.lines().collect();
    lines[lines.len().saturating_sub(60)..].join("\n")
}
