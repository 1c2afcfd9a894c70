//! Many short files in one call: flushed together, one flush for the directory, and nothing appears before its content
//! is on the disk.
#![cfg(target_os = "linux")]

mod common;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::Instant;

use common::hidden::ways;
use common::{Place, has_strace, text};

/// More than are flushed together.
const MANY: usize = 70;

/// A directory with short files, and their names behind a command line.
fn sources(count: usize) -> (Place, Vec<String>) {
    let place = Place::new();
    let names = Vec::from_iter((0..count).map(|i| format!("text{i}")));
    for name in &names {
        place.write(name, name.as_bytes());
    }
    (place, names)
}

fn seal(names: &[String]) -> Vec<&str> {
    let names = names.iter().map(String::as_str);
    ["seal", "-k", "key"].into_iter().chain(names).collect()
}

/// Which of the targets there are; each must open.
fn whole(place: &Place, names: &[String]) -> usize {
    let there = |name: &&String| place.has(&format!("{name}.cless"));
    let there = Vec::from_iter(names.iter().filter(there));
    for name in &there {
        let sealed = format!("{name}.cless");
        let opened = place.ok(&["open", "-k", "key", &sealed, "-o", "-"]);
        assert_eq!(opened, name.as_bytes());
    }
    there.len()
}

#[test]
fn each_file_is_flushed_before_it_appears_and_the_directory_once_behind_all() {
    if !has_strace() {
        return;
    }
    let (place, names) = sources(MANY);
    let calls = "trace=fsync,rename,renameat,renameat2,link,linkat";
    let strace = ["strace", "-f", "-y", "-qq", "-o", "trace", "-e", calls];
    let run = place.through(&strace, &seal(&names));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let trace = String::from_utf8_lossy(&place.read("trace")).into_owned();
    let directory = format!("<{}>", place.directory().display());
    // A file without a name gets one by its number; what it is called then is flushed, and renamed.
    let (mut named, mut flushed, mut placed) = (BTreeMap::new(), BTreeSet::new(), 0);
    let mut ended = false;
    for line in trace.lines() {
        let between = |from, to| Some(line.split_once(from)?.1.split_once(to)?.0);
        let name = between(".carryless-", ".tmp");
        if let Some(number) = between("/proc/self/fd/", "\"") {
            named.insert(number, name);
        } else if line.contains("fsync(") && line.contains(&directory) {
            ended = true;
        } else if let Some(number) = between("fsync(", "<") {
            flushed.extend(name.or_else(|| named.remove(number)?));
        } else if line.contains("rename") && !line.contains("resumed") {
            assert!(
                flushed.remove(name.expect("that of a hidden file")),
                "{line}"
            );
            assert!(!ended, "{line}");
            placed += 1;
        }
    }
    assert_eq!((placed, flushed.len(), ended), (MANY, 0, true), "{trace}");
    assert_eq!(whole(&place, &names), MANY);
}

