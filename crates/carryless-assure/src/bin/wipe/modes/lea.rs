//! LEA as KS X 3246 has it: its round keys and states, in the order of a block and side by side as vectors hold them.
#![allow(clippy::cast_possible_truncation, reason = "short keys")]

use super::standards::Made;
use crate::reference::Block;

const DELTA: [u32; 8] = [
    0xc3ef_e9db,
    0x4462_6b02,
    0x79e2_7c8a,
    0x78df_30ec,
    0x715e_a49e,
    0xc785_da0a,
    0xe04e_f22a,
    0xe5c4_0957,
];

/// The words of a block.
type State = [u32; 4];

/// How far apart blocks are whose words are neighbours in a vector: as its 128-bit lanes are transposed.
const APART: [usize; 3] = [1, 2, 4];

/// An expanded key.
pub(super) struct Lea {
    round_keys: Vec<[u32; 6]>,
}

/// The words as they lie in memory.
fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

impl Made {
    /// A key and its round keys, and the words that they are made in.
    pub(super) fn lea_key(&mut self, key: &[u8]) -> Lea {
        let (words, _) = key.as_chunks();
        let mut t: Vec<u32> = words.iter().copied().map(u32::from_le_bytes).collect();
        let n = t.len();
        let (mut lea, mut all) = (Lea { round_keys: vec![] }, vec![]);
        for round in 0..16 + 2 * n {
            let mut made = [0; 6];
            for (j, rotation) in [1, 3, 6, 11, 13, 17].into_iter().take(n).enumerate() {
                let at = if n == 8 { (6 * round + j) % 8 } else { j };
                let delta = DELTA[round % n].rotate_left((round + j) as u32);
                t[at] = t[at].wrapping_add(delta).rotate_left(rotation);
                made[j] = t[at];
                self.secrets.add("word of the key schedule", &bytes(&t));
                self.secrets.add("round key", &bytes(&[t[at]; 2]));
            }
            if n == 4 {
                made = [made[0], made[1], made[2], made[1], made[3], made[1]];
            }
            all.extend(made);
            lea.round_keys.push(made);
        }
        self.secrets.add("round key", &bytes(&all));
        lea
    }

    /// Encrypts a block.
    pub(super) fn lea(&mut self, lea: &Lea, block: &Block) -> Block {
        let mut x = [0, 4, 8, 12].map(|at| {
            let [a, b, c, d, ..] = block[at..] else {
                return 0;
            };
            u32::from_le_bytes([a, b, c, d])
        });
        let mut states = vec![];
        for k in &lea.round_keys {
            let mixed = |i: usize| (x[i] ^ k[2 * i], x[i + 1] ^ k[2 * i + 1]);
            let sums = [mixed(0), mixed(1), mixed(2)];
            if states.is_empty() {
                // Of counter blocks the same in each, and known but for the key.
                for word in sums.map(|(a, b)| [a, b]).as_flattened() {
                    self.secrets
                        .add("text with the first round key", &bytes(&[*word; 2]));
                }
            }
            let [a, b, c] = sums.map(|(a, b)| a.wrapping_add(b));
            x = [a.rotate_left(9), b.rotate_right(5), c.rotate_right(3), x[0]];
            states.push(x);
        }
        // What is encrypted may be public, and so may what comes of it, of which the state before has a word.
        states.pop();
        for state in &states {
            // Words change their places from round to round.
            self.secrets
                .add("state of LEA", &bytes(&[*state; 2].concat()));
        }
        states.pop();
        let passed = core::mem::take(&mut self.passed);
        for before in APART
            .iter()
            .filter_map(|back| passed.len().checked_sub(*back))
        {
            for (a, b) in passed[before].iter().zip(&states) {
                // The last word is the first of the state before.
                for i in 0..3 {
                    self.secrets.add("states of LEA", &bytes(&[a[i], b[i]]));
                }
            }
        }
        self.passed = passed;
        self.passed.push(states);
        let mut block = [0; 16];
        for (place, word) in block.as_chunks_mut().0.iter_mut().zip(x) {
            *place = word.to_le_bytes();
        }
        block
    }
}

/// The states of a block that was encrypted, behind each round.
pub(super) type Passed = Vec<State>;
