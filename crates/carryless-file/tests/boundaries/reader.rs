//! `OpenReader`, of bare streams and of containers, at the boundaries of its batches.

mod flaws;

use std::io::{BufRead, Read, Write};

use carryless_file::cobblestone::{
    CHUNK_LEN, Cipher, Error, HEADER_LEN, Key, OpenReader, SEALED_CHUNK_LEN, SealWriter,
};
use carryless_file::container::{self, Credential, Lock};

use crate::source::{Pace, Source};
use crate::{Table, by, groups, text};

/// Bytes of text and of the stream between two boundaries.
const GROUP: usize = groups::BATCH * CHUNK_LEN;
const SEALED_GROUP: usize = groups::BATCH * SEALED_CHUNK_LEN;

/// How sources give their bytes: all that is asked for, little, whole groups and no more.
pub(crate) const PACES: [Pace; 4] = [
    Pace::All,
    Pace::Short(4099),
    Pace::Short(SEALED_GROUP),
    Pace::Interrupted(SEALED_GROUP - 1),
];

/// How an opening ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Whole,
    Tampered,
    Failed,
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        match error {
            Error::Tampering(_) => Self::Tampered,
            Error::Io(_) => Self::Failed,
            other => panic!("{other}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Stream,
    Container,
}

impl Format {
    const ALL: [Self; 2] = [Self::Stream, Self::Container];

    const fn name(self) -> &'static str {
        match self {
            Self::Stream => "cobblestone",
            Self::Container => "container",
        }
    }

    /// Bytes before the first chunk.
    const fn header(self) -> usize {
        match self {
            Self::Stream => HEADER_LEN,
            Self::Container => 60 + 115 + HEADER_LEN,
        }
    }

    fn seal(self, key: &Key, text: &[u8]) -> Vec<u8> {
        let mut writer = match self {
            Self::Stream => SealWriter::new(key, b"", Vec::new()).expect("random bytes"),
            Self::Container => {
                container::writer(Cipher::Cobblestone128, &[Lock::Key(key)], Vec::new())
                    .expect("random bytes")
            }
        };
        writer.write_all(text).expect("a vector");
        writer.finish().expect("a vector")
    }
}

/// Opens what comes: the text before the end, and the end.
type Open<'a> = dyn Fn(&Key, &mut dyn Read) -> (Vec<u8>, End) + 'a;

fn key() -> Key {
    Key::from_slice(&[7; 16]).expect("a key")
}

/// By the readers of the library; what has ended stays so.
fn library(key: &Key, mut source: &mut dyn Read, format: Format) -> (Vec<u8>, End) {
    let reader = match format {
        Format::Stream => OpenReader::new(key, b"", &mut source).map_err(End::from),
        Format::Container => {
            container::reader(&Credential::Key(key), &mut source).map_err(|_| End::Tampered)
        }
    };
    let mut reader = match reader {
        Ok(reader) => reader,
        Err(end) => return (Vec::new(), end),
    };
    let mut text = Vec::new();
    loop {
        let len = match reader.ready() {
            Ok([]) => {
                assert!(reader.ready().is_ok_and(<[u8]>::is_empty), "it stays over");
                return (text, End::Whole);
            }
            Ok(ready) => {
                text.extend_from_slice(ready);
                ready.len()
            }
            Err(error) => {
                assert!(reader.ready().is_err(), "it stays failed");
                return (text, error.into());
            }
        };
        reader.consume(len);
    }
}

/// What was done to a sealed text.
struct Case {
    what: &'static str,
    offset: isize,
    bytes: Vec<u8>,
    /// Reading fails there.
    fails: Option<usize>,
}

/// A text and what it was sealed to.
struct Victim {
    format: Format,
    text: Vec<u8>,
    sealed: Vec<u8>,
}

impl Victim {
    fn new(format: Format, len: usize) -> Self {
        let text = text(len);
        let sealed = format.seal(&key(), &text);
        Self {
            format,
            text,
            sealed,
        }
    }

    /// What must come out: whole chunks before the first that is not what it was; where reading fails,
    /// whole batches.
    fn expected(&self, case: &Case) -> (&[u8], End) {
        let header = self.format.header();
        if let Some(at) = case.fails {
            let batches = (at - header) / SEALED_GROUP;
            return (&self.text[..batches * GROUP], End::Failed);
        }
        if case.bytes == self.sealed {
            return (&self.text, End::Whole);
        }
        let good = self.sealed[header..].chunks_exact(SEALED_CHUNK_LEN);
        let bad = case.bytes[header..].chunks_exact(SEALED_CHUNK_LEN);
        let same = good.zip(bad).take_while(|(good, bad)| good == bad).count();
        (&self.text[..same * CHUNK_LEN], End::Tampered)
    }

