//! The emulated x86-64 CPU, for engines that this one lacks and for traces of all.

use std::process::Command;

use super::constant_time::{STATIC_RELEASE, TARGET};
use super::evidence::Failure;
use super::programs::{self, Program};
use super::tools;
use crate::run::command;

/// The model that has all that any engine needs.
pub(super) const EVERYTHING: &str = "tigerlake";

/// What makes a program static: the emulator takes no other.
pub(crate) const STATIC: &str = "-Ctarget-feature=+crt-static";

/// The scripts that run a program on a CPU, and that compare its traces there.
const RUN: &str = "xtask/assure/emulate.py";
const TRACE: &str = "xtask/assure/trace.py";

/// A Python that has the package which the scripts need.
pub(super) struct Emulator {
    python: String,
}

impl Emulator {
    pub(super) fn find() -> Result<Self, Failure> {
        if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            let what = "its package is there for Linux on x86-64";
            return Err(Failure::NotRun(what.into()));
        }
        // Where the C library is old the script compiles what it misses.
        programs::tool("cc", &["gcc", "libc6-dev"])?;
        let python = tools::python("bochscpu", "bochscpu-python==0.4.0")?;
        Ok(Self { python })
    }

    /// The words that run a program on a CPU.
    pub(super) fn plain<'s>(&'s self, cpu: &'s str) -> [&'s str; 4] {
        [&self.python, RUN, "--cpu", cpu]
    }

    /// The words that run a program and compare its traces. It may read files, as does [`Self::command`].
    pub(super) fn traced(&self) -> [&str; 6] {
        [&self.python, TRACE, "--cpu", EVERYTHING, "--root", "/"]
    }

    /// A command to which a program is to be added, on the CPU that has everything. It may read files: the
    /// random numbers of the system, as a static program asks for them.
    pub(super) fn command(&self) -> Command {
        let [python, words @ ..] = self.plain(EVERYTHING);
        let mut run = command(python, &words);
        run.args(["--root", "/"]);
        run
    }
}

/// Test programs of the library for the emulator, with the features that have tests but for `rayon`: the emulated system has no
/// threads.
pub(super) fn tests(names: &[&str]) -> Result<Vec<Program>, String> {
    let features = ["--features", "hazmat,arrayvec,bytes,cipher,digest,lea,sgcm"];
    built("carryless", &features, "target/models", names)
}

/// Those of the choice of engine, with the library as M6 and T2 have it, and without the programs that these run. What they
/// take of its generic code is hardly optimized, as to compile it takes a tenth of the time then.
pub(super) fn tests_of_choice(names: &[&str]) -> Result<Vec<Program>, String> {
    let level = "profile.release.package.carryless-assure.opt-level=1";
    let features = ["--no-default-features", "--features", "files,choice"];
    let args = [&features[..], &["--config", level]].concat();
    built("carryless-assure", &args, STATIC_RELEASE, names)
}

/// Static test programs of a package, in release form, as the emulator is slow.
fn built(
    package: &str,
    features: &[&str],
    folder: &str,
    names: &[&str],
) -> Result<Vec<Program>, String> {
    let env = [("RUSTFLAGS", STATIC), ("CARGO_TARGET_DIR", folder)];
    let target = ["--release", "--package", package, "--target", TARGET];
    let names = names.iter().flat_map(|name| ["--test", name]);
    let args: Vec<&str> = target.into_iter().chain(names).collect();
    programs::build(&[&args, features].concat(), &env)
}
