//! AES-GCM as the standards print it: what every engine is checked against.
//!
//! Shares no line with the library, and no idea: the S-box is computed from its definition, the
//! field product is Horner's rule on the polynomial as it is written in a book. Variable time, for
//! tests only.
#![allow(clippy::cast_possible_truncation, reason = "bytes of numbers")]

use std::vec;
use std::vec::Vec;

pub(crate) type Block = [u8; 16];

/// The product in GF(2^8) modulo `x^8 + x^4 + x^3 + x + 1` (FIPS 197 section 4.2).
pub(crate) const fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 != 0 {
            product ^= a;
        }
        a = (a << 1) ^ if a & 0x80 != 0 { 0x1b } else { 0 };
        b >>= 1;
    }
    product
}

/// SubBytes of one byte: the inverse, then the affine map (FIPS 197 section 5.1.1).
const fn substitute(byte: u8) -> u8 {
    let (mut inverse, mut i) = (1, 0);
    while i < 254 {
        inverse = times(inverse, byte);
        i += 1;
    }
    inverse
        ^ inverse.rotate_left(1)
        ^ inverse.rotate_left(2)
        ^ inverse.rotate_left(3)
        ^ inverse.rotate_left(4)
        ^ 0x63
}

#[allow(long_running_const_eval, reason = "256 inverses")]
pub(crate) static SBOX: [u8; 256] = {
    let (mut table, mut i) = ([0; 256], 0);
    while i < 256 {
        table[i] = substitute(i as u8);
        i += 1;
    }
    table
};

/// AES with a key of 16, 24 or 32 bytes (FIPS 197).
#[derive(Clone)]
pub(crate) struct Aes {
    pub(crate) round_keys: Vec<Block>,
}

impl Aes {
    pub(crate) fn new(key: &[u8]) -> Self {
        let n = key.len() / 4;
        let mut words: Vec<[u8; 4]> = key.chunks(4).map(|w| [w[0], w[1], w[2], w[3]]).collect();
        let mut constant = 1;
        while words.len() < 4 * (n + 7) {
            let i = words.len();
            let [a, b, c, d] = words[i - 1];
            let mut t = [a, b, c, d];
            if i.is_multiple_of(n) {
                t = [b, c, d, a].map(|x| SBOX[usize::from(x)]);
                t[0] ^= constant;
                constant = times(constant, 2);
            } else if n > 6 && i % n == 4 {
                t = t.map(|x| SBOX[usize::from(x)]);
            }
            let back = words[i - n];
            words.push([
                t[0] ^ back[0],
                t[1] ^ back[1],
                t[2] ^ back[2],
                t[3] ^ back[3],
            ]);
        }
        let round_keys = words
            .chunks(4)
            .map(|w| core::array::from_fn(|i| w[i / 4][i % 4]));
        Self {
            round_keys: round_keys.collect(),
        }
    }

    pub(crate) fn encrypt(&self, block: &Block) -> Block {
        let last = self.round_keys.len() - 1;
        let mut state = xor(block, &self.round_keys[0]);
        for (r, key) in self.round_keys.iter().enumerate().skip(1) {
            state = round(&state, key, r < last);
        }
        state
    }
}

/// One round of the cipher, with or without MixColumns (FIPS 197 section 5.1).
pub(crate) fn round(state: &Block, key: &Block, mix: bool) -> Block {
    let sub = state.map(|x| SBOX[usize::from(x)]);
    let shifted: Block = core::array::from_fn(|i| sub[(i + 4 * (i % 4)) % 16]);
    let mixed: Block = core::array::from_fn(|i| {
        let at = |row: usize| shifted[i / 4 * 4 + (i + row) % 4];
        times(at(0), 2) ^ times(at(1), 3) ^ at(2) ^ at(3)
    });
    xor(if mix { &mixed } else { &shifted }, key)
}

/// The four bytes of each column by the matrix whose first row that is.
fn mixed(state: &Block, row: [u8; 4]) -> Block {
    core::array::from_fn(|i| {
        let column = &state[i / 4 * 4..][..4];
        (0..4).fold(0, |sum, j| sum ^ times(row[(j + 4 - i % 4) % 4], column[j]))
    })
}

/// InvMixColumns (FIPS 197 section 5.3.3).
#[allow(dead_code, reason = "not every suite decrypts")]
pub(crate) fn inverse_mix_columns(state: &Block) -> Block {
    mixed(state, [0x0e, 0x0b, 0x0d, 0x09])
}

/// InvShiftRows, InvSubBytes, InvMixColumns unless it is the last round, AddRoundKey (FIPS 197 section 5.3.5).
#[allow(dead_code, reason = "not every suite decrypts")]
pub(crate) fn inverse_round(state: &Block, key: &Block, mix: bool) -> Block {
    let s: Block = core::array::from_fn(|i| {
        let byte = state[(i + 16 - 4 * (i % 4)) % 16];
        (0..=255)
            .find(|b: &u8| SBOX[usize::from(*b)] == byte)
            .unwrap_or_default()
    });
    xor(&if mix { inverse_mix_columns(&s) } else { s }, key)
}

