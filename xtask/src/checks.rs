//! `cargo xtask check`: what the compilers say of the code, without a test.
//!
//! Side by side, as each ends with one crate, which has one core: each in a process of its own, so that what it prints stays together.

use std::env;

use crate::run::{self as exec, Outcome, command};
use crate::{api, builds};

/// A check, by its name.
type Check = (&'static str, fn() -> Outcome);

/// Those that take longest first. What uses the same folder of cargo is one, as it would wait for itself.
const CHECKS: [Check; 4] = [
    ("lints", lints),
    ("msrv", builds::msrv),
    ("targets", builds::targets),
    ("api", api::check),
];

/// Checks that run at a time.
const SIDE_BY_SIDE: usize = 2;

/// All.
pub(crate) fn run() -> Outcome {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let program = program.to_string_lossy();
    let commands = CHECKS.map(|(name, _)| command(&program, &["check", name]));
    exec::run_all(SIDE_BY_SIDE, commands.into())
}

/// The one of this name.
pub(crate) fn one(name: &str) -> Outcome {
    let found = CHECKS.iter().find(|(known, _)| *known == name);
    let names = CHECKS.map(|(name, _)| name).join(", ");
    let (_, check) = found.ok_or_else(|| format!("no check is called {name}: {names}"))?;
    check()
}

/// What clippy and rustdoc say.
fn lints() -> Outcome {
    let all = ["--workspace", "--all-targets", "--all-features"];
    for what in [
        &all[..],
        &["--package", "carryless", "--no-default-features"],
    ] {
        exec::run(
            "cargo",
            &[&["clippy"], what, &["--", "-Dwarnings"]].concat(),
        )?;
    }
    builds::documentation()
}
