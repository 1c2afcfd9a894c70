//! `cargo xtask asm`: what the compiler made of the kernels.
//!
//! Each entry point (a function of one engine with its CPU features enabled) must not call anything:
//! an intrinsic that is not inlined becomes a call, and the loop thirty times slower. Its vector
//! stores to the stack, each a secret that nobody wipes or a spill, stay within `asm.toml`; so do
//! the counts of AES and carry-less multiply instructions, which show unrolling gone wrong, its bytes, those of the whole
//! library, and the compiler's memory. Its frame is no larger than what is overwritten after the call (`cpu!` in `simd/token.rs`).
//! On AArch64, for which is built here, AESE and AESMC stand together whichever CPU the build is for (M5 looks at those in
//! the full tier); what is written in assembly for AArch32 is looked at in its object (`assembled`). Functions of engines without
//! entry points, these and those of `neon` (`neon`), have bytes alone, as has LEA where it is generic code (`lea`).

mod assembled;
mod bytes;
mod counts;
mod lea;
mod limits;
pub(crate) mod memory;
mod neon;
mod overwritten;
mod symbols;

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use self::assembled::{TARGET as AARCH32, function_name};
use self::bytes::Bytes;
use self::counts::Counts;
use self::limits::Limits;
use self::overwritten::{Overwritten, forbidden};
pub(crate) use self::symbols::{entry_name, functions, place};
use crate::assure::constant_time::{STATIC_RELEASE, TARGET as X86_64};
use crate::assure::emulator::STATIC;
use crate::assure::instructions;
use crate::builds::{add_target, compiler};
use crate::run::{Outcome, command, exclusive, output_of, root, run};

pub(crate) const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// What the library is built for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Architecture {
    X86_64,
    Aarch64,
}

impl Architecture {
    const ALL: [Self; 2] = [Self::X86_64, Self::Aarch64];

    const fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
        }
    }

    /// The target that cargo is to be told; this machine's is none.
    const fn target(self) -> Option<&'static str> {
        match self {
            Self::X86_64 => None,
            Self::Aarch64 => Some(AARCH64),
        }
    }

    /// CPUs for which users may build, and for which LLVM orders instructions in other ways.
    const fn cpus(self) -> &'static [&'static str] {
        match self {
            Self::X86_64 => &[],
            Self::Aarch64 => &["cortex-a53", "cortex-a72", "neoverse-n1"],
        }
    }
}

/// What the compiler made of the library.
pub(crate) struct Found {
    architecture: Architecture,
    entries: BTreeMap<String, Counts>,
    bytes: Bytes,
    /// The compiler's peak, in MiB; `None` if it had nothing to do, or this system does not tell.
    memory: Option<u64>,
}

/// Checks the entry points against `asm.toml`; `for_each_cpu` those of builds for one CPU as well.
pub(crate) fn check(for_each_cpu: bool) -> Outcome {
    if !supported() {
        return Ok(());
    }
    control()?;
    let (limits, overwritten) = (Limits::read()?, Overwritten::read()?);
    let compiler = compiler()?;
    let (mut faults, mut engines) = (Vec::new(), BTreeSet::new());
    for architecture in Architecture::ALL {
        let found = found(architecture)?;
        let of_build = found.bytes.by_engine().into_iter();
        engines.extend(of_build.map(|(_, engine)| engine.to_owned()));
        faults.extend(limits.faults(&found, &compiler));
        faults.extend(forbidden(&found.entries, &overwritten));
        if found.entries.is_empty() {
            faults.push(format!(
                "  no entry point found for {}",
                architecture.name()
            ));
        }
        for cpu in architecture.cpus().iter().filter(|_| for_each_cpu) {
            let of_cpu = entries_for(architecture, cpu)?;
            if !of_cpu.keys().eq(found.entries.keys()) {
                faults.push(format!("  other entry points, built for {cpu}"));
            }
            let found = forbidden(&of_cpu, &overwritten).into_iter();
            faults.extend(found.map(|fault| format!("{fault}, built for {cpu}")));
        }
        println!("{found}");
    }
    let (functions, further) = functions_alone()?;
    faults.extend(further);
    faults.extend(limits.faults_of_functions(&functions, &compiler));
    let of_functions = functions.by_engine().into_iter();
    engines.extend(of_functions.map(|(_, engine)| engine.to_owned()));
    faults.extend(limits.budgets_of_none(&engines));
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "entry points differ from asm.toml:\n{}\nif that is meant: cargo xtask asm --update",
        faults.join("\n")
    ))
}

/// Writes `asm.toml` from the entry points as they are, and the list of T4.
pub(crate) fn update() -> Outcome {
    if !supported() {
        return Err("the committed counts are made on x86-64".into());
    }
    let overwritten = Overwritten::read()?;
    let mut all = Vec::new();
    for architecture in Architecture::ALL {
        let found = found(architecture)?;
        let faults = forbidden(&found.entries, &overwritten);
        if !faults.is_empty() {
            return Err(faults.join("\n"));
        }
        all.push(found);
    }
    let (functions, faults) = functions_alone()?;
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    limits::write(&all, &functions, &compiler()?)?;
    instructions::update()
}

