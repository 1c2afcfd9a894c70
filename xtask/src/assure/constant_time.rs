//! T1 and T2: no branch and no address depends on a secret (docs/constant-time.md).
//!
//! Both watch `crates/carryless-assure`'s program `ct`: T1 under Valgrind's memcheck, to which secrets
//! are undefined values; T2 ([`traces`]) on emulated CPUs that compare traces, also for what Valgrind does not
//! decode. T1 watches `ct-file` as well, the same for the file library. Either must catch the seeded faults in
//! every profile.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread;

use super::evidence::{Evidence, Failure, Faults, Verdict, together};
use super::{Tier, programs};
use crate::run::{command, root};

pub(super) mod traces;

/// Where the programs are built for, statically for T2.
pub(crate) const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Where T2, M6 and U4 build static programs in the profile `release`, and M5 and T4 their assembly, so that the library is compiled
/// once for all.
pub(crate) const STATIC_RELEASE: &str = "target/assure/static-release";
/// The seeded faults of `ct`.
const CONTROLS: [&str; 4] = ["early-exit", "padding", "table", "branch"];
/// Those of `ct-file`, behind a derivation or an opening.
const FILE_CONTROLS: [&str; 4] = ["early-exit", "digits", "product", "text"];

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
            // `PUBLIC_MATRIX` names functions that are compiled into their callers here.
            ("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only"),
        ],
    ),
];

/// The first `most`; beside the tests of every change only what nearly all users have, as each is a build of its own.
fn profiles(tier: Tier, most: usize) -> &'static [Profile] {
    &PROFILES[..if tier == Tier::Quick { 1 } else { most }]
}

/// T1: every engine that Valgrind decodes; on each change without the second forms of portable ones.
pub(super) fn t1(tier: Tier) -> Verdict {
    supported()?;
    programs::tool("valgrind", &["valgrind"])?;
    let mut evidence =
        together((profiles(tier, PROFILES.len()).iter()).map(|profile| poisoned(tier, profile)))?;
    // That an engine is not decoded, each profile says.
    let mut said = BTreeSet::new();
    evidence.lines.retain(|line| said.insert(line.clone()));
    Ok(evidence)
}

/// T1 in a profile.
fn poisoned(tier: Tier, &(profile, env): &Profile) -> Verdict {
    let program = build("t1", profile, env, "--cfg carryless_ct")?;
    let poison = |what: &str| output(VALGRIND, &[&shown(&program), "poison", what]);
    let mut engines = listed(&[], &program)?;
    engines.retain(|(engine, _)| tier > Tier::Quick || is_first_form(engine));
    let ran = on_every_engine(&engines, poison);
    let files = files(profile, &program.with_file_name("ct-file"), &ran);
    together([
        controls(&CONTROLS, profile, poison),
        collect(ran, |ran, run, evidence| {
            read_poisoned(profile, ran, run, evidence)
        }),
        files,
    ])
}

/// Whether it is no second form of a portable engine: the names of those have a colon.
fn is_first_form(engine: &str) -> bool {
    !engine.contains(':')
}

/// T1 of the file library in a profile, with every engine that Valgrind decodes but for the second forms of portable ones: what
/// is an engine's own, the library's program runs.
fn files(profile: &str, program: &Path, library: &[Ran]) -> Verdict {
    let program = shown(program);
    let poison = |what: &str| output(VALGRIND, &[PUBLIC_MATRIX, &program, "poison", what]);
    let decoded = |ran: &&Ran| !matches!(&ran.output, Ok(run) if run.status.code() == Some(2));
    let engines = library.iter().filter(decoded).map(|ran| &ran.engine);
    let engines = engines.filter(|engine| is_first_form(engine));
    let engines: Vec<_> = engines.map(|engine| (engine.clone(), None)).collect();
    let place = format!("files {profile}");
    together([
        controls(&FILE_CONTROLS, &place, poison),
        collect(on_every_engine(&engines, poison), |ran, run, evidence| {
            read_poisoned(&place, ran, run, evidence)
        }),
    ])
}

/// What T1 says of an engine.
fn read_poisoned(
    profile: &str,
    Ran {
        engine, missing, ..
    }: &Ran,
    run: &Output,
    evidence: &mut Evidence,
) -> Result<(), String> {
    let said = String::from_utf8_lossy(&run.stderr);
    match (run.status.code(), missing) {
        (Some(0), _) => {
            let counts = counted(run).map_err(|error| format!("{engine} {profile}: {error}"))?;
            let line = format!("{engine} {profile}: {counts} no leak");
            evidence.lines.push(line);
            evidence.engines.insert(engine.clone());
        }
        (Some(2), _) if said.contains("not decoded") => {
            let line = format!("{engine}: not run under valgrind: not decoded; T2 has it");
            evidence.lines.push(line);
        }
        (Some(2), Some(reason)) => {
            evidence.gaps.insert(engine.clone(), reason.clone());
        }
        _ => return Err(leak(engine, profile, run)),
    }
    Ok(())
}

