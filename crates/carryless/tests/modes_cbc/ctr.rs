//! CTR: agreement with the crate `ctr`, pieces, positions, the end of the counter.

use aes::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use carryless::Aes128;
use carryless::error::InputError;
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
            println!("C2, C3 {engine}: {count} texts in CTR with {} bits", $bits);
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
        for (a, b) in (0..=50).flat_map(|a| (a..=50).map(move |b| (a, b))) {
            let (mut ctr, mut made) = (new.clone(), [0; 50]);
            for piece in [0..a, a..b, b..50] {
                ctr.apply_in_place(&mut made[piece]).unwrap();
            }
            assert_eq!(made, expected, "{engine}: {a}, {b}");
        }
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
fn c6_ctr_ends_with_its_counter_and_not_before() {
    for engine in engines() {
        let limit = 1 << 36;
        let mut ctr = Ctr::<Aes128, 32>::with_engine(&[1; 16], &[0xff; 16], engine).unwrap();
        ctr.seek(limit - 40).unwrap();
        let mut text = [5; 41];
        let error = Err(InputError::KeyStream {
            got: limit + 1,
            limit,
        });
        assert_eq!(ctr.apply_in_place(&mut text), error);
        assert_eq!(ctr.apply_into(&[0; 41], &mut text), error);
        assert_eq!((text, ctr.position()), ([5; 41], limit - 40), "{engine}");
        ctr.apply_in_place(&mut text[..40]).unwrap();
        assert_eq!(ctr.apply_in_place(&mut text[..1]), error);
        assert_eq!(ctr.seek(limit + 1), error);
        assert_eq!(ctr.position(), limit);
        ctr.apply_in_place(&mut []).unwrap();

        let mut ctr = Ctr::<Aes128>::with_engine(&[1; 16], &[0; 16], engine).unwrap();
        ctr.seek(u128::MAX).unwrap();
        assert!(ctr.apply_in_place(&mut [0]).is_err());
        ctr.seek(u128::MAX - 1).unwrap();
        ctr.apply_in_place(&mut [0]).unwrap();
        let error = Err(InputError::Output {
            got: 1,
            expected: 2,
        });
        assert_eq!(ctr.apply_into(&[0; 2], &mut [0; 1]), error);
        assert!(Ctr::<Aes128>::from_slice(&[0; 17], &[0; 16]).is_err());
    }
}
