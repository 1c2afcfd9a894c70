//! Pipes in which something comes from time to time: chunks go on when their time is up, and the format stays what it is.
#![cfg(unix)]

mod common;

use core::time::Duration;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};

use common::{CHUNK, CHUNKED, CONTAINER, Kind, MESSAGE, Place, SEALED, text};

/// Longer than any chunk has to wait, and no longer than a test should.
const LONG: Duration = Duration::from_secs(60);

/// A verb at work between two pipes, and the bytes of its output as they come.
struct Running {
    child: Child,
    stdin: ChildStdin,
    output: Receiver<Vec<u8>>,
}

impl Running {
    fn start(place: &Place, args: &[&str]) -> Self {
        let mut child = place.piped(args).spawn().expect("the program starts");
        let stdin = child.stdin.take().expect("piped");
        let mut stdout: ChildStdout = child.stdout.take().expect("piped");
        let (sender, output) = channel();
        spawn(move || {
            let mut piece = [0; 1 << 16];
            while let Ok(len @ 1..) = stdout.read(&mut piece) {
                let _ = sender.send(piece[..len].to_vec());
            }
        });
        Self {
            child,
            stdin,
            output,
        }
    }

    /// So many bytes, which must come although the input goes on.
    fn read(&self, len: usize) -> Vec<u8> {
        let mut output = Vec::new();
        while output.len() < len {
            let more = self.output.recv_timeout(LONG);
            output.extend(more.unwrap_or_else(|_| panic!("{} of {len} bytes", output.len())));
        }
        assert_eq!(output.len(), len);
        output
    }

    /// Ends the input; what else comes.
    fn end(self) -> Vec<u8> {
        let Self {
            mut child,
            stdin,
            output,
        } = self;
        drop(stdin);
        assert!(child.wait().expect("it ends").success());
        output.iter().flatten().collect()
    }
}

fn sealing<'a>(kind: Kind, seconds: &'a str, threads: &'a str) -> Vec<&'a str> {
    kind.args("seal", &["--flush-after", seconds, "-t", threads])
}

#[test]
fn whole_chunks_go_on_when_nothing_comes_and_outlive_a_killed_writer() {
    let text = text(2 * CHUNK + 5000);
    for kind in CHUNKED {
        let place = Place::of(kind);
        let mut running = Running::start(&place, &sealing(kind, "0.1", "2"));
        running.stdin.write_all(&text).expect("it reads");
        let sealed = running.read(kind.header + 2 * SEALED);
        running.child.kill().expect("it runs");
        running.child.wait().expect("it ends");
        place.write("sealed", &sealed);
        let run = place.run(&kind.args("open", &["sealed", "-o", "-"]));
        assert_eq!(run.code, Some(3), "{}", run.stderr);
        assert!(run.stdout == text[..2 * CHUNK], "{}", kind.name);
    }
}

#[test]
fn what_comes_in_pieces_becomes_a_file_like_any_other() {
    let text = text(3 * CHUNK + 777);
    for (kind, threads) in CHUNKED.into_iter().zip(["1", "3"]) {
        let place = Place::of(kind);
        place.write("text", &text);
        place.ok(&kind.args("seal", &["text", "-o", "whole"]));
        let mut running = Running::start(&place, &sealing(kind, "0", threads));
        let (mut sealed, mut chunks) = (running.read(kind.header), 0);
        for piece in [&text[..100], &text[100..CHUNK + 1], &text[CHUNK + 1..]] {
            running.stdin.write_all(piece).expect("it reads");
            let written = piece.as_ptr().addr() - text.as_ptr().addr() + piece.len();
            sealed.extend(running.read((written / CHUNK - chunks) * SEALED));
            chunks = written / CHUNK;
        }
        sealed.extend(running.end());
        assert_eq!(sealed.len(), place.read("whole").len(), "{}", kind.name);
        place.write("sealed", &sealed);
        let opened = place.ok(&kind.args("open", &["sealed", "-o", "-"]));
        assert!(opened == text, "{}", kind.name);
    }
}

/// It is the age of what was read that counts, and not a pause.
#[test]
fn chunks_go_on_though_there_is_always_something_to_read() {
    let place = Place::new();
    let mut running = Running::start(&place, &sealing(CONTAINER, "0.2", "1"));
    let mut left = CONTAINER.header + SEALED;
    // Less than a batch has.
    for _ in 0..500 {
        running.stdin.write_all(&[7; 700]).expect("it reads");
        sleep(Duration::from_millis(5));
        let come = running.output.try_iter().flatten().count();
        left = left.saturating_sub(come);
        if left == 0 {
            break;
        }
    }
    assert_eq!(left, 0, "bytes that have not come");
    running.child.kill().expect("it runs");
    running.child.wait().expect("it ends");
}

#[test]
fn opening_gives_the_text_of_chunks_that_came() {
    let text = text(2 * CHUNK + 5);
    for kind in CHUNKED {
        let place = Place::of(kind);
        place.write("text", &text);
        place.ok(&kind.args("seal", &["text", "-o", "sealed"]));
        let sealed = place.read("sealed");
        let args = kind.args("open", &["--flush-after", "0.1"]);
        let mut running = Running::start(&place, &args);
        let (now, later) = sealed.split_at(kind.header + SEALED + 9);
        running.stdin.write_all(now).expect("it reads");
        let mut opened = running.read(CHUNK);
        running.stdin.write_all(later).expect("it reads");
        opened.extend(running.end());
        assert!(opened == text, "{}", kind.name);
    }
}

#[test]
fn it_is_refused_where_there_is_nothing_to_flush() {
    let place = Place::of(MESSAGE);
    place.write("text", b"text");
    place.ok(&["seal", "-k", "key", "text"]);
    let after = ["--flush-after", "1"];
    let run = place.fails(2, &MESSAGE.args("seal", &[&["text"][..], &after].concat()));
    assert!(run.stderr.contains("no chunks"), "{}", run.stderr);
    let range = ["text.cless", "-o", "-", "--range", "0:1"];
    place.fails(2, &CONTAINER.args("open", &[&range[..], &after].concat()));
    for wrong in ["x", "-1", "nan", "inf", "1e300"] {
        let after = format!("--flush-after={wrong}");
        let run = place.fails(2, &["seal", "-k", "key", &after]);
        assert!(run.stderr.contains("number of seconds"), "{}", run.stderr);
    }
}
