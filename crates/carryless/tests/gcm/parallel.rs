//! One message by several threads is the message by one.

use carryless::Aes128Gcm;
use carryless::error::{InputError, OpenError};

use crate::harness::{Random, engines};

/// Bytes below which there is one thread, and a few that make two to five.
const LENS: [usize; 5] = [
    1000,
    (256 << 10) - 1,
    256 << 10,
    (384 << 10) + 1,
    (640 << 10) + 333,
];

#[test]
fn c7_any_number_of_threads_makes_the_same_message() {
    for engine in engines() {
        let key = Aes128Gcm::with_engine(&[6; 16], engine).unwrap();
        let mut count = 0;
        for len in LENS {
            let plain = Random::new(len as u64).bytes(len);
            let mut expected = plain.clone();
            let tag = key.seal_in_place(&[1; 12], b"aad", &mut expected).unwrap();
            for threads in [0, 1, 2, 3, 5, 1000, usize::MAX] {
                let mut text = plain.clone();
                let sealed = key.seal_parallel_in_place(&[1; 12], b"aad", &mut text, threads);
                assert_eq!(sealed, Ok(tag), "{engine}: {len} bytes, {threads} threads");
                assert!(text == expected, "{engine}: {len} bytes, {threads} threads");
                let mut out = vec![0xa5; len];
                let sealed = key.seal_parallel_into(&[1; 12], b"aad", &plain, &mut out, threads);
                assert_eq!(sealed, Ok(tag), "{engine}: {len} bytes, {threads} threads");
                assert!(out == expected, "{engine}: {len} bytes, {threads} threads");
                let opened = key.open_parallel_in_place(&[1; 12], b"aad", &mut text, &tag, threads);
                assert_eq!(opened, Ok(()), "{engine}: {len} bytes, {threads} threads");
                assert!(text == plain, "{engine}: {len} bytes, {threads} threads");
                count += 3;
            }
        }
        println!("C7 {engine}: {count} messages by several threads");
    }
}

#[test]
fn u2_nothing_is_left_of_a_message_that_several_threads_opened() {
    for engine in engines() {
        let key = Aes128Gcm::with_engine(&[6; 16], engine).unwrap();
        let mut count = 0;
        for len in LENS {
            let sealed = Random::new(len as u64).bytes(len);
            for threads in [1, 2, 5] {
                let (mut text, mut out) = (sealed.clone(), vec![0xa5; len]);
                for result in [
                    key.open_parallel_into(&[1; 12], b"", &text, &mut out, &[0; 16], threads),
                    key.open_parallel_in_place(&[1; 12], b"", &mut text, &[0; 16], threads),
                ] {
                    assert!(
                        matches!(result, Err(OpenError::Unauthentic(_))),
                        "{result:?}"
                    );
                }
                let left = text.iter().chain(&out).filter(|byte| **byte != 0).count();
                assert_eq!(left, 0, "{engine}: {len} bytes, {threads} threads");
                count += 2;
            }
        }
        println!("U2 {engine}: {count} outputs of several threads wiped");
    }
}

#[test]
fn u3_lengths_are_checked_before_any_thread_writes() {
    let key = Aes128Gcm::from_slice(&[6; 16]).unwrap();
    let (text, mut out) = (vec![0x3c; 300 << 10], vec![0xa5; 299 << 10]);
    let (got, expected) = (out.len(), text.len());
    let error = InputError::Output { got, expected };
    let sealed = key.seal_parallel_into(&[1; 12], b"", &text, &mut out, 2);
    assert_eq!(sealed, Err(error));
    let opened = key.open_parallel_into(&[1; 12], b"", &text, &mut out, &[0; 16], 2);
    assert_eq!(opened, Err(OpenError::Input(error)));
    let mut same = text.clone();
    let short = key.open_parallel_in_place(&[1; 12], b"", &mut same, &[0; 15], 2);
    let error = InputError::Tag {
        got: 15,
        expected: 16,
    };
    assert_eq!(short, Err(OpenError::Input(error)));
    assert!(out.iter().all(|byte| *byte == 0xa5) && same == text);
}
