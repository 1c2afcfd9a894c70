//! AES as FIPS 197 defines it, on bytes; for tests only, as it indexes tables by secrets.

use std::vec::Vec;

use crate::block::Block;

fn times(mut a: u8, b: u8) -> u8 {
    let mut sum = 0;
    for i in 0..8 {
        sum ^= if b >> i & 1 == 1 { a } else { 0 };
        a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
    }
    sum
}

/// Section 5.1.1.
pub(super) fn sbox(byte: u8) -> u8 {
    let inverse = (0..=255).find(|b| times(byte, *b) == 1).unwrap_or(0);
    (1..5).fold(inverse ^ 0x63, |sum, i| sum ^ inverse.rotate_left(i))
}

pub(super) fn round_keys(key: &[u8], sbox: &[u8; 256]) -> Vec<Block> {
    let sub = |word: [u8; 4]| word.map(|byte| sbox[usize::from(byte)]);
    let words = key.len() / 4;
    let mut w: Vec<[u8; 4]> = key.as_chunks().0.to_vec();
    let mut constant = 1;
    for i in words..4 * (words + 7) {
        let mut word = w[i - 1];
        if i % words == 0 {
            word.rotate_left(1);
            word = sub(word);
            word[0] ^= constant;
            constant = times(constant, 2);
        } else if words > 6 && i % words == 4 {
            word = sub(word);
        }
        let before = w[i - words];
        w.push(core::array::from_fn(|n| word[n] ^ before[n]));
    }
    w.as_flattened().as_chunks().0.to_vec()
}

/// Section 5.1.3.
pub(super) fn mix_columns(t: Block) -> Block {
    core::array::from_fn(|i| {
        let row = |n: usize| t[i / 4 * 4 + (i + n) % 4];
        times(row(0), 2) ^ times(row(1), 3) ^ row(2) ^ row(3)
    })
}

/// Section 5.3.3.
pub(super) fn inverse_mix_columns(t: Block) -> Block {
    core::array::from_fn(|i| {
        let row = |n: usize| t[i / 4 * 4 + (i + n) % 4];
        times(row(0), 0x0e) ^ times(row(1), 0x0b) ^ times(row(2), 0x0d) ^ times(row(3), 0x09)
    })
}

pub(super) fn encrypt(keys: &[Block], block: Block, sbox: &[u8; 256]) -> Block {
    let add = |s: Block, key: &Block| core::array::from_fn(|i| s[i] ^ key[i]);
    let mut s: Block = add(block, &keys[0]);
    for (round, key) in keys.iter().enumerate().skip(1) {
        let t: Block = core::array::from_fn(|i| sbox[usize::from(s[(i + 4 * (i % 4)) % 16])]);
        s = add(
            if round + 1 < keys.len() {
                mix_columns(t)
            } else {
                t
            },
            key,
        );
    }
    s
}
