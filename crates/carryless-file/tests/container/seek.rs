//! Reading at any place gives the slices of the text, from the chunks that hold them and no others.

use core::cell::RefCell;
use core::ops::Range;
use std::io::{Cursor, Read, Seek, SeekFrom};

use carryless_file::cobblestone::{CHUNK_LEN, Error as StreamError, SeekReader, Span, Tampering};
use carryless_file::container::{Credential, Error, Lock, seek_reader, start};

use super::{EDGES, key, seal, text};

/// Offsets around the ends of chunks, up to a little behind the text.
fn offsets(len: usize) -> Vec<usize> {
    let ends = (0..=len / CHUNK_LEN + 1).map(|chunk| chunk * CHUNK_LEN);
    let around = ends
        .chain([len])
        .flat_map(|end| end.saturating_sub(1)..end + 2);
    let mut offsets: Vec<_> = around.collect();
    offsets.sort_unstable();
    offsets.dedup();
    offsets
}

#[test]
fn every_range_is_the_slice_of_the_text() {
    let key = key(1);
    for len in EDGES {
        let text = text(len);
        let sealed = seal(&[Lock::Key(&key)], &text);
        let credential = Credential::Key(&key);
        for from in offsets(len) {
            for to in offsets(len).into_iter().filter(|to| *to >= from) {
                // Of nothing that another read has left there.
                let mut reader = seek_reader(&credential, Cursor::new(&sealed)).expect("authentic");
                assert_eq!(reader.text_len(), len as u64);
                reader.seek(SeekFrom::Start(from as u64)).expect("a place");
                let mut part = vec![0; to - from];
                let mut got = 0;
                while got < part.len() {
                    match reader.read(&mut part[got..]).expect("authentic") {
                        0 => break,
                        more => got += more,
                    }
                }
                let slice = &text[from.min(len)..to.min(len)];
                assert!(part[..got] == *slice, "{from}..{to} of {len}");
            }
        }
    }
}

#[test]
fn places_are_those_of_a_file() {
    let key = key(1);
    let sealed = seal(&[Lock::Key(&key)], &text(20_000));
    // The file need not begin at the start of what it is read from.
    let mut input = Cursor::new([&[0; 77], &sealed[..]].concat());
    input.set_position(77);
    let mut reader = seek_reader(&Credential::Key(&key), input).expect("authentic");
    assert_eq!(reader.seek(SeekFrom::End(-10)).expect("a place"), 19_990);
    assert_eq!(
        reader.seek(SeekFrom::Current(-19_000)).expect("a place"),
        990
    );
    let mut byte = [0];
    reader.read_exact(&mut byte).expect("authentic");
    assert_eq!(byte[0], text(991)[990]);
    assert_eq!(reader.stream_position().expect("a place"), 991);
    assert!(reader.seek(SeekFrom::Current(-992)).is_err());
    assert_eq!(reader.stream_position().expect("a place"), 991);
    reader
        .seek(SeekFrom::Start(u64::MAX))
        .expect("a place behind the end");
    assert_eq!(reader.read(&mut byte).expect("nothing"), 0);
}

/// Of each kind of place, around the start, the end and the limits of its number.
#[test]
fn places_are_those_of_a_cursor() {
    let key = key(1);
    for len in [0, 1, 1000, 20_000] {
        let text = text(len);
        let sealed = Cursor::new(seal(&[Lock::Key(&key)], &text));
        let mut reader = seek_reader(&Credential::Key(&key), sealed).expect("authentic");
        let mut cursor = Cursor::new(&text[..]);
        let whole = i64::try_from(len).expect("short");
        let around = |place: i64| (-2..=2).filter_map(move |by| place.checked_add(by));
        let ends = [0, whole, -whole, whole / 2, i64::MIN, i64::MAX];
        let offsets: Vec<i64> = ends.into_iter().flat_map(around).collect();
        for from in [0, 1, len as u64, u64::MAX - 1] {
            for &offset in &offsets {
                for to in [
                    SeekFrom::Start(offset.cast_unsigned()),
                    SeekFrom::End(offset),
                    SeekFrom::Current(offset),
                ] {
                    for place in [&mut reader as &mut dyn Seek, &mut cursor] {
                        place.seek(SeekFrom::Start(from)).expect("a place");
                    }
                    let expected = cursor.seek(to).map_err(|error| error.kind());
                    let got = reader.seek(to).map_err(|error| error.kind());
                    assert_eq!(got, expected, "{to:?} from {from} of {len}");
                    let place = reader.stream_position().expect("a place");
                    assert_eq!(place, cursor.position(), "{to:?} from {from} of {len}");
                }
            }
        }
    }
}

