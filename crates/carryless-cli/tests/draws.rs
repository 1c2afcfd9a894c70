//! U7: what the command draws, as it stands in the files that it writes.

mod common;
#[allow(dead_code, reason = "shared with other crates")]
#[path = "../../carryless/tests/harness/draws.rs"]
mod draws;
#[cfg(target_os = "linux")]
#[path = "draws/system.rs"]
mod system;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with other crates")]
#[path = "../../carryless/tests/harness/traced.rs"]
mod traced;

use std::collections::HashSet;

use carryless_file::container::Header;
use carryless_file::key_file;
use common::{CHUNK, CONTAINER, HEADER, KINDS, MESSAGE, Place, STREAM};

use draws::{DRAWS, look_drawn};

/// Kinds of keys, and their bits.
const KEYS: [(&str, &str); 4] = [
    ("file", "128"),
    ("file", "256"),
    ("gcm", "128"),
    ("gcm", "256"),
];

/// The key in a key file of a kind.
fn key_in(kind: &str, text: &[u8]) -> Vec<u8> {
    match kind {
        "gcm" => key_file::parse_gcm(text)
            .expect("a key")
            .as_bytes()
            .to_vec(),
        _ => key_file::parse(text).expect("a key").as_bytes().to_vec(),
    }
}

/// Prints what was drawn; fails if it does not look so.
fn expect(what: &str, values: &[Vec<u8>]) {
    let count = look_drawn(values).unwrap_or_else(|error| panic!("{what}: {error}"));
    println!("U7 {what}: {count} values");
}

#[test]
fn u7_every_bit_of_a_key_of_keygen_is_drawn() {
    let place = Place::new();
    for (kind, bits) in KEYS {
        let key = |_| {
            let text = place.ok(&["keygen", "--kind", kind, "--bits", bits]);
            key_in(kind, &text)
        };
        let keys = Vec::from_iter((0..64).map(key));
        assert_eq!(8 * keys[0].len(), bits.parse::<usize>().expect("a number"));
        expect(&format!("{kind} keys of {bits} bits by keygen"), &keys);
    }
}

/// Whatever key was there before.
#[test]
fn u7_a_key_that_replaces_another_is_new() {
    let place = Place::new();
    let mut keys = HashSet::new();
    for _ in 0..4 {
        for (kind, bits) in KEYS {
            for _ in 0..2 {
                place.ok(&["keygen", "-f", "-o", "key", "--kind", kind, "--bits", bits]);
                for part in key_in(kind, &place.read("key")).chunks(8) {
                    assert!(
                        keys.insert(part.to_vec()),
                        "{kind}, {bits} bits: a part of an earlier key"
                    );
                }
            }
        }
    }
    println!("U7 keys in place of keys: {} parts", keys.len());
}

/// All files of one call, of one text under one key.
#[test]
fn u7_files_of_one_call_have_ids_salts_nonces_and_texts_of_their_own() {
    for kind in KINDS {
        let place = Place::of(kind);
        let names = Vec::from_iter((0..DRAWS).map(|i| format!("text{i}")));
        for name in &names {
            place.write(name, &[7; 64]);
        }
        let names = Vec::from_iter(names.iter().map(String::as_str));
        place.ok(&kind.args("seal", &names));
        let files = Vec::from_iter(names.iter().map(|name| {
            let candidates =
                [".cless", ".gcm", ".cobblestone"].map(|ending| format!("{name}{ending}"));
            let sealed = candidates
                .iter()
                .find(|name| place.has(name))
                .expect("a sealed file");
            place.read(sealed)
        }));
        let part = |at: usize, len: usize| {
            Vec::from_iter(files.iter().map(|file| file[at..at + len].to_vec()))
        };
        let parts: &[(&str, usize, usize)] = match kind.name {
            name if name == STREAM.name => &[("salts", 0, 24), ("commitments", 24, 32)],
            name if name == CONTAINER.name => {
                let header = Header::parse(&files[0][..kind.header - HEADER]).expect("a header");
                assert_eq!(header.file_id(), files[0][10..26]);
                &[
                    ("file ids", 10, 16),
                    ("salts of slots", 28 + 11, 24),
                    ("MACs", 60 + 115 - 32, 32),
                    ("salts of payloads", 60 + 115, 24),
                ]
            }
            name if name == MESSAGE.name => &[("nonces", 0, 12)],
            name => panic!("{name}: nothing is said of what it draws"),
        };
        for (what, at, len) in parts {
            expect(&format!("{what} of {} files", kind.name), &part(*at, *len));
        }
        expect(
            &format!("texts of {} files", kind.name),
            &part(kind.header, 64),
        );
    }
}

