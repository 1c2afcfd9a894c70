//! Test programs, and what they say of a change.

use core::fmt;
use core::time::Duration;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::switched;
use crate::{builds, programs};

/// A test program that runs longer has noticed the change, unless it takes long without any.
const LIMIT: Duration = Duration::from_secs(120);
/// What it may take without any change.
const UNCHANGED: Duration = Duration::from_secs(3600);

/// A test program as cargo built it.
pub(super) struct Program {
    built: programs::Program,
    /// What it takes without any change.
    took: OnceLock<Duration>,
}

impl Program {
    pub(super) fn read(message: &Value) -> Option<Self> {
        let built = programs::Program::read(message).filter(|program| program.is_test)?;
        let took = OnceLock::new();
        Some(Self { built, took })
    }

    /// The target of cargo that it was made of.
    pub(super) fn name(&self) -> &str {
        &self.built.name
    }

    /// Whether it belongs to the package.
    pub(super) fn is_of(&self, package: &str) -> bool {
        self.built.folder.ends_with(package)
    }

    /// Whether it is made of the same target as the other, be it built with other ones.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        let (a, b) = (&self.built, &other.built);
        (&a.folder, &a.name) == (&b.folder, &b.name)
    }

    /// Whether it lies elsewhere than the other of the same target.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        self.is_as(other) && self.built.path != other.built.path
    }

    /// What it took without any change, if that is known.
    pub(super) fn took(&self) -> Option<Duration> {
        self.took.get().copied()
    }

    /// Fails unless its tests pass without any change; how long they take says what they are given with one.
    pub(super) fn unchanged(&self) -> Result<(), String> {
        let began = Instant::now();
        if !self.passes(0, UNCHANGED)? {
            let path = self.built.path.display();
            return Err(format!("a test fails without any change: {path}"));
        }
        self.took.get_or_init(|| began.elapsed());
        Ok(())
    }

    /// Whether all its tests pass with the change that is chosen by its number, 0 for none, in time; it ends at the
    /// first that does not.
    fn passes(&self, chosen: usize, limit: Duration) -> Result<bool, String> {
        let mut run = self.built.command();
        run.args(["-Zunstable-options", "--fail-fast"])
            // The harness of a stable compiler takes that option so.
            .env("RUSTC_BOOTSTRAP", "1")
            .envs([builds::QUICK])
            .env(switched::VARIABLE, chosen.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut run, 0);
        let failed = |error| format!("{}: {error}", self.built.path.display());
        let mut child = run.spawn().map_err(failed)?;
        let began = Instant::now();
        let passed = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status.success(),
                None if began.elapsed() > limit => break false,
                None => thread::sleep(Duration::from_millis(10)),
            }
        };
        let _ = child.kill();
        // What it started, too.
        let group = format!("-{}", child.id());
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status();
        let _ = child.wait();
        Ok(passed)
    }
}

/// What became of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Killed,
    Survived,
    /// It does not compile.
    Unviable,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Killed => "noticed",
            Self::Unviable => "does not compile",
            Self::Survived => "survived",
        })
    }
}

/// What is built, and which programs meet the change then.
pub(super) struct Stage<'p> {
    pub(super) build: Vec<String>,
    pub(super) programs: Vec<&'p Program>,
}

impl<'p> Stage<'p> {
    /// Takes these in place of those of the same targets: what is built for a change lies elsewhere than what was
    /// built together with other targets.
    pub(super) fn take(&mut self, rebuilt: &'p [Program]) {
        for program in &mut self.programs {
            if let Some(other) = rebuilt.iter().find(|other| other.is_as(program)) {
                *program = other;
            }
        }
    }
}

/// What programs say of the change that is chosen by its number; 0 chooses none, which leaves what is built in.
pub(super) fn met<'s, 'p: 's>(
    programs: impl IntoIterator<Item = &'s &'p Program>,
    chosen: usize,
) -> Result<Fate, String> {
    for program in programs {
        let limit = program.took().map_or(LIMIT, |took| LIMIT.max(3 * took));
        if !program.passes(chosen, limit)? {
            return Ok(Fate::Killed);
        }
    }
    Ok(Fate::Survived)
}
