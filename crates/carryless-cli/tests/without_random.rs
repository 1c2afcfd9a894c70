//! A random source that fails, at each draw: exit code 1, a message, nothing made or changed.
#![cfg(unix)]

mod common;

use common::victim::Victim;
use common::{CONTAINER, KINDS, MESSAGE, Place, RECIPIENT, STREAM, has_strace, injecting};

/// Nothing is sealed without it, and opening needs none.
#[test]
fn a_random_source_that_fails_is_reported() {
    if !has_strace() {
        return;
    }
    let strace = injecting("inject=getrandom:error=EIO");
    for kind in KINDS {
        let victim = Victim::new(kind);
        let run = victim.through(&strace, "seal", &["-o", "target"]);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains("random"), "{}", run.stderr);
        victim.assert_nothing_left("seal");
        let run = victim.through(&strace, "open", &["-o", "target"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let place = Place::new();
    let run = place.through(&strace, &["keygen", "-o", "new"]);
    assert!(
        run.code == Some(1) && run.stderr.contains("random"),
        "{}",
        run.stderr
    );
}

/// How often a verb draws, by letting one call after the other of the random source fail; each that it needs must
/// end it with a message and without an output.
fn draws_heeded(place: &Place, args: &[&str], output: &str) -> usize {
    let before = place.has(output).then(|| place.read(output));
    let mut heeded = 0;
    for when in 1..=12 {
        let fault = format!("inject=getrandom:error=EIO:when={when}");
        let run = place.through(&injecting(&fault), args);
        let what = format!("{args:?}, {fault}: {}", run.stderr);
        let after = place.has(output).then(|| place.read(output));
        match run.code {
            Some(1) => {
                assert!(run.stderr.contains("random generator failed"), "{what}");
                assert!(after == before && place.temporaries().is_empty(), "{what}");
                heeded += 1;
            }
            // What the C library and the standard library draw for themselves.
            Some(101) => assert!(run.stderr.contains("library/std"), "{what}"),
            _ => assert_eq!(run.code, Some(0), "{what}"),
        }
        match &before {
            Some(content) => place.write(output, content),
            None => drop(std::fs::remove_file(place.path(output))),
        }
    }
    heeded
}

#[test]
fn u9_without_random_bytes_nothing_is_made() {
    if !has_strace() {
        return;
    }
    let place = Place::of(MESSAGE);
    place.write("recipients", &place.new_identity("x25519", "identity"));
    place.write("hybrid", &place.new_identity("x-wing", "other"));
    place.write("text", b"a short one");
    place.write_key("phrase", b"word");
    place.ok(&["seal", "-k", "key", "text", "-o", "sealed"]);
    let target = ["text", "-o", "target"];
    // Nonces of a message; a salt for a stream; the file's id and key and a salt of its payload and each slot, another
    // one for each passphrase and recipient. Rekeying keeps the first three.
    let phrase = ["seal", "--passphrase-file", "phrase"];
    for (args, output, draws) in [
        (vec!["keygen", "-o", "target"], "target", 1),
        (vec!["keygen", "--kind", "gcm", "-o", "target"], "target", 1),
        (MESSAGE.args("seal", &target), "target", 1),
        (STREAM.args("seal", &target), "target", 1),
        (CONTAINER.args("seal", &target), "target", 4),
        ([&phrase[..], &target].concat(), "target", 5),
        (vec!["keygen", "--recipient", "-o", "target"], "target", 1),
        (RECIPIENT.args("seal", &target), "target", 5),
        (
            [&["seal", "-R", "hybrid"], &target[..]].concat(),
            "target",
            5,
        ),
        (
            vec!["rekey", "-k", "key", "--new-key-file", "key", "sealed"],
            "sealed",
            1,
        ),
    ] {
        let heeded = draws_heeded(&place, &args, output);
        assert_eq!(heeded, draws, "{args:?}");
        println!("U9 {}: {heeded} draws that fail", args.join(" "));
    }
}
