//! Ways of writing.

use core::cell::RefCell;
use std::io::Write;

use carryless_file::cobblestone::{CHUNK_LEN, Error, SealWriter, Sealer};
use carryless_file::container::{self, create};
use carryless_file::gcm;

use crate::case::{Case, Format};
use crate::dice::Dice;
use crate::io::{Given, Sink, only};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Writing {
    /// In pieces, to a writer.
    Writer,
    /// By chunks or segments, in any order.
    Parts,
}

impl Writing {
    pub(crate) const ALL: [Self; 2] = [Self::Writer, Self::Parts];
}

pub(crate) fn seal(case: &Case, way: Writing, dice: &mut Dice) -> Vec<u8> {
    match (way, case.format) {
        (Writing::Parts, Format::Message) => segments(case, dice),
        (Writing::Parts, _) => chunks(case, dice),
        (Writing::Writer, _) => {
            let given = RefCell::default();
            let sink = Sink::new(&given, dice);
            let sealed = write(case, sink, &given, dice);
            sealed.expect("a sink that takes all");
            let Given { bytes, flushed } = given.into_inner();
            assert_eq!(flushed, bytes.len(), "what is finished is flushed");
            bytes
        }
    }
}

/// Writes in pieces; says why if that fails, whatever failed first.
pub(crate) fn write(
    case: &Case,
    sink: Sink<'_>,
    given: &RefCell<Given>,
    dice: &mut Dice,
) -> std::io::Result<()> {
    match case.format {
        Format::Message => {
            let mut writer = gcm::SealWriter::new(&case.secrets[0].as_gcm(), sink)?;
            let written = pieces(case, &mut writer, given, dice);
            ended(written, writer.finish().map(drop).map_err(Into::into))
        }
        _ => {
            let mut writer = chunked_writer(case, sink, dice)?;
            let written = pieces(case, &mut writer, given, dice);
            ended(written, writer.finish().map(drop).map_err(Into::into))
        }
    }
}

/// What became of writing and finishing.
fn ended(written: std::io::Result<()>, finished: std::io::Result<()>) -> std::io::Result<()> {
    assert!(
        written.is_ok() || finished.is_err(),
        "finished after an error"
    );
    written.and(finished)
}

fn chunked_writer<'a>(
    case: &Case,
    mut sink: Sink<'a>,
    dice: &mut Dice,
) -> std::io::Result<SealWriter<Sink<'a>>> {
    let at_once = dice.once_in(2);
    let writer = match case.format {
        Format::Container if at_once => container::writer(case.cipher, &case.locks(), sink)?,
        Format::Stream if at_once => {
            SealWriter::new(case.secrets[0].as_key(), &case.context, sink)?
        }
        _ => {
            let (header, sealer) = begin(case);
            sink.write_all(&header)?;
            SealWriter::with_sealer(sealer, sink)?
        }
    };
    Ok(writer)
}

/// The header, of a container, and what seals the chunks.
fn begin(case: &Case) -> (Vec<u8>, Sealer) {
    if case.format == Format::Container {
        let (header, sealer) = create(case.cipher, &case.locks()).expect("locks within the limits");
        return (header.as_bytes().to_vec(), sealer);
    }
    let sealer = Sealer::new(case.secrets[0].as_key(), &case.context);
    (Vec::new(), sealer.expect("random bytes"))
}

