//! T4: which instructions the secrets meet (docs/constant-time.md).
//!
//! T1 and T2 see where a program goes, not how long an instruction takes. So every instruction of the
//! kernels' entry points, of the portable code and of the modes must be one whose kind stands in
//! `xtask/assure/instructions.toml`, all of which take a time that does not depend on their operands
//! on the CPUs we know. Which operands are secret this check does not ask: whether a conditional jump
//! or an indexed load is fed by one is what T1 and T2 tell.

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use super::evidence::{Evidence, Failure, Faults, Verdict};
use crate::asm;
use crate::run::root;

/// Kinds of instructions by group of functions.
type Kinds = BTreeMap<String, BTreeSet<String>>;

/// Beginnings of mnemonics that no list may hold, and why.
const FORBIDDEN: [(&str, &str); 12] = [
    ("div", "its time depends on the operands"),
    ("idiv", "its time depends on the operands"),
    ("vdiv", "its time depends on the operands"),
    ("pextl", "a loop of microcode on AMD before Zen 3"),
    ("pextq", "a loop of microcode on AMD before Zen 3"),
    ("pdep", "a loop of microcode on AMD before Zen 3"),
    (
        "vpgather",
        "a load for each element, at an address made of it",
    ),
    (
        "vgather",
        "a load for each element, at an address made of it",
    ),
    (
        "vpscatter",
        "a store for each element, at an address made of it",
    ),
    (
        "vscatter",
        "a store for each element, at an address made of it",
    ),
    ("repe", "it stops at the first difference"),
    ("repne", "it stops at the first match"),
];

/// Vector arithmetic with carries, which a hash over GF(2) has none of: the linearity that P1 rests
/// on would be broken.
const CARRIES: [&str; 3] = ["padd", "psub", "pmul"];

/// Checks every function against the committed list.
pub(super) fn t4() -> Verdict {
    if !cfg!(target_arch = "x86_64") {
        return Err(Failure::NotRun("the list is that of x86-64".into()));
    }
    let (library, modes) = assembly()?;
    let allowed = allowed()?;
    let found = Found::of(&[&library, &modes]);
    let faults = found.differences(&allowed);
    if !faults.is_empty() {
        return Err(Failure::Failed(format!(
            "{}\nif their time does not depend on operands: cargo xtask asm --update",
            faults.join("\n")
        )));
    }
    let mut evidence = Evidence {
        engines: found.engines.clone(),
        ..Evidence::default()
    };
    for (group, (functions, instructions)) in &found.counts {
        let kinds = found.kinds.get(group).map_or(0, BTreeSet::len);
        evidence.lines.push(format!(
            "{group}: {functions} functions, {instructions} instructions of {kinds} kinds, all allowed"
        ));
    }
    for (entry, kinds) in &found.hashes {
        let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
        let kinds = kinds.join(" ");
        evidence
            .lines
            .push(format!("{entry}, which holds the reduction of P1: {kinds}"));
    }
    evidence.controls = controls(&modes, &library, &allowed)?;
    Ok(evidence)
}

/// Writes the list from the functions as they are; what is forbidden stays so.
pub(crate) fn update() -> Result<(), String> {
    let (library, modes) = assembly()?;
    let mut text = String::from(
        "# Kinds of instructions in the functions that see secrets, as `cargo xtask asm --update` found\n\
         # them; a new one is to be looked up before it is committed. `cargo xtask assure T4` fails on any\n\
         # other. Times: uops.info, and Intel's and Arm's lists of instructions whose time does not depend\n\
         # on data. What may never stand here is in xtask/src/assure/instructions.rs.\n",
    );
    for (group, kinds) in Found::of(&[&library, &modes]).kinds {
        let _ = write!(text, "\n[{group}]\n");
        for kind in kinds {
            let _ = writeln!(text, "{kind} = true");
        }
    }
    fs::write(path(), text).map_err(|error| format!("{}: {error}", path().display()))
}

fn path() -> PathBuf {
    root().join("xtask/assure/instructions.toml")
}

