//! A file that nobody finds under the name of its target before it is complete.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use self::system::{link, unnamed};
use crate::signals::Temporary;

/// A file in the directory of its target, readable by its owner.
pub enum Hidden {
    /// Without a name: whatever ends the program, nothing is left of it.
    Unnamed(File),
    /// With a name that is recognised, where the system has no files without.
    Named(NamedTempFile, Temporary),
}

impl Hidden {
    pub fn create(directory: &Path) -> io::Result<Self> {
        unnamed(directory).map_or_else(|| Self::named(directory), |file| Ok(Self::Unnamed(file)))
    }

    fn named(directory: &Path) -> io::Result<Self> {
        let (file, temporary) = Temporary::make(|| named().tempfile_in(directory))?;
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

    /// Makes it visible as `target` in that directory, which is not there yet if it is `new`. Whatever the result, no other name is left.
    pub fn place(self, directory: &Path, target: &Path, new: bool) -> io::Result<File> {
        match self {
            Self::Unnamed(file) if new => link(&file, target).map(|()| file),
            Self::Unnamed(file) => {
                // What replaces another file needs a name of its own for the moment between two calls.
                let link = |name: &Path| link(&file, name);
                let (named, temporary) = Temporary::make(|| named().make_in(directory, link))?;
                temporary.rename(|| named.persist(target).map_err(io::Error::from))?;
                Ok(file)
            }
            Self::Named(file, temporary) => temporary.rename(|| match new {
                true => Ok(file.persist_noclobber(target)?),
                false => Ok(file.persist(target)?),
            }),
        }
    }
}

/// How the names begin and end.
fn named() -> Builder<'static, 'static> {
    let mut named = Builder::new();
    named.prefix(".carryless-").suffix(".tmp");
    named
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, OFlags, linkat};

    /// Where open files have names, by which those without any get theirs.
    const OPEN: &str = "/proc/self/fd";

    /// A file without a name in the directory; nothing where there is none to be had.
    pub(super) fn unnamed(directory: &Path) -> Option<File> {
        let flags = i32::try_from(OFlags::TMPFILE.bits()).ok()?;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).mode(0o600);
        let file = options.custom_flags(flags).open(directory).ok()?;
        Path::new(OPEN).exists().then_some(file)
    }

    /// Gives it a name that nothing has.
    pub(super) fn link(file: &File, name: &Path) -> io::Result<()> {
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

    pub(super) fn link(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
