//! U9: whoever else has any right to a file with a secret in it, no verb takes it.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;

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
        let rights = PermissionsExt::from_mode(mode);
        fs::set_permissions(place.path(secret), rights).expect("a file");
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

/// What the command itself writes, under each umask.
#[test]
fn u9_a_new_key_is_its_owners_alone_under_any_umask() {
    let place = Place::new();
    for umask in ["000", "002", "022", "027", "077"] {
        let name = format!("key{umask}");
        let script = format!("umask {umask}; exec \"$0\" keygen -o {name}");
        let ended = std::process::Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_carryless")])
            .current_dir(place.directory())
            .status()
            .expect("a shell");
        assert!(ended.success());
        let mode = fs::metadata(place.path(&name))
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "umask {umask}");
    }
    println!("U9 rights: 5 new keys under 5 umasks");
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
