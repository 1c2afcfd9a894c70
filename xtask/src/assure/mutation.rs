//! F2: the code changed, a place at a time, and whether the tests notice.
//!
//! `cargo mutants` says what changes there are. They are made, built and met here: as switches in one build of a copy
//! of the sources, those that can't be one in builds of their own, in a copy for each core. The test programs that
//! know a file best come first, each of which ends at its first failing test.
//!
//! Formats and the command are tried whole, the library by a sample:
//! `CARRYLESS_MUTANTS_SAMPLE` places (150) drawn by `CARRYLESS_MUTANTS_SEED` (1). `CARRYLESS_MUTANTS_AREA` names
//! the one part that is to be tried, `CARRYLESS_MUTANTS_ONLY` words of which a change's line has one, between commas
//! (`output.rs:160:,Writer`). Each change and its fate go to standard error. Beside the tests of every change it is the
//! lines of formats and command that changed since `CARRYLESS_BASE` (else the commit before this one),
//! as many as four minutes allow.

mod changed;
mod places;
mod program;
mod survivors;
mod switched;
mod tree;
mod tried;

use std::env;
use std::thread;

use self::program::{Fate, Stage, met};
use self::tree::Tree;
use self::tried::Tried;
use super::Tier;
use super::coverage::seeded;
use super::evidence::{Evidence, Failure, Verdict};
use super::tools::cargo_tool;
use crate::run::root;

/// A part of the code.
struct Area {
    name: &'static str,
    files: &'static [&'static str],
    /// How `cargo test` is to build it.
    flags: &'static [&'static str],
    /// What it is to build beforehand.
    all: &'static [&'static str],
    /// Packages whose test programs meet a change, which of them, and what is built again: the next if those before
    /// did not notice it.
    stages: &'static [Step],
    /// Of a hundred changes that compile and are not harmless, the tests must notice so many.
    percent: usize,
    /// A sample is tried.
    sampled: bool,
}

/// Test programs of a package, and which targets `cargo test` is to build for them.
struct Step {
    package: &'static str,
    /// Its programs, but for those that are named; else these alone.
    programs: Programs,
    build: &'static [&'static str],
}

enum Programs {
    But(&'static [&'static str]),
    Alone(&'static [&'static str]),
}

const ALL: [&str; 2] = ["--workspace", "--all-features"];
const LIBRARY: [&str; 3] = ["--package", "carryless", "--all-features"];
const TESTS: [&str; 3] = ["--lib", "--bins", "--tests"];
/// The program, by way of a test program that runs it. Others than those left out say how it treats files.
const COMMAND: Step = Step {
    package: "crates/carryless-cli",
    programs: Programs::But(&["bench", "interop", "kills", "recording"]),
    build: &["--bin", "carryless", "--test", "ranges"],
};

const AREAS: [Area; 3] = [
    Area {
        name: "carryless-file",
        files: &["crates/carryless-file/src/**"],
        flags: &ALL,
        all: &TESTS,
        stages: &[
            Step {
                package: "crates/carryless-file",
                programs: Programs::But(&[]),
                build: &["--lib"],
            },
            COMMAND,
        ],
        percent: 97,
        sampled: false,
    },
    Area {
        name: "the command",
        files: &[
            "crates/carryless-cli/src/key_file.rs",
            "crates/carryless-cli/src/message.rs",
            "crates/carryless-cli/src/opening.rs",
            "crates/carryless-cli/src/output.rs",
            "crates/carryless-cli/src/output/unix.rs",
            "crates/carryless-cli/src/payload.rs",
            "crates/carryless-cli/src/pipeline.rs",
            "crates/carryless-cli/src/sealing.rs",
        ],
        flags: &ALL,
        all: &TESTS,
        stages: &[COMMAND],
        percent: 97,
        sampled: false,
    },
    Area {
        name: "the library",
        files: &[
            "crates/carryless/src/block.rs",
            "crates/carryless/src/engine/**",
            "crates/carryless/src/env.rs",
            "crates/carryless/src/kernel/**",
            "crates/carryless/src/mode/**",
            "crates/carryless/src/secret.rs",
        ],
        flags: &LIBRARY,
        all: &["--lib", "--tests"],
        stages: &[
            Step {
                package: "crates/carryless",
                programs: Programs::Alone(&["gcm"]),
                build: &["--test", "gcm"],
            },
            Step {
                package: "crates/carryless",
                programs: Programs::But(&["gcm"]),
                build: &["--lib", "--tests"],
            },
        ],
        percent: 95,
        sampled: true,
    },
];