pub(super) fn supported() -> Result<(), Failure> {
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

/// Of `ct-file`: the branches that are not secret, though memcheck cannot know it.
const PUBLIC_MATRIX: &str = "--suppressions=xtask/assure/public_matrix.supp";

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
    if check == "t1" {
        build.args(["--bin", "ct-file"]);
    }
    // In release for M6 too, whose programs are in the same folder.
    if check == "t1" || profile == PROFILES[0].0 {
        build.args(["--features", "files"]);
    }
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

/// An engine of a build, with the reason where it does not run.
type Listed = (String, Option<String>);

/// Engines of this build, as they run under `start`.
pub(super) fn listed(start: &[&str], program: &Path) -> Result<Vec<Listed>, String> {
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
        "{program} lists no engines: {}",
        String::from_utf8_lossy(&run.stderr)
    ))
}

/// An engine, why it does not run here, and what came of running it.
struct Ran {
    engine: String,
    missing: Option<String>,
    output: Result<Output, String>,
}

/// Runs all engines at once, for the system to share out its cores.
fn on_every_engine(
    engines: &[Listed],
    run: impl Fn(&str) -> Result<Output, String> + Sync,
) -> Vec<Ran> {
    let run = &run;
    thread::scope(|scope| {
        let start = |(engine, missing): &Listed| {
            let (engine, missing) = (engine.clone(), missing.clone());
            let name = engine.clone();
            (engine, missing, scope.spawn(move || run(&name)))
        };
        let threads: Vec<_> = engines.iter().map(start).collect();
        let end = threads.into_iter().map(|(engine, missing, thread)| Ran {
            engine,
            missing,
            output: (thread.join()).unwrap_or_else(|_| Err("its thread panicked".into())),
        });
        end.collect()
    })
}

/// The evidence of all engines, or what is wrong with each that fails.
fn collect(
    ran: Vec<Ran>,
    read: impl Fn(&Ran, &Output, &mut Evidence) -> Result<(), String>,
) -> Verdict {
    let mut evidence = Evidence::default();
    let mut faults = Faults::default();
    for one in ran {
        faults.keep(match &one.output {
            Ok(output) => read(&one, output, &mut evidence),
            Err(error) => Err(format!("{}: {error}", one.engine)),
        });
    }
    faults.none().map(|()| evidence)
}

/// Runs the seeded faults, each of which must be caught as a leak.
fn controls(
    names: &[&str],
    profile: &str,
    run: impl Fn(&str) -> Result<Output, String>,
) -> Verdict {
    let mut evidence = Evidence::default();
    let mut faults = Faults::default();
    for name in names {
        let caught = run(name).and_then(|run| control(name, profile, &run));
        evidence.controls.extend(faults.keep(caught));
    }
    faults.none().map(|()| evidence)
}

/// How a seeded fault was caught.
fn control(name: &str, profile: &str, run: &Output) -> Result<String, String> {
    let text = String::from_utf8_lossy(&run.stdout);
    let caught = text.lines().find_map(|line| line.strip_prefix("leak: "));
    let Some(said) = caught.filter(|_| run.status.code() == Some(1)) else {
        return Err(format!(
            "the control {name} went unnoticed in the profile {profile}"
        ));
    };
    let report = String::from_utf8_lossy(&run.stderr);
    let first = report
        .lines()
        .next()
        .and_then(|line| line.rsplit_once("== "));
    let report = first.map_or_else(String::new, |(_, text)| format!(" ({text})"));
    Ok(format!("{name} {profile}: caught: {said}{report}"))
}

/// The counts that the program printed.
fn counted(run: &Output) -> Result<String, String> {
    let text = String::from_utf8_lossy(&run.stdout);
    let counts = text
        .lines()
        .find_map(|line| Some(line.rsplit_once(": ")?.1));
    let counts = counts.ok_or("ct says nothing of what it ran")?;
    Ok(format!("{counts},"))
}

/// What leaked, with the beginning of the checker's report.
fn leak(engine: &str, profile: &str, run: &Output) -> String {
    let said = String::from_utf8_lossy(&run.stdout);
    let report = String::from_utf8_lossy(&run.stderr);
    let report: Vec<&str> = report.lines().take(30).collect();
    let status = run.status;
    format!("{engine} {profile}: {status}\n{said}{}", report.join("\n"))
}

#[cfg(all(test, unix))]
mod tests;
