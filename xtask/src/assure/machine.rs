//! Machines other than this one: cross compilers and libraries for them, QEMU's user mode, its plugins.

mod zig;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::evidence::Failure;
use super::programs::{install, tool};
use crate::asm;
use crate::builds::{add_target, linker_variable};
use crate::programs::build_binaries;
use crate::run::{command, output, root, succeeds};

/// A machine of another kind.
pub(crate) struct Machine {
    pub(crate) title: &'static str,
    pub(super) target: &'static str,
    tools: Tools,
    emulator: &'static str,
    /// The model of CPU on which QEMU tells a plugin of all accesses to memory: it keeps those of SVE to itself.
    pub(crate) traced: &'static str,
}

/// Variables, and arguments.
pub(crate) type Cross = (Vec<(String, String)>, Vec<String>);

/// What compiles and links for a machine.
enum Tools {
    /// Debian's compiler and libraries, which have this prefix, and this name of the machine in packages.
    Debian(&'static str, &'static str),
    /// Zig, for what no distribution has; the standard library is built too.
    Zig,
}

pub(crate) static AARCH64: Machine = Machine {
    title: "AArch64",
    target: asm::AARCH64,
    tools: Tools::Debian("aarch64-linux-gnu", "arm64"),
    emulator: "qemu-aarch64",
    traced: "max,sve=off,sme=off",
};

pub(crate) static AARCH32: Machine = Machine {
    title: "AArch32",
    target: asm::AARCH32,
    tools: Tools::Debian("arm-linux-gnueabihf", "armhf"),
    emulator: "qemu-arm",
    traced: "max",
};

pub(super) static S390X: Machine = Machine {
    title: "s390x",
    target: "s390x-unknown-linux-gnu",
    tools: Tools::Debian("s390x-linux-gnu", "s390x"),
    emulator: "qemu-s390x",
    traced: "max",
};

pub(super) static ARMEB: Machine = Machine {
    title: "AArch32, big endian",
    target: "armeb-unknown-linux-musleabi",
    tools: Tools::Zig,
    emulator: "qemu-armeb",
    traced: "max",
};

pub(super) static AARCH64_BE: Machine = Machine {
    title: "AArch64, big endian",
    target: "aarch64_be-unknown-linux-musl",
    tools: Tools::Zig,
    emulator: "qemu-aarch64_be",
    traced: "max,sve=off,sme=off",
};

/// What runs on this machine too, without an emulator.
pub(super) const X86_32: &str = "i686-unknown-linux-gnu";

/// Those with engines of their own that Debian's compilers are for.
pub(super) const ARM: [&Machine; 2] = [&AARCH64, &AARCH32];

/// Where programs for them are built.
pub(super) const FOLDER: (&str, &str) = ("CARGO_TARGET_DIR", "target/emulated");

impl Machine {
    /// Installs what building for it and running on it takes.
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        tool(self.emulator, &["qemu-user"])?;
        let Tools::Debian(debian, architecture) = self.tools else {
            return zig::prepare();
        };
        let target = self.target;
        add_target(target).map_err(|error| Failure::NotRun(format!("{target}: {error}")))?;
        let library = format!("libc6-dev-{architecture}-cross");
        let packages = [&*format!("gcc-{debian}"), &library];
        tool(&self.linker(), &packages)?;
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

    /// How Debian's compilers name it, and how its packages do.
    pub(crate) const fn debian(&self) -> Option<(&'static str, &'static str)> {
        match self.tools {
            Tools::Debian(prefix, architecture) => Some((prefix, architecture)),
            Tools::Zig => None,
        }
    }

    /// The program that links for it; of Debian's it compiles C too.
    pub(super) fn linker(&self) -> String {
        match self.tools {
            Tools::Debian(debian, _) => format!("{debian}-gcc"),
            Tools::Zig => zig::linker(),
        }
    }

    /// What cargo and the linker take from the environment, and cargo's arguments.
    pub(super) fn cross(&self) -> Result<Cross, String> {
        let linker = (linker_variable(self.target), self.linker());
        Ok(match self.tools {
            Tools::Debian(..) => (vec![linker], vec!["--target".into(), self.target.into()]),
            Tools::Zig => (
                [linker].into_iter().chain(zig::env(self.target)).collect(),
                zig::arguments(self.target)?,
            ),
        })
    }

    /// The words before a program, on this model of CPU; with a plugin, and its arguments, if there is one.
    pub(crate) fn words(&self, cpu: &str, plugin: &str) -> Vec<String> {
        let mut words = vec![self.emulator, "-cpu", cpu];
        let libraries = match self.tools {
            Tools::Debian(debian, _) => Some(format!("/usr/{debian}")),
            // Programs are static.
            Tools::Zig => None,
        };
        if let Some(folder) = &libraries {
            words.extend(["-L", folder]);
        }
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
        let (cross, target) = self.cross()?;
        let cross = cross.iter().map(|(name, value)| (&**name, &**value));
        let env: Vec<_> = env.iter().copied().chain(cross).chain([FOLDER]).collect();
        let args = ["--release", "--quiet", "--package", "carryless-assure"];
        let target: Vec<_> = target.iter().map(String::as_str).collect();
        let rest = [&["--bin", program], &target[..]].concat();
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

/// The target and libraries for 32-bit x86. Debian's gcc-multilib can't be installed beside the other compilers,
/// what it consists of can.
pub(super) fn multilib() -> Result<(), Failure> {
    let links = || {
        let program = "target/assure/i686";
        let source = root().join("target/assure/empty.c");
        let made = std::fs::create_dir_all(root().join("target/assure"))
            .and_then(|()| std::fs::write(&source, "int main(void) { return 0; }\n"));
        let source = source.to_string_lossy();
        made.is_ok()
            && succeeds("cc", &["-m32", "-o", program, &source])
            && succeeds(&root().join(program).to_string_lossy(), &[])
    };
    add_target(X86_32).map_err(|error| Failure::NotRun(format!("{X86_32}: {error}")))?;
    tool("cc", &["gcc"])?;
    if links() {
        return Ok(());
    }
    let version = output("cc", &["-dumpversion"])?;
    let version = version.trim().split('.').next().unwrap_or_default();
    let packages = ["libc6-dev-i386", &format!("lib32gcc-{version}-dev")];
    if install(&packages) && links() {
        return Ok(());
    }
    Err(Failure::NotRun(format!(
        "32-bit x86 programs do not link or run: apt-get install {}",
        packages.join(" ")
    )))
}
