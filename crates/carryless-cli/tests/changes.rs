//! What changes while it is worked on, and surroundings that are odd.
#![cfg(unix)]

mod common;

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use common::victim::Victim;
use common::{CHUNK, CHUNKED, CONTAINER, KINDS, MESSAGE, Place, Run, SEALED, finish, has_strace};

/// Without `--force` it is not replaced, though it was not there when the work began.
#[test]
fn a_target_that_comes_to_be_meanwhile_stays() {
    for kind in KINDS {
        let victim = Victim::new(kind);
        let sealed = victim
            .place
            .run_with(&kind.args("seal", &[]), b"text")
            .stdout;
        for (verb, input) in [("seal", &b"text"[..]), ("open", &sealed)] {
            let mut child = victim
                .place
                .command(&kind.args(verb, &["-", "-o", "new"]))
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            victim.place.await_output();
            victim.place.write("new", b"mine");
            let mut stdin = child.stdin.take().expect("piped");
            stdin.write_all(input).expect("a pipe");
            drop(stdin);
            let output = child.wait_with_output().expect("it ends");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(2),
                "{verb}, {}: {said}",
                kind.name
            );
            assert!(said.contains("--force"), "{said}");
            assert_eq!(victim.place.read("new"), b"mine", "{verb}, {}", kind.name);
            assert!(victim.place.temporaries().is_empty());
            std::fs::remove_file(victim.place.path("new")).expect("it exists");
        }
    }
}

/// With `--force` it is replaced as it was when the work began, and no other.
#[test]
fn a_target_that_changes_meanwhile_stays() {
    for kind in KINDS {
        let victim = Victim::new(kind);
        victim.place.write("old", b"before");
        let mut child = victim
            .place
            .command(&kind.args("seal", &["-", "-f", "-o", "old"]))
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        victim.place.await_output();
        victim.place.write("old", b"mine");
        drop(child.stdin.take());
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{}: {said}", kind.name);
        assert!(said.contains("changed it meanwhile"), "{said}");
        assert_eq!(victim.place.read("old"), b"mine", "{}", kind.name);
        assert!(victim.place.temporaries().is_empty());
    }
}

/// What is sealed anew while the old one gets another header is not undone: who comes second fails.
#[test]
fn of_two_that_replace_a_file_one_fails() {
    if !has_strace() {
        return;
    }
    let place = Place::new();
    place.ok(&["keygen", "-o", "new"]);
    place.write("old text", b"old");
    place.write("text", b"attack at dawn");
    place.ok(&["seal", "-k", "key", "old text", "-o", "file"]);
    let slowly = "inject=fsync:delay_enter=2000000";
    let slow = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", slowly];
    let rekey = ["rekey", "-k", "key", "--new-key-file", "new", "file"];
    let (rekeyed, sealed) = std::thread::scope(|scope| {
        let rekeying = scope.spawn(|| place.through(&slow, &rekey));
        place.await_output();
        let sealed = place.run(&["seal", "-k", "key", "text", "-f", "-o", "file"]);
        (rekeying.join().expect("it ends"), sealed)
    });
    let (right, failed, key, text) = match sealed.code {
        Some(0) => (sealed, rekeyed, "key", &b"attack at dawn"[..]),
        _ => (rekeyed, sealed, "new", &b"old"[..]),
    };
    let codes = (right.code, failed.code);
    assert_eq!(
        codes,
        (Some(0), Some(5)),
        "{} {}",
        right.stderr,
        failed.stderr
    );
    assert!(failed.stderr.contains("file: can't be replaced"));
    assert_eq!(place.ok(&["open", "-k", key, "file", "-o", "-"]), text);
    assert!(place.temporaries().is_empty());
}

