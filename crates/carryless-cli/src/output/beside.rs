//! A file beside its target, which it becomes when it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::system::{Directory, lock, set_mode};
use crate::identity::{State, state};
use crate::signals;

/// Where the temporary file of a target lies: beside it, recognisable, and readable by its owner.
const PREFIX: &str = ".carryless-";
const SUFFIX: &str = ".tmp";

/// A temporary file that becomes the target.
pub struct Beside {
    pub file: NamedTempFile,
    directory: Directory,
    target: PathBuf,
    /// What is replaced, as it was.
    pub replaced: Option<State>,
    mode: Option<u32>,
}

impl Beside {
    pub fn create(target: PathBuf, replaced: Option<State>, mode: Option<u32>) -> io::Result<Self> {
        let directory = Directory::open(directory_of(&target))?;
        let mut registered = signals::hold();
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .tempfile_in(directory_of(&target))?;
        *registered = Some(file.path().into());
        Ok(Self {
            file,
            directory,
            target,
            replaced,
            mode,
        })
    }

    /// Fails if what is to be replaced is not what it was; otherwise it stays so for others of this program until the lock goes.
    pub fn lock_unchanged(&self) -> Result<Option<File>, ()> {
        let Some(before) = self.replaced else {
            return Ok(None);
        };
        let lock = lock(&self.target);
        let now = fs::metadata(&self.target).ok();
        match now.map(|now| state(&now)) {
            Some(now) if now == before => Ok(lock),
            _ => Err(()),
        }
    }

    /// Makes it durable, and only then visible under the target's name.
    pub fn commit(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let mut registered = signals::hold();
        let persisted = if self.replaced.is_some() {
            self.file.persist(&self.target)
        } else {
            self.file.persist_noclobber(&self.target)
        };
        // Whatever the result, the temporary file is gone.
        *registered = None;
        // Only now: whenever it ends before, what it leaves is readable by its owner alone.
        let settled = set_mode(&persisted?, self.mode).and_then(|()| self.directory.sync());
        if settled.is_err() && self.replaced.is_none() {
            fs::remove_file(&self.target)?;
        }
        settled
    }
}

/// The directory that a file is in.
fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}