/// The library's, and that of the modes as a program has them.
pub(super) fn assembly() -> Result<(String, String), String> {
    let modes = asm::assembly_of("carryless-assure", "ct", &["--bin", "ct"], "release")?;
    Ok((asm::assembly(&["--features", "hazmat"], "release")?, modes))
}

fn allowed() -> Result<Kinds, String> {
    let text =
        fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))?;
    let mut kinds = Kinds::new();
    let mut group = String::new();
    for line in text.lines() {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            name.clone_into(&mut group);
        } else if let Some(kind) = line.strip_suffix(" = true") {
            kinds
                .entry(group.clone())
                .or_default()
                .insert(kind.to_owned());
        }
    }
    Ok(kinds)
}

/// How the names of the entry points end that hash and do nothing else.
const HASHES: [&str; 3] = [" powers", " absorb", " shift"];

/// What the functions that see secrets are made of.
#[derive(Default)]
struct Found {
    kinds: Kinds,
    /// Functions and instructions of each group.
    counts: BTreeMap<String, (usize, usize)>,
    engines: BTreeSet<String>,
    /// Vector instructions of [`HASHES`].
    hashes: Kinds,
}

impl Found {
    fn of(assemblies: &[&str]) -> Self {
        let mut found = Self::default();
        for (symbol, instructions) in assemblies.iter().flat_map(|text| asm::functions(text)) {
            if let Some(group) = group(symbol) {
                found.engines.extend(engine(symbol));
                found.add(symbol, group, &instructions);
            }
        }
        found
    }

    fn add(&mut self, symbol: &str, group: String, instructions: &[&str]) {
        let kinds = instructions.iter().map(|line| kind(line));
        let counts = self.counts.entry(group.clone()).or_default();
        counts.0 += 1;
        counts.1 += instructions.len();
        self.kinds.entry(group).or_default().extend(kinds);
        let hashes = |entry: &String| HASHES.iter().any(|name| entry.ends_with(name));
        if let Some(entry) = asm::entry_name(symbol).filter(hashes) {
            let vectors = instructions.iter().filter(|line| line.contains("mm"));
            let hashes = self.hashes.entry(entry.to_lowercase()).or_default();
            hashes.extend(vectors.map(|line| kind(line)));
        }
    }

    /// What is not allowed, and what is and has gone.
    fn differences(&self, allowed: &Kinds) -> Vec<String> {
        let gone = allowed
            .keys()
            .filter(|group| !self.kinds.contains_key(*group));
        let gone = gone.map(|group| format!("{group}: in the list, but not there"));
        self.faults(allowed).into_iter().chain(gone).collect()
    }

    /// What is not allowed.
    fn faults(&self, allowed: &Kinds) -> Vec<String> {
        let mut faults = Vec::new();
        for (group, kinds) in &self.kinds {
            for kind in kinds {
                let forbidden = FORBIDDEN.iter().find(|(start, _)| kind.starts_with(start));
                if let Some((_, why)) = forbidden {
                    faults.push(format!("{group}: `{kind}` is forbidden: {why}"));
                } else if !allowed.get(group).is_some_and(|kinds| kinds.contains(kind)) {
                    faults.push(format!("{group}: `{kind}` is not in the list"));
                }
            }
        }
        for (entry, kinds) in &self.hashes {
            for kind in kinds
                .iter()
                .filter(|kind| CARRIES.iter().any(|c| kind.contains(c)))
            {
                faults.push(format!(
                    "{entry}: `{kind}` in a hash: it is not linear over GF(2)"
                ));
            }
        }
        faults
    }
}

/// The mnemonic, with what stands before it (`rep;stosq`).
fn kind(instruction: &str) -> String {
    let end = instruction.find('\t').unwrap_or(instruction.len());
    instruction[..end].trim().replace(';', "-")
}

/// The group of a function that sees secrets: an engine with entry points, the portable code of all
/// portable engines, or the modes.
fn group(symbol: &str) -> Option<String> {
    if let Some(entry) = asm::entry_name(symbol) {
        return Some(entry.split(' ').next()?.to_lowercase());
    }
    let has = |part: &str| symbol.contains(part);
    if has("carryless4soft") || has("carryless..soft") || has("6engine4soft") {
        Some("portable".into())
    } else if has("carryless4mode") || has("carryless..mode") || has("AeadKeys") || has("Calls") {
        Some("modes".into())
    } else {
        None
    }
}

