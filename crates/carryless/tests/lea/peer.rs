//! The crate `lea`, both ways.

use carryless::hazmat::BlockCipher;
use lea::prelude::{BlockDecrypt, BlockEncrypt, NewBlockCipher};

use crate::harness::{KEY_LENS, Random, engines};

#[test]
fn c2_the_crate_lea_gives_the_same_blocks_both_ways() {
    for (seed, key_len) in (0..40).flat_map(|seed| KEY_LENS.map(|len| (seed, len))) {
        let mut random = Random::new(seed);
        let (key, text) = (random.bytes(key_len), random.bytes(16 * 20));
        with_lea!(key_len, C Peer => {
            let theirs = Peer::new_from_slice(&key).unwrap();
            let (mut sealed, mut opened) = (text.clone(), text.clone());
            for block in sealed.chunks_mut(16) {
                theirs.encrypt_block(block.into());
            }
            for block in opened.chunks_mut(16) {
                theirs.decrypt_block(block.into());
            }
            for engine in engines() {
                let ours = BlockCipher::<C>::with_engine(&key, engine).unwrap();
                let mut blocks = text.as_chunks().0.to_vec();
                ours.encrypt_blocks(&mut blocks);
                assert_eq!(blocks.as_flattened(), sealed, "{engine}, seed {seed}");
                let mut blocks = text.as_chunks().0.to_vec();
                ours.decrypt_blocks(&mut blocks);
                assert_eq!(blocks.as_flattened(), opened, "{engine}, seed {seed}");
                println!("C2 {engine}: 40 blocks of LEA");
            }
        });
    }
}
