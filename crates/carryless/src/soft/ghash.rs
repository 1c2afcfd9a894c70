//! GHASH by integer multiplication with holes, in the wide form (64 x 64 -> 128 bits).
//!
//! An operand with ones only in every fourth place is a polynomial over GF(2) whose product, computed
//! in integers, has in every fourth place the parity that is wanted and above it room for the count
//! (Pornin, BearSSL `ghash_ctmul64`; techniques section 10). A 64-bit word is four such operands,
//! its **classes**: bit `4t + i` of the word is bit `4t` of class `i`.
//!
//! Three things are done here that the source does not do, all because parity is linear:
//!
//! * The classes are multiplied like polynomials of degree 3, two levels of Karatsuba: 9 products of a
//!   pair of words instead of 16, 27 of a pair of blocks. The 27 words of a power of H are stored.
//! * Sums over a batch of blocks are taken of the raw integers, with all counts still in them.
//!   Picking parities, putting the classes together and reducing happens once per batch.
//! * The count in the middle of a product could be 16, one more than fits. So the lowest bit of each
//!   class of H is cleared, and its product added by masks, it too as a sum over the batch.
#![forbid(unsafe_code)]

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::block::Block;
use crate::field::twist;
use crate::secret::erase;

/// Powers of H that are stored, thus blocks of a batch.
pub(super) const POWERS: usize = 4;
/// Products of words in a product of blocks.
const PRODUCTS: usize = 27;

/// Every fourth bit: class 0.
const CLASS: u64 = 0x1111_1111_1111_1111;
/// The parities in a sum of products of classes.
const PARITIES: u128 = (CLASS as u128) << 64 | CLASS as u128;
/// The lowest bit of each class.
const LOWEST: u64 = 0xf;

/// Terms that meet in one place of a product: one less than a class has places, as one factor's
/// lowest bit is clear.
const TERMS: u32 = CLASS.count_ones() - 1;
// The count must stay below the next place: 15 < 2^4, and no carry comes from the place below.
const _: () = assert!(TERMS < 1 << 4);

/// For each of the 27 products a row, for each block or power a column.
type Words = [[u64; POWERS]; PRODUCTS];

/// The powers of H, prepared; number `n` is H^(POWERS - n), twisted (`field::twist`).
#[derive(Clone)]
pub struct HashKey {
    /// The words that are multiplied: [`split`] of each power, without the lowest bits.
    words: Words,
    /// For the lowest four bits, of each of [`karatsuba`]'s words: all ones if set.
    masks: [[[u64; POWERS]; 3]; 4],
}

impl Drop for HashKey {
    fn drop(&mut self) {
        erase(&mut self.words, &[[0; POWERS]; PRODUCTS]);
        erase(&mut self.masks, &[[[0; POWERS]; 3]; 4]);
    }
}

impl ZeroizeOnDrop for HashKey {}

/// The halves of a block as integer, low one first.
#[inline(always)]
fn halves(x: u128) -> [u64; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    [x as u64, (x >> 64) as u64]
}

/// The words whose products make that of blocks: the low one, the high one, both added.
#[inline(always)]
fn karatsuba(x: u128) -> [u64; 3] {
    let [low, high] = halves(x);
    [low, high, low ^ high]
}

/// The nine words whose products, as [`combine`] wants them, make that of words.
#[inline(always)]
fn classes(w: u64) -> [u64; 9] {
    let (a, b, c, d) = (w & CLASS, w >> 1 & CLASS, w >> 2 & CLASS, w >> 3 & CLASS);
    [a, b, a ^ b, c, d, c ^ d, a ^ c, b ^ d, a ^ b ^ c ^ d]
}

/// Puts the 27 words whose products make that of blocks into column `n`.
#[inline(always)]
fn split(words: &mut Words, n: usize, x: u128) {
    let [low, high] = halves(x);
    let (low, high) = (classes(low), classes(high));
    macro_rules! put {
        ($($i:literal)*) => {$(
            words[$i][n] = low[$i];
            words[$i + 9][n] = high[$i];
            words[$i + 18][n] = low[$i] ^ high[$i];
        )*};
    }
    put!(0 1 2 3 4 5 6 7 8);
}

