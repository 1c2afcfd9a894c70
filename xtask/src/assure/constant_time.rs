//! T1 and T2: no branch and no address depends on a secret (docs/constant-time.md).
//!
//! Both watch `crates/carryless-assure`'s program `ct`: T1 under Valgrind's memcheck, to which secrets
//! are undefined values; T2 on an emulated CPU that compares traces, also for what Valgrind does not
//! decode. Either must catch three seeded faults in every profile.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread;

use super::emulator::{EVERYTHING, Emulator, STATIC};
use super::evidence::{Evidence, Failure, Verdict};
use super::{Tier, programs};
use crate::run::{command, root};

/// Where the programs are built for, statically for T2.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The seeded faults of `ct`.
const CONTROLS: [&str; 3] = ["early-exit", "table", "branch"];

/// The name of a profile, and what differs from the release profile.
type Profile = (&'static str, &'static [(&'static str, &'static str)]);

/// How users build. Compilers differ in what they
/// make of a selection or a loop, so one profile says little of another.
static PROFILES: [Profile; 3] = [
    ("release", &[]),
    ("opt-level-s", &[("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s")]),
    (
        "lto-fat",
        &[
            ("CARGO_PROFILE_RELEASE_LTO", "fat"),
            ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
        ],
    ),
];

/// The first `most`; beside the tests of every change only what nearly all users have, as each is a build of its own.
fn profiles(tier: Tier, most: usize) -> &'static [Profile] {
    &PROFILES[..if tier == Tier::Quick { 1 } else { most }]
}

/// T1: every engine that Valgrind decodes.
pub(super) fn t1(tier: Tier) -> Verdict {
    supported()?;
    programs::tool("valgrind", &["valgrind"])?;
    let mut evidence = Evidence::default();
    for (profile, env) in profiles(tier, PROFILES.len()) {
        let program = build("t1", profile, env, "--cfg carryless_ct")?;
        let poison = |what: &str| output(VALGRIND, &[&shown(&program), "poison", what]);
        control(profile, &mut evidence, poison)?;
        for (engine, native, run) in on_every_engine(&listed(&[], &program)?, poison)? {
            let said = String::from_utf8_lossy(&run.stderr);
            let line = match (run.status.code(), native) {
                (Some(0), _) => {
                    let line = format!("{engine} {profile}: {} no report", counted(&run)?);
                    evidence.engines.insert(engine);
                    line
                }
                (Some(2), _) if said.contains("not decoded") => {
                    format!("{engine}: not run under valgrind: not decoded; T2 has it")
                }
                (Some(2), Some(reason)) => {
                    evidence.gaps.insert(engine, reason);
                    continue;
                }
                _ => return Err(leak(&engine, profile, &run)),
            };
            if !evidence.lines.contains(&line) {
                evidence.lines.push(line);
            }
        }
    }
    Ok(evidence)
}

/// T2: engines that Valgrind does not decode on many lengths, the others on one for each call.
pub(super) fn t2(tier: Tier) -> Verdict {
    supported()?;
    let emulator = Emulator::find()?;
    let mut evidence = Evidence::default();
    for (profile, env) in profiles(tier, 2) {
        let program = build("t2", profile, env, STATIC)?;
        let engines = listed(&emulator.plain(EVERYTHING), &program)?;
        // What this CPU of 2013 lacks is what Valgrind lacks.
        let decoded = listed(&emulator.plain("haswell"), &program)?;
        let trace = |what: &[&str]| {
            let program = shown(&program);
            let args = [&[&*program, "trace"], what].concat();
            output(&emulator.traced(), &args)
        };
        control(profile, &mut evidence, |what| trace(&[what]))?;
        let run = |engine: &str| {
            let has =
                |(name, reason): &(String, Option<String>)| name == engine && reason.is_none();
            let extent = if decoded.iter().any(has) {
                "glance"
            } else {
                "middle"
            };
            trace(&[engine, extent])
        };
        for (engine, missing, run) in on_every_engine(&engines, run)? {
            if let Some(reason) = missing {
                evidence
                    .gaps
                    .insert(engine, format!("on the emulated CPU: {reason}"));
            } else if run.status.success() {
                let line = format!("{engine} {profile}: {}", counted(&run)?);
                evidence.lines.push(line);
                evidence.engines.insert(engine);
            } else {
                return Err(leak(&engine, profile, &run));
            }
        }
    }
    Ok(evidence)
}

fn supported() -> Result<(), Failure> {
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Ok(());
    }
    Err(Failure::NotRun("it needs Linux on x86-64".into()))
}

