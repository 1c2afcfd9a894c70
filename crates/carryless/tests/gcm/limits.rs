//! U3 and the basics of C6: limits and sizes are typed errors, and nothing is written then.

mod debug;
#[cfg(feature = "getrandom")]
pub(crate) mod random_nonces;
mod ranges;

use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Aes128Gcm, Aes192Gcm, Aes256Gcm, check_lengths};

use crate::harness::engines;
use crate::harness::scheme::{Input, Path, Refused, Scheme, subject};
use crate::harness::{Checked, ensure};

/// Whether a function accepts the lengths of nonce, AAD and text that SP 800-38D section 5.2.1.1
/// allows, and no others, and names the first that is wrong.
pub(crate) fn keeps_the_limits(check: &dyn Fn(u64, u64, u64) -> Result<(), InputError>) -> Checked {
    const HASHED: u64 = (1 << 61) - 1;
    const TEXT: u64 = (1 << 36) - 32;
    let mut count = 0;
    let mut expect = |nonce, aad, text, expected| {
        let result = check(nonce, aad, text);
        ensure!(
            result == expected,
            "nonce {nonce}, AAD {aad}, text {text}: {result:?}, not {expected:?}"
        );
        count += 1;
        Ok(())
    };
    for nonce in [1, 12, HASHED] {
        for aad in [0, HASHED] {
            for text in [0, TEXT] {
                expect(nonce, aad, text, Ok(()))?;
            }
        }
    }
    for far in [1, 2, 1 << 20, u64::MAX - HASHED] {
        let got = HASHED + far;
        expect(got, 0, 0, Err(InputError::NonceTooLong { got }))?;
        expect(12, got, 0, Err(InputError::AadTooLong { got }))?;
    }
    for got in [TEXT + 1, TEXT + 32, 1 << 36, 1 << 61, u64::MAX] {
        expect(12, 0, got, Err(InputError::TextTooLong { got }))?;
    }
    // The first in the order of the parameters is reported.
    expect(0, u64::MAX, u64::MAX, Err(InputError::EmptyNonce))?;
    let got = u64::MAX;
    expect(12, got, got, Err(InputError::AadTooLong { got }))?;
    Ok(count)
}

#[test]
fn c6_lengths_are_checked_at_the_limits_of_the_standard() {
    let count = keeps_the_limits(&check_lengths).unwrap_or_else(|error| panic!("{error}"));
    println!("C6 lengths: {count} lengths");
}

#[test]
fn u3_a_key_of_another_size_is_refused() {
    for got in (0..=40).chain([64, 1000]) {
        let key = vec![1; got];
        let error = |expected| InputError::Key { got, expected };
        for engine in engines() {
            if got != 16 {
                assert_eq!(
                    Aes128Gcm::with_engine(&key, engine).err(),
                    Some(KeyError::Input(error(16)))
                );
            }
            if got != 24 {
                assert_eq!(
                    Aes192Gcm::with_engine(&key, engine).err(),
                    Some(KeyError::Input(error(24)))
                );
            }
            if got != 32 {
                assert_eq!(
                    Aes256Gcm::with_engine(&key, engine).err(),
                    Some(KeyError::Input(error(32)))
                );
            }
        }
        if got != 32 {
            assert_eq!(Aes256Gcm::from_slice(&key).err(), Some(error(32)));
            let mut text = *b"as it was";
            assert_eq!(
                Aes256Gcm::seal_once(&key, &[0; 12], b"", &mut text),
                Err(error(32))
            );
            let opened = Aes256Gcm::open_once(&key, &[0; 12], b"", &mut text, &[0; 16]);
            assert_eq!(opened, Err(OpenError::Input(error(32))));
            assert_eq!(&text, b"as it was");
            assert_eq!(
                carryless::Gmac::<carryless::Aes256>::from_slice(&key).err(),
                Some(error(32))
            );
        }
    }
    assert_eq!(
        InputError::Key {
            got: 3,
            expected: 16
        }
        .to_string(),
        "key is 3 bytes, needs 16"
    );
}

/// Whether that is the refusal, with the output as it was (or, in place, the text).
fn refused(
    what: &str,
    result: Result<(), Refused>,
    error: InputError,
    text: &[u8],
    out: &[u8],
) -> Result<(), String> {
    ensure!(result == Err(Refused::Input(error)), "{what}: {result:?}");
    let untouched = out.iter().all(|byte| *byte == 0xa5) || out == text;
    ensure!(untouched, "{what}: the output was written to");
    Ok(())
}

const REFUSED_LENS: [usize; 7] = [0, 1, 15, 16, 17, 40, 300];

/// Whether an empty nonce is refused, by streams too.
pub(crate) fn refuses_an_empty_nonce(scheme: &dyn Scheme) -> Checked {
    if !scheme.takes_nonce(0) {
        return Ok(0);
    }
    for len in REFUSED_LENS {
        let (text, mut out) = (vec![0x3c; len], vec![0xa5; len]);
        let input = Input {
            nonce: &[],
            aad: b"aad",
            text: &text,
        };
        let error = InputError::EmptyNonce;
        let what = format!("{scheme}: an empty nonce, {len} bytes");
        let result = scheme.seal(input, &mut out).map(|_| ());
        refused(&what, result, error, &text, &out)?;
        let result = scheme.open(input, &[0; 16], &mut out);
        refused(&what, result, error, &text, &out)?;
    }
    Ok(2 * REFUSED_LENS.len())
}

