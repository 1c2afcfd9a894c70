//! Files as they are elsewhere: with names.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use super::Mode;
use crate::exit::{Failure, show};

pub fn refuse_source(path: &Path, _: &Metadata, mode: Mode<'_>) -> Result<(), Failure> {
    let Mode::Like(source) = mode else {
        return Ok(());
    };
    let same = |source: &std::path::PathBuf| source.canonicalize().ok() == path.canonicalize().ok();
    if source.path.as_ref().is_some_and(same) {
        return Err(
            Failure::usage(format!("{}: the target is the input", show(path)))
                .hint("-o names another"),
        );
    }
    Ok(())
}

pub fn same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize()
        .is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

pub fn own_mode(_: &Metadata) -> Option<u32> {
    None
}

pub fn new_mode(_: Mode<'_>) -> Option<u32> {
    None
}

pub fn set_mode(_: &File, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

pub fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}
