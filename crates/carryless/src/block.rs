//! The 128-bit block and the counter made of it: the two values that every layer passes on.
#![forbid(unsafe_code)]

use zeroize::Zeroize;

/// A block of the cipher and of the hash: 16 bytes.
pub type Block = [u8; 16];

/// A block that vector loads may take as a memory operand.
#[repr(C, align(16))]
#[derive(Clone, Copy, Default)]
pub struct Lane(pub Block);

/// Half of a lane.
pub type Half = [u8; 8];

/// The last block of the hash: the lengths in bits (SP 800-38D, algorithm 4, step 5).
#[inline(always)]
pub fn length_block(aad_len: u64, text_len: u64) -> Block {
    (u128::from(8 * aad_len) << 64 | u128::from(8 * text_len)).to_be_bytes()
}

/// A tag that a message came with, or the place for one that is made.
#[derive(Clone, Copy)]
pub struct Tag {
    /// Its bytes, zeros behind them.
    pub bytes: Block,
    /// How many there are: 1 to 16 where a kernel compares them.
    pub len: usize,
}

/// A counter block: 12 bytes that stay and a big-endian 32-bit counter that wraps
/// (SP 800-38D section 6.2, `inc32`).
///
/// Kept as two words in memory order, so that it travels in registers: a nonce that was just
/// written byte by byte and is loaded as a vector stalls for some twenty cycles.
#[derive(Clone, Copy)]
pub struct Counter {
    /// Bytes 0 to 7, little-endian.
    lo: u64,
    /// Bytes 8 to 15, little-endian: the upper half is the byte-swapped counter.
    hi: u64,
}

impl Zeroize for Counter {
    fn zeroize(&mut self) {
        self.lo.zeroize();
        self.hi.zeroize();
    }
}

impl Counter {
    /// The pre-counter block J0 of a 12-byte nonce: `nonce || 1` (SP 800-38D section 7.1).
    #[inline(always)]
    pub fn from_nonce(nonce: &[u8; 12]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = *nonce;
        Self {
            lo: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            hi: u64::from(u32::from_le_bytes([i, j, k, l])) | (1 << 56),
        }
    }

    /// The block as it stands.
    #[inline(always)]
    pub fn from_block(block: &Block) -> Self {
        let word = u128::from_le_bytes(*block);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the two halves of the block"
        )]
        Self {
            lo: word as u64,
            hi: (word >> 64) as u64,
        }
    }

    /// The block's bytes.
    #[inline(always)]
    pub fn to_block(self) -> Block {
        (u128::from(self.lo) | (u128::from(self.hi) << 64)).to_le_bytes()
    }

    /// The two 64-bit words of the block, little-endian.
    #[inline(always)]
    pub fn words(self) -> [u64; 2] {
        [self.lo, self.hi]
    }

    /// The 32 bits that count.
    #[inline(always)]
    pub fn count(self) -> u32 {
        ((self.hi >> 32) as u32).swap_bytes()
    }

    /// The same block with another count.
    #[inline(always)]
    #[must_use]
    pub fn with_count(self, count: u32) -> Self {
        Self {
            lo: self.lo,
            hi: (self.hi & 0xffff_ffff) | (u64::from(count.swap_bytes()) << 32),
        }
    }

    /// The counter `blocks` further, modulo 2^32.
    #[inline(always)]
    #[must_use]
    pub fn add(self, blocks: u32) -> Self {
        self.with_count(self.count().wrapping_add(blocks))
    }
}

/// What counter mode counts with: the two words of a block, in memory order.
pub trait Counting: Copy {
    /// Whether the count is big-endian, in the last four bytes; otherwise it is little-endian, in the first.
    const BIG: bool;

    /// The two 64-bit words of the block, little-endian.
    fn words(self) -> [u64; 2];
    /// The counter `blocks` further, modulo 2^32.
    #[must_use]
    fn further(self, blocks: u32) -> Self;
}

impl Counting for Counter {
    const BIG: bool = true;

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        self.words()
    }
    #[inline(always)]
    fn further(self, blocks: u32) -> Self {
        self.add(blocks)
    }
}

/// A counter block of AES-GCM-SIV: a little-endian 32-bit counter that wraps, and 12 bytes that stay (RFC 8452 section 4).
#[derive(Clone, Copy)]
pub struct LittleCounter([u64; 2]);

impl LittleCounter {
    /// The block as it stands.
    #[inline(always)]
    pub fn from_block(block: &Block) -> Self {
        Self(Counter::from_block(block).words())
    }

    /// The counter that the key stream of a message begins with: its tag with the top bit set (RFC 8452 section 4).
    #[inline(always)]
    pub fn of_tag(tag: &Block) -> Self {
        Self::of_tag_words(Counter::from_block(tag).words())
    }

    /// The same of the words of the tag.
    #[inline(always)]
    pub fn of_tag_words([lo, hi]: [u64; 2]) -> Self {
        Self([lo, hi | 1 << 63])
    }

    /// The block's bytes.
    #[inline(always)]
    pub fn to_block(self) -> Block {
        let [lo, hi] = self.0;
        Counter { lo, hi }.to_block()
    }
}

impl Counting for LittleCounter {
    const BIG: bool = false;

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        self.0
    }
    #[inline(always)]
    fn further(self, blocks: u32) -> Self {
        let [lo, hi] = self.0;
        #[expect(clippy::cast_possible_truncation, reason = "the lower half counts")]
        let count = (lo as u32).wrapping_add(blocks);
        Self([lo >> 32 << 32 | u64::from(count), hi])
    }
}

#[cfg(test)]
mod tests;
