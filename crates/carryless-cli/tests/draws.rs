//! U7: what the command draws, as it stands in the files that it writes.

mod common;
#[allow(dead_code, reason = "shared with other crates")]
#[path = "../../carryless/tests/harness/draws.rs"]
mod draws;

use carryless_file::container::Header;
use carryless_file::key_file;
use common::{CHUNK, CONTAINER, HEADER, KINDS, MESSAGE, Place, STREAM};

use draws::{DRAWS, look_drawn};

/// Prints what was drawn; fails if it does not look so.
fn expect(what: &str, values: &[Vec<u8>]) {
    let count = look_drawn(values).unwrap_or_else(|error| panic!("{what}: {error}"));
    println!("U7 {what}: {count} values");
}

#[test]
fn u7_every_bit_of_a_key_of_keygen_is_drawn() {
    let place = Place::new();
    for (kind, bits) in [
        ("file", "128"),
        ("file", "256"),
        ("gcm", "128"),
        ("gcm", "256"),
    ] {
        let key = |_| {
            let text = place.ok(&["keygen", "--kind", kind, "--bits", bits]);
            match kind {
                "gcm" => key_file::parse_gcm(&text)
                    .expect("a key")
                    .as_bytes()
                    .to_vec(),
                _ => key_file::parse(&text).expect("a key").as_bytes().to_vec(),
            }
        };
        let keys = Vec::from_iter((0..64).map(key));
        assert_eq!(8 * keys[0].len(), bits.parse::<usize>().expect("a number"));
        expect(&format!("{kind} keys of {bits} bits by keygen"), &keys);
    }
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

/// Their names need not be secret, as the files are made, not opened, and for their owner alone; but two calls in one
/// directory need two.
#[cfg(unix)]
#[test]
fn u7_names_of_temporary_files_differ() {
    use std::collections::HashSet;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Stdio;

    const CALLS: usize = 64;
    let place = Place::new();
    let calls = Vec::from_iter((0..CALLS).map(|i| {
        let target = format!("target{i}");
        let mut command = place.command(&["seal", "-k", "key", "-o", &target, "-t", "1"]);
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
        let mode = std::fs::metadata(place.path(name))
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
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
