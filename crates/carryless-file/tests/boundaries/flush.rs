//! What a flush gives to the sink before, at and behind the end of a chunk and of a group, and how much a
//! writer takes at once.

use std::io::{self, Write};

use carryless_file::cobblestone::{self, CHUNK_LEN, HEADER_LEN, SEALED_CHUNK_LEN};
use carryless_file::gcm;

use crate::{Table, by, groups, text};

const GROUP: usize = groups::BATCH * CHUNK_LEN;

/// Counts what it is given.
#[derive(Default)]
struct Counts {
    bytes: usize,
    flushes: usize,
}

impl Write for &mut Counts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        Ok(())
    }
}

fn stream<W: Write>(sink: W) -> cobblestone::SealWriter<W> {
    let key = cobblestone::Key::from_slice(&[7; 16]).expect("a key");
    cobblestone::SealWriter::new(&key, b"", sink).expect("it takes all")
}

fn message_key() -> gcm::Key {
    gcm::Key::from_slice(&[7; 16]).expect("a key")
}

fn message<W: Write>(sink: W) -> gcm::SealWriter<W> {
    gcm::SealWriter::new(&message_key(), sink).expect("it takes all")
}

/// A stream's header and the whole chunks among `len` bytes.
const fn whole_chunks(len: usize) -> usize {
    HEADER_LEN + len / CHUNK_LEN * SEALED_CHUNK_LEN
}

#[test]
fn u8_a_flush_writes_all_whole_chunks() {
    let mut table = Table::default();
    for end in [CHUNK_LEN, 2 * CHUNK_LEN, GROUP, GROUP + CHUNK_LEN] {
        for offset in [-1, 0, 1] {
            let text = text(by(end, offset));
            for piece in [1000, CHUNK_LEN / 4, 20_000] {
                let mut sink = Counts::default();
                let mut writer = stream(&mut sink);
                for piece in text.chunks(piece) {
                    writer.write_all(piece).expect("it takes all");
                }
                writer.flush().expect("it takes all");
                drop(writer);
                assert_eq!(
                    (sink.bytes, sink.flushes),
                    (whole_chunks(text.len()), 1),
                    "{} bytes in pieces of {piece}",
                    text.len()
                );
                table.add("cobblestone writer", "flushed", offset);
            }
        }
    }
    table.finish(&["cobblestone writer".into()], &["flushed"]);
}

#[test]
fn u8_a_flush_of_a_message_flushes_its_writer_alone() {
    let mut sink = Counts::default();
    let mut writer = message(&mut sink);
    writer.write_all(&[1; 100]).expect("it takes all");
    writer.flush().expect("it takes all");
    drop(writer);
    assert_eq!((sink.bytes, sink.flushes), (gcm::NONCE_LEN, 1));
}

#[test]
fn u8_a_writer_takes_a_group_at_once() {
    for (pending, taken) in [
        (0, GROUP),
        (1, GROUP - 1),
        (CHUNK_LEN + 1, GROUP - CHUNK_LEN - 1),
    ] {
        let mut sink = Counts::default();
        let mut writer = stream(&mut sink);
        // In two, as whole chunks are sealed without a copy.
        for part in [pending / 2, pending - pending / 2] {
            writer.write_all(&vec![1; part]).expect("it takes all");
        }
        let took = writer.write(&vec![2; 2 * GROUP]).expect("it takes some");
        assert_eq!(took, taken, "{pending} bytes pending");
    }
}

#[test]
fn u8_a_writer_of_a_message_takes_a_segment_at_once() {
    for pending in [0, 1, groups::SEGMENT - 1] {
        let mut sink = Counts::default();
        let mut writer = message(&mut sink);
        writer.write_all(&vec![1; pending]).expect("it takes all");
        for taken in [groups::SEGMENT - pending, groups::SEGMENT] {
            let took = writer.write(&vec![2; 2 * groups::SEGMENT]);
            assert_eq!(
                took.expect("it takes some"),
                taken,
                "{pending} bytes pending"
            );
        }
    }
}

/// Takes everything, and can't give it on.
struct Full;

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }
}

#[test]
fn u9_a_flush_that_fails_is_an_error() {
    let full = |error: io::Error| assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    let mut writer = stream(Full);
    full(writer.flush().expect_err("full"));
    full(writer.finish().map(|_| ()).expect_err("full").into());
    let mut writer = message(Full);
    full(writer.flush().expect_err("full"));
    full(writer.finish().map(|_| ()).expect_err("full").into());
    for len in [0, 1, groups::SEGMENT] {
        let mut writer = message(Vec::new());
        writer.write_all(&vec![1; len]).expect("it takes all");
        let mut sealed = io::Cursor::new(writer.finish().expect("it takes all"));
        full(
            gcm::open(&message_key(), &mut sealed, &mut Full)
                .expect_err("full")
                .into(),
        );
    }
}
