//! Reads files with secrets; every failure has exit code 4.

use core::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use carryless_file::container::{Error, Header, Passphrase, Slot};
use carryless_file::key_file::unprotect;
use zeroize::Zeroizing;

use crate::exit::{Code, Failure, show};
use crate::input::read_full;
use crate::passphrase::from_command;
use crate::prompt;

/// How a call reads them.
pub struct Reader {
    /// Those too that others than their owner may read.
    others: bool,
    /// What a try of a passphrase may take.
    max_kdf_kib: u32,
    /// What prints the passphrase of key files.
    command: Option<String>,
    /// That passphrase, when a key file has opened with it.
    passphrase: RefCell<Option<Passphrase>>,
}

impl Reader {
    /// One that takes what others may read, or not; with limits on the work for a passphrase, and a command for
    /// that of key files.
    pub const fn new(others: bool, max_kdf_kib: u32, command: Option<String>) -> Self {
        Self {
            others,
            max_kdf_kib,
            command,
            passphrase: RefCell::new(None),
        }
    }

    /// KiB that a try of a passphrase may take.
    pub const fn max_kdf_kib(&self) -> u32 {
        self.max_kdf_kib
    }

    /// The text of a key file under a passphrase, which is asked for once as long as it fits.
    pub fn unprotect(&self, content: &[u8], name: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let fail = |error| refuse(name, error);
        let header = Header::parse(content).map_err(|error| fail(error.into()))?;
        check_memory(&header, self.max_kdf_kib).map_err(fail)?;
        if let Some(known) = self.passphrase.borrow().as_ref() {
            match unprotect(content, known) {
                Err(Error::Passphrase) => {}
                opened => return opened.map_err(|error| fail(error.into())),
            }
        }
        let passphrase = match &self.command {
            Some(command) => from_command(command)?,
            None => prompt::of_key_file(name)?,
        };
        let text = unprotect(content, &passphrase).map_err(|error| fail(error.into()))?;
        self.passphrase.replace(Some(passphrase));
        Ok(text)
    }

    /// The content, up to a limit, of a file that its owner alone may read, of one that the system
    /// protects, or of a pipe.
    pub fn content(
        &self,
        path: &Path,
        name: &str,
        limit: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let refuse = |error| refuse(name, error);
        let mut file = File::open(path)
            .context("can't be opened")
            .map_err(refuse)?;
        let exposed = || Ok(readable_by_others(&file)? && !system::protects(&file, path)?);
        let exposed: io::Result<bool> = if self.others { Ok(false) } else { exposed() };
        if exposed.context("can't be examined").map_err(refuse)? {
            let failure = refuse(anyhow::anyhow!("others than its owner may read it"));
            return Err(failure.hint(format!(
                "if what is in it is still secret: chmod 600 {}; --allow-readable-by-others takes it as it is",
                show(path)
            )));
        }
        read_at_most(&mut file, limit)
            .context("can't be read")
            .map_err(refuse)
    }
}

/// Fails if a slot for a passphrase takes more memory than it may.
pub fn check_memory(header: &Header, max_kib: u32) -> anyhow::Result<()> {
    let wanted = header.slots().filter_map(|slot| match slot {
        Slot::Passphrase { cost } => Some(cost.memory_kib()),
        _ => None,
    });
    match wanted.max() {
        Some(kib) if kib > max_kib => Err(anyhow::anyhow!(
            "a try of its passphrase takes {kib} KiB, and --max-kdf-memory allows {max_kib}"
        )),
        _ => Ok(()),
    }
}

/// A failure to get the secret that a file has.
pub fn refuse(name: &str, error: anyhow::Error) -> Failure {
    Failure::new(Code::Key, error.context(name.to_string()))
}

pub use system::readable_by_others;

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use rustix::fs::{StatVfsMountFlags, fstatvfs};

    use crate::identity::{named, state};

    /// Whether group or world have any right to a regular file; an access list shows as rights of the group.
    pub fn readable_by_others(file: &File) -> io::Result<bool> {
        let metadata = file.metadata()?;
        Ok(metadata.is_file() && metadata.mode() & 0o077 != 0)
    }

    /// Whether the system keeps a file for who was given it: on a read-only mount, as containers get
    /// their secrets, or as a credential of a service.
    pub(super) fn protects(file: &File, path: &Path) -> io::Result<bool> {
        let read_only = fstatvfs(file)?.f_flag.contains(StatVfsMountFlags::RDONLY);
        Ok(read_only || is_credential(file, path)?)
    }

    /// Whether a file that its owner alone may change lies directly in `CREDENTIALS_DIRECTORY`.
    fn is_credential(file: &File, path: &Path) -> io::Result<bool> {
        let Some(directory) = std::env::var_os("CREDENTIALS_DIRECTORY") else {
            return Ok(false);
        };
        let (metadata, path) = (file.metadata()?, path.canonicalize()?);
        let (file, _, _) = state(&metadata);
        let place = path.parent().and_then(named);
        Ok(metadata.mode() & 0o022 == 0
            && named(&path) == Some(file)
            && place.is_some()
            && place == named(directory.as_ref()))
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub fn readable_by_others(_: &File) -> io::Result<bool> {
        Ok(false)
    }

    pub(super) fn protects(_: &File, _: &Path) -> io::Result<bool> {
        Ok(true)
    }
}

/// Reads into a buffer that never moves, so that it can be wiped.
pub fn read_at_most(file: &mut impl Read, limit: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut content = Zeroizing::new(vec![0; limit]);
    let len = read_full(file, &mut content)?;
    content.truncate(len);
    Ok(content)
}
