//! The tables of `docs/performance-arm.md`, made of the counts.

use core::fmt::Write as _;
use std::fs;

use super::committed::Committed;
use super::cores::{CORES, Figures, IN_GCM, Model, a_byte};
use super::{
    BATCH, Counts, FOURS, LENGTHS, LONG, MIXED, PLACES, Place, SHORT_TEXTS, TEXTS, WORKS, Works,
    has_crypto,
};
use crate::run::{Outcome, root};

/// What stands above stays as it is.
const MARK: &str = "<!-- below: written by `cargo xtask count --update` -->\n";

/// Writes the tables.
pub(super) fn write(committed: &Committed) -> Outcome {
    let counts = &committed.engines;
    let path = root().join("docs/performance-arm.md");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (above, _) = text
        .split_once(MARK)
        .ok_or_else(|| format!("{} has no line `{}`", path.display(), MARK.trim()))?;
    let tables = [
        calls(counts),
        peers(committed),
        fours(counts),
        bytes(counts),
        modes(
            counts,
            "Other modes",
            TEXTS,
            "Of AES-128; the key is made beforehand. CBC takes the whole blocks of 1500 bytes, XTS steals for them.",
        ),
        modes(
            counts,
            "LEA and SGCM",
            SHORT_TEXTS,
            "Keys of 128 bits; the features `lea` and `sgcm`.",
        ),
        cycles(committed),
    ];
    let page = format!("{above}{MARK}\n{}", tables.join("\n"));
    fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))
}

/// Instructions of a call.
fn calls(counts: &Counts) -> String {
    let mut table = String::from("## Instructions of a call\n\n| engine | |");
    lengths(&mut table);
    table += "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
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

/// Sealing beside the libraries of Debian.
fn peers(committed: &Committed) -> String {
    let mut table = String::from(
        "## Beside what Debian ships\n\nInstructions that sealing takes, under the same counter, on the same emulated CPU, with instructions of AES and where they are\n\
         denied to the library: a CPU without them has what stands there. Of Debian 12, through the calls that each documents.\n\n\
         | | AES | |",
    );
    lengths(&mut table);
    table += "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
    for (place, crypto) in PLACES
        .iter()
        .flat_map(|place| [(place, true), (place, false)])
    {
        let title = place.machine.title;
        let with = if crypto { "with" } else { "without" };
        for (name, seal) in sealing(committed, place, crypto) {
            _ = write!(table, "| {title} | {with} | {name} |");
            for count in seal {
                _ = write!(table, " {count} |");
            }
            table.push('\n');
        }
    }
    table
}

/// Instructions of four messages in one call, and of those over four calls.
fn fours(counts: &Counts) -> String {
    let mut table = String::from("## Four messages in one call\n\n| engine | |");
    for length in FOURS {
        _ = write!(table, " {length} B each | over four calls |");
    }
    table += "\n| --- | --- | ---: | ---: | ---: | ---: |\n";
    for (engine, works) in counts {
        for work in ["seal", "open"] {
            _ = write!(table, "| `{engine}` | {work} |");
            for length in FOURS {
                let four = count(works, &format!("{work} four"), length);
                let one = count(works, work, length);
                _ = write!(table, " {four} | {:.2} |", four / (4.0 * one));
            }
            table.push('\n');
        }
    }
    table
}

/// Instructions of a work on so many bytes.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn count(works: &Works, work: &str, length: usize) -> f64 {
    let count = works.get(&format!("{work} {length}"));
    count.copied().unwrap_or_default() as f64
}

/// Who seals there, and what it takes, the least for long messages first.
fn sealing(
    committed: &Committed,
    place: &Place,
    crypto: bool,
) -> Vec<(String, [u64; LENGTHS.len()])> {
    let title = place.machine.title;
    let peers = committed.peers.iter();
    let peers = peers.filter(|peer| peer.machine == title && peer.crypto == crypto);
    let mut all: Vec<_> = peers.map(|peer| (peer.name.clone(), peer.seal)).collect();
    let ours = place
        .engines
        .iter()
        .filter(|engine| has_crypto(engine) == crypto);
    for engine in ours {
        let works = committed.engines.get(*engine);
        let count = |length| works.and_then(|works| works.get(&format!("seal {length}")));
        let seal = LENGTHS.map(|length| count(length).copied().unwrap_or_default());
        all.push((format!("`{engine}`"), seal));
    }
    all.sort_by_key(|(_, seal)| seal[LENGTHS.len() - 1]);
    all
}

