//! 32-bit words, of one block or of several in a vector: what a cipher of additions and rotations computes with.
//!
//! No operation here has a branch, an index or a slow instruction that depends on a value.

#[cfg(all(carryless_a64, target_endian = "little"))]
mod aarch64;
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
mod x86_64;

/// The vectors that every CPU of the target has.
///
/// Big-endian AArch64 is not among their targets: what numbers its lanes depends on the compiler.
#[cfg(any(
    all(carryless_fused, target_arch = "x86_64"),
    all(carryless_a64, target_endian = "little")
))]
#[derive(Clone, Copy, Default)]
pub struct Base;

#[cfg(not(any(
    all(carryless_fused, target_arch = "x86_64"),
    all(carryless_a64, target_endian = "little")
)))]
pub use self::One as Base;

/// Vectors of words. The value proves that this CPU has them.
///
/// A **group** is four vectors. As it lies in memory it is blocks of four little-endian words, one behind the other. Transposed, its first
/// vector has the first words of all blocks, the second vector the second ones, and so on.
pub trait Words: Copy {
    /// The vector.
    type V: Copy;
    /// Words of a vector, and blocks of a group.
    const BLOCKS: usize;
    /// Bytes of a vector.
    const BYTES: usize = 4 * Self::BLOCKS;
    /// Groups that go side by side: one result is computed while another is waited for.
    const GROUPS: usize;
    /// The fewest blocks that are worth as many groups, though they don't fill them; fewer go one by one.
    const FEWEST: usize;

    /// Loads a vector from `bytes[at..]`.
    fn load(self, bytes: &[u8], at: usize) -> Self::V;
    /// Stores it to `bytes[at..]`.
    fn store(self, bytes: &mut [u8], at: usize, v: Self::V);
    /// One word in each place.
    fn splat(self, word: u32) -> Self::V;
    /// In each place of a vector that is transposed the number of the block that it belongs to.
    fn numbers(self) -> Self::V;
    /// `a + b` in GF(2).
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & b`.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a + b` modulo 2^32.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b` modulo 2^32.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// Rotates each word by so many bits to the left, thus by so many to the right; together they are 32.
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, v: Self::V) -> Self::V;
    /// A group transposed, or put back.
    fn transpose(self, group: [Self::V; 4]) -> [Self::V; 4];

    /// Reverses the bytes of each word.
    #[inline(always)]
    fn swap_bytes(self, v: Self::V) -> Self::V {
        let (left, right) = (self.rotate::<8, 24>(v), self.rotate::<24, 8>(v));
        let of_left = self.splat(0x00ff_00ff);
        self.xor(self.and(self.xor(left, right), of_left), right)
    }
}

/// A word, in plain integers.
#[derive(Clone, Copy, Default)]
pub struct One;

impl Words for One {
    type V = u32;
    const BLOCKS: usize = 1;
    const GROUPS: usize = 1;
    const FEWEST: usize = 1;

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(&bytes[at..at + 4]);
        u32::from_le_bytes(word)
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8], at: usize, v: u32) {
        bytes[at..at + 4].copy_from_slice(&v.to_le_bytes());
    }
    #[inline(always)]
    fn splat(self, word: u32) -> u32 {
        word
    }
    #[inline(always)]
    fn numbers(self) -> u32 {
        0
    }
    #[inline(always)]
    fn xor(self, a: u32, b: u32) -> u32 {
        a ^ b
    }
    #[inline(always)]
    fn and(self, a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline(always)]
    fn add(self, a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn sub(self, a: u32, b: u32) -> u32 {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, v: u32) -> u32 {
        v.rotate_left(LEFT.cast_unsigned())
    }
    #[inline(always)]
    fn transpose(self, group: [u32; 4]) -> [u32; 4] {
        group
    }
}

/// For each word of a transposed vector the number of its block. Transposed, place `4 l + v` of every vector belongs to the block that was
/// lane `l` of vector `v`: number `v BLOCKS/4 + l`.
#[cfg(any(
    all(carryless_fused, target_arch = "x86_64"),
    all(carryless_a64, target_endian = "little")
))]
const fn numbers<const BLOCKS: usize>() -> [u32; BLOCKS] {
    let (mut numbers, mut block) = ([0; BLOCKS], 0u32);
    while (block as usize) < BLOCKS {
        let (vector, lane) = (block as usize / (BLOCKS / 4), block as usize % (BLOCKS / 4));
        numbers[4 * lane + vector] = block;
        block += 1;
    }
    numbers
}

#[cfg(test)]
mod tests;
