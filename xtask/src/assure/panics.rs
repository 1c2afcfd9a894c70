//! Which functions of the library hold a panic (M5).
//!
//! A panic in the middle of a message would leave keys on the stack and a text half sealed. None may be
//! reached; that a compiler keeps one is visible in the assembly, as a call of a function of `core` that
//! panics. The modules that may hold one stand in `xtask/assure/panics.toml`, each with the reason why
//! it is not reached; any other fails the check.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::evidence::Failure;
use super::instructions::as_assembly;
use crate::asm;
use crate::run::root;

const LIST: &str = "xtask/assure/panics.toml";

/// Parts of names of functions that panic.
const PANICS: [&str; 5] = [
    "9panicking",
    "13unwrap_failed",
    "13expect_failed",
    "16slice_index_fail",
    "len_mismatch_fail",
];

/// Modules that hold a panic, and the functions in them that do.
type Found = BTreeMap<String, BTreeSet<String>>;

/// Checks the library's functions; what was found, and what noticed the seeded faults.
pub(super) fn check(assemblies: &[&str]) -> Result<(Vec<String>, Vec<String>), Failure> {
    let allowed = allowed()?;
    let (counts, found) = search(assemblies);
    let functions: usize = counts.iter().sum();
    let mut faults = faults(&found, &allowed);
    for module in allowed.keys().filter(|module| !found.contains_key(*module)) {
        faults.push(format!("  {module}: in the list, but holds none"));
    }
    if counts.contains(&0) || !faults.is_empty() {
        return Err(Failure::Failed(format!(
            "{counts:?} functions of the library; panics in modules that {LIST} does not explain:\n{}",
            faults.join("\n")
        )));
    }
    let mut lines = vec![format!(
        "panics: {functions} functions of the library for x86-64, AArch64 and AArch32, and of its modes as `ct` has them, {} of them hold one",
        found.values().map(BTreeSet::len).sum::<usize>()
    )];
    for module in found.keys() {
        let reason = allowed.get(module).map_or("", String::as_str);
        lines.push(format!("panics in {module}, not reached: {reason}"));
    }
    Ok((lines, controls(&allowed)?))
}

/// The seeded faults: a panic as a compiler writes it, and as objdump prints it.
fn controls(allowed: &BTreeMap<String, String>) -> Result<Vec<String>, Failure> {
    let written = "_ZN9carryless6kernel3gcm6seeded17h0123456789abcdefE:\n\
                   \tcallq\t*_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE@GOTPCREL(%rip)\n\
                   .Lfunc_end0:\n";
    let printed = |call: &str| {
        as_assembly(&format!(
            "00000000 <_ZN9carryless6kernel3gcm6seeded17h0123456789abcdefE>:\n   \
             0:\tb\t0 <.text>\n\t\t\t0: {call}\t_RNvNtCs_4core9panicking9panic_fmt\n"
        ))
    };
    let seeded = [
        ("a panic in a kernel", written.to_owned()),
        ("a panic in one of AArch32", printed("R_ARM_CALL")),
        ("a panic there at the end", printed("R_ARM_JUMP24")),
    ];
    let caught = |(what, text): &(&str, String)| {
        let faults = faults(&search(&[text]).1, allowed);
        let fault = faults.first();
        let fault = fault.ok_or_else(|| Failure::Failed(format!("{what} went unnoticed")))?;
        Ok(format!("{what}: caught: {fault}"))
    };
    seeded.iter().map(caught).collect()
}

/// How many functions of the library each has, and the panics in them.
fn search(assemblies: &[&str]) -> (Vec<usize>, Found) {
    let mut found = Found::new();
    let mut counts = Vec::new();
    for assembly in assemblies {
        let mut functions = 0;
        for (symbol, instructions) in asm::functions(assembly) {
            let Some((module, name)) = asm::place(symbol) else {
                continue;
            };
            functions += 1;
            let panics = |line: &&str| PANICS.iter().any(|part| line.contains(part));
            if instructions.iter().any(panics) {
                found.entry(module).or_default().insert(name);
            }
        }
        counts.push(functions);
    }
    (counts, found)
}

fn faults(found: &Found, allowed: &BTreeMap<String, String>) -> Vec<String> {
    let unknown = found
        .iter()
        .filter(|(module, _)| !allowed.contains_key(*module));
    let fault = |(module, names): (&String, &BTreeSet<String>)| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!("  {module}: {}", names.join(" "))
    };
    unknown.map(fault).collect()
}

/// Modules and why their panics are not reached.
fn allowed() -> Result<BTreeMap<String, String>, String> {
    let text = fs::read_to_string(root().join(LIST)).map_err(|error| format!("{LIST}: {error}"))?;
    let line = |line: &str| {
        let (module, reason) = line.split_once(" = ")?;
        Some((
            module.trim_matches('"').into(),
            reason.trim_matches('"').into(),
        ))
    };
    Ok(text.lines().filter_map(line).collect())
}
