//! Single blocks through the cipher of each engine.

use super::super::{Aes192, Aes256, BlockCipher, EveryAead};
use super::*;

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