/// A file that keeps account of the parts that are read.
struct Watched<'a> {
    file: Cursor<&'a [u8]>,
    parts: &'a RefCell<Vec<Range<u64>>>,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let from = self.file.position();
        let len = self.file.read(buffer)?;
        self.parts.borrow_mut().push(from..from + len as u64);
        Ok(len)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn a_range_is_one_contiguous_part_of_the_file() {
    let key = key(1);
    let text = text(50 * CHUNK_LEN + 5);
    let sealed = seal(&[Lock::Key(&key)], &text);
    let chunks_at = start(&Credential::Key(&key), &mut &sealed[..]).expect("authentic");
    let chunks_at = chunks_at.chunks_at();
    for (from, to) in [
        (20, 30),
        (CHUNK_LEN - 1, CHUNK_LEN + 1),
        (3 * CHUNK_LEN + 9, 40 * CHUNK_LEN),
    ] {
        let parts = RefCell::default();
        let watched = Watched {
            file: Cursor::new(&sealed[..]),
            parts: &parts,
        };
        let mut reader = seek_reader(&Credential::Key(&key), watched).expect("authentic");
        parts.borrow_mut().clear();
        let mut part = vec![0; to - from];
        reader.seek(SeekFrom::Start(from as u64)).expect("a place");
        reader.read_exact(&mut part).expect("authentic");
        assert!(part == text[from..to], "{from}..{to}");
        let span = Span::new(from as u64..to as u64, text.len() as u64).sealed;
        let part = span.start + chunks_at - 56..span.end + chunks_at - 56;
        assert_eq!(*parts.borrow(), [part], "{from}..{to}");
    }
}

fn tampering<R: Read + Seek>(result: Result<SeekReader<R>, Error>) -> Tampering {
    match result.map(|_| ()) {
        Err(Error::Stream(StreamError::Tampering(tampering))) => tampering,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_length_is_authentic_before_anything_is_read() {
    let key = key(1);
    let credential = Credential::Key(&key);
    let sealed = seal(&[Lock::Key(&key)], &text(2 * CHUNK_LEN + 100));
    let last = sealed.len() - 116;
    for cut in [last - 1, last, last + 15] {
        let reader = seek_reader(&credential, Cursor::new(&sealed[..cut]));
        assert!(matches!(
            tampering(reader),
            Tampering::Truncated { .. } | Tampering::Chunk { .. }
        ));
    }
    for cut in [last + 16, last + 50, sealed.len() - 1] {
        let reader = seek_reader(&credential, Cursor::new(&sealed[..cut]));
        assert_eq!(tampering(reader), Tampering::Chunk { index: 2 }, "{cut}");
    }
    // Whole chunks gone, and the last one moved up.
    let shorter = [&sealed[..last - 16400], &sealed[last..]].concat();
    let reader = seek_reader(&credential, Cursor::new(&shorter));
    assert_eq!(tampering(reader), Tampering::Chunk { index: 1 });
}

#[test]
fn a_changed_chunk_gives_nothing_and_the_others_are_read() {
    let key = key(1);
    let text = text(3 * CHUNK_LEN + 100);
    let mut sealed = seal(&[Lock::Key(&key)], &text);
    let at = sealed.len() - 116 - 16400 - 9;
    sealed[at] ^= 1;
    let mut reader = seek_reader(&Credential::Key(&key), Cursor::new(sealed)).expect("the ends");
    let mut part = [0; 50];
    for (offset, good) in [
        (0, true),
        (CHUNK_LEN, false),
        (2 * CHUNK_LEN + 1, true),
        (CHUNK_LEN + 9, false),
    ] {
        reader
            .seek(SeekFrom::Start(offset as u64))
            .expect("a place");
        let result = reader.read(&mut part);
        assert_eq!(result.is_ok(), good, "{offset}: {result:?}");
        assert!(!good || part == text[offset..offset + 50], "{offset}");
    }
}

/// A file that others can make shorter.
struct Shared<'a> {
    file: &'a RefCell<Vec<u8>>,
    position: u64,
}

impl Read for Shared<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let file = self.file.borrow();
        let mut there = Cursor::new(&file[..]);
        there.set_position(self.position);
        let len = there.read(buffer)?;
        self.position += len as u64;
        Ok(len)
    }
}

