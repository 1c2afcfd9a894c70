//! Disks, pipes and system calls that fail: one clear message, exit code 5, no target, no temporary file,
//! the source as it was.
#![cfg(unix)]

mod common;

use std::process::{Command, Stdio};

use common::hidden::{is_unnamed, ways};
use common::victim::Victim;
use common::{CONTAINER, KINDS, Kind, has_strace, injecting};

/// Verbs, and ways to run the program: what comes behind the output is the same in both, so that one format is enough.
fn ways_of(kind: Kind) -> Vec<(&'static [&'static str], &'static str)> {
    let ways = ways().into_iter().enumerate();
    let ways = ways.filter(|(i, _)| *i == 0 || kind.name == CONTAINER.name);
    ways.flat_map(|(_, way)| ["seal", "open"].map(|verb| (way, verb)))
        .collect()
}

#[test]
fn every_system_call_of_writing_that_fails_is_reported() {
    if !has_strace() {
        return;
    }
    for kind in KINDS {
        let victim = Victim::new(kind);
        for (way, verb) in ways_of(kind) {
            for (call, error, times) in [
                ("write", "ENOSPC", 3),
                ("write", "EIO", 1),
                ("write", "EDQUOT", 1),
                ("fsync", "EIO", 1),
                ("fsync", "ENOSPC", 1),
                ("rename,renameat,renameat2,link,linkat", "EIO", 1),
            ] {
                for (when, threads) in (1..=times).map(|when| (when, "1")).chain([(1, "3")]) {
                    let fault = format!("inject={call}:error={error}:when={when}");
                    let strace = [way, &injecting(&fault)].concat();
                    let run = victim.through(&strace, verb, &["-o", "target", "-t", threads]);
                    let what = format!("{way:?} {verb} -t {threads}, {fault}");
                    if threads == "1" {
                        victim.assert_clean(&run, &what);
                        assert!(run.stderr.contains("target"), "{what}: {}", run.stderr);
                        continue;
                    }
                    // Calls are counted by thread: none may come so far, or the message be the victim.
                    if run.code == Some(0) {
                        std::fs::remove_file(victim.place.path("target")).expect("it exists");
                    } else {
                        assert_eq!(run.code, Some(5), "{what}: {}", run.stderr);
                        victim.assert_nothing_left(&what);
                    }
                }
            }
        }
    }
}

/// A directory is the second that is flushed.
#[test]
fn only_a_directory_need_not_know_how_to_be_flushed() {
    if !has_strace() {
        return;
    }
    let victim = Victim::new(CONTAINER);
    for error in ["EINVAL", "EOPNOTSUPP"] {
        for (when, code) in [(1, 5), (2, 0)] {
            let fault = format!("inject=fsync:error={error}:when={when}");
            let strace = injecting(&fault);
            let run = victim.through(&strace, "open", &["-o", "target", "-t", "1"]);
            assert_eq!(run.code, Some(code), "{error}, {when}: {}", run.stderr);
            if code == 0 {
                std::fs::remove_file(victim.place.path("target")).expect("it is there");
            }
            victim.assert_nothing_left(&run.stderr);
        }
    }
}

#[test]
fn interrupted_calls_are_repeated() {
    if !has_strace() {
        return;
    }
    for kind in KINDS {
        let victim = Victim::new(kind);
        for call in ["read", "write"] {
            // From the eighth on: the loader's own reads come before.
            let fault = format!("inject={call}:error=EINTR:when=8+3");
            let strace = injecting(&fault);
            let run = victim.through(&strace, "open", &["-o", "-", "-t", "2"]);
            assert_eq!(run.code, Some(0), "{fault}: {}", run.stderr);
            assert!(run.stdout == victim.text, "{fault}");
        }
    }
}

#[test]
fn a_source_that_fails_in_the_middle_leaves_nothing() {
    if !has_strace() {
        return;
    }
    for kind in KINDS {
        let victim = Victim::new(kind);
        for verb in ["seal", "open"] {
            let source = victim.place.path(Victim::source(verb));
            let source = source.to_string_lossy();
            for when in 1..=4 {
                let fault = format!("inject=read:error=EIO:when={when}");
                let strace = [&injecting(&fault)[..], &["-P", &source]].concat();
                let run = victim.through(&strace, verb, &["-o", "target", "-t", "1"]);
                victim.assert_clean(&run, &format!("{verb}, {fault}"));
                assert!(run.stderr.contains("can't be read"), "{}", run.stderr);
            }
        }
    }
}

