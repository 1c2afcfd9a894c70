//! A file that nobody finds under the name of its target before it is complete.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use self::system::{link_to, unnamed};
use crate::signals::Temporary;

/// A file in the directory of its target, readable by its owner.
pub enum Hidden {
    /// Without a name: nothing is left of it, whatever ends the program.
    Unnamed(File),
    /// With a name that is recognised, where the system has no files without.
    Named(NamedTempFile, Temporary),
}

impl Hidden {
    pub fn create(directory: &Path) -> io::Result<Self> {
        if let Some(file) = unnamed(directory) {
            return Ok(Self::Unnamed(file));
        }
        let (file, temporary) = Temporary::make(|| builder().tempfile_in(directory))?;
        Ok(Self::Named(file, temporary))
    }

    pub fn file(&self) -> &File {
        match self {
            Self::Unnamed(file) => file,
            Self::Named(file, _) => file.as_file(),
        }
    }

    pub fn file_mut(&mut self) -> &mut File {
        match self {
            Self::Unnamed(file) => file,
            Self::Named(file, _) => file.as_file_mut(),
        }
    }

    /// Gives it the name `target` in its directory. A new target must not be there yet; another one is replaced. Whatever the
    /// result, the program leaves no other name.
    pub fn place(self, directory: &Path, target: &Path, is_new: bool) -> io::Result<()> {
        match self {
            Self::Unnamed(file) if is_new => link_to(&file, target),
            Self::Unnamed(file) => {
                // What replaces another file needs a name of its own for the moment between two calls.
                let link = |name: &Path| link_to(&file, name);
                let (named, temporary) = Temporary::make(|| builder().make_in(directory, link))?;
                temporary.rename(|| named.persist(target).map_err(io::Error::from))
            }
            Self::Named(file, temporary) => temporary.rename(|| {
                let placed = match is_new {
                    true => file.persist_noclobber(target),
                    false => file.persist(target),
                };
                // With the error goes the file, while signals are kept away.
                placed.map(|_| ()).map_err(io::Error::from)
            }),
        }
    }
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

    use rustix::fs::{AtFlags, CWD, OFlags, fstatfs, linkat};

    /// Where open files have names, by which those without any get theirs.
    const OPEN: &str = "/proc/self/fd";

    /// The systems of which it is known that what was flushed without a name is there under the later one after a crash: ext4, XFS
    /// and tmpfs. Btrfs before Linux 6.16 passes over files without names when they are flushed.
    const SAFE: [rustix::fs::FsWord; 3] = [0xef53, 0x5846_5342, 0x0102_1994];

    /// A file without a name in the directory; nothing where there is none to be had.
    pub(super) fn unnamed(directory: &Path) -> Option<File> {
        let flags = i32::try_from(OFlags::TMPFILE.bits()).ok()?;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).mode(0o600);
        let file = options.custom_flags(flags).open(directory).ok()?;
        let is_safe = SAFE.contains(&fstatfs(&file).ok()?.f_type);
        (is_safe && Path::new(OPEN).exists()).then_some(file)
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

    pub(super) fn unnamed(_: &Path) -> Option<File> {
        None
    }

    pub(super) fn link_to(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
