//! Sealing and opening files and streams, and what happens to targets.

mod common;

use common::{CHUNK, CHUNKED, CONTAINER, Place, STREAM, text};

#[test]
fn files_and_pipes_come_back_at_every_edge_of_the_chunks() {
    let place = Place::new();
    for kind in CHUNKED {
        for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 32 * CHUNK, 3_000_000] {
            let text = text(len);
            place.write("text", &text);
            place.ok(&kind.args("seal", &["text", "--force"]));
            let sealed_len = place.read("text.cless").len();
            assert_eq!(
                sealed_len,
                kind.header + len + 16 * (len / CHUNK + 1),
                "{kind:?}"
            );
            for threads in ["0", "1", "5"] {
                let args = ["text.cless", "-o", "back", "--force", "-t", threads];
                place.ok(&kind.args("open", &args));
                assert!(place.read("back") == text, "{kind:?}, {len}, {threads}");
            }
            let sealed = place.run_with(&kind.args("seal", &[]), &text);
            let opened = place.run_with(&kind.args("open", &["-"]), &sealed.stdout);
            assert_eq!((opened.code, opened.stderr.as_str()), (Some(0), ""));
            assert!(opened.stdout == text, "pipe, {kind:?}, {len}");
            // Without a format the magic decides.
            place.ok(&["verify", "-k", "key", "text.cless"]);
        }
    }
}

#[test]
fn more_threads_than_there_is_work_for_give_the_same() {
    let place = Place::new();
    // More than one batch for each.
    let text = text(14_000_000);
    place.write("text", &text);
    for threads in ["1", "2", "23", "24", "25", "100000"] {
        place.ok(&["seal", "-k", "key", "text", "-f", "-t", threads]);
        let opened = place.ok(&["open", "-k", "key", "text.cless", "-o", "-", "-t", threads]);
        assert!(opened == text, "{threads}");
    }
}

#[test]
fn two_sealings_differ() {
    let place = Place::new();
    place.write("text", b"text");
    let seal = || place.ok(&["seal", "-k", "key", "text", "-o", "-"]);
    assert_ne!(seal(), seal());
}

#[cfg(unix)]
#[test]
fn a_replaced_key_file_is_its_owners_alone() {
    let place = Place::new();
    place.write("old", b"readable by all");
    place.set_mode("old", 0o644);
    place.ok(&["keygen", "--force", "-o", "old"]);
    assert_eq!(place.mode("old"), 0o600);
}

