//! The sources, which lists of what is tested are held against.

use std::fs;
use std::path::{Path, PathBuf};

/// Each source below a folder, by its path from there with `/`, and its text.
pub(crate) fn below(folder: &Path) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    walk(folder, &mut paths);
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).expect("below").to_string_lossy();
        let text = fs::read_to_string(&path).expect("a source");
        (name.replace('\\', "/"), text)
    };
    paths.into_iter().map(read).collect()
}

fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}
