//! Standard streams that are closed: before a program in Rust begins, the null device is put in their place.

use crate::exit::Failure;

/// Fails if the stream, which has this name, is what stands for a closed one: the null device, opened for reading
/// and writing. Shells open it for one of them.
#[cfg(unix)]
pub fn refuse(stream: &std::fs::File, name: &str) -> Result<(), Failure> {
    use std::io;
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
pub fn refuse(_: &std::fs::File, _: &str) -> Result<(), Failure> {
    Ok(())
}
