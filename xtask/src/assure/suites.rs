//! Checks that are tests: a test whose name begins with `c2_` belongs to C2, one that begins with
//! `control_c2_` is a control of it.
//!
//! A test prints what it checked as `C2 avx: 1248 messages`, a control prints what noticed its fault
//! as `FAULT: caught: MESSAGE`. A new test joins its check by its name alone.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use super::Tier;
use super::emulator::{self, Emulator};
use super::evidence::{Evidence, Failure, Faults, Tally, Verdict};
use crate::programs::Program;
use crate::test::{ALL, Interop};

/// The test programs of the workspace.
pub(super) struct Suites {
    suites: Vec<Suite>,
    /// Engines of this build, with the reason where this machine does not run them.
    engines: BTreeMap<String, Option<String>>,
    interop: Interop,
    /// Built when the first engine is missed.
    emulated: OnceLock<Result<Emulated, Failure>>,
}

/// One test program and the names of its tests.
struct Suite {
    program: Program,
    tests: Vec<String>,
}

impl Suites {
    /// Builds them.
    pub(super) fn build() -> Result<Self, String> {
        let targets = ["--lib", "--bins", "--tests"];
        let mut suites = Vec::new();
        let mut engines = None;
        for program in crate::programs::build(&[&ALL[..], &targets].concat(), &[])? {
            if program.is_test {
                suites.push(Suite::new(program)?);
            } else if program.name == "carryless" {
                engines = Some(list_engines(&program.path.to_string_lossy())?);
            }
        }
        Ok(Self {
            suites,
            engines: engines.ok_or("the command was not built")?,
            interop: Interop::find(),
            emulated: OnceLock::new(),
        })
    }

    /// Runs the tests of a check; beyond `quick` those of engines that this CPU lacks on an emulated one.
    pub(super) fn check(&self, id: &str, tier: Tier) -> Verdict {
        let mut found = Found::new(id, &self.engines);
        let outputs = self.suites.iter().filter_map(|suite| {
            let names: Vec<&String> = suite.tests.iter().filter(|n| owner(n) == id).collect();
            (!names.is_empty()).then(|| self.run(id, &suite.program, &names))
        });
        let mut faults = found.read_all(outputs);
        let mut evidence = found.evidence();
        if tier > Tier::Quick {
            for engine in Vec::from_iter(evidence.gaps.keys().cloned()) {
                faults.keep(self.on_an_emulated_cpu(id, &engine, &mut evidence));
            }
        }
        faults.none()?;
        evidence.complete()
    }

    /// The short forms of a check's tests for an engine, of those that the emulated CPU can run; their seeded faults are
    /// those of the tests on this CPU. Without an emulator the gap stays.
    fn on_an_emulated_cpu(
        &self,
        id: &str,
        engine: &str,
        evidence: &mut Evidence,
    ) -> Result<(), Failure> {
        let emulated = match self.emulated.get_or_init(Emulated::build) {
            Ok(emulated) => emulated,
            Err(Failure::NotRun(_)) => return Ok(()),
            Err(Failure::Failed(why)) => return Err(Failure::Failed(why.clone())),
        };
        let mut found = Found::new(id, &self.engines);
        let outputs = self.suites.iter().filter_map(|suite| {
            let wanted = |name: &&String| {
                let cannot = NOT_EMULATED.iter().any(|begin| name.starts_with(begin));
                owner(name) == id && !name.contains("control_") && !cannot
            };
            let names: Vec<&String> = suite.tests.iter().filter(wanted).collect();
            let run = emulated.command(&suite.program, engine);
            let mut run = run.filter(|_| !names.is_empty())?;
            Some(standard_output(run.args(names)))
        });
        found.read_all(outputs).none()?;
        if found.evidence.engines.contains(engine) {
            evidence.engines.insert(engine.into());
            evidence.earn(found.evidence.earned);
            evidence.gaps.remove(engine);
            let lines = found.tally.lines().into_iter();
            let lines = lines.map(|line| format!("emulated CPU: {line}"));
            evidence.lines.extend(lines);
        }
        Ok(())
    }

