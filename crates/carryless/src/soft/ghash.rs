//! GHASH by integer multiplication with holes.
//!
//! An operand with ones only in every fourth place is a polynomial over GF(2) whose product, computed
//! in integers, has in every fourth place the parity that is wanted and above it room for the count
//! (Pornin, BearSSL `ghash_ctmul64`; `docs/math.md` 8). A word is four such operands, its
//! **classes**: bit `4t + i` of the word is bit `4t` of class `i`.
//!
//! The multipliers of CPUs differ, thus also the words: each [`Multiplier`] makes the product of blocks
//! from those of its own, and the rest is common. Two things are done here that the sources do not do,
//! both because parity is linear:
//!
//! * Words and classes are multiplied like polynomials, by Karatsuba at every level ([`karatsuba`]).
//!   The words of a power of H are stored.
//! * Sums over a batch of blocks are taken of the raw integers, with all counts still in them.
//!   Picking parities, putting the classes together and reducing happens once per batch.
//!
//! NEON has carry-less products of bytes, which need no holes (`by8`).
#![forbid(unsafe_code)]

mod by16;
mod by32;
mod by64;
#[cfg(carryless_a64)]
mod by8;
mod fourths;
mod karatsuba;

use zeroize::ZeroizeOnDrop;

#[cfg(carryless_a64)]
pub use by8::By8;
pub use by16::By16;
pub use by32::By32;
pub use by64::By64;

use crate::block::Block;
use crate::field::twist;
use crate::secret::erase;

/// How blocks are multiplied: by which words.
pub trait Multiplier: Copy + Send + Sync + 'static {
    /// Powers of H that are stored, thus blocks of a batch.
    const POWERS: usize;
    /// So many blocks.
    type Batch: Copy + AsRef<[Block]> + AsMut<[Block]>;
    /// None in it.
    const NO_BLOCKS: Self::Batch;
    /// The powers of H, prepared; number `n` is H^(POWERS - n), twisted (`field::twist`).
    type Powers: Copy + Send + Sync;
    /// No power stored yet.
    const NO_POWERS: Self::Powers;
    /// Intermediate values of a batch, in one place so that they can be wiped once per call.
    type Scratch: Copy;
    /// Nothing in them.
    const NO_SCRATCH: Self::Scratch;
    /// Whether what a batch has room for is copied at once, not block by block.
    const COPIES: bool = false;

    /// Stores power number `n`.
    ///
    /// # Constant time
    /// Secret: `power`. Public: `n`.
    fn set(powers: &mut Self::Powers, n: usize, power: u128);

    /// `(acc + blocks[0]) * H^n + .. + blocks[n - 1] * H` for `n` from 1 to `POWERS`, not reduced: four words,
    /// lowest first.
    ///
    /// # Constant time
    /// Secret: `powers`, `acc`, `blocks`. Public: the number of blocks.
    fn sum_of_products(
        powers: &Self::Powers,
        acc: u128,
        blocks: &[Block],
        scratch: &mut Self::Scratch,
    ) -> [u64; 4];
}

/// The powers of H as `M` wants them.
#[derive(Clone)]
pub struct HashKey<M: Multiplier>(M::Powers);

impl<M: Multiplier> Default for HashKey<M> {
    fn default() -> Self {
        Self(M::NO_POWERS)
    }
}

impl<M: Multiplier> Drop for HashKey<M> {
    fn drop(&mut self) {
        erase(&mut self.0, &M::NO_POWERS);
    }
}

impl<M: Multiplier> ZeroizeOnDrop for HashKey<M> {}

/// The product modulo the reversed polynomial and times x^-128 (`docs/math.md` 2): four words,
/// lowest first, of which the lower two are folded.
#[inline(always)]
const fn reduce(v: [u64; 4]) -> u128 {
    let [v0, mut v1, mut v2, mut v3] = v;
    v2 ^= v0 ^ (v0 >> 1) ^ (v0 >> 2) ^ (v0 >> 7);
    v1 ^= (v0 << 63) ^ (v0 << 62) ^ (v0 << 57);
    v3 ^= v1 ^ (v1 >> 1) ^ (v1 >> 2) ^ (v1 >> 7);
    v2 ^= (v1 << 63) ^ (v1 << 62) ^ (v1 << 57);
    (v3 as u128) << 64 | v2 as u128
}

impl<M: Multiplier> HashKey<M> {
    /// Prepares the powers of `h`, the block as a big-endian integer.
    ///
    /// # Constant time
    /// Secret: `h`.
    pub fn new(h: &Block) -> Self {
        let mut scratch = M::NO_SCRATCH;
        let mut key = Self::default();
        let mut power = twist(u128::from_be_bytes(*h));
        M::set(&mut key.0, M::POWERS - 1, power);
        for n in (0..M::POWERS - 1).rev() {
            // By H alone, the last of the powers; that keeps the twist.
            power = key.product(power, &mut scratch);
            M::set(&mut key.0, n, power);
        }
        key
    }

    /// [`Multiplier::sum_of_products`], reduced.
    #[inline(always)]
    fn sum_of_products(&self, acc: u128, blocks: &[Block], scratch: &mut M::Scratch) -> u128 {
        reduce(M::sum_of_products(&self.0, acc, blocks, scratch))
    }

