//! Where outputs go, and what none of them may replace.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::args::Target;
use crate::exit::{Failure, show};
use crate::identity::{self, Identity, STDIN, STDOUT, identity_of};
use crate::input::Named;
use crate::output::directory_of;

/// The name that an output has of its input.
type Derived = fn(&Path) -> Result<PathBuf, Failure>;

/// The names of the outputs of one call.
pub struct Targets<'a> {
    output: Option<&'a Path>,
    /// The output is a directory, in which each target has the name that is derived from its input.
    into: bool,
    derived: Derived,
    /// Numbers of inputs whose target another has.
    losers: BTreeSet<usize>,
}

impl<'a> Targets<'a> {
    /// For `-o`, `-f` and the inputs of a call. With several inputs `-o` is a directory, and if it ends like one.
    pub fn new(target: &'a Target, inputs: &[PathBuf], derived: Derived) -> Result<Self, Failure> {
        let output = target.output.as_deref();
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
        let mut targets = Self {
            output,
            into: into.is_some(),
            derived,
            losers: BTreeSet::new(),
        };
        targets.losers = targets.losers(inputs, target.force);
        Ok(targets)
    }

    /// Inputs that can't have their targets, as another has them: an earlier one, unless nothing can become of that.
    fn losers(&self, inputs: &[PathBuf], force: bool) -> BTreeSet<usize> {
        let mut places = Places::default();
        let mut given = BTreeMap::new();
        let mut losers = BTreeSet::new();
        for (number, input) in inputs.iter().enumerate() {
            let Ok(target) = self.target(Some(input)) else {
                continue;
            };
            let target = or_stream(target.as_deref(), STDOUT);
            // As of `rekey`, of which the output replaces the input.
            let replaces = force || target == input;
            match given.entry(places.of(target, replaces)) {
                Entry::Vacant(entry) => {
                    entry.insert((number, input));
                }
                Entry::Occupied(entry) if can_be_input(entry.get().1) => {
                    losers.insert(number);
                }
                Entry::Occupied(mut entry) => {
                    let (absent, _) = entry.insert((number, input));
                    losers.insert(absent);
                }
            }
        }
        losers
    }

    /// Whether they have names of their inputs.
    pub const fn are_derived(&self) -> bool {
        self.output.is_none() || self.into
    }

    /// The target of an input; none is standard output. It is where `-o` says, or has the derived name.
    pub fn of(&self, named: Named<'_>) -> Result<Option<PathBuf>, Failure> {
        let target = self.target(named.path)?;
        if self.losers.contains(&named.number) {
            let place = or_stream(target.as_deref(), STDOUT);
            let error = format!("{}: two inputs have this target", show(place));
            return Err(Failure::usage(error).hint("one call for each, with -o, names others"));
        }
        Ok(target)
    }

    fn target(&self, input: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
        let input = input.filter(|path| path.as_os_str() != "-");
        let derived = |input| (self.derived)(input);
        match (self.output, input) {
            (Some(directory), Some(input)) if self.into => {
                let name = derived(input)?;
                Ok(Some(directory.join(name.file_name().unwrap_or_default())))
            }
            (Some(directory), None) if self.into => {
                let error = format!("{}: standard input has no name there", show(directory));
                Err(Failure::usage(error).hint("-o names a file"))
            }
            (Some(output), _) => Ok(Some(output.into())),
            (None, Some(input)) => derived(input).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// A directory, and a name in it.
type Place = (Option<Identity>, OsString);

/// Where names lead, however they are written.
#[derive(Default)]
struct Places(BTreeMap<PathBuf, Option<Identity>>);

impl Places {
    /// What replaces follows links, also to what is not there yet.
    fn of(&mut self, target: &Path, replaces: bool) -> Place {
        let mut target = Cow::Borrowed(target);
        let links = if replaces { MOST_LINKS } else { 0 };
        for _ in 0..links {
            let Ok(next) = target.read_link() else { break };
            target = directory_of(&target).join(next).into();
        }
        let directory = directory_of(&target);
        let find = || identity::named(directory);
        let known = self.0.entry(directory.into()).or_insert_with(find);
        let name = match (&known, target.file_name()) {
            (Some(_), Some(name)) => name,
            _ => target.as_os_str(),
        };
        // Where case makes no difference, mostly.
        let folded = match cfg!(any(windows, target_vendor = "apple")) {
            true => name.to_ascii_lowercase(),
            false => name.into(),
        };
        (known.to_owned(), folded)
    }
}

/// More than the system follows.
const MOST_LINKS: usize = 40;

/// Whether something can become of an input, as far as its name tells.
fn can_be_input(path: &Path) -> bool {
    path.as_os_str() == "-" || path.is_file()
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
