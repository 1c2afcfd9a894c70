//! `SeekReader` at the boundaries of what it fetches, which are counted from where a read begins.

use std::io::{Read, Seek, SeekFrom, Write};

use carryless_file::cobblestone::{
    CHUNK_LEN, Key, SEALED_CHUNK_LEN, SealWriter, SeekReader, chunk_offset,
};

use crate::source::{Pace, Source};
use crate::{Table, by, groups, text};

/// Chunks of the text, which ends 100 bytes behind them.
const CHUNKS: usize = groups::FETCH + 4;

struct Victim {
    key: Key,
    text: Vec<u8>,
    sealed: Vec<u8>,
}

impl Victim {
    fn new() -> Self {
        Self::of(CHUNKS * CHUNK_LEN + 100)
    }

    fn of(len: usize) -> Self {
        let key = Key::from_slice(&[7; 16]).expect("a key");
        let text = text(len);
        let mut writer = SealWriter::new(&key, b"", Vec::new()).expect("random bytes");
        writer.write_all(&text).expect("a vector");
        let sealed = writer.finish().expect("a vector");
        Self { key, text, sealed }
    }
}

/// Reads as much as there is of so many bytes from a place; whether that went well.
type Reads<'a> = dyn Fn(&Victim, Source<'_>, usize, usize) -> (Vec<u8>, bool) + 'a;

