//! XTS: agreement with the crate `xts-mode`, runs of sectors, bad input.

use aes::cipher::KeyInit;
use carryless::error::{InputError, KeyError};
use carryless::hazmat::Xts;
use carryless::{Aes128, Aes256};
use xts_mode::{Xts128, get_tweak_default};

use crate::harness::{Random, engines, key, quick};

macro_rules! agrees {
    ($C:ident $Peer:ty, $key_len:literal) => {
        let key = key($key_len);
        let (a, b) = key.split_at($key_len / 2);
        let new = |key| <$Peer>::new_from_slice(key).unwrap();
        let peer = Xts128::new(new(a), new(b));
        for engine in engines() {
            let xts = Xts::<$C>::with_engine(&key, engine).unwrap();
            let longest = if quick() { 70 } else { 400 };
            for len in 16..=longest {
                let (text, number) = (
                    Random::new(len as u64).bytes(len),
                    len as u64 * 0x1234_5678_9abc,
                );
                let tweak = u128::from(number).to_le_bytes();
                let (mut expected, mut made) = (text.clone(), text.clone());
                peer.encrypt_sector(&mut expected, get_tweak_default(number.into()));
                xts.encrypt_in_place(&tweak, &mut made).unwrap();
                assert_eq!(made, expected, "{engine}, {len} bytes");
                let mut to = vec![0; len];
                xts.encrypt_into(&tweak, &text, &mut to).unwrap();
                assert_eq!(to, expected, "{engine}, {len} bytes");
                xts.decrypt_into(&tweak, &made, &mut to).unwrap();
                xts.decrypt_in_place(&tweak, &mut made).unwrap();
                assert!(made == text && to == text, "{engine}, {len} bytes");
            }
            for (sector, count) in [16, 17, 31, 32, 512, 520]
                .into_iter()
                .flat_map(|len| [0, 1, 7, 8, 9, 17].map(|n| (len, n)))
            {
                let text = Random::new(sector as u64).bytes(sector * count);
                let (mut expected, mut made, mut to) =
                    (text.clone(), text.clone(), vec![0; text.len()]);
                let first = u64::MAX - 3;
                peer.encrypt_area(&mut expected, sector, first.into(), get_tweak_default);
                xts.encrypt_sectors_in_place(first, sector, &mut made)
                    .unwrap();
                xts.encrypt_sectors_into(first, sector, &text, &mut to)
                    .unwrap();
                assert!(
                    made == expected && to == expected,
                    "{engine}, {count} sectors of {sector}"
                );
                xts.decrypt_sectors_into(first, sector, &made, &mut to)
                    .unwrap();
                xts.decrypt_sectors_in_place(first, sector, &mut made)
                    .unwrap();
                assert!(
                    made == text && to == text,
                    "{engine}, {count} sectors of {sector}"
                );
            }
            println!("C2 {engine}: {} units and runs in XTS", longest - 15 + 36);
        }
    };
}

#[test]
fn c2_xts_agrees_with_xts_mode_at_all_lengths_and_in_runs() {
    agrees!(Aes128 aes::Aes128, 32);
    agrees!(Aes256 aes::Aes256, 64);
}

#[test]
fn u3_other_lengths_of_texts_and_outputs_are_refused_before_anything_is_written() {
    for engine in engines() {
        let xts = Xts::<Aes128>::with_engine(&key(32), engine).unwrap();
        let mut text = [7; 100];
        let error = Err(InputError::PartialSector {
            got: 100,
            sector: 32,
        });
        assert_eq!(xts.encrypt_sectors_in_place(0, 32, &mut text), error);
        assert_eq!(xts.decrypt_sectors_into(0, 32, &[0; 100], &mut text), error);
        let error = Err(InputError::Output {
            got: 100,
            expected: 99,
        });
        assert_eq!(xts.encrypt_into(&[0; 16], &[0; 99], &mut text), error);
        assert_eq!(text, [7; 100]);
        println!("U3 {engine}: 3 lengths in XTS refused");
    }
}

#[test]
fn u3_keys_of_xts_are_two_different_ones() {
    let refused = |key: &[u8]| Xts::<Aes256>::from_slice(key).map(drop);
    for got in [0, 32, 48, 63, 65] {
        let error = Err(KeyError::Input(InputError::Key { got, expected: 64 }));
        assert_eq!(refused(&vec![0; got]), error);
    }
    let half = key(32);
    let equal = [half.clone(), half].concat();
    assert_eq!(
        refused(&equal),
        Err(KeyError::Input(InputError::EqualHalves))
    );
    for bit in 0..8 * 32 {
        let mut key = equal.clone();
        key[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(refused(&key), Ok(()), "bit {bit}");
    }
    for engine in engines() {
        assert!(Xts::<Aes128>::with_engine(&[1; 32], engine).is_err());
        println!("U3 {engine}: 1 keys of XTS with equal halves refused");
    }
}
