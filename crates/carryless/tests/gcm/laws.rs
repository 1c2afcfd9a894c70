//! C7: the laws of the API.

use crate::harness::forgeries::{self, Make, Sealed, flipped};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Case, Cuts, Input, Path, Refused, Scheme, cut_subject, subject};
use crate::harness::{Checked, KEY_LENS, engines, ensure};

/// A case as the reference seals it.
pub(crate) fn by_reference(case: Case) -> Sealed {
    let (ciphertext, tag) = Gcm::new(&case.key).seal(&case.nonce, &case.aad, &case.text);
    Sealed {
        case,
        ciphertext,
        tag: tag.to_vec(),
    }
}

/// Whether a message of 33 bytes with 17 bytes of AAD stops being authentic with any single bit.
pub(crate) fn every_flip_fails(key_len: usize, nonce_len: usize, make: Make<'_>) -> Checked {
    let sealed = by_reference(Case::new(0xf11b, key_len, nonce_len, 17, 33));
    if !make(&sealed.case.key).takes_nonce(nonce_len) {
        return Ok(0);
    }
    forgeries::every_flip_fails(&sealed, 1, make)
}

#[test]
fn c7_every_flipped_bit_is_noticed() {
    for engine in engines() {
        for path in Path::ALL.iter().copied() {
            let mut count = 0;
            for key_len in KEY_LENS {
                for nonce_len in [12, 17] {
                    let make = |key: &[u8]| subject(engine, path, key);
                    count += every_flip_fails(key_len, nonce_len, &make)
                        .unwrap_or_else(|error| panic!("{error}"));
                }
            }
            println!("C7 {engine}: {count} forgeries refused");
        }
    }
}

/// Every bit of every tag length.
#[test]
fn c7_every_flipped_bit_of_a_short_tag_is_noticed() {
    for engine in engines() {
        for tag_len in [4, 8, 12, 13, 14, 15, 16] {
            let case = Case::new(0x7a9, 16, 12, 3, 20);
            let Some(scheme) = cut_subject(engine, Path::Into, &case.key, tag_len, Cuts::default())
            else {
                continue;
            };
            let (ciphertext, tag) = Gcm::new(&case.key).seal(&case.nonce, &case.aad, &case.text);
            let (input, tag) = (
                Input {
                    text: &ciphertext,
                    ..case.input()
                },
                &tag[..tag_len],
            );
            assert!(
                scheme.open(input, tag, &mut [0; 20]).is_ok(),
                "{scheme}: {tag_len} bytes of tag"
            );
            for i in 0..8 * tag_len {
                let result = scheme.open(input, &flipped(tag, i), &mut [0; 20]);
                assert!(
                    matches!(result, Err(Refused::Unauthentic(_))),
                    "{scheme}: {tag_len} bytes of tag, bit {i}"
                );
            }
        }
    }
}

