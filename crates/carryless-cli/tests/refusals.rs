//! Which option goes with which format, for each verb: what does not is a usage error that writes nothing.

mod common;

use common::{KINDS, Kind, MESSAGE, Place};

/// An option, and the formats that take it.
struct Row {
    option: &'static [&'static str],
    seal: &'static [&'static str],
    /// For opening and verifying, which may be given secrets that don't open.
    open: &'static [&'static str],
    verbs: &'static [&'static str],
}

impl Row {
    fn takes(&self, verb: &str, kind: Kind) -> bool {
        let formats = if verb == "seal" { self.seal } else { self.open };
        formats.contains(&kind.name)
    }
}

const VERBS: [&str; 3] = ["seal", "open", "verify"];
const NONE: &[&str] = &[];
const STREAMS: &[&str] = &["cobblestone"];
const CHUNKED: &[&str] = &["cobblestone", "container"];
const ALL: &[&str] = &["cobblestone", "container", "gcm"];

const ROWS: [Row; 17] = [
    row(&["--context", "invoices"], STREAMS),
    row(&["--context", ""], STREAMS),
    row(&["--context-hex", "00ff"], STREAMS),
    row(&["--context-hex", ""], STREAMS),
    row(&["--context", "a", "--context-hex", "61"], NONE),
    row(&["--context-hex", "0"], NONE),
    secret(&["--passphrase-file", "words"]),
    secret(&["--passphrase-fd", "0"]),
    row(
        &["--passphrase-file", "words", "--passphrase-fd", "0"],
        NONE,
    ),
    secret(&["--passphrase-command", "cat words"]),
    secret(&["-k", "another"]),
    // A cost is that of a passphrase.
    row(&["--kdf-cost", "8k:1:1"], NONE),
    Row {
        option: &["--passphrase-fd", "0", "--kdf-cost", "8k:1:1"],
        seal: &["container"],
        open: NONE,
        verbs: &["seal"],
    },
    row(&["-t", "2"], ALL),
    row(&["-t", "-1"], NONE),
    row(&["--json"], ALL),
    Row {
        option: &["--range", "0:2"],
        seal: NONE,
        open: CHUNKED,
        verbs: &["open"],
    },
];

const fn row(option: &'static [&'static str], formats: &'static [&'static str]) -> Row {
    Row {
        option,
        seal: formats,
        open: formats,
        verbs: &VERBS,
    }
}

/// A second one.
const fn secret(option: &'static [&'static str]) -> Row {
    Row {
        option,
        seal: &["container"],
        open: CHUNKED,
        verbs: &VERBS,
    }
}

fn place(kind: Kind) -> Place {
    let place = Place::of(kind);
    let of = if kind.name == MESSAGE.name {
        "gcm"
    } else {
        "file"
    };
    place.ok(&["keygen", "--kind", of, "-o", "another"]);
    place.write_key("words", b"correct horse");
    place.write("text", b"text");
    place
}

/// What it ends with, and what it leaves beside what was there.
fn check(place: &Place, args: &[&str], taken: bool) {
    let before = place.names();
    let run = place.run_with(args, b"correct horse");
    if taken {
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        let _ = std::fs::remove_file(place.path("out"));
    } else {
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty() && run.stdout.is_empty(), "{args:?}");
    }
    assert_eq!(place.names(), before, "{args:?}");
}

#[test]
fn options_go_with_the_formats_that_have_them() {
    let (mut taken, mut refused) = (0, 0);
    for kind in KINDS {
        let place = place(kind);
        for row in &ROWS {
            for verb in row.verbs {
                let takes = row.takes(verb, kind);
                let mut seal = kind.args("seal", &["text", "-f", "-o", "sealed"]);
                // Opening needs what sealing was given.
                if row.takes("seal", kind) {
                    seal.extend(row.option);
                }
                let sealed = place.run_with(&seal, b"correct horse");
                assert_eq!(sealed.code, Some(0), "{seal:?}: {}", sealed.stderr);
                let input = if *verb == "seal" { "text" } else { "sealed" };
                let mut args = kind.args(verb, row.option);
                args.push(input);
                if *verb != "verify" {
                    args.extend(["-o", "out"]);
                }
                check(&place, &args, takes);
                if takes { taken += 1 } else { refused += 1 }
            }
        }
    }
    println!("options: {taken} taken, {refused} refused");
}

/// Without a key, or with one by way of the environment alone.
#[test]
fn every_verb_needs_a_secret() {
    for kind in KINDS {
        let place = place(kind);
        place.ok(&kind.args("seal", &["text", "-o", "sealed"]));
        for verb in VERBS {
            let input = if verb == "seal" { "text" } else { "sealed" };
            let mut args = vec![verb, "--format", kind.name, input];
            if verb != "verify" {
                args.extend(["-o", "out"]);
            }
            check(&place, &args, false);
        }
        if kind.name != "container" {
            let mut command = place.command(&["seal", "--format", kind.name, "text", "-o", "out"]);
            let output = command
                .env("CARRYLESS_PASSPHRASE", "correct horse")
                .output();
            assert_eq!(output.expect("it ran").status.code(), Some(2), "{kind:?}");
            assert!(!place.has("out"));
        }
    }
}