    /// The standard output of some tests of a program.
    fn run(&self, id: &str, program: &Program, names: &[&String]) -> Result<String, String> {
        let mut command = program.command();
        if is_long(id) {
            command.arg("--ignored");
        }
        command
            .args(["--exact", "--show-output"])
            .args(names)
            .envs(self.interop.env());
        standard_output(&mut command)
    }
}

/// What tests print that pass; otherwise an error with those that did not.
fn standard_output(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    let failures = text.find("\nfailures:\n").map_or(&*text, |at| &text[at..]);
    Err(format!(
        "{command:?}: {}\n{}\n{failures}",
        output.status,
        String::from_utf8_lossy(&output.stderr),
    ))
}

/// Test programs for an emulated CPU that has every engine.
struct Emulated {
    emulator: Emulator,
    programs: Vec<Program>,
}

impl Emulated {
    fn build() -> Result<Self, Failure> {
        let emulator = Emulator::find()?;
        let programs = emulator::tests(&EMULATED)?;
        Ok(Self { emulator, programs })
    }

    /// The command that runs tests of a program for one engine, if there is that program.
    fn command(&self, program: &Program, engine: &str) -> Option<Command> {
        let is_it = |ours: &&Program| ours.name == program.name;
        let program = self.programs.iter().find(is_it)?;
        let mut run = self.emulator.command();
        run.args(["--env", "CARRYLESS_TEST_QUICK=1"])
            .args(["--env", &format!("CARRYLESS_TEST_ENGINE={engine}")])
            .arg(&program.path)
            .args(["--exact", "--show-output"]);
        Some(run)
    }
}

/// The test programs that an emulated CPU runs, at some twenty million instructions a second: those that can leave engines out.
const EMULATED: [&str; 4] = ["gcm", "lea", "sgcm", "modes_*"];

/// What its names of tests begin with that the emulated system does not run: it has no filters of system calls, no second
/// process or thread, and not the sources of this tree.
const NOT_EMULATED: [&str; 4] = [
    "refused::",
    "memory::m1_",
    "sharing::u6_",
    "parameters::entries::",
];

/// The check that a test belongs to: `C2` for `tails::c2_every_tail` and `control_c2_garbage`.
fn owner(test: &str) -> String {
    let name = test.rsplit("::").next().unwrap_or(test);
    let name = name.strip_prefix("control_").unwrap_or(name);
    let id = name.split('_').next().unwrap_or(name);
    let is_id = id.len() == 2 && id.as_bytes()[1].is_ascii_digit();
    if is_id {
        id.to_uppercase()
    } else {
        String::new()
    }
}

/// Whether the tests of a check are ignored unless they are asked for, as they take minutes.
fn is_long(id: &str) -> bool {
    id.starts_with('L')
}

/// What the output of a check's tests says.
struct Found<'e> {
    id: &'e str,
    engines: &'e BTreeMap<String, Option<String>>,
    tally: Tally,
    evidence: Evidence,
}

impl<'e> Found<'e> {
    fn new(id: &'e str, engines: &'e BTreeMap<String, Option<String>>) -> Self {
        Self {
            id,
            engines,
            tally: Tally::default(),
            evidence: Evidence::default(),
        }
    }

    /// Reads the outputs of test programs, of all: one that fails hides none of the others.
    fn read_all(&mut self, outputs: impl Iterator<Item = Result<String, String>>) -> Faults {
        let mut faults = Faults::default();
        for output in outputs {
            faults.keep(output.and_then(|output| self.read(&output)));
        }
        faults
    }

