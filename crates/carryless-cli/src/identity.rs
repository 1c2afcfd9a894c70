//! Whether two names are those of one file.

use std::fs::Metadata;
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

/// What a file is as long as nobody writes to it: place, length and times.
#[cfg(unix)]
pub type State = (Identity, u64, [i64; 4]);
/// What a file is as long as nobody writes to it: length and time.
#[cfg(not(unix))]
pub type State = (u64, Option<std::time::SystemTime>);

/// What this file is now.
#[cfg(unix)]
pub fn state(file: &Metadata) -> State {
    use std::os::unix::fs::MetadataExt;

    let times = [
        file.mtime(),
        file.mtime_nsec(),
        file.ctime(),
        file.ctime_nsec(),
    ];
    ((file.dev(), file.ino()), file.len(), times)
}

/// What this file is now.
#[cfg(not(unix))]
pub fn state(file: &Metadata) -> State {
    (file.len(), file.modified().ok())
}

/// Which file has this name, of which the system says so much.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it may not be known")]
pub fn identity_of(_: &Path, found: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;

    Some((found.dev(), found.ino()))
}

/// Which file has this name.
#[cfg(not(unix))]
pub fn identity_of(path: &Path, _: &Metadata) -> Option<Identity> {
    path.canonicalize().ok()
}

/// Which file has this name.
pub fn named(path: &Path) -> Option<Identity> {
    identity_of(path, &path.metadata().ok()?)
}

/// Whether this is standard input.
pub fn is_stdin(path: &Path) -> bool {
    named(path).is_some_and(|file| named(STDIN.as_ref()) == Some(file))
}
