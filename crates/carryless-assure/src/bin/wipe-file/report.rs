//! Watching calls, and what they left.

use std::collections::BTreeMap;

use crate::recorder::{Recorded, record};
use crate::secrets::Secrets;
use crate::stack::Stack;

/// Bytes of the stack: a call with ML-KEM overwrites a good part of it.
const STACK: usize = 256 * 1024;

/// Memory of a call that is over.
pub(crate) struct Traces {
    frames: Vec<u8>,
    heap: Recorded,
}

impl Traces {
    /// Runs a call on a stack of zeros, and records its memory.
    pub(crate) fn of(mut call: impl FnMut()) -> Self {
        let mut heap = None;
        let frames = Stack::new(STACK).run(&mut || heap = Some(record(&mut call)));
        let heap = heap.expect("the call was made");
        Self { frames, heap }
    }

    /// The secrets in it: where, and which.
    pub(crate) fn find(&self, secrets: &Secrets) -> Vec<(&'static str, &'static str)> {
        [
            ("on the stack", &self.frames),
            ("in memory given back", &self.heap.freed),
            ("in memory kept", &self.heap.kept),
        ]
        .into_iter()
        .flat_map(|(place, memory)| {
            let found = secrets.find(memory).into_iter();
            found.map(move |found| (place, found.what))
        })
        .collect()
    }
}

/// What was left by calls: which, where, how often.
#[derive(Default)]
pub(crate) struct Report {
    calls: usize,
    windows: usize,
    freed: usize,
    left: BTreeMap<String, usize>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Runs the call `name`, and searches for secrets that were known before.
    pub(crate) fn watch(
        &mut self,
        name: &str,
        call: impl FnMut(),
        secrets: impl FnOnce() -> Secrets,
    ) {
        self.search(name, &Traces::of(call), &secrets());
    }

    /// Searches what the call `name` left.
    pub(crate) fn search(&mut self, name: &str, traces: &Traces, secrets: &Secrets) {
        self.calls += 1;
        self.windows = self.windows.max(secrets.len());
        self.freed += traces.heap.freed.len();
        for (place, what) in traces.find(secrets) {
            self.note(&format!("{name}: {what} {place}"), 1);
        }
    }

    /// Notes what was left, and in how many windows.
    pub(crate) fn note(&mut self, what: &str, windows: usize) {
        *self.left.entry(what.to_owned()).or_default() += windows;
    }

    /// In words.
    pub(crate) fn counts(&self) -> String {
        let Self {
            calls,
            windows,
            freed,
            left,
        } = self;
        format!(
            "{calls} calls, {freed} bytes given back, {windows} windows looked for at most, {} left",
            left.len()
        )
    }

    /// What was left, one by one.
    pub(crate) fn left(&self) -> impl Iterator<Item = String> {
        let say = |(what, windows): (&String, &usize)| format!("{what}: {windows} windows");
        self.left.iter().map(say)
    }
}
