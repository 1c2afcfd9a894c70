//! What the checks found, for people and for programs.

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{CHECKS, Check, Evidence, Failure, Verdict};
use crate::run::{Outcome, output, root};

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Standing {
    Passed,
    /// What ran has passed, but some of it could not run.
    Incomplete,
    Failed,
    #[serde(rename = "not run")]
    NotRun,
}

impl Standing {
    const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Incomplete => "INCOMPLETE",
            Self::Failed => "FAILED",
            Self::NotRun => "NOT RUN",
        }
    }
}

/// One check of a run.
#[derive(Serialize, Deserialize)]
pub(super) struct Row {
    #[serde(skip)]
    pub(super) id: &'static str,
    #[serde(skip)]
    pub(super) what: &'static str,
    pub(super) result: Standing,
    /// Why, if it has not passed.
    pub(super) reason: Option<String>,
    seconds: f64,
    pub(super) evidence: Evidence,
}

impl Row {
    pub(super) fn new(
        id: &'static str,
        what: &'static str,
        took: Duration,
        verdict: Verdict,
    ) -> Self {
        let (result, reason, evidence) = match verdict {
            Ok(evidence) if evidence.gaps.is_empty() => (Standing::Passed, None, evidence),
            Ok(evidence) => (Standing::Incomplete, None, evidence),
            Err(Failure::Failed(why)) => (Standing::Failed, Some(why), Evidence::default()),
            Err(Failure::NotRun(why)) => (Standing::NotRun, Some(why), Evidence::default()),
        };
        let seconds = (took.as_secs_f64() * 10.0).round() / 10.0;
        Self {
            id,
            what,
            result,
            reason,
            seconds,
            evidence,
        }
    }

    /// All that it found.
    pub(super) fn print(&self) {
        for line in &self.evidence.lines {
            println!("   {line}");
        }
        for control in &self.evidence.controls {
            println!("   control: {}", first_line(control));
        }
        for (subject, reason) in &self.evidence.gaps {
            println!("   {subject}: not run: {reason}");
        }
        if let Some(reason) = &self.reason {
            println!("   {reason}");
        }
        println!("   {}", self.ended());
    }

    /// What of it could not run.
    pub(super) fn missing(&self) -> String {
        let gap = |(subject, reason): (&String, &String)| format!("{subject}: {reason}");
        Vec::from_iter(self.evidence.gaps.iter().map(gap)).join(", ")
    }

    /// How it ended, and after how long.
    pub(super) fn ended(&self) -> String {
        format!("{} in {:.1} s", self.result.word(), self.seconds)
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// An engine that this CPU lacks is no gap if the emulated CPUs of U4 have run it: it is then said
/// in the evidence.
pub(super) fn close_gaps(rows: &mut [Row]) {
    let Some(models) = rows.iter().find(|row| row.id == "U4") else {
        return;
    };
    let emulated = models.evidence.engines.clone();
    for row in rows.iter_mut().filter(|row| row.id != "U4") {
        let gaps = core::mem::take(&mut row.evidence.gaps);
        let (covered, open): (BTreeMap<_, _>, BTreeMap<_, _>) = gaps
            .into_iter()
            .partition(|(subject, _)| emulated.contains(subject));
        row.evidence.gaps = open;
        for (engine, reason) in covered {
            let line = format!("{engine}: on an emulated CPU only, by U4: {reason}");
            row.evidence.lines.push(line);
        }
        if row.result == Standing::Incomplete && row.evidence.gaps.is_empty() {
            row.result = Standing::Passed;
        }
    }
}

/// The table; an error unless everything has run and passed.
pub(super) fn verdict(rows: &[Row], took: Duration) -> Outcome {
    table(rows, took);
    let bad: Vec<String> = rows
        .iter()
        .filter(|row| row.result != Standing::Passed)
        .map(|row| format!("{} {}", row.id, row.result.word()))
        .collect();
    if bad.is_empty() {
        return Ok(());
    }
    Err(format!("assure: {}", bad.join(", ")))
}

/// A line for each check, and the time of all.
pub(super) fn table(rows: &[Row], took: Duration) {
    println!(
        "\n{:<4}{:<44}{:<12}{:>7}  {:>8}  engines",
        "id", "check", "result", "s", "controls"
    );
    for row in rows {
        let engines: Vec<&str> = row.evidence.engines.iter().map(String::as_str).collect();
        println!(
            "{:<4}{:<44}{:<12}{:>7.1}  {:>8}  {}",
            row.id,
            row.what,
            row.result.word(),
            row.seconds,
            row.evidence.controls.len(),
            engines.join(" ")
        );
    }
    let total: f64 = rows.iter().map(|row| row.seconds).sum();
    println!(
        "{} checks in {:.0} s, {total:.0} s if one after the other",
        rows.len(),
        took.as_secs_f64()
    );
}

/// The checks there are.
pub(super) fn list(checks: &[Check]) {
    for check in checks {
        println!("{:<4}{:<9}{}", check.id, check.tier.name(), check.what);
    }
}

/// Writes the report to `target/assure/report.json`.
pub(super) fn write(rows: &[Row]) -> Outcome {
    save("target/assure", rows.iter().map(entry).collect())
}

/// Puts the rows into the recorded report, in the place of earlier ones of the same checks; gives all
/// that it holds now.
pub(super) fn record(rows: &[Row]) -> Result<Vec<Value>, String> {
    let mut entries = recorded();
    entries.retain(|entry| rows.iter().all(|row| entry["id"] != row.id));
    entries.extend(rows.iter().map(entry));
    let place = |entry: &Value| CHECKS.iter().position(|check| entry["id"] == check.id);
    entries.sort_by_key(place);
    save(RECORDED, entries.clone())?;
    Ok(entries)
}

/// Where the recorded report is.
const RECORDED: &str = "docs/assurance";

/// The checks of the recorded report.
pub(super) fn recorded() -> Vec<Value> {
    let text = fs::read_to_string(root().join(RECORDED).join("report.json")).unwrap_or_default();
    let report: Value = serde_json::from_str(&text).unwrap_or_default();
    report["checks"].as_array().cloned().unwrap_or_default()
}

/// A row, with what it was found on.
fn entry(row: &Row) -> Value {
    json!({
        "id": row.id,
        "what": row.what,
        "result": row.result,
        "reason": row.reason,
        "seconds": row.seconds,
        // Without tags, and with a word for what is not committed.
        "commit": line_of("git", &["describe", "--always", "--dirty", "--exclude=*"]),
        "engines": row.evidence.engines,
        "lines": row.evidence.lines,
        "controls": row.evidence.controls,
        "gaps": row.evidence.gaps,
        "earned": row.evidence.earned,
    })
}

fn save(folder: &str, entries: Vec<Value>) -> Outcome {
    let report = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "compiler": line_of("rustc", &["--version"]),
        "cpu": cpu(),
        "checks": entries,
    });
    let mut text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
    text.push('\n');
    let path = root().join(folder).join("report.json");
    fs::create_dir_all(root().join(folder))
        .and_then(|()| fs::write(&path, &text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn line_of(program: &str, args: &[&str]) -> String {
    output(program, args).map_or_else(|_| "unknown".into(), |text| first_line(&text).into())
}

fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines()
        .find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1))
        .map_or_else(|| std::env::consts::ARCH.into(), String::from)
}
