//! What `cargo xtask ci` may leave out: a check that cannot run on its machine, and is named.
//!
//! A check that is named is tried all the same, and fails the run if it fails.

use std::collections::BTreeSet;
use std::env;

use super::constant_time::supported;
use super::emulator::Emulator;
use super::evidence::{Failure, Faults};
use super::machine::{ARM, Machine};
use super::report::{Row, Standing};
use super::{BESIDE_TESTS, programs, tools};
use crate::test;

/// The environment variable with the names, separated by commas.
pub(crate) const VARIABLE: &str = "CARRYLESS_CI_WITHOUT";

/// The test of the test command that needs a tool of its own, pyca.
const INTEROP: &str = "C9";

/// The checks that need not run.
#[derive(Default)]
pub(crate) struct Without(BTreeSet<&'static str>);

impl Without {
    /// Those that the environment names.
    pub(crate) fn from_env() -> Result<Self, String> {
        match env::var(VARIABLE) {
            Ok(names) => Self::named(&names),
            Err(env::VarError::NotPresent) => Ok(Self::default()),
            Err(error) => Err(format!("{VARIABLE}: {error}")),
        }
    }

    /// Whether the check of this name is among them.
    pub(crate) fn names(&self, id: &str) -> bool {
        self.0.contains(id)
    }

    /// Fails on a name that is none: a misspelt one would leave out nothing, or what it was not meant to.
    fn named(names: &str) -> Result<Self, String> {
        let known = || BESIDE_TESTS.iter().copied().chain([INTEROP]);
        let names = names.split(',').map(str::trim);
        let find = |name: &str| {
            let found = known().find(|id| id.eq_ignore_ascii_case(name));
            found.ok_or_else(|| {
                let known = Vec::from_iter(known()).join(",");
                format!("{VARIABLE}: `{name}` is no check that ci may leave out; those are {known}")
            })
        };
        let found: Result<_, _> = names.filter(|name| !name.is_empty()).map(find).collect();
        found.map(Self)
    }

    /// What these rows leave out, all of it named; fails if a check failed, or if one that is not named
    /// could not run, wholly or for an engine that no emulated CPU has run either.
    pub(super) fn judge(&self, rows: &[Row]) -> Result<Vec<String>, String> {
        let mut bad = Vec::new();
        let mut missed = Vec::new();
        let mut left_out = Vec::new();
        for row in rows {
            let missing = match row.result {
                Standing::Passed => continue,
                Standing::Failed => {
                    bad.push(format!("{} failed", row.id));
                    continue;
                }
                Standing::NotRun => row.reason.clone().unwrap_or_default(),
                Standing::Incomplete => row.missing(),
            };
            let missing = format!("{} could not run: {missing}", row.id);
            if self.0.contains(row.id) {
                left_out.push(missing);
            } else {
                bad.push(missing);
                missed.push(row.id);
            }
        }
        if bad.is_empty() {
            return Ok(left_out);
        }
        Err(format!("assure: {}{}", bad.join("\n"), advice(&missed)))
    }

    /// Lets the checks pass that need something which is not there, if all are named.
    fn without(&self, ids: &[&str], found: Result<(), Failure>) -> Result<Option<String>, Failure> {
        let why = match found {
            Ok(()) => return Ok(None),
            Err(Failure::NotRun(why)) => why,
            Err(failed) => return Err(failed),
        };
        let missing = format!("{} could not run: {why}", ids.join(", "));
        if ids.iter().all(|id| self.0.contains(id)) {
            return Ok(Some(missing));
        }
        Err(Failure::NotRun(missing + &advice(ids)))
    }

    /// Installs what the checks need and CI's machine may lack, at the beginning of an hour and not at its
    /// end; what is left out of the test command.
    pub(crate) fn prepare(&self) -> Result<Vec<String>, String> {
        let mut faults = Faults::default();
        let valgrind = || programs::tool("valgrind", &["valgrind"]);
        for (ids, found) in [
            (&["T1"][..], supported().and_then(|()| valgrind())),
            (&["U4", "T2"], Emulator::find().map(drop)),
            (
                &["T2", "T4"],
                ARM.into_iter().try_for_each(Machine::prepare),
            ),
            (&["F1"], tools::nightly(&[])),
        ] {
            faults.keep(self.without(ids, found));
        }
        let interop = faults.keep(self.without(&[INTEROP], interop()));
        match faults.none() {
            Ok(()) => Ok(Vec::from_iter(interop.flatten())),
            Err(Failure::Failed(why) | Failure::NotRun(why)) => Err(why),
        }
    }
}

/// What to do where checks cannot run.
fn advice(ids: &[&str]) -> String {
    match ids {
        [] => String::new(),
        ids => format!(
            "\n{VARIABLE}={} leaves out what cannot run here",
            ids.join(",")
        ),
    }
}

/// The second implementation for C9, and with it the venv that the emulator also uses.
fn interop() -> Result<(), Failure> {
    let there = || test::interop_python().is_some();
    // Debian has the module venv in a package of its own.
    if there() || programs::install(&["python3", "python3-venv"]) && there() {
        return Ok(());
    }
    let what = "no Python with pyca cryptography 50: pip install cryptography";
    Err(Failure::NotRun(what.into()))
}

#[cfg(test)]
mod tests;
