//! Names of targets, what is never replaced, and many files in one call.

mod common;

use std::process::Stdio;

use common::{Place, finish};

#[test]
fn names_are_derived_or_asked_for() {
    let place = Place::new();
    place.write("text", b"text");
    place.ok(&["seal", "-k", "key", "text"]);
    std::fs::remove_file(place.path("text")).expect("it exists");
    place.ok(&["open", "-k", "key", "text.cless"]);
    assert_eq!(place.read("text"), b"text");
    std::fs::rename(place.path("text.cless"), place.path("sealed")).expect("it exists");
    assert!(
        place
            .fails(2, &["open", "-k", "key", "sealed"])
            .stderr
            .contains("-o")
    );
    assert_eq!(
        place.ok(&["open", "-k", "key", "sealed", "-o", "-"]),
        b"text"
    );
}

#[test]
fn a_target_that_exists_stays_without_force() {
    let place = Place::new();
    place.write("text", b"text");
    place.write("text.cless", b"old");
    assert!(
        place
            .fails(2, &["seal", "-k", "key", "text"])
            .stderr
            .contains("--force")
    );
    assert_eq!(place.read("text.cless"), b"old");
    place.ok(&["seal", "-k", "key", "text", "-f"]);
    assert_ne!(place.read("text.cless"), b"old");
    assert_eq!(place.fails(2, &["keygen", "-o", "key"]).code, Some(2));
}

#[test]
fn an_old_target_survives_a_failure() {
    let place = Place::new();
    place.write("bad.cless", &[7; 1000]);
    place.write("bad", b"old");
    place.fails(3, &["open", "-k", "key", "bad.cless", "--force"]);
    assert_eq!(place.read("bad"), b"old");
    assert_eq!(place.names(), ["bad", "bad.cless", "key"]);
}

#[test]
fn the_input_is_never_the_target() {
    let place = Place::new();
    place.write("text", b"text");
    place.fails(2, &["seal", "-k", "key", "text", "-o", "text", "--force"]);
    place.fails(2, &["seal", "-k", "key", "text", "-o", "./text", "--force"]);
    assert_eq!(place.read("text"), b"text");
    // Nor is one of the others: it would be read after it was replaced.
    place.write("text.cless", b"mine");
    let run = place.fails(2, &["seal", "-f", "-k", "key", "text", "text.cless"]);
    assert!(
        run.stderr.contains("the target is an input"),
        "{}",
        run.stderr
    );
    assert_eq!(place.read("text.cless"), b"mine");
    assert!(place.has("text.cless.cless"));
}

