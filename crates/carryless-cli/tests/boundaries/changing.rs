//! Sources that change at a boundary while they are read: sealed as they were read, with a warning; when
//! they are opened, data that is not what was sealed.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::common::{
    CHUNK, CHUNKED, CONTAINER, KINDS, Kind, Place as Directory, Run, while_blocked,
};
use crate::model::{Victim, base_len, group, is_message, sealed_group};
use crate::table::{Place, Table, subject};

/// What happens to a source.
#[derive(Clone, Copy, Debug)]
enum Change {
    Flip(usize),
    Cut(usize),
    Grow(usize),
}

impl Change {
    /// Around a place in a source, and behind its end by as much as takes the end to a boundary.
    fn around(place: usize, to_boundary: usize) -> Vec<(Self, Place)> {
        let by = |offset: isize| place.checked_add_signed(offset).expect("within the file");
        let near = [-1, 0, 1].into_iter().flat_map(|offset| {
            let at = Place::of(offset);
            [(Self::Flip(by(offset)), at), (Self::Cut(by(offset)), at)]
        });
        let grown = [
            (Self::Grow(to_boundary - 1), Place::Before),
            (Self::Grow(to_boundary), Place::At),
            (Self::Grow(to_boundary + 1), Place::Behind),
        ];
        near.chain(grown).collect()
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Flip(_) => "flipped",
            Self::Cut(_) => "cut",
            Self::Grow(_) => "grown",
        }
    }

    fn make(self, file: &File) {
        match self {
            Self::Flip(at) => {
                let (mut byte, at) = ([0], at as u64);
                file.read_exact_at(&mut byte, at).expect("a byte");
                file.write_all_at(&[byte[0] ^ 1], at).expect("room");
            }
            Self::Cut(at) => file.set_len(at as u64).expect("a file"),
            Self::Grow(more) => {
                let end = file.metadata().expect("a file").len();
                file.write_all_at(&vec![7; more], end).expect("room");
            }
        }
    }
}

/// Threads, and the first boundary of which both sides are certainly not read yet when the first batch
/// waits to be written: each worker may have read one.
const THREADS: [(usize, usize); 3] = [(1, 2), (2, 3), (4, 5)];

fn run(directory: &Directory, kind: Kind, verb: &str, rest: &[&str], change: Change) -> Run {
    let args = [&["source", "-o", "-"], rest].concat();
    while_blocked(&mut directory.command(&kind.args(verb, &args)), || {
        let file = File::options()
            .read(true)
            .write(true)
            .open(directory.path("source"));
        change.make(&file.expect("a file"));
    })
}

/// What a file that changed while it was opened has to give.
fn expected<'a>(victim: &'a Victim, sealed: &[u8], change: Change) -> (i32, &'a [u8]) {
    let kind = victim.kind;
    if !is_message(kind) {
        return victim.expected(sealed);
    }
    // Segments that are what was verified; the message ends where it did.
    match change {
        Change::Flip(at) | Change::Cut(at) => {
            let same = (at - kind.header) / group(kind) * group(kind);
            (3, &victim.text[..same])
        }
        Change::Grow(_) => (0, &victim.text),
    }
}

#[test]
fn u8_sealed_files_that_change_at_a_boundary_while_they_are_opened() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for kind in KINDS {
        let directory = Directory::of(kind);
        for (threads, groups) in THREADS {
            if threads > 2 && kind.name != CONTAINER.name {
                continue;
            }
            let victim = Victim::new(&directory, kind, base_len(kind, groups));
            let subject = subject(kind.name, "changed while opened", threads);
            let boundary = kind.header + groups * sealed_group(kind);
            let rest = (victim.sealed.len() - kind.header) % sealed_group(kind);
            for (change, place) in Change::around(boundary, sealed_group(kind) - rest) {
                directory.write("source", &victim.sealed);
                let run = run(
                    &directory,
                    kind,
                    "open",
                    &["-t", &threads.to_string()],
                    change,
                );
                let (code, text) = expected(&victim, &directory.read("source"), change);
                assert_eq!(
                    run.code,
                    Some(code),
                    "{subject}, {change:?}: {}",
                    run.stderr
                );
                let len = run.stdout.len();
                assert!(
                    run.stdout == text,
                    "{subject}, {change:?}: {len} bytes of text"
                );
                table.add(&subject, change.name(), place, code);
            }
            subjects.push(subject);
        }
    }
    table.finish(&subjects, &["flipped", "cut", "grown"]);
}

#[test]
fn u8_texts_that_change_at_a_boundary_while_they_are_sealed() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for kind in KINDS {
        let directory = Directory::of(kind);
        for (threads, groups) in &THREADS[1..2] {
            let len = base_len(kind, *groups);
            let text = crate::common::text(len);
            let subject = subject(kind.name, "changed while sealed", *threads);
            let to_boundary = group(kind) - len % group(kind);
            for (change, place) in Change::around(groups * group(kind), to_boundary) {
                directory.write("source", &text);
                let run = run(
                    &directory,
                    kind,
                    "seal",
                    &["-t", &threads.to_string()],
                    change,
                );
                let what = format!("{subject}, {change:?}: {}", run.stderr);
                assert_eq!(run.code, Some(0), "{what}");
                assert!(
                    run.stderr.contains("it changed while it was read"),
                    "{what}"
                );
                let opened = directory.run_with(&kind.args("open", &[]), &run.stdout);
                assert_eq!(opened.code, Some(0), "{what}: {}", opened.stderr);
                assert!(opened.stdout == directory.read("source"), "{what}");
                table.add(&subject, change.name(), place, 0);
            }
            subjects.push(subject);
        }
    }
    table.finish(&subjects, &["flipped", "cut", "grown"]);
}

/// That was exit code 1, a statement on the arguments of a call inside, and the whole chunks of the last
/// batch were not given out.
#[test]
fn u8_a_range_of_a_file_that_is_cut_within_a_chunk_is_not_what_was_sealed() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for kind in CHUNKED {
        let directory = Directory::of(kind);
        let victim = Victim::new(&directory, kind, base_len(kind, 3));
        let boundary = kind.header + 2 * sealed_group(kind);
        let range = format!("0:{}", 3 * group(kind) - CHUNK - 3);
        let subject = subject(kind.name, "range, changed while opened", 1);
        for (change, place) in Change::around(boundary, 1) {
            if matches!(change, Change::Grow(_)) {
                continue;
            }
            directory.write("source", &victim.sealed);
            let run = run(
                &directory,
                kind,
                "open",
                &["-t", "1", "--range", &range],
                change,
            );
            let (code, text) = victim.expected(&directory.read("source"));
            assert_eq!(
                run.code,
                Some(code),
                "{subject}, {change:?}: {}",
                run.stderr
            );
            assert!(
                run.stdout == text,
                "{subject}, {change:?}: {} bytes",
                run.stdout.len()
            );
            table.add(&subject, change.name(), place, code);
        }
        subjects.push(subject);
    }
    table.finish(&subjects, &["flipped", "cut"]);
}
