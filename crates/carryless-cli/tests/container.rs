//! Key slots: every way to give a passphrase, several keys, `rekey`, and hostile headers.

mod common;

use std::process::Stdio;

use common::{CHUNK, CONTAINER, Place, STREAM, finish, text};

/// A place with `text`, and passphrases in files.
fn place() -> Place {
    let place = Place::new();
    place.write("text", b"attack at dawn");
    place.write_key("words", b"correct horse\n");
    place.write_key("others", b"battery staple");
    place.ok(&["keygen", "-o", "key2"]);
    place.ok(&["keygen", "--bits", "256", "-o", "key256"]);
    place
}

/// 64 MiB, three passes, four lanes (docs/file-tool.md), whatever else opens the file.
#[test]
fn a_passphrase_costs_the_same_beside_keys() {
    let place = place();
    let cost = serde_json::json!({
        "type": "passphrase", "memory_kib": 65536, "passes": 3, "lanes": 4
    });
    for keys in [&[][..], &["key"], &["key", "key256", "key2"]] {
        let slots = |key: &'static str, words: &'static str| {
            let keys = keys.iter().flat_map(move |name| [key, name]);
            keys.chain([words, "words"])
        };
        let old = slots("-k", "--passphrase-file");
        let seal: Vec<_> = ["seal", "-f", "text"].into_iter().chain(old).collect();
        place.ok(&seal);
        let sealed = place.inspect("text.cless");
        let new = slots("--new-key-file", "--new-passphrase-file");
        let rekey = ["rekey", "text.cless", "--passphrase-file", "words"];
        let rekey: Vec<_> = rekey.into_iter().chain(new).collect();
        place.ok(&rekey);
        for seen in [sealed, place.inspect("text.cless")] {
            let slots = seen["slots"].as_array().expect("slots");
            assert_eq!(slots.len(), keys.len() + 1, "{seen}");
            assert_eq!(slots.last(), Some(&cost), "{seen}");
        }
    }
}

#[test]
fn any_of_several_keys_and_a_passphrase_opens() {
    let place = place();
    let slots = ["-k", "key", "-k", "key256", "--passphrase-file", "words"];
    place.ok(&[&["seal", "text"][..], &slots].concat());
    let open = |args: &[&str]| place.run(&[&["open", "text.cless", "-o", "-"], args].concat());
    for args in [
        &["-k", "key"][..],
        &["-k", "key256"],
        &["-k", "key2", "-k", "key"],
        &["--passphrase-file", "words"],
        &["-k", "key2", "--passphrase-file", "words"],
    ] {
        assert_eq!(open(args).stdout, b"attack at dawn", "{args:?}");
    }
    for args in [&["-k", "key2"][..], &["--passphrase-file", "others"]] {
        let run = open(args);
        assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{args:?}");
    }
    let seen = place.inspect("text.cless");
    let types: Vec<&str> = (seen["slots"].as_array().expect("a list").iter())
        .filter_map(|slot| slot["type"].as_str())
        .collect();
    assert_eq!(types, ["key", "key", "passphrase"]);
    assert_eq!(seen["cipher"], "Cobblestone-256", "as the longest key");
    assert_eq!(seen["plaintext_len"], 14);
}