/// The heads of the columns of lengths.
fn lengths(table: &mut String) {
    for length in LENGTHS {
        _ = write!(table, " {length} B |");
    }
    table.push('\n');
}

/// Instructions and cycles a byte of a long text.
fn bytes(counts: &Counts) -> String {
    let mut table = String::from(
        "## A byte of 10,000, and what stands around\n\nCTR alone begins at a public counter. Of GCM, a byte of 1500 over one of 10,000, and a message of 64 bytes over a call that\n\
         encrypts eight blocks. Touched: the bytes of code that sealing and opening messages of each length up to 2048 executes;\n\
         12,288 are asked for, of engines of NEON 20,480.\n\n\
         | engine | CTR alone | GHASH | GCM | of 1500 | 64 over eight blocks | touched | a key, instructions |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (engine, works) in counts {
        _ = write!(table, "| `{engine}` |");
        for work in ["ctr", "ghash", "seal"] {
            _ = write!(table, " {:.2} |", a_byte(counts, engine, work, LONG));
        }
        let [packet, long] = [1500, LONG].map(|length| a_byte(counts, engine, "seal", length));
        let short = count(works, "seal", 64) / count(works, "encrypt", BATCH);
        let touched = works.get(&format!("touched {MIXED}"));
        let touched = touched.map_or_else(|| "not counted".into(), u64::to_string);
        let set = works.get("set 0").copied().unwrap_or_default();
        _ = writeln!(
            table,
            " {:.3} | {short:.2} | {touched} | {set} |",
            packet / long
        );
    }
    table
}

/// Instructions of calls of those works that are counted at these lengths, an engine a column.
fn modes(counts: &Counts, title: &str, lengths: [usize; 3], what: &str) -> String {
    let mut table = format!("## {title}\n\n{what}\n\n| | bytes |");
    for engine in counts.keys() {
        _ = write!(table, " `{engine}` |");
    }
    table += "\n| --- | ---: |";
    table += &" ---: |".repeat(counts.len());
    table.push('\n');
    for (work, _) in WORKS.iter().filter(|(_, counted)| **counted == lengths) {
        for length in lengths {
            _ = write!(table, "| {} | {length} |", titled(work));
            for works in counts.values() {
                let count = works.get(&format!("{work} {length}"));
                _ = write!(table, " {} |", count.copied().unwrap_or_default());
            }
            table.push('\n');
        }
    }
    table
}

/// A work as papers name it.
fn titled(work: &str) -> String {
    match work.split_once(' ') {
        None if work == "seal" => "GCM".into(),
        None => work.to_uppercase(),
        Some(_) if work == IN_GCM => "CTR in GCM".into(),
        Some((mode, direction)) => format!("{} {direction}", mode.to_uppercase()),
    }
}

/// Cycles a byte, modelled.
fn cycles(committed: &Committed) -> String {
    let mut table = String::from(
        "## Cycles a byte, modelled\n\n| core | engine | | bytes | published | must | modelled | model | its error |\n\
         | --- | --- | --- | ---: | ---: | ---: | ---: | --- | --- |\n",
    );
    for core in &CORES {
        let model = match core.model {
            Model::Instruction(cycles) => format!("{cycles:.2} an instruction"),
            Model::InOrder => "in order".into(),
            Model::Llvm(cpu) | Model::LlvmJoined(cpu) | Model::LlvmEither(cpu) => {
                format!("LLVM, {cpu}")
            }
        };
        for (work, length, Figures { published, must }) in core.works {
            let [published, must] = [published, must]
                .map(|cycles| cycles.map_or_else(|| "none".into(), |cycles| cycles.to_string()));
            let found = core.cycles(work, *length, &committed.engines, &committed.cycles);
            let found = found.map_or_else(|| "none".into(), shown);
            let title = titled(work);
            _ = writeln!(
                table,
                "| {} | `{}` | {title} | {length} | {published} | {must} | {found} | {model} | {} |",
                core.name, core.engine, core.error,
            );
        }
    }
    table
}

/// Cycles, or from how many to how many.
fn shown([least, most]: [f64; 2]) -> String {
    let digits = if most < 4.0 { 2 } else { 1 };
    if least < most {
        format!("{least:.digits$} to {most:.digits$}")
    } else {
        format!("{most:.digits$}")
    }
}
