//! F2 beside the tests of every change: the lines that differ from the commit before.

use core::time::Duration;
use std::env;
use std::fs;
use std::time::Instant;

use super::super::evidence::{Evidence, Verdict};
use super::super::tools::cargo_tool;
use super::places::{self, Place};
use super::tried::Tried;
use super::{AREAS, control, ended, survivors};
use crate::run::{output, root};

/// What it may take.
const QUICK: Duration = Duration::from_secs(4 * 60 - 10);

/// What of formats and command differs from the commit before.
pub(super) fn f2() -> Verdict {
    let deadline = Instant::now() + QUICK;
    let mut evidence = Evidence::default();
    let areas = AREAS.iter().filter(|area| !area.sampled);
    let files: Vec<String> = areas
        .clone()
        .flat_map(|area| area.files)
        .map(|file| format!(":(glob){file}"))
        .collect();
    let Some(base) = base() else {
        evidence
            .lines
            .push("no commit before this one: no line has changed".into());
        evidence
            .controls
            .push(any_line("+++ b/crates/carryless-file/src/io.rs")?);
        return Ok(evidence);
    };
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let diff = output("git", &[&["diff", &base, "--"], &files[..]].concat())?;
    evidence
        .controls
        .push(any_line("+++ b/crates/carryless-file/src/io.rs")?);
    if any_line(&diff).is_err() {
        evidence.lines.push(format!(
            "no line of formats and command has changed since {base}"
        ));
        return Ok(evidence);
    }
    let folder = root().join("target/mutants");
    let path = folder.join("changes.diff");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, diff))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let tool = cargo_tool("cargo-mutants", "27.1.0")?;
    evidence.controls.push(control(&tool)?);
    let reasons = survivors::read()?;
    let mut faults = Vec::new();
    for area in areas {
        let places = places::list(&tool, &root(), area.files, Some(&path))?;
        // Each commit begins with others.
        let seed = u64::from_str_radix(&base[..8.min(base.len())], 16).unwrap_or(1);
        let tried = Tried::of(area, places::shuffled(places, seed), 1, Some(deadline))?;
        evidence.lines.extend(tried.lines(area.name, &reasons));
        faults.extend(tried.unexplained(&reasons).map(Place::name));
    }
    ended(evidence, &faults)
}

/// The commit that changes are counted from.
fn base() -> Option<String> {
    let named = env::var("CARRYLESS_BASE")
        .ok()
        .filter(|name| !name.is_empty());
    let name = named.unwrap_or_else(|| "HEAD~1".into());
    let commit = output(
        "git",
        &[
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{name}^{{commit}}"),
        ],
    )
    .ok()?;
    Some(commit.trim().into())
}

/// Whether a diff has a file of ours.
fn any_line(diff: &str) -> Result<String, String> {
    let file = diff.lines().find_map(|line| line.strip_prefix("+++ b/"));
    let file = file.ok_or("no file has changed")?;
    Ok(format!("a changed file: caught: {file}"))
}