#[test]
fn passphrases_come_from_everywhere_but_the_command_line() {
    let place = place();
    let run = |args: &[&str], variable: Option<&str>| {
        let mut command = place.piped(args);
        variable.map(|value| command.env("CARRYLESS_PASSPHRASE", value));
        finish(&mut command, b"correct horse\n")
    };
    assert_eq!(run(&["seal", "text"], Some("correct horse")).code, Some(0));
    let verify = ["verify", "text.cless"];
    assert_eq!(run(&verify, Some("correct horse")).code, Some(0));
    assert_eq!(run(&verify, Some("correct horse\n")).code, Some(3));
    // A key that was asked for is not helped out by the environment.
    let with_key = ["verify", "text.cless", "-k", "key"];
    assert_eq!(run(&with_key, Some("correct horse")).code, Some(3));
    #[cfg(unix)]
    {
        let by_fd = run(&["verify", "text.cless", "--passphrase-fd", "0"], None);
        assert_eq!(by_fd.code, Some(0), "{}", by_fd.stderr);
    }
    for (args, code) in [
        (&["verify", "text.cless"][..], 2),
        (&["verify", "text.cless", "--passphrase-fd", "99"], 4),
        (&["verify", "text.cless", "--passphrase-file", "absent"], 4),
        (
            &["verify", "text.cless", "-p", "--passphrase-file", "words"],
            2,
        ),
    ] {
        let run = run(args, None);
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
    }
    assert_eq!(run(&verify, Some("")).code, Some(4));
    assert_eq!(run(&verify, Some(&"x".repeat(1025))).code, Some(4));
    place.write_key("long", &[b'x'; 3000]);
    place.fails(4, &["verify", "text.cless", "--passphrase-file", "long"]);
    #[cfg(unix)]
    {
        place.write("readable", b"correct horse");
        let args = ["verify", "text.cless", "--passphrase-file", "readable"];
        assert!(place.fails(4, &args).stderr.contains("chmod 600"));
    }
}

/// A passphrase is bytes, wherever it comes from.
#[cfg(unix)]
#[test]
fn passphrases_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = place();
    let run = |args: &[&str], variable: &str, value: &[u8]| {
        let mut command = place.command(args);
        let output = command.env(variable, OsStr::from_bytes(value)).output();
        output.expect("it ran").status.code()
    };
    let (bytes, others) = (b"\xff\xfe\xfd", b"\x80\x81\x82");
    place.write_key("bytes", bytes);
    place.write_key("replaced", "\u{fffd}\u{fffd}\u{fffd}".as_bytes());
    let new = ["rekey", "-k", "key", "by-key", "-o", "rekeyed"];
    place.ok(&["seal", "-k", "key", "text", "-o", "by-key"]);
    let sealed = run(
        &["seal", "text", "-o", "sealed"],
        "CARRYLESS_PASSPHRASE",
        bytes,
    );
    assert_eq!(sealed, Some(0));
    assert_eq!(run(&new, "CARRYLESS_NEW_PASSPHRASE", bytes), Some(0));
    for sealed in ["sealed", "rekeyed"] {
        place.ok(&["verify", sealed, "--passphrase-file", "bytes"]);
        place.fails(3, &["verify", sealed, "--passphrase-file", "replaced"]);
        let verify = ["verify", sealed];
        assert_eq!(run(&verify, "CARRYLESS_PASSPHRASE", bytes), Some(0));
        assert_eq!(run(&verify, "CARRYLESS_PASSPHRASE", others), Some(3));
    }
}

/// Of a file one line end is none of the passphrase; all else is, white space and further line ends too.
#[test]
fn passphrase_files_end_in_one_line_end_at_most() {
    let place = place();
    for (passphrase, contents) in [
        ("words", &["words", "words\n", "words\r\n", "words\r"][..]),
        ("words\n", &["words\n\n", "words\n\r\n"]),
        (" words ", &[" words ", " words \n"]),
        ("\nwords", &["\nwords\n"]),
    ] {
        let mut seal = place.command(&["seal", "-f", "text", "-o", "sealed"]);
        let sealed = seal.env("CARRYLESS_PASSPHRASE", passphrase).output();
        assert!(sealed.expect("it ran").status.success());
        for content in contents {
            place.write_key("content", content.as_bytes());
            let verify = ["verify", "sealed", "--passphrase-file", "content"];
            let run = place.run(&verify);
            assert_eq!(run.code, Some(0), "{passphrase:?} by {content:?}: {run:?}");
        }
    }
}

