//! What is right at any length, by plain integers.

use crate::harness::reference::{Block, Gcm, Poly, length_block, xor};
use crate::harness::{Checked, Random, ensure};

/// Bytes of the pattern that ciphertexts and AADs repeat: whole blocks, and pages.
pub(super) const PATTERN: usize = 4 << 20;

/// A key, a nonce and a pattern.
pub(super) struct Reference {
    pub(super) gcm: Gcm,
    pub(super) j0: Block,
    pub(super) pattern: Vec<u8>,
    /// The hash of the pattern, and the power of H by which it moves the hash before it.
    once: Poly,
    power: Poly,
}

impl Reference {
    pub(super) fn new() -> Self {
        let gcm = Gcm::new(&super::calls::key());
        let pattern = Random::new(0x10_0001).bytes(PATTERN);
        Self {
            j0: gcm.j0(&super::calls::NONCE),
            once: gcm.hash(Poly(0), &pattern),
            power: gcm.h.power(PATTERN as u128 / 16),
            pattern,
            gcm,
        }
    }

    /// The hash behind the first `len` bytes of the pattern repeated, filled up to blocks.
    fn hash(&self, y: Poly, len: u64) -> Poly {
        let (repeats, rest) = (len / PATTERN as u64, (len % PATTERN as u64) as usize);
        // So many patterns make `y * a + b` of `y`.
        let (mut a, mut b) = (Poly::ONE, Poly(0));
        for bit in (0..64).rev() {
            (a, b) = (a.times(a), b.times(a).add(b));
            if repeats >> bit & 1 == 1 {
                (a, b) = (a.times(self.power), b.times(self.power).add(self.once));
            }
        }
        self.gcm.hash(y.times(a).add(b), &self.pattern[..rest])
    }

    /// The tag of so much of the pattern as AAD and as ciphertext.
    pub(super) fn tag(&self, aad_len: usize, text_len: u64) -> Block {
        let y = self.hash(self.hash(Poly(0), aad_len as u64), text_len);
        let y = self.gcm.hash(y, &length_block(aad_len, text_len as usize));
        xor(&y.to_block(), &self.gcm.aes.encrypt(&self.j0))
    }

    /// The key stream of block `n` of the text.
    pub(super) fn key_stream(&self, n: u64) -> Block {
        let mut counter = self.j0;
        let count = u32::try_from(n + 2).expect("the longest text has so many blocks");
        counter[12..].copy_from_slice(&count.to_be_bytes());
        self.gcm.aes.encrypt(&counter)
    }

    /// The ciphertext from byte `at` on.
    fn sealed(&self, at: u64, len: usize) -> impl Iterator<Item = &[u8]> {
        let mut skip = (at % PATTERN as u64) as usize;
        let mut left = len;
        core::iter::from_fn(move || {
            let part = &self.pattern[skip..PATTERN.min(skip + left)];
            skip = 0;
            left -= part.len();
            (!part.is_empty()).then_some(part)
        })
    }

    pub(super) fn fill(&self, at: u64, mut out: &mut [u8]) {
        for part in self.sealed(at, out.len()) {
            let (head, rest) = out.split_at_mut(part.len());
            head.copy_from_slice(part);
            out = rest;
        }
    }

    /// Whether this is the ciphertext from byte `at` on.
    pub(super) fn check_sealed(&self, mut at: u64, mut text: &[u8]) -> Checked {
        let len = text.len();
        for part in self.sealed(at, len) {
            let (head, rest) = text.split_at(part.len());
            if head != part {
                let wrong = head.iter().zip(part).position(|(a, b)| a != b);
                return Err(format!("wrong ciphertext in byte {at} + {wrong:?}"));
            }
            (at, text) = (at + part.len() as u64, rest);
        }
        Ok(len)
    }

    /// Whether this is the plaintext from byte `at` on, as far as a look at some of its blocks tells: the
    /// first and the last, those around powers of two, and one of so many.
    pub(super) fn check_plain(&self, at: u64, text: &[u8]) -> Checked {
        const STEP: u64 = 4093;
        let end_byte = at + text.len() as u64;
        let (first, end) = (at.div_ceil(16), end_byte.div_ceil(16));
        if first >= end {
            return Ok(0);
        }
        let steps = (first.next_multiple_of(STEP)..end).step_by(STEP as usize);
        let edges = (16..33).flat_map(|n| (1u64 << n) - 34..(1u64 << n) + 34);
        let some = edges.filter(|n| (first..end).contains(n)).chain(steps);
        let mut count = 0;
        for n in some.chain([first, end - 1]) {
            let from = (16 * n - at) as usize;
            let got = &text[from..text.len().min(from + 16)];
            let mut right = self.key_stream(n);
            let sealed = self.sealed(16 * n, got.len()).flatten();
            right.iter_mut().zip(sealed).for_each(|(a, b)| *a ^= b);
            ensure!(got == &right[..got.len()], "wrong plaintext of block {n}");
            count += 1;
        }
        Ok(count)
    }
}

#[test]
fn the_hash_of_a_pattern_repeated_is_that_of_its_bytes() {
    let reference = Reference::new();
    let len = 2 * PATTERN + 77;
    let mut text = vec![0; len];
    reference.fill(0, &mut text);
    assert_eq!(text[PATTERN + 5..], text[5..len - PATTERN]);
    let tag = reference.gcm.tag(&reference.j0, &text[..33], &text);
    assert_eq!(reference.tag(33, len as u64), tag);
}
