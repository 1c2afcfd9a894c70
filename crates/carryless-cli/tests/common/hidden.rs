//! Outputs that are begun: hidden until they are whole.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Place;
use super::mount::can_mount;

/// What runs a program as it is.
const AS_IT_IS: &[&str] = &["env"];

/// What runs a program where open files have no names, and so no file can do without one.
const WITHOUT_PROC: &[&str] = &[
    "unshare",
    "-rm",
    "sh",
    "-c",
    "mount -t tmpfs none /proc && exec \"$@\"",
    "sh",
];

/// Ways to run the program, in which it hides outputs without and with a name.
pub fn ways() -> Vec<&'static [&'static str]> {
    let named = can_mount().then_some(WITHOUT_PROC);
    [Some(AS_IT_IS), named].into_iter().flatten().collect()
}

/// Whether this is a way in which hidden files have no names.
pub fn is_unnamed(way: &[&str]) -> bool {
    way == AS_IT_IS && can_do_without()
}

/// Whether the system of temporary directories is one on which the program does without names.
#[cfg(target_os = "linux")]
fn can_do_without() -> bool {
    let system = rustix::fs::statfs(std::env::temp_dir()).expect("a directory");
    [0xef53, 0x5846_5342].contains(&system.f_type)
}

/// Only Linux has them.
#[cfg(not(target_os = "linux"))]
const fn can_do_without() -> bool {
    false
}

impl Place {
    /// Waits until a program has begun an output in this directory.
    pub fn await_output(&self) {
        self.await_output_in(".");
    }

    /// Fails if a file that a killed program has left is readable by others, unless it is whole and has the rights that such
    /// an output gets.
    #[cfg(unix)]
    pub fn assert_hidden(&self, name: &str, like: &str, is_whole: impl FnOnce(&str) -> bool) {
        let mode = self.mode(name);
        let has_its_rights = mode == self.mode(like) && is_whole(name);
        assert!(mode == 0o600 || has_its_rights, "{name}: {mode:o}");
    }

    /// Waits until a program has begun the first output in a directory of this one.
    pub fn await_output_in(&self, directory: &str) {
        let directory = self.path(directory).canonicalize();
        let directory = directory.expect("a directory");
        let begun = Instant::now();
        while !has_named(&directory) && !has_unnamed(&directory) {
            assert!(begun.elapsed() < Duration::from_secs(60), "none is begun");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// Whether this is the name of a file that is hidden by a name of its own.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(".carryless-") && name.ends_with(".tmp")
}

fn has_named(directory: &Path) -> bool {
    let name = |path: PathBuf| Some(path.file_name()?.to_str()?.to_owned());
    entries(directory)
        .filter_map(name)
        .any(|name| is_temporary(&name))
}

/// Whether a program has a file of this directory open that has no name, as Linux tells.
fn has_unnamed(directory: &Path) -> bool {
    let unnamed = directory.join("#").display().to_string();
    let open = entries("/proc".as_ref()).flat_map(|program| entries(&program.join("fd")));
    let mut open = open.filter_map(|file| file.read_link().ok());
    open.any(|file| file.to_string_lossy().starts_with(&unnamed))
}
