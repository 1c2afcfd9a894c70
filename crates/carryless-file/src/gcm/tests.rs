//! Against one call of the library, and against changes.

use std::io::{Cursor, Read, Seek, SeekFrom, Write};

use carryless::{Aes128Gcm, Aes256Gcm};

use super::*;

/// Around a segment of the adapters and around blocks.
const EDGES: [usize; 9] = [
    0,
    1,
    15,
    16,
    17,
    4096,
    (1 << 19) - 1,
    1 << 19,
    (1 << 20) + 33,
];

fn text(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i * 7 + i / 251).to_le_bytes()[0])
        .collect()
}

fn key(len: usize) -> Key {
    Key::from_slice(&[0x42; 32][..len]).expect("a key length")
}

fn seal(key: &Key, text: &[u8]) -> Vec<u8> {
    let mut writer = SealWriter::new(key, Vec::new()).expect("random bytes");
    for piece in text.chunks(99_999) {
        writer.write_all(piece).expect("a vector takes all");
        writer.flush().expect("a vector");
    }
    writer.finish().expect("a vector takes all")
}

/// What was written, and the error.
fn opened(key: &Key, sealed: &[u8]) -> (Vec<u8>, Result<u64, Error>) {
    let mut text = Vec::new();
    let result = open(key, &mut Cursor::new(sealed), &mut text);
    (text, result)
}

#[test]
fn the_message_is_that_of_one_call_and_opens() {
    for len in EDGES {
        let text = text(len);
        for key_len in [16, 32] {
            let key = key(key_len);
            let sealed = seal(&key, &text);
            let nonce: [u8; 12] = sealed[..12].try_into().expect("12 bytes");
            let mut whole = text.clone();
            let tag = if key_len == 16 {
                let key = Aes128Gcm::from_slice(key.as_bytes()).expect("a key");
                key.seal_in_place(&nonce, b"", &mut whole)
            } else {
                let key = Aes256Gcm::from_slice(key.as_bytes()).expect("a key");
                key.seal_in_place(&nonce, b"", &mut whole)
            };
            let tag = tag.expect("a short text");
            assert!(
                sealed == [&nonce, &whole[..], &tag].concat(),
                "{len}, {key_len}"
            );
            let (given, result) = opened(&key, &sealed);
            assert_eq!(result.expect("authentic"), len as u64);
            assert!(given == text, "{len}, {key_len}");
        }
    }
}

#[test]
fn every_flipped_bit_and_every_cut_gives_nothing() {
    let key = key(16);
    let mut sealed = seal(&key, &text(50));
    for bit in 0..8 * sealed.len() {
        sealed[bit / 8] ^= 1 << (bit % 8);
        let (given, result) = opened(&key, &sealed);
        assert!(matches!(result, Err(Error::Unauthentic)), "bit {bit}");
        assert!(given.is_empty(), "bit {bit}");
        sealed[bit / 8] ^= 1 << (bit % 8);
    }
    for len in 0..sealed.len() {
        let (given, result) = opened(&key, &sealed[..len]);
        assert!(result.is_err_and(|error| error.is_unauthentic()), "{len}");
        assert!(given.is_empty(), "{len}");
    }
    sealed.push(0);
    assert!(matches!(opened(&key, &sealed).1, Err(Error::Unauthentic)));
    let other = Key::from_slice(&[1; 16]).expect("a key");
    sealed.pop();
    assert!(matches!(opened(&other, &sealed).1, Err(Error::Unauthentic)));
}

/// A file whose second reading gives other bytes.
struct Changing {
    file: Cursor<Vec<u8>>,
    at: usize,
}

impl Read for Changing {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for Changing {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        if matches!(to, SeekFrom::Start(12)) {
            self.file.get_mut()[self.at] ^= 1;
        }
        self.file.seek(to)
    }
}

#[test]
fn a_file_that_changes_after_its_tag_was_checked_gives_what_was_checked() {
    let key = key(32);
    let text = text((1 << 20) + 33);
    for (at, good) in [
        (12, 0),
        (12 + (1 << 19), 1 << 19),
        (12 + (1 << 20) + 32, 1 << 20),
    ] {
        let file = Cursor::new(seal(&key, &text));
        let mut given = Vec::new();
        let result = open(&key, &mut Changing { file, at }, &mut given);
        assert!(matches!(result, Err(Error::Unauthentic)), "byte {at}");
        assert!(given == text[..good], "byte {at}");
    }
}

/// A file of which so many bytes went since its length was asked for.
struct Shortened<'a> {
    file: Cursor<&'a [u8]>,
    gone: u64,
}

impl Read for Shortened<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for Shortened<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let place = self.file.seek(to)?;
        Ok(place + u64::from(matches!(to, SeekFrom::End(0))) * self.gone)
    }
}

#[test]
fn a_file_that_is_shorter_than_it_was_gives_nothing() {
    let key = key(32);
    let sealed = seal(&key, &text(100));
    for gone in 1..=sealed.len() {
        let file = Cursor::new(&sealed[..sealed.len() - gone]);
        let gone = gone as u64;
        let mut given = Vec::new();
        let result = open(&key, &mut Shortened { file, gone }, &mut given);
        assert!(
            matches!(result, Err(Error::Unauthentic)),
            "{gone} gone: {result:?}"
        );
        assert!(given.is_empty(), "{gone} gone");
    }
}

#[test]
fn a_writer_that_failed_stays_failed() {
    let mut full = [0; 12];
    let mut writer = SealWriter::new(&key(16), &mut full[..]).expect("room for the nonce");
    writer.write_all(&[0; 1 << 19]).expect("it is pending");
    assert!(writer.write_all(&[0]).is_err());
    assert!(writer.write_all(&[0]).is_err());
    assert!(writer.finish().is_err());
}

#[test]
fn lengths_that_no_message_has_are_refused() {
    for got in [0, 27, MAX_TEXT_LEN + 29, u64::MAX] {
        assert!(matches!(text_len(got), Err(Error::Length { got: named }) if named == got));
    }
    for len in [0, 1, MAX_TEXT_LEN] {
        assert!(text_len(len + 28).is_ok_and(|text_len| text_len == len));
    }
}
