//! C1: published vectors, and those of the project's reference model.

use carryless::hazmat::{BlockCipher, CbcDecryptor, CbcEncryptor, Ctr};
use carryless::{Engine, Gcm};

use crate::harness::vectors::{Vector, parse};
use crate::harness::{Checked, caught, engines, ensure};

struct Case {
    name: String,
    kind: String,
    fields: Vec<Vec<u8>>,
}

fn published() -> Vec<Case> {
    let lines = include_str!("../../../../vectors/lea.txt").lines();
    let cases = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap().to_owned();
        let (name, kind) = (word(), word());
        let bytes = |word: &str| hex::decode(word.trim_matches('-')).unwrap();
        Case {
            name,
            kind,
            fields: words.map(bytes).collect(),
        }
    });
    cases.collect()
}

fn blocks(bytes: &[u8]) -> Vec<[u8; 16]> {
    let (blocks, []) = bytes.as_chunks() else {
        panic!("whole blocks")
    };
    blocks.to_vec()
}

fn ecb(key: &[u8], text: &[u8], engine: Engine, inverse: bool) -> Vec<u8> {
    with_lea!(key.len(), C Peer => {
        let lea = BlockCipher::<C>::with_engine(key, engine).unwrap();
        let (mut all, mut each) = (blocks(text), blocks(text));
        if inverse {
            lea.decrypt_blocks(&mut all);
            each.iter_mut().for_each(|block| lea.decrypt_block(block));
        } else {
            lea.encrypt_blocks(&mut all);
            each.iter_mut().for_each(|block| lea.encrypt_block(block));
        }
        assert_eq!(all, each, "{engine}");
        all.as_flattened().to_vec()
    })
}

fn cbc(key: &[u8], iv: &[u8; 16], text: &[u8], engine: Engine, inverse: bool) -> Vec<u8> {
    let (mut place, mut to) = (text.to_vec(), vec![0xa5; text.len()]);
    with_lea!(key.len(), C Peer => if inverse {
        let mut cbc = CbcDecryptor::<C>::with_engine(key, iv, engine).unwrap();
        cbc.decrypt_in_place(&mut place).unwrap();
        cbc.restart(iv);
        cbc.decrypt_into(text, &mut to).unwrap();
    } else {
        let mut cbc = CbcEncryptor::<C>::with_engine(key, iv, engine).unwrap();
        cbc.encrypt_in_place(&mut place).unwrap();
        cbc.restart(iv);
        cbc.encrypt_into(text, &mut to).unwrap();
    });
    assert_eq!(place, to, "{engine}");
    place
}

fn ctr(key: &[u8], iv: &[u8; 16], text: &[u8], engine: Engine) -> Vec<u8> {
    let (mut place, mut to) = (text.to_vec(), vec![0xa5; text.len()]);
    with_lea!(key.len(), C Peer => {
        let mut ctr = Ctr::<C>::with_engine(key, iv, engine).unwrap();
        ctr.apply_in_place(&mut place).unwrap();
        ctr.restart(iv);
        ctr.apply_into(text, &mut to).unwrap();
    });
    assert_eq!(place, to, "{engine}");
    place
}

/// What comes of each step: a thousand blocks in a row, and a key that the last two are added to.
fn monte_carlo(key: &[u8], block: &[u8], steps: usize, engine: Engine, inverse: bool) -> Vec<u8> {
    let (mut key, mut outputs) = (key.to_vec(), vec![]);
    let mut block: [u8; 16] = block.try_into().unwrap();
    for _ in 0..steps {
        let mut last = block;
        with_lea!(key.len(), C Peer => {
            let lea = BlockCipher::<C>::with_engine(&key, engine).unwrap();
            for _ in 0..1000 {
                last = block;
                if inverse {
                    lea.decrypt_block(&mut block);
                } else {
                    lea.encrypt_block(&mut block);
                }
            }
        });
        outputs.extend_from_slice(&block);
        let both = [last, block].concat();
        let change = &both[both.len() - key.len()..];
        key.iter_mut()
            .zip(change)
            .for_each(|(key, byte)| *key ^= byte);
    }
    outputs
}

