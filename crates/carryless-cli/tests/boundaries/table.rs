//! What was tried where, with what outcome.

use std::collections::BTreeMap;

/// Where something happens, seen from the boundary of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Before,
    At,
    Behind,
}

impl Place {
    pub(crate) const ALL: [Self; 3] = [Self::Before, Self::At, Self::Behind];

    /// Of what begins so many bytes from a boundary.
    pub(crate) const fn of(offset: isize) -> Self {
        match offset {
            ..0 => Self::Before,
            0 => Self::At,
            _ => Self::Behind,
        }
    }
}

/// A format, a way and a number of threads, and what was done.
pub(crate) type Row = (String, &'static str);

/// How often each place of each row ended with each exit code.
#[derive(Default)]
pub(crate) struct Table(BTreeMap<Row, BTreeMap<(Place, i32), usize>>);

impl Table {
    pub(crate) fn add(&mut self, subject: &str, change: &'static str, place: Place, code: i32) {
        let row = self.0.entry((subject.into(), change)).or_default();
        *row.entry((place, code)).or_default() += 1;
    }

    /// Prints it; what is wanted is all there.
    pub(crate) fn finish(self, subjects: &[String], changes: &[&'static str]) {
        for subject in subjects {
            for change in changes {
                let row = self.0.get(&(subject.clone(), *change));
                for place in Place::ALL {
                    let count = |row: &BTreeMap<(Place, i32), usize>| {
                        row.iter()
                            .filter(|((at, _), _)| *at == place)
                            .map(|(_, n)| n)
                            .sum()
                    };
                    let count: usize = row.map_or(0, count);
                    assert!(
                        count > 0,
                        "{subject}: nothing {change} {place:?} a boundary"
                    );
                }
            }
        }
        for ((subject, change), row) in self.0 {
            for ((place, code), count) in row {
                println!("U8 {subject}: {count} {change} {place:?} exit {code}");
            }
        }
    }
}

/// The subject of a row.
pub(crate) fn subject(kind: &str, way: &str, threads: usize) -> String {
    format!("{kind} {way} -t {threads}")
}
