//! Reading at any place does what a cursor over the text does.

use std::io::{Cursor, ErrorKind, Read, Seek, SeekFrom};

use carryless_file::cobblestone::{CHUNK_LEN, SEALED_CHUNK_LEN, SeekReader, Span};

use crate::case::Case;
use crate::dice::Dice;
use crate::io::Source;
use crate::open::{before_chunks, seek_reader};

/// One reader for many places, and new ones for one range each.
pub(crate) fn like_a_cursor(case: &Case, sealed: &[u8], dice: &mut Dice) {
    let mut pair = Pair::new(case, sealed, dice);
    for _ in 0..80 {
        if dice.once_in(2) {
            let to = to(case.text.len(), dice);
            pair.seek(to);
        } else {
            pair.read(dice);
        }
    }
    for _ in 0..4 {
        let mut pair = Pair::new(case, sealed, dice);
        let to = to(case.text.len(), dice);
        pair.seek(to);
        pair.read(dice);
    }
    for _ in 0..4 {
        span(case, sealed, dice);
    }
}

/// A range from the chunks that hold it.
fn span(case: &Case, sealed: &[u8], dice: &mut Dice) {
    let text_len = case.text.len();
    let from = edge(text_len, dice);
    let range = from..from + edge(text_len, dice);
    let wanted = &case.text[range.start.min(text_len)..range.end.min(text_len)];
    let span = Span::new(range.start as u64..range.end as u64, text_len as u64);
    assert_eq!(span.len, wanted.len() as u64, "{range:?}: {span:?}");
    let place = |at: u64| case.header_len() + usize::try_from(at).expect("within the file");
    let part = &sealed[place(span.sealed.start)..place(span.sealed.end)];
    if wanted.is_empty() {
        assert!(span.chunks == 0 && part.is_empty(), "{range:?}: {span:?}");
        return;
    }
    let source = &mut Source::behind(sealed, dice);
    let opener = before_chunks(case, case.a_secret(dice), source, dice).expect("authentic");
    let mut text = vec![0; part.len()];
    let opened = opener.open_chunks(span.first, part, span.last, &mut text);
    opened.expect("a span of whole chunks");
    let chunks = part.len().div_ceil(SEALED_CHUNK_LEN) as u64;
    assert_eq!(span.chunks, chunks, "{range:?}: {span:?}");
    let got = &text[span.skip..][..wanted.len()];
    assert!(got == wanted, "{range:?}: {span:?}");
}

/// A place in or behind the text.
fn edge(len: usize, dice: &mut Dice) -> usize {
    let any = dice.below(len + 1);
    let by = dice.below(3);
    let ends = [0, any, any, CHUNK_LEN - 1 + by, 32 * CHUNK_LEN - 1 + by];
    let end = dice.one(&ends);
    dice.one(&[end, end, len - any, (len + by).saturating_sub(1)])
}

fn to(len: usize, dice: &mut Dice) -> SeekFrom {
    let edge = edge(len, dice);
    let by = i64::try_from(edge).expect("short");
    let by = dice.one(&[by, -by, -by, dice.clone().one(&[i64::MIN, i64::MAX, -1, 1])]);
    let place = dice.one(&[edge, edge, edge, usize::MAX]) as u64;
    dice.one(&[
        SeekFrom::Start(place),
        SeekFrom::End(by),
        SeekFrom::Current(by),
    ])
}

/// A reader, and what it must be like.
struct Pair<'a> {
    reader: SeekReader<Source>,
    cursor: Cursor<&'a [u8]>,
}

impl<'a> Pair<'a> {
    fn new(case: &'a Case, sealed: &[u8], dice: &mut Dice) -> Self {
        let source = Source::behind(sealed, dice);
        let reader = seek_reader(case, case.a_secret(dice), source, dice).expect("authentic");
        assert_eq!(reader.text_len(), case.text.len() as u64);
        let cursor = Cursor::new(&case.text[..]);
        Self { reader, cursor }
    }

    fn seek(&mut self, to: SeekFrom) {
        let from = self.cursor.position();
        let expected = self.cursor.seek(to).map_err(|error| error.kind());
        let got = self.reader.seek(to).map_err(|error| error.kind());
        assert_eq!(got, expected, "{to:?} from {from}");
        self.same_place();
    }

    fn same_place(&mut self) {
        let place = self.reader.stream_position().expect("a place");
        assert_eq!(place, self.cursor.position(), "the place");
    }

    fn read(&mut self, dice: &mut Dice) {
        let from = self.cursor.position();
        let mut wanted = vec![0; dice.amount()];
        let mut part = wanted.clone();
        match dice.below(8) {
            0 => {
                wanted.clear();
                part.clear();
                let lens = self.cursor.read_to_end(&mut wanted).expect("a slice");
                let got = self.reader.read_to_end(&mut part).expect("authentic");
                assert_eq!(got, lens, "from {from} to the end");
            }
            1..4 => {
                let expected = self
                    .cursor
                    .read_exact(&mut wanted)
                    .map_err(|error| error.kind());
                let got = self
                    .reader
                    .read_exact(&mut part)
                    .map_err(|error| error.kind());
                assert_eq!(got, expected, "{} from {from}", part.len());
                if got == Err(ErrorKind::UnexpectedEof) {
                    // Where it is then, and what the buffer holds, is left open.
                    self.reader.seek(SeekFrom::Start(from)).expect("a place");
                    self.cursor.set_position(from);
                    return;
                }
            }
            _ => {
                let got = self.reader.read(&mut part).expect("authentic");
                part.truncate(got);
                wanted.truncate(got.max(1));
                let expected = self.cursor.read(&mut wanted).expect("a slice");
                // As much as is at hand, and something if there is something.
                assert_eq!(got, expected, "from {from}");
                wanted.truncate(expected);
            }
        }
        assert!(part == wanted, "{} bytes from {from}", part.len());
        self.same_place();
    }
}
