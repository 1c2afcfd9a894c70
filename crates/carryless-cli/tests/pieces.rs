//! Secrets that a pipe gives piece by piece are read to their end, by every option that takes one.
#![cfg(target_os = "linux")]

mod common;

use core::time::Duration;
use std::io::Write;

use common::{Place, Run, fed};

/// Longer than a program needs to come back for the next piece.
const PAUSE: Duration = Duration::from_millis(60);

/// Runs with a standard input that comes in pieces.
fn run(place: &Place, args: &[&str], pieces: &[&[u8]]) -> Run {
    fed(&mut place.piped(args), |mut stdin| {
        for piece in pieces {
            std::thread::sleep(PAUSE);
            // What has read enough may have ended.
            let _ = stdin.write_all(piece);
        }
    })
}

/// One byte first, all but one, and in between.
fn cuts(secret: &[u8]) -> [Vec<&[u8]>; 3] {
    let (first, rest) = secret.split_at(1);
    let (most, last) = secret.split_at(secret.len() - 1);
    [
        vec![first, rest],
        vec![most, last],
        secret.chunks(secret.len() / 4 + 1).collect(),
    ]
}

/// What is done with a secret in pieces, after which `then` is; the first byte alone is not enough.
fn check(place: &Place, args: &[&str], secret: &[u8], then: &[&str]) {
    for pieces in cuts(secret) {
        let lens: Vec<usize> = pieces.iter().map(|piece| piece.len()).collect();
        let run = run(place, args, &pieces);
        assert_eq!(run.code, Some(0), "{args:?} {lens:?}: {}", run.stderr);
        if !then.is_empty() {
            place.ok(then);
        }
    }
    let run = place.run_with(args, &secret[..1]);
    let opened = run.code == Some(0) && (then.is_empty() || place.run(then).code == Some(0));
    assert!(!opened, "{args:?}: one byte was enough");
}

fn place() -> Place {
    let place = Place::new();
    place.ok(&["keygen", "--kind", "gcm", "-o", "gcm.key"]);
    place.write_key(
        "raw",
        b"\xa5\x07\0\xd2\x5a\xff\x11\x86\x0c\xb7\xe0\x21\x4f\x9a\xc3\x38",
    );
    place.write_key("words", b"correct horse\n");
    place.write("text", b"attack at dawn");
    for (args, sealed) in [
        (&["-k", "key"][..], "by-key"),
        (&["--raw-key-file", "raw"], "by-raw"),
        (&["--passphrase-file", "words"], "by-words"),
        (&["-k", "gcm.key", "--format", "gcm"], "by-gcm"),
    ] {
        place.ok(&[&["seal", "text", "-o", sealed], args].concat());
    }
    place
}

#[test]
fn secrets_that_come_in_pieces_open() {
    let place = place();
    let gcm = ["verify", "by-gcm", "--format", "gcm", "-k", "/dev/fd/0"];
    for (args, secret) in [
        (&["verify", "by-key", "-k", "/dev/fd/0"][..], "key"),
        (&["verify", "by-raw", "--raw-key-file", "/dev/stdin"], "raw"),
        (&gcm, "gcm.key"),
        (&["verify", "by-words", "--passphrase-fd", "0"], "words"),
        (
            &["verify", "by-words", "--passphrase-file", "/dev/stdin"],
            "words",
        ),
    ] {
        let secret = place.read(secret);
        // A line end at its end is none of a passphrase, nor of a key.
        check(&place, args, secret.trim_ascii_end(), &[]);
    }
}

#[test]
fn secrets_that_come_in_pieces_seal() {
    let place = place();
    let open = ["open", "sealed", "-o", "opened", "-f"];
    let seal = ["seal", "text", "-o", "sealed", "-f"];
    let rekey = ["rekey", "by-key", "-k", "key", "-o", "sealed", "-f"];
    for (verb, option, secret, opening) in [
        (
            &seal[..],
            &["-k", "/dev/fd/0"][..],
            "key",
            &["-k", "key"][..],
        ),
        (
            &seal,
            &["--raw-key-file", "/dev/fd/0"],
            "raw",
            &["--raw-key-file", "raw"],
        ),
        (
            &seal,
            &["--passphrase-fd", "0"],
            "words",
            &["--passphrase-file", "words"],
        ),
        (
            &rekey,
            &["--new-raw-key-file", "/dev/fd/0"],
            "raw",
            &["--raw-key-file", "raw"],
        ),
        (
            &rekey,
            &["--new-passphrase-fd", "0"],
            "words",
            &["--passphrase-file", "words"],
        ),
        (
            &rekey,
            &["--new-passphrase-file", "/dev/fd/0"],
            "words",
            &["--passphrase-file", "words"],
        ),
    ] {
        let secret = place.read(secret);
        let args = [verb, option].concat();
        check(
            &place,
            &args,
            secret.trim_ascii_end(),
            &[&open[..], opening].concat(),
        );
    }
}
