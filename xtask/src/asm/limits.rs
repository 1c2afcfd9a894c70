//! `asm.toml`: the counts, bytes and memory that are committed.

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use super::bytes::Bytes;
use super::counts::Counts;
use super::{Architecture, Found};
use crate::run::{Outcome, root};

/// What is committed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    /// The compiler that it was found with.
    compiler: String,
    /// The most bytes of all entries of an engine, by its token: set by hand.
    budgets: BTreeMap<String, u64>,
    x86_64: Table,
    aarch64: Table,
    /// Bytes of each function that is no entry point.
    functions: BTreeMap<String, u64>,
}

/// What is committed for an architecture.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The compiler's peak, in MiB.
    memory: u64,
    /// Bytes of all code.
    bytes: u64,
    entries: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    bytes: u64,
    stack_stores: usize,
    aes: usize,
    clmul: usize,
}

/// Compilers differ a little: so many stack stores more than committed are no fault, but an entry
/// point without any stays so.
const fn allowed(committed: usize) -> usize {
    if committed == 0 { 0 } else { committed + 6 }
}

fn path() -> PathBuf {
    root().join("asm.toml")
}

impl Limits {
    pub(super) fn read() -> Result<Self, String> {
        let text = fs::read_to_string(path()).map_err(|error| format!("asm.toml: {error}"))?;
        toml::from_str(&text).map_err(|error| format!("asm.toml: {error}"))
    }

    /// These counts, and nothing else.
    pub(super) fn of(architecture: Architecture, entries: BTreeMap<String, Counts>) -> Self {
        let entry = |(name, counts): (String, Counts)| {
            let Counts {
                stack_stores,
                aes,
                clmul,
                ..
            } = counts;
            (
                name,
                Entry {
                    bytes: 0,
                    stack_stores,
                    aes,
                    clmul,
                },
            )
        };
        let table = Table {
            entries: entries.into_iter().map(entry).collect(),
            ..Table::default()
        };
        let (x86_64, aarch64) = match architecture {
            Architecture::X86_64 => (table, Table::default()),
            Architecture::Aarch64 => (Table::default(), table),
        };
        Self {
            compiler: String::new(),
            budgets: BTreeMap::new(),
            x86_64,
            aarch64,
            functions: BTreeMap::new(),
        }
    }

    fn table(&self, architecture: Architecture) -> &Table {
        match architecture {
            Architecture::Aarch64 => &self.aarch64,
            Architecture::X86_64 => &self.x86_64,
        }
    }

    /// Budgets of engines that no build has.
    pub(super) fn budgets_of_none(&self, engines: &BTreeSet<String>) -> Vec<String> {
        let none = |engine: &&String| !engines.contains(*engine);
        let fault = |engine: &String| format!("  a budget for {engine}, which has no entry point");
        self.budgets.keys().filter(none).map(fault).collect()
    }

    /// What is more, or other, than committed.
    pub(super) fn faults(&self, found: &Found, compiler: &str) -> Vec<String> {
        let table = self.table(found.architecture);
        let mut faults = table.differences(&found.entries);
        let most = |bytes: u64| self.most(bytes, compiler);
        let mut more = |what: &str, unit: &str, found: u64, most: u64| {
            faults.extend(over(what, unit, found, most));
        };
        for (name, bytes) in &found.bytes.entries {
            if let Some(limit) = table.entries.get(name) {
                more(name, "bytes", *bytes, most(limit.bytes));
            }
        }
        more("the library", "bytes", found.bytes.total, most(table.bytes));
        // How much it takes differs from run to run.
        let memory = table.memory + table.memory / 10;
        more(
            "the compiler",
            "MiB of memory",
            found.memory.unwrap_or_default(),
            memory,
        );
        faults.extend(self.over_budget(&found.bytes));
        faults
    }

    /// The same of functions that are no entry points.
    pub(super) fn faults_of_functions(&self, found: &Bytes, compiler: &str) -> Vec<String> {
        let mut faults = self.over_budget(found);
        for (name, bytes) in &found.entries {
            faults.extend(match self.functions.get(name) {
                Some(limit) => over(name, "bytes", *bytes, self.most(*limit, compiler)),
                None => Some(format!("  {name}: not in asm.toml")),
            });
        }
        let gone = |name: &&String| !found.entries.contains_key(*name);
        let gone = self.functions.keys().filter(gone);
        faults.extend(gone.map(|name| format!("  {name}: in asm.toml, but not there")));
        faults
    }

    /// So many bytes; of another compiler than the committed one a twentieth more.
    fn most(&self, bytes: u64, compiler: &str) -> u64 {
        if self.compiler == compiler {
            bytes
        } else {
            bytes + bytes / 20
        }
    }

    /// Engines that have more bytes than their budgets.
    fn over_budget(&self, bytes: &Bytes) -> Vec<String> {
        let over = |(bytes, engine): (u64, &str)| {
            let budget = *self.budgets.get(engine)?;
            over(engine, "bytes", bytes, budget)
        };
        bytes.by_engine().into_iter().filter_map(over).collect()
    }

    /// Counts that differ.
    pub(super) fn differences(
        &self,
        architecture: Architecture,
        entries: &BTreeMap<String, Counts>,
    ) -> Vec<String> {
        self.table(architecture).differences(entries)
    }
}

