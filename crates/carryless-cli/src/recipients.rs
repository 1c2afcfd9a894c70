//! Reads identities and recipients; every failure has exit code 4.

use std::path::{Path, PathBuf};

use carryless_file::key_file::{is_protected, parse_identity};
use carryless_file::recipient::{Identity, MAX_LIST_LEN, Recipient, parse_list};

use crate::exit::{Failure, show};
use crate::key_file::PROTECTED_LIMIT;
use crate::secret_file::{Reader, refuse};

/// The identity in the file `path`, which may be a pipe.
pub fn identity(path: &Path, reader: &Reader) -> Result<Identity, Failure> {
    let name = format!("identity file {}", show(path));
    let mut content = reader.content(path, &name, PROTECTED_LIMIT)?;
    if is_protected(&content) {
        content = reader.unprotect(&content, &name)?;
    }
    parse_identity(&content).map_err(|error| refuse(&name, error.into()))
}

/// The recipients that were named, and those in files.
pub fn all(named: &[Recipient], files: &[PathBuf]) -> Result<Vec<Recipient>, Failure> {
    // Who reads them does not matter.
    let reader = Reader::new(true, 0, None);
    let mut recipients = named.to_vec();
    for path in files {
        let name = format!("recipients file {}", show(path));
        let content = reader.content(path, &name, MAX_LIST_LEN + 1)?;
        recipients.extend(parse_list(&content).map_err(|error| refuse(&name, error.into()))?);
    }
    Ok(recipients)
}
