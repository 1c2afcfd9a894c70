//! M3 to M6: undefined behaviour, allocation, and what is left in memory.

use std::collections::BTreeMap;
use std::process::Command;

use super::constant_time::{self, listed};
use super::emulator::{Emulator, STATIC};
use super::evidence::{Evidence, Failure, Faults, Verdict, together};
use super::machine::{ARM, Machine};
use super::tools::nightly;
use super::{Tier, instructions, panics};
use crate::asm;
use crate::run::{command, root};
use crate::test::ALL;

/// What a command printed, both streams, and how it ended.
struct Ran {
    text: String,
    well: bool,
    ended: String,
}

fn ran(mut command: Command, what: &str) -> Result<Ran, Failure> {
    let output = command
        .output()
        .map_err(|error| Failure::NotRun(format!("{what}: {error}")))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    Ok(Ran {
        text,
        well: output.status.success(),
        ended: output.status.to_string(),
    })
}

/// The last lines of a run that went wrong.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

/// Runs it and reads what it says.
fn read(evidence: &mut Evidence, command: Command, id: &str, place: &str) -> Result<(), Failure> {
    Ok(take(evidence, &ran(command, id)?, id, place)?)
}

/// Reads the lines of what ran, `ID ENGINE: COUNT WHAT`, `FAULT: caught: ..`, `ENGINE: not run: ..`.
fn take(evidence: &mut Evidence, ran: &Ran, id: &str, place: &str) -> Result<(), String> {
    if !ran.well {
        // What was said of each engine, and the end.
        let of_engines = ran.text.lines().filter(|line| line.starts_with(id));
        let of_engines: String = of_engines.map(|line| format!("{line}\n")).collect();
        let (ended, tail) = (&ran.ended, tail(&ran.text));
        return Err(format!("{place}{ended}\n{of_engines}{tail}"));
    }
    for line in ran.text.lines() {
        // The harness prints the name of the test on the same line.
        let line = line.rsplit_once(" ... ").map_or(line, |(_, rest)| rest);
        if let Some(rest) = line
            .strip_prefix(id)
            .and_then(|rest| rest.strip_prefix(' '))
        {
            // A variant has a colon in its name.
            let engine = rest.split_once(": ").map_or(rest, |(engine, _)| engine);
            evidence.engines.insert(engine.to_owned());
            evidence.lines.push(format!("{place}{rest}"));
        } else if line.contains(": caught: ") {
            let caught = format!("{place}{line}");
            // Each run has its controls, in one place the same.
            if !evidence.controls.contains(&caught) {
                evidence.controls.push(caught);
            }
        } else if let Some((engine, reason)) = line.split_once(": not run: ") {
            evidence.gaps.insert(engine.to_owned(), reason.to_owned());
        }
    }
    Ok(())
}

/// Runs a seeded fault, which must fail and be called `name`.
fn control(
    evidence: &mut Evidence,
    command: Command,
    fault: &str,
    name: &str,
) -> Result<(), Failure> {
    let Ran { text, well, .. } = ran(command, fault)?;
    let said = text.lines().find(|line| line.contains(name));
    match said {
        Some(said) if !well => {
            evidence
                .controls
                .push(format!("{fault}: caught: {}", said.trim()));
            Ok(())
        }
        _ => Err(Failure::Failed(format!(
            "{fault}: not noticed\n{}",
            tail(&text)
        ))),
    }
}

/// The seeded faults of `tests/interpreted.rs`.
const OVER_READ: &str = "control_m3_a_read_beyond_the_buffer_is_reported";
const UNINITIALISED: &str = "control_m3_a_read_of_unwritten_memory_is_reported";

/// `cargo` of the nightly toolchain, where the test program of few calls is run by `verb`.
fn interpreted(verb: &[&str], target: Option<&str>, rest: &[&str]) -> Command {
    let mut command = command("cargo", &["+nightly"]);
    command
        .args(verb)
        .args(["--package", "carryless", "--all-features"]);
    command.args(["--test", "interpreted"]);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    command.arg("--").args(rest);
    command
}

/// M3: Miri on the portable engines and the glue, and on those of its instructions that it knows.
pub(crate) fn m3() -> Verdict {
    const HERE: &str = "-Ctarget-feature=+ssse3,+sse4.1,+aes,+pclmulqdq,+avx";
    nightly(&["miri", "rust-src"])?;
    let miri = |target: Option<&str>, rest: &[&str]| {
        let mut command = interpreted(&["miri", "test"], target, rest);
        command
            .env("MIRIFLAGS", "-Zmiri-strict-provenance")
            .env("CARGO_TARGET_DIR", "target/miri");
        if target.is_none() && cfg!(target_arch = "x86_64") {
            command.env("RUSTFLAGS", HERE);
        }
        command
    };
    let mut evidence = Evidence::default();
    let mut faults = Faults::default();
    let tests = ["m3_", "--nocapture", "--test-threads=1"];
    faults.keep(read(&mut evidence, miri(None, &tests), "M3", ""));
    // Few calls: the same code, interpreted once more.
    let few = ["m3_parts", "--nocapture", "--test-threads=1"];
    for (target, place) in [
        ("s390x-unknown-linux-gnu", "big endian, "),
        ("i686-unknown-linux-gnu", "32 bits, "),
    ] {
        faults.keep(read(&mut evidence, miri(Some(target), &few), "M3", place));
    }
    for (fault, name) in [
        ("a read beyond the buffer", OVER_READ),
        ("a read of unwritten memory", UNINITIALISED),
    ] {
        let command = miri(None, &["--ignored", "--exact", name]);
        faults.keep(control(&mut evidence, command, fault, "Undefined Behavior"));
    }
    faults.none().map(|()| evidence)
}

