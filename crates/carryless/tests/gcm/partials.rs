//! U2: a partial of which one bit has changed, wherever it lies, is of no message.

use core::cmp::Ordering;

use carryless::error::{InputError, OpenError};
use carryless::{Aes128Gcm, Partial};

use crate::harness::{Checked, caught, engines, ensure};

/// Bits of a partial as bytes.
const BITS: usize = 8 * 48;

/// Takes a partial into the tag of a message.
type Takes<'a> = dyn Fn(&Partial) -> Result<(), InputError> + 'a;

/// How many changed partials of segments of some lengths were refused.
fn check(
    key: &Aes128Gcm,
    takes: &dyn Fn(&Partial, &Takes<'_>) -> Result<(), InputError>,
) -> Checked {
    let message = key.segments(b"twelve bytes");
    let finish = |part: &Partial| message.finish(b"", core::slice::from_ref(part)).map(|_| ());
    let merge = |part: &Partial| message.merge(part, part).map(|_| ());
    let mut count = 0;
    for (start, len) in [(0, 0), (0, 1), (0, 15), (0, 16), (16, 17), (32, 100)] {
        let part = message.seal_in_place(start, &mut vec![7; len]).unwrap();
        let bytes = part.to_bytes();
        for bit in 0..BITS {
            let mut changed = bytes;
            changed[bit / 8] ^= 1 << (bit % 8);
            let changed = Partial::from_bytes(&changed);
            for (what, way) in [("finish", &finish as &Takes<'_>), ("merge", &merge)] {
                let result = takes(&changed, way);
                ensure!(
                    result == Err(InputError::ForeignPartial),
                    "{what} of {len} bytes at {start}, bit {bit}: {result:?}"
                );
                count += 1;
            }
        }
    }
    Ok(count)
}

#[test]
fn u2_a_partial_of_which_any_bit_has_changed_is_foreign() {
    for engine in engines() {
        let key = Aes128Gcm::with_engine(&[9; 16], engine).unwrap();
        let count = check(&key, &|part, takes| takes(part));
        let count = count.unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("U2 {engine}: {count} changed partials");
    }
}

/// How many pairs of segments were taken, or refused, by where one ends and the next begins. What is refused goes
/// through `refused`.
fn check_ends(key: &Aes128Gcm, refused: &dyn Fn(InputError) -> Result<(), InputError>) -> Checked {
    let message = key.segments(b"twelve bytes");
    let mut count = 0;
    for first in [0_u64, 16, 64] {
        for len in 0..=70_usize {
            let end = first + len as u64;
            let before = message
                .seal_in_place(0, &mut vec![7; first as usize])
                .unwrap();
            let a = message.seal_in_place(first, &mut vec![7; len]).unwrap();
            for start in (0..first + 96).step_by(16) {
                let expected = match end.cmp(&start) {
                    Ordering::Less => Err(InputError::SegmentGap { end, start }),
                    Ordering::Equal => Ok(()),
                    Ordering::Greater => Err(InputError::SegmentOverlap { end, start }),
                };
                for next in [0, 1, 16, 33] {
                    let b = message.seal_in_place(start, &mut vec![7; next]).unwrap();
                    let parts = [before.clone(), a.clone(), b.clone()];
                    let verified = match message.verify(b"", &parts, &[0; 16]) {
                        Err(OpenError::Input(error)) => Err(error),
                        _ => Ok(()),
                    };
                    for (way, result) in [
                        ("merge", message.merge(&a, &b).map(|_| ())),
                        ("finish", message.finish(b"", &parts).map(|_| ())),
                        ("verify", verified),
                    ] {
                        let result = result.or_else(refused);
                        ensure!(
                            result == expected,
                            "{way}: {start} behind {len} bytes at {first}: {result:?}, not {expected:?}"
                        );
                        count += 1;
                    }
                }
            }
        }
    }
    Ok(count)
}

#[test]
fn u2_segments_begin_where_those_before_them_end() {
    for engine in engines() {
        let key = Aes128Gcm::with_engine(&[9; 16], engine).unwrap();
        let count = check_ends(&key, &Err);
        let count = count.unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("U2 {engine}: {count} ends and beginnings");
    }
}

#[test]
fn control_u2_a_gap_within_a_block_that_counts_as_none() {
    let key = Aes128Gcm::from_slice(&[9; 16]).unwrap();
    let careless = |error| match error {
        InputError::SegmentGap { end, start } if start - end < 16 => Ok(()),
        error => Err(error),
    };
    caught(check_ends(&key, &careless));
}

#[test]
fn control_u2_partials_with_bits_that_nobody_looks_at() {
    let key = Aes128Gcm::from_slice(&[9; 16]).unwrap();
    for (flaw, len) in [
        ("the length within a block", 1_u64),
        ("the longest length", 100),
    ] {
        // Takes a partial of this length whatever its last byte says of it.
        let lenient = |part: &Partial, takes: &Takes<'_>| {
            let mut bytes = part.to_bytes();
            bytes[15] = len.to_le_bytes()[0];
            takes(&Partial::from_bytes(&bytes))
        };
        let why = check(&key, &lenient).expect_err(flaw);
        println!("{flaw} is not looked at: caught: {why}");
    }
}
