//! Signals: nothing is left of what was begun, whichever file it is.
#![cfg(unix)]

mod common;

use core::time::Duration;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};

use common::hidden::{is_unnamed, ways};
use common::{Place, text};

/// Whether the signal is ignored here, and so by what is started: under `nohup`, and in the background of a
/// shell without job control.
fn is_ignored(signal: &str) -> bool {
    let number = match signal {
        "HUP" => 1,
        "INT" => 2,
        "QUIT" => 3,
        "USR1" => 10,
        "USR2" => 12,
        "ALRM" => 14,
        "XCPU" => 24,
        _ => 15,
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (number - 1) & 1 == 1);
    if ignored {
        eprintln!("not run: {signal} is ignored here");
    }
    ignored
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &id]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn signals_remove_the_temporary_file() {
    let everywhere = [("HUP", 129), ("INT", 130), ("QUIT", 131), ("TERM", 143)];
    // Their numbers are those of Linux.
    let here = [("USR1", 138), ("USR2", 140), ("ALRM", 142), ("XCPU", 152)];
    let here = here.into_iter().filter(|_| cfg!(target_os = "linux"));
    for (signal, code) in everywhere.into_iter().chain(here) {
        if is_ignored(signal) {
            continue;
        }
        for way in ways() {
            let place = Place::new();
            let mut command = place.command_through(way, &["seal", "-k", "key", "-o", "target"]);
            let mut child = command
                .stdin(Stdio::piped())
                .spawn()
                .expect("the program starts");
            // At the end of its input the output would be whole.
            let input = child.stdin.take();
            place.await_output();
            let names = place.temporaries();
            assert_eq!(names.is_empty(), is_unnamed(way), "{names:?}");
            for name in names {
                assert_eq!(place.mode(&name), 0o600);
            }
            send(&child, signal);
            assert_eq!(child.wait().expect("it ends").code(), Some(code));
            drop(input);
            assert_eq!(place.names(), ["key"]);
        }
    }
}

/// Of several files it is that of the one at work, also behind one that failed and one that was done.
#[test]
fn signals_remove_the_temporary_file_of_a_later_file() {
    let place = Place::new();
    place.write("text", &text(200_000));
    place.ok(&["seal", "-k", "key", "text"]);
    let sealed = place.read("text.cless");
    let mut bad = sealed.clone();
    *bad.last_mut().expect("a tag") ^= 1;
    place.write("bad.cless", &bad);
    place.write("good.cless", &sealed);
    symlink("/dev/stdin", place.path("pipe.cless")).expect("a link");
    for (signal, code) in [("HUP", 129), ("INT", 130), ("TERM", 143)] {
        if is_ignored(signal) {
            continue;
        }
        for before in [
            &["bad.cless"][..],
            &["good.cless"],
            &["good.cless", "bad.cless"],
        ] {
            let open = [&["open", "-k", "key", "--force"], before, &["pipe.cless"]].concat();
            let mut command = place.command(&open);
            let mut child = command
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let mut pipe = child.stdin.take().expect("piped");
            // More than a pipe holds: when all is written, some was read, and those before are over.
            if let Err(error) = pipe.write_all(&sealed[..150_000]) {
                panic!("it is read: {error}: {:?}", child.wait_with_output());
            }
            place.await_output();
            send(&child, signal);
            assert_eq!(child.wait().expect("it ends").code(), Some(code));
            assert_eq!(place.temporaries(), [""; 0], "{signal}, {before:?}");
            assert!(
                !place.has("pipe") && !place.has("bad"),
                "{signal}, {before:?}"
            );
        }
    }
}

/// Each of them with each set of those that are ignored, whatever is ignored here.
#[cfg(target_os = "linux")]
#[test]
fn signals_that_are_ignored_stay_so() {
    const SIGNALS: [(&str, i32); 3] = [("HUP", 129), ("INT", 130), ("TERM", 143)];
    for set in 0..1 << SIGNALS.len() {
        let is_in = |of: usize| set >> of & 1 == 1;
        let ignored = (0..SIGNALS.len()).filter(|of| is_in(*of));
        let ignored: Vec<&str> = ignored.map(|of| SIGNALS[of].0).collect();
        for (of, (signal, code)) in SIGNALS.into_iter().enumerate() {
            let place = Place::new();
            let mut command = Command::new("env");
            command.arg("--default-signal=HUP,INT,TERM");
            if !ignored.is_empty() {
                command.arg(format!("--ignore-signal={}", ignored.join(",")));
            }
            command.args([env!("CARGO_BIN_EXE_carryless"), "seal", "-k", "key"]);
            let mut child = command
                .args(["-o", "target"])
                .current_dir(place.directory())
                .stdin(Stdio::piped())
                .spawn()
                .expect("env starts it");
            place.await_output();
            send(&child, signal);
            std::thread::sleep(Duration::from_millis(50));
            drop(child.stdin.take());
            let code = if is_in(of) { 0 } else { code };
            let ended = child.wait().expect("it ends").code();
            assert_eq!(ended, Some(code), "{signal} with {ignored:?} ignored");
            assert_eq!(place.has("target"), code == 0, "{signal}, {ignored:?}");
        }
    }
}
