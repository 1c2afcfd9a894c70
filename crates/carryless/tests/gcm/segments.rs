//! U3, C6, C7 and U2 for segments: in whatever order calls come, ranges that do not follow one another
//! make no tag, and what is given out was verified.

mod changed;

use carryless::error::{InputError, OpenError};
use carryless::{Aes256Gcm, Partial, Segments};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::harness::{Checked, Random, caught, engines, ensure, quick};

type Message<'k> = Segments<'k, carryless::Aes256>;

const MAX_TEXT: u64 = (1 << 36) - 32;
const NONCE: [u8; 12] = *b"twelve bytes";
/// Bytes of the text that calls take their segments from.
const LEN: usize = 600;

/// The calls that a fault may sit in.
trait Calls {
    fn seal(&self, message: &Message<'_>, at: u64, text: &mut [u8]) -> Result<Partial, InputError> {
        message.seal_in_place(at, text)
    }
    fn merge(
        &self,
        message: &Message<'_>,
        a: &Partial,
        b: &Partial,
    ) -> Result<Partial, InputError> {
        message.merge(a, b)
    }
    fn finish(&self, message: &Message<'_>, parts: &[Partial]) -> Result<[u8; 16], InputError> {
        message.finish(b"header", parts)
    }
}

struct Library;
impl Calls for Library {}

/// A call of the model; numbers pick among the partials that there are.
#[derive(Clone, Copy, Debug)]
enum Call {
    Seal {
        at: usize,
        len: usize,
    },
    Authenticate {
        at: usize,
        len: usize,
    },
    SealAtTheEnd {
        before: u64,
        len: usize,
    },
    Merge(usize, usize),
    /// Through bytes, of which one bit may be flipped.
    Sent(usize, Option<usize>),
    /// Of another message.
    Foreign(usize, usize),
    Finish([usize; 3], usize),
}

fn call() -> impl Strategy<Value = Call> {
    let (at, any) = (0..38usize, 0..1000usize);
    let at = (at, prop::bool::weighted(0.1)).prop_map(|(n, odd)| 16 * n + usize::from(odd));
    let len = prop_oneof![Just(16usize), Just(32), 0..100usize, Just(LEN)];
    prop_oneof![
        5 => (at.clone(), len.clone()).prop_map(|(at, len)| Call::Seal { at, len }),
        3 => (at, len).prop_map(|(at, len)| Call::Authenticate { at, len }),
        1 => (0..5u64, 0..100usize).prop_map(|(n, len)| Call::SealAtTheEnd { before: 16 * n, len }),
        5 => (any.clone(), any.clone()).prop_map(|(a, b)| Call::Merge(a, b)),
        1 => (any.clone(), prop::option::of(0..384usize)).prop_map(|(a, bit)| Call::Sent(a, bit)),
        1 => (any.clone(), any.clone()).prop_map(|(a, b)| Call::Foreign(a, b)),
        4 => (any.clone(), any.clone(), any, 0..=3usize).prop_map(|(a, b, c, n)| Call::Finish([a, b, c], n)),
    ]
}

/// What the library must say of a range that begins at `start` behind one that ends at `end`.
pub(crate) fn follows(end: u64, start: u64) -> Result<(), InputError> {
    match end.cmp(&start) {
        core::cmp::Ordering::Less => Err(InputError::SegmentGap { end, start }),
        core::cmp::Ordering::Equal => Ok(()),
        core::cmp::Ordering::Greater => Err(InputError::SegmentOverlap { end, start }),
    }
}

