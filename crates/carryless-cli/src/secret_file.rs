//! Reads files with secrets; every failure has exit code 4.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Context;
use zeroize::Zeroizing;

use crate::exit::{Code, Failure, show};
use crate::input::read_full;

/// How a call reads them.
pub struct Reader {
    /// Those too that others than their owner may read.
    others: bool,
}

impl Reader {
    /// One that takes what others may read, or not.
    pub const fn new(others: bool) -> Self {
        Self { others }
    }

    /// The content, up to a limit, of a file that its owner alone may read, of one that the system
    /// protects, or of a pipe.
    pub fn content(
        &self,
        path: &Path,
        name: &str,
        limit: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let refuse = |error| refuse(name, error);
        let mut file = File::open(path)
            .context("can't be opened")
            .map_err(refuse)?;
        let exposed = || Ok(readable_by_others(&file)? && !system::protects(&file, path)?);
        let exposed: io::Result<bool> = if self.others { Ok(false) } else { exposed() };
        if exposed.context("can't be examined").map_err(refuse)? {
            let failure = refuse(anyhow::anyhow!("others than its owner may read it"));
            return Err(failure.hint(format!(
                "if what is in it is still secret: chmod 600 {}; --allow-readable-by-others takes it as it is",
                show(path)
            )));
        }
        read_at_most(&mut file, limit)
            .context("can't be read")
            .map_err(refuse)
    }
}

/// A failure to get the secret that a file has.
pub fn refuse(name: &str, error: anyhow::Error) -> Failure {
    Failure::new(Code::Key, error.context(name.to_string()))
}

pub use system::readable_by_others;

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use rustix::fs::{StatVfsMountFlags, fstatvfs};

    use crate::identity::{named, state};

    /// Whether group or world have any right to a regular file; an access list shows as rights of the group.
    pub fn readable_by_others(file: &File) -> io::Result<bool> {
        let metadata = file.metadata()?;
        Ok(metadata.is_file() && metadata.mode() & 0o077 != 0)
    }

    /// Whether the system keeps a file for who was given it: on a read-only mount, as containers get
    /// their secrets, or as a credential of a service.
    pub(super) fn protects(file: &File, path: &Path) -> io::Result<bool> {
        let read_only = fstatvfs(file)?.f_flag.contains(StatVfsMountFlags::RDONLY);
        Ok(read_only || is_credential(file, path)?)
    }

    /// Whether a file that its owner alone may change lies directly in `CREDENTIALS_DIRECTORY`.
    fn is_credential(file: &File, path: &Path) -> io::Result<bool> {
        let Some(directory) = std::env::var_os("CREDENTIALS_DIRECTORY") else {
            return Ok(false);
        };
        let (metadata, path) = (file.metadata()?, path.canonicalize()?);
        let (file, _, _) = state(&metadata);
        let place = path.parent().and_then(named);
        Ok(metadata.mode() & 0o022 == 0
            && named(&path) == Some(file)
            && place.is_some()
            && place == named(directory.as_ref()))
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub fn readable_by_others(_: &File) -> io::Result<bool> {
        Ok(false)
    }

    pub(super) fn protects(_: &File, _: &Path) -> io::Result<bool> {
        Ok(true)
    }
}

/// Reads into a buffer that never moves, so that it can be wiped.
fn read_at_most(file: &mut File, limit: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut content = Zeroizing::new(vec![0; limit]);
    let len = read_full(file, &mut content)?;
    content.truncate(len);
    Ok(content)
}
