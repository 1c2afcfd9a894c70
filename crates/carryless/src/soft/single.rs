//! AES on one block in the bytes of a vector, whose S-box lies in sixteen others. For chains: each block waits for the one before,
//! and of planes of eight blocks seven would be empty.
//!
//! Look-ups in registers take the same time whatever they look up. What is here leaves round keys on its stack.
#![forbid(unsafe_code)]

use super::sbox::NEGATED_WORD;
use super::schedule::{MAX_KEYS, RoundKey, skew};
use crate::block::Block;
use crate::simd::aarch64::bytes::{
    self as v, V, constant, insert, load, permute, splat, store, xor,
};
use crate::simd::{InOut, NeonPlanes, Planes};

/// SubBytes but for the NOTs that round keys have ([`super::sbox::NEGATED`]).
const SBOX: [Block; 16] = {
    let mut table = [[0; 16]; 16];
    let (mut power, mut inverse) = (1u8, 1u8);
    // All elements but 0, as powers of 3.
    loop {
        power ^= (power << 1) ^ ((power >> 7) * 0x1b);
        inverse ^= inverse << 1;
        inverse ^= inverse << 2;
        inverse ^= inverse << 4;
        inverse ^= (inverse >> 7) * 9;
        let (mut sum, mut i) = (inverse, 1);
        while i < 5 {
            sum ^= inverse.rotate_left(i);
            i += 1;
        }
        table[(power >> 4) as usize][(power & 15) as usize] = sum;
        if power == 1 {
            break table;
        }
    }
};

/// For each byte the number of that which comes there from `rows` below, when row `r` goes `r * skew` columns to the left.
const fn order(rows: usize, skew: usize) -> u128 {
    let (mut order, mut n) = (0, 0);
    while n < 16 {
        let row = (n + rows) % 4;
        let from = row + 4 * ((n / 4 + row * skew) % 4);
        order |= (from as u128) << (8 * n);
        n += 1;
    }
    order
}

/// Those of round keys, whose rows stand to the right.
const STRAIGHT: [u128; 4] = [order(0, 0), order(0, 1), order(0, 2), order(0, 3)];

/// The S-box in sixteen vectors.
struct Sbox([[V; 4]; 4]);

impl Sbox {
    #[inline(always)]
    fn new() -> Self {
        let row = |i: usize| [0, 1, 2, 3].map(|j| load(&SBOX[4 * i + j]));
        Self([row(0), row(1), row(2), row(3)])
    }

    /// Two look-ups side by side, each in one half of the table.
    #[inline(always)]
    fn sub_bytes(&self, state: V) -> V {
        let [a, b, c, d] = self.0;
        let behind = |at| xor(state, splat(at));
        let low = v::look_up_or(v::look_up(a, state), b, behind(0x40));
        let high = v::look_up_or(v::look_up(c, behind(0x80)), d, behind(0xc0));
        xor(low, high)
    }
}

/// What encrypts.
struct Single {
    sbox: Sbox,
    keys: [V; MAX_KEYS],
    /// How many there are.
    count: usize,
}

impl Single {
    /// # Constant time
    /// Secret: `planes`. Public: how many keys.
    #[inline(always)]
    fn new(planes: &[RoundKey<NeonPlanes>]) -> Self {
        let (count, mut keys) = (planes.len(), [splat(0); MAX_KEYS]);
        for (round, (key, planes)) in keys.iter_mut().zip(planes).enumerate() {
            let mut bytes = splat(0);
            for (bit, plane) in NeonPlanes::spread(planes).into_iter().enumerate() {
                bytes = insert(bytes, plane.vector(), splat(1 << bit));
            }
            *key = permute(bytes, constant(STRAIGHT[skew(round, count)]));
        }
        Self {
            sbox: Sbox::new(),
            keys,
            count,
        }
    }

    /// # Constant time
    /// Secret: all but how many keys.
    #[inline(always)]
    fn encrypt(&self, block: V) -> V {
        let Some([first, inner @ .., last]) = self.keys.get(..self.count) else {
            return block;
        };
        let mut state = xor(block, *first);
        for key in inner {
            let bytes = self.sbox.sub_bytes(state);
            let here = permute(bytes, constant(const { order(0, 1) }));
            let below = permute(bytes, constant(const { order(1, 1) }));
            // MixColumns: 2 (a + b) + b + c + d, of a row and those below it.
            let sum = xor(here, below);
            let others = xor(v::swap_pairs(sum), xor(below, *key));
            state = xor(doubled(sum), others);
        }
        let bytes = self.sbox.sub_bytes(state);
        xor(permute(bytes, constant(const { order(0, 1) })), *last)
    }
}

/// SubWord of the key schedule (FIPS 197 section 5.2).
///
/// # Constant time
/// Secret: `word`.
#[inline(always)]
pub(super) fn sub_word(word: u32) -> u32 {
    let [bytes, _] = v::words(Sbox::new().sub_bytes(v::of_words([word.into(), 0])));
    #[expect(clippy::cast_possible_truncation, reason = "the bytes of a word")]
    let bytes = bytes as u32;
    bytes ^ NEGATED_WORD
}

/// Each byte doubled in GF(2^8).
#[inline(always)]
fn doubled(bytes: V) -> V {
    let carries = v::and(v::sign(bytes), splat(0x1b));
    xor(carries, v::add(bytes, bytes))
}

/// Encrypts a block.
///
/// # Constant time
/// Secret: `keys`, `block`. Public: how many keys.
#[inline(never)]
pub(super) fn encrypt_block(keys: &[RoundKey<NeonPlanes>], block: &mut Block) {
    let sum = Single::new(keys).encrypt(load(block));
    store(block, sum);
}

/// Encrypts a chain (CBC) of whole blocks.
///
/// # Constant time
/// Secret: `keys`, `chain`, `text`. Public: the length of the text, how many keys.
#[inline(never)]
pub(super) fn encrypt_cbc(keys: &[RoundKey<NeonPlanes>], chain: &mut Block, mut text: InOut<'_>) {
    let (single, mut state) = (Single::new(keys), load(chain));
    while let Some(mut now) = text.split_to(16) {
        let mut block = now.get(0);
        state = single.encrypt(xor(state, load(&block)));
        store(&mut block, state);
        now.set(0, &block);
    }
    store(chain, state);
}

/// The last block of a chain.
///
/// # Constant time
/// Secret: `keys`, `chain`, `data`. Public: the length of the data, how many keys.
#[inline(never)]
pub(super) fn mac_cbc(keys: &[RoundKey<NeonPlanes>], chain: &mut Block, data: &[u8]) {
    let (single, mut state) = (Single::new(keys), load(chain));
    for block in data.as_chunks().0 {
        state = single.encrypt(xor(state, load(block)));
    }
    store(chain, state);
}

#[cfg(test)]
mod tests {
    use super::SBOX;
    use crate::soft::sbox::NEGATED;
    use crate::soft::tests::sbox_table;

    #[test]
    fn p5_the_table_is_the_sbox() {
        let table = sbox_table().map(|byte| byte ^ NEGATED);
        assert_eq!(SBOX.as_flattened(), table);
    }
}
