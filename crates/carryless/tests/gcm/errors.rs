//! U1 and U2: one error for everything that is not authentic, and no plaintext with it.

use crate::harness::forgeries::{self, LENS, Make};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Case, Input, Path, Scheme, subject};
use crate::harness::{Checked, KEY_LENS, engines, quick};
use crate::laws::by_reference;

/// Whether opening fails alike for a wrong tag, text, AAD, nonce and key; the one text of the error.
pub(crate) fn is_uniform(key_len: usize, make: Make<'_>) -> Result<String, String> {
    let sealed = LENS
        .map(|(aad_len, text_len)| by_reference(Case::new(0xe770, key_len, 12, aad_len, text_len)));
    forgeries::is_uniform(&sealed, make)
}

#[test]
fn u1_whatever_is_wrong_the_error_is_the_same() {
    let mut texts = Vec::new();
    for engine in engines() {
        for path in Path::ALL.iter().copied() {
            for key_len in KEY_LENS {
                let text = is_uniform(key_len, &|key| subject(engine, path, key))
                    .unwrap_or_else(|error| panic!("{error}"));
                texts.push((text, format!("{path:?}").starts_with("Traits")));
                println!("U1 {engine}: 1 ways in with one error");
            }
        }
    }
    // The traits have an error of their own.
    for traits in [false, true] {
        let mut same: Vec<_> = texts.iter().filter(|(_, t)| *t == traits).collect();
        same.dedup();
        assert!(same.len() <= 1, "engines differ: {same:?}");
    }
}

/// Whether the output of a failed opening is zero at every length to 600.
pub(crate) fn is_wiped(scheme: &dyn Scheme, key: &[u8]) -> Checked {
    let case = Case::new(0x0172, key.len(), 12, 11, 600);
    let gcm = Gcm::new(key);
    let expected = gcm.prefixes(&case.nonce, &case.aad, &case.text);
    let sealed = |len: usize| {
        (
            expected.ciphertext[..len].to_vec(),
            expected.tag(len).to_vec(),
        )
    };
    let lens = (0..=600).step_by(if quick() { 7 } else { 1 });
    forgeries::is_wiped(scheme, &case, lens, sealed)
}

#[test]
fn u2_nothing_is_left_of_a_message_that_is_not_authentic() {
    for engine in engines() {
        for path in Path::ALL
            .iter()
            .copied()
            .filter(|path| !matches!(path, Path::Stream | Path::StreamInPlace))
        {
            let mut count = 0;
            for key_len in KEY_LENS {
                let key = crate::harness::key(key_len);
                count += is_wiped(&*subject(engine, path, &key), &key)
                    .unwrap_or_else(|error| panic!("{error}"));
            }
            println!("U2 {engine}: {count} outputs wiped");
        }
    }
}

/// A wrong message fails even if its right tag is all zeros, or the one given is.
#[test]
fn c5_a_tag_of_zeros_is_a_tag_like_any_other() {
    for engine in engines() {
        // The nonce whose mask is the hash: E(J0) = GHASH, so that the tag is zero. AES can be run
        // backwards only by a table, so that the message is solved for instead: one block of
        // ciphertext whose hash is the mask.
        let key = crate::harness::key(16);
        let gcm = Gcm::new(&key);
        let j0 = gcm.j0(&[5; 12]);
        let back = gcm.h.inverse();
        let mask = crate::harness::reference::Poly::from_block(&gcm.aes.encrypt(&j0));
        let length = crate::harness::reference::Poly::from_block(
            &crate::harness::reference::length_block(0, 16),
        );
        let ciphertext = mask.times(back).add(length).times(back).to_block();
        assert_eq!(gcm.tag(&j0, &[], &ciphertext), [0; 16]);
        let text = gcm.ctr(&j0, &ciphertext);
        let scheme = subject(engine, Path::Into, &key);
        let mut out = [0xa5; 16];
        let tag = scheme
            .seal(
                Input {
                    nonce: &[5; 12],
                    aad: &[],
                    text: &text,
                },
                &mut out,
            )
            .unwrap();
        assert_eq!((out, &tag[..]), (ciphertext, &[0; 16][..]), "{engine}");
        let input = Input {
            nonce: &[5; 12],
            aad: &[],
            text: &ciphertext,
        };
        assert!(scheme.open(input, &[0; 16], &mut out).is_ok(), "{engine}");
        assert_eq!(out[..], text[..], "{engine}");
        let mut wrong = ciphertext;
        wrong[0] ^= 1;
        assert!(
            scheme
                .open(
                    Input {
                        text: &wrong,
                        ..input
                    },
                    &[0; 16],
                    &mut out
                )
                .is_err(),
            "{engine}"
        );
        assert_eq!(out, [0; 16], "{engine}");
    }
}
