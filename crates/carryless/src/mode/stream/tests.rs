//! C6 for messages in pieces: the last blocks that the counter allows, and nothing behind them.
//!
//! Nobody hashes 64 GiB in a test: a stream is set to where it would stand after them.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use std::format;
use std::println;
use std::string::String;
use std::vec;

use super::*;
use crate::engine::{Aes128, Engine};

/// A stream with as many bytes of text behind it.
fn after(keys: &AeadKeys<Aes128>, text_len: u64) -> Stream<'_, AeadKeys<Aes128>, Seal> {
    let mut stream = Stream::begin(keys, Counter::from_nonce(&[7; 12]));
    stream.text_len = text_len;
    stream
}

/// The key stream of the counters that a text has at these bytes, block by block.
fn key_stream(keys: &AeadKeys<Aes128>, from: u64, len: usize) -> vec::Vec<u8> {
    let blocks = from / 16..(from + len as u64).div_ceil(16);
    let bytes = blocks.flat_map(|n| {
        let mut block = [7; 16];
        block[12..].copy_from_slice(&u32::try_from(n + 2).unwrap().to_be_bytes());
        keys.encrypt_block(&mut block);
        block
    });
    let skip = usize::try_from(from % 16).unwrap();
    bytes.skip(skip).take(len).collect()
}

#[test]
fn c6_the_counter_reaches_its_last_value_and_goes_no_further() {
    for engine in Engine::available() {
        let keys = AeadKeys::<Aes128>::untested(engine, &[1; 16]).unwrap();
        let mut count = 0;
        for left in (0..=40).chain([127, 128, 129, 256, 1000]) {
            let before = MAX_TEXT - left as u64;
            let mut stream = after(&keys, before);
            // A block that an earlier piece began.
            let mut block = Counter::from_nonce(&[7; 12]).add(1);
            #[expect(clippy::cast_possible_truncation, reason = "below 2^32 by the limit")]
            {
                block = block.add((before / 16) as u32);
            }
            stream.stream = block.to_block();
            keys.encrypt_block(&mut stream.stream);
            let mut text = vec![0; left];
            stream.text(InOut::in_place(&mut text)).unwrap();
            assert_eq!(
                text,
                key_stream(&keys, before, left),
                "{engine}: the last {left} bytes"
            );
            let got = MAX_TEXT + 1;
            let mut one = [0xa5];
            let refused = stream.text(InOut::in_place(&mut one));
            assert_eq!(
                (refused, one),
                (Err(InputError::TextTooLong { got }), [0xa5]),
                "{engine}"
            );
            count += 1;
        }
        println!("C6 {engine}: {count} messages that end with the last counter");
    }
}

/// Whether a place in a text is the byte of the block, and the counter of the block, that plain integers say.
fn keeps_the_place(place: &dyn Fn(u64) -> (usize, Counter)) -> Result<usize, String> {
    let near = [8, 12, 20, 24, 28, 29, 31, 32, 33, 35].map(|n| 1u64 << n);
    let near = near.into_iter().chain([17, MAX_TEXT - 17]);
    let mut count = 0;
    for at in near.flat_map(|edge| edge - 17..=edge + 17).chain([0]) {
        let (filled, counter) = place(at);
        let (block, bytes) = (u128::from(at) / 16, u128::from(at) % 16);
        let expected = ([7; 12].iter().fold(0, |all, byte| (all << 8) | byte) << 32)
            | ((2 + block) % (1 << 32));
        if filled as u128 != bytes || u128::from_be_bytes(counter.to_block()) != expected {
            return Err(format!("byte {at}: {filled} in {:x?}", counter.to_block()));
        }
        count += 1;
    }
    Ok(count)
}

#[test]
fn c6_every_place_of_a_text_has_its_counter() {
    let keys = AeadKeys::<Aes128>::untested(Engine::selected(), &[1; 16]).unwrap();
    let count = keeps_the_place(&|at| after(&keys, at).position()).unwrap();
    let begun = |at: u64| {
        let j0 = Counter::from_nonce(&[7; 12]);
        Stream::<AeadKeys<Aes128>, Seal>::begin_at(&keys, j0, at).position()
    };
    println!(
        "C6 pieces: {} places",
        count + keeps_the_place(&begun).unwrap()
    );
}

#[test]
fn control_c6_places_in_too_few_bits_are_noticed() {
    let keys = AeadKeys::<Aes128>::untested(Engine::selected(), &[1; 16]).unwrap();
    for bits in [20, 24, 28, 32, 35] {
        let narrow = |at: u64| after(&keys, at % (1 << bits)).position();
        let error = keeps_the_place(&narrow).expect_err("a narrow place");
        println!("bytes in {bits} bits: caught: {error}");
    }
}

/// Which lengths `accepts` of bytes before and bytes more: those that the standard allows?
fn keeps_the_limit(max: u64, accepts: &dyn Fn(u64, usize) -> bool) -> Result<usize, String> {
    let mut count = 0;
    for before in [0, 1, 15, max - 700, max - 17, max - 16, max - 1, max] {
        for more in [0usize, 1, 2, 15, 16, 17, 600] {
            let allowed = u128::from(before) + more as u128 <= u128::from(max);
            if accepts(before, more) != allowed {
                return Err(format!("{more} bytes after {before}: {}", !allowed));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn c6_pieces_together_keep_the_limits_of_one_message() {
    let keys = AeadKeys::<Aes128>::untested(Engine::selected(), &[1; 16]).unwrap();
    let buffer = [0; 600];
    let text = keeps_the_limit(MAX_TEXT, &|before, more| {
        let mut text = buffer;
        let text = InOut::in_place(&mut text[..more]);
        after(&keys, before).text(text).is_ok()
    });
    let aad = keeps_the_limit(MAX_HASHED, &|before, more| {
        let mut stream = after(&keys, 0);
        stream.aad_len = before;
        stream.aad(&buffer[..more]).is_ok()
    });
    println!("C6 pieces: {} lengths", text.unwrap() + aad.unwrap());
}

#[test]
fn control_c6_a_length_that_wraps_or_is_off_by_one_is_noticed() {
    for (name, wrong) in [
        (
            "counted in 32 bits",
            (|before, more| {
                #[expect(clippy::cast_possible_truncation, reason = "the fault")]
                let sum = (before as u32).wrapping_add(more as u32);
                u64::from(sum) <= MAX_TEXT
            }) as fn(u64, usize) -> bool,
        ),
        ("off by one", |before, more| {
            before + (more as u64) <= MAX_TEXT + 1
        }),
        ("only the piece is looked at", |_, more| {
            more as u64 <= MAX_TEXT
        }),
    ] {
        let result = keeps_the_limit(MAX_TEXT, &wrong);
        println!("{name}: caught: {}", result.expect_err("a wrong limit"));
    }
}
