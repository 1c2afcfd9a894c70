//! A file beside its target, which it becomes when it is complete.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::attributes::Attributes;
use super::directory_of;
use super::hidden::{Hidden, takes_unnamed};
use super::system::{Directory, lock, set_mode, set_owner};
use crate::exit::{Failure, show};
use crate::identity::state;
use crate::pipeline::lock as hold;

/// A hidden file that becomes the target.
pub struct Beside {
    pub file: Hidden,
    pub directory: Arc<Place>,
    target: PathBuf,
    replaced: Option<Replaced>,
    mode: Option<u32>,
}

/// What is replaced, as it was.
pub struct Replaced {
    pub found: Metadata,
    pub attributes: Attributes,
}

impl Replaced {
    /// Gives a file to whom the other belonged, as far as the system lets; what of its mode nobody has who had it not.
    fn give(&self, file: &File, mode: u32) -> io::Result<u32> {
        let same_group = set_owner(file, &self.found)?;
        let same_list = self.attributes.give(file, same_group);
        Ok(match (same_group, same_list) {
            (true, true) => mode,
            // Members of the old group are others now.
            (false, true) => mode & (0o700 | mode >> 3 & 0o7),
            (_, false) => mode & 0o700,
        })
    }
}

impl Beside {
    pub fn create(
        target: PathBuf,
        replaced: Option<Replaced>,
        mode: Option<u32>,
        directories: &Directories,
    ) -> io::Result<Self> {
        let directory = directories.open(directory_of(&target))?;
        let target = directory.join(target);
        let file =
            Hidden::create(&directory.path, directory.takes_unnamed).map_err(without_path)?;
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
        let Some(Replaced { found: before, .. }) = &self.replaced else {
            return Ok(None);
        };
        let lock = lock(&self.target);
        let now = fs::metadata(&self.target).ok();
        match now.map(|now| state(&now)) {
            Some(now) if now == state(before) => Ok(lock),
            _ => Err(()),
        }
    }

    /// Gives it the rights that the target is to have, and makes it durable: it is whole.
    pub fn flush(&mut self) -> io::Result<()> {
        self.settle()?;
        self.file.flush(&self.directory.path).map_err(without_path)
    }

    /// Makes it visible under the target's name.
    pub fn place(self) -> io::Result<()> {
        let is_new = self.replaced.is_none();
        let (directory, target) = (self.directory, self.target);
        let placed = self.file.place(&directory.path, &target, is_new);
        placed.map_err(without_path)?;
        directory.add(target, is_new);
        Ok(())
    }

    /// Gives it owner and rights; until now it was readable by who runs the program alone.
    fn settle(&self) -> io::Result<()> {
        let Some(mode) = self.mode else { return Ok(()) };
        let file = &self.file.file;
        let replaced = self.replaced.as_ref();
        let mode = replaced.map_or(Ok(mode), |replaced| replaced.give(file, mode))?;
        set_mode(file, mode)
    }
}

/// Directories in which names are given: one flush makes all of a directory durable.
#[derive(Default)]
pub struct Directories(Mutex<Opened>);

#[derive(Default)]
struct Opened {
    places: Vec<Arc<Place>>,
    /// By all names that they were asked for as.
    by_name: BTreeMap<OsString, Arc<Place>>,
}

/// A directory, and names in it.
pub struct Place {
    /// From the root, whatever it was asked for as: where it leads is the same until it is flushed.
    path: PathBuf,
    directory: Directory,
    takes_unnamed: bool,
    /// Those that were not there before; nothing if none at all was given.
    names: Mutex<Option<Vec<PathBuf>>>,
}

impl Directories {
    /// Opens a directory before there is anything to lose, once.
    fn open(&self, path: &Path) -> io::Result<Arc<Place>> {
        let mut opened = hold(&self.0);
        if let Some(place) = opened.by_name.get(path.as_os_str()) {
            return Ok(place.clone());
        }
        let whole = path.canonicalize().unwrap_or_else(|_| path.into());
        let known = opened.places.iter().find(|place| place.path == whole);
        let place = match known {
            Some(place) => place.clone(),
            None => {
                let place = Arc::new(Place::open(whole, path)?);
                opened.places.push(place.clone());
                place
            }
        };
        opened.by_name.insert(path.into(), place.clone());
        Ok(place)
    }

    /// How many are open.
    pub fn len(&self) -> usize {
        hold(&self.0).places.len()
    }

    /// Makes the names durable, and closes the directories.
    pub fn flush(&self) -> Vec<Failure> {
        let places = core::mem::take(&mut *hold(&self.0)).places;
        let flushed = places.iter().map(|place| place.flush());
        flushed.filter_map(Result::err).collect()
    }
}

impl Place {
    fn open(path: PathBuf, asked_for: &Path) -> io::Result<Self> {
        let directory = Directory::open(asked_for)?;
        let takes_unnamed = takes_unnamed(&path);
        let names = Mutex::new(None);
        Ok(Self {
            path,
            directory,
            takes_unnamed,
            names,
        })
    }

    /// What is in it under the name of the target; the target itself if that ends in no name.
    fn join(&self, target: PathBuf) -> PathBuf {
        let whole = target.as_os_str().as_encoded_bytes();
        let name = target.file_name();
        match name.filter(|name| whole.ends_with(name.as_encoded_bytes())) {
            Some(name) => self.path.join(name),
            None => target,
        }
    }

    fn add(&self, target: PathBuf, new: bool) {
        let mut names = hold(&self.names);
        let names = names.get_or_insert_default();
        names.extend(new.then_some(target));
    }

    /// Makes the names durable. Where that fails the new ones go again: nothing is there that may not outlive a crash.
    pub fn flush(&self) -> Result<(), Failure> {
        let Some(new) = hold(&self.names).take() else {
            return Ok(());
        };
        self.directory.sync().map_err(|error| {
            for name in new {
                let _ = fs::remove_file(name);
            }
            let what = "can't be flushed to the disk, and what is new in it is removed again";
            Failure::io(&show(&self.path), what, error)
        })
    }
}

/// The error without the path of a hidden file, which nobody knows.
fn without_path(error: io::Error) -> io::Error {
    let (kind, said) = (error.kind(), error.to_string());
    let what = said
        .split_once(" at path ")
        .map(|(what, _)| what.to_string());
    what.map_or(error, |what| io::Error::new(kind, what))
}