/// Writes the text, and flushes at times; a writer that failed stays so.
fn pieces(
    case: &Case,
    writer: &mut impl Write,
    given: &RefCell<Given>,
    dice: &mut Dice,
) -> std::io::Result<()> {
    let mut written = 0;
    while written < case.text.len() {
        let rest = &case.text[written..];
        let piece = &rest[..rest.len().min(dice.amount())];
        let flush = dice.once_in(4);
        let done = match writer.write(piece) {
            Ok(len) if flush => writer.flush().map(|()| len),
            done => done,
        };
        match done {
            Ok(len) => {
                assert!(
                    len <= piece.len() && (len > 0 || piece.is_empty()),
                    "{len} bytes taken"
                );
                written += len;
            }
            Err(error) => {
                let again = [writer.write(&[0]).map(drop), writer.flush()];
                let fails = again.iter().all(Result::is_err);
                assert!(fails, "a writer that failed stays failed: {again:?}");
                return Err(error);
            }
        }
        let given = given.borrow();
        // Up to 512 KiB are held back.
        assert!(
            given.bytes.len() + (32 * CHUNK_LEN) >= written,
            "more is held back"
        );
        if flush {
            assert_eq!(given.flushed, given.bytes.len(), "not flushed");
        }
        if flush && case.format != Format::Message {
            let whole = case.sealed_len(written - written % CHUNK_LEN) - 16;
            assert_eq!(
                given.bytes.len(),
                whole,
                "all whole chunks after {written} bytes"
            );
        }
    }
    Ok(())
}

/// By the calls for those who run many threads, with wrong ones among them, which write nothing.
fn chunks(case: &Case, dice: &mut Dice) -> Vec<u8> {
    let (header, sealer) = begin(case);
    let mut sealed = [&header, &sealer.header()[..]].concat();
    let at = sealed.len();
    sealed.resize(case.sealed_len(case.text.len()), 0);
    let body = &mut sealed[at..];

    let whole = case.text.len() / CHUNK_LEN;
    let mut groups: Vec<_> = dice
        .parts(whole, 1)
        .into_iter()
        .map(|part| (part, false))
        .collect();
    // The last chunk, with some whole ones before it.
    let first = groups.pop().map_or(whole, |(part, _)| part.start);
    groups.push((first..whole, true));
    dice.shuffle(&mut groups);
    for (group, last) in groups {
        let end = if last {
            case.text.len()
        } else {
            group.end * CHUNK_LEN
        };
        let text = &case.text[group.start * CHUNK_LEN..end];
        let from = group.start * (CHUNK_LEN + 16);
        let len = Sealer::sealed_chunks_len(text.len(), last);
        let output = &mut body[from..from + len];
        wrong_calls(&sealer, group.start as u64, text, output.len());
        let done = sealer.seal_chunks(group.start as u64, text, last, output);
        done.expect("room for what it says");
    }
    sealed
}

fn wrong_calls(sealer: &Sealer, first: u64, text: &[u8], len: usize) {
    let mut output = vec![0; len + 1];
    let done = sealer.seal_chunks(first, text, true, &mut output[..len.saturating_sub(17)]);
    assert!(
        matches!(done, Err(Error::Output { .. })),
        "too short: {done:?}"
    );
    if !text.len().is_multiple_of(CHUNK_LEN) {
        let done = sealer.seal_chunks(first, text, false, &mut output);
        assert!(
            matches!(done, Err(Error::Chunking { .. })),
            "not the last: {done:?}"
        );
    }
    assert!(only(0, &output), "a wrong call wrote something");
}

fn segments(case: &Case, dice: &mut Dice) -> Vec<u8> {
    let sealer = gcm::Sealer::new(&case.secrets[0].as_gcm()).expect("random bytes");
    let mut text = case.text.clone();
    let unit = dice.one(&[16, 48, 16_384]);
    let parts = dice.parts(text.len(), unit);
    let mut order: Vec<_> = (0..parts.len()).collect();
    dice.shuffle(&mut order);
    let mut partials = vec![None; parts.len()];
    for number in order {
        let part = parts[number].clone();
        let partial = sealer.seal(part.start as u64, &mut text[part]);
        partials[number] = Some(partial.expect("a multiple of 16"));
    }
    let partials: Vec<_> = partials.into_iter().flatten().collect();
    let tag = sealer.finish(&partials).expect("all segments");
    [&sealer.nonce()[..], &text, &tag].concat()
}
