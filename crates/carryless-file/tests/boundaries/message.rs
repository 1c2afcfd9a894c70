//! `gcm::open` at the boundaries of its segments: files that are not what was sealed, that change between
//! the passes, and that can't be read there.

use std::io::{self, Read, Seek, SeekFrom, Write};

use carryless_file::gcm::{Error, Key, NONCE_LEN, SealWriter, open};

use crate::reader::{End, PACES};
use crate::source::{Pace, Source};
use crate::{Table, by, groups, text};

/// A file of which the second reading may differ from the first.
struct Twice<'a> {
    source: Source<'a>,
    second: &'a [u8],
    pace: Pace,
    /// In the second pass reading fails there.
    fails: Option<usize>,
    begun: bool,
}

impl Read for Twice<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.source.read(buffer)
    }
}

impl Seek for Twice<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to == SeekFrom::Start(NONCE_LEN as u64) {
            self.source = Source::new(self.second, self.pace, self.fails);
            self.begun = true;
        }
        self.source.seek(to)
    }
}

fn key() -> Key {
    Key::from_slice(&[7; 32]).expect("a key")
}

/// Opens it: what was written, and the end.
type Opens<'a> = dyn Fn(&mut Twice<'_>) -> (Vec<u8>, End) + 'a;

fn library(file: &mut Twice<'_>) -> (Vec<u8>, End) {
    let mut text = Vec::new();
    let end = match open(&key(), file, &mut text) {
        Ok(_) => End::Whole,
        Err(Error::Unauthentic) => End::Tampered,
        Err(Error::Io(_)) => End::Failed,
        Err(other) => panic!("{other}"),
    };
    (text, end)
}

fn check(table: &mut Table, paces: &[Pace], opens: &Opens<'_>) -> Result<(), String> {
    let text = text(2 * groups::SEGMENT + 100);
    let mut writer = SealWriter::new(&key(), Vec::new()).expect("random bytes");
    writer.write_all(&text).expect("a vector");
    let sealed = writer.finish().expect("a vector");
    for pace in paces {
        let subject = format!("gcm open, {}", pace.name());
        for segments in 1..=2 {
            for offset in [-1, 0, 1] {
                let place = by(segments * groups::SEGMENT, offset);
                let at = NONCE_LEN + place;
                let mut flipped = sealed.clone();
                flipped[at] ^= 1;
                let cut = &sealed[..at];
                let longer = [&sealed[..], &sealed[at..]].concat();
                let whole = place / groups::SEGMENT * groups::SEGMENT;
                let fails = Some(at);
                for (what, first, second, fail, len, right) in [
                    (
                        "flipped",
                        &flipped[..],
                        &flipped[..],
                        [None; 2],
                        0,
                        End::Tampered,
                    ),
                    ("cut", cut, cut, [None; 2], 0, End::Tampered),
                    ("extended", &longer, &longer, [None; 2], 0, End::Tampered),
                    ("failing", &sealed, &sealed, [fails, None], 0, End::Failed),
                    (
                        "flipped between",
                        &sealed,
                        &flipped,
                        [None; 2],
                        whole,
                        End::Tampered,
                    ),
                    ("cut between", &sealed, cut, [None; 2], whole, End::Tampered),
                    (
                        "extended between",
                        &sealed,
                        &longer,
                        [None; 2],
                        text.len(),
                        End::Whole,
                    ),
                    (
                        "failing between",
                        &sealed,
                        &sealed,
                        [None, fails],
                        whole,
                        End::Failed,
                    ),
                ] {
                    let mut file = Twice {
                        source: Source::new(first, *pace, fail[0]),
                        second,
                        pace: *pace,
                        fails: fail[1],
                        begun: false,
                    };
                    let (given, end) = opens(&mut file);
                    if end != right || given != text[..len] {
                        let got = given.len();
                        return Err(format!(
                            "{subject}: {what} at {place}: {end:?} with {got} bytes"
                        ));
                    }
                    table.add(&subject, what, offset);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn u8_a_message_at_the_boundaries_of_its_segments() {
    let mut table = Table::default();
    let paces = [PACES[0], PACES[3]];
    check(&mut table, &paces, &library).unwrap_or_else(|why| panic!("{why}"));
    let subjects = paces.map(|pace| format!("gcm open, {}", pace.name()));
    let whats = [
        "flipped",
        "cut",
        "extended",
        "failing",
        "flipped between",
        "cut between",
        "extended between",
        "failing between",
    ];
    table.finish(&subjects, &whats);
}

#[test]
fn control_u8_openers_of_messages_that_are_wrong_at_a_boundary() {
    // One that opens what it read first, and one that takes what comes second for verified.
    let once = |file: &mut Twice<'_>| {
        let first = file.source.bytes;
        file.second = first;
        library(file)
    };
    let unheeded = |file: &mut Twice<'_>| {
        let (text, end) = library(file);
        (
            text,
            if end == End::Failed && file.begun {
                End::Whole
            } else {
                end
            },
        )
    };
    let early = |file: &mut Twice<'_>| {
        let (mut text, end) = library(file);
        if end == End::Tampered && text.is_empty() {
            text.resize(groups::SEGMENT, 0);
        }
        (text, end)
    };
    let flaws: [(&str, &Opens<'_>); 3] = [
        ("the second pass is not compared", &once),
        ("an error in the second pass is the end", &unheeded),
        ("the first segment comes before the tag", &early),
    ];
    for (flaw, opens) in flaws {
        match check(&mut Table::default(), &[Pace::All], opens) {
            Ok(()) => panic!("{flaw}: not noticed"),
            Err(why) => println!("{flaw}: caught: {why}"),
        }
    }
}
