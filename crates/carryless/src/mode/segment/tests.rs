//! C6: segments at the end of the longest text, whose beginning nobody hashes in a test: a partial of it
//! is made of a hash that is chosen.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(
    clippy::cast_possible_truncation,
    reason = "numbers of blocks, below 2^32 where they are cast"
)]

use std::println;
use std::vec;

use super::partial::PARTIAL_LEN;
use super::*;
use crate::engine::{Aes128, Engine};
use crate::field;

/// `H^n`, bit by bit.
fn power(h: u128, n: u64) -> u128 {
    let one = 1 << 127;
    (0..64).rev().fold(one, |power, bit| {
        let square = field::multiply(power, power);
        if n >> bit & 1 == 1 {
            field::multiply(square, h)
        } else {
            square
        }
    })
}

fn hash_key(keys: &AeadKeys<Aes128>) -> u128 {
    let mut h = [0; 16];
    keys.encrypt_block(&mut h);
    u128::from_be_bytes(h)
}

#[test]
fn a_hash_is_shifted_by_any_number_of_blocks() {
    let acc = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978;
    for engine in Engine::available() {
        let keys = AeadKeys::<Aes128>::untested(engine, &[1; 16]).unwrap();
        let h = hash_key(&keys);
        for blocks in (0..40).chain([255, 256, 257, 65535, 1 << 20, (1 << 32) - 2, u64::MAX]) {
            let mut shifted = acc;
            keys.shift(&mut shifted, blocks);
            let expected = field::multiply(acc, power(h, blocks));
            assert_eq!(shifted, expected, "{engine}: {blocks} blocks");
            if blocks < 40 {
                let mut hashed = acc;
                keys.absorb(&mut hashed, &vec![0; 16 * blocks as usize]);
                assert_eq!(shifted, hashed, "{engine}: {blocks} blocks of zeros");
            }
        }
    }
}

#[test]
fn c6_the_last_segment_of_the_longest_text_ends_with_the_last_counter() {
    let (nonce, chosen) = ([7; 12], 0x00ff_00ff_1234_5678_9abc_def0_0246_8ace);
    for engine in Engine::available() {
        let gcm = Gcm::<Aes128>::with_engine(&[1; 16], engine).unwrap();
        let (keys, message) = (gcm.keys.get(), gcm.segments(&nonce));
        let mut count = 0;
        for left in [0usize, 1, 15, 16, 17, 128, 129, 255, 256, 1000] {
            // The longest text is a multiple of 16.
            let whole = left.next_multiple_of(16);
            let start = MAX_TEXT - whole as u64;
            let (mut text, len) = (vec![0; left], left as u64);
            let last = message.seal_in_place(start, &mut text).unwrap();
            let mut first_block = [7; 16];
            let mut hash = field::multiply(chosen, power(hash_key(keys), whole as u64 / 16));
            for (n, block) in text.chunks(16).enumerate() {
                let counter = (start / 16 + n as u64 + 2) as u32;
                first_block[12..].copy_from_slice(&counter.to_be_bytes());
                let mut stream = first_block;
                keys.encrypt_block(&mut stream);
                assert_eq!(block, &stream[..block.len()], "{engine}: {left} bytes left");
            }
            if left == whole && left > 0 {
                assert_eq!(first_block[12..], [0xff; 4], "{engine}: the last counter");
            }
            let mut end = 0;
            keys.absorb(&mut end, &text);
            hash ^= end;
            let parts = [message.mask(0, start, chosen), last];
            keys.absorb(&mut hash, &length_block(0, start + len));
            let tag = tag_of(keys, message.j0, hash);
            assert_eq!(
                message.finish(b"", &parts),
                Ok(tag),
                "{engine}: {left} bytes left"
            );
            count += 1;
        }
        println!("C6 {engine}: {count} last segments");
    }
}

/// Whether `check` lets a segment lie where its end is at most that of the longest text, and nowhere else.
fn lies_within(
    check: &dyn Fn(u64, u64) -> Result<(), InputError>,
) -> Result<usize, std::string::String> {
    let far = [
        1u64 << 29,
        1 << 32,
        MAX_TEXT - 16,
        MAX_TEXT,
        1 << 36,
        1 << 63,
        u64::MAX - 15,
    ];
    let lens = [
        0,
        1,
        15,
        16,
        17,
        1 << 32,
        MAX_TEXT - 1,
        MAX_TEXT,
        MAX_TEXT + 1,
        1 << 63,
        u64::MAX,
    ];
    let mut count = 0;
    for start in far.into_iter().chain([0, 16]) {
        for (start, len) in lens
            .into_iter()
            .flat_map(|len| [(start, len), (start + 1, len)])
        {
            let end = u128::from(start) + u128::from(len);
            let got = u64::try_from(end).unwrap_or(u64::MAX);
            let expected = match (start % 16 == 0, end <= MAX_TEXT.into()) {
                (false, _) => Err(InputError::SegmentOffset { got: start }),
                (true, false) => Err(InputError::TextTooLong { got }),
                (true, true) => Ok(()),
            };
            let result = check(start, len);
            if result != expected {
                return Err(std::format!(
                    "{len} bytes at {start}: {result:?}, not {expected:?}"
                ));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn c6_segments_lie_within_the_longest_text() {
    println!("C6 segments: {} ranges", lies_within(&check_range).unwrap());
}

#[test]
fn control_c6_ranges_that_wrap_are_noticed() {
    let wraps = |start: u64, len: u64| check_range(start, len & 0xffff_ffff);
    let error = lies_within(&wraps).expect_err("lengths in 32 bits");
    println!("lengths in 32 bits: caught: {error}");
    let wraps = |start: u64, len: u64| {
        let end = start.wrapping_add(len);
        check_range(start, 0).and(check_range(0, end))
    };
    let error = lies_within(&wraps).expect_err("an end that wraps");
    println!("an end that wraps: caught: {error}");
}

#[test]
fn c6_a_range_is_one_block_of_two_numbers() {
    let numbers = [0, 1, 1 << 29, 1 << 32, MAX_TEXT, 1 << 63, u64::MAX];
    for start in numbers {
        for len in numbers {
            let block = range_block(start, len);
            let expected = (u128::from(start) << 64) + u128::from(len);
            assert_eq!(u128::from_be_bytes(block), expected, "{start}, {len}");
            let mut bytes = [0; PARTIAL_LEN];
            bytes[..16].copy_from_slice(&block);
            let part = Partial::from_bytes(&bytes);
            assert_eq!((part.start(), part.len()), (start, len));
            assert_eq!(part.to_bytes(), bytes);
        }
    }
    println!("C6 segments: {} ranges as bytes", numbers.len().pow(2));
}

#[test]
fn control_c6_a_hash_shifted_by_one_block_less_is_noticed() {
    let gcm = Gcm::<Aes128>::from_slice(&[1; 16]).unwrap();
    let h = hash_key(gcm.keys.get());
    let (mut shifted, blocks) = (5, (1 << 32) - 2);
    gcm.keys.get().shift(&mut shifted, blocks - 1);
    let expected = field::multiply(5, power(h, blocks));
    assert_ne!(shifted, expected, "it passed unnoticed");
    println!("a shift by one block less: caught: {shifted:#x}");
}
