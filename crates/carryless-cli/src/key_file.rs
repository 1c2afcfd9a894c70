//! Reads a file with a secret; every failure has exit code 4.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Context;
use carryless_file::cobblestone::Key;
use carryless_file::gcm;
use carryless_file::key_file::{self, MAX_LEN};
use zeroize::Zeroizing;

use crate::exit::{Code, Failure, show};
use crate::input::read_full;

/// The key in the file `path`, which may be a pipe.
pub fn read(path: &Path) -> Result<Key, Failure> {
    let name = format!("key file {}", show(path));
    let content = read_private(path, &name, MAX_LEN + 1)?;
    key_file::parse(&content).map_err(|error| refuse(&name, error.into()))
}

/// The key for GCM messages in the file `path`.
pub fn read_gcm(path: &Path) -> Result<gcm::Key, Failure> {
    let name = format!("key file {}", show(path));
    let content = read_private(path, &name, MAX_LEN + 1)?;
    key_file::parse_gcm(&content).map_err(|error| refuse(&name, error.into()))
}

/// The content, up to a limit, of a file that its owner alone may read, or of a pipe.
pub fn read_private(path: &Path, name: &str, limit: usize) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let refuse = |error| refuse(name, error);
    let mut file = File::open(path)
        .context("can't be opened")
        .map_err(refuse)?;
    if readable_by_others(&file)
        .context("can't be examined")
        .map_err(refuse)?
    {
        return Err(
            refuse(anyhow::anyhow!("others than its owner may read it")).hint(format!(
                "if what is in it is still secret: chmod 600 {}",
                show(path)
            )),
        );
    }
    read_at_most(&mut file, limit)
        .context("can't be read")
        .map_err(refuse)
}

fn refuse(name: &str, error: anyhow::Error) -> Failure {
    Failure::new(Code::Key, error.context(name.to_string()))
}

/// Whether group or world have any right to a regular file.
#[cfg(unix)]
pub fn readable_by_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    let metadata = file.metadata()?;
    Ok(metadata.is_file() && metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
pub fn readable_by_others(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Reads into a buffer that never moves, so that it can be wiped.
fn read_at_most(file: &mut File, limit: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut content = Zeroizing::new(vec![0; limit]);
    let len = read_full(file, &mut content)?;
    content.truncate(len);
    Ok(content)
}
