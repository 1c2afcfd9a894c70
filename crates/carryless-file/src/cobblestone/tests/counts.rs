//! Numbers of chunks and lengths of streams where a narrower count would not fit, against plain integers.

use super::super::chunk::Chunks;
use super::*;

/// The first numbers that 8, 16, 24, 32 and 37 bits do not hold, and the last that there is.
fn numbers() -> impl Iterator<Item = u64> {
    let edges = [8, 16, 24, 31, 32, 37].map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]);
    edges
        .into_iter()
        .flatten()
        .chain([0, 1, MAX_CHUNKS - 2, MAX_CHUNKS - 1])
}

/// Whether the nonce of a chunk is the base XOR its number in 64 bits, up to the last there may be.
fn nonces(base: [u8; 12], nonce: &dyn Fn(u64) -> Option<[u8; 12]>) -> Result<usize, String> {
    let mut seen = std::collections::BTreeSet::new();
    let whole = |bytes: [u8; 12]| {
        bytes
            .iter()
            .fold(0, |all, byte| all << 8 | u128::from(*byte))
    };
    for index in numbers() {
        let made = nonce(index).ok_or(format!("chunk {index} has no nonce"))?;
        if whole(made) != whole(base) ^ u128::from(index) || !seen.insert(made) {
            return Err(format!("chunk {index}: {made:x?}"));
        }
    }
    for index in [MAX_CHUNKS, MAX_CHUNKS + 1, 1 << 63, u64::MAX] {
        if let Some(made) = nonce(index) {
            return Err(format!("chunk {index}, which can't be: {made:x?}"));
        }
    }
    Ok(seen.len())
}

#[test]
fn every_chunk_has_the_nonce_of_its_number() {
    for (cipher, salt) in [(Cipher::Cobblestone128, 1), (Cipher::Cobblestone256, 2)] {
        let derived = super::super::derive::Derived::new(&key(cipher), &[salt; SALT_LEN], b"");
        let chunks = Chunks::new(&derived);
        nonces(derived.nonce(), &|index| chunks.nonce(index)).expect("by its number");
    }
}

#[test]
fn control_numbers_of_chunks_in_too_few_bits_are_noticed() {
    let base = *b"twelve bytes";
    for bits in [8, 16, 32, 37] {
        let narrow = |index: u64| {
            let kept = (index % (1 << bits)).to_be_bytes();
            let mut nonce = base;
            nonce[4..].iter_mut().zip(kept).for_each(|(a, b)| *a ^= b);
            (index < MAX_CHUNKS).then_some(nonce)
        };
        let error = nonces(base, &narrow).expect_err("a narrow number");
        println!("{bits} bits: caught: {error}");
    }
}

#[test]
fn the_last_chunk_of_the_longest_stream_is_the_last() {
    let key = key(Cipher::Cobblestone128);
    let sealer = Sealer::new(&key, b"").expect("random bytes");
    let opener = Opener::new(&key, b"", sealer.header()).expect("its header");
    let (text, mut sealed) = (text(CHUNK_LEN + 3), vec![0; SEALED_CHUNK_LEN + 3 + TAG_LEN]);
    let last = MAX_CHUNKS - 1;
    sealer
        .seal_chunks(last - 1, &text, true, &mut sealed)
        .expect("the last two");
    let mut opened = vec![0; CHUNK_LEN + 3];
    let len = opener.open_chunks(last - 1, &sealed, true, &mut opened);
    assert_eq!(len.expect("authentic"), CHUNK_LEN + 3);
    assert!(opened == text);
    for first in [last, MAX_CHUNKS, u64::MAX - 1] {
        let result = sealer.seal_chunks(first, &text, true, &mut sealed);
        assert!(matches!(result, Err(Error::TextTooLong)), "{first}");
    }
    let result = opener.open_chunks(MAX_CHUNKS, &sealed, true, &mut opened);
    assert_eq!(tampering(result.map(drop)), Tampering::TooManyChunks);
}

/// Whether lengths of streams are what plain integers say.
fn streams(sealed: &dyn Fn(u64) -> Option<u64>) -> Result<usize, String> {
    let mut count = 0;
    for chunks in numbers().chain([MAX_CHUNKS, MAX_CHUNKS + 1]) {
        for rest in [0, 1, CHUNK_LEN as u64 - 1] {
            let text_len = chunks * CHUNK_LEN as u64 + rest;
            let long = 56 + u128::from(text_len) + 16 * (u128::from(chunks) + 1);
            let expected = (chunks < MAX_CHUNKS).then_some(long);
            let got = sealed(text_len);
            if got.map(u128::from) != expected {
                return Err(format!("{text_len} bytes: {got:?}, not {expected:?}"));
            }
            if let Some(got) = got {
                assert_eq!(plaintext_len(got), Ok(text_len));
                let whole = u128::from(chunk_offset(chunks));
                assert_eq!(whole, 56 + u128::from(chunks) * 16400);
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn lengths_of_streams_are_those_of_plain_integers() {
    streams(&sealed_len).expect("as plain integers");
    assert_eq!(sealed_len(u64::MAX), None);
    let narrow = |len: u64| sealed_len(len % (1 << 32)).map(|sealed| sealed + (len >> 32 << 32));
    let error = streams(&narrow).expect_err("whole chunks counted in 32 bits");
    println!("whole chunks of 32 bits: caught: {error}");
}

#[test]
fn spans_far_behind_are_those_of_plain_integers() {
    const CHUNK: u128 = CHUNK_LEN as u128;
    let text_len = MAX_CHUNKS * CHUNK_LEN as u64 - 5;
    for chunk in numbers() {
        let short = [(0, 1), (7, CHUNK), (16383, 1), (16383, 2), (0, 3 * CHUNK)];
        let long = [8, 16, 32, 33, 46]
            .map(|bits| [(5, (1 << bits) - 1), (5, 1 << bits), (5, (1 << bits) + 1)]);
        for (skip, len) in short.into_iter().chain(long.into_iter().flatten()) {
            let start = u128::from(chunk) * CHUNK + skip;
            let end = (start + len).min(text_len.into());
            let small = |n: u128| u64::try_from(n).expect("below 2^64");
            let span = Span::new(small(start)..small(start + len), text_len);
            let first = start.min(end) / CHUNK;
            assert_eq!(u128::from(span.first), first, "{start}, {len}");
            assert_eq!(
                u128::from(span.len),
                end.saturating_sub(start),
                "{start}, {len}"
            );
            if start < end {
                let behind = (end - 1) / CHUNK + 1;
                assert_eq!(u128::from(span.chunks), behind - first, "{start}, {len}");
                assert_eq!(span.skip as u128, start % CHUNK, "{start}, {len}");
                assert_eq!(u128::from(span.sealed.start), 56 + first * 16400);
                let stream_end = 56 + u128::from(text_len) + 16 * u128::from(MAX_CHUNKS);
                let sealed_end = (56 + behind * 16400).min(stream_end);
                assert_eq!(u128::from(span.sealed.end), sealed_end, "{start}, {len}");
                assert_eq!(
                    span.last,
                    behind == u128::from(MAX_CHUNKS),
                    "{start}, {len}"
                );
            }
        }
    }
}
