//! A copy of the sources in which changes are made, built, and met by the test programs.

use core::cell::Cell;
use core::fmt;
use core::time::Duration;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::places::Place;
use crate::run::{command, output, root};

/// A test program that runs longer has noticed the change, unless it takes long without any.
const LIMIT: Duration = Duration::from_secs(120);
/// What it may take without any change.
const UNCHANGED: Duration = Duration::from_secs(3600);

/// A test program as cargo built it.
pub(super) struct Program {
    /// The folder of its package.
    folder: PathBuf,
    /// The target of cargo that it was made of.
    pub(super) name: String,
    path: PathBuf,
    /// What it may take with a change: some times what it takes without.
    limit: Cell<Duration>,
}

impl Program {
    fn read(message: &Value) -> Option<Self> {
        let manifest = Path::new(message["manifest_path"].as_str()?);
        let is_test = message["profile"]["test"] == true;
        is_test.then_some(())?;
        Some(Self {
            folder: manifest.parent()?.into(),
            name: message["target"]["name"].as_str()?.into(),
            path: message["executable"].as_str()?.into(),
            limit: Cell::new(LIMIT),
        })
    }

    /// Whether it belongs to the package.
    pub(super) fn is_of(&self, package: &str) -> bool {
        self.folder.ends_with(package)
    }

    /// Whether all its tests pass, in time; it ends at the first that does not.
    fn passes(&self, limit: Duration) -> Result<bool, String> {
        let mut run = Command::new(&self.path);
        run.args(["-Zunstable-options", "--fail-fast"])
            // The harness of a stable compiler takes that option so.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARRYLESS_TEST_QUICK", "1")
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut run, 0);
        let failed = |error| format!("{}: {error}", self.path.display());
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

/// The copy.
pub(super) struct Tree {
    pub(super) folder: PathBuf,
}

impl Tree {
    /// Copies the sources of this checkout, and what was built of them.
    pub(super) fn copy(name: &str) -> Result<Self, String> {
        let folder = root().join("target/mutants").join(name);
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        let listed = output(
            "git",
            &["ls-files", "--cached", "--others", "--exclude-standard"],
        )?;
        for file in listed.lines() {
            copy_file(&root().join(file), &folder.join(file)).map_err(failed)?;
        }
        let built = folder.join("target/debug");
        fs::create_dir_all(&built).map_err(failed)?;
        for part in [".fingerprint", "build", "deps"] {
            let from = root().join("target/debug").join(part);
            if from.is_dir() {
                output(
                    "cp",
                    &["-a", &from.to_string_lossy(), &built.to_string_lossy()],
                )?;
            }
        }
        Ok(Self { folder })
    }

    /// Builds test programs; `None` if that fails.
    pub(super) fn build(&self, words: &[String]) -> Result<Option<Vec<Program>>, String> {
        let output = command(
            "cargo",
            &["test", "--quiet", "--no-run", "--message-format=json"],
        )
        .args(words)
        .current_dir(&self.folder)
        .stderr(Stdio::null())
        .env("CARGO_TARGET_DIR", self.folder.join("target"))
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let programs = messages.filter_map(|message| Program::read(&message));
        Ok(output.status.success().then(|| programs.collect()))
    }

    /// Fails unless everything passes as it stands; what that takes says how long changes are given.
    pub(super) fn unchanged(&self, stages: &[Stage<'_>]) -> Result<(), String> {
        for stage in stages {
            if self.build(&stage.build)?.is_none() {
                return Err(format!("cargo test {} fails", stage.build.join(" ")));
            }
            for program in &stage.programs {
                let began = Instant::now();
                if !program.passes(UNCHANGED)? {
                    let path = program.path.display();
                    return Err(format!("a test fails without any change: {path}"));
                }
                program.limit.set(LIMIT.max(3 * began.elapsed()));
            }
        }
        Ok(())
    }

    /// Makes a change, and takes it back.
    pub(super) fn meet(&self, place: &Place, stages: &[Stage<'_>]) -> Result<Fate, String> {
        let path = self.folder.join(&place.file);
        let failed = |error| format!("{}: {error}", path.display());
        let code = fs::read_to_string(&path).map_err(failed)?;
        fs::write(&path, place.changed(&code)).map_err(failed)?;
        let fate = self.fate(stages);
        fs::write(&path, code).map_err(failed)?;
        fate
    }

    fn fate(&self, stages: &[Stage<'_>]) -> Result<Fate, String> {
        for stage in stages {
            if self.build(&stage.build)?.is_none() {
                return Ok(Fate::Unviable);
            }
            for program in &stage.programs {
                if !program.passes(program.limit.get())? {
                    return Ok(Fate::Killed);
                }
            }
        }
        Ok(Fate::Survived)
    }
}

/// Files of the library keep their time, so that it need not be built again. The others are newer than what was
/// built: test programs have paths of their checkout in them.
fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    // One that was deleted and not yet committed.
    if !from.is_file() {
        return Ok(());
    }
    fs::copy(from, to)?;
    if from.starts_with(root().join("crates/carryless")) {
        let time = fs::metadata(from)?.modified()?;
        File::options().write(true).open(to)?.set_modified(time)?;
    }
    Ok(())
}
