//! T4: which instructions the secrets meet (docs/constant-time.md).
//!
//! T1 and T2 see where a program goes, not how long an instruction takes. So every instruction of the
//! kernels' entry points, of the portable code and of the modes must be one whose kind stands in
//! `xtask/assure/instructions.toml`, all of which take a time that does not depend on their operands
//! on the CPUs we know. Which operands are secret this check does not ask: whether a conditional jump
//! or an indexed load is fed by one is what T1 and T2 tell. For AArch64 and AArch32 the library is built here,
//! with the kernels and the assembly of their engines; of the modes a program for x86-64 has the code.

mod rules;

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use self::rules::{AARCH32, AARCH64, Rules, X86_64};
use super::evidence::{Evidence, Failure, Faults, Verdict};
use super::programs;
use crate::asm;
use crate::run::{output, root};

/// Kinds of instructions by group of functions.
type Kinds = BTreeMap<String, BTreeSet<String>>;

/// Checks every function against the committed list.
pub(super) fn t4() -> Verdict {
    if !cfg!(target_arch = "x86_64") {
        return Err(Failure::NotRun("the list is that of x86-64".into()));
    }
    let code = Code::build()?;
    let allowed = allowed()?;
    let found = code.found();
    let faults = differences(&found, &allowed);
    if !faults.is_empty() {
        return Err(Failure::Failed(format!(
            "{}\nif their time does not depend on operands: cargo xtask asm --update",
            faults.join("\n")
        )));
    }
    let mut evidence = Evidence::default();
    for found in found {
        found.tell(&mut evidence);
    }
    evidence.controls = controls(&code, &allowed)?;
    Ok(evidence)
}

/// Writes the list from the functions as they are; what is forbidden stays so.
pub(crate) fn update() -> Result<(), String> {
    let found = Code::build()?.found();
    let mut text = String::from(
        "# Kinds of instructions in the functions that see secrets, as `cargo xtask asm --update` found\n\
         # them; a new one is to be looked up before it is committed. `cargo xtask assure T4` fails on any\n\
         # other. Times: uops.info, and Intel's and Arm's lists of instructions whose time does not depend\n\
         # on data. What may never stand here is in xtask/src/assure/instructions/rules.rs.\n",
    );
    for (group, kinds) in found.into_iter().flat_map(|found| found.kinds) {
        let _ = write!(text, "\n[{group}]\n");
        for kind in kinds {
            let quotes = if kind.contains('.') { "\"" } else { "" };
            let _ = writeln!(text, "{quotes}{kind}{quotes} = true");
        }
    }
    fs::write(path(), text).map_err(|error| format!("{}: {error}", path().display()))
}

fn path() -> PathBuf {
    root().join("xtask/assure/instructions.toml")
}

/// Assembly of functions that see secrets.
pub(super) struct Code {
    pub(super) library: String,
    /// As a program has them.
    pub(super) modes: String,
    pub(super) aarch64: String,
    /// Of AArch32, for which much is written in assembly: from its object.
    pub(super) aarch32: String,
}

impl Code {
    /// As compilers write it.
    pub(super) fn build() -> Result<Self, Failure> {
        Ok(Self {
            library: asm::text(&asm::library(None, None)?)?,
            modes: asm::of_modes()?,
            aarch64: asm::text(&asm::library(Some(asm::AARCH64), None)?)?,
            aarch32: disassembly()?,
        })
    }

    /// What the functions of each architecture are made of.
    fn found(&self) -> Vec<Found> {
        vec![
            Found::of(&X86_64, &[&self.library, &self.modes]),
            Found::of(&AARCH64, &[&self.aarch64]),
            Found::of(&AARCH32, &[&self.aarch32]),
        ]
    }
}

/// The library for AArch32, of whose assembly the compiler writes no instructions: its object, in the form of the others.
fn disassembly() -> Result<String, Failure> {
    const OBJDUMP: &str = "arm-linux-gnueabihf-objdump";
    programs::tool(OBJDUMP, &["binutils-arm-linux-gnueabihf"])?;
    let object = asm::library(Some(asm::AARCH32), None)?.with_extension("o");
    let printed = output(
        OBJDUMP,
        &["-dr", "--no-show-raw-insn", &object.to_string_lossy()],
    )?;
    Ok(as_assembly(&printed))
}

