//! The container through its public interface: what opens, what fails and how, and the vectors.

mod changes;
mod crafted;
mod far;
mod keys;
mod limits;
mod python;
mod recipients;
mod seek;
mod vectors;

use std::io::{BufRead, Read, Write};

use carryless_file::cobblestone::{CHUNK_LEN, Cipher, Key};
use carryless_file::container::{
    Argon2id, Credential, Error, Lock, Passphrase, reader, start, writer,
};

/// Lengths around the ends of chunks.
const EDGES: [usize; 7] = [
    0,
    1,
    CHUNK_LEN - 1,
    CHUNK_LEN,
    CHUNK_LEN + 1,
    2 * CHUNK_LEN,
    3 * CHUNK_LEN - 1,
];

fn text(len: usize) -> Vec<u8> {
    let byte = |i: usize| (i * 7 + i / 251).to_le_bytes()[0];
    (0..len).map(byte).collect()
}

/// A key of 16 bytes, another for each number.
fn key(number: u8) -> Key {
    Key::from_slice(&[number; 16]).expect("a key length")
}

fn passphrase(bytes: &str) -> Passphrase {
    Passphrase::new(bytes.as_bytes().to_vec()).expect("a length")
}

/// As little work as there can be.
fn cheap() -> Argon2id {
    Argon2id::new(8, 1, 1).expect("within the limits")
}

fn seal(locks: &[Lock<'_>], text: &[u8]) -> Vec<u8> {
    let mut writer = writer(Cipher::Cobblestone128, locks, Vec::new()).expect("a header");
    writer.write_all(text).expect("a vector takes all");
    writer.finish().expect("a vector takes all")
}

/// What comes out before the end or the error, and the error.
fn open(credential: &Credential<'_>, sealed: impl Read) -> (Vec<u8>, Result<(), Error>) {
    let mut text = Vec::new();
    let mut reader = match reader(credential, sealed) {
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
            Err(error) => return (text, Err(error.into())),
        };
        reader.consume(len);
    }
}

/// Nothing came out, and the error is of this kind.
macro_rules! assert_refused {
    ($opened:expr, $pattern:pat, $($case:tt)+) => {
        let (text, result) = $opened;
        assert!(matches!(result, Err($pattern)), "{}: {result:?}", format!($($case)+));
        assert!(text.is_empty(), "{}: text before the error", format!($($case)+));
    };
}
use assert_refused;

#[test]
fn what_is_sealed_opens_at_every_edge() {
    let (key_128, key_256) = (key(1), Key::from_slice(&[2; 32]).expect("a key length"));
    for len in EDGES {
        for cipher in Cipher::ALL {
            for key in [&key_128, &key_256] {
                let text = text(len);
                let locks = [Lock::Key(key)];
                let mut writer = writer(cipher, &locks, Vec::new()).expect("a header");
                writer.write_all(&text).expect("a vector takes all");
                let sealed = writer.finish().expect("a vector takes all");
                let (opened, result) = open(&Credential::Key(key), &sealed[..]);
                assert!(
                    result.is_ok() && opened == text,
                    "{cipher}, {len}: {result:?}"
                );
            }
        }
    }
}

/// The calls of a parallel pipeline: each chunk by itself, in any order, from several threads.
#[test]
fn chunks_are_sealed_and_opened_by_number_in_threads() {
    use carryless_file::cobblestone::SEALED_CHUNK_LEN;
    use carryless_file::container::create;

    let key = key(3);
    let text = text(5 * CHUNK_LEN + 77);
    let (header, sealer) = create(Cipher::Cobblestone128, &[Lock::Key(&key)]).expect("a header");
    let mut chunks = vec![Vec::new(); 6];
    std::thread::scope(|scope| {
        let sealer = &sealer;
        let texts = text.chunks(CHUNK_LEN).enumerate();
        for ((index, text), out) in texts.zip(&mut chunks) {
            scope.spawn(move || {
                *out = vec![0; text.len() + 16];
                let sealed = sealer.seal_chunks(index as u64, text, index == 5, out);
                sealed.expect("a chunk");
            });
        }
    });
    let sealed = [header.as_bytes(), sealer.header(), &chunks.concat()].concat();
    let mut rest = &sealed[..];
    let begun = start(&Credential::Key(&key), &mut rest).expect("authentic");
    let chunks_at = sealed.len() - rest.len();
    assert_eq!(begun.chunks_at(), chunks_at as u64);
    let offset = |index: usize| chunks_at + index * SEALED_CHUNK_LEN;
    for index in (0..6).rev() {
        let end = sealed.len().min(offset(index) + SEALED_CHUNK_LEN);
        let mut out = vec![0; CHUNK_LEN];
        let chunk = &sealed[offset(index)..end];
        let opened = begun
            .opener
            .open_chunks(index as u64, chunk, index == 5, &mut out);
        let len = opened.expect("authentic");
        assert!(
            out[..len] == text[index * CHUNK_LEN..][..len],
            "chunk {index}"
        );
    }
    assert!(open(&Credential::Key(&key), &sealed[..]).1.is_ok());
}
