//! Standard streams that are closed: before a program in Rust begins, the null device is put in their place.

use std::fs::File;
use std::io;

use crate::exit::Failure;

/// What messages call it.
pub const STDOUT: &str = "standard output";

/// Standard output without Rust's line buffer: what was written is out. Fails if it is closed.
pub fn stdout() -> Result<File, Failure> {
    let file = raw_stdout().map_err(|error| Failure::io(STDOUT, "can't be opened", error))?;
    refuse(&file, STDOUT)?;
    Ok(file)
}

fn raw_stdout() -> io::Result<File> {
    #[cfg(unix)]
    let owned = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let owned = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(owned.into())
}

/// Fails if the stream, which has this name, is what stands for a closed one: the null device, opened for reading
/// and writing. Shells open it for one of them.
#[cfg(unix)]
pub fn refuse(stream: &File, name: &str) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{OFlags, fcntl_getfl};

    let device = |found: io::Result<std::fs::Metadata>| found.ok().map(|found| found.rdev());
    let null = device(std::fs::metadata("/dev/null")).filter(|device| *device != 0);
    let both = fcntl_getfl(stream).is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR);
    if both && null.is_some() && device(stream.metadata()) == null {
        let error = io::Error::other("it is closed, or /dev/null for both reading and writing");
        return Err(Failure::io(name, "can't be used", error).hint("name a file, or redirect it"));
    }
    Ok(())
}

/// Elsewhere a closed stream is an error when it is used.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub fn refuse(_: &File, _: &str) -> Result<(), Failure> {
    Ok(())
}