impl Seek for Shared<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let file = self.file.borrow();
        let mut there = Cursor::new(&file[..]);
        there.set_position(self.position);
        self.position = there.seek(to)?;
        Ok(self.position)
    }
}

#[test]
fn a_file_that_becomes_shorter_is_cut_off() {
    let key = key(1);
    let text = text(3 * CHUNK_LEN);
    let file = RefCell::new(seal(&[Lock::Key(&key)], &text));
    let shared = Shared {
        file: &file,
        position: 0,
    };
    let mut reader = seek_reader(&Credential::Key(&key), shared).expect("authentic");
    let len = file.borrow().len();
    file.borrow_mut().truncate(len - 16 - 1);
    let mut part = vec![0; 2 * CHUNK_LEN];
    reader.read_exact(&mut part).expect("chunks that are there");
    assert!(part == text[..2 * CHUNK_LEN]);
    let error = reader.read(&mut part).expect_err("cut off");
    let inside = error.get_ref().expect("an error inside").to_string();
    assert!(inside.contains("after 2 whole chunks"), "{inside}");
}

/// What a failed opening left is nobody's text, whoever asks again.
#[test]
fn a_changed_chunk_is_refused_as_often_as_it_is_read() {
    let key = key(1);
    let text = text(5 * CHUNK_LEN + 9);
    let mut sealed = seal(&[Lock::Key(&key)], &text);
    let (header, chunk) = (sealed.len() - text.len() - 6 * 16, CHUNK_LEN + 16);
    sealed[header + 2 * chunk + 5] ^= 1;
    let mut reader = seek_reader(&Credential::Key(&key), Cursor::new(sealed)).expect("authentic");
    let mut part = [0xa5; 100];
    for skip in [0, 1, CHUNK_LEN - 1] {
        let changed = (2 * CHUNK_LEN + skip) as u64;
        reader.seek(SeekFrom::Start(changed)).expect("a place");
        for _ in 0..3 {
            let error = reader.read(&mut part).expect_err("a changed chunk");
            assert!(error.to_string().contains("chunk 2"), "{error}");
            assert_eq!(reader.stream_position().expect("a place"), changed);
        }
        reader.seek(SeekFrom::Start(changed)).expect("a place");
        assert!(reader.read(&mut part).is_err(), "{skip}");
        // What is whole can be read before and behind it.
        for good in [CHUNK_LEN + 3, 3 * CHUNK_LEN] {
            reader.seek(SeekFrom::Start(good as u64)).expect("a place");
            reader.read_exact(&mut part).expect("authentic");
            assert!(part == text[good..good + 100]);
        }
    }
}

#[test]
fn a_source_that_became_shorter_says_how_many_chunks_are_left() {
    let key = key(1);
    let stream = carryless_file::cobblestone::Sealer::new(&key, b"").expect("random bytes");
    let mut sealed = stream.header().to_vec();
    let at = sealed.len();
    let text = text(6 * CHUNK_LEN + 5);
    sealed.resize(at + text.len() + 7 * 16, 0);
    stream
        .seal_chunks(0, &text, true, &mut sealed[at..])
        .expect("room");
    for (chunks, beyond) in [(2, 0), (3, 1), (4, 16399), (5, 0)] {
        let file = RefCell::new(sealed.clone());
        let shared = Shared {
            file: &file,
            position: 0,
        };
        let mut reader = SeekReader::new(&key, b"", shared).expect("authentic");
        reader
            .seek(SeekFrom::Start(2 * CHUNK_LEN as u64))
            .expect("a place");
        let left = 56 + chunks * 16400 + beyond;
        file.borrow_mut().truncate(left);
        let error = reader.read(&mut vec![0; text.len()]).expect_err("cut");
        let told = format!(
            "{}",
            Tampering::Truncated {
                chunks: chunks as u64,
            }
        );
        assert!(error.to_string().contains(&told), "{error}, {told}");
    }
}
