//! The marks that each engine has earned: the checks that passed with it.
//!
//! `assure --record` writes them for `carryless engines` and into the table of the README; `ci` makes
//! sure that the two agree.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::run::{Outcome, root};

/// Where the command has them from: a line `ENGINE: MARKS` for each engine.
const FILE: &str = "crates/carryless-cli/src/marks.txt";
const README: &str = "README.md";
const BEGIN: &str = "<!-- marks: written by `cargo xtask assure full --record` -->\n";
const END: &str = "<!-- end of marks -->\n";

/// What an engine must have passed to be recommended; of alternatives, one.
const NEEDED: &[&[&str]] = &[
    &["C1"],
    &["C2"],
    &["C3"],
    &["C4"],
    &["C5"],
    &["C6"],
    &["C7"],
    &["P1", "P4"],
    &["P2"],
    &["P3"],
    &["P5"],
    &["M1"],
    &["M2"],
    &["M6"],
    &["U2"],
    &["U4"],
    &["T1", "T2"],
];

/// Writes the marks of the recorded checks.
pub(super) fn record(checks: &[Value]) -> Outcome {
    let mut earned: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for check in checks.iter().filter(|check| check["result"] == "passed") {
        let (id, engines) = (check["id"].as_str(), check["engines"].as_array());
        let engines = engines.into_iter().flatten().filter_map(Value::as_str);
        for engine in engines {
            earned.entry(engine).or_default().extend(id);
        }
    }
    let mut text = String::new();
    for (engine, ids) in &earned {
        let lacks: Vec<String> = NEEDED
            .iter()
            .filter(|any| !any.iter().any(|id| ids.contains(id)))
            .map(|any| any.join(" or "))
            .collect();
        let verdict = if lacks.is_empty() {
            "all that is asked for".into()
        } else {
            format!("lacks {}", lacks.join(", "))
        };
        text += &format!("{engine}: {}: {verdict}\n", ranges(ids).join(" "));
    }
    write(FILE, &text)?;
    let readme = read(README)?;
    write(README, &with_table(&readme, &text)?)
}

/// Fails unless the README's table is that of the recorded marks.
pub(crate) fn check() -> Outcome {
    let (marks, readme) = (read(FILE)?, read(README)?);
    if with_table(&readme, &marks)? == readme {
        return Ok(());
    }
    Err(format!(
        "the marks in {README} are not those of {FILE}: cargo xtask assure full --record"
    ))
}

/// `C1 C2 C3 C5` as `C1-C3 C5`.
fn ranges(ids: &[&str]) -> Vec<String> {
    let mut ids: Vec<&str> = ids.to_vec();
    ids.sort_unstable();
    let mut ranges: Vec<(&str, &str)> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some((_, last)) if follows(last, id) => *last = id,
            _ => ranges.push((id, id)),
        }
    }
    let show = |(first, last): (&str, &str)| match first == last {
        true => first.to_owned(),
        false => format!("{first}-{last}"),
    };
    ranges.into_iter().map(show).collect()
}

fn follows(last: &str, id: &str) -> bool {
    let (letter, number) = last.split_at(1);
    let next = number
        .parse::<u8>()
        .map(|number| format!("{letter}{}", number + 1));
    next.is_ok_and(|next| next == id)
}

/// The README with the table of these marks.
fn with_table(readme: &str, marks: &str) -> Result<String, String> {
    let parts = readme
        .split_once(BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let Some((head, tail)) = parts else {
        return Err(format!(
            "{README} has no place for the marks, between {BEGIN} and {END}"
        ));
    };
    let mut table =
        String::from("| engine | passed | for \"recommended\" |\n| --- | --- | --- |\n");
    for line in marks.lines() {
        // Names of engines may have a colon, but no space behind it.
        let mut cells = line.split(": ");
        let [engine, ids, verdict] = core::array::from_fn(|_| cells.next().unwrap_or_default());
        table += &format!("| `{engine}` | {ids} | {verdict} |\n");
    }
    Ok(format!("{head}{BEGIN}\n{table}\n{END}{tail}"))
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &str, text: &str) -> Outcome {
    fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))
}
