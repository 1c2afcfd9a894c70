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
    /// Other checks whose tests ran and passed with engines that machines of this kind lack, by check; and, behind
    /// [`VECTORS`], the algorithms whose published vectors engines pass.
    pub(crate) earned: BTreeMap<String, BTreeSet<String>>,
}

/// How tests of C1 say which algorithm an engine gives the published answers for: `123 vectors of CCM, NIST`.
pub(crate) const VECTORS: &str = "vectors of ";

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

/// For commands that are no checks.
impl From<Failure> for String {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Failed(why) | Failure::NotRun(why) => why,
        }
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
        self.earn(other.earned);
        self
    }

    /// With what was earned elsewhere.
    pub(crate) fn earn(&mut self, earned: BTreeMap<String, BTreeSet<String>>) {
        for (check, engines) in earned {
            self.earned.entry(check).or_default().extend(engines);
        }
    }

    /// Notes the algorithm of which a test says that an engine passes published vectors.
    pub(crate) fn earn_algorithm(&mut self, engine: &str, text: &str) {
        let Some((_, what)) = text.split_once(VECTORS) else {
            return;
        };
        let algorithm = what.split(',').next().unwrap_or(what);
        let key = format!("{VECTORS}{algorithm}");
        self.earned.entry(key).or_default().insert(engine.into());
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

/// What is wrong in the parts of a check, engines for one: a part that fails must not hide another.
#[derive(Default)]
pub(crate) struct Faults {
    failed: Vec<String>,
    not_run: Vec<String>,
}

impl Faults {
    /// What came of a part, if it did not fail.
    pub(crate) fn keep<T>(&mut self, part: Result<T, impl Into<Failure>>) -> Option<T> {
        match part.map_err(Into::into) {
            Ok(found) => return Some(found),
            Err(Failure::Failed(why)) => self.failed.push(why),
            Err(Failure::NotRun(why)) => self.not_run.push(why),
        }
        None
    }

    /// With those of other parts.
    pub(crate) fn extend(&mut self, other: Self) {
        self.failed.extend(other.failed);
        self.not_run.extend(other.not_run);
    }

    /// All of them as one failure, unless there are none. That the check could not run it says only if
    /// no part failed.
    pub(crate) fn none(self) -> Result<(), Failure> {
        let Self { failed, not_run } = self;
        if failed.is_empty() && not_run.is_empty() {
            return Ok(());
        }
        if failed.is_empty() {
            return Err(Failure::NotRun(not_run.join("\n")));
        }
        let not_run = not_run.into_iter().map(|why| format!("not run: {why}"));
        let all = Vec::from_iter(failed.into_iter().chain(not_run));
        Err(Failure::Failed(match &*all {
            [one] => one.clone(),
            many => format!("{} faults:\n{}", many.len(), many.join("\n")),
        }))
    }
}

/// The evidence of all parts; if some fail, all of those.
pub(crate) fn together(parts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut faults = Faults::default();
    let found = parts.into_iter().filter_map(|part| faults.keep(part));
    let evidence = found.fold(Evidence::default(), Evidence::and);
    faults.none().map(|()| evidence)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(why: &str) -> Verdict {
        Err(Failure::Failed(why.into()))
    }

    fn not_run(why: &str) -> Verdict {
        Err(Failure::NotRun(why.into()))
    }

    #[test]
    fn every_part_that_fails_is_named() {
        let parts = [failed("avx: 1"), not_run("no clang"), failed("aesni: 2")];
        let Err(Failure::Failed(all)) = together(parts) else {
            panic!("two parts failed");
        };
        assert_eq!(all, "3 faults:\navx: 1\naesni: 2\nnot run: no clang");
        let alone = together([Ok(Evidence::default()), failed("avx: 1")]);
        assert!(matches!(alone, Err(Failure::Failed(all)) if all == "avx: 1"));
    }

    #[test]
    fn parts_that_could_not_run_are_no_faults_and_no_evidence() {
        let parts = [not_run("no cc"), Ok(Evidence::default()), not_run("no CPU")];
        assert!(matches!(together(parts), Err(Failure::NotRun(all)) if all == "no cc\nno CPU"));
        assert!(together([Ok(Evidence::default())]).is_ok());
    }
}