/// The bytes of functions that are no entry points, of assembly, of `neon` and of LEA, and the faults of the first.
fn functions_alone() -> Result<(Bytes, Vec<String>), String> {
    let (of_assembly, faults) = assembled::look()?;
    println!(
        "asm: AArch32: {} functions of assembly, no calls, {} bytes",
        of_assembly.entries.len(),
        of_assembly.total
    );
    let all = of_assembly.entries.into_iter().chain(neon::look()?);
    let all = all.chain(lea::look()?);
    Ok((Bytes::of_entries_alone(all), faults))
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stores: usize = self
            .entries
            .values()
            .map(|counts| counts.stack_stores)
            .sum();
        write!(
            f,
            "asm: {}: {} entry points, no calls, {stores} vector stores to the stack, {} KiB of the library's {}",
            self.architecture.name(),
            self.entries.len(),
            self.bytes.of_entries() / 1024,
            self.bytes.total / 1024
        )
    }
}

/// `cargo xtask size`: machine code by engine and entry, and what it costs a user, beside the peers.
pub(crate) fn size() -> Outcome {
    for architecture in Architecture::ALL {
        let found = found(architecture)?;
        println!("\n{}:\n", architecture.name());
        print!("{}", found.bytes);
        if let Some(memory) = found.memory {
            println!("the compiler took {memory} MiB");
        }
    }
    let programs = root().join("../shared/bench/size.py");
    if !programs.exists() {
        println!(
            "what a program pays: not measured, as ../shared/bench/size.py is not on this machine"
        );
        return Ok(());
    }
    run("python3", &[&programs.to_string_lossy()])
}

fn supported() -> bool {
    let here = cfg!(target_arch = "x86_64");
    if !here {
        println!("asm: not run: the committed counts are made on x86-64");
    }
    here
}

/// Builds the library, and looks at it.
fn found(architecture: Architecture) -> Result<Found, String> {
    // Others build in the same folder, of which none is to be watched.
    let _lock = exclusive("asm")?;
    let watch = memory::watch("carryless", &root().join("target/asm"));
    let built = library_now(architecture.target(), None);
    let memory = watch.peak();
    let built = built?;
    let object = fs::read(built.with_extension("o"))
        .map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(Found {
        architecture,
        entries: counts::entries(architecture, &text(&built)?),
        bytes: Bytes::of(&object)?,
        memory,
    })
}

/// The counts of the entry points in a build for this CPU.
fn entries_for(architecture: Architecture, cpu: &str) -> Result<BTreeMap<String, Counts>, String> {
    let built = library(architecture.target(), Some(cpu))?;
    Ok(counts::entries(architecture, &text(&built)?))
}

/// Where the assembly of the library is, built for another target than this machine's, or for a CPU.
pub(crate) fn library(target: Option<&str>, cpu: Option<&str>) -> Result<PathBuf, String> {
    let _lock = exclusive("asm")?;
    library_now(target, cpu)
}

/// The same, if nobody else builds there.
fn library_now(target: Option<&str>, cpu: Option<&str>) -> Result<PathBuf, String> {
    // Of SGCM that has assembly of its own, all others what the compiler makes of integers.
    let features = if target == Some(AARCH32) {
        "hazmat,lea,sgcm"
    } else {
        "hazmat,lea"
    };
    let mut further = vec!["--lib", "--features", features];
    let mut folder = "release".to_owned();
    if let Some(target) = target {
        add_target(target)?;
        further.extend(["--target", target]);
        folder = format!("{target}/release");
    }
    built_now("carryless", "carryless", &further, cpu, &folder)
}

/// The assembly of the library, built with further arguments into this folder of the target's.
pub(crate) fn assembly(further: &[&str], folder: &str) -> Result<String, String> {
    let _lock = exclusive("asm")?;
    let further = [&["--lib"], further].concat();
    text(&built_now(
        "carryless",
        "carryless",
        &further,
        None,
        folder,
    )?)
}

/// The assembly of the program `ct`, which has the modes, without that of what it depends on.
pub(crate) fn of_modes() -> Result<String, String> {
    let package = "carryless-assure";
    let further = ["--features", "files", "--bin", "ct", "--target", X86_64];
    let place = root().join(STATIC_RELEASE);
    let mut build = rustc(package, &further, &place);
    // With the library as it is there.
    build.env("RUSTFLAGS", STATIC);
    output_of(build)?;
    text(&newest("ct", &place.join(X86_64).join("release"))?)
}

pub(crate) fn text(file: &PathBuf) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Where the assembly of one crate of a package is, built now, if nobody else builds there. The object lies beside it.
fn built_now(
    package: &str,
    name: &str,
    further: &[&str],
    cpu: Option<&str>,
    folder: &str,
) -> Result<PathBuf, String> {
    // Of builds for several CPUs in one folder the newest need not be the one that is meant.
    let place = root().join("target/asm").join(cpu.unwrap_or_default());
    let mut build = rustc(package, further, &place);
    build.args(cpu.map(|cpu| format!("-Ctarget-cpu={cpu}")));
    output_of(build)?;
    newest(name, &place.join(folder))
}

