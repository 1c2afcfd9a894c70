//! Planes of eight blocks in the vectors of NEON.
//!
//! Position `n` is byte `n` of the block as it lies in memory: moves are look-ups of bytes in any order, so that blocks need
//! not be put in one. A round key is eight vectors, which take no instruction but their loads.
#![forbid(unsafe_code)]

use super::{MAX_BLOCKS, Planes};
use crate::block::{Block, Counter, Lane};
use crate::simd::InOut;
use crate::simd::aarch64::bytes::{
    self as v, V, and, common, constant, down, high_nibbles, insert, insert_else, load, load_eight,
    low_nibbles, of_words, permute, splat, store, store_eight, swap_pairs, up, xor, xor_eight,
};

/// A plane of eight blocks: byte `n` has the bits of position `n`.
#[derive(Clone, Copy)]
pub struct NeonPlanes(V);

/// For each byte the number of that which [`Planes::rotate`] moves there.
const fn rotation(rows: u32, cols: u32) -> u128 {
    let (mut order, mut n) = (0, 0);
    while n < 16 {
        let from = (n % 4 + rows) % 4 + 4 * ((n / 4 + cols) % 4);
        order |= (from as u128) << (8 * n);
        n += 1;
    }
    order
}

/// The same for [`Planes::skew`].
const SKEW: u128 = 0x070e_050c_030a_0108_0f06_0d04_0b02_0900;

/// Transposes the 8 x 8 bit matrices of vector and bit, its own inverse.
#[inline(always)]
fn transpose_bits(mut w: [V; 8]) -> [V; 8] {
    macro_rules! exchange {
        ($shift:literal, $low:literal, $(($a:literal, $b:literal))*) => {
            let low = splat($low);
            $({
                let (down, up) = (down::<$shift>(w[$a]), up::<$shift>(w[$b]));
                w[$a] = insert_else(w[$a], up, low);
                w[$b] = insert(w[$b], down, low);
            })*
        };
    }
    exchange!(1, 0x55, (0, 1)(2, 3)(4, 5)(6, 7));
    exchange!(2, 0x33, (0, 2)(1, 3)(4, 6)(5, 7));
    for (a, b) in [(0, 4), (1, 5), (2, 6), (3, 7)] {
        (w[a], w[b]) = (low_nibbles(w[a], w[b]), high_nibbles(w[a], w[b]));
    }
    w
}

impl NeonPlanes {
    /// The vector.
    #[inline(always)]
    pub fn vector(self) -> V {
        self.0
    }

    /// A plane of these bytes.
    #[inline(always)]
    pub fn of(vector: V) -> Self {
        Self(vector)
    }

    /// Every bit the other way.
    #[inline(always)]
    #[must_use]
    pub fn inverted(self) -> Self {
        Self(v::complement(self.0))
    }

    /// The planes of the eight counter blocks from `group` on, whose count is a multiple of 8; `skewed` by
    /// [`skew`](Planes::skew). Whether it is such a multiple is for callers to know, of whom it must be public.
    #[inline(always)]
    pub fn count(group: Counter, skewed: bool) -> [Self; 8] {
        let mut block = of_words(group.words());
        let mut last = constant(0xff << 120);
        if skewed {
            let skew = constant(SKEW);
            (block, last) = (permute(block, skew), permute(last, skew));
        }
        let plane = |i: u32| common(block, splat(1 << i));
        let counting = |i, bits| xor(plane(i), and(last, splat(bits)));
        [
            counting(0, 0xaa),
            counting(1, 0xcc),
            counting(2, 0xf0),
            plane(3),
            plane(4),
            plane(5),
            plane(6),
            plane(7),
        ]
        .map(Self)
    }

    /// Those of a block that all are equal to.
    #[inline(always)]
    pub fn of_equal(block: &Block) -> [Self; 8] {
        let block = load(block);
        [0, 1, 2, 3, 4, 5, 6, 7].map(|i| Self(common(block, splat(1 << i))))
    }

    /// Those of eight blocks.
    #[inline(always)]
    pub fn of_blocks(blocks: [V; 8]) -> [Self; 8] {
        transpose_bits(blocks).map(Self)
    }

    /// [`skew`](Planes::skew), or all as they are, by the same instructions. A branch would have the planes stored before and behind it.
    #[inline(always)]
    pub fn skew_if(skewed: bool, planes: [Self; 8]) -> [Self; 8] {
        let order = constant(if skewed { SKEW } else { rotation(0, 0) });
        planes.map(|plane| Self(permute(plane.0, order)))
    }

    /// Their blocks.
    #[inline(always)]
    pub fn blocks(planes: [Self; 8]) -> [V; 8] {
        transpose_bits(planes.map(|plane| plane.0))
    }

    /// XORs their blocks into a text of 128 bytes.
    #[inline(always)]
    pub fn add_to(planes: [Self; 8], mut text: InOut<'_>) {
        // All is read before anything is written, so that two at a time are.
        let sums = xor_eight(Self::blocks(planes), load_eight(&text.get(0)));
        let mut bytes = [0; 128];
        store_eight(&mut bytes, sums);
        text.set(0, &bytes);
    }
}

impl Default for NeonPlanes {
    #[inline(always)]
    fn default() -> Self {
        Self(splat(0))
    }
}

impl Planes for NeonPlanes {
    const BLOCKS: usize = 8;
    type Word = Self;
    type Key = [Lane; 8];
    const NO_KEY: Self::Key = [Lane([0; 16]); 8];
    type Few = Self;
    const SELECTS: bool = true;
    const APART: bool = true;

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(xor(self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(and(self.0, other.0))
    }
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        Self(v::select(self.0, a.0, b.0))
    }
    #[inline(always)]
    fn keep(planes: [Self; 8]) -> Self::Key {
        let mut key = Self::NO_KEY;
        for (lane, plane) in key.iter_mut().zip(planes) {
            store(&mut lane.0, plane.0);
        }
        key
    }
    #[inline(always)]
    fn spread(key: &Self::Key) -> [Self; 8] {
        let mut planes = [Self(splat(0)); 8];
        for (plane, lane) in planes.iter_mut().zip(key) {
            plane.0 = load(&lane.0);
        }
        planes
    }
    #[inline(always)]
    fn rotate<const ROWS: u32, const COLS: u32>(self) -> Self {
        if const { ROWS == 2 && COLS == 0 } {
            return Self(swap_pairs(self.0));
        }
        Self(permute(self.0, constant(const { rotation(ROWS, COLS) })))
    }
    #[inline(always)]
    fn skew(self) -> Self {
        Self(permute(self.0, constant(SKEW)))
    }
    #[inline(always)]
    fn pack(blocks: &[Block; MAX_BLOCKS]) -> [Self; 8] {
        let mut w = [splat(0); 8];
        for (w, block) in w.iter_mut().zip(blocks) {
            *w = load(block);
        }
        Self::of_blocks(w)
    }
    #[inline(always)]
    fn unpack(planes: [Self; 8], blocks: &mut [Block; MAX_BLOCKS]) {
        for (block, w) in blocks.iter_mut().zip(Self::blocks(planes)) {
            store(block, w);
        }
    }
}
