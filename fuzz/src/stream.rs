//! The chunked stream: the reader gives out the authentic chunks before a change and nothing else,
//! and the writer writes what the specification says, however it is fed.
//!
//! Streams are made by a writer of our own, from c2sp.org/chunked-encryption and a salt that the
//! input decides, so that every run is the same.

use std::io::{self, Read, Write};

use carryless::{Aes128Gcm, Aes256Gcm};
use carryless_file::cobblestone::{
    CHUNK_LEN, Cipher, Error, HEADER_LEN, Key, OpenReader, Opener, SALT_LEN, SEALED_CHUNK_LEN,
    SealWriter, sealed_len,
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;

use crate::choices::Choices;

/// See the module.
pub fn chunked_stream(data: &[u8]) {
    let mut choices = Choices::new(data);
    let cipher = choices.pick(&Cipher::ALL);
    let key = Key::from_slice(&choices.content(cipher.key_len())).expect("a length of keys");
    let context_len = choices.below(20);
    let context = choices.content(context_len);
    // Some chunks; now and then about as many as reader and writer handle at once.
    let chunks = choices.pick(&[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 31, 32, 33, 64]);
    let last_len = choices.below(CHUNK_LEN);
    let mode = choices.byte() % 4;
    let text = |choices: &mut Choices<'_>| {
        let start = choices.content(16);
        start
            .iter()
            .copied()
            .cycle()
            .enumerate()
            .map(|(i, byte)| byte ^ (i / 97) as u8)
            .take(chunks * CHUNK_LEN + last_len)
            .collect::<Vec<u8>>()
    };
    match mode {
        0 => write_and_read(&key, &context, &text(&mut choices), choices),
        1 => arbitrary_body(&key, &context, choices),
        _ => changed(&key, &context, &text(&mut choices), choices),
    }
}

/// The stream with this salt, by the specification.
fn seal(key: &Key, context: &[u8], salt: &[u8], text: &[u8]) -> Vec<u8> {
    let name: &[u8] = match key.as_bytes().len() {
        16 => b"AEAD_AES_128_GCM",
        _ => b"AEAD_AES_256_GCM",
    };
    let info = [
        b"c2sp.org/chunked-encryption@v1+",
        name,
        &[0],
        salt,
        context,
    ]
    .concat();
    let block = |previous: &[u8], n: u8| {
        let mut mac = Hmac::<Sha512>::new_from_slice(key.as_bytes()).expect("any length");
        mac.update(&[previous, &info, &[n]].concat());
        mac.finalize().into_bytes().to_vec()
    };
    let first = block(&[], 1);
    let derived = [first.clone(), block(&first, 2)].concat();
    let (stream_key, rest) = derived.split_at(key.as_bytes().len());
    let (base, rest) = rest.split_at(12);
    let mut sealed = [salt, &rest[..32]].concat();
    let (whole, last) = text.as_chunks::<CHUNK_LEN>();
    for (index, chunk) in whole
        .iter()
        .map(|chunk| &chunk[..])
        .chain([last])
        .enumerate()
    {
        let mut nonce: [u8; 12] = base.try_into().expect("12 bytes");
        for (byte, count) in nonce[4..].iter_mut().zip((index as u64).to_be_bytes()) {
            *byte ^= count;
        }
        let mut chunk = chunk.to_vec();
        let tag = if stream_key.len() == 16 {
            Aes128Gcm::from_slice(stream_key)
                .and_then(|key| key.seal_in_place(&nonce, b"", &mut chunk))
        } else {
            Aes256Gcm::from_slice(stream_key)
                .and_then(|key| key.seal_in_place(&nonce, b"", &mut chunk))
        };
        sealed.extend(chunk);
        sealed.extend(tag.expect("within the limits"));
    }
    sealed
}

/// Fed in any pieces, the writer writes the stream of its salt, and the reader reads it back.
fn write_and_read(key: &Key, context: &[u8], text: &[u8], mut choices: Choices<'_>) {
    let mut writer = SealWriter::new(key, context, Vec::new()).expect("random bytes");
    let mut rest = text;
    while !rest.is_empty() {
        let len = if choices.is_empty() {
            rest.len()
        } else {
            37 * choices.below(1 << 14)
        };
        let written = writer.write(&rest[..len.min(rest.len())]).expect("memory");
        rest = &rest[written..];
        if choices.byte() % 4 == 1 {
            writer.flush().expect("memory");
        }
    }
    let sealed = writer.finish().expect("memory");
    assert_eq!(Some(sealed.len() as u64), sealed_len(text.len() as u64));
    assert!(
        sealed == seal(key, context, &sealed[..SALT_LEN], text),
        "not the stream of its salt"
    );
    let (read, result) = open(key, context, &sealed, &mut choices);
    assert!(result.is_ok() && read == text, "not read back: {result:?}");
}

/// Behind a right header any bytes: nothing of them is a chunk.
fn arbitrary_body(key: &Key, context: &[u8], mut choices: Choices<'_>) {
    let mut stream = seal(key, context, &choices.content(SALT_LEN), b"");
    stream.truncate(HEADER_LEN);
    stream.extend(choices.rest());
    let (read, result) = open(key, context, &stream, &mut Choices::new(&[]));
    assert!(result.is_err() && read.is_empty(), "text from nowhere");
}