fn check_one(case: &Case, engine: Engine) -> Result<(), String> {
    let Case { name, kind, fields } = case;
    let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
    let right = match (kind.as_str(), &fields[..]) {
        ("ecb", [key, text, sealed]) => {
            ecb(key, text, engine, false) == *sealed && ecb(key, sealed, engine, true) == *text
        }
        ("cbc", [key, iv, text, sealed]) => {
            let iv = (*iv).try_into().unwrap();
            cbc(key, iv, text, engine, false) == *sealed
                && cbc(key, iv, sealed, engine, true) == *text
        }
        ("ctr", [key, iv, text, sealed]) => {
            ctr(key, (*iv).try_into().unwrap(), text, engine) == *sealed
        }
        ("encrypt" | "decrypt", [key, block, outputs]) => {
            // A step shows whether the vectors are followed; all are for engines that are compiled as they ship.
            let steps = outputs.len() / 16;
            monte_carlo(key, block, steps, engine, kind == "decrypt") == *outputs
        }
        ("refused", [key]) => {
            use carryless::{Lea128, Lea192, Lea256};
            BlockCipher::<Lea128>::with_engine(key, engine).is_err()
                && BlockCipher::<Lea192>::with_engine(key, engine).is_err()
                && BlockCipher::<Lea256>::with_engine(key, engine).is_err()
        }
        ("schedule", [key, round_keys]) => with_lea!(key.len(), C Peer => {
            let words = C::round_keys((*key).try_into().unwrap());
            let bytes = words.as_flattened().iter().flat_map(|word| word.to_be_bytes());
            bytes.eq(round_keys.iter().copied())
        }),
        _ => panic!("{name}: not a case"),
    };
    ensure!(right, "{engine}: {name}");
    Ok(())
}

fn check(cases: &[Case], engine: Engine) -> Checked {
    for case in cases {
        check_one(case, engine)?;
    }
    Ok(cases.len())
}

#[test]
fn c1_published_vectors_of_lea() {
    let cases = published();
    for engine in engines() {
        println!(
            "C1 {engine}: {} vectors of LEA",
            check(&cases, engine).unwrap()
        );
    }
}

#[test]
fn control_c1_one_changed_bit_of_the_vectors_is_noticed() {
    for kind in ["ecb", "cbc", "ctr", "schedule", "encrypt", "decrypt"] {
        let mut case = published()
            .into_iter()
            .rfind(|case| case.kind == kind)
            .unwrap();
        *case.fields.last_mut().unwrap().last_mut().unwrap() ^= 1;
        caught(check(&[case], Engine::selected()));
    }
}

/// Seals and opens a case of GCM, at once and in pieces.
fn check_gcm(vector: &Vector, engine: Engine) {
    let Vector {
        key,
        nonce,
        aad,
        text,
        ciphertext,
        tag,
        name,
        ..
    } = vector;
    with_lea!(key.len(), C Peer => {
        let gcm = Gcm::<C>::with_engine(key, engine).unwrap();
        assert_eq!(gcm.engine(), engine);
        let mut out = text.clone();
        let made = gcm.seal_in_place(nonce, aad, &mut out).unwrap();
        assert_eq!((&out, &made[..]), (ciphertext, &tag[..]), "{engine}, {name}");
        gcm.open_in_place(nonce, aad, &mut out, tag).unwrap();
        assert_eq!(out, *text, "{engine}, {name}");
        assert!(gcm.open_in_place(nonce, b"other", &mut out, tag).is_err());
        assert!(out.iter().all(|byte| *byte == 0), "{engine}, {name}: wiped");
        let mut sealer = gcm.sealer(nonce).unwrap();
        sealer.aad(aad).unwrap();
        let mut out = vec![0; text.len()];
        let at = text.len() / 3;
        let (first, rest) = out.split_at_mut(at);
        sealer.seal_into(&text[..at], first).unwrap();
        sealer.seal_into(&text[at..], rest).unwrap();
        assert_eq!(sealer.finish()[..], tag[..], "{engine}, {name}, in pieces");
        assert_eq!(out, *ciphertext, "{engine}, {name}, in pieces");
    });
}

#[test]
fn c1_lea_gcm_of_kisa() {
    let vectors = parse(include_str!("../../../../vectors/lea_gcm.txt"));
    for engine in engines() {
        for vector in &vectors {
            check_gcm(vector, engine);
        }
        println!("C1 {engine}: {} vectors of LEA-GCM", vectors.len());
    }
}
