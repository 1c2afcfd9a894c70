//! Bytes of machine code.

use core::fmt;
use std::collections::BTreeMap;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};

use super::entry_name;

/// Those of an object file.
pub(super) struct Bytes {
    /// Of each entry point.
    pub(super) entries: BTreeMap<String, u64>,
    /// Of all code.
    pub(super) total: u64,
}

impl Bytes {
    /// Those of this object file.
    pub(super) fn of(object: &[u8]) -> Result<Self, String> {
        let entry = |(symbol, bytes): (String, u64)| Some((entry_name(&symbol)?, bytes));
        let entries = of_symbols(object)?.into_iter().filter_map(entry).collect();
        let file = parse(object)?;
        let code = file
            .sections()
            .filter(|section| section.kind() == SectionKind::Text);
        Ok(Self {
            entries,
            total: code.map(|section| section.size()).sum(),
        })
    }

    /// Those of entry points alone.
    pub(super) fn of_entries_alone(entries: impl Iterator<Item = (String, u64)>) -> Self {
        let entries: BTreeMap<String, u64> = entries.collect();
        Self {
            total: entries.values().sum(),
            entries,
        }
    }

    /// Those of all entry points.
    pub(super) fn of_entries(&self) -> u64 {
        self.entries.values().sum()
    }

    /// Those of each engine, by its token.
    pub(super) fn by_engine(&self) -> Vec<(u64, &str)> {
        self.by_word(0)
    }

    /// The sum for each word at this place of the names, largest first.
    fn by_word(&self, place: usize) -> Vec<(u64, &str)> {
        let mut sums = BTreeMap::<&str, u64>::new();
        for (name, bytes) in &self.entries {
            if let Some(word) = name.split(' ').nth(place) {
                *sums.entry(word).or_default() += bytes;
            }
        }
        let mut sums: Vec<_> = sums.into_iter().map(|(word, sum)| (sum, word)).collect();
        sums.sort_unstable_by(|a, b| b.cmp(a));
        sums
    }
}

fn parse(object: &[u8]) -> Result<object::File<'_>, String> {
    object::File::parse(object).map_err(|error| format!("object file: {error}"))
}

/// Those of each function in an object file, by its symbol.
pub(super) fn of_symbols(object: &[u8]) -> Result<BTreeMap<String, u64>, String> {
    let file = parse(object)?;
    let function = |symbol: object::Symbol<'_, '_>| {
        let name = symbol.name().ok()?.to_owned();
        (symbol.kind() == SymbolKind::Text).then_some((name, symbol.size()))
    };
    Ok(file.symbols().filter_map(function).collect())
}

/// A table for each way to add them up.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, what: &str, bytes: u64| {
            writeln!(f, "| {what} | {bytes} |")
        };
        writeln!(f, "| entry point | bytes |\n|---|---:|")?;
        for (name, bytes) in &self.entries {
            row(f, name, *bytes)?;
        }
        for (what, place) in [("engine", 0), ("kind of entry", 1)] {
            writeln!(f, "\n| {what} | bytes |\n|---|---:|")?;
            for (bytes, word) in self.by_word(place) {
                row(f, word, bytes)?;
            }
        }
        writeln!(f, "\n| in all | bytes |\n|---|---:|")?;
        row(f, "entry points", self.of_entries())?;
        row(f, "the library", self.total)
    }
}