/// A stream after some changes: what comes out are the chunks before the first change.
fn changed(key: &Key, context: &[u8], text: &[u8], mut choices: Choices<'_>) {
    let right = seal(key, context, &choices.content(SALT_LEN), text);
    let mut stream = right.clone();
    for _ in 0..choices.below(4) {
        change(&mut stream, &mut choices);
    }
    let (read, result) = open(key, context, &stream, &mut choices);
    let authentic = authentic_len(&right, &stream);
    assert_eq!(
        read.len(),
        authentic.min(text.len()),
        "another length was given out"
    );
    assert!(read == text[..read.len()], "another text was given out");
    assert_eq!(result.is_ok(), stream == right, "{result:?}");
    by_number(key, context, &right, &stream, &mut choices);
}

fn change(stream: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let at = (choices.below(1 << 16) << 8 | choices.below(256)) % stream.len().max(1);
    let chunks = stream.len().saturating_sub(HEADER_LEN) / SEALED_CHUNK_LEN;
    let chunk = |index: usize| HEADER_LEN + index * SEALED_CHUNK_LEN;
    match choices.byte() % 6 {
        0 => stream[at..]
            .iter_mut()
            .take(1)
            .for_each(|byte| *byte ^= 1 << (at % 8)),
        1 => stream.truncate(at),
        2 => stream.truncate(chunk(chunks) + choices.below(17)),
        3 => {
            let len = choices.below(40);
            stream.extend(choices.content(len));
        }
        4 if chunks > 0 => {
            let (from, to) = (chunk(choices.below(chunks)), chunk(choices.below(chunks)));
            for i in 0..SEALED_CHUNK_LEN {
                stream.swap(from + i, to + i);
            }
        }
        5 if chunks > 0 => {
            let from = chunk(choices.below(chunks));
            let copy = stream[from..from + SEALED_CHUNK_LEN].to_vec();
            let to = chunk(choices.below(chunks));
            stream.splice(to..to, copy);
        }
        _ => (),
    }
}

/// Bytes of text in the chunks of `stream` before the first that is not that of `right`.
fn authentic_len(right: &[u8], stream: &[u8]) -> usize {
    if right.get(..HEADER_LEN) != stream.get(..HEADER_LEN) {
        return 0;
    }
    let chunks = |stream: &[u8]| {
        stream[HEADER_LEN..]
            .chunks(SEALED_CHUNK_LEN)
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let (right, stream) = (chunks(right), chunks(stream));
    right
        .iter()
        .zip(&stream)
        .take_while(|(right, chunk)| right == chunk)
        .count()
        * CHUNK_LEN
}

/// One chunk by its number opens if and only if it is the right one.
fn by_number(key: &Key, context: &[u8], right: &[u8], stream: &[u8], choices: &mut Choices<'_>) {
    let Some(Ok(header)) = stream.get(..HEADER_LEN).map(TryInto::try_into) else {
        return;
    };
    let Ok(opener) = Opener::new(key, context, header) else {
        return;
    };
    let whole = (stream.len() - HEADER_LEN) / SEALED_CHUNK_LEN;
    if whole > 0 {
        let index = choices.below(whole);
        let range =
            HEADER_LEN + index * SEALED_CHUNK_LEN..HEADER_LEN + (index + 1) * SEALED_CHUNK_LEN;
        let mut out = vec![0xa5; CHUNK_LEN];
        let opened = opener.open_chunks(index as u64, &stream[range.clone()], false, &mut out);
        let same = right.get(range.clone()) == Some(&stream[range]);
        assert_eq!(opened.is_ok(), same, "chunk {index}: {opened:?}");
        assert!(
            same || out.iter().all(|byte| *byte == 0),
            "left after a forgery"
        );
    }
}

/// What comes out before the end or the error, read in pieces from a reader that gives pieces.
fn open(
    key: &Key,
    context: &[u8],
    stream: &[u8],
    choices: &mut Choices<'_>,
) -> (Vec<u8>, Result<(), Error>) {
    let (give, take) = (1 + choices.below(1 << 16), 1 + choices.below(1 << 16));
    let mut text = Vec::new();
    let mut reader = match OpenReader::new(
        key,
        context,
        Pieces {
            rest: stream,
            len: give,
        },
    ) {
        Ok(reader) => reader,
        Err(error) => return (text, Err(error)),
    };
    let mut piece = vec![0; take.max(64)];
    loop {
        match reader.read(&mut piece) {
            Ok(0) => return (text, Ok(())),
            Ok(len) => text.extend_from_slice(&piece[..len]),
            Err(error) => {
                assert!(reader.read(&mut piece).is_err(), "it stays failed");
                return (text, Err(error.into()));
            }
        }
    }
}

/// Gives at most so many bytes at once.
struct Pieces<'a> {
    rest: &'a [u8],
    len: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.len.max(16);
        let (piece, rest) = self
            .rest
            .split_at(len.min(self.rest.len()).min(buffer.len()));
        buffer[..piece.len()].copy_from_slice(piece);
        self.rest = rest;
        Ok(piece.len())
    }
}