pub(crate) fn xor(a: &Block, b: &Block) -> Block {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// A polynomial over GF(2) below degree 128: bit `i` is the coefficient of `x^i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Poly(pub(crate) u128);

impl Poly {
    pub(crate) const ONE: Self = Self(1);

    /// The block's first bit is the coefficient of `x^0` (SP 800-38D section 6.3).
    pub(crate) fn from_block(block: &Block) -> Self {
        Self(u128::from_be_bytes(*block).reverse_bits())
    }

    pub(crate) fn to_block(self) -> Block {
        self.0.reverse_bits().to_be_bytes()
    }

    pub(crate) fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// Horner's rule, modulo `x^128 + x^7 + x^2 + x + 1`.
    pub(crate) fn times(self, other: Self) -> Self {
        let mut sum = 0u128;
        for i in (0..128).rev() {
            sum = (sum << 1) ^ (0x87 * (sum >> 127));
            if self.0 >> i & 1 == 1 {
                sum ^= other.0;
            }
        }
        Self(sum)
    }

    pub(crate) fn power(self, mut n: u128) -> Self {
        let (mut result, mut square) = (Self::ONE, self);
        while n > 0 {
            if n & 1 == 1 {
                result = result.times(square);
            }
            square = square.times(square);
            n >>= 1;
        }
        result
    }

    /// By Fermat: the group has `2^128 - 1` elements.
    pub(crate) fn inverse(self) -> Self {
        self.power(u128::MAX - 1)
    }
}

/// The blocks of `data`, the last filled up with zeros.
pub(crate) fn blocks(data: &[u8]) -> impl Iterator<Item = Block> + '_ {
    data.chunks(16).map(|chunk| {
        let mut block = [0; 16];
        block[..chunk.len()].copy_from_slice(chunk);
        block
    })
}

/// The last block of the hash.
pub(crate) fn length_block(aad_len: usize, text_len: usize) -> Block {
    (((8 * aad_len as u128) << 64) | (8 * text_len as u128)).to_be_bytes()
}

/// A key of GCM over AES.
#[derive(Clone)]
pub(crate) struct Gcm {
    pub(crate) aes: Aes,
    pub(crate) h: Poly,
}

impl Gcm {
    pub(crate) fn new(key: &[u8]) -> Self {
        let aes = Aes::new(key);
        let h = Poly::from_block(&aes.encrypt(&[0; 16]));
        Self { aes, h }
    }

    /// One step of GHASH for each block.
    pub(crate) fn hash(&self, y: Poly, data: &[u8]) -> Poly {
        blocks(data).fold(y, |y, block| y.add(Poly::from_block(&block)).times(self.h))
    }

    pub(crate) fn j0(&self, nonce: &[u8]) -> Block {
        if nonce.len() == 12 {
            let mut j0 = [0; 16];
            j0[..12].copy_from_slice(nonce);
            j0[15] = 1;
            j0
        } else {
            self.hash(self.hash(Poly(0), nonce), &length_block(0, nonce.len()))
                .to_block()
        }
    }

    /// The 16-byte nonce whose pre-counter block is `j0`: GHASH of two blocks, solved for the first.
    pub(crate) fn nonce_for(&self, j0: &Block) -> Block {
        let back = self.h.inverse();
        let length = Poly::from_block(&length_block(0, 16));
        Poly::from_block(j0)
            .times(back)
            .add(length)
            .times(back)
            .to_block()
    }

    pub(crate) fn key_stream(&self, j0: &Block, len: usize) -> Vec<u8> {
        let mut stream = Vec::new();
        let mut counter = *j0;
        while stream.len() < len {
            counter = increment(&counter);
            stream.extend_from_slice(&self.aes.encrypt(&counter));
        }
        stream.truncate(len);
        stream
    }

    pub(crate) fn ctr(&self, j0: &Block, text: &[u8]) -> Vec<u8> {
        self.key_stream(j0, text.len())
            .iter()
            .zip(text)
            .map(|(a, b)| a ^ b)
            .collect()
    }

    pub(crate) fn tag(&self, j0: &Block, aad: &[u8], ciphertext: &[u8]) -> Block {
        let y = self.hash(self.hash(Poly(0), aad), ciphertext);
        let y = self.hash(y, &length_block(aad.len(), ciphertext.len()));
        xor(&y.to_block(), &self.aes.encrypt(j0))
    }

    pub(crate) fn seal(&self, nonce: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, Block) {
        let j0 = self.j0(nonce);
        let ciphertext = self.ctr(&j0, text);
        let tag = self.tag(&j0, aad, &ciphertext);
        (ciphertext, tag)
    }

    /// The sealed forms of all prefixes of `text`, at the price of one.
    pub(crate) fn prefixes(&self, nonce: &[u8], aad: &[u8], text: &[u8]) -> Prefixes<'_> {
        let j0 = self.j0(nonce);
        let ciphertext = self.ctr(&j0, text);
        let mut sums = vec![self.hash(Poly(0), aad)];
        for block in ciphertext.chunks_exact(16) {
            sums.push(self.hash(sums[sums.len() - 1], block));
        }
        Prefixes {
            gcm: self,
            aad_len: aad.len(),
            mask: self.aes.encrypt(&j0),
            ciphertext,
            sums,
        }
    }
}

/// See [`Gcm::prefixes`].
pub(crate) struct Prefixes<'g> {
    gcm: &'g Gcm,
    aad_len: usize,
    mask: Block,
    pub(crate) ciphertext: Vec<u8>,
    /// The hash before each whole block of the ciphertext.
    sums: Vec<Poly>,
}

impl Prefixes<'_> {
    /// The tag of the first `len` bytes.
    pub(crate) fn tag(&self, len: usize) -> Block {
        let y = self
            .gcm
            .hash(self.sums[len / 16], &self.ciphertext[len / 16 * 16..len]);
        let y = self.gcm.hash(y, &length_block(self.aad_len, len));
        xor(&y.to_block(), &self.mask)
    }
}

/// inc32 (SP 800-38D section 6.2).
pub(crate) fn increment(block: &Block) -> Block {
    let mut next = *block;
    let count = u32::from_be_bytes([block[12], block[13], block[14], block[15]]).wrapping_add(1);
    next[12..].copy_from_slice(&count.to_be_bytes());
    next
}
