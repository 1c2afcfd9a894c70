//! A file that changes between the two passes, at every boundary of segments, and what a worker says of
//! a segment.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::sync::PoisonError;

use super::*;
use crate::exit::Code;
use crate::groups;

/// Segments of the text; another follows, of [`REST`] bytes.
const WHOLE: usize = 2;
const REST: usize = 100;

#[test]
fn u8_segments_are_those_that_the_tests_of_boundaries_know() {
    assert_eq!(SEGMENT, groups::SEGMENT);
    println!("U8 list: 1 segment");
}

/// A sealed message in a file without a name, and its text.
struct Sealed {
    key: Key,
    text: Vec<u8>,
    bytes: Vec<u8>,
}

impl Sealed {
    fn new() -> Self {
        let key = Key::from_slice(&[7; 16]).expect("a key");
        let byte = |at: usize| (at * 7 + at / 251).to_le_bytes()[0];
        let text: Vec<u8> = (0..WHOLE * SEGMENT + REST).map(byte).collect();
        let mut bytes = Vec::new();
        let mut input = Input::of(file(&text));
        let mut take = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        seal(&key, &mut input, 2, &mut take).expect("sealed");
        Self { key, text, bytes }
    }

    /// Opens it while something happens to it between the passes: what was given out, and the exit code.
    fn opened(&self, threads: usize, change: &Change) -> (Vec<u8>, u8) {
        let file = file(&self.bytes);
        let same = file.try_clone().expect("a file");
        let mut text = Vec::new();
        let mut take = |piece: &[u8]| {
            text.extend_from_slice(piece);
            Ok(())
        };
        let between = || change.make(&same);
        let end = open_with(&self.key, &mut Input::of(file), threads, between, &mut take);
        (text, end.map_or_else(|failure| failure.code(), |()| 0))
    }
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("room");
    file.rewind().expect("a file");
    file
}

/// What happens to a file at a byte of the text.
#[derive(Clone, Copy, Debug)]
enum Change {
    Flip(usize),
    Cut(usize),
    /// So many bytes more.
    Grow(usize),
    /// The segment that begins there and the one before it.
    Swap(usize),
}

impl Change {
    fn make(self, file: &File) {
        let at = |place: usize| (NONCE_LEN + place) as u64;
        let read = |place, len| {
            let mut bytes = vec![0; len];
            file.read_exact_at(&mut bytes, at(place)).expect("bytes");
            bytes
        };
        let write = |place, bytes: &[u8]| file.write_all_at(bytes, at(place)).expect("room");
        match self {
            Self::Flip(place) => write(place, &[read(place, 1)[0] ^ 1]),
            Self::Cut(place) => file.set_len(at(place)).expect("a file"),
            Self::Grow(more) => {
                let end = (&*file).seek(SeekFrom::End(0)).expect("a file");
                file.write_all_at(&vec![0; more], end).expect("room");
            }
            Self::Swap(place) => {
                let (one, other) = (read(place - SEGMENT, SEGMENT), read(place, SEGMENT));
                write(place - SEGMENT, &other);
                write(place, &one);
            }
        }
    }
}

/// The change, the segments that are to be given out, and the exit code; at some of the boundaries.
fn changes(boundaries: &[usize]) -> Vec<(&'static str, Change, usize, u8)> {
    let mut changes = Vec::new();
    for boundary in boundaries.iter().map(|segment| segment * SEGMENT) {
        let behind = boundary / SEGMENT;
        for (place, segments) in [
            (boundary.wrapping_sub(1), behind.wrapping_sub(1)),
            (boundary, behind),
            (boundary + 1, behind),
        ] {
            if place < boundary + 2 {
                changes.push(("flipped", Change::Flip(place), segments, 3));
                changes.push(("cut", Change::Cut(place), segments, 3));
            }
        }
    }
    let swaps = boundaries.iter().filter(|n| (1..WHOLE).contains(n));
    changes.extend(swaps.map(|n| ("swapped", Change::Swap(n * SEGMENT), n - 1, 3)));
    // The message ends where it ended in the first pass; nonce and tag were read there.
    let end = WHOLE * SEGMENT + REST;
    changes.extend([1, 16, SEGMENT].map(|more| ("grown", Change::Grow(more), WHOLE + 1, 0)));
    changes.push(("tag flipped", Change::Flip(end), WHOLE + 1, 0));
    changes.push(("tag cut", Change::Cut(end), WHOLE + 1, 0));
    changes.push(("cut", Change::Cut(end - 1), WHOLE, 3));
    changes
}