/// M4: the address sanitiser on the same calls, at the speed of the CPU and with all instructions.
pub(crate) fn m4() -> Verdict {
    let host = "x86_64-unknown-linux-gnu";
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(Failure::NotRun(format!("only set up for {host}")));
    }
    nightly(&[])?;
    let sanitised = |rest: &[&str]| {
        let mut command = interpreted(&["test"], Some(host), rest);
        command
            .env("RUSTFLAGS", "-Zsanitizer=address")
            .env("CARGO_TARGET_DIR", "target/asan");
        command
    };
    let mut evidence = Evidence::default();
    // The tests are those of M3.
    read(
        &mut evidence,
        sanitised(&["m3_", "--nocapture", "--test-threads=1"]),
        "M3",
        "",
    )?;
    let command = sanitised(&["--ignored", "--exact", OVER_READ]);
    control(
        &mut evidence,
        command,
        "a read beyond the buffer",
        "heap-buffer-overflow",
    )?;
    Ok(evidence)
}

/// M5: no public call asks for memory; no entry point of a kernel calls anything, a panic included;
/// elsewhere a panic is in the list of those that are not reached. On each change without builds for one CPU.
pub(crate) fn m5(tier: Tier) -> Verdict {
    let mut evidence = Evidence::default();
    // The library as the tests of the workspace have built it.
    let mut tests = command("cargo", &[&["test"], &ALL[..]].concat());
    tests.args(["--test", "allocation", "--"]);
    tests.args(["--nocapture", "--test-threads=1"]);
    read(&mut evidence, tests, "M5", "")?;
    asm::check(tier > Tier::Quick).map_err(Failure::Failed)?;
    evidence
        .lines
        .push("entry points of the kernels: no call, so none of a panic (cargo xtask asm)".into());
    if cfg!(target_arch = "x86_64") {
        let code = instructions::Code::build()?;
        let assemblies = [&code.library, &code.modes, &code.aarch64, &code.aarch32];
        let (lines, caught) = panics::check(&assemblies.map(String::as_str))?;
        evidence.lines.extend(lines);
        evidence.controls.extend(caught);
    }
    Ok(evidence)
}

/// M6: what a key, the calls on it, and those of the file library leave behind in memory, on the release
/// build, here and on Arm. On each change Arm is left out, what wiping costs, and the build that wipes nothing: the programs plant
/// faults of their own. The engines that this CPU lacks are left to U4 then.
pub(super) fn m6(tier: Tier) -> Verdict {
    let arm = ARM.into_iter().filter(|_| tier > Tier::Quick);
    together([here(tier)].into_iter().chain(arm.map(on_arm)))
}

/// M6 on this machine.
fn here(tier: Tier) -> Verdict {
    let folder = wipers(constant_time::STATIC_RELEASE, "")?;
    let [wipe, files] = ["wipe", "wipe-file"].map(|program| format!("{folder}/{program}"));
    let mut evidence = Evidence::default();
    let mut faults = Faults::default();
    let engines = listed(&[], &root().join(&wipe))?;
    let here = engines.iter().filter(|(_, missing)| missing.is_none());
    let here = here.map(|(engine, _)| &**engine);
    let run = |engine: &str| ran(command(&wipe, &[engine]), engine);
    faults.extend(on_each(&mut evidence, here, "", run));
    let missing = engines.iter().filter_map(|(engine, missing)| {
        let reason = missing.clone()?;
        Some((engine.clone(), reason))
    });
    evidence.gaps = missing.collect();
    faults.keep(read(&mut evidence, command(&files, &[]), "M6", ""));
    if tier > Tier::Quick {
        faults.extend(on_an_emulated_cpu(&mut evidence, &wipe));
        faults.keep(beside_no_wiping(&mut evidence, &wipe));
    }
    faults.none().map(|()| evidence)
}

/// A build that wipes nothing: what wiping costs beside it, and that what it leaves is noticed.
fn beside_no_wiping(evidence: &mut Evidence, wipes: &str) -> Result<(), Failure> {
    let folder = wipers("target/assure/no-wipe", "--cfg carryless_no_wipe")?;
    let [wipe, files] = ["wipe", "wipe-file"].map(|program| format!("{folder}/{program}"));
    let mut faults = Faults::default();
    let costs = faults.keep(wiping_costs(wipes, &wipe));
    evidence.lines.extend(costs.into_iter().flatten());
    for (program, fault, said) in [
        (wipe, "a build that wipes nothing", "  dropped key: "),
        (
            files,
            "files on a build that wipes nothing",
            ": prepared key in memory given back: ",
        ),
    ] {
        let nothing = command(&program, &["soft64"]);
        faults.keep(control(evidence, nothing, fault, said));
    }
    faults.none()
}