fn library(victim: &Victim, source: Source<'_>, from: usize, len: usize) -> (Vec<u8>, bool) {
    let Ok(mut reader) = SeekReader::new(&victim.key, b"", source) else {
        return (Vec::new(), false);
    };
    reader.seek(SeekFrom::Start(from as u64)).expect("a place");
    let (mut part, mut got) = (vec![0; len], 0);
    while got < len {
        match reader.read(&mut part[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(_) => {
                part.truncate(got);
                return (part, false);
            }
        }
    }
    part.truncate(got);
    (part, true)
}

fn check(table: &mut Table, victim: &Victim, read: &Reads<'_>) -> Result<(), String> {
    let paces = [Pace::All, Pace::Interrupted(99_991)];
    for (first, pace) in [(0, paces[0]), (1, paces[1])] {
        let boundary = (first + groups::FETCH) * CHUNK_LEN;
        let from = first * CHUNK_LEN + first;
        for offset in [-1, 0, 1] {
            let end = by(boundary, offset);
            let source = Source::new(&victim.sealed, pace, None);
            let (part, well) = read(victim, source, from, end - from);
            if !well || part != victim.text[from..end] {
                return Err(format!(
                    "{from}..{end}, {pace:?}: not the text: {} bytes",
                    part.len()
                ));
            }
            table.add("cobblestone seek reader", "read", offset);
            // A part that is fetched at once is authentic as a whole, or nothing of it comes.
            let chunk = by(first + groups::FETCH, offset);
            let at = usize::try_from(chunk_offset(chunk as u64)).expect("short");
            let mut flipped = victim.sealed.clone();
            flipped[at + 77] ^= 1;
            let source = Source::new(&flipped, pace, None);
            let (part, well) = read(victim, source, from, 2 * CHUNKS * CHUNK_LEN);
            let good = if offset < 0 { from } else { boundary };
            if well || part != victim.text[from..good] {
                return Err(format!(
                    "chunk {chunk} flipped: {} bytes of text from {from}",
                    part.len()
                ));
            }
            table.add("cobblestone seek reader", "flipped", offset);
            let cut = by(at, offset);
            let source = Source::new(&victim.sealed[..cut], pace, None);
            let (part, well) = read(victim, source, from, 100);
            if well || !part.is_empty() {
                return Err(format!("cut at {cut}: {} bytes of text", part.len()));
            }
            table.add("cobblestone seek reader", "cut", offset);
        }
    }
    let mut longer = victim.sealed.clone();
    longer.resize(longer.len() + SEALED_CHUNK_LEN, 0);
    let (part, well) = read(victim, Source::new(&longer, Pace::All, None), 0, 100);
    if well || !part.is_empty() {
        return Err("extended: it was read".into());
    }
    Ok(())
}

#[test]
fn u8_a_reader_of_ranges_at_the_boundaries_of_what_it_fetches() {
    let (mut table, victim) = (Table::default(), Victim::new());
    check(&mut table, &victim, &library).unwrap_or_else(|why| panic!("{why}"));
    table.finish(
        &["cobblestone seek reader".into()],
        &["read", "flipped", "cut"],
    );
}

/// Lengths of texts and places in them: around each chunk of the first ones, of a batch and of a fetch.
fn edges() -> Vec<usize> {
    let chunks = [0, 1, 2, groups::BATCH, groups::FETCH];
    let around = |chunks: usize| [-1, 0, 1].map(|by| (chunks * CHUNK_LEN).checked_add_signed(by));
    chunks.into_iter().flat_map(around).flatten().collect()
}

/// Texts that end around a chunk's end, from and to places around one; how many ranges.
fn ends_of_chunks(read: &Reads<'_>) -> Result<usize, String> {
    let mut ranges = 0;
    for len in edges() {
        let victim = Victim::of(len);
        for from in edges().into_iter().filter(|from| *from <= len) {
            for end in [from + 1, from + CHUNK_LEN, len.saturating_sub(1), len] {
                let end = end.clamp(from, len);
                let source = Source::new(&victim.sealed, Pace::All, None);
                let (part, well) = read(&victim, source, from, end - from);
                if !well || part != victim.text[from..end] {
                    return Err(format!("{from}..{end} of {len}: {} bytes", part.len()));
                }
                ranges += 1;
            }
        }
    }
    Ok(ranges)
}

#[test]
fn u8_ranges_of_texts_that_end_with_a_chunk() {
    let ranges = ends_of_chunks(&library).unwrap_or_else(|why| panic!("{why}"));
    println!("U8 cobblestone seek reader: {ranges} ranges around the ends of chunks");
}

#[test]
fn control_u8_readers_of_ranges_that_are_wrong_at_a_boundary() {
    let victim = Victim::new();
    let most = groups::FETCH * CHUNK_LEN;
    let short = |victim: &Victim, source: Source<'_>, from: usize, len: usize| {
        let (mut part, well) = library(victim, source, from, len);
        part.truncate(most - from % CHUNK_LEN);
        (part, well)
    };
    let unheeded = |victim: &Victim, source: Source<'_>, from: usize, len: usize| {
        let (part, _) = library(victim, source, from, len);
        (part, true)
    };
    let unchecked = |victim: &Victim, source: Source<'_>, from: usize, len: usize| {
        let whole = source.bytes.len() >= victim.sealed.len();
        let end = victim.text.len().min(from + len);
        if whole {
            (victim.text[from..end].to_vec(), true)
        } else {
            (Vec::new(), false)
        }
    };
    let flaws: [(&str, &Reads<'_>); 3] = [
        ("one fetch is all", &short),
        ("an error is the end", &unheeded),
        ("tags are not checked", &unchecked),
    ];
    for (flaw, read) in flaws {
        match check(&mut Table::default(), &victim, read) {
            Ok(()) => panic!("{flaw}: not noticed"),
            Err(why) => println!("{flaw}: caught: {why}"),
        }
    }
    // The end of a whole chunk is taken for the stream's.
    let last = |victim: &Victim, source: Source<'_>, from: usize, len: usize| {
        let (part, well) = library(victim, source, from, len);
        let end = from + len == victim.text.len() && victim.text.len().is_multiple_of(CHUNK_LEN);
        (part, well && (len == 0 || !end))
    };
    let why = ends_of_chunks(&last).expect_err("ends of whole chunks can't be read");
    println!("no end of whole chunks: caught: {why}");
}