/// Runs the calls; whether each said what the model says.
fn model(key: &Aes256Gcm, calls: &[Call], library: &dyn Calls) -> Checked {
    let plain = Random::new(0x5e6).bytes(LEN);
    let mut sealed = plain.clone();
    key.seal_in_place(&NONCE, b"header", &mut sealed).unwrap();
    let message = key.segments(&NONCE);
    let other = key.segments(b"another one!");
    // Of none, so that there is always something to pick.
    let mut parts = vec![message.authenticate(0, b"").unwrap()];
    for (n, call) in calls.iter().enumerate() {
        let pick = |i: usize| &parts[i % parts.len()];
        let made = match *call {
            Call::Seal { at, len } | Call::Authenticate { at, len } => {
                let range = at.min(LEN)..LEN.min(at + len);
                let mut text = plain[range.clone()].to_vec();
                let result = if let Call::Seal { .. } = call {
                    library.seal(&message, at as u64, &mut text)
                } else {
                    text.copy_from_slice(&sealed[range.clone()]);
                    message.authenticate(at as u64, &text)
                };
                if at % 16 != 0 {
                    let error = InputError::SegmentOffset { got: at as u64 };
                    ensure!(result.err() == Some(error), "call {n}, {call:?}: accepted");
                    let before = if let Call::Seal { .. } = call {
                        &plain
                    } else {
                        &sealed
                    };
                    ensure!(text == before[range], "call {n}, {call:?}: written");
                    continue;
                }
                ensure!(
                    text == sealed[range],
                    "call {n}, {call:?}: wrong ciphertext"
                );
                result.map_err(|error| format!("call {n}, {call:?}: {error}"))?
            }
            Call::SealAtTheEnd { before, len } => {
                let mut text = vec![0xa5; len];
                let start = MAX_TEXT - before;
                match library.seal(&message, start, &mut text) {
                    Ok(part) if len as u64 <= before => part,
                    Err(InputError::TextTooLong { got })
                        if len as u64 > before && got == start + len as u64 =>
                    {
                        ensure!(text == vec![0xa5; len], "call {n}, {call:?}: written");
                        continue;
                    }
                    other => return Err(format!("call {n}, {call:?}: {other:?}")),
                }
            }
            Call::Merge(a, b) => {
                let (a, b) = (pick(a), pick(b));
                let expected = follows(a.start() + a.len(), b.start());
                let result = library.merge(&message, a, b);
                ensure!(
                    result.as_ref().map(drop) == expected.as_ref().map(drop),
                    "call {n}, {a:?} with {b:?}: {result:?}, not {expected:?}"
                );
                match result {
                    Ok(part) => part,
                    Err(_) => continue,
                }
            }
            Call::Sent(a, bit) => {
                let mut bytes = pick(a).to_bytes();
                if let Some(bit) = bit {
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
                let part = Partial::from_bytes(&bytes);
                if bit.is_some() {
                    let result = library.merge(&message, &part, &part).map(drop);
                    ensure!(
                        result == Err(InputError::ForeignPartial),
                        "call {n}, {call:?}: {result:?}"
                    );
                    continue;
                }
                part
            }
            Call::Foreign(a, b) => {
                let (a, b) = (pick(a), pick(b));
                let own = other.seal_in_place(0, &mut [7; 32]).unwrap();
                for (first, second) in [(a, b), (a, &own), (&own, b)] {
                    let result = other.merge(first, second).map(drop);
                    ensure!(
                        result == Err(InputError::ForeignPartial),
                        "call {n}, {call:?}, {first:?} with {second:?}: {result:?}"
                    );
                }
                continue;
            }
            Call::Finish(picked, len) => {
                let list: Vec<Partial> = picked[..len].iter().map(|i| pick(*i).clone()).collect();
                let mut expected = Ok(0);
                for part in &list {
                    expected = expected
                        .and_then(|end| follows(end, part.start()).map(|()| end + part.len()));
                }
                let result = library.finish(&message, &list);
                match (result, expected) {
                    (Err(error), Err(wanted)) if error == wanted => (),
                    (Ok(tag), Ok(end)) => {
                        let mut text = plain[..end as usize].to_vec();
                        let right = key.seal_in_place(&NONCE, b"header", &mut text).unwrap();
                        ensure!(tag == right, "call {n}, {call:?}: wrong tag of {end} bytes");
                    }
                    other => return Err(format!("call {n}, {call:?}: {other:?}")),
                }
                continue;
            }
        };
        parts.push(made);
    }
    Ok(calls.len())
}

/// Random calls, as many cases as given.
fn run(key: &Aes256Gcm, cases: u32, library: &dyn Calls) -> Checked {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let count = core::cell::Cell::new(0);
    let result = runner.run(&prop::collection::vec(call(), 1..40), |calls| {
        let done = model(key, &calls, library).map_err(TestCaseError::fail)?;
        count.set(count.get() + done);
        Ok(())
    });
    result.map_err(|error| error.to_string())?;
    Ok(count.get())
}

#[test]
fn u3_segments_follow_one_another_or_make_no_tag() {
    for engine in engines() {
        let key = Aes256Gcm::with_engine(&[9; 32], engine).unwrap();
        let cases = if quick() { 20 } else { 200 };
        let count = run(&key, cases, &Library).unwrap_or_else(|error| panic!("{engine}: {error}"));
        println!("U3 {engine}: {count} calls on segments");
    }
}

/// Calls with a fault in one of them.
#[derive(Debug)]
enum Careless {
    /// Merges what overlaps.
    Overlaps,
    /// Merges over a gap.
    Gaps,
    /// Finishes a text whose beginning is missing.
    NoBeginning,
    /// Takes any offset, and seals from the block that it is in.
    AnyOffset,
    /// Lets the counter wrap.
    Wraps,
    /// Hashes the AAD in a place of its own.
    WrongTag,
}

impl Calls for Careless {
    fn seal(&self, message: &Message<'_>, at: u64, text: &mut [u8]) -> Result<Partial, InputError> {
        match (self, message.seal_in_place(at, text)) {
            (Self::AnyOffset, Err(InputError::SegmentOffset { .. })) => {
                message.seal_in_place(at & !15, text)
            }
            (Self::Wraps, Err(InputError::TextTooLong { .. })) => message.seal_in_place(0, text),
            (_, result) => result,
        }
    }
    fn merge(
        &self,
        message: &Message<'_>,
        a: &Partial,
        b: &Partial,
    ) -> Result<Partial, InputError> {
        match (self, message.merge(a, b)) {
            (Self::Overlaps, Err(InputError::SegmentOverlap { .. }))
            | (Self::Gaps, Err(InputError::SegmentGap { .. })) => Ok(a.clone()),
            (_, result) => result,
        }
    }
    fn finish(&self, message: &Message<'_>, parts: &[Partial]) -> Result<[u8; 16], InputError> {
        match (self, message.finish(b"header", parts)) {
            (Self::NoBeginning, Err(InputError::SegmentGap { end: 0, .. })) => Ok([0; 16]),
            (Self::WrongTag, Ok(tag)) => Ok(tag.map(|byte| byte ^ 1)),
            (_, result) => result,
        }
    }
}

#[test]
fn control_u3_segments_with_a_fault_are_noticed() {
    let key = Aes256Gcm::from_slice(&[9; 32]).unwrap();
    for fault in [
        Careless::Overlaps,
        Careless::Gaps,
        Careless::NoBeginning,
        Careless::AnyOffset,
        Careless::Wraps,
        Careless::WrongTag,
    ] {
        print!("{fault:?}: ");
        caught(run(&key, 200, &fault));
    }
}

#[test]
fn c7_merging_is_associative() {
    for engine in engines() {
        let key = Aes256Gcm::with_engine(&[3; 32], engine).unwrap();
        let (message, text) = (key.segments(&NONCE), Random::new(1).bytes(321));
        let mut count = 0;
        for (a, b) in (0..=20).flat_map(|a| (a..=20).map(move |b| (16 * a, 16 * b))) {
            let part = |range: core::ops::Range<usize>| {
                message
                    .authenticate(range.start as u64, &text[range])
                    .unwrap()
            };
            let (x, y, z) = (part(0..a), part(a..b), part(b..321));
            let left = message.merge(&message.merge(&x, &y).unwrap(), &z).unwrap();
            let right = message.merge(&x, &message.merge(&y, &z).unwrap()).unwrap();
            let whole = part(0..321).to_bytes();
            assert_eq!(left.to_bytes(), whole, "{engine}: cut at {a} and {b}");
            assert_eq!(right.to_bytes(), whole, "{engine}: cut at {a} and {b}");
            count += 1;
        }
        println!("C7 {engine}: {count} ways to merge three segments");
    }
}

#[test]
fn partials_of_one_engine_are_those_of_another() {
    let text = Random::new(2).bytes(200);
    let made = engines().into_iter().map(|engine| {
        let key = Aes256Gcm::with_engine(&[4; 32], engine).unwrap();
        let mut text = text.clone();
        key.segments(&NONCE)
            .seal_in_place(48, &mut text)
            .unwrap()
            .to_bytes()
    });
    let made: Vec<_> = made.collect();
    assert!(made.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn u2_nothing_is_opened_unless_the_tag_is_right() {
    let key = Aes256Gcm::from_slice(&[5; 32]).unwrap();
    let message = key.segments(&NONCE);
    // No partials are a message without text.
    for count in 0..4 {
        let aad = &b"aad"[..count];
        let text = b"a ciphertext of three pieces at most, or less";
        let pieces = text[..(16 * count).saturating_sub(6)].chunks(16);
        let part = |(at, piece)| message.authenticate(at, piece).unwrap();
        let parts: Vec<_> = (0..).step_by(16).zip(pieces).map(part).collect();
        assert_eq!(parts.len(), count);
        let right = message.finish(aad, &parts).unwrap();
        let verify = |aad: &[u8], tag: &[u8]| message.verify(aad, &parts, tag).map(drop);
        assert_eq!(verify(aad, &right), Ok(()), "{count} partials");
        let longer = [aad, b"\0"].concat();
        let mut wrong: Vec<(&[u8], _)> = vec![(b"aae", right), (&longer, right)];
        wrong.extend((0..128).map(|bit| {
            let mut tag = right;
            tag[bit / 8] ^= 1 << (bit % 8);
            (aad, tag)
        }));
        for (aad, tag) in wrong {
            let result = verify(aad, &tag);
            assert!(
                matches!(result, Err(OpenError::Unauthentic(_))),
                "{count} partials: {result:?}"
            );
        }
        let error = InputError::Tag {
            got: 15,
            expected: 16,
        };
        let short = verify(aad, &right[..15]);
        assert_eq!(short, Err(OpenError::Input(error)), "{count} partials");
    }
}

#[test]
fn a_partial_shows_its_range_and_nothing_else() {
    let key = Aes256Gcm::from_slice(&[5; 32]).unwrap();
    let message = key.segments(&NONCE);
    for (start, text) in [(32, &b"ciphertext"[..]), (16, b"c"), (48, b""), (0, b"")] {
        let part = message.authenticate(start, text).unwrap();
        let len = text.len() as u64;
        assert_eq!((part.start(), part.len()), (start, len));
        assert_eq!(part.is_empty(), text.is_empty(), "{start}, {len}");
        let shown = format!("Partial {{ start: {start}, len: {len}, .. }}");
        assert_eq!(format!("{part:?}"), shown);
    }
}
