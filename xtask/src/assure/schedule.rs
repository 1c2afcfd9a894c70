//! Checks side by side, as many as there are cores: much of what they run has one thread.
//!
//! A check that is no test runs in a process of its own, so that what it and its tools print stays
//! together. Results are printed in the order of the list of checks, whichever ends first.

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use super::report::{self, Row};
use super::suites::Suites;
use super::{Check, Failure, Method, Tier};
use crate::run::{Outcome, command, root, side_by_side};

/// Where the processes leave what they found.
const FOLDER: &str = "target/assure/rows";

/// Runs the checks; their rows, in the order of `checks`.
pub(super) fn run_all(
    tier: Tier,
    checks: &[&'static Check],
    suites: Option<&Suites>,
) -> Result<Vec<Row>, String> {
    if let [check] = checks {
        println!("\n{} {}", check.id, check.what);
        let row = check.make(tier, suites);
        row.print();
        return Ok(vec![row]);
    }
    let (alone, beside): (Vec<_>, Vec<_>) = (0..checks.len()).partition(|i| checks[*i].alone);
    let rows = Mutex::new(InOrder::new(checks.len()));
    let make = |place: usize| {
        let (row, said) = apart(checks[place], tier, suites);
        if let Ok(mut rows) = rows.lock() {
            rows.put(place, row, said);
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    side_by_side(cores.min(checks.len()), longest_first(checks, beside), make);
    alone.into_iter().for_each(make);
    let rows = rows.into_inner().map_err(|error| error.to_string())?;
    Ok(rows.done)
}

/// Makes one check and writes its row: what a process of [`apart`] does.
pub(super) fn row(tier: Tier, check: &Check, path: &str) -> Outcome {
    let row = check.make(tier, None);
    let text = serde_json::to_string(&row).map_err(|error| error.to_string())?;
    fs::write(path, text).map_err(|error| format!("{path}: {error}"))
}

/// The places of checks in their list, those first that took longest when last recorded: the last ones
/// to begin are then short, and all cores busy to the end.
fn longest_first(checks: &[&Check], mut places: Vec<usize>) -> Vec<usize> {
    let recorded = report::recorded();
    let seconds = |place: &usize| {
        let of = |entry: &&serde_json::Value| entry["id"] == checks[*place].id;
        let entry = recorded.iter().find(of);
        entry.and_then(|entry| entry["seconds"].as_f64())
    };
    let long = |place: &usize| seconds(place).unwrap_or(f64::INFINITY);
    places.sort_by(|a, b| long(b).total_cmp(&long(a)));
    places
}

/// A check, and what its process printed.
fn apart(check: &'static Check, tier: Tier, suites: Option<&Suites>) -> (Row, String) {
    if matches!(check.method, Method::Tests) {
        return (check.make(tier, suites), String::new());
    }
    let began = Instant::now();
    let made = process(check, tier);
    made.unwrap_or_else(|error| {
        let failed = Err(Failure::Failed(error));
        let row = Row::new(check.id, check.what, began.elapsed(), failed);
        (row, String::new())
    })
}

fn process(check: &'static Check, tier: Tier) -> Result<(Row, String), String> {
    let folder = root().join(FOLDER);
    let path = |ending: &str| folder.join(format!("{}.{ending}", check.id));
    let (found, log) = (path("json"), path("log"));
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let open = || {
        fs::create_dir_all(&folder)?;
        let _ = fs::remove_file(&found);
        let log = File::create(&log)?;
        Ok((log.try_clone()?, log))
    };
    let (out, err) = open().map_err(|error: std::io::Error| format!("{FOLDER}: {error}"))?;
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let args = ["assure", "row", tier.name(), check.id, &shown(&found)];
    let ended = command(&shown(&program), &args)
        .stdout(out)
        .stderr(err)
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let said = fs::read(&log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let text = fs::read_to_string(&found).map_err(|_| format!("it ended with {ended}:\n{said}"))?;
    let mut row: Row = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    (row.id, row.what) = (check.id, check.what);
    Ok((row, said))
}

/// Rows as they come in, printed as soon as those before them are.
struct InOrder {
    done: Vec<Row>,
    waiting: Vec<Option<(Row, String)>>,
}

impl InOrder {
    fn new(len: usize) -> Self {
        Self {
            done: Vec::new(),
            waiting: (0..len).map(|_| None).collect(),
        }
    }

    fn put(&mut self, place: usize, row: Row, said: String) {
        eprintln!("{} {}", row.id, row.ended());
        self.waiting[place] = Some((row, said));
        while let Some(next) = self.waiting.get_mut(self.done.len()) {
            let Some((row, said)) = next.take() else {
                return;
            };
            println!("\n{} {}\n{}", row.id, row.what, said.trim_end());
            row.print();
            self.done.push(row);
        }
    }
}
