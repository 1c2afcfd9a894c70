//! Files as they are elsewhere: with names.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use super::Mode;

pub fn own_mode(_: &Metadata) -> Option<u32> {
    None
}

pub fn new_mode(_: Mode<'_>) -> Option<u32> {
    None
}

pub fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

pub fn set_owner(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

pub fn most_open() -> usize {
    usize::MAX
}

/// There is nothing to do for new names.
pub struct Directory;

impl Directory {
    pub fn open(_: &Path) -> io::Result<Self> {
        Ok(Self)
    }

    #[expect(clippy::unused_self, reason = "as on Unix")]
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// A lock would keep the file from being replaced.
pub fn lock(_: &Path) -> Option<File> {
    None
}