/// The fault that there is more of something than the most that is allowed.
fn over(what: &str, unit: &str, found: u64, most: u64) -> Option<String> {
    (found > most).then(|| format!("  {what}: {found} {unit}, at most {most} are allowed"))
}

impl Table {
    /// Counts that differ.
    fn differences(&self, entries: &BTreeMap<String, Counts>) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, counts) in entries {
            let Some(limit) = self.entries.get(name) else {
                faults.push(format!("  {name}: not in asm.toml"));
                continue;
            };
            if counts.stack_stores > allowed(limit.stack_stores) {
                faults.push(format!(
                    "  {name}: {} vector stores to the stack, at most {} are allowed",
                    counts.stack_stores,
                    allowed(limit.stack_stores)
                ));
            }
            if counts.aes != limit.aes {
                faults.push(format!(
                    "  {name}: {} AES instructions, {} expected",
                    counts.aes, limit.aes
                ));
            }
            if counts.clmul > limit.clmul + limit.clmul / 8 {
                faults.push(format!(
                    "  {name}: {} carry-less multiplies, {} expected",
                    counts.clmul, limit.clmul
                ));
            }
        }
        for name in self
            .entries
            .keys()
            .filter(|name| !entries.contains_key(*name))
        {
            faults.push(format!("  {name}: in asm.toml, but not there"));
        }
        faults
    }
}

/// Whether more bytes of an entry, of another function, of all code, and more memory are faults, and what is committed is none.
pub(super) fn control() -> bool {
    let name = || "Avx one".to_owned();
    let found = |entry, total, memory| Found {
        architecture: Architecture::X86_64,
        entries: BTreeMap::from([(name(), Counts::default())]),
        bytes: Bytes {
            entries: BTreeMap::from([(name(), entry)]),
            total,
        },
        memory: Some(memory),
    };
    let mut limits = Limits::of(
        Architecture::X86_64,
        BTreeMap::from([(name(), Counts::default())]),
    );
    (limits.x86_64.bytes, limits.x86_64.memory) = (1000, 100);
    limits
        .x86_64
        .entries
        .values_mut()
        .for_each(|entry| entry.bytes = 100);
    let mut tight = Limits::of(
        Architecture::X86_64,
        BTreeMap::from([(name(), Counts::default())]),
    );
    tight.budgets.insert("Avx".into(), 99);
    limits.functions.insert(name(), 100);
    let caught = |found: &Found| !limits.faults(found, "").is_empty();
    let of_function = |name: &str, bytes| {
        let found = Bytes::of_entries_alone([(name.to_owned(), bytes)].into_iter());
        limits.faults_of_functions(&found, "").len()
    };
    !tight.faults(&found(100, 0, 0), "").is_empty()
        && !tight.budgets_of_none(&BTreeSet::new()).is_empty()
        && tight
            .budgets_of_none(&BTreeSet::from(["Avx".into()]))
            .is_empty()
        && [
            found(101, 1000, 100),
            found(100, 1001, 100),
            found(100, 1000, 111),
        ]
        .iter()
        .all(caught)
        && !caught(&found(100, 1000, 100))
        && of_function("Avx one", 100) == 0
        && of_function("Avx one", 101) == 1
        // The one that is there, and the one that is not.
        && of_function("Avx two", 100) == 2
}

/// Writes what was found; the memory as it was if the compiler had nothing to do.
pub(super) fn write(found: &[Found], functions: &Bytes, compiler: &str) -> Outcome {
    // Without them budgets would be lost.
    let before = path().exists().then(Limits::read).transpose()?;
    let mut text = format!(
        "# Bytes, vector stores to the stack, AES and carry-less multiply instructions of each entry point of the\n\
         # kernels, bytes of the functions of engines without them (in assembly, of `neon` and of LEA) and of all code of the\n\
         # library, and the compiler's peak memory in MiB with one codegen unit, as `cargo xtask asm --update` found\n\
         # them. `cargo xtask asm` fails if there is more of anything, other counts, or any call in an entry point or in\n\
         # assembly. What an engine may have in all is set by hand.\n\n\
         compiler = \"{compiler}\"\n\n[budgets]\n"
    );
    for (engine, bytes) in before.iter().flat_map(|limits| &limits.budgets) {
        let _ = writeln!(text, "{engine} = {bytes}");
    }
    for found in found {
        let name = found.architecture.name();
        let memory = before
            .as_ref()
            .map_or(0, |limits| limits.table(found.architecture).memory);
        let _ = write!(
            text,
            "\n[{name}]\nmemory = {}\nbytes = {}\n\n[{name}.entries]\n",
            found.memory.unwrap_or(memory),
            found.bytes.total
        );
        for (name, counts) in &found.entries {
            let Counts {
                stack_stores,
                aes,
                clmul,
                ..
            } = counts;
            let bytes = found.bytes.entries.get(name).copied().unwrap_or_default();
            let _ = writeln!(
                text,
                "\"{name}\" = {{ bytes = {bytes}, stack_stores = {stack_stores}, aes = {aes}, clmul = {clmul} }}"
            );
        }
    }
    text += "\n[functions]\n";
    for (name, bytes) in &functions.entries {
        let _ = writeln!(text, "\"{name}\" = {bytes}");
    }
    fs::write(path(), text).map_err(|error| format!("asm.toml: {error}"))
}