/// The check.
pub(super) fn f2(tier: Tier) -> Verdict {
    if tier == Tier::Quick {
        changed::f2()
    } else {
        everything()
    }
}

fn everything() -> Verdict {
    let tool = cargo_tool("cargo-mutants", "27.1.0")?;
    let mut evidence = Evidence::default();
    evidence.controls.push(control(&tool)?);
    let reasons = survivors::read()?;
    let mut faults = Vec::new();
    let only = only();
    for area in asked_for()? {
        let mut places = places::list(&tool, &root(), area.files, None)?;
        let of = places.len();
        if area.sampled {
            let (size, seed) = (number("SAMPLE", 150)?, number("SEED", 1)?);
            places = places::sample(places, usize::try_from(size).unwrap_or(of), seed);
            let line = format!(
                "{}: {} of {of} places, drawn by the seed {seed}",
                area.name,
                places.len()
            );
            evidence.lines.push(line);
        }
        if let Some(words) = &only {
            places.retain(|place| words.iter().any(|word| place.name().contains(word)));
            let line = format!("{}: of these {} have {words:?}", area.name, places.len());
            evidence.lines.push(line);
            if places.is_empty() {
                continue;
            }
        }
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let tried = Tried::of(area, places, cores, None)?;
        evidence.lines.extend(tried.lines(area.name, &reasons));
        faults.extend(tried.faults(area, &reasons, only.is_none()));
    }
    ended(evidence, &faults)
}

/// The areas, or the one that `CARRYLESS_MUTANTS_AREA` names.
fn asked_for() -> Result<Vec<&'static Area>, String> {
    let Ok(name) = env::var("CARRYLESS_MUTANTS_AREA") else {
        return Ok(AREAS.iter().collect());
    };
    let area = AREAS.iter().find(|area| area.name == name);
    let known = || AREAS.map(|area| area.name).join(", ");
    let unknown = || format!("CARRYLESS_MUTANTS_AREA={name}: one of {}", known());
    Ok(vec![area.ok_or_else(unknown)?])
}

/// The words of `CARRYLESS_MUTANTS_ONLY`.
fn only() -> Option<Vec<String>> {
    let words = env::var("CARRYLESS_MUTANTS_ONLY").ok()?;
    Some(words.split(',').map(String::from).collect())
}

/// `CARRYLESS_MUTANTS_..` as a number.
fn number(name: &str, default: u64) -> Result<u64, String> {
    let name = format!("CARRYLESS_MUTANTS_{name}");
    match env::var(&name) {
        Ok(text) => text
            .parse()
            .map_err(|_| format!("{name}={text}: no number")),
        Err(_) => Ok(default),
    }
}

fn ended(evidence: Evidence, faults: &[String]) -> Verdict {
    if faults.is_empty() {
        return Ok(evidence);
    }
    let found = [&evidence.lines[..], faults].concat();
    Err(Failure::Failed(found.join("\n")))
}

/// A function without a test, of whose changes each must survive, beside one with a test, of whose none may: in
/// builds of their own, and as switches in one.
fn control(tool: &str) -> Result<String, Failure> {
    let tree = Tree {
        folder: seeded("mutants")?,
    };
    let places = places::list(tool, &tree.folder, &["src/**"], None)?;
    let programs = tree
        .build(&[])?
        .ok_or_else(|| String::from("the seeded package does not build"))?;
    let stages = [Stage {
        build: Vec::new(),
        programs: programs.iter().collect(),
    }];
    tree.unchanged(&stages)?;
    let alone: Vec<Fate> = places
        .iter()
        .map(|place| tree.meet(place, &stages))
        .collect::<Result<_, _>>()?;
    let (programs, switched) = tree.switch(&places, &[])?;
    let programs: Vec<_> = programs.iter().collect();
    let mut survivor = None;
    for (number, place) in (1..).zip(&places) {
        let expected = if place.name().contains("unknown") {
            Fate::Survived
        } else {
            Fate::Killed
        };
        let fates = [alone[number - 1], met(&programs, number)?];
        if fates != [expected; 2] || !switched.contains(&number) {
            return Err(Failure::Failed(format!(
                "seeded: {}: alone {}, switched {}",
                place.name(),
                fates[0],
                fates[1]
            )));
        }
        survivor = (expected == Fate::Survived)
            .then(|| place.name())
            .or(survivor);
    }
    let survivor =
        survivor.ok_or_else(|| String::from("no survivor in a function without a test"))?;
    Ok(format!("a function without a test: caught: {survivor}"))
}