#[test]
fn no_message_contains_a_secret() {
    let place = place();
    let key = String::from_utf8(place.read("key")).expect("text");
    let digits = (key.lines().find_map(|line| line.strip_prefix("key: "))).expect("a line with it");
    let damaged = key.replace(digits, &format!("{}00", &digits[2..]));
    place.write_key("damaged", damaged.as_bytes());
    place.write_key("bare", digits.as_bytes());
    place.write_key("cut", &key.as_bytes()[..key.len() - 30]);
    let mut said = String::new();
    for args in [
        &["seal", "-k", "key", "--passphrase-file", "words", "text"][..],
        &["verify", "-k", "key", "text.cless"],
        &["verify", "--passphrase-file", "words", "text.cless"],
        &["verify", "--passphrase-file", "others", "text.cless"],
        &["verify", "-k", "key2", "text.cless"],
        &["verify", "-k", "damaged", "text.cless"],
        &["verify", "-k", "bare", "text.cless"],
        &["verify", "-k", "cut", "text.cless"],
        &["inspect", "text.cless"],
    ] {
        for options in [&[][..], &["--json"]] {
            let run = place.run(&[args, options].concat());
            said += &format!("{}{}", String::from_utf8_lossy(&run.stdout), run.stderr);
        }
    }
    assert!(said.contains("authentic"), "{said}");
    for secret in [
        &digits[2..],
        &digits[..20],
        "correct horse",
        "battery staple",
        "attack at dawn",
    ] {
        assert!(!said.contains(secret), "{secret}: {said}");
    }
}

