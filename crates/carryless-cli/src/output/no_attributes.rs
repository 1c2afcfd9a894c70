//! Systems of whose files no more than the mode is kept.

use std::fs::File;
use std::path::Path;

/// Of a file that is to be replaced.
pub struct Attributes;

impl Attributes {
    pub const fn of(_: &Path) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as on Linux")]
    pub const fn give(&self, _: &File) -> bool {
        true
    }
}

/// What the group of a file may do of what its mode says.
#[cfg_attr(not(unix), expect(dead_code, reason = "rights are those of Unix"))]
pub const fn rights_of_group(_: &File) -> u32 {
    0o7
}
