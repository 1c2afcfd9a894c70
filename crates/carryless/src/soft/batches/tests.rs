//! Batches against blocks one by one.

use std::vec::Vec;

use super::super::{Enc, Neon};
use super::{decrypt_cbc, xts};
use crate::block::Block;
use crate::simd::{InOut, NeonPlanes};

/// Where a text begins.
const START: Block = [0x9c; 16];

/// Calls `run` for texts of up to 25 blocks and some bytes more, with what they are to become: in place, and from one buffer to
/// another.
fn each_length(right: impl Fn(&mut Block, &mut Block), run: impl Fn(&mut Block, InOut<'_>)) {
    for len in (0..=25).flat_map(|blocks| [16 * blocks, 16 * blocks + 5]) {
        let text: Vec<u8> = (0..=255).cycle().take(len).collect();
        let (mut expected, mut there) = (text.clone(), std::vec![0x5c; len]);
        let mut expected_state = START;
        for block in expected.as_chunks_mut().0 {
            right(&mut expected_state, block);
        }
        let (mut here, mut state) = (text.clone(), START);
        run(&mut state, InOut::in_place(&mut here));
        assert_eq!((state, &here), (expected_state, &expected), "{len} bytes");
        state = START;
        let between = InOut::between(&text, &mut there).expect("equal lengths");
        run(&mut state, between);
        expected[len & !15..].fill(0x5c);
        assert_eq!((state, &there), (expected_state, &expected), "{len} bytes");
    }
}

fn xor(block: &mut Block, other: &Block) {
    for (byte, other) in block.iter_mut().zip(other) {
        *byte ^= other;
    }
}

/// Encrypts or decrypts a block under a tweak, and doubles that (IEEE 1619 section 5.2).
fn under_a_tweak(tweak: &mut Block, block: &mut Block, run: impl Fn(&mut Block)) {
    xor(block, tweak);
    run(block);
    xor(block, tweak);
    let value = u128::from_le_bytes(*tweak);
    *tweak = (value << 1 ^ if value >> 127 == 1 { 0x87 } else { 0 }).to_le_bytes();
}

fn all_are_right<const K: usize>() {
    let keys = Enc::<NeonPlanes, K>::new(&[7; 32][..4 * (K - 7)]);
    let encrypt = |block: &mut Block| keys.encrypt_block::<Neon>(block);
    let decrypt = |block: &mut Block| keys.decrypt::<Neon>(InOut::in_place(block));
    each_length(
        |tweak, block| under_a_tweak(tweak, block, encrypt),
        |tweak, text| xts::<false>(&keys.0, tweak, text),
    );
    each_length(
        |tweak, block| under_a_tweak(tweak, block, decrypt),
        |tweak, text| xts::<true>(&keys.0, tweak, text),
    );
    each_length(
        |chain, block| {
            let before = core::mem::replace(chain, *block);
            decrypt(block);
            xor(block, &before);
        },
        |chain, text| decrypt_cbc(&keys.0, chain, text),
    );
}

#[test]
fn tweaks_and_chains_are_right_at_every_length() {
    all_are_right::<11>();
    all_are_right::<13>();
    all_are_right::<15>();
}