/// The product of words that the sums of its nine products on classes make.
#[inline(always)]
fn combine(p: &[u128; 9]) -> u128 {
    let (low, high) = (p[2] ^ p[0] ^ p[1], p[5] ^ p[3] ^ p[4]);
    // The coefficients: `c[k]` belongs to x^k, its parities stand at multiples of x^4.
    let c = [
        p[0],
        low,
        p[1] ^ p[6] ^ p[0] ^ p[3],
        p[8] ^ p[6] ^ p[7] ^ low ^ high,
        p[3] ^ p[7] ^ p[1] ^ p[4],
        high,
        p[4],
    ];
    ((c[0] ^ c[4] << 4) & PARITIES)
        | ((c[1] ^ c[5] << 4) & PARITIES) << 1
        | ((c[2] ^ c[6] << 4) & PARITIES) << 2
        | (c[3] & PARITIES) << 3
}

/// The product modulo the reversed polynomial and times x^-128 (techniques section 10): four words,
/// lowest first, of which the lower two are folded.
#[inline(always)]
pub(super) const fn reduce(v: [u64; 4]) -> u128 {
    let [v0, mut v1, mut v2, mut v3] = v;
    v2 ^= v0 ^ (v0 >> 1) ^ (v0 >> 2) ^ (v0 >> 7);
    v1 ^= (v0 << 63) ^ (v0 << 62) ^ (v0 << 57);
    v3 ^= v1 ^ (v1 >> 1) ^ (v1 >> 2) ^ (v1 >> 7);
    v2 ^= (v1 << 63) ^ (v1 << 62) ^ (v1 << 57);
    (v3 as u128) << 64 | v2 as u128
}

/// Intermediate values of a batch, in one place so that they can be wiped once per call.
#[derive(Clone, Copy)]
struct Scratch {
    words: Words,
    sums: [u128; PRODUCTS],
}

impl Scratch {
    const NEW: Self = Self {
        words: [[0; POWERS]; PRODUCTS],
        sums: [0; PRODUCTS],
    };
}

impl HashKey {
    /// Prepares the powers of `h`, the block as a big-endian integer.
    ///
    /// # Constant time
    /// Secret: `h`.
    pub fn new(h: &Block) -> Self {
        let mut scratch = Scratch::NEW;
        let first = twist(u128::from_be_bytes(*h));
        let mut key = Self {
            words: [[0; POWERS]; PRODUCTS],
            masks: [[[0; POWERS]; 3]; 4],
        };
        key.set(POWERS - 1, first);
        let mut power = first;
        for n in (0..POWERS - 1).rev() {
            // By H alone, the last of the powers; that keeps the twist.
            power = key.sum_of_products(&[power], &mut scratch);
            key.set(n, power);
        }
        erase(&mut scratch, &Scratch::NEW);
        power.zeroize();
        key
    }

    /// Stores power number `n`.
    #[inline(always)]
    fn set(&mut self, n: usize, power: u128) {
        let lowest = u128::from(LOWEST) << 64 | u128::from(LOWEST);
        split(&mut self.words, n, power & !lowest);
        for (i, parts) in self.masks.iter_mut().enumerate() {
            for (masks, word) in parts.iter_mut().zip(karatsuba(power)) {
                masks[n] = (word >> i & 1).wrapping_neg();
            }
        }
    }