/// What objdump prints, as a compiler writes it.
pub(super) fn as_assembly(printed: &str) -> String {
    let mut text = String::new();
    for line in printed.lines() {
        let symbol = line
            .strip_suffix(">:")
            .and_then(|line| line.split_once(" <"));
        if let Some((_, symbol)) = symbol {
            let _ = writeln!(text, "{symbol}:");
        } else if let Some((_, target)) = line.split_once(": R_ARM_CALL\t") {
            // What a call before it calls.
            let _ = writeln!(text, "\tbl\t{target}");
        } else if let Some((_, target)) = line.split_once(": R_ARM_JUMP24\t") {
            // The same in a function's last place, or where a condition holds.
            let _ = writeln!(text, "\tb\t{target}");
        } else if let Some((_, instruction)) = line.split_once(":\t") {
            let _ = writeln!(text, "\t{instruction}");
        } else if line.is_empty() {
            text.push_str(".Lfunc_end\n");
        }
    }
    text + ".Lfunc_end\n"
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
                .insert(kind.trim_matches('"').to_owned());
        }
    }
    Ok(kinds)
}

/// How the names of the entry points end that hash and do nothing else.
const HASHES: [&str; 6] = [" powers", " absorb", " shift", " ghash", " hash", " power"];

/// What the functions of an architecture that see secrets are made of.
struct Found {
    rules: &'static Rules,
    kinds: Kinds,
    /// Functions and instructions of each group.
    counts: BTreeMap<String, (usize, usize)>,
    engines: BTreeSet<String>,
    /// Vector instructions of [`HASHES`].
    hashes: Kinds,
}

impl Found {
    const fn new(rules: &'static Rules) -> Self {
        Self {
            rules,
            kinds: Kinds::new(),
            counts: BTreeMap::new(),
            engines: BTreeSet::new(),
            hashes: Kinds::new(),
        }
    }

