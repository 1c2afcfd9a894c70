//! `carryless engines`.

use carryless::{Engine, Features};
use comfy_table::{Table, presets};
use serde::Serialize;

use crate::args::Engines;
use crate::exit::Failure;
use crate::print;
use crate::vectors::ALGORITHMS;

/// What the checks of `cargo xtask assure` have passed for: `ENGINE: IDS: VERDICT: ALGORITHMS`, written by
/// `cargo xtask assure full --record`.
const MARKS: &str = include_str!("../marks.txt");

/// The IDs of the checks that an engine has passed (docs/assurance.md), and the algorithms whose published vectors were
/// among them.
fn marks(engine: Engine) -> [&'static str; 2] {
    let line = |line: &'static str| line.strip_prefix(engine.name())?.strip_prefix(": ");
    let mut marks = MARKS.lines().find_map(line).unwrap_or_default().split(": ");
    [0, 1].map(|skip| marks.nth(skip).unwrap_or_default())
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
    /// The algorithms whose published vectors were among them.
    passed_for: &'static str,
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
        let [passed, passed_for] = marks(*engine);
        Line {
            engine: engine.name(),
            available: reason.is_none(),
            reason,
            selected: *engine == selected,
            automatic: engine.is_automatic(),
            description: engine.description(),
            passed,
            passed_for,
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
        "for",
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
            line.passed_for,
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
