//! Ways of reading.

use std::io::{BufRead, Read};

use carryless_file::cobblestone::{self, HEADER_LEN, OpenReader, Opener, SeekReader, Tampering};
use carryless_file::container::{self, start};

use crate::case::{Case, Format};
use crate::chunks::open_chunks;
use crate::dice::Dice;
use crate::fault::Fault;
use crate::io::Source;
use crate::secret::Secret;
use crate::segments;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// By `read`.
    Read,
    /// By `fill_buf` and `consume`.
    Fill,
    /// By `ready` and `consume`.
    Ready,
    /// By `read_to_end`.
    ToEnd,
    /// By all of these in turns.
    Mixed,
    /// By chunks in any order.
    Chunks,
    /// By the reader for any place, from the first byte to the last.
    Seek,
    /// A message, at once.
    Whole,
    /// A message, by segments in any order.
    Segments,
}

impl Reading {
    pub(crate) const fn of(format: Format) -> &'static [Self] {
        match format {
            Format::Message => &[Self::Whole, Self::Segments],
            _ => &[
                Self::Read,
                Self::Fill,
                Self::Ready,
                Self::ToEnd,
                Self::Mixed,
                Self::Chunks,
                Self::Seek,
            ],
        }
    }
}

/// What comes out, and how that ends.
pub(crate) fn open(
    case: &Case,
    secret: &Secret,
    way: Reading,
    source: Source,
    dice: &mut Dice,
) -> (Vec<u8>, Result<(), Fault>) {
    let mut text = Vec::new();
    let end = match way {
        Reading::Whole => segments::open_whole(secret, source, &mut text, dice),
        Reading::Segments => segments::open(secret, source, &mut text, dice),
        Reading::Chunks => open_chunks(case, secret, source, &mut text, dice),
        Reading::Seek => seek_reader(case, secret, source, dice)
            .and_then(|reader| drain_any_place(reader, dice, &mut text)),
        _ => match reader(case, secret, source, dice) {
            Ok(reader) => drain(reader, way, dice, &mut text),
            Err(fault) => Err(fault),
        },
    };
    (text, end)
}

/// Whether the calls for containers open it: those, and bare streams without a context.
fn as_container(case: &Case, dice: &mut Dice) -> bool {
    case.format == Format::Container || case.context.is_empty() && dice.once_in(2)
}

/// What precedes the chunks, read and checked; not a byte more.
pub(crate) fn before_chunks(
    case: &Case,
    secret: &Secret,
    source: &mut Source,
    dice: &mut Dice,
) -> Result<Opener, Fault> {
    if as_container(case, dice) {
        let start = start(&secret.credential(), source)?;
        assert_eq!(
            start.chunks_at(),
            source.taken() as u64,
            "bytes that were read"
        );
        assert_eq!(start.header.is_some(), case.format == Format::Container);
        return Ok(start.opener);
    }
    let mut header = Vec::new();
    source.take(HEADER_LEN as u64).read_to_end(&mut header)?;
    let got = header.len() as u64;
    let whole = header.first_chunk().ok_or(Tampering::TooShort { got });
    let opener = whole.and_then(|header| Opener::new(secret.as_key(), &case.context, header));
    Ok(opener.map_err(cobblestone::Error::from)?)
}

fn reader(
    case: &Case,
    secret: &Secret,
    mut source: Source,
    dice: &mut Dice,
) -> Result<OpenReader<Source>, Fault> {
    if dice.once_in(2) {
        let opener = before_chunks(case, secret, &mut source, dice)?;
        Ok(OpenReader::with_opener(opener, source))
    } else if as_container(case, dice) {
        Ok(container::reader(&secret.credential(), source)?)
    } else {
        Ok(OpenReader::new(secret.as_key(), &case.context, source)?)
    }
}

pub(crate) fn seek_reader(
    case: &Case,
    secret: &Secret,
    mut source: Source,
    dice: &mut Dice,
) -> Result<SeekReader<Source>, Fault> {
    if dice.once_in(2) {
        let opener = before_chunks(case, secret, &mut source, dice)?;
        if dice.once_in(2) {
            source.cut_loose();
        }
        Ok(SeekReader::with_opener(opener, source)?)
    } else if as_container(case, dice) {
        Ok(container::seek_reader(&secret.credential(), source)?)
    } else {
        Ok(SeekReader::new(secret.as_key(), &case.context, source)?)
    }
}

/// Reads some; whether there may be more.
fn read(reader: &mut impl Read, dice: &mut Dice, text: &mut Vec<u8>) -> Result<bool, Fault> {
    let mut buffer = vec![0; dice.amount()];
    let len = reader.read(&mut buffer)?;
    text.extend(&buffer[..len]);
    Ok(len > 0 || buffer.is_empty())
}

fn step(
    reader: &mut OpenReader<Source>,
    way: Reading,
    dice: &mut Dice,
    text: &mut Vec<u8>,
) -> Result<bool, Fault> {
    let ready = match way {
        Reading::Read => return read(reader, dice, text),
        Reading::ToEnd => return Ok(reader.read_to_end(text).map(|_| false)?),
        Reading::Fill => reader.fill_buf()?,
        Reading::Ready => reader.ready()?,
        _ => {
            let way = dice.one(&[Reading::Read, Reading::Fill, Reading::Ready]);
            let way = if dice.once_in(9) { Reading::ToEnd } else { way };
            return step(reader, way, dice, text);
        }
    };
    let len = ready.len();
    let taken = dice.one(&[len, len / 2, dice.clone().below(len + 1)]);
    text.extend(&ready[..taken]);
    reader.consume(taken);
    Ok(len > 0)
}

/// Reads to the end or an error, and beyond: what has ended, or failed, stays so.
fn drain(
    mut reader: OpenReader<Source>,
    way: Reading,
    dice: &mut Dice,
    text: &mut Vec<u8>,
) -> Result<(), Fault> {
    let end = loop {
        match step(&mut reader, way, dice, text) {
            Ok(true) => {}
            Ok(false) if way == Reading::Mixed && !reader.ready().is_ok_and(<[u8]>::is_empty) => {}
            end => break end,
        }
    };
    let len = text.len();
    for again in [Reading::Ready, Reading::Read, Reading::Fill, Reading::ToEnd] {
        let more = step(&mut reader, again, dice, text);
        assert_eq!(text.len(), len, "{again:?}: more text behind {end:?}");
        match (&end, &more) {
            (Ok(_), Ok(_)) => {}
            (Err(first), Err(again)) => assert_eq!(first.tampering(), again.tampering()),
            _ => panic!("{end:?}, and then by {again:?} {more:?}"),
        }
    }
    end.map(drop)
}

/// Reads to the end or an error: what is not authentic stays so when it is read again.
fn drain_any_place(
    mut reader: SeekReader<Source>,
    dice: &mut Dice,
    text: &mut Vec<u8>,
) -> Result<(), Fault> {
    let end = loop {
        match read(&mut reader, dice, text) {
            Ok(true) => {}
            end => break end,
        }
    };
    let tampering = end.as_ref().err().and_then(Fault::tampering);
    for _ in 0..3 {
        let more = reader.read(&mut [0; 7]).map_err(Fault::from);
        match &more {
            Ok(len) => assert!(*len == 0 || end.is_err() && tampering.is_none(), "{end:?}"),
            Err(again) => assert_eq!(again.tampering(), tampering, "{end:?}"),
        }
    }
    end.map(drop)
}