/// Whether an empty nonce and a tag of another length are refused by their own errors.
pub(crate) fn refuses(scheme: &dyn Scheme) -> Checked {
    let mut count = refuses_an_empty_nonce(scheme)?;
    for len in REFUSED_LENS {
        let text = vec![0x3c; len];
        let input = Input {
            nonce: &[1; 12],
            aad: b"aad",
            text: &text,
        };
        for got in (0..=15).chain(17..=40) {
            let mut out = vec![0xa5; len];
            let result = scheme.open(input, &vec![0; got], &mut out);
            let error = InputError::Tag { got, expected: 16 };
            let what = format!("{scheme}: a tag of {got} bytes");
            refused(&what, result, error, &text, &out)?;
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn u3_an_empty_nonce_is_refused_on_every_path() {
    for engine in engines() {
        let mut count = 0;
        for &path in Path::ALL {
            let scheme = subject(engine, path, &[1; 16]);
            count += refuses_an_empty_nonce(&*scheme).unwrap_or_else(|error| panic!("{error}"));
        }
        println!(
            "U3 {engine}: {count} empty nonces on {} paths",
            Path::ALL.len()
        );
    }
}

#[test]
fn u3_wrong_sizes_are_refused_and_nothing_is_written() {
    for engine in engines() {
        // A stream has given out its text when it sees the tag.
        for path in Path::ALL
            .iter()
            .copied()
            .filter(|path| !matches!(path, Path::Stream | Path::StreamInPlace))
        {
            let scheme = subject(engine, path, &[1; 16]);
            let count = refuses(&*scheme).unwrap_or_else(|error| panic!("{error}"));
            println!("U3 {engine}: {count} refusals");
        }
    }
}

#[test]
fn u3_an_output_of_another_length_is_refused_and_not_written() {
    for engine in engines() {
        let gcm = Aes128Gcm::with_engine(&[1; 16], engine).unwrap();
        for (expected, got) in [
            (0, 1),
            (1, 0),
            (15, 16),
            (16, 15),
            (100, 99),
            (100, 101),
            (600, 0),
        ] {
            let (text, mut out) = (vec![0; expected], vec![0xa5; got]);
            let error = InputError::Output { got, expected };
            let nonce = [0; 12];
            assert_eq!(gcm.seal_into(&nonce, b"", &text, &mut out), Err(error));
            assert_eq!(
                gcm.seal_scatter(
                    &nonce,
                    b"",
                    &[&text[..expected / 2], &text[expected / 2..]],
                    &mut out
                ),
                Err(error)
            );
            assert_eq!(
                gcm.open_into(&nonce, b"", &text, &mut out, &[0; 16]),
                Err(OpenError::Input(error))
            );
            assert_eq!(
                Aes128Gcm::seal_once_into(&[1; 16], &nonce, b"", &text, &mut out),
                Err(error)
            );
            let opened =
                Aes128Gcm::open_once_into(&[1; 16], &nonce, b"", &text, &mut out, &[0; 16]);
            assert_eq!(opened, Err(OpenError::Input(error)));
            let mut sealer = gcm.sealer(&nonce).unwrap();
            assert_eq!(sealer.seal_into(&text, &mut out), Err(error));
            #[cfg(feature = "hazmat")]
            assert_eq!(
                gcm.opener(&nonce).unwrap().open_into(&text, &mut out),
                Err(error)
            );
            assert!(out.iter().all(|byte| *byte == 0xa5), "{engine}: {error}");
        }
    }
    assert_eq!(
        InputError::Output {
            got: 1,
            expected: 2
        }
        .to_string(),
        "output is 1 bytes, needs 2"
    );
}

#[test]
fn u3_additional_data_after_the_text_is_refused() {
    for engine in engines() {
        let gcm = Aes128Gcm::with_engine(&[1; 16], engine).unwrap();
        let mut sealer = gcm.sealer(&[0; 12]).unwrap();
        sealer.aad(b"one").unwrap();
        sealer.seal_in_place(&mut []).unwrap();
        sealer.aad(b"two").unwrap();
        let mut text = *b"text";
        sealer.seal_in_place(&mut text).unwrap();
        assert_eq!(sealer.aad(b"three"), Err(InputError::AadAfterText));
        // The refused data changed nothing.
        let tag = sealer.finish();
        gcm.open_in_place(&[0; 12], b"onetwo", &mut text, &tag)
            .unwrap();
        assert_eq!(&text, b"text");
    }
}

/// `finish` takes the sealer by value, so that a program that goes on using it does not compile:
/// the type of the method says so.
#[test]
fn u3_a_sealer_is_consumed_by_its_end() {
    type Sealer<'k> = carryless::Sealer<'k, carryless::Aes128>;
    fn end<'k>(sealer: Sealer<'k>, finish: impl FnOnce(Sealer<'k>) -> [u8; 16]) -> [u8; 16] {
        finish(sealer)
    }
    let gcm = Aes128Gcm::from_slice(&[1; 16]).unwrap();
    let tag = end(gcm.sealer(&[0; 12]).unwrap(), Sealer::finish);
    assert_eq!(tag, gcm.seal_in_place(&[0; 12], b"", &mut []).unwrap());
}
