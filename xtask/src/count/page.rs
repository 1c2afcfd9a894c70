//! The tables of `docs/performance-arm.md`, made of the counts.

use core::fmt::Write as _;
use std::fs;

use super::{Counts, LENGTHS, LONG};
use crate::run::{Outcome, root};

/// What stands above stays as it is.
const MARK: &str = "<!-- below: written by `cargo xtask count --update` -->\n";

/// A core, an engine, and how many cycles an instruction of it takes there, as measured for code of the same kind
/// (`docs/measurements.md`, m44).
struct Core {
    name: &'static str,
    engine: &'static str,
    cycles: f64,
    error: &'static str,
    /// The best that is published, in cycles a byte: counter mode, GHASH, GCM.
    published: [Option<f64>; 3],
}

/// Gouvêa and López 2015, table 2, and what the comments of OpenSSL's assembly say.
const CORES: [Core; 4] = [
    Core {
        name: "Cortex-A53",
        engine: "neon",
        cycles: 1.05,
        error: "4 %",
        published: [Some(17.5), Some(8.4), Some(29.0)],
    },
    Core {
        name: "Cortex-A72",
        engine: "neon",
        cycles: 0.97,
        error: "-10 to 18 %",
        published: [Some(14.4), None, Some(22.0)],
    },
    Core {
        name: "Cortex-A9",
        engine: "neon32",
        cycles: 1.22,
        error: "8 %",
        published: [Some(22.0), Some(10.2), Some(32.8)],
    },
    Core {
        name: "Cortex-A15",
        engine: "neon32",
        cycles: 0.89,
        error: "9 %",
        published: [Some(15.6), Some(7.6), Some(23.9)],
    },
];

/// Writes the tables.
pub(super) fn write(counts: &Counts) -> Outcome {
    let path = root().join("docs/performance-arm.md");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (above, _) = text
        .split_once(MARK)
        .ok_or_else(|| format!("{} has no line `{}`", path.display(), MARK.trim()))?;
    let page = format!("{above}{MARK}\n{}\n{}", calls(counts), bytes(counts));
    fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))
}

/// Instructions of a call.
fn calls(counts: &Counts) -> String {
    let mut table = String::from("## Instructions of a call\n\n| engine | |");
    for length in LENGTHS {
        _ = write!(table, " {length} B |");
    }
    table += "\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
    for (engine, works) in counts {
        for work in ["seal", "open"] {
            _ = write!(table, "| `{engine}` | {work} |");
            for length in LENGTHS {
                let count = works.get(&format!("{work} {length}"));
                _ = write!(table, " {} |", count.copied().unwrap_or_default());
            }
            table.push('\n');
        }
    }
    table
}

/// Instructions and cycles a byte of a long text.
fn bytes(counts: &Counts) -> String {
    let mut table = String::from(
        "## A byte of 10,000\n\nCTR alone may begin at any counter, which the engines of NEON take block by block; within a message of GCM they make the\n\
         planes of eight counters at once: that is CTR below.\n\n| engine | CTR alone | GHASH | GCM | a key, instructions |\n| --- | ---: | ---: | ---: | ---: |\n",
    );
    for (engine, works) in counts {
        _ = write!(table, "| `{engine}` |");
        for work in ["ctr", "ghash", "seal"] {
            _ = write!(table, " {:.2} |", a_byte(works, work));
        }
        let set = works.get("set 0").copied().unwrap_or_default();
        _ = writeln!(table, " {set} |");
    }
    table += "\n## Cycles a byte, modelled\n\n| core | engine | | instructions | modelled | error of the model | published, best |\n\
              | --- | --- | --- | ---: | ---: | ---: | ---: |\n";
    for core in &CORES {
        let Some(works) = counts.get(core.engine) else {
            continue;
        };
        let (gcm, ghash) = (a_byte(works, "seal"), a_byte(works, "ghash"));
        let parts = [("CTR", gcm - ghash), ("GHASH", ghash), ("GCM", gcm)];
        for ((title, instructions), published) in parts.into_iter().zip(core.published) {
            let published =
                published.map_or_else(|| "none".into(), |cycles| format!("{cycles:.1}"));
            _ = writeln!(
                table,
                "| {} | `{}` | {title} | {instructions:.2} | {:.1} | {} | {published} |",
                core.name,
                core.engine,
                instructions * core.cycles,
                core.error,
            );
        }
    }
    table
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn a_byte(works: &std::collections::BTreeMap<String, u64>, work: &str) -> f64 {
    let count = works.get(&format!("{work} {}", LONG));
    count.copied().unwrap_or_default() as f64 / LONG as f64
}
