//! Single blocks through the cipher of each engine.

use super::super::list::DecryptKeys;
use super::super::{Aes192, Aes256, BlockCipher, CipherKeys, EveryAead, EveryCipher};
use super::*;
use crate::simd::MAX_BLOCKS;

/// P5 through the whole cipher: every byte at every position of block and key, every engine.
#[test]
fn p5_every_byte_at_every_position_is_encrypted_rightly() {
    fn size<C: EveryAead + BlockCipher>(engine: Engine) -> usize {
        let made = |key: &[u8]| {
            let keys = AeadKeys::<C>::untested(engine, key).unwrap();
            (keys, reference::Aes::new(key))
        };
        let mut count = 0;
        let mut check =
            |(keys, model): &(AeadKeys<C>, reference::Aes), key: &[u8], block: Block| {
                assert_eq!(
                    encrypted(keys, block),
                    model.encrypt(&block),
                    "{engine}, key {key:02x?}"
                );
                count += 1;
            };
        let pattern = |i: usize| (i * 59 + 3) as u8;
        let base: Vec<u8> = (0..C::KEY_LEN).map(pattern).collect();
        let keys = made(&base);
        for value in 0..=255 {
            for at in 0..16 {
                let mut block: Block = core::array::from_fn(pattern);
                block[at] = value;
                check(&keys, &base, block);
            }
            for at in 0..C::KEY_LEN {
                let mut key = base.clone();
                key[at] = value;
                check(&made(&key), &key, [0; 16]);
            }
        }
        count
    }
    for engine in engines() {
        let count = size::<Aes128>(engine) + size::<Aes192>(engine) + size::<Aes256>(engine);
        println!("P5 {engine}: {count} blocks and keys");
    }
}

/// Whether blocks go right through `run`, of which one byte is not zero: every value at every position, in every lane of planes.
///
/// * `right`: whether the first block becomes the second.
fn goes_through(
    run: &dyn Fn(&mut [Block]),
    right: &dyn Fn(&Block, &Block) -> bool,
) -> Result<usize, String> {
    for at in 0..16 {
        let block =
            |value: u8| -> Block { core::array::from_fn(|i| if i == at { value } else { 0 }) };
        let from: Vec<Block> = (0..=255).map(block).collect();
        let mut to = from.clone();
        run(&mut to);
        if let Some(value) = (0..256).find(|n| !right(&from[*n], &to[*n])) {
            return Err(format!("byte {at} is {value:#x}"));
        }
        for lanes in 1..MAX_BLOCKS {
            let mut blocks = from.clone();
            blocks.rotate_left(lanes);
            run(&mut blocks);
            blocks.rotate_right(lanes);
            if blocks != to {
                return Err(format!("byte {at}, {lanes} lanes on"));
            }
        }
    }
    Ok(16 * 256 * MAX_BLOCKS)
}

/// P5 in both directions and all lanes, of assembly too, whose rounds no test sees alone.
#[test]
fn p5_every_byte_at_every_position_goes_there_and_back_in_every_lane() {
    fn size<C: EveryCipher>(engine: Engine) -> usize {
        let key: Vec<u8> = (0..C::KEY_LEN).map(|i| (i * 59 + 3) as u8).collect();
        let model = reference::Aes::new(&key);
        let enc = CipherKeys::<C>::untested(engine, &key).unwrap();
        let dec = DecryptKeys::<C>::untested(engine, &key).unwrap();
        let there = goes_through(
            &|blocks| enc.encrypt(InOut::in_place(blocks.as_flattened_mut())),
            &|from, to| model.encrypt(from) == *to,
        );
        // Only one block is encrypted to another: so that is what the other is decrypted to.
        let back = goes_through(
            &|blocks| dec.decrypt(InOut::in_place(blocks.as_flattened_mut())),
            &|from, to| model.encrypt(to) == *from,
        );
        let count = |made: Result<usize, String>| {
            made.unwrap_or_else(|error| panic!("{engine}, {}: {error}", C::NAME))
        };
        count(there) + count(back)
    }
    for engine in engines() {
        let count = size::<Aes128>(engine) + size::<Aes192>(engine) + size::<Aes256>(engine);
        println!("P5 {engine}: {count} blocks in every lane, there and back");
    }
}

#[test]
fn control_p5_one_wrong_value_in_one_lane_of_a_batch_is_noticed() {
    let model = reference::Aes::new(&[3; 16]);
    let run = |blocks: &mut [Block], wrong: usize| {
        for (n, block) in blocks.iter_mut().enumerate() {
            let hit = n % MAX_BLOCKS == wrong && block[2] == 0x53;
            *block = model.encrypt(block);
            block[0] ^= u8::from(hit);
        }
    };
    let right = |from: &Block, to: &Block| model.encrypt(from) == *to;
    for lane in 0..MAX_BLOCKS {
        let error = goes_through(&|blocks| run(blocks, lane), &right).expect_err("a wrong value");
        println!("lane {lane}: caught: {error}");
    }
}

/// The examples of FIPS 197 appendix C.
#[test]
fn the_examples_of_fips_197_are_encrypted_as_printed() {
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    let block = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff_u128.to_be_bytes();
    for engine in engines() {
        let [a, b, c] = [
            encrypted(
                &AeadKeys::<Aes128>::untested(engine, &key[..16]).unwrap(),
                block,
            ),
            encrypted(
                &AeadKeys::<Aes192>::untested(engine, &key[..24]).unwrap(),
                block,
            ),
            encrypted(&AeadKeys::<Aes256>::untested(engine, &key).unwrap(), block),
        ];
        assert_eq!(
            a,
            0x69c4_e0d8_6a7b_0430_d8cd_b780_70b4_c55a_u128.to_be_bytes(),
            "{engine}"
        );
        assert_eq!(
            b,
            0xdda9_7ca4_864c_dfe0_6eaf_70a0_ec0d_7191_u128.to_be_bytes(),
            "{engine}"
        );
        assert_eq!(
            c,
            0x8ea2_b7ca_5167_45bf_eafc_4990_4b49_6089_u128.to_be_bytes(),
            "{engine}"
        );
    }
}
