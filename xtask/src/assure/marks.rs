//! The marks that each engine has earned: the checks that passed with it.
//!
//! `assure --record` writes them for `carryless engines` and into the table of the README; `ci` makes
//! sure that the two agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::evidence::VECTORS;
use crate::run::{Outcome, root};

/// Where the command has them from: a line `ENGINE: MARKS: VERDICT: ALGORITHMS` for each engine.
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
    let mut text = String::new();
    for (engine, earned) in earned(checks) {
        let (algorithms, ids) = apart(&earned);
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
        let (ids, algorithms) = (ranges(ids).join(" "), algorithms.join(", "));
        text += &format!("{engine}: {ids}: {verdict}: {algorithms}\n");
    }
    write(FILE, &text)?;
    let readme = read(README)?;
    write(README, &with_table(&readme, &text)?)
}

/// Algorithms whose published vectors an engine passes, and checks.
fn apart<'c>(earned: &BTreeSet<&'c str>) -> (Vec<&'c str>, BTreeSet<&'c str>) {
    let algorithm = |id: &&'c str| id.strip_prefix(VECTORS);
    let ids = earned.iter().filter(|id| algorithm(id).is_none());
    (
        earned.iter().filter_map(algorithm).collect(),
        ids.copied().collect(),
    )
}

/// The checks that passed with each engine, be it in the course of another, and the algorithms.
fn earned(checks: &[Value]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut earned: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let failed = checks.iter().filter(|check| check["result"] != "passed");
    let failed: BTreeSet<&str> = failed.filter_map(|check| check["id"].as_str()).collect();
    for check in checks.iter().filter(|check| check["result"] == "passed") {
        let own = (check["id"].as_str()).map(|id| (id, &check["engines"]));
        let others = check["earned"].as_object().into_iter().flatten();
        let others = others.map(|(id, engines)| (&**id, engines));
        let others = others.filter(|(id, _)| !failed.contains(id));
        for (id, engines) in own.into_iter().chain(others) {
            let engines = engines.as_array().into_iter().flatten();
            for engine in engines.filter_map(Value::as_str) {
                earned.entry(engine).or_default().insert(id);
            }
        }
    }
    earned
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
fn ranges(ids: BTreeSet<&str>) -> Vec<String> {
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
    let mut table = String::from(
        "| engine | passed | for \"recommended\" | vectors of |\n| --- | --- | --- | --- |\n",
    );
    for line in marks.lines() {
        // Names of engines may have a colon, but no space behind it.
        let mut cells = line.split(": ");
        let [engine, ids, verdict, algorithms] =
            core::array::from_fn(|_| cells.next().unwrap_or_default());
        table += &format!("| `{engine}` | {ids} | {verdict} | {algorithms} |\n");
    }
    Ok(format!("{head}{BEGIN}\n{table}\n{END}{tail}"))
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &str, text: &str) -> Outcome {
    fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_in_the_course_of_another_check_counts() {
        let checks = serde_json::json!([
            {"id": "C1", "result": "passed", "engines": ["avx"], "earned": {"vectors of CCM": ["avx"], "vectors of CBC": ["avx"]}},
            {"id": "C8", "result": "passed", "engines": ["neon"], "earned": {"C2": ["neon"], "C1": ["neon"], "C3": ["neon"]}},
            {"id": "C3", "result": "failed", "engines": ["avx"], "earned": {"C4": ["avx"]}},
        ]);
        let all = earned(checks.as_array().expect("checks"));
        let line = |engine: &str| ranges(apart(&all[engine]).1).join(" ");
        assert_eq!((&*line("avx"), &*line("neon")), ("C1", "C1-C2 C8"));
        assert_eq!(apart(&all["avx"]).0, ["CBC", "CCM"]);
    }
}
