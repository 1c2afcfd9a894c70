//! One message and everything secret that exists while it is sealed or opened.

use carryless::Engine;
use carryless_assure::Cipher;

use crate::reference::{Block, Gcm, Poly, blocks, increment, length_block, round, xor};
use crate::secrets::Secrets;

/// What a block of counter mode is before the first round.
const FIRST: &str = "counter with the first round key";

/// Blocks of a turn of kernels.
const TURN: usize = 8;

/// The lengths of a case.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) cipher: Cipher,
    pub(crate) nonce_len: usize,
    pub(crate) aad_len: usize,
    pub(crate) text_len: usize,
}

impl core::fmt::Display for Shape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self {
            cipher,
            nonce_len,
            aad_len,
            text_len,
        } = self;
        write!(
            f,
            "{cipher:?}, nonce {nonce_len}, AAD {aad_len}, text {text_len}"
        )
    }
}

/// A message, sealed by the reference.
pub(crate) struct Message {
    pub(crate) shape: Shape,
    pub(crate) key: Vec<u8>,
    pub(crate) nonce: Vec<u8>,
    pub(crate) aad: Vec<u8>,
    pub(crate) text: Vec<u8>,
    pub(crate) ciphertext: Vec<u8>,
    pub(crate) tag: Block,
    gcm: Gcm,
}

/// Bytes that look random (splitmix64).
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let word = |i: usize| {
        let z = (seed + i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31).to_le_bytes()
    };
    (0..len).map(|i| word(i / 8)[i % 8]).collect()
}

impl Message {
    pub(crate) fn new(shape: Shape) -> Self {
        let key_len = shape.cipher.key_len();
        let key = bytes(0x1000 + key_len as u64, key_len);
        Self::under(key, bytes(0x2000, shape.nonce_len), shape)
    }

    /// Under a key and a nonce.
    pub(crate) fn under(key: Vec<u8>, nonce: Vec<u8>, shape: Shape) -> Self {
        let (aad, text) = (bytes(0x3000, shape.aad_len), bytes(0x4000, shape.text_len));
        let gcm = Gcm::new(&key);
        let (ciphertext, tag) = gcm.seal(&nonce, &aad, &text);
        Self {
            shape,
            key,
            nonce,
            aad,
            text,
            ciphertext,
            tag,
            gcm,
        }
    }

    /// The same message, sealed by another mode.
    pub(crate) fn sealed_as(&self, ciphertext: Vec<u8>, tag: Block) -> Self {
        Self {
            ciphertext,
            tag,
            ..Self::new(self.shape)
        }
    }

    /// H, for the hash alone.
    pub(crate) fn h(&self) -> Block {
        self.gcm.h.to_block()
    }

    /// One of the round keys.
    pub(crate) fn round_key(&self) -> Block {
        self.gcm.aes.round_keys[1]
    }

