//! A copy of the sources in which changes are made, built, and met by the test programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::places::Place;
use super::program::{Fate, Program, Stage, met};
use super::switched::{self, Switched};
use crate::run::{command, output, root};

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
        Ok(self.compile(words)?.ok())
    }

    /// Builds test programs, or gives what the compiler says is wrong.
    fn compile(&self, words: &[String]) -> Result<Result<Vec<Program>, Vec<Value>>, String> {
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
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        Ok(if output.status.success() {
            Ok(messages
                .filter_map(|message| Program::read(&message))
                .collect())
        } else {
            let errors = messages.filter(|message| message["message"]["level"] == "error");
            Err(errors
                .map(|mut message| message["message"].take())
                .collect())
        })
    }

    /// Fails unless everything passes as it stands; what that takes says how long changes are given.
    pub(super) fn unchanged(&self, stages: &[Stage<'_>]) -> Result<(), String> {
        for stage in stages {
            if self.build(&stage.build)?.is_none() {
                return Err(format!("cargo test {} fails", stage.build.join(" ")));
            }
            for program in &stage.programs {
                program.unchanged()?;
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
            let Some(built) = self.build(&stage.build)? else {
                return Ok(Fate::Unviable);
            };
            // A program that lies elsewhere knows nothing of the change.
            let replaced = |program: &&&Program| built.iter().any(|other| other.replaces(program));
            if let Some(program) = stage.programs.iter().find(replaced) {
                return Err(format!(
                    "cargo test {} builds another {}",
                    stage.build.join(" "),
                    program.name()
                ));
            }
            if met(&stage.programs, 0)? == Fate::Killed {
                return Ok(Fate::Killed);
            }
        }
        Ok(Fate::Survived)
    }

    /// Builds test programs with switches of all changes that can be such; the programs, and the numbers of those
    /// changes, counted from 1.
    pub(super) fn switch(
        &self,
        places: &[Place],
        build: &[String],
    ) -> Result<(Vec<Program>, BTreeSet<usize>), String> {
        let mut wanted: BTreeMap<usize, &Place> = (1..).zip(places).collect();
        let names: BTreeSet<&str> = places.iter().map(|place| &*place.file).collect();
        let roots = names.iter().map(|file| self.crate_root(file));
        let roots: BTreeSet<String> = roots.collect::<Result<_, _>>()?;
        let mut codes = BTreeMap::new();
        for file in names.into_iter().chain(roots.iter().map(String::as_str)) {
            let code = fs::read_to_string(self.folder.join(file));
            codes.insert(file, code.map_err(|error| format!("{file}: {error}"))?);
        }
        loop {
            let files = self.write(&codes, &roots, &wanted)?;
            let errors = match self.compile(build)? {
                Ok(programs) => {
                    let parts = files.values().flat_map(|file| &file.parts);
                    return Ok((programs, parts.map(|(number, _)| *number).collect()));
                }
                Err(errors) => errors,
            };
            let faulty: BTreeSet<usize> = errors
                .iter()
                .flat_map(|error| switched::at_fault(error, &files))
                .collect();
            if faulty.is_empty() {
                let texts = errors.iter().filter_map(|error| error["rendered"].as_str());
                let texts = Vec::from_iter(texts).join("\n");
                return Err(format!("switches do not compile:\n{texts}"));
            }
            wanted.retain(|number, _| !faulty.contains(number));
        }
    }

    /// The file that a source's crate begins with.
    fn crate_root(&self, file: &str) -> Result<String, String> {
        let source = file.rfind("src/").map(|at| &file[..at + 4]);
        let source = source.ok_or_else(|| format!("{file}: of no crate"))?;
        let roots = ["lib.rs", "main.rs"].map(|name| format!("{source}{name}"));
        let there = roots
            .into_iter()
            .find(|root| self.folder.join(root).is_file());
        there.ok_or_else(|| format!("{file}: its crate has no beginning"))
    }

    /// Writes files with the switches of these changes in them.
    fn write(
        &self,
        codes: &BTreeMap<&str, String>,
        roots: &BTreeSet<String>,
        wanted: &BTreeMap<usize, &Place>,
    ) -> Result<BTreeMap<String, Switched>, String> {
        let mut made = BTreeMap::new();
        for (file, code) in codes {
            let of_file = wanted.iter().filter(|(_, place)| place.file == *file);
            let places: Vec<(usize, &Place)> = of_file.map(|(n, place)| (*n, *place)).collect();
            let failed = |error: String| format!("{file}: {error}");
            let mut switched = switched::switched(code, &places).map_err(failed)?;
            if roots.contains(*file) {
                switched.code += switched::ROOT;
            }
            let path = self.folder.join(file);
            fs::write(path, &switched.code).map_err(|error| failed(error.to_string()))?;
            made.insert((*file).to_owned(), switched);
        }
        Ok(made)
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