/// What compiles a crate of a package to assembly and an object, in a folder.
fn rustc(package: &str, further: &[&str], place: &Path) -> Command {
    let mut build = command("cargo", &["rustc", "--quiet", "--release"]);
    build
        .args(["--package", package, "--target-dir"])
        .arg(place);
    build.args(further);
    build.args(["--", "--emit", "asm,obj"]);
    build.args(["-C", "codegen-units=1", "-C", "debuginfo=0"]);
    build
}

/// What the compiler wrote last in a folder of this crate's assembly.
fn newest(name: &str, folder: &Path) -> Result<PathBuf, String> {
    let deps = folder.join("deps");
    let entries = fs::read_dir(&deps).map_err(|error| format!("{}: {error}", deps.display()))?;
    let newest = entries
        .filter_map(Result::ok)
        .filter(|entry| {
            let file = entry.file_name();
            let file = file.to_string_lossy();
            file.starts_with(&format!("{name}-")) && file.ends_with(".s")
        })
        .max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok())
        .ok_or("the compiler left no assembly")?;
    Ok(newest.path())
}

/// The seeded faults that the check must catch: a call, a spill, a frame that is too large, reaches too far
/// below or is aligned, AESMC that another instruction parts from its AESE, and more bytes or memory than committed.
fn control() -> Outcome {
    let clean = "_ZN_$LT$impl$u20$carryless..engine..entries..HashEntries$u20$for$u20$carryless..simd..x86_64..Avx$GT$3one5entry17hE:\n\tvaesenc\t%xmm0, %xmm1, %xmm1\n.Lfunc_end0:\n";
    let call = clean.replace("\tvaesenc", "\tcallq\t_ZN4core9aesenc\n\tvaesenc");
    let spill = clean.replace(
        "\tvaesenc",
        &"\tvmovdqa\t%xmm3, 16(%rsp)\n\tvaesenc".repeat(2),
    );
    let architecture = Architecture::X86_64;
    let limits = Limits::of(architecture, counts::entries(architecture, clean));
    let large = clean.replace("\tvaesenc", "\tsubq\t$249, %rsp\n\tvaesenc");
    let below = clean.replace("\tvaesenc", "\tmovq\t%rax, -249(%rsp)\n\tvaesenc");
    let overwritten = Overwritten::of("Avx, avx_entry, 4: \"avx\" AVX", "");
    let aligned = clean.replace("\tvaesenc", "\tandq\t$-256, %rsp\n\tvaesenc");
    let caught = |text: &str| {
        let found = counts::entries(architecture, text);
        !limits.differences(architecture, &found).is_empty()
            || !forbidden(&found, &overwritten).is_empty()
    };
    let faults = [call, spill, large, below, aligned];
    let all = faults.iter().all(|text| caught(text)) && !caught(clean);
    if all && limits::control() && control_aarch64(clean) {
        Ok(())
    } else {
        Err("the assembly check does not catch its controls".into())
    }
}

/// Those of AArch64, made of the code without a fault of x86-64.
fn control_aarch64(x86_64: &str) -> bool {
    let pair = "\taese v0.16b, v1.16b\n\taesmc v0.16b, v0.16b";
    let clean = x86_64.replace("x86_64..Avx", "aarch64..Armce");
    let clean = clean.replace("\tvaesenc\t%xmm0, %xmm1, %xmm1", pair);
    let before = |text: &str| clean.replace("\taese", &format!("\t{text}\n\taese"));
    let overwritten = Overwritten::of("Armce, armce_entry, 4: \"aes\" AES", "");
    let architecture = Architecture::Aarch64;
    let limits = Limits::of(architecture, counts::entries(architecture, &clean));
    let caught = |text: &str| {
        let found = counts::entries(architecture, text);
        found.len() != 1
            || !limits.differences(architecture, &found).is_empty()
            || !forbidden(&found, &overwritten).is_empty()
    };
    let faults = [
        before("bl\t_ZN4core9aese"),
        before("b\t_ZN4core9aese"),
        before("sub\tsp, sp, #256"),
        before("sub\tsp, sp, #1, lsl #12"),
        before("and\tsp, x9, #0xffffffffffffff00"),
        before(&["stp\tq0, q1, [sp, #32]"; 4].join("\n\t")),
        before("pmull\tv3.1q, v4.1d, v5.1d"),
        before("stp\tx29, x30, [sp, #-256]!"),
        before("str\tq0, [sp, #-256]"),
        clean.replace("\taesmc", "\tnop\n\taesmc"),
        clean.replace("aesmc v0", "aesmc v2"),
    ];
    faults.iter().all(|text| caught(text)) && !caught(&clean)
}
