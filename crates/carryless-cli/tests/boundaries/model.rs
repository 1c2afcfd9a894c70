//! Sealed files, what is done to them, and what has to come of it.

use crate::common::{CHUNK, Kind, MESSAGE, Place as Directory, SEALED, text};
use crate::groups;
use crate::table::Place;

/// A text and what it was sealed to.
pub(crate) struct Victim {
    pub(crate) kind: Kind,
    pub(crate) text: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// Something that was done to it.
pub(crate) struct Case {
    pub(crate) change: &'static str,
    pub(crate) place: Place,
    /// Bytes from the boundary, for messages.
    pub(crate) offset: isize,
    pub(crate) sealed: Vec<u8>,
}

/// Whether short forms will do.
pub(crate) fn quick() -> bool {
    std::env::var_os("CARRYLESS_TEST_QUICK").is_some()
}

/// Bytes of text between two boundaries.
pub(crate) fn group(kind: Kind) -> usize {
    if is_message(kind) {
        groups::SEGMENT
    } else {
        groups::BATCH * CHUNK
    }
}

/// What is sealed together: a chunk, a block.
pub(crate) fn unit(kind: Kind) -> usize {
    if is_message(kind) { 16 } else { SEALED }
}

/// Bytes of the sealed file between two boundaries.
pub(crate) fn sealed_group(kind: Kind) -> usize {
    if is_message(kind) {
        groups::SEGMENT
    } else {
        groups::BATCH * SEALED
    }
}

pub(crate) fn is_message(kind: Kind) -> bool {
    kind.name == MESSAGE.name
}

/// Two units, one of them short, and so many groups before them.
pub(crate) fn base_len(kind: Kind, groups: usize) -> usize {
    groups * group(kind) + 2 * CHUNK + 100
}

impl Victim {
    pub(crate) fn new(directory: &Directory, kind: Kind, len: usize) -> Self {
        let text = text(len);
        directory.write("text", &text);
        let sealed = directory.ok(&kind.args("seal", &["text", "-o", "-"]));
        Self { kind, text, sealed }
    }

    /// What must come of a file: the exit code, and the text that a pipe gets. All that differs from what
    /// was sealed is not authentic; whole chunks before the first difference are, of a message nothing.
    pub(crate) fn expected(&self, sealed: &[u8]) -> (i32, &[u8]) {
        if sealed == self.sealed {
            return (0, &self.text);
        }
        if is_message(self.kind) {
            return (3, &[]);
        }
        let chunks = |sealed: &[u8]| sealed.get(self.kind.header..).map(<[u8]>::to_vec);
        let (good, bad) = (chunks(&self.sealed), chunks(sealed));
        let (good, bad) = (good.unwrap_or_default(), bad.unwrap_or_default());
        let same = good.chunks_exact(SEALED).zip(bad.chunks_exact(SEALED));
        let same = same.take_while(|(good, bad)| good == bad).count();
        (3, &self.text[..same * CHUNK])
    }

    /// The same file with a part replaced by another.
    fn with(&self, from: usize, to: usize, bytes: &[u8]) -> Vec<u8> {
        [&self.sealed[..from], bytes, &self.sealed[to..]].concat()
    }

    /// Everything but extensions, at the boundary behind so many groups. `other` is the same text, sealed
    /// another time.
    pub(crate) fn tampered(&self, groups: usize, other: &Self) -> Vec<Case> {
        let (unit, group) = (unit(self.kind), sealed_group(self.kind));
        let at = self.kind.header + groups * group;
        let sealed = &self.sealed;
        let mut cases = Vec::new();
        let mut add = |change, place, offset, sealed| {
            cases.push(Case {
                change,
                place,
                offset,
                sealed,
            });
        };
        let signed = |unit: usize| isize::try_from(unit).expect("small");
        let by = |offset: isize| at.checked_add_signed(offset).expect("within the file");
        for offset in [-1, 0, 1, -signed(unit), signed(unit)] {
            let flipped = [sealed[by(offset)] ^ 1 << (at % 8)];
            let flipped = self.with(by(offset), by(offset) + 1, &flipped);
            add("flipped", Place::of(offset), offset, flipped);
        }
        for offset in [0, -1, 1, -16, 15, 16, -signed(unit), signed(unit)] {
            add(
                "cut",
                Place::of(offset),
                offset,
                sealed[..by(offset)].to_vec(),
            );
        }
        for (place, from) in [
            (Place::Before, at - 2 * unit),
            (Place::At, at - unit),
            (Place::Behind, at),
        ] {
            let (one, two) = (
                &sealed[from..from + unit],
                &sealed[from + unit..from + 2 * unit],
            );
            let swapped = self.with(from, from + 2 * unit, &[two, one].concat());
            add("swapped", place, signed(from) - signed(at), swapped);
        }
        for (place, from, to) in [
            (Place::Before, at - unit, at),
            (Place::At, at - group, at),
            (Place::Behind, at, at + unit),
        ] {
            let offset = signed(from) - signed(at);
            add("dropped", place, offset, self.with(from, to, &[]));
            let again = &sealed[from..to];
            add("repeated", place, offset, self.with(to, to, again));
        }
        for (place, from) in [
            (Place::Before, at - unit),
            (Place::At, at),
            (Place::Behind, at + unit),
        ] {
            let foreign = &other.sealed[from..from + unit];
            let offset = signed(from) - signed(at);
            add(
                "of another",
                place,
                offset,
                self.with(from, from + unit, foreign),
            );
        }
        cases
    }

    /// What is put behind the end, of a text that ends so many bytes from a boundary.
    pub(crate) fn extended(&self, offset: isize) -> Vec<Case> {
        let (unit, header, len) = (unit(self.kind), self.kind.header, self.sealed.len());
        let last = header + (len - header) / unit * unit;
        let to_unit = unit - (len - last);
        let more = [
            vec![0],
            vec![0; 16],
            vec![0; to_unit],
            self.sealed[last..].to_vec(),
            self.sealed[header..header + unit].to_vec(),
            self.sealed[header..header + sealed_group(self.kind).min(len - header)].to_vec(),
        ];
        let cases = more
            .into_iter()
            .filter(|more| !more.is_empty())
            .map(|more| Case {
                change: "extended",
                place: Place::of(offset),
                offset,
                sealed: [&self.sealed[..], &more].concat(),
            });
        cases.collect()
    }
}

/// The kinds of change that there are.
pub(crate) const CHANGES: [&str; 7] = [
    "flipped",
    "cut",
    "swapped",
    "dropped",
    "repeated",
    "of another",
    "extended",
];

/// One case of each change at each place.
pub(crate) fn few<'a>(cases: &[(&'a Victim, &'a Case)]) -> Vec<(&'a Victim, &'a Case)> {
    let mut seen = Vec::new();
    let mut few = Vec::new();
    for (victim, case) in cases {
        let key = (case.change, case.place);
        if !seen.contains(&key) {
            seen.push(key);
            few.push((*victim, *case));
        }
    }
    few
}
