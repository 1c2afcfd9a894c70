//! U2: a partial of which one bit has changed, wherever it lies, is of no message.

use carryless::error::{InputError, OpenError};
use carryless::{Aes128, Aes128Gcm, Partial, Segments};

use crate::harness::{Checked, caught, engines, ensure};
use crate::segments::follows;

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

/// How a message takes two segments that are said to follow one another.
fn ways(
    message: &Segments<'_, Aes128>,
    parts: &[Partial; 3],
) -> [(&'static str, Result<(), InputError>); 3] {
    let [_, a, b] = parts;
    let verified = match message.verify(b"", parts, &[0; 16]) {
        Err(OpenError::Input(error)) => Err(error),
        _ => Ok(()),
    };
    [
        ("merge", message.merge(a, b).map(drop)),
        ("finish", message.finish(b"", parts).map(drop)),
        ("verify", verified),
    ]
}

/// How many pairs of segments were taken, or refused, by where one ends and the next begins. What is refused goes
/// through `refused`.
fn check_ends(key: &Aes128Gcm, refused: &dyn Fn(InputError) -> Result<(), InputError>) -> Checked {
    let message = key.segments(b"twelve bytes");
    let seal = |start: usize, len: usize| {
        let sealed = message.seal_in_place(start as u64, &mut vec![7; len]);
        sealed.unwrap()
    };
    let firsts = [0, 16, 64].into_iter();
    let ends = firsts.flat_map(|first| (0..=70).map(move |len| (first, len)));
    let seconds = |first| (0..first + 96).step_by(16);
    let pairs = ends.flat_map(|(first, len)| seconds(first).map(move |start| (first, len, start)));
    let mut count = 0;
    for (first, len, start) in pairs {
        let expected = follows((first + len) as u64, start as u64);
        for next in [0, 1, 16, 33] {
            let parts = [seal(0, first), seal(first, len), seal(start, next)];
            for (way, result) in ways(&message, &parts) {
                let result = result.or_else(refused);
                ensure!(
                    result == expected,
                    "{way}: {start} behind {len} bytes at {first}: {result:?}, not {expected:?}"
                );
                count += 1;
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
