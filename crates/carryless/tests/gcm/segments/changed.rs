//! U2 for segments that are not what was verified.

use carryless::Aes256Gcm;
use carryless::error::{InputError, OpenError};

use super::NONCE;
use crate::harness::{Random, engines, quick};

#[test]
fn u2_a_segment_that_changed_since_it_was_verified_is_wiped() {
    for engine in engines() {
        let key = Aes256Gcm::with_engine(&[5; 32], engine).unwrap();
        let message = key.segments(&NONCE);
        let mut count = 0;
        for len in (0..=130).chain([255, 256, 257, 600]) {
            let plain = Random::new(len as u64).bytes(len);
            let mut sealed = plain.clone();
            let tag = key.seal_in_place(&NONCE, b"", &mut sealed).unwrap();
            let cut = (len / 2) & !15;
            let (head, tail) = sealed.split_at_mut(cut);
            let parts = [
                message.authenticate(0, head).unwrap(),
                message.authenticate(cut as u64, tail).unwrap(),
            ];
            let verified = message.verify(b"", &parts, &tag).unwrap();
            for at in 0..tail.len() {
                let mut changed = tail.to_vec();
                changed[at] ^= 1 << (at % 8);
                let mut out = vec![0xa5; changed.len()];
                for result in [
                    verified.open_into(cut as u64, &changed, &mut out),
                    verified.open_in_place(cut as u64, &mut changed),
                ] {
                    assert!(
                        matches!(result, Err(OpenError::Unauthentic(_))),
                        "{engine}: {result:?}"
                    );
                }
                assert!(
                    out.iter().chain(&changed).all(|byte| *byte == 0),
                    "{engine}: {len}, {at}"
                );
                count += 2;
            }
            // Ranges that were not verified as such.
            if tail.len() > 1 {
                let (start, len) = (cut as u64, tail.len() as u64 - 1);
                let error = OpenError::Input(InputError::SegmentUnverified { start, len });
                let before = tail.to_vec();
                let (shorter, _) = tail.split_at_mut(before.len() - 1);
                assert_eq!(verified.open_in_place(start, shorter), Err(error));
                assert_eq!(tail, before, "{engine}: written when refused");
            }
            verified.open_in_place(cut as u64, tail).unwrap();
            verified.open_in_place(0, head).unwrap();
            assert_eq!(sealed, plain, "{engine}: {len}");
        }
        println!("U2 {engine}: {count} changed segments wiped");
    }
}

/// To compare fewer bytes lets one of some hundred changes through, and which depends on the nonce.
#[test]
fn u2_no_change_of_a_short_segment_is_given_out() {
    for engine in engines() {
        let key = Aes256Gcm::with_engine(&[5; 32], engine).unwrap();
        let mut count = 0;
        for nonce in 0..if quick() { 2 } else { 16 } {
            let message = key.segments(&[nonce; 12]);
            for len in [1, 2, 17] {
                let mut sealed = vec![nonce; 16 + len];
                let tag = key.seal_in_place(&[nonce; 12], b"", &mut sealed).unwrap();
                let (head, tail) = sealed.split_at(16);
                let parts = [
                    message.authenticate(0, head).unwrap(),
                    message.authenticate(16, tail).unwrap(),
                ];
                let verified = message.verify(b"", &parts, &tag).unwrap();
                for change in 1..=255 {
                    let mut changed = tail.to_vec();
                    changed[len - 1] ^= change;
                    let result = verified.open_in_place(16, &mut changed);
                    assert!(
                        matches!(result, Err(OpenError::Unauthentic(_))),
                        "{engine}: nonce {nonce}, {len} bytes, {change}: {result:?}"
                    );
                    assert_eq!(changed, vec![0; len], "{engine}: not wiped");
                    count += 1;
                }
            }
        }
        println!("U2 {engine}: {count} changes of a byte of a short segment");
    }
}
