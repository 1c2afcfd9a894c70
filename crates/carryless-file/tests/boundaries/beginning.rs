//! What precedes the text, written to sinks and read from sources that take or give little of it at first.

use std::io::{self, Write};

use crate::format::Format;
use crate::source::{Pace, Sink, Source};

const TEXT: &[u8] = b"text behind what precedes it";

fn seal(format: Format, sink: &mut Sink) -> bool {
    format.write(&[TEXT], false, sink)
}

/// Lengths around every field of a header and at its end.
fn lens(len: usize) -> impl Iterator<Item = usize> {
    (0..len).filter(move |&at| at < 34 || at % 16 == 0 || at + 3 > len)
}

/// The first call does so much; every call does.
fn paces(len: usize) -> impl Iterator<Item = Pace> {
    let first = lens(len).skip(1).map(Pace::First);
    first.chain([Pace::Short(1), Pace::Interrupted(1), Pace::Interrupted(7)])
}

fn check(seal: &dyn Fn(Format, &mut Sink) -> bool) -> Result<usize, String> {
    let mut tried = 0;
    for format in Format::ALL {
        let mut whole = Sink::new(Pace::All, usize::MAX);
        assert!(seal(format, &mut whole), "a sink that takes all");
        for pace in paces(whole.bytes.len()) {
            let mut sink = Sink::new(pace, usize::MAX);
            let written = seal(format, &mut sink).then_some(sink.bytes.len());
            let opened = format.open(Source::new(&sink.bytes, Pace::All, None));
            if written != Some(whole.bytes.len()) || opened.as_deref() != Some(TEXT) {
                return Err(format!("{format:?}, written {pace:?}: {written:?} bytes"));
            }
            let read = format.open(Source::new(&whole.bytes, pace, None));
            if read.as_deref() != Some(TEXT) {
                return Err(format!("{format:?}, read {pace:?}"));
            }
            tried += 2;
        }
        let full = |room| !seal(format, &mut Sink::new(Pace::All, room));
        if !lens(whole.bytes.len()).all(full) {
            return Err(format!("{format:?}: a sink that is full was enough"));
        }
    }
    Ok(tried)
}

#[test]
fn u8_what_precedes_the_text_in_pieces() {
    let tried = check(&seal).unwrap_or_else(|why| panic!("{why}"));
    println!("U8 beginnings: {tried} paces of sinks and sources");
}

/// Says that all is written where some is.
struct Unheeded<'a>(&'a mut Sink);

impl Write for Unheeded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[test]
fn control_u8_a_beginning_of_which_a_part_is_written() {
    let part = |format: Format, sink: &mut Sink| {
        let mut whole = Sink::new(Pace::All, usize::MAX);
        assert!(seal(format, &mut whole), "a sink that takes all");
        let (header, rest) = whole.bytes.split_at(12);
        Unheeded(sink).write_all(header).is_ok() && sink.write_all(rest).is_ok()
    };
    let why = check(&part).expect_err("a header whose rest is not written");
    println!("a header that is written in part: caught: {why}");
}
