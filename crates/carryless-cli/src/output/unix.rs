//! Files as Unix has them: with numbers, rights, and directories that can be flushed.

use core::time::Duration;
use std::fs::{File, Metadata, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;
use std::sync::{Once, OnceLock};
use std::thread;

use super::Mode;
use super::attributes::limit;
use crate::exit::show;
use crate::print;

pub fn own_mode(target: &Metadata) -> Option<u32> {
    Some(target.permissions().mode() & 0o777)
}

pub fn new_mode(mode: Mode<'_>) -> Option<u32> {
    let source = match mode {
        Mode::Private => return Some(0o600),
        Mode::New => None,
        Mode::Like(source) => source.metadata.as_ref().zip(Some(source.as_file())),
    };
    let source = source.filter(|(metadata, _)| metadata.is_file());
    let wanted = source.map_or(0o666, |(metadata, file)| {
        metadata.permissions().mode() & limit(file)
    });
    Some(wanted & !umask())
}

/// What new files do not get.
fn umask() -> u32 {
    static MASK: OnceLock<u32> = OnceLock::new();
    *MASK.get_or_init(|| {
        // There is no way but setting it to learn it; whatever is made meanwhile is its owner's alone.
        let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        rustix::process::umask(mask);
        #[allow(clippy::useless_conversion, reason = "16 bits on macOS")]
        u32::from(mask.as_raw_mode())
    })
}

pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Gives the file to whom that belonged which it replaces, as far as the system lets; whether its group is the same. Numbers that
/// look the same may be those of groups that are not known here, which can't be given.
pub fn set_owner(file: &File, replaced: &Metadata) -> io::Result<bool> {
    let now = file.metadata()?;
    let (owner, group) = (replaced.uid(), replaced.gid());
    let other = (now.uid() != owner).then_some(owner);
    let given = fchown(file, other, Some(group)).is_ok() || fchown(file, None, Some(group)).is_ok();
    Ok(given)
}

/// Files that are open beside inputs, outputs and directories.
const OTHERS: u64 = 16;

/// How many outputs may wait for a call, by what the system allows.
pub fn most_open() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    // Of each: an input, its output, one that waits, what that replaces, and two directories.
    let limit = limit.map(|limit| limit.saturating_sub(OTHERS) / 6);
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(usize::MAX)
}

/// A directory whose new names are to be durable; none if its owner lets nobody look into it, as that of a drop box.
pub struct Directory(Option<File>);

impl Directory {
    /// Opens it, before there is anything to lose.
    pub fn open(path: &Path) -> io::Result<Self> {
        match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                static SAID: Once = Once::new();
                SAID.call_once(|| {
                    print::warning(&format!(
                        "{}: the directory can't be read, so that a new name in it may not outlive a crash",
                        show(path)
                    ));
                });
                Ok(Self(None))
            }
            opened => opened.map(Some).map(Self),
        }
    }

    /// Makes the new names durable, where the file system knows how.
    pub fn sync(&self) -> io::Result<()> {
        let Self(Some(directory)) = self else {
            return Ok(());
        };
        match directory.sync_all() {
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            result => result,
        }
    }
}

/// Keeps other calls of this program from replacing the file while the lock is there, if it can be had: others hold it for the
/// time of a rename.
pub fn lock(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    for _ in 0..100 {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::Error(_)) => break,
        }
    }
    None
}