    /// Reads the sections `---- NAME stdout ----` of a test program's output.
    fn read(&mut self, output: &str) -> Result<(), String> {
        let mut controls: BTreeMap<&str, bool> = BTreeMap::new();
        let mut test = "";
        for line in output.lines() {
            let heading = line
                .strip_prefix("---- ")
                .and_then(|line| line.strip_suffix(" stdout ----"));
            if let Some(name) = heading {
                test = name.rsplit("::").next().unwrap_or(name);
                continue;
            }
            if let Some(name) = line.strip_prefix("test ").and_then(passed_control) {
                controls.entry(name).or_default();
            }
            if test.starts_with("control_") && line.contains("caught: ") {
                controls.insert(test, true);
                let fault = test.trim_start_matches("control_").replace('_', " ");
                self.evidence.controls.push(format!("{fault}: {line}"));
            } else {
                self.read_line(line);
            }
        }
        let silent = controls.iter().filter(|(_, caught)| !**caught);
        let silent =
            silent.map(|(name, _)| format!("the control `{name}` does not say what was caught"));
        let silent = Vec::from_iter(silent);
        if silent.is_empty() {
            Ok(())
        } else {
            Err(silent.join("\n"))
        }
    }

    fn read_line(&mut self, line: &str) {
        let Some((subject, text)) = line
            .strip_prefix(self.id)
            .and_then(|line| line.strip_prefix(' '))
            .and_then(|line| line.split_once(": "))
        else {
            return;
        };
        if self.engines.contains_key(subject) {
            self.evidence.engines.insert(subject.into());
            self.evidence.earn_algorithm(subject, text);
        }
        match text.strip_prefix("not run: ") {
            Some(reason) => {
                self.evidence.gaps.insert(subject.into(), reason.into());
            }
            None => self.tally.add(subject, text),
        }
    }

    /// With the engines that this machine does not run as gaps, if the check is one of engines.
    fn evidence(self) -> Evidence {
        let mut evidence = self.evidence;
        evidence.lines = self.tally.lines();
        if !evidence.engines.is_empty() {
            let absent =
                |(name, reason): (&String, &Option<String>)| Some((name.clone(), reason.clone()?));
            evidence.gaps.extend(self.engines.iter().filter_map(absent));
        }
        evidence
    }
}

/// The control's name in `a::b::NAME ... ok`.
fn passed_control(line: &str) -> Option<&str> {
    let name = line.strip_suffix(" ... ok")?;
    let name = name.rsplit("::").next()?;
    name.starts_with("control_").then_some(name)
}

impl Suite {
    fn new(program: Program) -> Result<Self, String> {
        let path = program.path.to_string_lossy();
        let list = crate::run::output(&path, &["--list", "--format", "terse"])?;
        let tests = list.lines().filter_map(|line| line.strip_suffix(": test"));
        let tests = tests.map(String::from).collect();
        Ok(Self { program, tests })
    }
}

/// What `carryless engines --json` lists.
fn list_engines(carryless: &str) -> Result<BTreeMap<String, Option<String>>, String> {
    let list = crate::run::output(carryless, &["engines", "--json"])?;
    let engine = |line: &str| {
        let engine: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let name = engine["engine"].as_str().ok_or("an engine without name")?;
        let reason = engine["reason"].as_str().map(String::from);
        Ok((name.to_owned(), reason))
    };
    list.lines().map(engine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SILENT: &str = "test control_c2_a ... ok\ntest control_c2_b ... ok\n";
    const GOOD: &str = "---- control_c2_c stdout ----\ngarbage: caught: avx, 3 bytes\n\
                        ---- c2_tails stdout ----\nC2 avx: 7 messages\n";

    #[test]
    fn every_test_program_that_fails_is_named() {
        let engines = BTreeMap::from([("avx".to_owned(), None)]);
        let mut found = Found::new("C2", &engines);
        let outputs = [
            Err("gcm: failures: c2_a".into()),
            Ok(GOOD.into()),
            Err("carryless: failures: c2_b".into()),
            Ok(SILENT.into()),
        ];
        let Err(Failure::Failed(all)) = found.read_all(outputs.into_iter()).none() else {
            panic!("three programs failed");
        };
        for expected in [
            "3 faults",
            "c2_a",
            "c2_b",
            "`control_c2_a`",
            "`control_c2_b`",
        ] {
            assert!(all.contains(expected), "`{expected}` is not in\n{all}");
        }
        let evidence = found.evidence();
        assert_eq!(evidence.lines, ["avx: 7 messages"]);
        assert_eq!(evidence.controls.len(), 1);
    }
}
