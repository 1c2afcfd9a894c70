//! Whatever a verb writes, it says when that could not be written: a table with all verbs.
#![cfg(target_os = "linux")]

mod common;

use common::{Place, Run, full_device};

/// Verbs, by command lines that write to standard output, and others that write files.
const VERBS: &[(&str, &[&str], &[&str])] = &[
    (
        "keygen",
        &["keygen", "keygen --kind gcm"],
        &[
            "keygen -o new",
            "keygen --kind gcm -o new",
            "keygen -f -o old",
        ],
    ),
    (
        "seal",
        &["seal -k key text -o -", "seal -k key text --json"],
        &["seal -k key text", "seal -k key text -f -o old"],
    ),
    (
        "open",
        &[
            "open -k key sealed -o -",
            "open -k key sealed -o new --json",
        ],
        &[
            "open -k key sealed -o new",
            "open -k key sealed -f -o old",
            "open -k key sealed -o new --range 1:3",
        ],
    ),
    // In words it speaks to standard error.
    ("verify", &["verify -k key sealed --json"], &[]),
    ("inspect", &["inspect sealed", "inspect sealed --json"], &[]),
    (
        "rekey",
        &["rekey -k key sealed --new-key-file key --json"],
        &[
            "rekey -k key sealed --new-key-file key",
            "rekey -k key sealed --new-key-file key -o new",
        ],
    ),
    ("engines", &["engines", "engines --json"], &[]),
    ("selftest", &["selftest"], &[]),
    (
        "bench",
        &[
            "bench --lengths 16 --rounds 1",
            "bench --lengths 16 --rounds 1 --json",
        ],
        &["bench --lengths 16 --rounds 1 --svg new"],
    ),
    ("vectors", &["vectors text"], &[]),
    (
        "completions",
        &[
            "completions bash",
            "completions elvish",
            "completions fish",
            "completions powershell",
            "completions zsh",
        ],
        &[],
    ),
    ("man", &["man", "man seal"], &["man --directory ."]),
];

fn place() -> Place {
    let place = Place::new();
    place.write("text", b"not much\n");
    place.write("old", b"what was there");
    place.ok(&["seal", "-k", "key", "text", "-o", "sealed"]);
    place
}

fn assert_said(run: &Run, line: &str) {
    assert_eq!(run.code, Some(5), "{line}: {}", run.stderr);
    let said = run.stderr.contains("can't be written");
    assert!(said, "{line}: {}", run.stderr);
}

#[test]
fn every_verb_says_that_standard_output_is_full() {
    for (_, lines, _) in VERBS {
        for line in *lines {
            let args: Vec<&str> = line.split(' ').collect();
            assert_said(&place().run_into(&args, full_device()), line);
        }
    }
}

/// Nothing is left but what was there.
#[test]
fn every_verb_says_that_a_file_could_not_be_written() {
    for (_, _, lines) in VERBS {
        for line in *lines {
            let place = place();
            let before = place.files();
            let args: Vec<&str> = line.split(' ').collect();
            let limited = ["sh", "-c", "ulimit -f 0; exec \"$0\" \"$@\""];
            assert_said(&place.through(&limited, &args), line);
            assert!(place.files() == before, "{line}: {:?}", place.names());
        }
    }
}

#[test]
fn every_verb_is_in_the_table() {
    let help = String::from_utf8(Place::new().ok(&["help"])).expect("text");
    let listed = help.split("Commands:\n").nth(1).expect("verbs");
    let verbs = listed
        .lines()
        .map_while(|line| line.split_whitespace().next());
    let verbs: Vec<&str> = verbs.filter(|verb| *verb != "help").collect();
    let known: Vec<&str> = VERBS.iter().map(|(verb, ..)| *verb).collect();
    assert_eq!(verbs, known);
}
