//! Messages at every place of the stack: where a kernel's frame would lie in two pages, it is called farther down.

use core::hint::black_box;
use std::vec::Vec;

use super::super::{Aes128, Counter, InOut, Message, Seal, Tag};
use super::reference::{self, Gcm};
use super::{AeadKeys, J0, engines, quick};

/// Calls `work` with at least 48 bytes more of the stack in use for each of `depth`.
#[inline(never)]
fn at(depth: usize, work: &mut dyn FnMut()) {
    let mut room = [depth as u8; 32];
    black_box(&mut room);
    if depth == 0 {
        work();
    } else {
        at(depth - 1, work);
    }
    black_box(&mut room);
}

#[test]
fn the_place_of_the_stack_changes_no_message() {
    changes_no_message(608);
}

// Other engines have no long texts.
#[cfg(carryless_fused)]
#[test]
fn the_place_of_the_stack_changes_no_long_message() {
    changes_no_message(crate::simd::tuning::LONG_TEXT as u32);
}

fn changes_no_message(len: u32) {
    let gcm = Gcm::new(&[7; 16]);
    let plaintext: Vec<u8> = (0..len).map(|i| (i * 29) as u8).collect();
    let ciphertext: Vec<u8> = gcm
        .key_stream(&J0, plaintext.len())
        .iter()
        .zip(&plaintext)
        .map(|(a, b)| a ^ b)
        .collect();
    let j0 = Counter::from_block(&J0);
    let aads = [&[3; 5][..], &[3; 60]];
    let tags = aads.map(|aad| gcm.tag(&J0, aad, &ciphertext));
    for engine in engines() {
        let keys = AeadKeys::<Aes128>::untested(engine, &[7; 16]).unwrap();
        let mut acc = 0;
        keys.absorb(&mut acc, &ciphertext);
        // More than two pages, in steps of a few vectors.
        let depths = if quick() { 0..4 } else { 0..180 };
        for (depth, which) in depths.flat_map(|depth| [(depth, 0), (depth, 1)]) {
            let (aad, expected) = (aads[which], tags[which]);
            at(depth, &mut || {
                let mut text = plaintext.clone();
                let place = InOut::in_place(&mut text);
                let message = Message {
                    j0,
                    aad,
                    text: place,
                };
                assert_eq!(
                    super::sealed(&keys, message),
                    expected,
                    "{engine}, depth {depth}"
                );
                assert_eq!(text, ciphertext, "{engine}, depth {depth}");
                for (bit, right) in [(0, true), (1, false)] {
                    let mut text = ciphertext.clone();
                    let place = InOut::in_place(&mut text);
                    let bytes = reference::xor(&expected, &[bit; 16]);
                    let message = Message {
                        j0,
                        aad,
                        text: place,
                    };
                    let given = keys.open(message, &Tag { bytes, len: 16 }).publish();
                    assert_eq!(
                        (given, &text),
                        (right, &plaintext),
                        "{engine}, depth {depth}"
                    );
                }
                let (mut text, mut hash) = (plaintext.clone(), 0);
                keys.segment::<Seal>(j0.add(1), InOut::in_place(&mut text), &mut hash);
                assert_eq!((hash, &text), (acc, &ciphertext), "{engine}, depth {depth}");
            });
        }
    }
}