/// Argon2id takes its time once: the files of a call share its salt, which no other call has, and nothing else.
#[test]
fn u7_files_of_one_call_under_a_passphrase_share_a_salt_alone() {
    const FILES: usize = 6;
    let place = Place::new();
    place.write_key("words", b"correct horse");
    let names = Vec::from_iter((0..FILES).map(|i| format!("text{i}")));
    for name in &names {
        place.write(name, &[7; 64]);
    }
    let word = ["--passphrase-file", "words"];
    let mut salts = HashSet::new();
    for (secrets, with_key) in [
        (&word[..], false),
        (&[&word[..], &["-k", "key"]].concat(), true),
    ] {
        let mut args = [&["seal", "-f"][..], secrets].concat();
        args.extend(names.iter().map(String::as_str));
        place.ok(&args);
        let files = Vec::from_iter(
            names
                .iter()
                .map(|name| place.read(&format!("{name}.cless"))),
        );
        let header = Header::parse(&files[0]).expect("a header").as_bytes().len();
        let passphrase = files[0][28..header - 32]
            .windows(3)
            .position(|head| head == [2, 0, 129])
            .expect("a slot for a passphrase");
        let slot = 28 + passphrase + 3;
        let salt = |file: &Vec<u8>| file[slot + 9..slot + 25].to_vec();
        assert!(files.iter().all(|file| salt(file) == salt(&files[0])));
        assert!(salts.insert(salt(&files[0])), "of two calls");
        let mut parts = vec![
            ("file ids", 10, 16),
            ("wrapped keys", slot + 25, 104),
            ("MACs", header - 32, 32),
            ("salts of payloads", header, 24),
            ("payloads", header + 24, 32 + 64 + 16),
        ];
        if with_key {
            let key = if slot == 31 { slot + 129 } else { 28 };
            parts.push(("wrapped keys for a key file", key + 11, 104));
        }
        for (what, at, len) in parts {
            for place in (at..at + len).step_by(8) {
                let values: HashSet<&[u8]> =
                    files.iter().map(|file| &file[place..place + 8]).collect();
                assert_eq!(values.len(), FILES, "{what}, byte {place}, {secrets:?}");
            }
            println!("U7 {what}, {}: {FILES} values", secrets.join(" "));
        }
    }
}

/// Their names need not be secret, as the files are made, not opened, and for their owner alone; but two calls in one
/// directory need two.
#[cfg(unix)]
#[test]
fn u7_names_of_temporary_files_differ() {
    use std::io::Write;
    use std::process::Stdio;

    use common::hidden::{is_unnamed, ways};

    const CALLS: usize = 64;
    let Some(way) = ways().into_iter().find(|way| !is_unnamed(way)) else {
        return;
    };
    let place = Place::new();
    let calls = Vec::from_iter((0..CALLS).map(|i| {
        let target = format!("target{i}");
        let mut command =
            place.command_through(way, &["seal", "-k", "key", "-o", &target, "-t", "1"]);
        command
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }));
    let began = std::time::Instant::now();
    let names = loop {
        let names = place.temporaries();
        if names.len() == CALLS {
            break names;
        }
        assert!(
            began.elapsed().as_secs() < 60,
            "{} temporary files",
            names.len()
        );
        std::thread::sleep(core::time::Duration::from_millis(5));
    };
    let secret = |name: &String| {
        name.trim_start_matches(".carryless-")
            .trim_end_matches(".tmp")
            .to_owned()
    };
    let secrets = Vec::from_iter(names.iter().map(secret));
    for at in 0..6 {
        let taken: HashSet<u8> = secrets.iter().map(|secret| secret.as_bytes()[at]).collect();
        assert!(
            taken.len() > CALLS / 4,
            "place {at} of the names: {secrets:?}"
        );
    }
    for name in &names {
        assert_eq!(place.mode(name), 0o600, "{name}");
    }
    for mut call in calls {
        let mut stdin = call.stdin.take().expect("piped");
        stdin.write_all(&[7; CHUNK]).expect("it reads");
        drop(stdin);
        assert!(call.wait().expect("it ends").success());
    }
    assert!(place.temporaries().is_empty());
    println!("U7 names of temporary files: {CALLS} values");
}

/// What is read twice and comes through a pipe is copied: to a file that has no name, or one that nobody foresees.
#[cfg(target_os = "linux")]
#[test]
fn u7_copies_of_pipes_have_no_name_that_is_known() {
    use std::io::Write;
    use std::process::Stdio;

    const CALLS: usize = 8;
    let place = Place::of(MESSAGE);
    let temporary = tempfile::tempdir().expect("a temporary directory");
    let directory = temporary.path().canonicalize().expect("it exists");
    place.write("text", &[7; 200_000]);
    place.ok(&MESSAGE.args("seal", &["text", "-o", "sealed"]));
    let sealed = place.read("sealed");
    let calls = Vec::from_iter((0..CALLS).map(|_| {
        let mut call = place
            .command(&MESSAGE.args("open", &["-o", "-"]))
            .env("TMPDIR", &directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut stdin = call.stdin.take().expect("piped");
        // More than a pipe holds: some of it was copied.
        stdin.write_all(&sealed[..150_000]).expect("it reads");
        (call, stdin)
    }));
    let mut names = HashSet::new();
    for (call, _) in &calls {
        let files = std::fs::read_dir(format!("/proc/{}/fd", call.id())).expect("its files");
        let copies = Vec::from_iter(files.filter_map(|file| {
            let name = std::fs::read_link(file.expect("an entry").path()).ok()?;
            name.starts_with(&directory).then_some(name)
        }));
        let [name] = &copies[..] else {
            panic!("one copy: {copies:?}")
        };
        assert!(names.insert(name.clone()), "{name:?}: twice");
    }
    assert!(
        std::fs::read_dir(&directory)
            .expect("a directory")
            .next()
            .is_none()
    );
    for (mut call, mut stdin) in calls {
        stdin.write_all(&sealed[150_000..]).expect("it reads");
        drop(stdin);
        assert!(call.wait().expect("it ends").success());
    }
    println!("U7 copies of pipes: {CALLS} names");
}
