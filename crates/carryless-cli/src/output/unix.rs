//! Files as Unix has them: with numbers, rights, and directories that can be flushed.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::Mode;

pub fn own_mode(target: &Metadata) -> Option<u32> {
    Some(target.permissions().mode() & 0o777)
}

pub fn new_mode(mode: Mode<'_>) -> Option<u32> {
    let source = match mode {
        Mode::Private => return Some(0o600),
        Mode::New => None,
        Mode::Like(source) => source.metadata.as_ref(),
    };
    let file = source.filter(|metadata| metadata.is_file());
    let wanted = file.map_or(0o666, |metadata| metadata.permissions().mode() & 0o777);
    // There is no way but setting it to learn it; nothing else runs that makes files.
    let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    rustix::process::umask(mask);
    #[allow(clippy::useless_conversion, reason = "16 bits on macOS")]
    let mask = u32::from(mask.as_raw_mode());
    Some(wanted & !mask)
}

pub fn set_mode(file: &File, mode: Option<u32>) -> io::Result<()> {
    mode.map_or(Ok(()), |mode| {
        file.set_permissions(Permissions::from_mode(mode))
    })
}

/// Makes the new name durable, where the file system knows how.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory)?.sync_all() {
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
