//! Where outputs go, and what none of them may replace.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use crate::exit::{Failure, show};
use crate::identity::{Identity, STDIN, STDOUT, identity_of};

/// The names of the outputs of one call.
pub struct Targets<'a> {
    output: Option<&'a Path>,
    /// The output is a directory, in which each target has the name that is derived from its input.
    into: bool,
    /// The targets so far.
    given: BTreeSet<OsString>,
}

impl<'a> Targets<'a> {
    /// For the option `-o` and the inputs of a call. With several inputs `-o` is a directory, and if it ends like one.
    pub fn new(output: Option<&'a Path>, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let several = inputs.len() > 1;
        let into = output.filter(|output| several || ends_as_directory(output));
        if let Some(absent) = into.filter(|directory| !directory.is_dir()) {
            let error = format!("{}: it is no directory", show(absent));
            return Err(Failure::usage(error).hint(if several {
                "several inputs need one: make it, or leave -o out"
            } else {
                "make it, or leave the last / out"
            }));
        }
        Ok(Self {
            output,
            into: into.is_some(),
            given: BTreeSet::new(),
        })
    }

    /// The target of an input; none is standard output. It is where `-o` says, or has the derived name.
    pub fn next(
        &mut self,
        input: Option<&Path>,
        derived: impl FnOnce(&Path) -> Result<PathBuf, Failure>,
    ) -> Result<Option<PathBuf>, Failure> {
        let target = match (self.output, input) {
            (Some(directory), Some(input)) if self.into => {
                Some(directory.join(derived(input)?.file_name().unwrap_or_default()))
            }
            (Some(directory), None) if self.into => {
                let error = format!("{}: standard input has no name there", show(directory));
                return Err(Failure::usage(error).hint("-o names a file"));
            }
            (Some(output), _) => Some(output.into()),
            (None, Some(input)) => Some(derived(input)?),
            (None, None) => None,
        };
        let place = or_stream(target.as_deref(), STDOUT);
        // However it is written.
        let parts = place.components().filter(|part| *part != Component::CurDir);
        let name = parts.collect::<PathBuf>();
        if !self.given.insert(name.into()) {
            let error = format!("{}: two inputs have this target", show(place));
            return Err(Failure::usage(error).hint("one call for each, with -o, names others"));
        }
        Ok(target)
    }
}

/// What not even `--force` replaces, as it is read or opens what is written.
#[derive(Default)]
pub struct Kept<'a> {
    inputs: &'a [PathBuf],
    secrets: Vec<PathBuf>,
    /// Which files those are, once a target is there that may be one of them.
    files: OnceLock<BTreeMap<Identity, &'static str>>,
}

impl<'a> Kept<'a> {
    /// The inputs, or standard input if none is named, and the secrets of a call.
    pub fn new(inputs: &'a [PathBuf], secrets: impl Iterator<Item = PathBuf>) -> Self {
        Self {
            inputs,
            secrets: secrets.collect(),
            files: OnceLock::new(),
        }
    }

    /// Fails if the target, which is `found` there, must stay.
    pub fn refuse(&self, target: Option<&Path>, found: &Metadata) -> Result<(), Failure> {
        let place = or_stream(target, STDOUT);
        let file = Some(found).filter(|found| found.is_file());
        let file = file.and_then(|found| identity_of(place, found));
        match file.and_then(|file| self.files().get(&file)) {
            None => Ok(()),
            Some(what) => {
                let error = format!("{}: the target is {what}", show(place));
                Err(Failure::usage(error).hint("-o names another"))
            }
        }
    }

    fn files(&self) -> &BTreeMap<Identity, &'static str> {
        self.files.get_or_init(|| {
            let stdin = self.inputs.is_empty().then(|| regular(STDIN.as_ref()));
            let inputs = self.inputs.iter();
            let inputs = inputs.map(|path| regular(or_stream(Some(path), STDIN)));
            let inputs = inputs.chain(stdin).flatten();
            let secrets = self.secrets.iter().filter_map(|path| regular(path));
            (inputs.map(|file| (file, "an input")))
                .chain(secrets.map(|file| (file, "a key, passphrase or recipients file")))
                .collect()
        })
    }
}

/// What a path on the command line is the name of.
fn or_stream<'a>(path: Option<&'a Path>, stream: &'a str) -> &'a Path {
    path.filter(|path| path.as_os_str() != "-")
        .unwrap_or(stream.as_ref())
}

fn ends_as_directory(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    last.is_some_and(|last| std::path::is_separator(char::from(*last)))
}

/// Which file this is: devices and pipes may be at both ends.
fn regular(path: &Path) -> Option<Identity> {
    let found = path.metadata().ok().filter(Metadata::is_file)?;
    identity_of(path, &found)
}
