//! Sources and sinks that fail at a place that is drawn.

use core::cell::RefCell;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

use carryless_file::cobblestone::{CHUNK_LEN, SEALED_CHUNK_LEN};
use carryless_file::gcm;

use crate::case::{Case, Format};
use crate::dice::Dice;
use crate::fault::Fault;
use crate::io::{Failure, Given, KINDS, Sink, Source};
use crate::open::{self, Reading, seek_reader};
use crate::seal::write;

/// Anywhere, at the ends of parts and chunks, right behind the last byte.
fn place(case: &Case, len: usize, dice: &mut Dice) -> usize {
    let chunk = case.body_at() + dice.one(&[0, 1, 31, 32, 33, 64]) * SEALED_CHUNK_LEN;
    let any = dice.below(len);
    let at = dice.one(&[
        0,
        case.header_len(),
        any,
        any,
        chunk - 1,
        chunk,
        chunk + 1,
        len,
    ]);
    at.min(len)
}

/// The error comes as it is, behind nothing but authentic chunks; so does every error that follows.
pub(crate) fn source(case: &Case, sealed: &[u8], way: Reading, dice: &mut Dice) {
    let failure = Failure {
        at: place(case, sealed.len(), dice),
        kind: dice.one(&KINDS),
        once: dice.once_in(2),
    };
    let source = Source::failing(sealed, failure, dice);
    let (text, end) = open::open(case, case.a_secret(dice), way, source, dice);
    // These know from the length of the file where it ends.
    if matches!(way, Reading::Whole | Reading::Seek) && failure.at == sealed.len() {
        assert!(
            end.is_ok() && text == case.text,
            "{way:?}, {failure:?}: {end:?}"
        );
        return;
    }
    let kind = end.as_ref().err().and_then(Fault::kind);
    assert_eq!(kind, Some(failure.kind), "{way:?}, {failure:?}: {end:?}");
    let good = failure.at.saturating_sub(case.body_at()) / SEALED_CHUNK_LEN * CHUNK_LEN;
    let whole = text.len().is_multiple_of(CHUNK_LEN) && text.len() <= good;
    assert!(
        whole && case.text.starts_with(&text),
        "{way:?}, {failure:?}: {} bytes",
        text.len()
    );
    match way {
        Reading::Whole | Reading::Segments => assert!(text.is_empty(), "unverified text"),
        Reading::Seek => sector(case, sealed, failure, dice),
        _ => {}
    }
}

/// Text in chunks that can be read is read, whatever was asked for before.
fn sector(case: &Case, sealed: &[u8], failure: Failure, dice: &mut Dice) {
    let Some(bad) = failure.at.checked_sub(case.body_at()) else {
        return;
    };
    let (bad, last) = (bad / SEALED_CHUNK_LEN, case.text.len() / CHUNK_LEN);
    if bad >= last {
        return;
    }
    let source = Source::failing(sealed, failure, dice);
    let reader = seek_reader(case, case.a_secret(dice), source, dice);
    let mut reader = reader.expect("the ends can be read");
    let mut fails = true;
    for _ in 0..8 {
        let chunk = dice.one(&[
            bad,
            bad,
            dice.clone().below(last),
            bad.saturating_sub(1),
            bad + 1,
        ]);
        let from = (chunk * CHUNK_LEN + dice.below(CHUNK_LEN)).min(case.text.len());
        let end = case.text.len().min((chunk + 1) * CHUNK_LEN);
        let mut part = vec![0; end - from];
        reader.seek(SeekFrom::Start(from as u64)).expect("a place");
        let read = reader.read_exact(&mut part).map_err(|error| error.kind());
        if fails && chunk == bad {
            assert_eq!(read, Err(failure.kind), "{failure:?}, from {from}");
            assert_eq!(reader.stream_position().expect("a place"), from as u64);
            fails = !failure.once;
        } else {
            assert!(
                read.is_ok() && part == case.text[from..end],
                "{failure:?}, from {from}: {read:?}"
            );
        }
    }
}

/// The error comes as it is, and whoever writes has failed for good, though the sink has room again.
pub(crate) fn sink(case: &Case, dice: &mut Dice) {
    let len = case.sealed_len(case.text.len());
    let failure = Failure {
        at: place(case, len, dice).min(len - 1),
        kind: dice.one(&[&KINDS[..], &[ErrorKind::WriteZero]].concat()),
        once: true,
    };
    let given = RefCell::default();
    let written = write(case, Sink::failing(&given, failure, dice), &given, dice);
    let kind = written.map_err(|error| error.kind());
    assert_eq!(kind, Err(failure.kind), "{failure:?}");
    let there = given.into_inner().bytes.len();
    assert_eq!(there, failure.at, "{failure:?}: written after an error");
    if case.format == Format::Message && !case.text.is_empty() {
        opened_to_a_failing_sink(case, failure, dice);
    }
}

fn opened_to_a_failing_sink(case: &Case, failure: Failure, dice: &mut Dice) {
    let mut given = RefCell::default();
    let sealed = crate::seal::seal(case, crate::seal::Writing::Parts, dice);
    let at = failure.at.min(case.text.len() - 1);
    let mut sink = Sink::failing(&given, Failure { at, ..failure }, dice);
    let mut source = Source::behind(&sealed, dice);
    let opened = gcm::open(&case.secrets[0].as_gcm(), &mut source, &mut sink);
    let kind = opened.map_err(|error| Fault::from(error).kind());
    assert_eq!(kind, Err(Some(failure.kind)), "{failure:?}");
    let Given { bytes, .. } = given.get_mut();
    assert!(*bytes == case.text[..at], "{failure:?}: another text");
}
