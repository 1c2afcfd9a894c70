//! Whatever readers and writers handle in groups is cut, extended, changed and read at, before and behind
//! each boundary of these groups, from sources that give less than was asked for, and that fail there.

mod beginning;
mod flush;
mod format;
mod groups;
mod message;
mod reader;
mod seeker;
mod source;
mod writer;

use std::collections::BTreeMap;

/// Text without repetitions.
fn text(len: usize) -> Vec<u8> {
    let byte = |at: usize| (at * 7 + at / 251 + at / 65_521).to_le_bytes()[0];
    (0..len).map(byte).collect()
}

/// A place so many bytes from another.
fn by(place: usize, offset: isize) -> usize {
    place.checked_add_signed(offset).expect("within the file")
}

/// How often something at a place (before, at, behind a boundary) had which outcome.
#[derive(Default)]
struct Table(BTreeMap<(String, &'static str), [usize; 3]>);

impl Table {
    fn add(&mut self, subject: &str, what: &'static str, offset: isize) {
        let row = self.0.entry((subject.into(), what)).or_default();
        row[match offset {
            ..0 => 0,
            0 => 1,
            _ => 2,
        }] += 1;
    }

    /// Prints it; of every subject and what was done there is something at each place.
    fn finish(self, subjects: &[String], whats: &[&'static str]) {
        for subject in subjects {
            for what in whats {
                let row = self
                    .0
                    .get(&(subject.clone(), *what))
                    .copied()
                    .unwrap_or_default();
                assert!(
                    !row.contains(&0),
                    "{subject}: {what} not at each place: {row:?}"
                );
            }
        }
        for ((subject, what), row) in self.0 {
            for (place, count) in ["before", "at", "behind"].iter().zip(row) {
                println!("U8 {subject}: {count} {what} {place}");
            }
        }
    }
}