    /// The secrets of the key: raw, expanded, powers of H.
    pub(crate) fn key_secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        self.add_key_secrets(&mut secrets);
        secrets
    }

    /// The same, to others.
    pub(crate) fn add_key_secrets(&self, secrets: &mut Secrets) {
        secrets.add("raw key", &self.key);
        for key in &self.gcm.aes.round_keys {
            secrets.add_block("round key", *key);
        }
        for n in 1..=16 {
            secrets.add_block("power of H", self.gcm.h.power(n).to_block());
        }
        for last in 0..=255 {
            secrets.add_column("row of the first rounds", self.first_round(last));
        }
    }

    /// What the last byte of a counter block becomes in the first round: the column that is not zero.
    pub(crate) fn first_round(&self, last: u8) -> [u8; 4] {
        let mut block = [0; 16];
        let zero = self.behind_first(&block);
        block[15] = last;
        first_column(&xor(&self.behind_first(&block), &zero))
    }

    /// A block behind the first round, without the second key.
    fn behind_first(&self, block: &Block) -> Block {
        round(&xor(block, &self.gcm.aes.round_keys[0]), &[0; 16], true)
    }

    /// Of the secrets of a long message those that are made per block of AAD and text once, not per round.
    pub(crate) fn add_long_secrets(&self, secrets: &mut Secrets, failed: bool) {
        self.add_hashes(secrets);
        if failed {
            secrets.add_block("right tag", self.tag);
        }
    }

    /// The secrets of the message, beside those of its key: of counter mode, of the hash, and what
    /// a failed opening must not give away.
    pub(crate) fn add_secrets(&self, secrets: &mut Secrets, failed: bool) {
        let j0 = self.j0();
        if self.shape.nonce_len != 12 {
            secrets.add_block("J0", j0);
        }
        // Of an empty message it is the tag.
        if !(self.aad.is_empty() && self.text.is_empty()) {
            self.add_states(secrets, "E(J0)", &j0);
        }
        // Kernels keep a part of it beside a count of their own.
        let mut uncounted = j0;
        uncounted[12..].fill(0);
        secrets.add_block(FIRST, xor(&uncounted, &self.gcm.aes.round_keys[0]));
        let mut counter = j0;
        for _ in blocks(&self.text) {
            counter = increment(&counter);
            self.add_states(secrets, "key stream", &counter);
        }
        self.add_first_columns(secrets);
        // Engines add the last round key to the text first.
        if let Some(last) = self.gcm.aes.round_keys.last() {
            for block in blocks(&self.text).chain(blocks(&self.ciphertext)) {
                secrets.add_block("text with the last round key", xor(&block, last));
            }
        }
        self.add_hashes(secrets);
        if failed {
            secrets.add_block("right tag", self.tag);
            secrets.add("text", &self.text);
        }
    }

    /// Where one round makes the first columns of four counter blocks: those, the second key with the other columns of the blocks,
    /// and the bytes that a first column is made from.
    pub(crate) fn add_first_columns(&self, secrets: &mut Secrets) {
        let (mut counter, mut firsts) = (self.j0(), Vec::new());
        // Those of a turn behind the text are there as well.
        for _ in 0..blocks(&self.text).count() + TURN {
            counter = increment(&counter);
            let first = first_column(&self.behind_first(&counter));
            secrets.add_block("second round key with columns", self.second_key(&counter));
            secrets.add_column("first column", first);
            firsts.extend_from_slice(&first);
        }
        secrets.add("first columns", &firsts);
        let key = &self.gcm.aes.round_keys[0];
        let start = xor(&self.j0(), key);
        let bytes = [start[0], start[5], start[10], key[15]];
        secrets.add("bytes of a first column", &[bytes, bytes].concat());
    }

    /// Of the first two blocks the second key with the other columns, and the first columns.
    pub(crate) fn begun(&self) -> [Block; 2] {
        let one = increment(&self.j0());
        let firsts = [one, increment(&one)].map(|block| first_column(&self.behind_first(&block)));
        let mut columns = [0; 16];
        columns[..8].copy_from_slice(firsts.as_flattened());
        [self.second_key(&one), columns]
    }

    /// The second key with the columns of a counter block behind the first round, but for the first.
    fn second_key(&self, counter: &Block) -> Block {
        let mut others = self.behind_first(counter);
        others[..4].fill(0);
        xor(&others, &self.gcm.aes.round_keys[1])
    }

    /// The pre-counter block.
    fn j0(&self) -> Block {
        self.gcm.j0(&self.nonce)
    }

    /// The states of AES on the way from `block`: with a known block each tells a round key.
    fn add_states(&self, secrets: &mut Secrets, what: &'static str, block: &Block) {
        let keys = &self.gcm.aes.round_keys;
        let mut state = xor(block, &keys[0]);
        for (r, key) in keys.iter().enumerate().skip(1) {
            let name = if r == 1 { FIRST } else { "state of AES" };
            secrets.add_block(name, state);
            state = round(&state, key, r + 1 < keys.len());
        }
        secrets.add_block(what, state);
    }

    /// The hash after each block: with a known text each tells H.
    fn add_hashes(&self, secrets: &mut Secrets) {
        let lengths = length_block(self.aad.len(), self.text.len());
        let hashed = blocks(&self.aad)
            .chain(blocks(&self.ciphertext))
            .chain([lengths]);
        let mut y = Poly(0);
        for block in hashed {
            y = self.gcm.hash(y, &block);
            secrets.add_block("hash in the making", y.to_block());
        }
    }
}

/// The engine by name, if the argument asks for one.
pub(crate) fn engines(only: Option<&str>) -> Vec<Engine> {
    Engine::available()
        .filter(|engine| only.is_none_or(|name| engine.name() == name))
        .collect()
}

/// The first column of a state.
fn first_column(state: &Block) -> [u8; 4] {
    [state[0], state[1], state[2], state[3]]
}
