//! A file beside its target, which it becomes when it is complete.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::system::{Directory, lock, set_mode, set_owner};
use crate::exit::{Failure, show};
use crate::identity::state;
use crate::signals::Temporary;

/// Where the temporary file of a target lies: beside it, recognisable, and readable by its owner.
const PREFIX: &str = ".carryless-";
const SUFFIX: &str = ".tmp";

/// A temporary file that becomes the target.
pub struct Beside {
    pub file: NamedTempFile,
    temporary: Temporary,
    directory: Directory,
    target: PathBuf,
    /// What is replaced, as it was.
    pub replaced: Option<Metadata>,
    mode: Option<u32>,
}

impl Beside {
    pub fn create(
        target: PathBuf,
        replaced: Option<Metadata>,
        mode: Option<u32>,
    ) -> io::Result<Self> {
        let directory = Directory::open(directory_of(&target))?;
        let (file, temporary) = Temporary::make(|| {
            let mut named = tempfile::Builder::new();
            let named = named.prefix(PREFIX).suffix(SUFFIX);
            named.tempfile_in(directory_of(&target)).map_err(unnamed)
        })?;
        Ok(Self {
            file,
            temporary,
            directory,
            target,
            replaced,
            mode,
        })
    }

    /// Fails if what is to be replaced is not what it was; otherwise it stays so for others of this program until the lock goes.
    pub fn lock_unchanged(&self) -> Result<Option<File>, ()> {
        let Some(before) = self.replaced.as_ref().map(state) else {
            return Ok(None);
        };
        let lock = lock(&self.target);
        let now = fs::metadata(&self.target).ok();
        match now.map(|now| state(&now)) {
            Some(now) if now == before => Ok(lock),
            _ => Err(()),
        }
    }

    /// Makes it visible under the target's name.
    pub fn place(self, directories: &mut Directories) -> io::Result<()> {
        let Self { file, target, .. } = self;
        let (replaced, new) = (self.replaced.as_ref(), self.replaced.is_none());
        // Whatever the result, the temporary file is gone.
        let placed = self.temporary.rename(|| {
            if new {
                file.persist_noclobber(&target)
            } else {
                file.persist(&target)
            }
        });
        // Only now: whenever it ends before, what it leaves is readable by its owner alone.
        let file = placed?;
        let same_group = replaced.map_or(Ok(true), |replaced| set_owner(&file, replaced));
        // What the old group had is not for another.
        let mode = |same| {
            self.mode
                .map(|mode| if same { mode } else { mode & !0o070 })
        };
        let settled = same_group.and_then(|same| set_mode(&file, mode(same)));
        if settled.is_err() && new {
            fs::remove_file(&target)?;
        } else {
            directories.add(self.directory, target, new);
        }
        settled
    }
}

/// Directories in which names were given, and the new names: one flush makes all of a directory durable.
#[derive(Default)]
pub struct Directories(BTreeMap<PathBuf, (Directory, Vec<PathBuf>)>);

impl Directories {
    fn add(&mut self, directory: Directory, target: PathBuf, new: bool) {
        let path = directory_of(&target);
        // As that of a target that is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.into());
        let (_, names) = self.0.entry(path).or_insert((directory, Vec::new()));
        names.extend(new.then_some(target));
    }

    /// Makes the names durable. Where that fails the new ones go again: nothing is there that may not outlive a crash.
    pub fn flush(self) -> Vec<Failure> {
        let mut failures = Vec::new();
        for (path, (directory, names)) in self.0 {
            let Err(error) = directory.sync() else {
                continue;
            };
            for name in names {
                let _ = fs::remove_file(name);
            }
            let what = "can't be flushed to the disk, and what is new in it is removed again";
            failures.push(Failure::io(&show(&path), what, error));
        }
        failures
    }
}

/// The error without the temporary name, which nobody knows.
fn unnamed(error: io::Error) -> io::Error {
    let (kind, said) = (error.kind(), error.to_string());
    let what = said
        .split_once(" at path ")
        .map(|(what, _)| what.to_string());
    what.map_or(error, |what| io::Error::new(kind, what))
}

/// The directory that a file is in.
fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}
