//! What a check has to show for itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What a check found, all of it good.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// Names of the engines that were checked.
    pub(crate) engines: BTreeSet<String>,
    /// What was checked, with counts: `avx: 1248 messages`.
    pub(crate) lines: Vec<String>,
    /// Each seeded fault and what noticed it. A check without any counts as absent.
    pub(crate) controls: Vec<String>,
    /// Parts that could not run, by subject (an engine, a part of the check), with the reason.
    pub(crate) gaps: BTreeMap<String, String>,
}

/// Why a check gave no evidence.
pub(crate) enum Failure {
    /// Something is wrong with the product, or a control went unnoticed.
    Failed(String),
    /// It could not run here: what is missing, and what to do.
    NotRun(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// What a check comes to.
pub(crate) type Verdict = Result<Evidence, Failure>;

impl Evidence {
    /// With what another part of the check found.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.engines.extend(other.engines);
        self.lines.extend(other.lines);
        self.controls.extend(other.controls);
        self.gaps.extend(other.gaps);
        self
    }

    /// Fails unless something was checked and a fault was seeded and caught.
    pub(crate) fn complete(self) -> Verdict {
        if self.lines.is_empty() {
            return Err(Failure::Failed("it says nothing of what it checked".into()));
        }
        if self.controls.is_empty() {
            return Err(Failure::Failed(
                "no control: a check that no seeded fault has tried counts as absent".into(),
            ));
        }
        Ok(self)
    }
}

/// Sums of counts: `avx: 3 messages` and `avx: 4 messages` make `avx: 7 messages`.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<(String, String), u64>);

impl Tally {
    /// Adds `COUNT WHAT` of a subject; without a count in front the line stands for itself.
    pub(crate) fn add(&mut self, subject: &str, text: &str) {
        let (count, what) = match text.split_once(' ') {
            Some((count, what)) => match count.parse() {
                Ok(count) => (count, what),
                Err(_) => (0, text),
            },
            None => (0, text),
        };
        *self.0.entry((subject.into(), what.into())).or_default() += count;
    }

    /// A line for each subject.
    pub(crate) fn lines(self) -> Vec<String> {
        let mut lines: Vec<(String, String)> = Vec::new();
        for ((subject, what), count) in self.0 {
            let part = if count == 0 {
                what
            } else {
                format!("{count} {what}")
            };
            match lines.last_mut() {
                Some((last, text)) if *last == subject => *text += &format!(", {part}"),
                _ => lines.push((subject, part)),
            }
        }
        lines
            .into_iter()
            .map(|(subject, text)| format!("{subject}: {text}"))
            .collect()
    }
}
