//! What Linux keeps of a file beside owner, group and rights: a POSIX access list, and attributes that users give.

use std::ffi::OsString;
use std::fs::{File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::io::Errno;
use xattr::FileExt;

/// The access list. Where there is one, the rights of the group in the mode are the most that any but the owner and the
/// others have (POSIX 1003.1e, draft 17, section 23.1).
const LIST: &str = "system.posix_acl_access";

/// What a file that is to be replaced leaves to the one that comes.
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

    /// No list and no attributes.
    pub const fn none() -> Self {
        Self {
            list: Ok(None),
            of_users: Vec::new(),
        }
    }

    /// Gives them to what replaces that file, the access list only if it has the same group; whether it then has the list that it is to have, or
    /// none.
    pub fn give(&self, file: &File, same_group: bool) -> bool {
        self.give_of_users(file);
        match &self.list {
            Ok(Some(list)) if same_group => file.set_xattr(LIST, list).is_ok(),
            // The directory may have given it one.
            list => remove_list(file) && matches!(list, Ok(None)),
        }
    }

    fn give_of_users(&self, file: &File) {
        if self.of_users.is_empty() {
            return;
        }
        // Whatever the umask: attributes are given by those who may write.
        let _ = file.set_permissions(Permissions::from_mode(0o600));
        for (name, value) in &self.of_users {
            let _ = file.set_xattr(name, value);
        }
    }
}

fn remove_list(file: &File) -> bool {
    or_none(file.remove_xattr(LIST).map(Some)).is_ok()
}

/// Nothing, where there is none or the file system has none at all.
fn or_none<T>(result: io::Result<Option<T>>) -> io::Result<Option<T>> {
    let none = [Errno::NODATA, Errno::OPNOTSUPP].map(|none| Some(none.raw_os_error()));
    match result {
        Err(error) if none.contains(&error.raw_os_error()) => Ok(None),
        result => result,
    }
}

/// The most that the mode of a file without an access list may have, which is made of this one: what the list of this one
/// gives to all of the group's class, and to all.
pub fn limit(file: &File) -> u32 {
    match or_none(file.get_xattr(LIST)) {
        Ok(None) => 0o777,
        Ok(Some(list)) => limit_of(&list).unwrap_or(0o700),
        Err(_) => 0o700,
    }
}

/// That of an access list: 4 bytes of version 2, then for each entry 2 bytes of what it is for, 2 of rights and 4 of an id, all
/// little-endian (Linux, `posix_acl_xattr.h`).
fn limit_of(list: &[u8]) -> Option<u32> {
    const OWNER: u8 = 1;
    const OTHERS: u8 = 32;
    let (version, entries) = list.split_first_chunk()?;
    let entries = entries.chunks_exact(8);
    let least = |of: fn(u8) -> bool| {
        let entries = entries.clone().filter(|entry| of(entry[0]));
        entries.fold(0o7, |least, entry| least & u32::from(entry[2]))
    };
    // Who has an entry of his own is one of the group, or of the others, to a file without a list.
    let group = least(|of| of != OWNER && of != OTHERS);
    let others = least(|of| of != OWNER);
    (u32::from_le_bytes(*version) == 2).then_some(0o700 | group << 3 | others)
}
