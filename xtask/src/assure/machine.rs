//! Machines other than this one: cross compilers and libraries for them, QEMU's user mode, its plugins.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::evidence::Failure;
use super::programs::{install, tool};
use crate::builds::{add_target, linker_variable};
use crate::programs::build_binaries;
use crate::run::{command, root, succeeds};

/// A machine of another kind.
pub(crate) struct Machine {
    pub(super) title: &'static str,
    pub(super) target: &'static str,
    /// Debian's prefix of its compiler and libraries.
    debian: &'static str,
    /// Debian's name of it in packages.
    architecture: &'static str,
    emulator: &'static str,
}

pub(crate) static AARCH64: Machine = Machine {
    title: "AArch64",
    target: "aarch64-unknown-linux-gnu",
    debian: "aarch64-linux-gnu",
    architecture: "arm64",
    emulator: "qemu-aarch64",
};

pub(crate) static AARCH32: Machine = Machine {
    title: "AArch32",
    target: "armv7-unknown-linux-gnueabihf",
    debian: "arm-linux-gnueabihf",
    architecture: "armhf",
    emulator: "qemu-arm",
};

pub(super) static S390X: Machine = Machine {
    title: "s390x",
    target: "s390x-unknown-linux-gnu",
    debian: "s390x-linux-gnu",
    architecture: "s390x",
    emulator: "qemu-s390x",
};

/// Those with engines of their own.
pub(super) const ARM: [&Machine; 2] = [&AARCH64, &AARCH32];

/// Where programs for them are built.
pub(super) const FOLDER: (&str, &str) = ("CARGO_TARGET_DIR", "target/emulated");

impl Machine {
    /// Installs what building for it and running on it takes.
    pub(super) fn prepare(&self) -> Result<(), Failure> {
        let Self { target, debian, .. } = self;
        add_target(target).map_err(|error| Failure::NotRun(format!("{target}: {error}")))?;
        tool(self.emulator, &["qemu-user"])?;
        let library = format!("libc6-dev-{}-cross", self.architecture);
        let packages = [&*format!("gcc-{debian}"), &library];
        tool(&self.compiler(), &packages)?;
        // The compiler only recommends the library.
        let start = format!("/usr/{debian}/lib/crti.o");
        if Path::new(&start).exists() || install(&packages) {
            return Ok(());
        }
        let packages = packages.join(" ");
        Err(Failure::NotRun(format!(
            "{start} is missing: apt-get install {packages}"
        )))
    }

    pub(super) fn compiler(&self) -> String {
        format!("{}-gcc", self.debian)
    }

    /// What tells cargo of its linker.
    pub(super) fn linker(&self) -> (String, String) {
        (linker_variable(self.target), self.compiler())
    }

    /// The words before a program, on this model of CPU; with a plugin, and its arguments, if there is one.
    pub(crate) fn words(&self, cpu: &str, plugin: &str) -> Vec<String> {
        let folder = format!("/usr/{}", self.debian);
        let mut words = vec![self.emulator, "-cpu", cpu, "-L", &folder];
        if !plugin.is_empty() {
            words.extend(["-plugin", plugin]);
        }
        words.into_iter().map(String::from).collect()
    }

    /// A program on this model of CPU.
    pub(super) fn command(&self, cpu: &str, program: &Path) -> Command {
        let words = self.words(cpu, "");
        let mut run = command(&words[0], &[]);
        run.args(&words[1..]).arg(program);
        run
    }

    /// A program of crates/carryless-assure for it, in release form.
    pub(crate) fn build(&self, program: &str, env: &[(&str, &str)]) -> Result<PathBuf, String> {
        add_target(self.target)?;
        let (linker, compiler) = self.linker();
        let env = [env, &[(&linker, &compiler), FOLDER]].concat();
        let args = ["--release", "--package", "carryless-assure"];
        let rest = ["--quiet", "--bin", program, "--target", self.target];
        let built = build_binaries(&[&args[..], &rest].concat(), &env)?;
        let found = built.into_iter().find(|built| built.name == program);
        let path = found.map(|built| built.path);
        path.ok_or_else(|| format!("cargo built no program `{program}`"))
    }
}

/// A plugin of QEMU, compiled.
pub(crate) fn plugin(name: &str) -> Result<String, String> {
    let source = format!("xtask/assure/{name}.c");
    let folder = root().join("target/assure");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let made = folder.join(format!("{name}.so"));
    let made = made.to_string_lossy().into_owned();
    if succeeds("cc", &["-O2", "-shared", "-fPIC", "-o", &made, &source]) {
        return Ok(made);
    }
    Err(format!("cc does not compile {source}"))
}
