//! The table of docs/engines.md: which engine needs what, and which is chosen. It is what the choice
//! on other CPUs is held against.

use std::collections::BTreeSet;
use std::fs;

use super::programs::Said;
use crate::run::root;

/// A row of the table, which is in the order of preference.
struct Row {
    engine: String,
    needs: Vec<String>,
    /// Whether it is chosen automatically, and whether only where words have 32 bits.
    automatic: bool,
    on_32_bits: bool,
}

/// The documented engines.
pub(super) struct Documented(Vec<Row>);

/// A kind of CPU, as far as the choice goes.
#[derive(Clone)]
pub(super) struct Cpu {
    pub(super) bits: u32,
    /// Features, by the names of the table.
    pub(super) has: BTreeSet<String>,
}

impl Cpu {
    pub(super) fn new<'f>(bits: u32, has: impl IntoIterator<Item = &'f str>) -> Self {
        let has = has.into_iter().map(String::from).collect();
        Self { bits, has }
    }

    /// The same without a feature.
    pub(super) fn without(&self, feature: &str) -> Self {
        let mut cpu = self.clone();
        cpu.has.remove(feature);
        cpu
    }

    /// The table's name of a feature of the library.
    fn documented_name(&self, feature: &str) -> String {
        match feature {
            "aes" if !self.has.contains("AES") => "AES-NI".into(),
            other => other.to_uppercase(),
        }
    }
}

impl Documented {
    /// Reads the first table: its rows that begin with the name of an engine.
    pub(super) fn read() -> Result<Self, String> {
        let path = root().join("docs/engines.md");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let row = |line: &str| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let engine = cells.first()?.strip_prefix('`')?.strip_suffix('`')?;
            let (needs, chosen) = (cells.get(1)?, cells.last()?);
            let needs = needs.split(", ").filter(|need| *need != "nothing");
            Some(Row {
                engine: engine.into(),
                needs: needs.map(String::from).collect(),
                automatic: chosen.starts_with("yes"),
                on_32_bits: chosen.contains("32-bit"),
            })
        };
        let rest = text.lines().skip_while(|line| !line.starts_with('|'));
        let table = rest.take_while(|line| line.starts_with('|'));
        let rows: Vec<Row> = table.filter_map(row).collect();
        if rows.is_empty() {
            return Err("docs/engines.md has no table of engines".into());
        }
        Ok(Self(rows))
    }

    fn runs(&self, cpu: &Cpu) -> Vec<&Row> {
        let can = |row: &&Row| row.needs.iter().all(|need| cpu.has.contains(need));
        self.0.iter().filter(can).collect()
    }

    /// The engine for a CPU: the first that runs; where words have 32 bits, those for it come first.
    pub(super) fn chosen(&self, cpu: &Cpu) -> &str {
        let mut candidates = self.runs(cpu);
        candidates.retain(|row| row.automatic && (cpu.bits == 32 || !row.on_32_bits));
        let first = candidates.iter().find(|row| row.on_32_bits);
        first
            .or(candidates.first())
            .map_or("none", |row| &row.engine)
    }

    /// Names of engines that run on a CPU.
    pub(super) fn available(&self, cpu: &Cpu) -> BTreeSet<&str> {
        self.runs(cpu).iter().map(|row| &*row.engine).collect()
    }

    /// Whether what the test program `cpu` says is what the table says of this CPU; if so, the
    /// engine that it chose.
    pub(super) fn judge(&self, cpu: &Cpu, said: &Said) -> Result<String, String> {
        let chosen = said.value("chosen")?;
        let expected = self.chosen(cpu);
        if chosen != expected {
            return Err(format!("chose {chosen}, expected {expected}"));
        }
        let available: BTreeSet<&str> = said.value("available")?.split(' ').collect();
        let refused = said.value("refused").unwrap_or_default();
        let build: BTreeSet<&str> = refused
            .split_whitespace()
            .chain(available.clone())
            .collect();
        if let Some(name) = build
            .iter()
            .find(|n| !self.0.iter().any(|r| r.engine == **n))
        {
            return Err(format!("docs/engines.md has no row of {name}"));
        }
        let mut expected = self.available(cpu);
        expected.retain(|name| build.contains(name));
        if available != expected {
            return Err(format!("runs {available:?}, expected {expected:?}"));
        }
        for (feature, chosen) in said.pairs("without ") {
            let expected = self.chosen(&cpu.without(&cpu.documented_name(feature)));
            if chosen != expected {
                return Err(format!("without {feature} {chosen}, expected {expected}"));
            }
        }
        Ok(chosen.into())
    }
}
