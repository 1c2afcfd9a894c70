//! The changes there are to try, as `cargo mutants` lists them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::run::output;

/// What kind of change it is, as `cargo mutants` names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// A place in the code, and what it is changed to.
#[derive(Clone)]
pub(super) struct Place {
    /// From the top of the tree.
    pub(super) file: String,
    pub(super) genre: Genre,
    /// Line and column, from 1: where what is replaced begins, and where the rest goes on.
    pub(super) start: (u64, u64),
    end: (u64, u64),
    pub(super) replacement: String,
    /// What is changed to what, in words.
    change: String,
    /// The line as it stands, by which a place is known when others move it.
    line: String,
}

impl Place {
    fn read(entry: &Value, tree: &Path) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(String::from);
        let at = |point: &Value| Some((point["line"].as_u64()?, point["column"].as_u64()?));
        let file = text(&entry["file"])?;
        let span = &entry["span"];
        let start = at(&span["start"])?;
        let name = text(&entry["name"])?;
        let code = fs::read_to_string(tree.join(&file)).ok()?;
        let line = code
            .lines()
            .nth(usize::try_from(start.0).ok()?.checked_sub(1)?)?;
        Some(Self {
            genre: Genre::deserialize(&entry["genre"]).ok()?,
            start,
            end: at(&span["end"])?,
            replacement: text(&entry["replacement"])?,
            // The list of survivors quotes them.
            change: name.split_once(": ")?.1.replace('\'', ""),
            line: line.trim().replace('\'', ""),
            file,
        })
    }

    /// The code with the change.
    pub(super) fn changed(&self, code: &str) -> String {
        let mut changed = String::with_capacity(code.len() + self.replacement.len());
        let mut at = (1, 1);
        for letter in code.chars() {
            if at == self.start {
                changed += &self.replacement;
            }
            if at < self.start || at >= self.end {
                changed.push(letter);
            }
            at = if letter == '\n' {
                (at.0 + 1, 1)
            } else {
                (at.0, at.1 + 1)
            };
        }
        changed
    }

    /// What stays the same when code before it moves: the file, the change and the line.
    pub(super) fn key(&self) -> String {
        format!("{}: {}: `{}`", self.file, self.change, self.line)
    }

    /// For people.
    pub(super) fn name(&self) -> String {
        let (line, column) = self.start;
        format!(
            "{}:{line}:{column}: {}: `{}`",
            self.file, self.change, self.line
        )
    }
}

/// All places in files of a tree; of a `diff`, those that it touches.
pub(super) fn list(
    tool: &str,
    tree: &Path,
    files: &[&str],
    diff: Option<&Path>,
) -> Result<Vec<Place>, String> {
    let folder = tree.to_string_lossy();
    let mut args = vec![
        "mutants",
        "--list",
        "--json",
        "--no-config",
        "--dir",
        &folder,
    ];
    args.extend([
        "--workspace",
        "--exclude",
        "**/tests.rs",
        "--exclude",
        "**/tests/**",
    ]);
    args.extend(files.iter().flat_map(|file| ["--file", file]));
    let diff = diff.map(Path::to_string_lossy);
    args.extend(diff.iter().flat_map(|diff| ["--in-diff", diff]));
    let text = output(tool, &args)?;
    if diff.is_some() && text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let entries: Vec<Value> =
        serde_json::from_str(&text).map_err(|error| format!("cargo mutants: {error}"))?;
    let read =
        |entry| Place::read(entry, tree).ok_or_else(|| format!("cargo mutants lists {entry}"));
    entries.iter().map(read).collect()
}

/// So many of them, drawn by a seed, in the order of the list.
pub(super) fn sample(places: Vec<Place>, size: usize, seed: u64) -> Vec<Place> {
    let mut drawn: Vec<(u64, usize)> = (0..places.len())
        .map(|i| (mixed(seed, i as u64), i))
        .collect();
    drawn.sort_unstable();
    let taken: BTreeSet<usize> = drawn.into_iter().take(size).map(|(_, i)| i).collect();
    let places = places.into_iter().enumerate();
    places
        .filter(|(i, _)| taken.contains(i))
        .map(|(_, place)| place)
        .collect()
}

/// All of them, in an order drawn by a seed.
pub(super) fn shuffled(places: Vec<Place>, seed: u64) -> Vec<Place> {
    let mut drawn: Vec<(u64, Place)> = places
        .into_iter()
        .enumerate()
        .map(|(i, place)| (mixed(seed, i as u64), place))
        .collect();
    drawn.sort_by_key(|(at, _)| *at);
    drawn.into_iter().map(|(_, place)| place).collect()
}

/// A number that looks random (splitmix64).
fn mixed(seed: u64, i: u64) -> u64 {
    let z = seed.wrapping_add((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
impl Place {
    /// One of nowhere.
    pub(super) fn at(file: &str, genre: Genre, start: (u64, u64), replacement: &str) -> Self {
        Self {
            file: file.into(),
            genre,
            start,
            end: start,
            replacement: replacement.into(),
            change: String::from("a change"),
            line: String::from("a line"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(start: (u64, u64), end: (u64, u64)) -> Place {
        Place {
            end,
            ..Place::at("a.rs", Genre::BinaryOperator, start, "==")
        }
    }

    #[test]
    fn a_change_is_made_where_it_belongs() {
        let code = "fn f() {\n    a != b\n}\n";
        assert_eq!(
            place((2, 7), (2, 9)).changed(code),
            "fn f() {\n    a == b\n}\n"
        );
        assert_eq!(place((1, 8), (3, 2)).changed(code), "fn f() ==\n");
    }

    #[test]
    fn a_sample_has_its_size_and_depends_on_its_seed() {
        let all: Vec<Place> = (1..=300).map(|line| place((line, 1), (line, 3))).collect();
        let lines = |seed| -> Vec<u64> {
            sample(all.clone(), 150, seed)
                .iter()
                .map(|place| place.start.0)
                .collect()
        };
        assert_eq!(lines(1).len(), 150);
        assert_eq!(lines(1), lines(1));
        assert_ne!(lines(1), lines(2));
        assert!(lines(1).is_sorted());
        assert_eq!(sample(all, 1000, 1).len(), 300);
    }
}
