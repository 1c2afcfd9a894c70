//! U9: whoever else has any right to a file with a secret in it, no verb takes it.
#![cfg(unix)]

mod common;

use common::Place;

/// Command lines that read `secret`, with the place where a good one is expected to lead.
const READERS: &[(&str, &[&str])] = &[
    (
        "seal, key",
        &["seal", "-k", "secret", "text", "-o", "out", "-f"],
    ),
    (
        "open, key",
        &["open", "-k", "secret", "key.cless", "-o", "out", "-f"],
    ),
    ("verify, key", &["verify", "-k", "secret", "key.cless"]),
    (
        "rekey, old key",
        &[
            "rekey",
            "-k",
            "secret",
            "--new-key-file",
            "key",
            "key.cless",
            "-o",
            "out",
            "-f",
        ],
    ),
    (
        "rekey, new key",
        &[
            "rekey",
            "-k",
            "key",
            "--new-key-file",
            "secret",
            "key.cless",
            "-o",
            "out",
            "-f",
        ],
    ),
    (
        "seal, gcm key",
        &[
            "seal", "-k", "gcm", "--format", "gcm", "text", "-o", "out", "-f",
        ],
    ),
    (
        "open, gcm key",
        &[
            "open", "-k", "gcm", "--format", "gcm", "text.gcm", "-o", "out", "-f",
        ],
    ),
    (
        "open, passphrase",
        &[
            "open",
            "--passphrase-file",
            "word",
            "word.cless",
            "-o",
            "out",
            "-f",
        ],
    ),
    (
        "rekey, new passphrase",
        &[
            "rekey",
            "-k",
            "key",
            "--new-passphrase-file",
            "word",
            "key.cless",
            "-o",
            "out",
            "-f",
        ],
    ),
];

/// What has every right that a mode gives.
const SECRETS: [&str; 3] = ["secret", "gcm", "word"];

fn place() -> Place {
    let place = Place::new();
    place.write_key("secret", &place.read("key"));
    place.ok(&["keygen", "--kind", "gcm", "-o", "gcm"]);
    place.write_key("word", b"correct horse");
    place.write("text", b"some text");
    place.ok(&["seal", "-k", "key", "text", "-o", "key.cless"]);
    place.ok(&[
        "seal", "-k", "gcm", "--format", "gcm", "text", "-o", "text.gcm",
    ]);
    place.ok(&[
        "seal",
        "--passphrase-file",
        "word",
        "text",
        "-o",
        "word.cless",
    ]);
    place
}

fn give(place: &Place, mode: u32) {
    for secret in SECRETS {
        place.set_mode(secret, mode);
    }
}

/// A new passphrase or an old one costs a tenth of a second.
fn is_slow(name: &str) -> bool {
    name.contains("passphrase")
}

#[test]
fn u9_a_secret_to_which_others_have_any_right_is_refused() {
    let place = place();
    let mut count = 0;
    for others in 1..=0o77 {
        give(&place, 0o600 | others);
        for (i, (name, args)) in READERS.iter().enumerate() {
            // Each mode meets the first; each reader meets each single right, and its share of the rest.
            let single = others.count_ones() == 1;
            if i != 0 && !single && others as usize % READERS.len() != i {
                continue;
            }
            let run = place.fails(4, args);
            assert!(
                run.stderr.contains("others than its owner"),
                "{name}, {others:o}: {}",
                run.stderr
            );
            assert!(!place.has("out"), "{name}, {others:o}");
            count += 1;
        }
    }
    println!("U9 rights: {count} secrets of 63 modes refused");
}

#[test]
fn u9_a_secret_of_its_owner_alone_is_taken_by_every_verb() {
    let place = place();
    let mut count = 0;
    for owner in [0o400, 0o600, 0o700] {
        give(&place, owner);
        for (name, args) in READERS {
            if is_slow(name) && owner != 0o600 {
                continue;
            }
            let run = place.run(args);
            assert_eq!(run.code, Some(0), "{name}, {owner:o}: {}", run.stderr);
            count += 1;
        }
    }
    println!("U9 rights: {count} secrets of their owner alone taken");
}

const UMASKS: [u32; 5] = [0, 0o002, 0o022, 0o027, 0o077];

/// Runs a line of the shell under this umask, in which `$0` is the command.
fn under(umask: u32, place: &Place, line: &str) {
    let ended = std::process::Command::new("sh")
        .args(["-c", &format!("umask {umask:03o}; {line}")])
        .arg(env!("CARGO_BIN_EXE_carryless"))
        .current_dir(place.directory())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "umask {umask:o}: {line}: {said}");
}

/// What the command itself writes, under each umask.
#[test]
fn u9_a_new_key_is_its_owners_alone_under_any_umask() {
    let place = Place::new();
    for umask in UMASKS {
        let name = format!("key{umask}");
        under(umask, &place, &format!("\"$0\" keygen -o {name}"));
        assert_eq!(place.mode(&name), 0o600, "umask {umask:o}");
    }
    println!("U9 rights: 5 new keys under 5 umasks");
}

#[test]
fn u9_a_new_file_has_the_rights_of_its_input_that_the_umask_leaves() {
    let place = place();
    let verbs = [
        ("text", "seal -k key"),
        ("key.cless", "open -k key"),
        ("key.cless", "rekey -k key --new-key-file secret"),
        ("text", "seal --format gcm -k gcm"),
        ("text.gcm", "open --format gcm -k gcm"),
    ];
    let mut count = 0;
    for umask in UMASKS {
        for (input, args) in verbs {
            for rights in [
                0o400, 0o600, 0o604, 0o640, 0o644, 0o664, 0o666, 0o755, 0o777,
            ] {
                place.set_mode(input, rights);
                let line = format!("rm -f new; \"$0\" {args} {input} -o new");
                under(umask, &place, &line);
                assert_eq!(
                    place.mode("new"),
                    rights & !umask,
                    "{line}: {rights:o}, {umask:o}"
                );
                count += 1;
            }
            // A pipe has no rights to go by.
            let line = format!("rm -f new; cat {input} | \"$0\" {args} - -o new");
            under(umask, &place, &line);
            assert_eq!(place.mode("new"), 0o666 & !umask, "{line}: {umask:o}");
        }
    }
    println!("U9 rights: {count} new files under 5 umasks");
}

/// A test of rights that looks at the group alone would let these pass.
#[test]
fn control_u9_a_check_of_the_group_alone_is_noticed() {
    let of_the_group = |mode: u32| mode & 0o070 != 0;
    let passed = (1..=0o77_u32)
        .find(|mode| !of_the_group(*mode))
        .expect("the fault passed unnoticed");
    let place = place();
    give(&place, 0o600 | passed);
    let run = place.fails(4, READERS[0].1);
    println!("caught: mode {passed:o}: {}", run.stderr.trim());
}
