//! Ranges on both sides of a boundary, of files that are whole and of files that were changed there.
//! Batches of a range are counted from its first chunk.

use core::ops::Range;

use crate::common::{CHUNK, CHUNKED, Kind, Place as Directory, SEALED};
use crate::groups;
use crate::model::{Victim, base_len, few};
use crate::table::{Place, Table, subject};

fn opened(
    directory: &Directory,
    kind: Kind,
    range: &Range<usize>,
    threads: usize,
) -> (i32, Vec<u8>) {
    let asked = format!("{}:{}", range.start, range.len());
    let threads = threads.to_string();
    let args = ["sealed", "-o", "-", "--range", &asked, "-t", &threads];
    let run = directory.run(&kind.args("open", &args));
    (run.code.unwrap_or(-1), run.stdout)
}

/// What must come of a range: nothing unless the last chunk is that of the file, and then what precedes the
/// first chunk that is not.
fn expected<'a>(victim: &'a Victim, sealed: &[u8], range: &Range<usize>) -> (i32, &'a [u8]) {
    let header = victim.kind.header;
    let chunk = |sealed: &[u8], number: usize| {
        let start = header + number * SEALED;
        sealed
            .get(start..sealed.len().min(start + SEALED))
            .map(<[u8]>::to_vec)
    };
    let same = |number: &usize| chunk(sealed, *number) == chunk(&victim.sealed, *number);
    if sealed.len() != victim.sealed.len() || !same(&(victim.text.len() / CHUNK)) {
        return (3, &[]);
    }
    let chunks = range.start / CHUNK..(range.end - 1) / CHUNK + 1;
    let good = chunks.clone().take_while(same).count();
    if good == chunks.len() {
        return (0, &victim.text[range.clone()]);
    }
    let end = range.end.min((chunks.start + good) * CHUNK);
    (3, &victim.text[range.start.min(end)..end])
}

#[test]
fn u8_ranges_on_both_sides_of_a_boundary() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for kind in CHUNKED {
        let directory = Directory::of(kind);
        let victim = Victim::new(&directory, kind, base_len(kind, 2));
        directory.write("sealed", &victim.sealed);
        for (first, threads) in [(0, 1), (0, 2), (0, 4), (1, 2), (groups::BATCH, 2)] {
            let subject = subject(kind.name, "range", threads);
            let boundary = (first + groups::BATCH) * CHUNK;
            let starts = [first * CHUNK, first * CHUNK + 7, boundary - 1, boundary];
            for (start, end) in [
                (starts[0], boundary - 1),
                (starts[0], boundary),
                (starts[1], boundary + 1),
                (starts[2], boundary + 1),
                (starts[3], boundary + 1),
                (starts[0], boundary + CHUNK),
                (
                    starts[1],
                    victim.text.len().min(boundary + groups::BATCH * CHUNK + 1),
                ),
            ] {
                let (code, text) = opened(&directory, kind, &(start..end), threads);
                let right = code == 0 && text == victim.text[start..end];
                assert!(
                    right,
                    "{subject}: {start}..{end}: exit {code}, {} bytes",
                    text.len()
                );
                let place = if end <= boundary {
                    if end == boundary {
                        Place::At
                    } else {
                        Place::Before
                    }
                } else {
                    Place::Behind
                };
                table.add(&subject, "read up to", place, code);
            }
            subjects.push(subject);
        }
    }
    table.finish(&subjects, &["read up to"]);
}

#[test]
fn u8_ranges_of_files_changed_at_a_boundary() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for kind in CHUNKED {
        let directory = Directory::of(kind);
        let victim = Victim::new(&directory, kind, base_len(kind, 1));
        let other = Victim::new(&directory, kind, base_len(kind, 1));
        let mut cases = victim.tampered(1, &other);
        // The last chunk is at hand, too.
        cases.extend(victim.extended(-1).into_iter().chain(victim.extended(0)));
        let cases: Vec<_> = cases.iter().map(|case| (&victim, case)).collect();
        for (way, threads, start, end) in [
            (
                "range across",
                2,
                CHUNK - 5,
                (groups::BATCH + 1) * CHUNK + 5,
            ),
            ("range elsewhere", 1, 3 * CHUNK + 9, 4 * CHUNK + 9),
            (
                "range to the end",
                4,
                (groups::BATCH - 2) * CHUNK,
                victim.text.len(),
            ),
        ] {
            let subject = subject(kind.name, way, threads);
            for (_, case) in few(&cases) {
                directory.write("sealed", &case.sealed);
                let range = start..end;
                let (code, text) = opened(&directory, kind, &range, threads);
                let wanted = expected(&victim, &case.sealed, &range);
                assert!(
                    (code, &text[..]) == wanted,
                    "{subject}: {} at {}: exit {code} with {} bytes, not {} with {}",
                    case.change,
                    case.offset,
                    text.len(),
                    wanted.0,
                    wanted.1.len(),
                );
                table.add(&subject, case.change, case.place, code);
            }
            subjects.push(subject);
        }
    }
    table.finish(
        &subjects,
        &[
            "flipped",
            "cut",
            "swapped",
            "dropped",
            "repeated",
            "of another",
        ],
    );
}
