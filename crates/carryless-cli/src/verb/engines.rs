//! `carryless engines`.

use carryless::{Engine, Features};
use comfy_table::{Table, presets};
use serde::Serialize;

use crate::args::Engines;
use crate::exit::Failure;
use crate::print;
use crate::vectors::ALGORITHMS;

/// What the checks of `cargo xtask assure` have passed for: `ENGINE: IDS: VERDICT`, written by
/// `cargo xtask assure full --record`.
const MARKS: &str = include_str!("../marks.txt");

/// The IDs of the checks that an engine has passed (docs/assurance.md).
fn passed(engine: Engine) -> &'static str {
    let line = |line: &'static str| line.strip_prefix(engine.name())?.strip_prefix(": ");
    MARKS
        .lines()
        .find_map(line)
        .map_or("", |marks| marks.split(": ").next().unwrap_or_default())
}

#[derive(Serialize)]
struct Line {
    engine: &'static str,
    available: bool,
    reason: Option<String>,
    selected: bool,
    automatic: bool,
    description: &'static str,
    /// Checks passed, by their IDs.
    passed: &'static str,
    cpu: Vec<&'static str>,
    /// What it runs, by the names of `carryless vectors`.
    algs: Vec<&'static str>,
}

pub fn run(args: &Engines) -> Result<(), Failure> {
    let selected = Engine::selected();
    let cpu: Vec<&str> = Features::detect().names().collect();
    let algs: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    let lines = Engine::ALL.iter().map(|engine| {
        let reason = engine.availability().err().map(|reason| reason.to_string());
        Line {
            engine: engine.name(),
            available: reason.is_none(),
            reason,
            selected: *engine == selected,
            automatic: engine.is_automatic(),
            description: engine.description(),
            passed: passed(*engine),
            cpu: cpu.clone(),
            algs: algs.clone(),
        }
    });
    if args.json {
        return lines.into_iter().try_for_each(|line| print::json(&line));
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header([
        "",
        "engine",
        "here",
        "chosen",
        "made of",
        "checks passed",
    ]);
    for line in lines {
        let mark = if line.selected { "*" } else { "" };
        let here = line.reason.unwrap_or_else(|| "yes".into());
        let chosen = if line.automatic {
            "automatically"
        } else {
            "by name"
        };
        table.add_row([
            mark,
            line.engine,
            &here,
            chosen,
            line.description,
            line.passed,
        ]);
    }
    let features = if cpu.is_empty() {
        "none that an engine asks for".into()
    } else {
        cpu.join(" ")
    };
    print::data(&format!(
        "{}\n\n* new keys take this one. CPU features: {features}\nalgorithms, on each: {}\nchecks: docs/assurance.md, `cargo xtask assure list`\n",
        table.trim_fmt(),
        algs.join(" ")
    ))
}
