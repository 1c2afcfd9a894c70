//! CBC: agreement with the crate `cbc`, pieces, several messages, bad input.

use aes::cipher::{BlockModeEncrypt, KeyIvInit};
use carryless::error::{InputError, KeyError};
use carryless::hazmat::{CbcDecryptor, CbcEncryptor, CbcMessage};
use carryless::{Aes128, Engine};

use crate::block;
use crate::harness::{KEY_LENS, Random, engines, key, quick};

/// By the crate `cbc`.
fn expected(key: &[u8], iv: &[u8; 16], text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    with_cipher!(key.len(), C Peer => {
        let mut cbc = cbc::Encryptor::<Peer>::new_from_slices(key, iv).unwrap();
        for block in text.as_chunks_mut::<16>().0 {
            cbc.encrypt_block(block.into());
        }
    });
    text
}

#[test]
fn c2_cbc_agrees_with_rustcrypto_in_every_two_pieces() {
    let blocks = if quick() { 12 } else { 40 };
    for engine in engines() {
        let mut count = 0;
        for key_len in KEY_LENS {
            let (key, iv) = (key(key_len), block(1));
            for len in (0..=blocks).map(|blocks| 16 * blocks) {
                let text = Random::new(len as u64).bytes(len);
                let sealed = expected(&key, &iv, &text);
                with_cipher!(key_len, C Peer => {
                    let enc = CbcEncryptor::<C>::with_engine(&key, &iv, engine).unwrap();
                    let dec = CbcDecryptor::<C>::with_engine(&key, &iv, engine).unwrap();
                    for cut in (0..=len).step_by(16) {
                        let (mut enc, mut dec) = (enc.clone(), dec.clone());
                        let (mut made, mut back) = (text.clone(), vec![0; len]);
                        enc.encrypt_in_place(&mut made[..cut]).unwrap();
                        enc.encrypt_into(&text[cut..], &mut made[cut..]).unwrap();
                        assert_eq!(made, sealed, "{engine}, {len} bytes, cut at {cut}");
                        dec.decrypt_into(&made[..cut], &mut back[..cut]).unwrap();
                        back[cut..].copy_from_slice(&made[cut..]);
                        dec.decrypt_in_place(&mut back[cut..]).unwrap();
                        assert_eq!(back, text, "{engine}, {len} bytes, cut at {cut}");
                        count += 1;
                    }
                });
            }
        }
        println!("C2 {engine}: {count} messages in CBC, in two pieces");
    }
}

#[test]
fn c2_several_messages_in_one_call_are_what_they_are_alone() {
    for engine in engines() {
        let mut random = Random::new(7);
        let key = key(16);
        let cbc = CbcEncryptor::<Aes128>::with_engine(&key, &[0; 16], engine).unwrap();
        let mut count = 0;
        for number in 0..=20 {
            for most in [1, 3, 40] {
                let lens: Vec<usize> = (0..number)
                    .map(|_| 16 * (random.word() % most) as usize)
                    .collect();
                let texts: Vec<Vec<u8>> = lens.iter().map(|len| random.bytes(*len)).collect();
                let (mut places, mut others) = (texts.clone(), texts.clone());
                let ivs: Vec<[u8; 16]> = (0..number).map(|i| block(i as u64)).collect();
                let parts = texts
                    .iter()
                    .zip(&mut places)
                    .zip(&mut others)
                    .zip(&ivs)
                    .enumerate();
                let mut messages: Vec<CbcMessage<'_>> = parts
                    .map(|(i, (((text, place), other), iv))| match i % 2 {
                        0 => CbcMessage::in_place(iv, place),
                        _ => CbcMessage::between(iv, text, other).unwrap(),
                    })
                    .collect();
                cbc.encrypt_each(&mut messages).unwrap();
                // A second call leaves them alone.
                cbc.encrypt_each(&mut messages).unwrap();
                drop(messages);
                for (i, text) in texts.iter().enumerate() {
                    let made = if i % 2 == 0 { &places[i] } else { &others[i] };
                    assert_eq!(
                        *made,
                        expected(&key, &ivs[i], text),
                        "{engine}: {i} of {lens:?}"
                    );
                }
                count += number;
            }
        }
        println!("C2 {engine}: {count} messages in CBC, of several in a call");
    }
}

#[test]
fn u3_bad_lengths_in_cbc_are_refused_before_anything_is_written() {
    for engine in engines() {
        let mut count = 0;
        let mut enc = CbcEncryptor::<Aes128>::with_engine(&[1; 16], &[0; 16], engine).unwrap();
        let mut dec = CbcDecryptor::<Aes128>::with_engine(&[1; 16], &[0; 16], engine).unwrap();
        for got in (0..50).filter(|len| len % 16 > 0) {
            let mut text = vec![3; got];
            let error = Err(InputError::PartialBlock { got });
            assert_eq!(enc.encrypt_in_place(&mut text), error);
            assert_eq!(dec.decrypt_in_place(&mut text), error);
            assert_eq!(enc.encrypt_into(&vec![0; got], &mut text), error);
            let mut whole = [3; 32];
            let (a, b) = (&mut whole, &mut text);
            let mut messages = [
                CbcMessage::in_place(&[0; 16], a),
                CbcMessage::in_place(&[0; 16], b),
            ];
            assert_eq!(enc.encrypt_each(&mut messages), error);
            assert!(whole == [3; 32] && text == vec![3; got], "{engine}");
            count += 4;
        }
        let mut out = [3; 16];
        let error = Err(InputError::Output {
            got: 16,
            expected: 32,
        });
        assert_eq!(enc.encrypt_into(&[0; 32], &mut out), error);
        assert_eq!(dec.decrypt_into(&[0; 32], &mut out), error);
        assert!(CbcMessage::between(&[0; 16], &[0; 32], &mut out).is_err());
        assert_eq!(out, [3; 16]);
        println!("U3 {engine}: {} lengths in CBC refused", count + 3);
    }
    for got in [0, 15, 17, 24, 32] {
        let error = CbcEncryptor::<Aes128>::from_slice(&vec![0; got], &[0; 16]).unwrap_err();
        assert_eq!(
            error,
            KeyError::Input(InputError::Key { got, expected: 16 })
        );
        assert!(
            CbcDecryptor::<Aes128>::with_engine(&vec![0; got], &[0; 16], Engine::selected())
                .is_err()
        );
    }
}
