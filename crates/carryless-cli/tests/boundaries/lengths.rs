//! Texts that end before, at and behind a boundary come back, from files and through pipes.

use crate::common::{CHUNK, CONTAINER, KINDS, Kind, Place as Directory, SEALED, text};
use crate::groups;
use crate::model::{group, is_message, quick};
use crate::table::{Place, Table, subject};

/// Threads, and after how many groups texts end: one and two, as many as there are workers, one more.
const THREADS: [(usize, &[usize]); 3] = [(1, &[1, 2]), (2, &[2, 3]), (4, &[5])];

/// Bytes from a boundary.
fn offsets(kind: Kind) -> &'static [isize] {
    if is_message(kind) {
        &[-16, -1, 0, 1, 16]
    } else {
        &[-1, 0, 1]
    }
}

fn at(boundary: usize, offset: isize) -> usize {
    boundary.checked_add_signed(offset).expect("not empty")
}

/// Seals and opens all of these as files, in one call each.
fn through_files(directory: &Directory, kind: Kind, threads: &str, texts: &[&[u8]]) {
    for name in ["texts", "sealed", "opened"] {
        std::fs::create_dir(directory.path(name)).expect("a directory");
    }
    let names = |of: &str, end: &str| -> Vec<String> {
        (0..texts.len()).map(|n| format!("{of}/{n}{end}")).collect()
    };
    for (name, text) in names("texts", "").iter().zip(texts) {
        directory.write(name, text);
    }
    for (verb, to, from) in [
        ("seal", "sealed/", names("texts", "")),
        ("open", "opened/", names("sealed", ".cless")),
    ] {
        let rest: Vec<&str> = ["-o", to, "-t", threads]
            .into_iter()
            .chain(from.iter().map(String::as_str))
            .collect();
        directory.ok(&kind.args(verb, &rest));
    }
    for (name, text) in names("opened", "").iter().zip(texts) {
        let same = directory.read(name) == *text;
        assert!(same, "{} -t {threads}: file of {}", kind.name, text.len());
    }
    for name in ["texts", "sealed", "opened"] {
        std::fs::remove_dir_all(directory.path(name)).expect("a directory");
    }
}

fn through_pipes(directory: &Directory, kind: Kind, threads: &str, text: &[u8]) {
    let sealed = directory.run_with(&kind.args("seal", &["-t", threads]), text);
    let opened = directory.run_with(&kind.args("open", &["-t", threads]), &sealed.stdout);
    assert_eq!(
        (opened.code, opened.stderr.as_str()),
        (Some(0), ""),
        "{} -t {threads}",
        kind.name
    );
    assert!(
        opened.stdout == text,
        "{} -t {threads}: pipe of {}",
        kind.name,
        text.len()
    );
}

#[test]
fn u8_texts_that_end_around_a_boundary_come_back() {
    let mut table = Table::default();
    let mut subjects = Vec::new();
    for kind in KINDS {
        let directory = Directory::of(kind);
        let whole = text(5 * group(kind) + 16);
        for (threads, groups) in THREADS {
            if threads > 2 && quick() {
                continue;
            }
            let ends = |groups: usize| {
                offsets(kind)
                    .iter()
                    .map(move |off| (groups * group(kind), *off))
            };
            let ends: Vec<_> = groups.iter().flat_map(|groups| ends(*groups)).collect();
            let texts: Vec<&[u8]> = ends
                .iter()
                .map(|(end, off)| &whole[..at(*end, *off)])
                .collect();
            let few = threads.to_string();
            through_files(&directory, kind, &few, &texts);
            let (files, pipe) = (
                subject(kind.name, "files", threads),
                subject(kind.name, "pipe", threads),
            );
            for (number, (_, offset)) in ends.iter().enumerate() {
                table.add(&files, "sealed and opened", Place::of(*offset), 0);
                // Through pipes the longest, which have more batches than there are workers.
                if number + offsets(kind).len() >= ends.len() {
                    through_pipes(&directory, kind, &few, texts[number]);
                    table.add(&pipe, "sealed and opened", Place::of(*offset), 0);
                }
            }
            subjects.extend([files, pipe]);
        }
    }
    table.finish(&subjects, &["sealed and opened"]);
}

/// A payload that ends around what is copied at once is copied whole, and one that is cut there is not
/// taken for whole.
#[test]
fn u8_payloads_that_end_around_a_piece_of_a_copy_are_copied() {
    let directory = Directory::of(CONTAINER);
    directory.ok(&["keygen", "-o", "new"]);
    let mut table = Table::default();
    for pieces in [1, 2] {
        for offset in [-1, 0, 1] {
            let body = at(pieces * groups::PIECE, offset);
            let text = text(body / SEALED * CHUNK + body % SEALED - 16);
            directory.write("text", &text);
            directory.ok(&CONTAINER.args("seal", &["text", "-f", "-o", "sealed"]));
            let sealed = directory.read("sealed");
            assert_eq!(sealed.len() - CONTAINER.header, body);
            let secrets = ["rekey", "-k", "key", "--new-key-file", "new"];
            let in_file = [&secrets[..], &["sealed", "-f", "-o", "changed"]].concat();
            // A pipe gives less at a time than is asked for.
            let piped = [&secrets[..], &["-", "-o", "-"]].concat();
            let copies = |sealed: &[u8]| {
                directory.write("sealed", sealed);
                directory.ok(&in_file);
                let run = directory.run_with(&piped, sealed);
                assert_eq!(run.code, Some(0), "{}", run.stderr);
                [directory.read("changed"), run.stdout]
            };
            let open = ["open", "-k", "new", "changed", "-o", "-"];
            for changed in copies(&sealed) {
                let payload = &changed[CONTAINER.header..];
                assert!(payload == &sealed[CONTAINER.header..], "{body} bytes");
                directory.write("changed", &changed);
                assert!(directory.ok(&open) == text);
                table.add("container rekeyed", "copied", Place::of(offset), 0);
            }
            for changed in copies(&sealed[..sealed.len() - 1]) {
                directory.write("changed", &changed);
                let run = directory.fails(3, &open);
                assert!(text.starts_with(&run.stdout));
                table.add("container rekeyed", "cut", Place::of(offset), 3);
            }
        }
    }
    table.finish(&["container rekeyed".into()], &["copied", "cut"]);
}
