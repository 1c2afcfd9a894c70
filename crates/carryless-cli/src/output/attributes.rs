//! What Linux keeps of a file beside owner, group and rights: a POSIX access list, and attributes that users give.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::io::Errno;
use xattr::FileExt;

/// The access list. Where there is one, the rights of the group in the mode are the most that any but the owner and the
/// others have (POSIX 1003.1e, draft 17, section 23.1).
const LIST: &str = "system.posix_acl_access";

/// Of a file that is to be replaced.
pub struct Attributes {
    list: io::Result<Option<Vec<u8>>>,
    of_users: Vec<(OsString, Vec<u8>)>,
}

impl Attributes {
    /// What the file has, as far as the system tells.
    pub fn of(path: &Path) -> Self {
        let names = xattr::list_deref(path).into_iter().flatten();
        let of_users = names.filter(|name| name.as_bytes().starts_with(b"user."));
        let with_value = |name| {
            let value = xattr::get_deref(path, &name).ok()??;
            Some((name, value))
        };
        Self {
            list: or_none(xattr::get_deref(path, LIST)),
            of_users: of_users.filter_map(with_value).collect(),
        }
    }

    /// Gives them to what replaces that file; whether it has the same access list, or none too.
    pub fn give(&self, file: &File) -> bool {
        for (name, value) in &self.of_users {
            let _ = file.set_xattr(name, value);
        }
        match &self.list {
            Ok(Some(list)) => file.set_xattr(LIST, list).is_ok(),
            // The directory may have given it one.
            Ok(None) => or_none(file.remove_xattr(LIST).map(Some)).is_ok(),
            Err(_) => false,
        }
    }
}

/// Nothing, where there is none or the file system has none at all.
fn or_none<T>(result: io::Result<Option<T>>) -> io::Result<Option<T>> {
    match result {
        Err(error)
            if [Errno::NODATA, Errno::OPNOTSUPP]
                .map(|none| Some(none.raw_os_error()))
                .contains(&error.raw_os_error()) =>
        {
            Ok(None)
        }
        result => result,
    }
}

/// What the group of a file may do of what its mode says, which without an access list is all.
pub fn rights_of_group(file: &File) -> u32 {
    match or_none(file.get_xattr(LIST)) {
        Ok(None) => 0o7,
        Ok(Some(list)) => group_of(&list).unwrap_or(0),
        Err(_) => 0,
    }
}

/// The rights of the owning group in an access list: 4 bytes of version 2, then 2 bytes of what an entry is for, 2 of rights
/// and 4 of an id, all little-endian (Linux, `posix_acl_xattr.h`).
fn group_of(list: &[u8]) -> Option<u32> {
    const OF_GROUP: [u8; 2] = [4, 0];
    let (version, entries) = list.split_first_chunk()?;
    let entry = entries
        .chunks_exact(8)
        .find(|entry| entry.starts_with(&OF_GROUP))?;
    (u32::from_le_bytes(*version) == 2).then(|| u32::from(entry[2] & 7))
}