#[test]
fn a_kill_at_each_call_of_writing_leaves_a_whole_target_or_none() {
    if !has_strace() {
        return;
    }
    for kind in KINDS {
        let victim = Victim::new(kind);
        for (call, when) in [
            ("write", 1),
            ("write", 2),
            ("write", 4),
            ("fsync", 1),
            ("rename,renameat,renameat2,link,linkat", 1),
            ("fchmod", 1),
            ("fsync", 2),
        ] {
            let fault = format!("inject={call}:signal=KILL:when={when}");
            for (way, verb) in ways_of(kind) {
                let strace = [way, &injecting(&fault)].concat();
                let run = victim.through(&strace, verb, &["-o", "target", "-t", "1"]);
                assert!(run.code != Some(5), "{fault}: {}", run.stderr);
                let place = &victim.place;
                let is_whole = |name: &str| {
                    let text = match verb {
                        "seal" => place.ok(&kind.args("open", &[name, "-o", "-"])),
                        _ => place.read(name),
                    };
                    text == victim.text
                };
                if place.has("target") {
                    assert!(is_whole("target"), "{verb}, {fault}: torn");
                    std::fs::remove_file(place.path("target")).expect("it exists");
                }
                for name in place.temporaries() {
                    // As long as it is written it has none.
                    let may_be = call != "write" || !is_unnamed(way);
                    assert!(may_be, "{verb}, {fault}: {name}");
                    place.assert_hidden(&name, "text", is_whole);
                    std::fs::remove_file(place.path(&name)).expect("it exists");
                }
            }
        }
    }
}

#[test]
fn a_rekeying_that_fails_or_is_killed_leaves_a_file_that_opens() {
    if !has_strace() {
        return;
    }
    let victim = Victim::new(CONTAINER);
    let place = &victim.place;
    place.ok(&["keygen", "-o", "new"]);
    let old = place.read("sealed");
    let calls = [
        ("write", 1),
        ("write", 2),
        ("write", 9),
        ("fsync", 1),
        ("link,linkat", 1),
        ("rename,renameat,renameat2", 1),
        ("fsync", 2),
    ];
    let ways = ways().into_iter();
    for (way, (call, when)) in ways.flat_map(|way| calls.map(|call| (way, call))) {
        if call.starts_with("link") && !is_unnamed(way) {
            continue;
        }
        for action in ["error=ENOSPC", "signal=KILL", "signal=TERM"] {
            place.write("sealed", &old);
            let fault = format!("inject={call}:{action}:when={when}");
            let strace = [way, &injecting(&fault)].concat();
            let run = victim.through(&strace, "rekey", &["--new-key-file", "new"]);
            // A signal that only asks may come too late.
            let fails = run.code != Some(0) || action.contains("TERM");
            assert!(fails, "{way:?}, {fault}: {run:?}");
            let replaced = place.read("sealed") != old;
            let key = if replaced { "new" } else { "key" };
            let opened = place.ok(&["open", "-k", key, "sealed", "-o", "-"]);
            assert!(opened == victim.text, "{fault}: torn");
            let left = place.temporaries();
            assert!(
                action.contains("KILL") || left.is_empty(),
                "{way:?}, {fault}: {left:?}"
            );
            for name in left {
                let may_be = !["write", "link,linkat"].contains(&call) || !is_unnamed(way);
                assert!(may_be, "{fault}: {name}");
                let opens = |name: &str| place.run(&["verify", "-k", "new", name]).code == Some(0);
                place.assert_hidden(&name, "sealed", opens);
                std::fs::remove_file(place.path(&name)).expect("it exists");
            }
        }
    }
}

#[test]
fn one_of_many_that_fails_leaves_the_others() {
    if !has_strace() {
        return;
    }
    for kind in KINDS {
        let victim = Victim::new(kind);
        let place = &victim.place;
        place.write("second", b"a short one");
        place.write("third", &victim.text);
        // Every call of writing of the first and of some of the second, by the only thread there is.
        for when in [1, 3, 9, 15] {
            let fault = format!("inject=write:error=EIO:when={when}");
            let strace = injecting(&fault);
            let run = victim.through(&strace, "seal", &["second", "third", "-t", "1"]);
            let what = format!("{}, {fault}: {run:?}", kind.name);
            assert_eq!(run.code, Some(5), "{what}");
            assert_eq!(run.stderr.matches("error:").count(), 1, "{what}");
            let sealed = ["text.cless", "second.cless", "third.cless"].map(|name| place.has(name));
            assert_eq!(sealed.iter().filter(|sealed| **sealed).count(), 2, "{what}");
            for name in ["text", "second", "third"] {
                let target = format!("{name}.cless");
                if place.has(&target) {
                    let opened = place.ok(&kind.args("open", &[&target, "-o", "-"]));
                    assert!(opened == place.read(name), "{what}: {name}");
                    std::fs::remove_file(place.path(&target)).expect("it exists");
                }
            }
            victim.assert_nothing_left(&what);
        }
    }
}

