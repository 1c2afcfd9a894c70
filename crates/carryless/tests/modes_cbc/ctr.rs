//! CTR: agreement with the crate `ctr`, pieces, positions, bad input.

use aes::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use carryless::Aes128;
use carryless::error::{InputError, KeyError};
use carryless::hazmat::Ctr;

use crate::block;
use crate::harness::{KEY_LENS, Random, engines, key, quick};

/// First counter blocks: of which 32 bits, 64 and all wrap soon.
fn starts() -> [[u8; 16]; 4] {
    let mut starts = [block(3), block(4), [0xff; 16], [0; 16]];
    starts[0][12..].copy_from_slice(&0xffff_fffd_u32.to_be_bytes());
    starts[1][8..].copy_from_slice(&(u64::MAX - 3).to_be_bytes());
    starts
}

/// Bytes that no engine takes block by block.
const LONG: usize = 5003;

macro_rules! agrees {
    ($Flavor:ident $bits:literal) => {
        let longest = if quick() { 70 } else { 300 };
        for engine in engines() {
            let mut count = 0;
            for (key_len, start) in KEY_LENS.into_iter().flat_map(|len| starts().map(|start| (len, start))) {
                let key = key(key_len);
                let text = Random::new(9).bytes(LONG);
                with_cipher!(key_len, C Peer => {
                    let mut expected = text.clone();
                    ctr::$Flavor::<Peer>::new_from_slices(&key, &start).unwrap().unchecked_apply_keystream(&mut expected);
                    let new = Ctr::<C, $bits>::with_engine(&key, &start, engine).unwrap();
                    let mut made = text.clone();
                    new.clone().apply_in_place(&mut made).unwrap();
                    assert_eq!(made, expected, "{engine}, {LONG} bytes from {start:02x?}");
                    for len in 0..=longest {
                        let (mut ctr, mut made) = (new.clone(), text[..len].to_vec());
                        let cut = len * 5 / 7;
                        ctr.apply_in_place(&mut made[..cut]).unwrap();
                        ctr.apply_into(&text[cut..len], &mut made[cut..]).unwrap();
                        assert_eq!(made, expected[..len], "{engine}, {len} bytes from {start:02x?}, cut at {cut}");
                        assert_eq!(ctr.position(), len as u128);
                        let mut made = text[len..longest].to_vec();
                        ctr.seek(len as u128).unwrap();
                        let (head, tail) = made.split_at_mut((longest - len).min(3));
                        ctr.apply_in_place(head).unwrap();
                        ctr.apply_in_place(tail).unwrap();
                        assert_eq!(made, expected[len..longest], "{engine}, from byte {len} behind {start:02x?}");
                        count += 2;
                    }
                });
            }
            println!("C2 {engine}: {count} texts in CTR with {} bits", $bits);
        }
    };
}

#[test]
fn c2_ctr_of_32_bits_agrees_with_rustcrypto_in_pieces_and_from_any_byte() {
    agrees!(Ctr32BE 32);
}

#[test]
fn c2_ctr_of_128_bits_agrees_with_rustcrypto_in_pieces_and_from_any_byte() {
    agrees!(Ctr128BE 128);
}

#[test]
fn c3_every_two_cuts_of_a_text_give_the_same() {
    for engine in engines() {
        let new = Ctr::<Aes128>::with_engine(&[1; 16], &block(5), engine).unwrap();
        let mut expected = [0; 50];
        new.clone().apply_in_place(&mut expected).unwrap();
        let mut count = 0;
        for (a, b) in (0..=50).flat_map(|a| (a..=50).map(move |b| (a, b))) {
            let (mut ctr, mut made) = (new.clone(), [0; 50]);
            for piece in [0..a, a..b, b..50] {
                ctr.apply_in_place(&mut made[piece]).unwrap();
            }
            assert_eq!(made, expected, "{engine}: {a}, {b}");
            count += 1;
        }
        println!("C3 {engine}: {count} texts in CTR in three pieces");
    }
}

#[test]
fn c2_far_positions_agree_with_rustcrypto() {
    for position in [(1u64 << 36) - 40, (1 << 32) + 5, 1 << 40, u64::MAX / 2 + 3] {
        let mut peer = ctr::Ctr128BE::<aes::Aes128>::new(&[1; 16].into(), &block(6).into());
        peer.seek(position);
        let mut expected = [0; 100];
        peer.apply_keystream(&mut expected);
        let mut ours = Ctr::<Aes128>::from_slice(&[1; 16], &block(6)).unwrap();
        ours.seek(position.into()).unwrap();
        let mut made = [0; 100];
        ours.apply_in_place(&mut made).unwrap();
        assert_eq!(made, expected, "{position}");
    }
}

#[test]
fn u3_other_lengths_of_keys_and_outputs_are_refused_and_nothing_is_written() {
    for engine in engines() {
        let mut ctr = Ctr::<Aes128>::with_engine(&[1; 16], &[0; 16], engine).unwrap();
        let (mut count, expected) = (0, 16);
        for got in (0..40).filter(|len| *len != expected) {
            let error = KeyError::Input(InputError::Key { got, expected });
            let made = Ctr::<Aes128>::with_engine(&vec![0; got], &[0; 16], engine);
            assert_eq!(made.err(), Some(error));
            let mut out = vec![0xa5; got];
            let error = InputError::Output { got, expected };
            assert_eq!(ctr.apply_into(&[0; 16], &mut out), Err(error));
            assert!(out == vec![0xa5; got] && ctr.position() == 0, "{engine}");
            count += 2;
        }
        println!("U3 {engine}: {count} lengths in CTR refused");
    }
}