/// By whatever name: what a link leads to would be replaced.
#[cfg(unix)]
#[test]
fn what_is_read_is_not_the_target_through_a_link() {
    let place = Place::new();
    place.write("text", b"text");
    place.write_key("words", b"correct horse");
    place.ok(&["seal", "-k", "key", "text", "-o", "sealed"]);
    let link = |kind: &str, to: &str| {
        let name = format!("{kind} to {to}");
        let made = match kind {
            "symbolic link" => std::os::unix::fs::symlink(to, place.path(&name)),
            _ => std::fs::hard_link(place.path(to), place.path(&name)),
        };
        made.expect("a link");
        name
    };
    for kind in ["symbolic link", "hard link"] {
        for (args, to) in [
            (&["seal", "-k", "key", "text"][..], "text"),
            (&["seal", "-k", "key", "text"], "key"),
            (&["seal", "--passphrase-file", "words", "text"], "words"),
            (&["open", "-k", "key", "sealed"], "sealed"),
            (&["open", "-k", "key", "sealed"], "key"),
            (
                &["rekey", "-k", "key", "--new-key-file", "key", "sealed"],
                "key",
            ),
        ] {
            let before = place.read(to);
            let name = link(kind, to);
            let run = place.fails(2, &[args, &["-f", "-o", &name]].concat());
            assert!(
                run.stderr.contains("the target is"),
                "{kind}, {args:?}: {}",
                run.stderr
            );
            assert_eq!(place.read(to), before, "{kind}, {args:?}");
            std::fs::remove_file(place.path(&name)).expect("a link");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_named_as_such() {
    let place = Place::new();
    place.write("text", b"text");
    for (name, to) in [("dangling", "nothing"), ("loop", "loop")] {
        std::os::unix::fs::symlink(to, place.path(name)).expect("a link");
    }
    for (target, named) in [("dangling", true), ("loop", false), ("text/below", false)] {
        let run = place.fails(5, &["seal", "-k", "key", "text", "-f", "-o", target]);
        let hint = "it is a symbolic link to what does not exist";
        assert_eq!(run.stderr.contains(hint), named, "{target}: {}", run.stderr);
    }
}

/// A pipe that has a name can't be replaced by what was read from it.
#[cfg(target_os = "linux")]
#[test]
fn only_a_regular_file_is_given_new_slots_in_place() {
    use std::io::Write;

    let place = Place::new();
    place.write("text", b"text");
    place.ok(&["seal", "-k", "key", "text", "-o", "sealed"]);
    place.ok(&["keygen", "-o", "new"]);
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    // Open both ways, it waits for nobody.
    let mut pipe = std::fs::File::options();
    let mut pipe = pipe
        .read(true)
        .write(true)
        .open(place.path("pipe"))
        .expect("a pipe");
    pipe.write_all(&place.read("sealed"))
        .expect("there is room");
    let args = ["rekey", "-k", "key", "--new-key-file", "new", "pipe"];
    let run = place.fails(2, &args);
    assert!(run.stderr.contains("only a regular file"), "{}", run.stderr);
}

#[test]
fn the_key_file_is_never_the_target() {
    let place = Place::new();
    place.write("text", b"text");
    let key = place.read("key");
    place.fails(2, &["seal", "-k", "key", "text", "-o", "key", "--force"]);
    place.ok(&["seal", "-k", "key", "text"]);
    place.fails(
        2,
        &["open", "-k", "key", "text.cless", "-o", "./key", "--force"],
    );
    assert_eq!(place.read("key"), key);
    place.ok(&["keygen", "-o", "new"]);
    let new = place.read("new");
    let args = ["rekey", "-k", "key", "--new-key-file", "new", "text.cless"];
    place.fails(2, &[&args[..], &["-o", "new", "-f"]].concat());
    assert_eq!(place.read("new"), new);
}

#[test]
fn many_files_have_each_their_own_result() {
    let place = Place::new();
    let names = ["a", "b", "c"];
    for name in names {
        place.write(name, name.as_bytes());
    }
    place.ok(&["seal", "-k", "key", "a", "b", "c"]);
    std::fs::create_dir(place.path("out")).expect("a directory");
    let json = place.ok(&[
        "open", "-k", "key", "a.cless", "b.cless", "c.cless", "-o", "out", "--json",
    ]);
    assert_eq!(String::from_utf8_lossy(&json).lines().count(), 3);
    for name in names {
        assert_eq!(place.read(&format!("out/{name}")), name.as_bytes());
    }
    // One that fails keeps no other from its turn; its code is the command's.
    place.write(
        "b.cless",
        b"not sealed, and long enough to be read as if it had been so",
    );
    let args = [
        "open",
        "-k",
        "key",
        "a.cless",
        "b.cless",
        "absent.cless",
        "c.cless",
        "-o",
        "out",
    ];
    let run = place.run(&[&args[..], &["--force", "--json"]].concat());
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert_eq!(run.stderr.matches("error:").count(), 2, "{}", run.stderr);
    let answers: Vec<serde_json::Value> = String::from_utf8_lossy(&run.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let codes: Vec<_> = answers
        .iter()
        .map(|answer| answer["code"].as_u64())
        .collect();
    assert_eq!(codes, [None, Some(3), Some(5), None]);
    let keys = |answer: &serde_json::Value| -> Vec<String> {
        answer
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(
        keys(&answers[0]),
        [
            "file",
            "file_hex",
            "format",
            "output",
            "output_hex",
            "plaintext_len",
            "seconds"
        ]
    );
    assert_eq!(keys(&answers[1]), ["code", "error", "file", "file_hex"]);
    place.fails(2, &["seal", "-k", "key", "a", "c", "-o", "absent"]);
    place.fails(2, &["seal", "-k", "key", "a", "-o", "-", "--json"]);
    assert!(place.temporaries().is_empty());
}

#[test]
fn a_directory_takes_one_file_too_if_it_is_called_one() {
    let place = Place::new();
    place.write("text", b"text");
    std::fs::create_dir(place.path("out")).expect("a directory");
    place.ok(&["seal", "-k", "key", "text", "-o", "out/"]);
    assert!(place.has("out/text.cless"));
    let run = place.fails(5, &["seal", "-k", "key", "text", "-o", "out"]);
    assert!(run.stderr.contains("-o out/"), "{}", run.stderr);
    place.fails(2, &["seal", "-k", "key", "text", "-o", "absent/"]);
    place.fails(2, &["seal", "-k", "key", "-", "-o", "out/"]);
    // A directory is no input; what to do with it is said.
    let run = place.fails(5, &["seal", "-k", "key", "out", "text"]);
    assert!(run.stderr.contains("tar c"), "{}", run.stderr);
    assert!(place.has("text.cless"), "the other one has its turn");
    assert_eq!(place.names(), ["key", "out", "text", "text.cless"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_redirected_is_not_replaced_either() {
    let place = Place::new();
    place.write("text", b"text");
    let redirected = |script: &str| {
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", script, env!("CARGO_BIN_EXE_carryless")])
            .current_dir(place.directory())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        finish(&mut command, b"")
    };
    for script in [
        "\"$0\" seal -k key -o text --force < text",
        "\"$0\" seal -k key - -o ./text --force < text",
        "\"$0\" seal -k key text -o - >> text",
        "\"$0\" seal -k key < text >> text",
        "\"$0\" seal -k key < text 1<> text",
    ] {
        let run = redirected(script);
        assert_eq!(run.code, Some(2), "{script}: {}", run.stderr);
        assert!(run.stderr.contains("the target is an input"), "{script}");
        assert_eq!(place.read("text"), b"text", "{script}");
    }
    let run = redirected("\"$0\" seal -k key < /dev/null > /dev/null");
    assert_eq!(run.code, Some(0), "devices are no files: {}", run.stderr);
    // What is redirected from its start is a file like others, with its rights and its length.
    std::fs::set_permissions(
        place.path("text"),
        std::os::unix::fs::PermissionsExt::from_mode(0o600),
    )
    .expect("a file");
    let run = redirected("\"$0\" seal -k key -o sealed < text && stat -c %a sealed");
    assert_eq!(run.stdout, b"600\n", "{}", run.stderr);
    let run = redirected("\"$0\" open -k key --range 1:2 < sealed");
    assert_eq!(run.stdout, b"ex", "{}", run.stderr);
    let run = redirected("(head -c 1 > /dev/null; \"$0\" seal -k key) < text > rest");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(place.ok(&["open", "-k", "key", "rest", "-o", "-"]), b"ext");
}

#[cfg(target_os = "linux")]
#[test]
fn secrets_and_data_do_not_share_standard_input() {
    let place = Place::new();
    place.write("text", b"text");
    let key = place.read("key");
    for args in [
        &["seal", "--passphrase-fd", "0"][..],
        &["seal", "--passphrase-file", "/dev/stdin", "text", "-"],
        &["seal", "-k", "/dev/stdin", "-o", "sealed"],
        &["open", "-k", "/dev/stdin", "-"],
        &["verify", "-k", "/dev/fd/0"],
        &[
            "rekey",
            "-k",
            "key",
            "--new-passphrase-fd",
            "0",
            "-",
            "-o",
            "-",
        ],
    ] {
        let run = place.run_with(args, &key);
        assert_eq!((run.code, run.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(run.stderr.contains("standard input"), "{}", run.stderr);
    }
    let run = place.run_with(&["seal", "-k", "/dev/stdin", "text"], &key);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    place.ok(&["verify", "-k", "key", "text.cless"]);
}