/// M6 on one of another kind, without the file library.
fn on_arm(machine: &Machine) -> Verdict {
    machine.prepare()?;
    let program = machine.build("wipe", &[])?;
    let words = machine.words("max", "");
    let engines = listed(&Vec::from_iter(words.iter().map(String::as_str)), &program)?;
    let mut evidence = Evidence::default();
    let run = |engine: &str| {
        let mut run = machine.command("max", &program);
        run.arg(engine);
        ran(run, engine)
    };
    let place = format!("{}: ", machine.title);
    let engines = engines.iter().map(|(engine, _)| &**engine);
    let faults = on_each(&mut evidence, engines, &place, run);
    faults.none().map(|()| evidence)
}

/// Runs the program of M6 for each of these engines, in a process of its own: neither what one leaves
/// nor a crash hides another.
fn on_each<'e>(
    evidence: &mut Evidence,
    engines: impl Iterator<Item = &'e str>,
    place: &str,
    run: impl Fn(&str) -> Result<Ran, Failure>,
) -> Faults {
    let mut faults = Faults::default();
    for engine in engines {
        if let Some(ran) = faults.keep(run(engine)) {
            let read = take(evidence, &ran, "M6", place);
            let read = read.map_err(|why| format!("{engine}: {why}"));
            if faults.keep(read).is_some() && !evidence.engines.contains(engine) {
                let silent = format!("{place}{engine}: the program says nothing of it");
                faults.keep(Err::<(), _>(silent));
            }
        }
    }
    faults
}

/// The programs of M6, built in a folder with these flags; static, as the emulator wants them, which macros that
/// run in the compiler can't be: hence the target.
fn wipers(folder: &str, flags: &str) -> Result<String, Failure> {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut cargo = command("cargo", &["build", "--quiet", "--release"]);
    cargo
        .args(["--package", "carryless-assure", "--target", &target])
        .args(["--features", "files", "--bin", "wipe", "--bin", "wipe-file"])
        .env("CARGO_TARGET_DIR", folder)
        .env("RUSTFLAGS", format!("{STATIC} {flags}"));
    let Ran { text, well, .. } = ran(cargo, "cargo")?;
    if well {
        Ok(format!("{folder}/{target}/release"))
    } else {
        Err(Failure::Failed(tail(&text)))
    }
}

/// Runs the program for the engines that this CPU lacks on one that has them all.
fn on_an_emulated_cpu(evidence: &mut Evidence, program: &str) -> Faults {
    let mut faults = Faults::default();
    let lacking = Vec::from_iter(evidence.gaps.keys().cloned());
    if lacking.is_empty() {
        return faults;
    }
    let emulator = match Emulator::find() {
        Ok(emulator) => emulator,
        // Without an emulator the gaps stay.
        Err(Failure::NotRun(_)) => return faults,
        Err(failed) => {
            faults.keep(Err::<(), _>(failed));
            return faults;
        }
    };
    let run = |engine: &str| {
        let mut run = emulator.command();
        run.args([program, engine]);
        ran(run, engine)
    };
    let lacking = lacking.iter().map(|engine| &**engine);
    faults.extend(on_each(evidence, lacking, "emulated CPU: ", run));
    let ran = &evidence.engines;
    evidence.gaps.retain(|engine, _| !ran.contains(engine));
    faults
}

/// For each engine the cycles of short calls, without wiping and with it: stated, not judged, as the
/// machine may be busy.
fn wiping_costs(wipes: &str, not: &str) -> Result<Vec<String>, Failure> {
    // The fewest of some turns.
    let mut fewest: [BTreeMap<String, u64>; 2] = Default::default();
    for _ in 0..3 {
        for (program, fewest) in [not, wipes].into_iter().zip(&mut fewest) {
            let output = command(program, &["cost"])
                .output()
                .map_err(|error| error.to_string())?;
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                if let Some((call, cycles)) = line.rsplit_once(": ") {
                    let cycles: u64 = cycles.parse().map_err(|_| format!("wipe says: {line}"))?;
                    let least = fewest.entry(call.into()).or_insert(u64::MAX);
                    *least = cycles.min(*least);
                }
            }
        }
    }
    let [without, with] = fewest;
    let mut lines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (call, cycles) in &with {
        let (engine, name) = call.split_once(' ').unwrap_or((call, ""));
        let before = without.get(call).copied().unwrap_or_default();
        let cost = format!("{name} {before} to {cycles}");
        lines.entry(engine).or_default().push(cost);
    }
    let line = |(engine, costs): (&str, Vec<String>)| {
        format!(
            "{engine}: cycles without wiping and with it: {}",
            costs.join(", ")
        )
    };
    Ok(lines.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests;
