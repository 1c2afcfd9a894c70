//! Systems of whose files no more than the mode is kept.

use std::fs::File;
use std::path::Path;

/// What a file that is to be replaced leaves to the one that comes: nothing.
pub struct Attributes;

impl Attributes {
    pub const fn of(_: &Path) -> Self {
        Self
    }

    pub const fn none() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as on Linux")]
    pub const fn give(&self, _: &File, _: bool) -> bool {
        true
    }
}

/// The most that the mode of another file may have.
#[cfg_attr(not(unix), expect(dead_code, reason = "rights are those of Unix"))]
pub const fn limit(_: &File) -> u32 {
    0o777
}