#[test]
fn rekeying_changes_who_opens_and_not_what_is_sealed() {
    let place = place();
    place.write("text", &text(3 * CHUNK + 5));
    place.ok(&["seal", "-k", "key", "text"]);
    let before = place.read("text.cless");
    let run = place.run(&["rekey", "-k", "key", "--new-key-file", "key2", "text.cless"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("still open"), "{}", run.stderr);
    let after = place.read("text.cless");
    assert_eq!(before.len(), after.len());
    let slots_end = CONTAINER.header - 56;
    assert!(
        before[slots_end..] == after[slots_end..],
        "the payload is copied"
    );
    assert_eq!(before[..26], after[..26], "and so is the prefix");
    place.fails(3, &["open", "-k", "key", "text.cless", "-o", "-"]);
    assert!(place.ok(&["open", "-k", "key2", "text.cless", "-o", "-"]) == place.read("text"));

    let several = ["--new-key-file", "key2", "--new-passphrase-file", "words"];
    let args = ["rekey", "-q", "-k", "key2", "text.cless", "-o", "more"];
    assert_eq!(place.ok(&[&args[..], &several].concat()), b"");
    place.ok(&["verify", "--passphrase-file", "words", "more"]);
    let json = place.ok(&[&args[..], &several, &["--force", "--json"]].concat());
    let answer: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(
        (&answer["output"], &answer["slots"]),
        (&"more".into(), &2.into())
    );
    assert_eq!(place.read("text.cless"), after, "-o leaves the input");
    place.fails(
        2,
        &[
            "rekey",
            "-k",
            "key2",
            "--new-key-file",
            "key",
            "text.cless",
            "-o",
            "more",
        ],
    );
    assert!(place.temporaries().is_empty());
}

#[test]
fn a_rekeying_that_fails_changes_nothing() {
    let place = place();
    place.ok(&["seal", "-k", "key", "text"]);
    let sealed = place.read("text.cless");
    for (code, args) in [
        (3, &["-k", "key2", "--new-key-file", "key"][..]),
        (4, &["-k", "key", "--new-key-file", "absent"]),
        (2, &["-k", "key"]),
        (2, &["--new-key-file", "key"]),
    ] {
        place.fails(code, &[&["rekey", "text.cless"], args].concat());
        assert_eq!(place.read("text.cless"), sealed, "{args:?}");
    }
    place.ok(&STREAM.args("seal", &["text", "-o", "stream"]));
    place.fails(
        3,
        &["rekey", "-k", "key", "--new-key-file", "key2", "stream"],
    );
    // A header before another file's payload.
    place.ok(&["seal", "-k", "key", "text", "-o", "other"]);
    let at = CONTAINER.header - 56;
    let swapped = [&sealed[..at], &place.read("other")[at..]].concat();
    place.write("swapped", &swapped);
    place.fails(
        3,
        &["rekey", "-k", "key", "--new-key-file", "key2", "swapped"],
    );
    assert_eq!(place.read("swapped"), swapped);
    let none = ["rekey", "-k", "key", "--new-key-file", "key2"];
    place.fails(2, &none);
    assert!(place.temporaries().is_empty());
}

#[test]
fn headers_of_two_files_are_not_mixed() {
    let place = place();
    place.ok(&["seal", "-k", "key", "text", "-o", "a"]);
    place.ok(&["seal", "-k", "key", "text", "-o", "b"]);
    let (a, b) = (place.read("a"), place.read("b"));
    assert_eq!(a.len(), b.len());
    for cut in [
        8,
        10,
        26,
        28,
        60,
        28 + 115,
        60 + 115,
        60 + 115 + 24,
        CONTAINER.header,
    ] {
        place.write("mixed", &[&a[..cut], &b[cut..]].concat());
        let run = place.run(&["open", "-k", "key", "mixed", "-o", "-"]);
        let same = a[..cut] == b[..cut];
        let expected = if same { 0 } else { 3 };
        assert_eq!(run.code, Some(expected), "cut at {cut}: {}", run.stderr);
        assert!(same || run.stdout.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn hostile_headers_are_refused_at_once_and_in_little_memory() {
    let place = place();
    let args = ["seal", "--passphrase-file", "words", "text", "-o", "good"];
    place.ok(&args);
    let good = place.read("good");
    // Slots' length, the slot's own, and memory, passes and lanes of Argon2id.
    let hostile: [(usize, &[u8]); 9] = [
        (8, &[2]),
        (9, &[7]),
        (26, &[0xff, 0xff]),
        (26, &[0, 0]),
        (29, &[0xff, 0xff]),
        (31, &[0xff; 4]),
        (35, &[0xff; 4]),
        (39, &[0xff]),
        (31, &[0, 0x10, 0, 0, 0, 0, 0, 0x40, 1]),
    ];
    for (at, bytes) in hostile {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        place.write("bad", &bad);
        for verb in ["open", "inspect"] {
            let script = "ulimit -v 262144; exec \"$@\"";
            let mut command = std::process::Command::new("sh");
            command
                .args([
                    "-c",
                    script,
                    "sh",
                    env!("CARGO_BIN_EXE_carryless"),
                    verb,
                    "bad",
                ])
                .current_dir(place.directory())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if verb == "open" {
                command.args(["--passphrase-file", "words", "-o", "-", "-t", "1"]);
            }
            let began = std::time::Instant::now();
            let run = finish(&mut command, b"");
            let what = format!("{verb}, {bytes:x?} at {at}: {run:?}");
            assert_eq!(run.code, Some(3), "{what}");
            assert_eq!(run.stderr.matches("error:").count(), 1, "{what}");
            assert!(began.elapsed().as_secs() < 5, "{what}");
        }
    }
}

/// Streams from before there was a container: vectors/stream_kept.txt.
#[test]
fn what_was_sealed_before_the_container_still_opens() {
    let place = place();
    let kept = include_str!("../../../vectors/stream_kept.txt");
    let mut opened = 0;
    for line in kept.lines().filter(|line| !line.starts_with('#')) {
        let [name, key, context, len, stream] = line
            .split(' ')
            .collect::<Vec<_>>()
            .try_into()
            .expect("five fields");
        let bytes = |digits| hex::decode(digits).expect("hexadecimal");
        place.write_key("kept.key", &bytes(key));
        place.write("kept", &bytes(stream));
        let mut args = vec!["open", "--raw-key-file", "kept.key", "kept", "-o", "-"];
        if context != "-" {
            args.extend(["--context-hex", context]);
        }
        let expected: Vec<u8> = (0..len.parse().expect("a length"))
            .map(|i: usize| (7 * i + i / 251).to_le_bytes()[0])
            .collect();
        assert!(place.ok(&args) == expected, "{name}");
        opened += 1;
    }
    assert!(opened >= 4, "{opened}");
}