/// Opens with each change between the passes; `open` gives the text and the exit code.
fn check(
    sealed: &Sealed,
    threads: usize,
    boundaries: &[usize],
    open: &dyn Fn(&Change) -> (Vec<u8>, u8),
) -> Result<(), String> {
    for (name, change, segments, code) in changes(boundaries) {
        let (text, got) = open(&change);
        let expected = &sealed.text[..sealed.text.len().min(segments * SEGMENT)];
        if got != code || text != expected {
            let len = text.len();
            return Err(format!(
                "{change:?} with {threads}: exit {got}, {len} bytes of text"
            ));
        }
        println!("U8 gcm between the passes, {threads} threads: 1 {name}, exit {code}");
    }
    Ok(())
}

#[test]
fn u8_what_changes_between_the_passes_gives_what_was_verified() {
    let sealed = Sealed::new();
    for (threads, boundaries) in [(1, &[1][..]), (2, &[0, 1, WHOLE]), (groups::WORKERS, &[1])] {
        let open = |change: &Change| sealed.opened(threads, change);
        check(&sealed, threads, boundaries, &open).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn control_u8_a_second_pass_that_trusts_the_first() {
    let sealed = Sealed::new();
    let end = NONCE_LEN + sealed.text.len();
    let decrypted = |change: &Change, whole: bool| {
        let file = file(&sealed.bytes);
        change.make(&file);
        let mut bytes = Vec::new();
        (&file).read_to_end(&mut bytes).expect("a file");
        bytes.resize(end.min(bytes.len()), 0);
        // What is XORed with the key stream is as good as the text.
        let stream = sealed.bytes[NONCE_LEN..].iter().zip(&sealed.text);
        let bytes = bytes[NONCE_LEN.min(bytes.len())..].iter();
        let text = bytes
            .zip(stream)
            .map(|(byte, (sealed, text))| byte ^ sealed ^ text);
        let text: Vec<u8> = text.collect();
        let cut = text.len() < sealed.text.len();
        (text, if cut && whole { 3 } else { 0 })
    };
    for (what, whole) in [
        ("it decrypts what comes", true),
        ("a short file will do", false),
    ] {
        match check(&sealed, 1, &[0, 1], &|change| decrypted(change, whole)) {
            Ok(()) => panic!("{what}: not noticed"),
            Err(why) => println!("{what}: caught: {why}"),
        }
    }
    let released = |change: &Change| {
        let (text, code) = sealed.opened(1, change);
        let more = if code == 3 {
            text.len() + 1
        } else {
            text.len()
        };
        (sealed.text[..more.min(sealed.text.len())].to_vec(), code)
    };
    match check(&sealed, 1, &[1], &released) {
        Ok(()) => panic!("a byte too much: not noticed"),
        Err(why) => println!("a byte too much: caught: {why}"),
    }
}

/// What a step on a segment may say, and the exit code.
fn errors() -> [(Error, u8); 3] {
    let io = std::io::Error::other("a disk");
    let input = carryless::error::InputError::TextTooLong { got: 1 << 40 };
    [
        (Error::Unauthentic, Code::Tampered as u8),
        (Error::Io(io), Code::Io as u8),
        (Error::Input(input), Code::Other as u8),
    ]
}

#[test]
fn u8_every_error_of_a_segment_is_that_of_the_run() {
    const BATCHES: usize = 5;
    const LEN: usize = 64;
    let text = vec![7; BATCHES * LEN - 3];
    for threads in [1, 2, groups::WORKERS] {
        for bad in [0, 1, BATCHES - 2, BATCHES - 1] {
            for (error, code) in errors() {
                let error = Mutex::new(Some(error));
                let step = |offset: u64, _: &mut [u8]| {
                    if offset == (bad * LEN) as u64 {
                        let mut error = error.lock().unwrap_or_else(PoisonError::into_inner);
                        return Err(error.take().expect("once"));
                    }
                    Ok(())
                };
                let mut taken = 0;
                let mut take = |piece: &[u8]| {
                    taken += piece.len();
                    Ok(())
                };
                let mut input = Input::of(file(&text));
                let work = Segments {
                    len: LEN,
                    name: "name",
                    step,
                };
                let end = pipeline::run(&work, &mut input, threads, &mut take);
                let got = end.expect_err("it failed").code();
                assert_eq!((got, taken), (code, bad * LEN), "{threads}, {bad}");
                println!("U8 segments, {threads} threads: 1 error of a segment, exit {code}");
            }
        }
    }
}