/// As a drop box is: new names can be made in it, and nothing read.
#[test]
fn a_directory_that_can_not_be_read_takes_files() {
    if !has_strace() {
        return;
    }
    let place = Place::new();
    std::fs::create_dir(place.path("box")).expect("a directory");
    place.write("text", b"attack at dawn");
    let directory = place.path("box");
    let directory = directory.to_str().expect("text");
    let target = format!("{directory}/sealed");
    let unreadable = [
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-P",
        directory,
        "-e",
        "inject=openat:error=EACCES",
    ];
    for force in [&[][..], &["-f"]] {
        let args = [&["seal", "-k", "key", "text", "-o", &target], force].concat();
        let run = place.through(&unreadable, &args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let said = run.stderr.matches("can't be read");
        assert_eq!(said.count(), 1, "{}", run.stderr);
        let opened = place.ok(&["open", "-k", "key", "box/sealed", "-o", "-"]);
        assert_eq!(opened, b"attack at dawn");
    }
}

/// A target is where its name led when the work began.
#[test]
fn a_link_to_the_directory_may_change_meanwhile() {
    let place = Place::of(CONTAINER);
    for directory in ["first", "second"] {
        std::fs::create_dir(place.path(directory)).expect("it is new");
    }
    symlink("first", place.path("link")).expect("it is new");
    let mut child = place
        .piped(&CONTAINER.args("seal", &["-", "-o", "link/sealed"]))
        .spawn()
        .expect("the program starts");
    let is_there = |name: &str| {
        place
            .path(name)
            .read_dir()
            .is_ok_and(|mut all| all.next().is_some())
    };
    place.await_output_in("first");
    std::fs::remove_file(place.path("link")).expect("it exists");
    symlink("second", place.path("link")).expect("it is gone");
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
    assert_eq!(
        place.path("first").read_dir().expect("a directory").count(),
        1
    );
    assert!(place.has("first/sealed") && !is_there("second"));
}

#[test]
fn a_directory_that_vanishes_is_an_output_error() {
    for kind in KINDS {
        let victim = Victim::new(kind);
        std::fs::create_dir(victim.place.path("gone")).expect("a directory");
        let mut command = victim
            .place
            .command(&kind.args("seal", &["-", "-o", "gone/target"]));
        let mut child = command
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("piped");
        let directory = victim.place.path("gone");
        victim.place.await_output_in("gone");
        std::fs::remove_dir_all(&directory).expect("it is there");
        stdin.write_all(b"text").expect("a pipe");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let run = Run::from(output);
        victim.assert_clean(&run, "without its directory");
        assert!(!directory.exists());
    }
}

/// Changes the source of a verb whose output nobody reads when it can't go on.
fn while_blocked(
    victim: &Victim,
    verb: &str,
    rest: &[&str],
    change: impl FnOnce(&std::fs::File),
) -> Run {
    let source = Victim::source(verb);
    let args = [&[source, "-o", "-", "-t", "2"], rest].concat();
    let mut command = victim.place.command(&victim.kind.args(verb, &args));
    common::while_blocked(&mut command, || {
        let file = std::fs::OpenOptions::new()
            .append(true)
            .open(victim.place.path(source))
            .expect("a file");
        change(&file);
    })
}

#[test]
fn a_source_that_shrinks_or_grows_gives_something_consistent() {
    for kind in KINDS {
        for grows in [false, true] {
            let change = |file: &std::fs::File| {
                if grows {
                    (&*file).write_all(&[7; 100_000]).expect("room");
                } else {
                    file.set_len(3_000_000).expect("a file");
                }
            };
            let victim = Victim::new(kind);
            let run = while_blocked(&victim, "seal", &[], change);
            assert_eq!(run.code, Some(0), "{grows}: {}", run.stderr);
            assert!(run.stderr.contains("it changed"), "{}", run.stderr);
            let opened = victim.place.run_with(&kind.args("open", &[]), &run.stdout);
            assert_eq!(opened.code, Some(0), "{grows}: {}", opened.stderr);
            let expected = victim.place.read("text");
            assert!(opened.stdout == expected, "{}, {grows}", kind.name);

            let victim = Victim::new(kind);
            let run = while_blocked(&victim, "open", &[], change);
            // What was a message before something was put behind it is one still: the length counts
            // that it had at first.
            let still = grows && kind.name == MESSAGE.name;
            let expected = if still { 0 } else { 3 };
            assert_eq!(
                run.code,
                Some(expected),
                "{kind:?}, {grows}: {}",
                run.stderr
            );
            assert!(victim.text.starts_with(&run.stdout), "{grows}");
            assert!(!still || run.stdout == victim.text);
        }
    }
}

/// The system says that they are empty, and gives more than a batch.
#[test]
fn files_of_the_system_that_have_no_length_are_sealed_whole() {
    let system = "/proc/kallsyms";
    let Ok(text) = std::fs::read(system) else {
        eprintln!("not run: {system} can't be read");
        return;
    };
    if text.len() < 3 * 32 * CHUNK {
        eprintln!("not run: {system} has {} bytes", text.len());
        return;
    }
    for kind in CHUNKED {
        let place = Place::of(kind);
        for threads in ["1", "3"] {
            let args = [system, "-o", "sealed", "--force", "-t", threads];
            place.ok(&kind.args("seal", &args));
            let opened = place.ok(&kind.args("open", &["sealed", "-o", "-"]));
            assert!(opened == text, "{kind:?}, {threads} threads");
        }
    }
}

/// Cut between two chunks, so that every chunk that is left is authentic.
#[test]
fn a_range_of_a_file_that_shrinks_is_not_taken_for_all_of_it() {
    for kind in CHUNKED {
        let victim = Victim::new(kind);
        let cut = u64::try_from(kind.header + 200 * SEALED).expect("small");
        let run = while_blocked(&victim, "open", &["--range", "0:4900000"], |file| {
            file.set_len(cut).expect("a file");
        });
        assert_eq!(run.code, Some(3), "{}", run.stderr);
        assert!(victim.text.starts_with(&run.stdout));
        assert!(run.stderr.contains("only the beginning"), "{}", run.stderr);
    }
}

#[test]
fn odd_locales_zones_times_and_names_do_not_matter() {
    let place = Place::new();
    place.write("text", b"text");
    let old = std::time::SystemTime::UNIX_EPOCH - core::time::Duration::from_secs(1 << 31);
    let file = std::fs::File::options()
        .write(true)
        .open(place.path("text"))
        .expect("a file");
    file.set_modified(old).expect("a time");
    let name = OsStr::from_bytes(b"\xff\xfe no UTF-8 \x01\n");
    std::fs::copy(place.path("text"), place.directory().join(name)).expect("a file");
    for locale in ["", "C", "tr_TR.UTF-8", "xx_YY", "\u{ff}"] {
        for (verb, input) in [
            ("seal", name.as_bytes().to_vec()),
            ("open", [name.as_bytes(), b".cless"].concat()),
        ] {
            let mut command = place.command(&[verb, "--force", "-k", "key"]);
            command
                .arg(OsStr::from_bytes(&input))
                .envs([("LC_ALL", locale), ("LANG", locale), ("TZ", "Nowhere/99")])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let run = finish(&mut command, b"");
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{locale}");
        }
    }
    assert_eq!(
        std::fs::read(place.directory().join(name)).expect("a file"),
        b"text"
    );
}