#[cfg(unix)]
#[test]
fn a_key_that_is_redirected_to_where_others_read_it_comes_with_a_warning() {
    let place = Place::new();
    for (mode, warns) in [("077", false), ("022", true)] {
        let script = format!("umask {mode}; \"$0\" keygen > redirected{mode}");
        let run = std::process::Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_carryless")])
            .current_dir(place.directory())
            .output()
            .expect("a shell");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{stderr}");
        assert_eq!(stderr.contains("chmod 600"), warns, "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn names_in_messages_do_not_command_the_terminal() {
    let place = Place::new();
    let run = place.fails(5, &["seal", "-k", "key", "\u{1b}]0;title\u{7}\nline"]);
    assert!(!run.stderr.contains(['\u{1b}', '\u{7}']), "{run:?}");
    assert!(run.stderr.contains("title\\u{7}\\nline"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn an_input_that_is_no_file_needs_a_name_for_the_output() {
    let place = Place::new();
    place.fails(2, &["seal", "-k", "key", "/dev/null"]);
}

#[test]
fn missing_files_and_directories_are_input_and_output_errors() {
    let place = Place::new();
    place.write("text", b"text");
    assert!(
        place
            .fails(5, &["seal", "-k", "key", "absent"])
            .stderr
            .contains("absent")
    );
    place.fails(5, &["seal", "-k", "key", "."]);
    place.fails(5, &["seal", "-k", "key", "text", "-o", "absent/target"]);
    place.fails(5, &["seal", "-k", "key", "text", "-o", "text/target"]);
    place.fails(5, &["seal", "-k", "key", "text", "-o", ".", "--force"]);
    assert_eq!(place.names(), ["key", "text"]);
}

#[test]
fn the_context_must_be_the_same() {
    let place = Place::new();
    place.write("text", b"text");
    place.ok(&STREAM.args("seal", &["text", "--context", "abc"]));
    let open = |rest: &[&str]| {
        place.run(&[&["open", "-k", "key", "text.cless", "-o", "-"], rest].concat())
    };
    assert_eq!(open(&["--context-hex", "616263"]).stdout, b"text");
    assert_eq!(open(&[]).code, Some(3));
    assert_eq!(
        open(&["--context", "a", "--context-hex", "61"]).code,
        Some(2)
    );
    assert_eq!(open(&["--context-hex", "6"]).code, Some(2));
    // A container has none: neither is it ignored.
    place.fails(2, &["seal", "-k", "key", "text", "-f", "--context", "abc"]);
    place.ok(&["seal", "-k", "key", "text", "-f"]);
    assert_eq!(open(&["--context", "abc"]).code, Some(2));
    assert_eq!(open(&[]).stdout, b"text");
}

#[test]
fn key_files_of_every_kind_of_wrong_are_key_errors() {
    let place = Place::new();
    place.write("text", b"text");
    place.write_key("short", &[1; 15]);
    place.write_key("bare", "0f".repeat(16).as_bytes());
    place.write_key("empty", b"");
    let damaged = String::from_utf8(place.read("key"))
        .expect("text")
        .replace("kind: file", "kind: gcm");
    place.write_key("damaged", damaged.as_bytes());
    for key in ["short", "bare", "empty", "damaged", "absent", "."] {
        let run = place.fails(4, &["seal", "-k", key, "text"]);
        assert!(run.stderr.contains("key file"), "{}", run.stderr);
    }
    assert!(!place.has("text.cless"));
}

#[test]
fn verify_names_the_cipher_of_each_format_and_length_of_key() {
    let place = Place::new();
    place.write("text", b"text");
    for (bits, chunked, message) in [
        ("128", "Cobblestone-128", "AES-128-GCM"),
        ("256", "Cobblestone-256", "AES-256-GCM"),
    ] {
        for (format, kind, cipher) in [
            ("container", "file", chunked),
            ("cobblestone", "file", chunked),
            ("gcm", "gcm", message),
        ] {
            place.ok(&["keygen", "-f", "-o", "new", "--kind", kind, "--bits", bits]);
            let with = ["-k", "new", "--format", format];
            place.ok(&[&["seal", "text", "-f", "-o", "sealed"], &with[..]].concat());
            let said = place.ok(&[&["verify", "sealed", "--json"], &with[..]].concat());
            let said: serde_json::Value = serde_json::from_slice(&said).expect("JSON");
            assert_eq!(
                (&said["format"], &said["cipher"]),
                (&format.into(), &cipher.into())
            );
        }
    }
}

#[test]
fn a_stream_that_ends_within_its_header_says_how_much_there_is() {
    let place = Place::new();
    place.write("text", b"text");
    place.ok(&STREAM.args("seal", &["text", "-o", "sealed"]));
    let sealed = place.read("sealed");
    for len in [0, 1, 7, 8, 9, 24, 55] {
        place.write("cut", &sealed[..len]);
        for run in [
            place.run(&STREAM.args("open", &["cut", "-o", "-"])),
            place.run(&["open", "-k", "key", "cut", "-o", "-"]),
            place.run_with(&STREAM.args("open", &[]), &sealed[..len]),
        ] {
            assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{len} bytes");
            let said = format!("it has {len} bytes, the shortest");
            assert!(run.stderr.contains(&said), "{len} bytes: {}", run.stderr);
        }
    }
}

#[test]
fn verify_reports_and_writes_nothing() {
    let place = Place::new();
    place.write("text", &text(20_000));
    place.ok(&["seal", "-k", "key", "text"]);
    let run = place.run(&["verify", "-k", "key", "text.cless", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(
        (&answer["authentic"], &answer["plaintext_len"]),
        (&true.into(), &20_000.into())
    );
    assert!(
        place
            .run(&["verify", "-k", "key", "text.cless"])
            .stderr
            .contains("authentic")
    );
    assert_eq!(
        place
            .run(&["verify", "-q", "-k", "key", "text.cless"])
            .stderr,
        ""
    );
    assert_eq!(place.names(), ["key", "text", "text.cless"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::common::full_device;

    #[test]
    fn rights_are_those_of_the_input_and_of_a_replaced_target() {
        let place = Place::new();
        place.write("text", b"text");
        assert_eq!(place.mode("key"), 0o600);
        place.set_mode("text", 0o600);
        place.ok(&["seal", "-k", "key", "text"]);
        assert_eq!(place.mode("text.cless"), 0o600);
        place.set_mode("text.cless", 0o604);
        place.ok(&["seal", "-k", "key", "text", "--force"]);
        assert_eq!(place.mode("text.cless"), 0o604);
    }

    #[test]
    fn a_key_that_others_may_read_is_refused() {
        let place = Place::new();
        place.set_mode("key", 0o644);
        place.write("text", b"text");
        assert!(
            place
                .fails(4, &["seal", "-k", "key", "text"])
                .stderr
                .contains("chmod 600")
        );
    }

    #[test]
    fn a_full_device_is_an_output_error() {
        let place = Place::new();
        place.write("text", &text(100_000));
        place.ok(&["seal", "-k", "key", "text"]);
        for args in [
            ["seal", "-k", "key", "text", "-o", "/dev/full"],
            ["open", "-k", "key", "text.cless", "-o", "/dev/full"],
        ] {
            assert!(place.fails(5, &args).stderr.contains("/dev/full"));
        }
        for args in [
            &["seal", "-k", "key", "text", "-o", "-"][..],
            &["engines"],
            &["vectors", "requests"],
        ] {
            place.write("requests", b"{}\n");
            let run = place.run_into(args, full_device());
            assert_eq!(run.code, Some(5), "{args:?}: {}", run.stderr);
        }
    }

    #[test]
    fn pipes_are_written_directly_and_links_followed() {
        let place = Place::new();
        place.write("text", b"text");
        assert!(
            Command::new("mkfifo")
                .arg(place.path("pipe"))
                .status()
                .expect("mkfifo")
                .success()
        );
        let mut reader = Command::new("cat")
            .arg(place.path("pipe"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("cat");
        place.ok(&["seal", "-k", "key", "text", "-o", "pipe"]);
        let mut sealed = Vec::new();
        std::io::Read::read_to_end(reader.stdout.as_mut().expect("piped"), &mut sealed)
            .expect("a pipe");
        reader.wait().expect("cat ends");
        assert_eq!(sealed.len(), CONTAINER.header + 4 + 16);

        place.write("real", b"old");
        symlink("real", place.path("link")).expect("a link");
        place.ok(&["seal", "-k", "key", "text", "-o", "link", "--force"]);
        assert!(
            std::fs::symlink_metadata(place.path("link"))
                .expect("it stays")
                .is_symlink()
        );
        assert_eq!(place.read("real").len(), CONTAINER.header + 4 + 16);
        symlink("loop", place.path("loop")).expect("a link");
        place.fails(5, &["seal", "-k", "key", "text", "-o", "loop", "--force"]);
    }

    #[test]
    fn a_reader_that_goes_away_is_met_with_silence() {
        let place = Place::new();
        place.write("text", &text(2_000_000));
        place.ok(&["seal", "-k", "key", "text"]);
        for args in [
            &["seal", "-k", "key", "text", "-o", "-"][..],
            &["open", "-k", "key", "text.cless", "-o", "-"],
            &["engines"],
        ] {
            let mut command = place.command(args);
            let mut child = command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            drop(child.stdout.take());
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
            assert_eq!(
                output.status.code(),
                Some(if args.len() == 1 { 0 } else { 5 }),
                "{args:?}"
            );
        }
    }
}
