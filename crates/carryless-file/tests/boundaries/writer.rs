//! `SealWriter` of streams and of messages: what is written and flushed around a boundary, to sinks that
//! take little and that are full there.

use std::io::Cursor;

use carryless_file::cobblestone::CHUNK_LEN;

use crate::format::Format;
use crate::source::{Pace, Sink};
use crate::{Table, by, text};

const PACES: [Pace; 3] = [Pace::All, Pace::Short(4099), Pace::Interrupted(100_003)];

/// Cuts a text where the lengths say, the last one again and again.
fn cut<'a>(text: &'a [u8], lens: &[usize]) -> Vec<&'a [u8]> {
    let (mut rest, mut pieces) = (text, Vec::new());
    for len in lens.iter().chain(core::iter::repeat(&lens[lens.len() - 1])) {
        let (piece, behind) = rest.split_at((*len).min(rest.len()));
        pieces.push(piece);
        rest = behind;
        if rest.is_empty() {
            break;
        }
    }
    pieces
}

type Writes<'a> = dyn Fn(Format, &[&[u8]], bool, &mut Sink) -> bool + 'a;

fn check(table: &mut Table, format: Format, write: &Writes<'_>) -> Result<(), String> {
    let group = format.group();
    let whole = text(2 * group + 1);
    for offset in [-1, 0, 1] {
        // The text ends there, the first piece does, or the second.
        for (number, (len, lens)) in [
            (by(group, offset), vec![usize::MAX]),
            (by(2 * group, offset), vec![100_000]),
            (2 * group + 1, vec![by(group, offset)]),
            (by(2 * group, offset), vec![7, by(group, offset)]),
            (
                by(2 * group, offset),
                vec![CHUNK_LEN, by(group, offset) - CHUNK_LEN, 1 << 18],
            ),
            // Whole chunks are pending.
            (2 * group + 1, vec![7, by(CHUNK_LEN, offset) - 7, 1 << 18]),
            (
                2 * group + 1,
                vec![4096, 4096, 4096, by(4096, offset), 1 << 18],
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let text = &whole[..len];
            let flush = number % 2 == 1;
            let pace = PACES[number % PACES.len()];
            let mut sink = Sink::new(pace, usize::MAX);
            let pieces = cut(text, &lens);
            let done = write(format, &pieces, flush, &mut sink);
            let right = done && sink.bytes.len() == format.sealed_len(len);
            if !right || format.open(Cursor::new(&sink.bytes)).as_deref() != Some(text) {
                return Err(format!(
                    "{format:?}: {len} bytes in pieces of {lens:?}, flushed {flush}, {pace:?}: not what was written"
                ));
            }
            table.add(&format!("{} writer", format.name()), "written", offset);
        }
        for pace in PACES {
            let mut sink = Sink::new(pace, by(format.boundary(), offset));
            let pieces = cut(&whole, &[70_000]);
            if write(format, &pieces, false, &mut sink)
                || format.open(Cursor::new(&sink.bytes)).is_some()
            {
                return Err(format!(
                    "{format:?}: a sink that is full at {offset} was enough"
                ));
            }
            table.add(&format!("{} writer", format.name()), "full", offset);
        }
    }
    Ok(())
}

#[test]
fn u8_a_writer_at_the_boundaries_of_its_groups() {
    let mut table = Table::default();
    for format in Format::ALL {
        check(&mut table, format, &Format::write).unwrap_or_else(|why| panic!("{why}"));
    }
    let subjects = Format::ALL.map(|format| format!("{} writer", format.name()));
    table.finish(&subjects, &["written", "full"]);
}

#[test]
fn control_u8_writers_that_are_wrong_at_a_boundary() {
    for format in Format::ALL {
        let lost_byte = |format: Format, pieces: &[&[u8]], flush: bool, sink: &mut Sink| {
            let text = pieces.concat();
            let len = if text.len() > format.group() {
                text.len() - 1
            } else {
                text.len()
            };
            format.write(&[&text[..len]], flush, sink)
        };
        let unheeded = |format: Format, pieces: &[&[u8]], flush: bool, sink: &mut Sink| {
            format.write(pieces, flush, sink);
            true
        };
        let lost_end = |format: Format, pieces: &[&[u8]], flush: bool, sink: &mut Sink| {
            let done = format.write(pieces, flush, sink);
            if pieces.concat().len() % format.group() == 0 {
                let len = sink.bytes.len();
                sink.bytes.truncate(len - 16);
            }
            done
        };
        let flaws: [(&str, &Writes<'_>); 3] = [
            ("a byte is lost", &lost_byte),
            ("an error is not heeded", &unheeded),
            ("the end behind a whole group is lost", &lost_end),
        ];
        for (flaw, write) in flaws {
            match check(&mut Table::default(), format, write) {
                Ok(()) => panic!("{flaw} was not noticed"),
                Err(why) => println!("{flaw}: caught: {why}"),
            }
        }
    }
}
