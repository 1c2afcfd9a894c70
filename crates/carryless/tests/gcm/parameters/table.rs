//! Which combinations of parameters each path has run.

use std::collections::{BTreeMap, BTreeSet};

use crate::harness::caught;
use crate::harness::scheme::Path;

/// What is done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    Seal,
    Open,
    /// Opening with a wrong tag.
    Forged,
    /// Opening with a tag of another length.
    Size,
}

impl Call {
    pub(super) const ALL: [Self; 4] = [Self::Seal, Self::Open, Self::Forged, Self::Size];
}

/// Paths that are none of [`Path`], and what they can do.
pub(super) const OTHERS: &[(&str, &[Call])] = &[
    ("batch of fours", &Call::ALL),
    ("batch one by one", &Call::ALL),
    ("Gmac", &Call::ALL),
    #[cfg(feature = "getrandom")]
    ("RandomNonceSealer", &[Call::Seal]),
];

/// Counts by path and combination.
#[derive(Default)]
pub(super) struct Table {
    cells: BTreeMap<(String, usize, usize, Call), usize>,
    /// What else a path has met.
    met: BTreeMap<String, BTreeSet<String>>,
}

impl Table {
    pub(super) fn run(&mut self, path: &str, tag_len: usize, aad_len: usize, calls: &[Call]) {
        for call in calls {
            *self
                .cells
                .entry((path.into(), tag_len, aad_len, *call))
                .or_default() += 1;
        }
    }

    pub(super) fn met(&mut self, path: &str, what: String) {
        self.met.entry(path.into()).or_default().insert(what);
    }

    /// A line for each path; an error if a path lacks a combination, or is not known.
    pub(super) fn complete(
        &self,
        tag_lens: &[usize],
        aad_lens: &[usize],
    ) -> Result<Vec<String>, String> {
        let all = Path::ALL
            .iter()
            .map(|path| (format!("{path:?}"), &Call::ALL[..]));
        let others = OTHERS
            .iter()
            .map(|(path, calls)| ((*path).to_owned(), *calls));
        let wanted: BTreeMap<String, &[Call]> = all.chain(others).collect();
        if let Some((path, ..)) = self
            .cells
            .keys()
            .find(|(path, ..)| !wanted.contains_key(path))
        {
            return Err(format!("the path `{path}` is not in the table"));
        }
        let mut rows = Vec::new();
        for (path, calls) in wanted {
            let (mut cells, mut runs) = (0, 0);
            for tag_len in tag_lens {
                for aad_len in aad_lens {
                    for call in calls {
                        let key = (path.clone(), *tag_len, *aad_len, *call);
                        runs += self.cells.get(&key).ok_or(format!(
                            "{path}: nothing run with a tag of {tag_len} bytes, {aad_len} bytes of AAD, {call:?}"
                        ))?;
                        cells += 1;
                    }
                }
            }
            let met = |end: &str| {
                let met = self.met.get(&path);
                met.map_or(0, |met| {
                    met.iter().filter(|what| what.ends_with(end)).count()
                })
            };
            rows.push(format!(
                "  {path}: {} tags x {} AADs x {} calls = {cells} cells; {runs} runs, {} texts, {} nonces, {} batches",
                tag_lens.len(),
                aad_lens.len(),
                calls.len(),
                met("of text"),
                met("of nonce"),
                met("packets")
            ));
        }
        Ok(rows)
    }
}

/// Tables that lack a path, a cell, or have a path too many.
pub(super) fn control(tag_lens: &[usize], aad_lens: &[usize]) {
    let full = |skip: &dyn Fn(&str, usize, usize) -> bool| {
        let mut table = Table::default();
        let names = Path::ALL.iter().map(|path| format!("{path:?}"));
        for path in names.chain(OTHERS.iter().map(|(path, _)| (*path).to_owned())) {
            for tag_len in tag_lens {
                for aad_len in aad_lens {
                    if !skip(&path, *tag_len, *aad_len) {
                        table.run(&path, *tag_len, *aad_len, &Call::ALL);
                    }
                }
            }
        }
        table
    };
    let complete = |table: &Table| table.complete(tag_lens, aad_lens).map(|rows| rows.len());
    assert!(complete(&full(&|_, _, _| false)).is_ok());
    caught(complete(&full(&|path, _, _| path == "Segments")));
    caught(complete(&full(&|path, tag, aad| {
        path == "Batch" && tag == 13 && aad == 17
    })));
    let mut more = full(&|_, _, _| false);
    more.run("a new path", 16, 0, &Call::ALL);
    caught(complete(&more));
}
