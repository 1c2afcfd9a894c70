//! The list of all limits in the sources, each with what is tried at it.

use std::collections::BTreeSet;
use std::path::Path;

use super::header::*;
use super::*;

/// The file below `src`, the constant, and what is tried.
type Limit = (&'static str, &'static str, fn() -> Tries);

pub(crate) const LIMITS: &[Limit] = &[
    ("container/mod.rs", "MAX_SLOTS", slots),
    ("container/mod.rs", "MAX_PASSPHRASES", passphrases),
    ("container/mod.rs", "MAX_SLOTS_LEN", slots_len),
    ("container/mod.rs", "MAX_HEADER_LEN", header_len),
    ("container/slot.rs", "MAX_BODY_LEN", body_len),
    ("container/slot.rs", "KEY_BODY_LEN", key_body_len),
    (
        "container/slot.rs",
        "PASSPHRASE_BODY_LEN",
        passphrase_body_len,
    ),
    ("container/passphrase.rs", "MAX_LEN", passphrase_len),
    ("container/passphrase.rs", "MAX_MEMORY_KIB", memory_kib),
    ("container/passphrase.rs", "MAX_PASSES", passes),
    ("container/passphrase.rs", "MAX_LANES", lanes),
    ("container/passphrase.rs", "MAX_WORK_KIB", work_kib),
    ("key_file.rs", "MAX_LEN", key_file_len),
    ("key_file.rs", "KEY_LENS", key_lens),
    ("recipient/list.rs", "MAX_LIST_LEN", list_len),
    ("gcm/mod.rs", "MAX_TEXT_LEN", text_len),
    ("cobblestone/mod.rs", "MAX_CHUNKS", chunks),
];

/// The name of a limit that a line defines.
fn limit(line: &str) -> Option<&str> {
    let (before, rest) = line.trim_start().split_once("const ")?;
    let is_one = before.is_empty() || before.starts_with("pub");
    let name = rest.split(':').next().filter(|_| is_one)?;
    let limits = name.starts_with("MAX_") || name.ends_with("_LENS") || name.ends_with("_BODY_LEN");
    limits.then_some(name)
}

/// The limits of the sources.
fn found() -> BTreeSet<(String, String)> {
    let sources = sources::below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let named = |(file, text): &(String, String)| {
        let limits = text.lines().filter_map(limit);
        let named = limits.map(|name| (file.clone(), name.to_owned()));
        named.collect::<Vec<_>>()
    };
    sources.iter().flat_map(named).collect()
}

/// What differs between the list and the sources.
fn faults(found: &BTreeSet<(String, String)>) -> Vec<String> {
    let listed: BTreeSet<_> = LIMITS
        .iter()
        .map(|(file, name, _)| ((*file).to_owned(), (*name).to_owned()))
        .collect();
    let differ = found.symmetric_difference(&listed);
    differ
        .map(|(file, name)| format!("{file}: {name}"))
        .collect()
}

#[test]
fn u9_each_limit_of_the_sources_is_in_the_list() {
    let mut limits = found();
    assert_eq!(faults(&limits), [""; 0]);
    println!("U9 the list: {} limits", limits.len());

    let line = "    pub(crate) const MAX_FILES: usize = 3;";
    let new = limit(line).map(|name| ("container/mod.rs".to_owned(), name.to_owned()));
    limits.extend(new);
    let (file, gone) = ("gcm/mod.rs".to_owned(), "MAX_TEXT_LEN".to_owned());
    limits.remove(&(file, gone));
    let faults = faults(&limits);
    assert_eq!(
        faults,
        ["container/mod.rs: MAX_FILES", "gcm/mod.rs: MAX_TEXT_LEN"]
    );
    println!(
        "a limit without a test, and one that is gone: caught: {}",
        faults.join(", ")
    );
}
