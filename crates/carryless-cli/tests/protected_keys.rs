//! Key files under a passphrase, commands that print passphrases, and what a try may cost.

mod common;

use std::process::Stdio;

use common::{Place, Run, finish};

const CHEAP: &str = "8k:1:1";
const OPENS: [&str; 4] = ["-k", "sealed.key", "--key-passphrase-command", "cat words"];

/// A place with a key file under the passphrase in `words`.
fn place() -> Place {
    let place = Place::new();
    place.write_key("words", b"correct horse\n");
    place.write_key("other", b"battery staple\n");
    place.write("text", b"attack at dawn");
    place.ok(&keygen("sealed.key"));
    place
}

fn keygen(name: &str) -> Vec<&str> {
    vec![
        "keygen",
        "--passphrase-file",
        "words",
        "--kdf-cost",
        CHEAP,
        "-o",
        name,
    ]
}

fn with<'a>(verb: &[&'a str], rest: &[&'a str]) -> Vec<&'a str> {
    [verb, rest].concat()
}

/// Runs with a variable.
fn run_with(place: &Place, variable: (&str, &str), args: &[&str]) -> Run {
    let mut command = place.piped(args);
    finish(command.env(variable.0, variable.1), b"")
}

#[test]
fn a_key_under_a_passphrase_serves_every_verb() {
    let place = place();
    #[cfg(unix)]
    assert_eq!(place.mode("sealed.key"), 0o600);
    place.ok(&with(&["seal", "text"], &OPENS));
    place.ok(&with(&["verify", "text.cless"], &OPENS));
    let opened = place.ok(&with(&["open", "text.cless", "-o", "-"], &OPENS));
    assert_eq!(opened, b"attack at dawn");
    place.ok(&with(
        &["rekey", "text.cless", "--new-key-file", "key"],
        &OPENS,
    ));
    place.ok(&["verify", "-k", "key", "text.cless"]);
    place.ok(&with(
        &[
            "rekey",
            "text.cless",
            "-k",
            "key",
            "--new-key-file",
            "sealed.key",
        ],
        &OPENS[2..],
    ));
    place.ok(&with(&["verify", "text.cless"], &OPENS));
    place.ok(&with(&keygen("gcm.key"), &["--kind", "gcm"]));
    for verb in [
        &["seal", "text", "-o", "message"][..],
        &["open", "message", "-o", "copy"],
    ] {
        let gcm = ["--format", "gcm", "-k", "gcm.key"];
        place.ok(&[verb, &gcm, &OPENS[2..]].concat());
    }
    assert_eq!(place.read("copy"), b"attack at dawn");
}

/// It is a container: what shows, recovers and changes its passphrase is there.
#[test]
fn a_key_under_a_passphrase_is_a_container_of_the_key_file() {
    let place = place();
    let seen = place.inspect("sealed.key");
    assert_eq!(seen["cipher"], "Cobblestone-256");
    assert_eq!(seen["slots"].as_array().map(Vec::len), Some(1));
    place.ok(&[
        "open",
        "--passphrase-file",
        "words",
        "sealed.key",
        "-o",
        "plain.key",
    ]);
    let text = String::from_utf8(place.read("plain.key")).expect("text");
    assert!(text.contains("carryless-key: v1"), "{text}");
    place.ok(&with(&["seal", "text"], &OPENS));
    place.ok(&["verify", "-k", "plain.key", "text.cless"]);
    let new = ["--new-passphrase-file", "other", "--kdf-cost", CHEAP];
    place.ok(&with(
        &["rekey", "--passphrase-file", "words", "sealed.key"],
        &new,
    ));
    place.fails(4, &with(&["verify", "text.cless"], &OPENS));
    place.ok(&[
        "verify",
        "text.cless",
        "-k",
        "sealed.key",
        "--key-passphrase-command",
        "cat other",
    ]);
}

#[test]
fn what_keeps_a_key_shut_is_a_key_error() {
    let place = place();
    place.ok(&["seal", "-k", "key", "text"]);
    let mut damaged = place.read("sealed.key");
    *damaged.last_mut().expect("a tag") ^= 1;
    place.write_key("damaged", &damaged);
    place.write_key("cut", &damaged[..100]);
    for (key, command, said) in [
        ("sealed.key", "cat other", "opens none of its slots"),
        (
            "sealed.key",
            "exit 3",
            "passphrase command `exit ..`: it failed: exit status: 3",
        ),
        ("sealed.key", "cat words; exit 1", "it failed"),
        ("sealed.key", "true", "0 bytes"),
        ("sealed.key", "head -c 2000 /dev/zero", "1 to 1024"),
        ("damaged", "cat words", "chunk 0"),
        ("cut", "cat words", "cut off"),
        // A letter under a passphrase, and a file that keys open.
        ("letter", "cat words", "is not `name: value`"),
        ("text.cless", "cat words", "no slot for a passphrase"),
    ] {
        if key == "letter" {
            place.ok(&[
                "seal",
                "--passphrase-file",
                "words",
                "--kdf-cost",
                CHEAP,
                "text",
                "-o",
                key,
            ]);
        }
        #[cfg(unix)]
        place.set_mode(key, 0o600);
        let args = [
            "verify",
            "text.cless",
            "-k",
            key,
            "--key-passphrase-command",
            command,
        ];
        let run = place.fails(4, &args);
        assert!(
            run.stderr.contains(said),
            "{key}, {command}: {}",
            run.stderr
        );
    }
}

/// Of a command that fails only the program is named: what follows may be a secret, and so may what precedes it.
#[cfg(unix)]
#[test]
fn a_failed_command_is_not_shown_whole() {
    let place = place();
    place.ok(&["seal", "-k", "key", "text"]);
    for (command, said) in [
        (
            "true hunter2; exit 5",
            "`true ..`: it failed: exit status: 5",
        ),
        ("kill -9 $$ # hunter2", "`kill ..`: it failed: signal: 9"),
        (
            "/bin/false hunter2",
            "`/bin/false ..`: it failed: exit status: 1",
        ),
        ("false", "`false`: it failed: exit status: 1"),
        ("WORD=hunter2 false", "command: it failed: exit status: 1"),
        (
            "WORD='a hunter2' false",
            "command: it failed: exit status: 1",
        ),
        ("{ true hunter2; }", "command: passphrase is 0 bytes"),
        (
            "head -c 2000 /dev/zero; : hunter2",
            "`head ..`: passphrase is",
        ),
    ] {
        for args in [
            &["-k", "sealed.key", "--key-passphrase-command", command][..],
            &["--passphrase-command", command],
        ] {
            let run = place.fails(4, &with(&["verify", "text.cless"], args));
            assert!(!run.stderr.contains("hunter2"), "{args:?}: {}", run.stderr);
            assert!(run.stderr.contains(said), "{args:?}: {}", run.stderr);
        }
    }
}

/// One command a call, however many key files and inputs it opens.
#[test]
fn the_passphrase_of_key_files_is_asked_for_once() {
    let place = place();
    place.ok(&keygen("second.key"));
    let counted = "echo >> calls; cat words";
    let once = ["--key-passphrase-command", counted];
    let both = ["-k", "sealed.key", "-k", "second.key"];
    place.write("more", b"text");
    place.ok(&[&["seal", "text", "more"][..], &both, &once].concat());
    assert_eq!(place.read("calls"), b"\n");
    let new = ["--new-key-file", "second.key"];
    let rekey = [
        &["rekey", "text.cless", "more.cless", "-k", "sealed.key"][..],
        &new,
        &once,
    ];
    place.ok(&rekey.concat());
    assert_eq!(place.read("calls"), b"\n\n");
    place.ok(&[&["verify", "text.cless", "-k", "second.key"][..], &once].concat());
}

#[test]
fn a_command_gives_a_passphrase_and_leaves_the_data_alone() {
    let place = place();
    let cheap = ["--kdf-cost", CHEAP];
    let seal = [
        "seal",
        "--passphrase-command",
        "cat; cat words",
        "-o",
        "sealed",
    ];
    let run = place.run_with(&with(&seal, &cheap), b"the data");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let opened = place.ok(&["open", "--passphrase-file", "words", "sealed", "-o", "-"]);
    assert_eq!(opened, b"the data");
    let rekey = [
        "rekey",
        "--passphrase-command",
        "cat words",
        "--new-passphrase-command",
        "cat other",
    ];
    place.ok(&[&rekey[..], &["sealed"], &cheap].concat());
    place.ok(&["verify", "--passphrase-file", "other", "sealed"]);
    place.fails(4, &["verify", "--passphrase-command", "false", "sealed"]);
    place.fails(
        2,
        &[
            "verify",
            "--passphrase-command",
            "cat words",
            "-p",
            "sealed",
        ],
    );
}

#[test]
fn a_variable_names_the_key_file_where_nothing_else_does() {
    let place = place();
    place.ok(&["keygen", "-o", "usual"]);
    let usual = ("CARRYLESS_KEY_FILE", "usual");
    let code = |variable, args: &[&str]| run_with(&place, variable, args).code;
    assert_eq!(code(usual, &["seal", "text"]), Some(0));
    place.ok(&["verify", "-k", "usual", "text.cless"]);
    assert_eq!(code(usual, &["verify", "text.cless"]), Some(0));
    assert_eq!(code(usual, &["verify", "-k", "key", "text.cless"]), Some(3));
    assert_eq!(
        code(
            usual,
            &["verify", "--passphrase-file", "words", "text.cless"]
        ),
        Some(3)
    );
    assert_eq!(
        code(("CARRYLESS_KEY_FILE", ""), &["verify", "text.cless"]),
        Some(2)
    );
    assert_eq!(
        code(("CARRYLESS_KEY_FILE", "absent"), &["verify", "text.cless"]),
        Some(4)
    );
    // Neither the target nor, redirected, the data.
    assert_eq!(code(usual, &["seal", "text", "-f", "-o", "usual"]), Some(2));
    let mut command = place.piped(&["seal"]);
    let key = std::fs::File::open(place.path("usual")).expect("a file");
    command.env(usual.0, "/dev/stdin").stdin(Stdio::from(key));
    let output = command.output().expect("it ran");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_cost_is_that_of_the_slot_and_needs_a_passphrase() {
    let place = place();
    let words = ["--passphrase-file", "words", "--kdf-cost", "128k:2:3"];
    place.ok(&with(&["seal", "text", "-o", "sealed"], &words));
    let said = String::from_utf8(place.ok(&["inspect", "sealed"])).expect("text");
    assert!(said.contains("128 KiB, 2 passes, 3 lanes"), "{said}");
    place.ok(&["verify", "--passphrase-file", "words", "sealed"]);
    for args in [
        &["seal", "-k", "key", "--kdf-cost", CHEAP, "text"][..],
        &[
            "seal",
            "-k",
            "key",
            "--format",
            "cobblestone",
            "--kdf-cost",
            CHEAP,
            "text",
        ],
        &[
            "rekey",
            "--passphrase-file",
            "words",
            "--new-key-file",
            "key",
            "--kdf-cost",
            CHEAP,
            "sealed",
        ],
        &["keygen", "--kdf-cost", CHEAP, "-o", "new"],
        &[
            "keygen",
            "--passphrase-file",
            "words",
            "--kdf-cost",
            "1g:5:1",
            "-o",
            "new",
        ],
        &[
            "keygen",
            "--passphrase-file",
            "words",
            "--kdf-cost",
            "2g:1:1",
            "-o",
            "new",
        ],
        &[
            "seal",
            "--passphrase-file",
            "words",
            "--kdf-cost",
            "7k:1:1",
            "text",
        ],
    ] {
        place.fails(2, args);
    }
    assert!(!place.has("new") && !place.has("text.cless"));
}

#[test]
fn a_reader_may_refuse_dear_passphrases() {
    let place = place();
    let words = ["--passphrase-file", "words"];
    let cost = ["--kdf-cost", "2m:1:1", "-k", "key"];
    place.ok(&[&["seal", "text", "-o", "sealed"][..], &words, &cost].concat());
    for (most, code) in [("2m", 0), ("3m", 0), ("2047k", 1), ("8k", 1), ("0", 1)] {
        for verb in [
            &["verify", "sealed"][..],
            &["open", "sealed", "-f", "-o", "out"],
        ] {
            let args = [verb, &words, &["--max-kdf-memory", most]].concat();
            let run = place.run(&args);
            assert_eq!(run.code, Some(code), "{most}: {}", run.stderr);
            assert_eq!(run.stderr.contains("2048 KiB"), code == 1, "{}", run.stderr);
        }
    }
    // A key has its turn before the passphrase, and needs no such memory.
    let both = [
        &["verify", "sealed", "-k", "key"][..],
        &words,
        &["--max-kdf-memory", "8k"],
    ];
    place.ok(&both.concat());
    let run = place.fails(
        4,
        &with(&["verify", "sealed", "--max-kdf-memory", "7k"], &OPENS),
    );
    assert!(run.stderr.contains("8 KiB"), "{}", run.stderr);
    place.fails(
        2,
        &["verify", "sealed", "-k", "key", "--max-kdf-memory", "2g"],
    );
}
