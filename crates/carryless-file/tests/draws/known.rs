//! The list of all draws in the sources of the product, each with the tests that look at what it draws.

use std::collections::BTreeMap;
use std::path::Path;

use super::sources;

/// Calls of the random source: the file, how many there are in it, and the tests of what is drawn.
const DRAWS: &[(&str, usize, &[&str])] = &[
    (
        "carryless/src/mode/random_nonce.rs",
        1,
        &[
            "u7_every_bit_of_a_random_nonce_is_drawn",
            "u6_a_fork_does_not_repeat_random_nonces",
        ],
    ),
    // `aead::Generate`, which others implement.
    (
        "carryless/src/lib.rs",
        1,
        &["u7_keys_and_nonces_of_the_traits_are_drawn"],
    ),
    (
        "carryless-file/src/cobblestone/key.rs",
        1,
        &["u7_every_bit_of_a_key_is_drawn"],
    ),
    (
        "carryless-file/src/cobblestone/chunk.rs",
        1,
        &["u7_every_bit_of_a_salt_is_drawn_and_all_of_the_stream_follows_it"],
    ),
    (
        "carryless-file/src/gcm/key.rs",
        1,
        &["u7_every_bit_of_a_key_is_drawn"],
    ),
    (
        "carryless-file/src/gcm/message.rs",
        1,
        &["u7_every_bit_of_a_gcm_nonce_is_drawn"],
    ),
    // The file id, and the file key.
    (
        "carryless-file/src/container/file_key.rs",
        2,
        &[
            "u7_every_bit_of_ids_and_salts_of_a_container_is_drawn_for_each_slot",
            "u7_every_bit_of_a_file_key_is_drawn",
        ],
    ),
    (
        "carryless-file/src/container/passphrase.rs",
        1,
        &["u7_every_bit_of_ids_and_salts_of_a_container_is_drawn_for_each_slot"],
    ),
    (
        "carryless-file/src/recipient/mod.rs",
        1,
        &["u7_every_bit_of_an_identity_is_drawn"],
    ),
    // What is drawn, and how HPKE gets it.
    (
        "carryless-file/src/recipient/encapsulation.rs",
        2,
        &["u7_every_bit_of_what_is_sent_to_a_recipient_is_drawn"],
    ),
    // Names need not be secret, as a file of that name is never opened but made (O_EXCL), for its owner alone.
    (
        "carryless-cli/src/output/hidden.rs",
        1,
        &["u7_names_of_temporary_files_differ"],
    ),
    // What is removed when a signal ends the call.
    ("carryless-cli/src/signals.rs", 1, &[]),
    // Without a name.
    ("carryless-cli/src/input.rs", 1, &[]),
    // The order in which the benchmark's jobs take turns.
    ("carryless-cli/src/verb/bench/measure.rs", 1, &[]),
];

/// What a draw has in it, whoever is asked: the random source, and crates and types that ask it.
const SOURCES: &[&str] = &[
    "getrandom::",
    "use getrandom",
    "extern crate getrandom",
    "/dev/urandom",
    "/dev/random",
    "tempfile::",
    "fastrand",
    "rand::",
    "rand_core",
    "OsRng",
    "SysRng",
    "RandomState",
    "Uuid::",
    "Generate;",
];

/// Lines of code that draw, in sources and not in their tests.
fn draws(text: &str) -> usize {
    let code = text.lines().map(str::trim_start);
    let code = code.take_while(|line| *line != "mod tests {");
    let drawing =
        |line: &&str| !line.starts_with("//") && SOURCES.iter().any(|source| line.contains(source));
    code.filter(drawing).count()
}

/// What differs between the list and the draws that there are.
fn faults(found: &BTreeMap<String, usize>, tests: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (file, count) in found {
        let listed = DRAWS
            .iter()
            .find(|(name, ..)| name == file)
            .map_or(0, |(_, count, _)| *count);
        if listed != *count {
            faults.push(format!("{file}: {count} draws, {listed} in the list"));
        }
    }
    for (file, _, names) in DRAWS {
        if !found.contains_key(*file) {
            faults.push(format!("{file}: in the list, but it draws nothing"));
        }
        let absent = names
            .iter()
            .filter(|name| !tests.contains(&format!("fn {name}()")));
        faults.extend(absent.map(|name| format!("{file}: there is no test {name}")));
    }
    faults
}

/// The draws of each file, and the text of all tests.
fn read() -> (BTreeMap<String, usize>, String) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the folder of crates");
    let (mut found, mut tests) = (BTreeMap::new(), String::new());
    for (name, text) in sources::below(crates) {
        let of_tests = name.contains("/tests/") || name.ends_with("/tests.rs");
        if of_tests || text.contains("mod tests {") {
            tests += &text;
        }
        // Never published.
        let of_ours = of_tests || name.starts_with("carryless-assure/");
        if !of_ours && draws(&text) > 0 {
            found.insert(name, draws(&text));
        }
    }
    (found, tests)
}

#[test]
fn u7_every_draw_is_known_and_has_its_test() {
    let (found, tests) = read();
    let faults = faults(&found, &tests);
    assert!(
        faults.is_empty(),
        "crates/carryless-file/tests/draws/known.rs: {}",
        faults.join("\n")
    );
    let count: usize = found.values().sum();
    println!(
        "U7 sources: {count} draws in {} files, all in the list",
        found.len()
    );
}

/// A draw nobody knows, under an alias, one that is gone, and one whose test is gone.
#[test]
fn control_u7_a_draw_that_is_not_in_the_list_is_noticed() {
    let (found, tests) = read();
    let noticed = |found: &BTreeMap<String, usize>, tests: &str| {
        let faults = faults(found, tests);
        println!(
            "caught: {}",
            faults.first().expect("the fault passed unnoticed")
        );
    };
    for line in [
        "    getrandom::fill(&mut salt)?;",
        "use getrandom::fill as salt;",
        "let id = Uuid::new_v4();",
    ] {
        let mut found = found.clone();
        assert_eq!(draws(line), 1, "{line}");
        *found
            .entry("carryless-file/src/gcm/stream.rs".into())
            .or_default() += draws(line);
        noticed(&found, &tests);
        *found
            .entry("carryless-file/src/gcm/key.rs".into())
            .or_default() += draws(line);
        noticed(&found, &tests);
    }
    let mut gone = found.clone();
    gone.remove("carryless-file/src/gcm/key.rs");
    noticed(&gone, &tests);
    noticed(
        &found,
        &tests.replace("u7_every_bit_of_a_file_key_is_drawn", "u7_other"),
    );
}
