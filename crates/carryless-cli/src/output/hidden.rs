//! A file that nobody finds under the name of its target before it is complete.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{Builder, TempPath};

pub use self::system::takes_unnamed;
use self::system::{link_to, unnamed};
use crate::signals::Temporary;

/// A file in the directory of its target. As long as it is written it has no name, where the system has such files: nothing is left of
/// it, whatever ends the program. Then, and elsewhere from the start, it has one that is recognised.
pub struct Hidden {
    pub file: File,
    name: Option<Name>,
}

type Name = (TempPath, Temporary);

impl Hidden {
    /// A new one, readable by its owner; without a name, if the directory takes those.
    pub fn create(directory: &Path, takes_unnamed: bool) -> io::Result<Self> {
        let unnamed = takes_unnamed.then(|| unnamed(directory));
        if let Some(Ok(file)) = unnamed {
            return Ok(Self { file, name: None });
        }
        let (file, temporary) = Temporary::make(|| builder().tempfile_in(directory))?;
        let (file, path) = file.into_parts();
        let name = Some((path, temporary));
        Ok(Self { file, name })
    }

    /// Makes it durable. What is flushed without a name may not outlive a crash: Btrfs before Linux 6.16 passes it over, ext2 and
    /// ext4 without a journal do not write that it has got one.
    pub fn flush(&mut self, directory: &Path) -> io::Result<()> {
        if self.name.is_none() {
            self.name = Some(name(&self.file, directory)?);
        }
        self.file.sync_all()
    }

    /// Gives it the name of its target. A new target must not be there yet; another one is replaced. Whatever the result, the
    /// program leaves no other name.
    pub fn place(self, directory: &Path, target: &Path, is_new: bool) -> io::Result<()> {
        let (path, temporary) = match self.name {
            Some(name) => name,
            None => name(&self.file, directory)?,
        };
        temporary.rename(|| {
            let placed = match is_new {
                true => path.persist_noclobber(target),
                false => path.persist(target),
            };
            // With the error goes the old name, while signals are kept away.
            placed.map_err(io::Error::from)
        })
    }
}

/// Gives a file without a name one that is recognised.
fn name(file: &File, directory: &Path) -> io::Result<Name> {
    let link = |name: &Path| link_to(file, name);
    let (named, temporary) = Temporary::make(|| builder().make_in(directory, link))?;
    Ok((named.into_temp_path(), temporary))
}

/// Makes names by which what is left is recognised.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".carryless-").suffix(".tmp");
    builder
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, OFlags, linkat, statfs};

    /// Where open files have names, by which those without any get theirs.
    const OPEN: &str = "/proc/self/fd";

    /// The systems of which it is known that they give names to files without, and where another name costs little: ext2 to ext4, and
    /// XFS. On tmpfs it is a good part of the time of a short file.
    const NAMING: [rustix::fs::FsWord; 2] = [0xef53, 0x5846_5342];

    /// Whether a directory takes files without names, and names for them.
    pub fn takes_unnamed(directory: &Path) -> bool {
        let system = statfs(directory).map(|system| system.f_type);
        system.is_ok_and(|system| NAMING.contains(&system)) && Path::new(OPEN).exists()
    }

    /// A file without a name in the directory.
    pub(super) fn unnamed(directory: &Path) -> io::Result<File> {
        let flags = i32::try_from(OFlags::TMPFILE.bits()).map_err(io::Error::other)?;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).mode(0o600);
        options.custom_flags(flags).open(directory)
    }

    /// Gives it a name that nothing has.
    pub(super) fn link_to(file: &File, name: &Path) -> io::Result<()> {
        let open = format!("{OPEN}/{}", file.as_raw_fd());
        Ok(linkat(CWD, open, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub const fn takes_unnamed(_: &Path) -> bool {
        false
    }

    pub(super) fn unnamed(_: &Path) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn link_to(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
