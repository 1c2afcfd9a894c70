//! Test programs for other CPUs: built here, run by an emulator or as they are.

use std::process::Command;

use super::evidence::Failure;
pub(super) use crate::programs::Program;
use crate::run::{exclusive, succeeds};

/// The test programs that `cargo test` with these arguments would run, without a word.
pub(super) fn build(args: &[&str], env: &[(&str, &str)]) -> Result<Vec<Program>, String> {
    crate::programs::build(&[&["--quiet"], args].concat(), env)
}

/// What a test program said that passed.
pub(crate) struct Said {
    pub(crate) tests: usize,
    output: String,
}

/// Runs a test program; an error unless all its tests passed, and there were some.
pub(crate) fn run(command: &mut Command) -> Result<Said, String> {
    let ran = command
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let output = String::from_utf8_lossy(&ran.stdout).into_owned();
    let summary = output
        .lines()
        .find_map(|line| line.strip_prefix("test result: ok. "));
    let tests = summary.and_then(|text| text.split(' ').next()?.parse().ok());
    match tests {
        Some(tests) if tests > 0 && ran.status.success() => Ok(Said { tests, output }),
        _ => {
            let failures = output
                .find("\nfailures:\n")
                .map_or(&*output, |at| &output[at..]);
            let errors = String::from_utf8_lossy(&ran.stderr);
            Err(format!("{}: {failures}\n{errors}", ran.status))
        }
    }
}

/// Whether this is the ID of a check, as `C2`: tests say other things before a colon too.
fn is_id(word: &str) -> bool {
    let number = word.strip_prefix(|c: char| c.is_ascii_uppercase());
    number.is_some_and(|number| number.parse::<u8>().is_ok())
}

impl Said {
    /// With what another run of the program said.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.tests += other.tests;
        self.output += &other.output;
        self
    }

    /// The first line `KEY: VALUE`.
    pub(super) fn value(&self, key: &str) -> Result<&str, String> {
        self.pairs("")
            .find_map(|(name, value)| (name == key).then_some(value))
            .ok_or_else(|| format!("the test program does not say `{key}: ..`"))
    }

    /// All lines `PREFIX NAME: VALUE`, without the prefix.
    pub(super) fn pairs<'s>(&'s self, prefix: &'s str) -> impl Iterator<Item = (&'s str, &'s str)> {
        self.output
            .lines()
            .filter_map(move |line| (line.strip_prefix(prefix)?.trim_start()).split_once(": "))
    }

    /// Checks, and engines that their tests say to have looked at: `C2 avx: 1248 messages`.
    pub(super) fn shown(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs("")
            .filter(|(_, what)| !what.starts_with("not run: "))
            .filter_map(|(subject, _)| subject.split_once(' '))
            .filter(|(check, _)| is_id(check))
    }

    /// What noticed the faults that the controls of a check seeded.
    pub(super) fn caught(&self, control: &str) -> Vec<&str> {
        let mut inside = false;
        let mut found = Vec::new();
        for line in self.output.lines() {
            if let Some(heading) = line.strip_prefix("---- ") {
                let test = heading.split(' ').next().unwrap_or(heading);
                inside = test
                    .rsplit("::")
                    .next()
                    .is_some_and(|name| name.starts_with(control));
            } else if inside && line.contains("caught: ") {
                found.push(line);
            }
        }
        found
    }
}

/// Makes sure that a program is there, by Debian's packages if need be.
pub(crate) fn tool(program: &str, packages: &[&str]) -> Result<(), Failure> {
    let there = || succeeds(program, &["--version"]);
    if there() || (install(packages) && there()) {
        return Ok(());
    }
    let packages = packages.join(" ");
    Err(Failure::NotRun(format!(
        "{program} is not installed: apt-get install {packages}"
    )))
}

/// Installs Debian's packages, where that is possible.
pub(super) fn install(packages: &[&str]) -> bool {
    let Ok(_lock) = exclusive("install") else {
        return false;
    };
    let args = [
        "-o",
        "DPkg::Lock::Timeout=120",
        "install",
        "--yes",
        "--no-install-recommends",
    ];
    println!("   apt-get install {}", packages.join(" "));
    succeeds("apt-get", &["update"]) && succeeds("apt-get", &[&args, packages].concat())
}