#[test]
fn threads_that_cannot_be_had_are_an_error_or_done_without() {
    if !has_strace() {
        return;
    }
    let victim = Victim::new(CONTAINER);
    // The first waits for signals, without which temporary files would stay; the others work.
    for (when, code) in [(1, 1), (2, 0), (3, 0)] {
        let fault = format!("inject=clone,clone3:error=EAGAIN:when={when}+");
        let strace = injecting(&fault);
        let run = victim.through(&strace, "seal", &["-o", "target", "-t", "3"]);
        assert_eq!(run.code, Some(code), "{fault}: {}", run.stderr);
        let errors = run.stderr.matches("error:").count();
        assert_eq!(i32::try_from(errors), Ok(code), "{fault}: {}", run.stderr);
        assert_eq!(victim.place.has("target"), code == 0, "{fault}");
        let _ = std::fs::remove_file(victim.place.path("target"));
        victim.assert_nothing_left(&fault);
    }
}

#[test]
fn a_limit_on_open_files_leaves_nothing_half_done() {
    let victim = Victim::new(CONTAINER);
    for limit in 4..9 {
        let limited = format!("ulimit -n {limit}; exec \"$@\"");
        let run = victim.through(&["sh", "-c", &limited, "sh"], "seal", &["-o", "target"]);
        if run.code == Some(0) {
            std::fs::remove_file(victim.place.path("target")).expect("it exists");
        } else {
            assert!(run.stderr.contains("Too many open files"), "{run:?}");
            assert!(matches!(run.code, Some(1 | 4 | 5)), "{limit}: {run:?}");
        }
        victim.assert_nothing_left(&limited);
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_output_error() {
    for kind in KINDS {
        let victim = Victim::new(kind);
        for verb in ["seal", "open"] {
            let limited = ["sh", "-c", "ulimit -f 2000; exec \"$@\"", "sh"];
            for threads in ["1", "3"] {
                let run = victim.through(&limited, verb, &["-o", "target", "-t", threads]);
                victim.assert_clean(&run, &format!("{verb} under ulimit -f"));
            }
        }
    }
}

#[test]
fn a_full_or_read_only_disk_is_an_output_error() {
    let mounts = Command::new("unshare")
        .args(["-rm", "sh", "-c", "mount -t tmpfs -o size=1m none /mnt"])
        .stderr(Stdio::null())
        .status();
    if !mounts.is_ok_and(|status| status.success()) {
        eprintln!("not run: no small file system may be mounted here");
        return;
    }
    for kind in KINDS {
        let victim = Victim::new(kind);
        for verb in ["seal", "open"] {
            for options in ["size=1m", "ro"] {
                let script = format!(
                    "mount -t tmpfs -o {options} none /mnt || exit 99; \"$@\"; code=$?; \
                    test -z \"$(ls -A /mnt)\" || exit 98; exit $code"
                );
                let disk = ["unshare", "-rm", "sh", "-c", &script, "sh"];
                let run = victim.through(&disk, verb, &["-o", "/mnt/target"]);
                victim.assert_clean(&run, &format!("{verb} on a disk with {options}"));
                assert!(run.stderr.contains("/mnt/target"), "{}", run.stderr);
            }
        }
    }
}

#[test]
fn devices_that_are_full_or_cannot_be_read() {
    for kind in KINDS {
        let victim = Victim::new(kind);
        for verb in ["seal", "open"] {
            let run = victim.through(&["env"], verb, &["-o", "/dev/full"]);
            victim.assert_clean(&run, &format!("{verb} to /dev/full"));
            let run = victim
                .place
                .run(&kind.args(verb, &["/proc/self/mem", "-o", "target"]));
            victim.assert_clean(&run, &format!("{verb} of what gives EIO"));
            let run = victim.through(&["env"], verb, &["-o", "/proc/target"]);
            victim.assert_clean(&run, &format!("{verb} to where no file can be"));
        }
    }
}