    /// `x * H`.
    #[inline(always)]
    fn product(&self, x: u128, scratch: &mut M::Scratch) -> u128 {
        self.sum_of_products(x, &[[0; 16]], scratch)
    }

    /// Hashes whole blocks into `acc`.
    ///
    /// # Constant time
    /// Secret: `self`, `acc`, `blocks`. Public: the number of blocks.
    pub fn update(&self, acc: &mut u128, blocks: &[u8]) {
        let mut hasher = Hasher::new(self, *acc);
        hasher.absorb(blocks);
        *acc = hasher.finish();
    }

    /// Multiplies `acc` by `H^blocks`: square and multiply, from the lowest bit up.
    ///
    /// # Constant time
    /// Secret: `self`, `acc`. Public: `blocks`.
    pub fn shift(&self, acc: &mut u128, mut blocks: u64) {
        /// The element 1.
        const ONE: u128 = 1 << 127;
        let mut scratch = M::NO_SCRATCH;
        // Of its powers only the first is kept: H, H^2, H^4, ..
        let mut square = self.clone();
        while blocks != 0 {
            if blocks & 1 == 1 {
                *acc = square.product(*acc, &mut scratch);
            }
            blocks >>= 1;
            let mut power = square.product(ONE, &mut scratch);
            power = square.product(power, &mut scratch);
            M::set(&mut square.0, M::POWERS - 1, twist(power));
        }
    }
}

/// A hash in the making that gathers blocks from several places into full batches.
pub struct Hasher<'a, M: Multiplier> {
    key: &'a HashKey<M>,
    acc: u128,
    waiting: M::Batch,
    count: usize,
    scratch: M::Scratch,
}

impl<'a, M: Multiplier> Hasher<'a, M> {
    /// Goes on from `acc`.
    pub fn new(key: &'a HashKey<M>, acc: u128) -> Self {
        Self {
            key,
            acc,
            waiting: M::NO_BLOCKS,
            count: 0,
            scratch: M::NO_SCRATCH,
        }
    }

    /// Hashes `data`, filled up with zeros to whole blocks.
    ///
    /// # Constant time
    /// Secret: the data and the hash. Public: the length.
    #[inline(always)]
    pub fn absorb(&mut self, data: &[u8]) {
        if !(M::COPIES && self.copy(data)) {
            self.absorb_blocks(data);
        }
    }

    /// Lets data wait, if there is room for it and for a block behind it; whether there is.
    fn copy(&mut self, data: &[u8]) -> bool {
        let blocks = data.len().div_ceil(16);
        if blocks >= M::POWERS - self.count {
            return false;
        }
        let place = &mut self.waiting.as_mut()[self.count..][..blocks];
        if let Some(last) = place.last_mut() {
            *last = [0; 16];
        }
        place.as_flattened_mut()[..data.len()].copy_from_slice(data);
        self.count += blocks;
        true
    }

    /// [`absorb`](Self::absorb) of data of any length.
    fn absorb_blocks(&mut self, data: &[u8]) {
        let (mut blocks, last) = data.as_chunks();
        if self.count > 0 || blocks.len() < M::POWERS {
            let (head, rest) = blocks.split_at(blocks.len().min(M::POWERS - self.count));
            self.push(head);
            blocks = rest;
        }
        let mut batches = blocks.chunks_exact(M::POWERS);
        for batch in &mut batches {
            self.acc = self.key.sum_of_products(self.acc, batch, &mut self.scratch);
        }
        self.push(batches.remainder());
        if !last.is_empty() {
            let mut block = [0; 16];
            block[..last.len()].copy_from_slice(last);
            self.push(&[block]);
        }
    }

    /// The hash so far.
    pub fn finish(&mut self) -> u128 {
        self.flush();
        self.acc
    }

    /// Lets blocks wait, as many as there is room for.
    fn push(&mut self, blocks: &[Block]) {
        let room = self.waiting.as_mut()[self.count..].iter_mut();
        for (waiting, block) in room.zip(blocks) {
            *waiting = *block;
        }
        self.count += blocks.len();
        if self.count == M::POWERS {
            self.flush();
        }
    }

    /// Hashes those that wait.
    fn flush(&mut self) {
        if self.count > 0 {
            let waiting = &self.waiting.as_ref()[..self.count];
            self.acc = self
                .key
                .sum_of_products(self.acc, waiting, &mut self.scratch);
        }
        self.count = 0;
    }
}

/// Blocks as big-endian integers, `acc` added to the first.
#[inline(always)]
fn integers<const N: usize>(acc: u128, blocks: &[Block; N]) -> [u128; N] {
    let mut integers = [0; N];
    for (integer, block) in integers.iter_mut().zip(blocks) {
        *integer = u128::from_be_bytes(*block);
    }
    integers[0] ^= acc;
    integers
}

/// The same behind zeros, which add nothing to a sum of products: for code that is to be small.
#[inline(always)]
fn behind_zeros<const N: usize>(acc: u128, blocks: &[Block]) -> [u128; N] {
    let mut integers = [0; N];
    for (integer, block) in integers.iter_mut().rev().zip(blocks.iter().rev()) {
        *integer = u128::from_be_bytes(*block);
    }
    if let Some(first) = integers.get_mut(N.wrapping_sub(blocks.len())) {
        *first ^= acc;
    }
    integers
}

#[cfg(test)]
mod tests;