    /// `blocks[0] * H^N + .. + blocks[N - 1] * H`, reduced.
    ///
    /// # Constant time
    /// Secret: `self`, `blocks`. Public: `N`.
    #[inline(always)]
    fn sum_of_products<const N: usize>(&self, blocks: &[u128; N], scratch: &mut Scratch) -> u128 {
        // Unrolled: under `opt-level = "s"` loops over the blocks take seven times as long.
        macro_rules! each_block {
            ($n:ident => $body:expr) => {
                each_block!($n => $body; 0 1 2 3)
            };
            ($n:ident => $body:expr; $($number:literal)*) => {$(
                if $number < N {
                    let $n = $number;
                    $body;
                }
            )*};
        }
        const { assert!(N <= POWERS && POWERS == 4) };
        each_block!(n => split(&mut scratch.words, n, blocks[n]));
        for p in 0..PRODUCTS {
            let (row, powers) = (&scratch.words[p], &self.words[p]);
            // In a variable: memory would be written for each product.
            let mut raw = 0;
            each_block!(n => raw ^= u128::from(row[n]) * u128::from(powers[POWERS - N + n]));
            scratch.sums[p] = raw;
        }
        let (parts, _) = scratch.sums.as_chunks();
        let mut products = [combine(&parts[0]), combine(&parts[1]), combine(&parts[2])];
        // What the cleared bits would have given.
        macro_rules! each_mask {
            ($($i:literal)*) => {$(
                let [low, high, both] = &self.masks[$i];
                let mut sums = [0; 3];
                each_block!(n => {
                    let words = karatsuba(blocks[n]);
                    sums[0] ^= words[0] & low[POWERS - N + n];
                    sums[1] ^= words[1] & high[POWERS - N + n];
                    sums[2] ^= words[2] & both[POWERS - N + n];
                });
                products[0] ^= u128::from(sums[0]) << $i;
                products[1] ^= u128::from(sums[1]) << $i;
                products[2] ^= u128::from(sums[2]) << $i;
            )*};
        }
        each_mask!(0 1 2 3);
        let [low, high, both] = products;
        let (low, middle, high) = (halves(low), halves(low ^ high ^ both), halves(high));
        reduce([low[0], low[1] ^ middle[0], high[0] ^ middle[1], high[1]])
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
}

/// A hash in the making that gathers blocks from several places into full batches.
pub struct Hasher<'a> {
    key: &'a HashKey,
    acc: u128,
    waiting: [Block; POWERS],
    count: usize,
    scratch: Scratch,
}

impl<'a> Hasher<'a> {
    /// Goes on from `acc`.
    pub fn new(key: &'a HashKey, acc: u128) -> Self {
        Self {
            key,
            acc,
            waiting: [[0; 16]; POWERS],
            count: 0,
            scratch: Scratch::NEW,
        }
    }

    /// Hashes `data`, filled up with zeros to whole blocks.
    ///
    /// # Constant time
    /// Secret: the data and the hash. Public: the length.
    pub fn absorb(&mut self, data: &[u8]) {
        let (mut blocks, last) = data.as_chunks();
        if self.count > 0 || blocks.len() < POWERS {
            let (head, rest) = blocks.split_at(blocks.len().min(POWERS - self.count));
            for block in head {
                self.push(*block);
            }
            blocks = rest;
        }
        let (batches, rest) = blocks.as_chunks();
        for batch in batches {
            self.batch::<POWERS>(batch);
        }
        for block in rest {
            self.push(*block);
        }
        if !last.is_empty() {
            let mut block = [0; 16];
            block[..last.len()].copy_from_slice(last);
            self.push(block);
            block.zeroize();
        }
    }

    /// The hash so far.
    pub fn finish(&mut self) -> u128 {
        self.flush();
        self.acc
    }

    #[inline(always)]
    fn push(&mut self, block: Block) {
        self.waiting[self.count] = block;
        self.count += 1;
        if self.count == POWERS {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let waiting = self.waiting;
        match waiting.get(..self.count) {
            Some(&[a]) => self.batch(&[a]),
            Some(&[a, b]) => self.batch(&[a, b]),
            Some(&[a, b, c]) => self.batch(&[a, b, c]),
            Some(&[a, b, c, d]) => self.batch(&[a, b, c, d]),
            _ => {}
        }
        self.count = 0;
    }

    #[inline(always)]
    fn batch<const N: usize>(&mut self, blocks: &[Block; N]) {
        let mut blocks = blocks.map(u128::from_be_bytes);
        blocks[0] ^= self.acc;
        self.acc = self.key.sum_of_products(&blocks, &mut self.scratch);
    }
}

impl Drop for Hasher<'_> {
    fn drop(&mut self) {
        self.acc.zeroize();
        erase(&mut self.waiting, &[[0; 16]; POWERS]);
        erase(&mut self.scratch, &Scratch::NEW);
    }
}

#[cfg(test)]
mod tests;