    fn cases(&self, batches: usize) -> Vec<Case> {
        const UNIT: usize = SEALED_CHUNK_LEN;
        let at = self.format.header() + batches * SEALED_GROUP;
        let sealed = &self.sealed;
        let mut cases = Vec::new();
        let mut add = |what, offset, bytes, fails| {
            cases.push(Case {
                what,
                offset,
                bytes,
                fails,
            })
        };
        for offset in [-1, 0, 1] {
            let mut flipped = sealed.clone();
            flipped[by(at, offset)] ^= 1;
            add("flipped", offset, flipped, None);
            add("cut", offset, sealed[..by(at, offset)].to_vec(), None);
            add("failing", offset, sealed.clone(), Some(by(at, offset)));
            // Two chunks, of which the boundary is behind, between or before.
            let from = at - (1 - offset).unsigned_abs() * UNIT;
            let (one, two) = (
                &sealed[from..from + UNIT],
                &sealed[from + UNIT..from + 2 * UNIT],
            );
            let rest = &sealed[from + 2 * UNIT..];
            let head = &sealed[..from];
            add("swapped", offset, [head, two, one, rest].concat(), None);
            add("dropped", offset, [head, two, rest].concat(), None);
            add(
                "repeated",
                offset,
                [head, one, one, two, rest].concat(),
                None,
            );
        }
        let group = &sealed[at - SEALED_GROUP..at];
        add(
            "dropped",
            0,
            [&sealed[..at - SEALED_GROUP], &sealed[at..]].concat(),
            None,
        );
        add(
            "repeated",
            0,
            [&sealed[..at], group, &sealed[at..]].concat(),
            None,
        );
        cases
    }

    fn extended(&self, offset: isize) -> Vec<Case> {
        let first = self.format.header();
        let body = self.sealed.len() - first;
        let last = first + body / SEALED_CHUNK_LEN * SEALED_CHUNK_LEN;
        let more = [
            &[0; 1][..],
            &[0; 16],
            &self.sealed[last..],
            &self.sealed[first..first + SEALED_CHUNK_LEN],
            &self.sealed[first..first + SEALED_GROUP.min(body)],
        ];
        let case = |more: &[u8]| Case {
            what: "extended",
            offset,
            bytes: [&self.sealed, more].concat(),
            fails: None,
        };
        let whole = Case {
            what: "read",
            ..case(&[])
        };
        more.map(case).into_iter().chain([whole]).collect()
    }
}

/// Texts that end around the first boundary, and behind the second.
fn victims(format: Format) -> Vec<(Victim, Vec<Case>)> {
    let base = Victim::new(format, 2 * GROUP + 2 * CHUNK_LEN + 100);
    let cases = base.cases(1).into_iter().chain(base.cases(2)).collect();
    let ends = [-1, 0, 1].map(|offset| {
        let victim = Victim::new(format, by(GROUP, offset));
        let cases = victim.extended(offset);
        (victim, cases)
    });
    [(base, cases)].into_iter().chain(ends).collect()
}

fn check(
    table: &mut Table,
    victims: &[(Victim, Vec<Case>)],
    paces: &[Pace],
    open: &Open<'_>,
) -> Result<(), String> {
    let key = key();
    for (victim, cases) in victims {
        for case in cases {
            for pace in paces {
                let mut source = Source::new(&case.bytes, *pace, case.fails);
                let (text, end) = open(&key, &mut source);
                let (wanted, right) = victim.expected(case);
                let subject = format!("{} reader, {}", victim.format.name(), pace.name());
                if end != right || text != wanted {
                    let (got, len) = (text.len(), wanted.len());
                    return Err(format!(
                        "{subject}: {} at {} of {} bytes: {end:?} with {got} bytes, not {right:?} with {len}",
                        case.what,
                        case.offset,
                        victim.text.len(),
                    ));
                }
                table.add(&subject, case.what, case.offset);
            }
        }
    }
    Ok(())
}

#[test]
fn u8_a_reader_at_the_boundaries_of_its_batches() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for format in Format::ALL {
        let victims = victims(format);
        // The format changes what precedes the chunks; paces are for the reader behind it.
        let paces = if format == Format::Stream {
            &PACES[..]
        } else {
            &PACES[3..]
        };
        let open = |key: &Key, source: &mut dyn Read| library(key, source, format);
        check(&mut table, &victims, paces, &open).unwrap_or_else(|why| panic!("{why}"));
        let subject = |pace: &Pace| format!("{} reader, {}", format.name(), pace.name());
        subjects.extend(paces.iter().map(subject));
    }
    let whats = [
        "read", "extended", "flipped", "cut", "failing", "swapped", "dropped", "repeated",
    ];
    table.finish(&subjects, &whats);
}