/// Whether a text and an AAD cut in two anywhere are sealed and opened as in one call.
pub(crate) fn every_split_is_the_whole(
    key: &[u8],
    make: &dyn Fn(Cuts) -> Box<dyn Scheme>,
) -> Checked {
    let mut count = 0;
    for (text_len, aad_len) in [(0, 0), (1, 40), (16, 16), (33, 17), (160, 0), (277, 64)] {
        let case = Case::new(0x5911, key.len(), 12, aad_len, text_len);
        let (ciphertext, tag) = Gcm::new(key).seal(&case.nonce, &case.aad, &case.text);
        let splits = (0..=text_len).map(|cut| (cut, cut % (aad_len + 1)));
        for (text_cut, aad_cut) in
            splits.chain((0..=aad_len).map(|cut| (cut % (text_len + 1), cut)))
        {
            let scheme = make(Cuts {
                aad: vec![aad_cut],
                text: vec![text_cut],
            });
            let mut out = vec![0; text_len];
            let sealed = scheme
                .seal(case.input(), &mut out)
                .map_err(|error| format!("{scheme}: {error:?}"))?;
            let at = format!(
                "{scheme}: {text_len} bytes cut at {text_cut}, {aad_len} of AAD at {aad_cut}"
            );
            ensure!(
                out == ciphertext && sealed[..] == tag,
                "{at}: sealed differently"
            );
            let opened = scheme.open(
                Input {
                    text: &ciphertext,
                    ..case.input()
                },
                &tag,
                &mut out,
            );
            ensure!(
                opened.is_ok() && out == case.text,
                "{at}: opened differently"
            );
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn c7_a_message_in_two_pieces_is_the_message() {
    for engine in engines() {
        for key_len in KEY_LENS {
            let key = crate::harness::key(key_len);
            for path in [Path::Stream, Path::StreamInPlace, Path::Scatter] {
                let make = |cuts| cut_subject(engine, path, &key, 16, cuts).unwrap();
                let count =
                    every_split_is_the_whole(&key, &make).unwrap_or_else(|error| panic!("{error}"));
                println!("C7 {engine}: {count} splits");
            }
        }
    }
}

/// The traits make keys of the selected engine, with other nonce and tag sizes too.
#[cfg(feature = "aead")]
#[test]
fn c7_the_traits_give_what_the_methods_give() {
    use crate::harness::scheme::with_default;
    use carryless::aead::array::Array;
    use carryless::{AeadInOut, Aes128, Gcm, KeyInit};

    for engine in engines() {
        let case = Case::new(0x7ea17, 16, 16, 17, 70);
        with_default(engine, || {
            let key: Gcm<Aes128, 16, 12> = KeyInit::new_from_slice(&case.key).unwrap();
            assert_eq!(key.engine(), engine);
            let mut text = case.text.clone();
            let nonce: Array<u8, _> = case.nonce.as_slice().try_into().unwrap();
            let tag = key
                .encrypt_inout_detached(&nonce, &case.aad, text.as_mut_slice().into())
                .unwrap();
            let (ciphertext, expected) =
                Gcm_::new(&case.key).seal(&case.nonce, &case.aad, &case.text);
            assert_eq!(
                (&text, tag.as_slice()),
                (&ciphertext, &expected[..12]),
                "{engine}"
            );
            key.decrypt_inout_detached(&nonce, &case.aad, text.as_mut_slice().into(), &tag)
                .unwrap();
            assert_eq!(text, case.text, "{engine}");
            assert!(<Gcm<Aes128> as KeyInit>::new_from_slice(&[0; 17]).is_err());
        });
    }
}
#[cfg(feature = "aead")]
use crate::harness::reference::Gcm as Gcm_;

/// Attached tags, as users of `aead::Aead` have them.
#[cfg(all(feature = "aead", feature = "alloc"))]
#[test]
fn c7_the_traits_append_the_tag() {
    use carryless::aead::{Aead, Payload};
    use carryless::{Aes256Gcm, Nonce};

    for engine in engines() {
        let case = Case::new(0xa11, 32, 12, 9, 100);
        let key = Aes256Gcm::with_engine(&case.key, engine).unwrap();
        let nonce = Nonce::try_from(case.nonce.as_slice()).unwrap();
        let sealed = key
            .encrypt(
                &nonce,
                Payload {
                    msg: &case.text,
                    aad: &case.aad,
                },
            )
            .unwrap();
        let (mut expected, tag) = Gcm::new(&case.key).seal(&case.nonce, &case.aad, &case.text);
        expected.extend(tag);
        assert_eq!(sealed, expected, "{engine}");
        assert_eq!(
            key.decrypt(
                &nonce,
                Payload {
                    msg: &sealed,
                    aad: &case.aad
                }
            )
            .unwrap(),
            case.text,
            "{engine}"
        );
        for len in 0..sealed.len() {
            assert!(
                key.decrypt(
                    &nonce,
                    Payload {
                        msg: &sealed[..len],
                        aad: &case.aad
                    }
                )
                .is_err(),
                "{engine}, {len} bytes"
            );
        }
    }
}