    fn of(rules: &'static Rules, assemblies: &[&str]) -> Self {
        let mut found = Self::new(rules);
        for (symbol, instructions) in assemblies.iter().flat_map(|text| asm::functions(text)) {
            if let Some(group) = group(symbol) {
                found.engines.extend(engine(symbol));
                let group = match &*group {
                    "portable" | "modes" => format!("{}{group}", rules.prefix),
                    _ => group,
                };
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
        if let Some(entry) = entry_name(symbol).filter(hashes) {
            let vectors = instructions
                .iter()
                .filter(|line| (self.rules.on_vectors)(line));
            let hashes = self.hashes.entry(entry.to_lowercase()).or_default();
            hashes.extend(vectors.map(|line| kind(line)));
        }
    }

    /// What is not allowed.
    fn faults(&self, allowed: &Kinds) -> Vec<String> {
        let mut faults = Vec::new();
        for (group, kinds) in &self.kinds {
            for kind in kinds {
                let mut forbidden = self.rules.forbidden.iter();
                let forbidden = forbidden.find(|(start, _)| kind.starts_with(start));
                if let Some((_, why)) = forbidden {
                    faults.push(format!("{group}: `{kind}` is forbidden: {why}"));
                } else if !allowed.get(group).is_some_and(|kinds| kinds.contains(kind)) {
                    faults.push(format!("{group}: `{kind}` is not in the list"));
                }
            }
        }
        for (entry, kinds) in &self.hashes {
            for kind in kinds.iter().filter(|kind| (self.rules.carries)(kind)) {
                faults.push(format!(
                    "{entry}: `{kind}` in a hash: it is not linear over GF(2)"
                ));
            }
        }
        faults
    }

    /// Adds what was found to what is known.
    fn tell(self, evidence: &mut Evidence) {
        for (group, (functions, instructions)) in &self.counts {
            let kinds = self.kinds.get(group).map_or(0, BTreeSet::len);
            evidence.lines.push(format!(
                "{group}: {functions} functions, {instructions} instructions of {kinds} kinds, all allowed"
            ));
        }
        for (entry, kinds) in &self.hashes {
            let kinds = Vec::from_iter(kinds.iter().map(String::as_str)).join(" ");
            let line = format!("{entry}, which holds the reduction of P1: {kinds}");
            evidence.lines.push(line);
        }
        evidence.engines.extend(self.engines);
    }
}

/// What is not allowed, and what is and has gone.
fn differences(found: &[Found], allowed: &Kinds) -> Vec<String> {
    let there = |group: &&String| found.iter().any(|found| found.kinds.contains_key(*group));
    let gone = allowed.keys().filter(|group| !there(group));
    let gone = gone.map(|group| format!("{group}: in the list, but not there"));
    let faults = found.iter().flat_map(|found| found.faults(allowed));
    faults.chain(gone).collect()
}

/// The name of a function of an engine.
fn entry_name(symbol: &str) -> Option<String> {
    asm::entry_name(symbol).or_else(|| asm::function_name(symbol))
}

/// Parts of names of functions that divide, where a CPU has no instruction for it.
const DIVIDING: [&str; 6] = ["idiv", "ldivmod", "__udiv", "__div", "__umod", "__mod"];

/// The mnemonic, with what stands before it (`rep;stosq`).
fn kind(instruction: &str) -> String {
    if DIVIDING.iter().any(|name| instruction.contains(name)) {
        return rules::DIVIDING_CALL.into();
    }
    let end = instruction.find('\t').unwrap_or(instruction.len());
    instruction[..end].trim().replace(';', "-")
}

/// Parts of symbols of modes, of what they call, and of what stands around assembly.
const AROUND: [&str; 10] = [
    "carryless4mode",
    "carryless..mode",
    "AeadKeys",
    "Calls",
    "6engine3arm",
    "6engine5fused",
    "carryless3asm",
    "carryless..asm",
    "20then_overwrite_stack",
    "carryless6secret",
];

/// The group of a function that sees secrets: an engine with entry points, the portable code of all
/// portable engines, or the modes.
fn group(symbol: &str) -> Option<String> {
    if let Some(entry) = entry_name(symbol) {
        return Some(entry.split(' ').next()?.to_lowercase());
    }
    let has = |part: &str| symbol.contains(part);
    if has("carryless4soft") || has("carryless..soft") || has("6engine4soft") {
        Some("portable".into())
    } else if AROUND.iter().any(|part| has(part)) {
        Some("modes".into())
    } else {
        None
    }
}

/// The engine that a function belongs to, if one: `soft64:words` for the type `Soft64Words`. A group for a part of an
/// engine, `avx-modes`, is none.
fn engine(symbol: &str) -> Option<String> {
    if let Some(entry) = entry_name(symbol) {
        let name = entry.split(' ').next()?.to_lowercase();
        return (!name.contains('-')).then_some(name);
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
fn controls(code: &Code, allowed: &Kinds) -> Result<Vec<String>, Failure> {
    let mut caught = Vec::new();
    let mut unnoticed = Faults::default();
    let mut refuse = |what: &str, faults: Vec<String>| {
        let fault = faults.first();
        let fault = fault.ok_or_else(|| format!("the control went unnoticed: {what}"));
        let noticed = unnoticed.keep(fault);
        caught.extend(noticed.map(|fault| format!("{what}: caught: {fault}")));
    };
    let mut division = Found::new(&X86_64);
    for (symbol, instructions) in asm::functions(&code.modes) {
        if symbol.contains("controls9remainder") {
            division.add(symbol, "portable".into(), &instructions);
        }
    }
    refuse(
        "a function that divides by a secret",
        division.faults(allowed),
    );
    for (rules, text) in [
        (&X86_64, &code.library),
        (&AARCH64, &code.aarch64),
        (&AARCH32, &code.aarch32),
    ] {
        for (what, before, seeded) in rules.seeded {
            let faulty = text.replace(before, &format!("\t{seeded}\n{before}"));
            refuse(what, Found::of(rules, &[&faulty]).faults(allowed));
        }
    }
    unnoticed.none().map(|()| caught)
}

#[cfg(test)]
mod tests;
