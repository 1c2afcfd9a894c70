//! Where outputs go, and what none of them may replace.

use core::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::exit::{Failure, show};
use crate::identity::{Identity, STDIN, STDOUT, identity_of};

/// The outputs of one call.
pub struct Targets<'a> {
    output: Option<&'a Path>,
    /// The output is a directory, in which each target has the name that is derived from its input.
    into: bool,
    /// What not even `--force` replaces, as it is read or opens what is written: inputs and secrets.
    read: (&'a [PathBuf], Vec<PathBuf>),
    /// Which files those are, once a target is there that may be one of them.
    kept: OnceCell<BTreeMap<Identity, &'static str>>,
    /// The targets so far.
    given: BTreeSet<PathBuf>,
}

impl<'a> Targets<'a> {
    /// For the option `-o`, the inputs and the secrets of a call. With several inputs `-o` is a directory, and
    /// if it ends like one.
    pub fn new(
        output: Option<&'a Path>,
        inputs: &'a [PathBuf],
        secrets: impl Iterator<Item = PathBuf>,
    ) -> Result<Self, Failure> {
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
            read: (inputs, secrets.collect()),
            kept: OnceCell::new(),
            given: BTreeSet::new(),
        })
    }

    /// What a file is that must stay.
    fn is_kept(&self, file: &Identity) -> Option<&'static str> {
        let (inputs, secrets) = &self.read;
        let kept = self.kept.get_or_init(|| {
            let stdin = inputs.is_empty().then(|| regular(STDIN.as_ref()));
            let inputs = inputs
                .iter()
                .map(|path| regular(or_stream(Some(path), STDIN)));
            let inputs = inputs.chain(stdin).flatten();
            let secrets = secrets.iter().filter_map(|path| regular(path));
            (inputs.map(|file| (file, "an input")))
                .chain(secrets.map(|file| (file, "a key, passphrase or recipients file")))
                .collect()
        });
        kept.get(file).copied()
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
        if let Some(what) = regular(place).and_then(|file| self.is_kept(&file)) {
            let error = format!("{}: the target is {what}", show(place));
            return Err(Failure::usage(error).hint("-o names another"));
        }
        if !self.given.insert(place.into()) {
            let error = format!("{}: two inputs have this target", show(place));
            return Err(Failure::usage(error).hint("one call for each, with -o, names others"));
        }
        Ok(target)
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
