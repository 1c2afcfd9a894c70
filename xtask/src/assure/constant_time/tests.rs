//! That T1 and T2 name each engine that leaks, on faked outputs of what they run.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use super::*;

fn output(wait_status: i32, stdout: &str, stderr: &str) -> Output {
    Output {
        status: ExitStatus::from_raw(wait_status),
        stdout: stdout.into(),
        stderr: stderr.into(),
    }
}

/// What a program leaves that ends by `exit(status)`.
fn ended(status: i32, stdout: &str, stderr: &str) -> Result<Output, String> {
    Ok(output(status << 8, stdout, stderr))
}

fn ran(engine: &str, missing: Option<&str>, output: Result<Output, String>) -> Ran {
    Ran {
        engine: engine.into(),
        missing: missing.map(String::from),
        output,
    }
}

/// What a clean engine says, and of its traces who watches them.
const WATCHED: &str =
    "soft64: 2 cases, 2 calls\ntrace: 2 cases, 2 calls, 9 instructions, 0 leaks\n";

/// Two engines that leak, one that the program dies of, one that says nothing, one that cannot be run.
fn faulty() -> Vec<Ran> {
    let leak = "vaes256: 2 cases, 2 calls\nleak: vaes256: Seal, key 16: 3 reports\nleak: vaes256: Open, key 24: 1 reports\n";
    let wrong = "avx: 2 cases, 1 calls\nwrong: avx: Mac, key 16: the answer was true\n";
    vec![
        ran("vaes256", None, ended(1, leak, "==7== a report")),
        ran("soft64", None, ended(0, WATCHED, "")),
        ran("avx", None, ended(2, wrong, "")),
        ran("aesni", None, Ok(output(4, "", "illegal instruction"))),
        ran("soft32", None, ended(0, "", "")),
        ran("soft64:words", None, Err("cannot run it".into())),
    ]
}

const EXPECTED: [&str; 9] = [
    "5 faults:",
    "vaes256 release: exit status: 1",
    "leak: vaes256: Seal, key 16",
    "leak: vaes256: Open, key 24",
    "a report",
    "wrong: avx: Mac, key 16",
    "aesni release: signal: 4",
    "soft32 release: ct says nothing",
    "soft64:words: cannot run it",
];

fn assert_all_named(verdict: Verdict) {
    let Err(Failure::Failed(all)) = verdict else {
        panic!("five engines failed");
    };
    for expected in EXPECTED {
        assert!(all.contains(expected), "`{expected}` is not in\n{all}");
    }
    assert!(!all.contains("soft64 release"), "{all}");
}

#[test]
fn every_engine_that_reports_is_named() {
    assert_all_named(collect(faulty(), |ran, run, evidence| {
        read_poisoned("release", ran, run, evidence)
    }));
}

#[test]
fn every_engine_whose_traces_part_is_named() {
    assert_all_named(collect(faulty(), |ran, run, evidence| {
        traces::read("release", ran, run, evidence)
    }));
}

#[test]
fn a_run_that_nobody_watched_is_a_fault() {
    let run = [
        "",
        "trace: 0 cases, 0 calls, 0 leaks\n",
        "trace: 2 cases, 1 calls, 0 leaks\n",
    ];
    for said in run.map(|trace| format!("soft64: 2 cases, 2 calls\n{trace}")) {
        let run = vec![ran("soft64", None, ended(0, &said, ""))];
        let found = collect(run, |ran, run, evidence| {
            traces::read("release", ran, run, evidence)
        });
        assert!(matches!(found, Err(Failure::Failed(why)) if why.contains("was watched")));
    }
}

#[test]
fn engines_that_are_not_there_are_no_faults() {
    let here = |engine: &str| format!("{engine}: 3 cases, 3 calls\n");
    let run = vec![
        ran("avx", None, ended(0, &here("avx"), "")),
        ran("vaes256", None, ended(2, "", "ct: vaes256: not decoded")),
        ran("neon", Some("no NEON"), ended(2, "", "ct: no NEON")),
    ];
    let read = |ran: &Ran, run: &Output, evidence: &mut Evidence| {
        read_poisoned("release", ran, run, evidence)
    };
    let Ok(found) = collect(run, read) else {
        panic!("nothing failed");
    };
    assert_eq!(Vec::from_iter(&found.engines), ["avx"]);
    assert_eq!(found.gaps["neon"], "no NEON");
    assert_eq!(found.lines.len(), 2, "{:?}", found.lines);
}

#[test]
fn every_engine_is_run_whatever_comes_of_the_others() {
    let engines = ["avx", "aesni", "soft64"].map(|name| (name.to_owned(), None));
    let ran = on_every_engine(&engines, |engine| match engine {
        "avx" => panic!("a thread that dies, as this test wants it"),
        "aesni" => Err("cannot run it".into()),
        _ => ended(0, "soft64: 1 cases, 1 calls\n", ""),
    });
    assert_eq!(ran.len(), 3);
    let read = |_: &Ran, _: &Output, _: &mut Evidence| Ok(());
    let Err(Failure::Failed(all)) = collect(ran, read) else {
        panic!("two engines failed");
    };
    assert!(all.contains("avx: its thread panicked"), "{all}");
    assert!(all.contains("aesni: cannot run it"), "{all}");
}

#[test]
fn every_seeded_fault_that_goes_unnoticed_is_named() {
    let Err(Failure::Failed(all)) = controls(&CONTROLS, "release", |name| match name {
        "table" => ended(1, "leak: control Table: 16 reports\n", "==7== a report"),
        // Caught by none: a status without a leak, and a leak without the status.
        "branch" => ended(1, "", ""),
        _ => ended(0, "leak: control EarlyExit: 1 reports\n", ""),
    }) else {
        panic!("three faults went unnoticed");
    };
    assert!(all.contains("3 faults"), "{all}");
    assert!(
        all.contains("early-exit") && all.contains("branch") && !all.contains("table"),
        "{all}"
    );
}