/// The command that T1 puts before the program.
const VALGRIND: &[&str] = &[
    "valgrind",
    "-q",
    "--error-limit=no",
    "--expensive-definedness-checks=yes",
];

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Builds `ct` in a profile with these flags.
fn build(check: &str, profile: &str, env: &[(&str, &str)], flags: &str) -> Result<PathBuf, String> {
    let folder = format!("target/assure/{check}-{profile}");
    let args = [
        "build",
        "--quiet",
        "--release",
        "--package",
        "carryless-assure",
        "--bin",
        "ct",
        "--target",
        TARGET,
        "--target-dir",
        &folder,
    ];
    let mut build = command("cargo", &args);
    build.envs(env.iter().copied()).env("RUSTFLAGS", flags);
    // It would go before RUSTFLAGS.
    build.env_remove("CARGO_ENCODED_RUSTFLAGS");
    match build.status() {
        Ok(status) if status.success() => Ok(root().join(folder).join(TARGET).join("release/ct")),
        _ => Err(format!("ct does not build in the profile {profile}")),
    }
}

/// Runs the program of `start` with more arguments.
pub(super) fn output(start: &[&str], args: &[&str]) -> Result<Output, String> {
    let (program, first) = start.split_first().ok_or("no program")?;
    command(program, &[first, args].concat())
        .output()
        .map_err(|error| format!("cannot run {program}: {error}"))
}

/// Engines of this build, with the reason where they do not run under `start`.
pub(super) fn listed(
    start: &[&str],
    program: &Path,
) -> Result<Vec<(String, Option<String>)>, String> {
    let program = shown(program);
    let run = match start {
        [] => output(&[&program], &["engines"])?,
        _ => output(start, &[&program, "engines"])?,
    };
    let text = String::from_utf8_lossy(&run.stdout);
    let engine = |line: &str| {
        let (name, state) = line.rsplit_once(": ")?;
        Some((
            name.to_owned(),
            (state != "available").then(|| state.to_owned()),
        ))
    };
    let engines: Vec<_> = text.lines().filter_map(engine).collect();
    if run.status.success() && !engines.is_empty() {
        return Ok(engines);
    }
    Err(format!(
        "ct lists no engines: {}",
        String::from_utf8_lossy(&run.stderr)
    ))
}

/// An engine, why it does not run here, and what came of running it.
type Ran = (String, Option<String>, Output);

/// Runs all engines at once, for the system to share out its cores.
fn on_every_engine(
    engines: &[(String, Option<String>)],
    run: impl Fn(&str) -> Result<Output, String> + Sync,
) -> Result<Vec<Ran>, String> {
    let run = &run;
    thread::scope(|scope| {
        let start = |(engine, reason): &(String, Option<String>)| {
            let (engine, reason) = (engine.clone(), reason.clone());
            scope.spawn(move || {
                let output = run(&engine)?;
                Ok((engine, reason, output))
            })
        };
        let threads: Vec<_> = engines.iter().map(start).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Result<Ran, String>>| {
            thread.join().map_err(|_| "a thread panicked".to_owned())?
        };
        threads.into_iter().map(join).collect()
    })
}

/// Runs the seeded faults, each of which must be caught as a leak.
fn control(
    profile: &str,
    evidence: &mut Evidence,
    run: impl Fn(&str) -> Result<Output, String>,
) -> Result<(), Failure> {
    for name in CONTROLS {
        let run = run(name)?;
        let text = String::from_utf8_lossy(&run.stdout);
        let caught = text.lines().find_map(|line| line.strip_prefix("leak: "));
        match caught {
            Some(said) if run.status.code() == Some(1) => {
                let report = String::from_utf8_lossy(&run.stderr);
                let first = report
                    .lines()
                    .next()
                    .and_then(|line| line.rsplit_once("== "));
                let report = first.map_or_else(String::new, |(_, text)| format!(" ({text})"));
                let said = format!("{name} {profile}: caught: {said}{report}");
                evidence.controls.push(said);
            }
            _ => {
                let what = format!("the control {name} went unnoticed in the profile {profile}");
                return Err(Failure::Failed(what));
            }
        }
    }
    Ok(())
}

/// The counts that the program printed, and those of the trace.
fn counted(run: &Output) -> Result<String, String> {
    let text = String::from_utf8_lossy(&run.stdout);
    let counts: Vec<&str> = text
        .lines()
        .filter_map(|line| Some(line.rsplit_once(": ")?.1))
        .collect();
    match counts.as_slice() {
        [] => Err("ct says nothing of what it ran".into()),
        [own] => Ok(format!("{own},")),
        [.., trace] => Ok((*trace).to_owned()),
    }
}

/// What leaked, with the beginning of the checker's report.
fn leak(engine: &str, profile: &str, run: &Output) -> Failure {
    let said = String::from_utf8_lossy(&run.stdout);
    let report = String::from_utf8_lossy(&run.stderr);
    let report: Vec<&str> = report.lines().take(30).collect();
    Failure::Failed(format!(
        "{engine} {profile}: {}\n{said}{}",
        run.status,
        report.join("\n")
    ))
}