#[test]
fn pages_are_flushed_with_one_flush_of_their_directory() {
    if !has_strace() {
        return;
    }
    let place = Place::new();
    let directory = format!("<{}>", place.directory().display());
    let trace = "trace=fsync,rename,renameat,renameat2,link,linkat";
    let strace = ["strace", "-f", "-y", "-qq", "-o", "trace", "-e", trace];
    let run = place.through(&strace, &["man", "--directory", "."]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let trace = String::from_utf8_lossy(&place.read("trace")).into_owned();
    let of_directory = |line: &&str| line.contains("fsync(") && line.contains(&directory);
    assert_eq!(trace.lines().filter(of_directory).count(), 1, "{trace}");
    let last = trace.lines().rfind(|line| !line.contains("+++"));
    assert!(last.is_some_and(|last| of_directory(&last)), "{trace}");
    let pages = place
        .names()
        .into_iter()
        .filter(|name| name.ends_with(".1"));
    let of_pages = trace.lines().filter(|line| line.contains("fsync("));
    assert_eq!(pages.count() + 1, of_pages.count(), "{trace}");
}

#[test]
fn new_files_in_a_directory_that_cannot_be_flushed_go_again() {
    if !has_strace() {
        return;
    }
    let (place, names) = sources(3);
    place.write("text1.cless", b"old");
    let directory = place.directory().display().to_string();
    let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", &directory];
    let strace = [&strace[..], &["-e", "inject=fsync:error=EIO"]].concat();
    let run = place.through(&strace, &[&seal(&names)[..], &["--force"]].concat());
    assert_eq!(run.code, Some(5), "{}", run.stderr);
    assert_eq!(run.stderr.matches("error:").count(), 1, "{}", run.stderr);
    assert!(!place.has("text0.cless") && !place.has("text2.cless"));
    assert_eq!(whole(&place, &names), 1);
}

#[test]
fn what_ends_it_leaves_each_of_many_whole_or_absent() {
    if !has_strace() {
        return;
    }
    const RENAME: &str = "rename,renameat,renameat2,link,linkat";
    for signal in ["KILL", "TERM"] {
        // Flushes that take long have threads of their own, by which strace counts.
        let calls = [("fsync", 1), (RENAME, 1), (RENAME, 3), ("fchmod", 2)];
        let ways = ways().into_iter();
        for (way, (call, when)) in ways.flat_map(|way| calls.map(|call| (way, call))) {
            let (place, names) = sources(5);
            let fault = format!("inject={call}:signal={signal}:when={when}");
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &fault];
            let run = place.through(&[way, &strace].concat(), &seal(&names));
            let case = format!("{way:?}, {fault}: {run:?}");
            // Of the last call, a signal that only asks may come too late.
            assert!(run.code != Some(5), "{case}");
            if call == "fsync" && signal == "KILL" {
                assert_eq!(whole(&place, &names), 0, "{case}");
            }
            whole(&place, &names);
            let left = place.temporaries();
            assert!(signal == "KILL" || left.is_empty(), "{case}: {left:?}");
            for name in left {
                let opens = |name: &str| place.run(&["verify", "-k", "key", name]).code == Some(0);
                place.assert_hidden(&name, "text0", opens);
            }
        }
    }
}

/// Outputs wait for each other then, more often than once.
#[test]
fn of_many_files_that_take_long_to_flush_all_are_placed() {
    if !has_strace() {
        return;
    }
    let (place, names) = sources(2 * MANY);
    let strace = ["strace", "-f", "-qq", "-o", "/dev/null"];
    let strace = [&strace[..], &["-e", "inject=fsync:delay_enter=1000"]].concat();
    let run = place.through(&strace, &[&seal(&names)[..], &["-t", "4"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(place.temporaries().is_empty());
    assert_eq!(whole(&place, &names), names.len());
}

/// What takes long to come keeps none of those before it from its place.
#[test]
fn short_files_do_not_wait_for_a_pipe() {
    let (place, names) = sources(2);
    place.ok(&seal(&names));
    place.write("long", &text(200_000));
    place.ok(&["seal", "-k", "key", "long"]);
    symlink("/dev/stdin", place.path("pipe.cless")).expect("a link");
    std::fs::create_dir(place.path("opened")).expect("a directory");
    let inputs = ["text0.cless", "text1.cless", "pipe.cless", "-o", "opened"];
    let mut child = place
        .command(&[&["open", "-k", "key"][..], &inputs].concat())
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begun = Instant::now();
    while !(place.has("opened/text0") && place.has("opened/text1")) {
        assert!(begun.elapsed() < Duration::from_secs(60), "they wait");
        std::thread::yield_now();
    }
    let mut pipe = child.stdin.take().expect("piped");
    pipe.write_all(&place.read("long.cless"))
        .expect("it is read");
    drop(pipe);
    assert!(child.wait().expect("it ends").success());
    assert_eq!(place.read("opened/pipe"), place.read("long"));
}

/// One without a writer would keep all behind it from their turn.
#[test]
fn a_pipe_with_a_name_is_refused_among_others() {
    let (place, mut names) = sources(2);
    let made = Command::new("mkfifo").arg(place.path("fifo")).status();
    assert!(made.expect("mkfifo").success());
    names.insert(1, "fifo".into());
    let run = place.run(&seal(&names));
    let said = "error: fifo: can't be read: it is a pipe, for which the others would wait\n  give it alone";
    assert_eq!(run.code, Some(5), "{}", run.stderr);
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(!place.has("fifo.cless") && place.temporaries().is_empty());
    names.remove(1);
    assert_eq!(whole(&place, &names), names.len());
}