/// The engine that a function belongs to, if one: `soft64:words` for the type `Soft64Words`.
fn engine(symbol: &str) -> Option<String> {
    if let Some(entry) = asm::entry_name(symbol) {
        return Some(entry.split(' ').next()?.to_lowercase());
    }
    let (_, token) = symbol
        .split_once("6engine4soft")?
        .1
        .split_once("for$u20$carryless..soft..")?;
    let token = token.split("$GT$").next()?;
    let mut name = String::new();
    for letter in token.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push(':');
        }
        name.push(letter.to_ascii_lowercase());
    }
    Some(name)
}

/// The seeded faults: a real division, compiled into `ct`, and instructions put into real functions.
fn controls(modes: &str, library: &str, allowed: &Kinds) -> Result<Vec<String>, Failure> {
    let mut caught = Vec::new();
    let mut unnoticed = Faults::default();
    let mut refuse = |what: &str, faults: Vec<String>| {
        let fault = faults.first();
        let fault = fault.ok_or_else(|| format!("the control went unnoticed: {what}"));
        let noticed = unnoticed.keep(fault);
        caught.extend(noticed.map(|fault| format!("{what}: caught: {fault}")));
    };
    let mut division = Found::default();
    for (symbol, instructions) in asm::functions(modes) {
        if symbol.contains("controls9remainder") {
            division.add(symbol, "portable".into(), &instructions);
        }
    }
    refuse(
        "a function that divides by a secret",
        division.faults(allowed),
    );
    for (what, before, seeded) in [
        ("pext in a kernel", "\taesenc\t", "pextq\t%rax, %rcx, %rdx"),
        (
            "a gather in a kernel",
            "\taesenc\t",
            "vpgatherdd\t%ymm0, (%rax,%ymm1), %ymm2",
        ),
        ("an instruction nobody looked up", "\taesenc\t", "fsin"),
        (
            "an addition in a hash",
            "\tpclmulqdq\t",
            "paddd\t%xmm0, %xmm1",
        ),
    ] {
        let faulty = library.replace(before, &format!("\t{seeded}\n{before}"));
        refuse(what, Found::of(&[&faulty]).faults(allowed));
    }
    unnoticed.none().map(|()| caught)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(groups: &[(&str, &[&str])]) -> Kinds {
        let of = |kinds: &[&str]| kinds.iter().copied().map(String::from).collect();
        let group = |(name, kinds): &(&str, &[&str])| ((*name).to_owned(), of(kinds));
        groups.iter().map(group).collect()
    }

    /// Two engines with a kind that is not allowed, one without a list, a list without an engine.
    #[test]
    fn every_engine_with_a_fault_is_named() {
        let allowed = kinds(&[
            ("avx", &["vpxor"]),
            ("aesni", &["pxor"]),
            ("gone", &["pxor"]),
        ]);
        let found = Found {
            kinds: kinds(&[
                ("avx", &["vpxor", "fsin"]),
                ("aesni", &["pxor", "divq"]),
                ("vaes256", &["vpxor"]),
            ]),
            ..Found::default()
        };
        let faults = found.differences(&allowed);
        for expected in [
            "avx: `fsin` is not in the list",
            "aesni: `divq` is forbidden: its time depends on the operands",
            "vaes256: `vpxor` is not in the list",
            "gone: in the list, but not there",
        ] {
            assert!(faults.iter().any(|fault| fault == expected), "{faults:?}");
        }
        assert_eq!(faults.len(), 4, "{faults:?}");
    }

    #[test]
    fn every_control_that_goes_unnoticed_is_named() {
        let Err(Failure::Failed(all)) = controls("", "", &Kinds::new()) else {
            panic!("there is nothing to notice");
        };
        for what in [
            "divides by a secret",
            "pext",
            "gather",
            "nobody looked up",
            "addition",
        ] {
            assert!(all.contains(what), "{all}");
        }
    }
}
