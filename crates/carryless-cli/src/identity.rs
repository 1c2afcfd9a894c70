//! Whether two names are those of one file.

use std::path::Path;

/// Names of the streams that have none, where the system has names for them.
pub const STDIN: &str = "/dev/stdin";
pub const STDOUT: &str = "/dev/stdout";

/// What all names of a file have in common: device and number.
#[cfg(unix)]
pub type Identity = (u64, u64);
/// What names of a file have in common, if they are not links.
#[cfg(not(unix))]
pub type Identity = std::path::PathBuf;

/// Which file has this name.
#[cfg(unix)]
pub fn named(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;

    let found = path.metadata().ok()?;
    Some((found.dev(), found.ino()))
}

/// Which file has this name.
#[cfg(not(unix))]
pub fn named(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}

/// Whether this is standard input.
pub fn is_stdin(path: &Path) -> bool {
    named(path).is_some_and(|file| named(STDIN.as_ref()) == Some(file))
}
