//! `cargo xtask asm`: what the compiler made of the kernels.
//!
//! Each entry point (a function of one engine with its CPU features enabled) must not call anything:
//! an intrinsic that is not inlined becomes a call, and the loop thirty times slower. Its vector
//! stores to the stack, each a secret that nobody wipes or a spill, stay within `asm.toml`; so do
//! the counts of AES and carry-less multiply instructions, which show unrolling gone wrong, its bytes, those of the whole
//! library, and the compiler's memory. Its frame is no larger than what is overwritten after the call (`cpu!` in `simd/x86_64`).

mod bytes;
mod counts;
mod limits;
mod memory;
mod overwritten;
mod symbols;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use self::bytes::Bytes;
use self::counts::Counts;
use self::limits::Limits;
use self::overwritten::{Overwritten, forbidden};
pub(crate) use self::symbols::{entry_name, functions};
use crate::assure::instructions;
use crate::run::{Outcome, exclusive, output, root, run};

/// What the compiler made of the library.
pub(crate) struct Found {
    entries: BTreeMap<String, Counts>,
    bytes: Bytes,
    /// The compiler's peak, in MiB; `None` if it had nothing to do, or this system does not tell.
    memory: Option<u64>,
}

/// Checks the entry points against `asm.toml`.
pub(crate) fn check() -> Outcome {
    if !supported() {
        return Ok(());
    }
    control()?;
    let (limits, found) = (Limits::read()?, found()?);
    let mut faults = limits.faults(&found, &compiler()?);
    faults.extend(forbidden(&found.entries, &Overwritten::read()?));
    if found.entries.is_empty() {
        faults.push("  no entry point found".into());
    }
    if !faults.is_empty() {
        return Err(format!(
            "entry points differ from asm.toml:\n{}\nif that is meant: cargo xtask asm --update",
            faults.join("\n")
        ));
    }
    let stores: usize = found
        .entries
        .values()
        .map(|counts| counts.stack_stores)
        .sum();
    println!(
        "asm: {} entry points, no calls, {stores} vector stores to the stack, {} KiB of the library's {}, all within asm.toml",
        found.entries.len(),
        found.bytes.of_entries() / 1024,
        found.bytes.total / 1024
    );
    Ok(())
}

/// Writes `asm.toml` from the entry points as they are, and the list of T4.
pub(crate) fn update() -> Outcome {
    if !supported() {
        return Err("the committed counts are those of x86-64".into());
    }
    let found = found()?;
    let faults = forbidden(&found.entries, &Overwritten::read()?);
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    limits::write(&found, &compiler()?)?;
    instructions::update()
}

/// `cargo xtask size`: machine code by engine and entry, and what it costs a user, beside the peers.
pub(crate) fn size() -> Outcome {
    let found = found()?;
    print!("{}", found.bytes);
    if let Some(memory) = found.memory {
        println!("the compiler took {memory} MiB");
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
        println!("asm: not run: the committed counts are those of x86-64");
    }
    here
}

/// The compiler and its version.
fn compiler() -> Result<String, String> {
    Ok(output("rustc", &["--version"])?.trim().to_owned())
}

/// Builds the library, and looks at it.
fn found() -> Result<Found, String> {
    let watch = memory::watch("carryless");
    let built = built(
        "carryless",
        "carryless",
        &["--lib", "--features", "hazmat"],
        "release",
    );
    let memory = watch.peak();
    let built = built?;
    let object = fs::read(built.with_extension("o"))
        .map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(Found {
        entries: counts::entries(&text(&built)?),
        bytes: Bytes::of(&object)?,
        memory,
    })
}

/// The assembly of the library, built with further arguments into this folder of the target's.
pub(crate) fn assembly(further: &[&str], folder: &str) -> Result<String, String> {
    assembly_of(
        "carryless",
        "carryless",
        &[&["--lib"], further].concat(),
        folder,
    )
}

/// The assembly of one crate of a package, without those below it.
pub(crate) fn assembly_of(
    package: &str,
    name: &str,
    further: &[&str],
    folder: &str,
) -> Result<String, String> {
    text(&built(package, name, further, folder)?)
}

fn text(file: &PathBuf) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Where the assembly of one crate of a package is, built now; the object lies beside it.
fn built(package: &str, name: &str, further: &[&str], folder: &str) -> Result<PathBuf, String> {
    // What the compiler wrote last is read below.
    let _lock = exclusive("asm")?;
    let target = root().join("target/asm");
    let target = target.to_string_lossy().into_owned();
    let args = [
        "rustc",
        "--quiet",
        "--release",
        "--package",
        package,
        "--target-dir",
        &target,
    ];
    let flags = [
        "--",
        "--emit",
        "asm,obj",
        "-C",
        "codegen-units=1",
        "-C",
        "debuginfo=0",
    ];
    output("cargo", &[&args[..], further, &flags[..]].concat())?;
    let deps = root().join("target/asm").join(folder).join("deps");
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
/// below or is aligned, and more bytes or memory than committed.
fn control() -> Outcome {
    let clean = "_ZN_$LT$impl$u20$carryless..engine..entries..HashEntries$u20$for$u20$carryless..simd..x86_64..Avx$GT$3one5entry17hE:\n\tvaesenc\t%xmm0, %xmm1, %xmm1\n.Lfunc_end0:\n";
    let call = clean.replace("\tvaesenc", "\tcallq\t_ZN4core9aesenc\n\tvaesenc");
    let spill = clean.replace(
        "\tvaesenc",
        &"\tvmovdqa\t%xmm3, 16(%rsp)\n\tvaesenc".repeat(2),
    );
    let limits = Limits::of(counts::entries(clean));
    let large = clean.replace("\tvaesenc", "\tsubq\t$249, %rsp\n\tvaesenc");
    let below = clean.replace("\tvaesenc", "\tmovq\t%rax, -249(%rsp)\n\tvaesenc");
    let overwritten = Overwritten::of("Avx, avx_entry, 4: \"avx\" AVX", "");
    let aligned = clean.replace("\tvaesenc", "\tandq\t$-256, %rsp\n\tvaesenc");
    let caught = |text: &str| {
        let found = counts::entries(text);
        !limits.differences(&found).is_empty() || !forbidden(&found, &overwritten).is_empty()
    };
    let faults = [call, spill, large, below, aligned];
    if faults.iter().all(|text| caught(text)) && !caught(clean) && limits::control() {
        Ok(())
    } else {
        Err("the assembly check does not catch its controls".into())
    }
}
