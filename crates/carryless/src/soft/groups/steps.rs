//! What the last byte of counter blocks is behind the first round.
#![forbid(unsafe_code)]

use crate::block::Lane;
use crate::simd::aarch64::bytes::{self as v, V};
use crate::simd::{NeonPlanes, Planes};

/// Where the last byte of a block lies.
const fn last(skewed: bool) -> u8 {
    if skewed { 3 + 4 } else { 15 }
}

/// What the last byte is behind the first round, for sixteen groups of eight counters: their planes are those of the other
/// bytes with these.
#[derive(Clone, Copy)]
pub(super) struct Steps([[Lane; 8]; Self::GROUPS]);

impl Default for Steps {
    fn default() -> Self {
        Self([[Lane([0; 16]); 8]; Self::GROUPS])
    }
}

impl Steps {
    /// As many as there are positions in a plane.
    pub(super) const GROUPS: usize = 16;

    /// The last bytes of the groups of a half of all, each at the position of its number, with the key of the first round.
    ///
    /// # Constant time
    /// Secret: `first_key`. Public: `half`, `skewed`.
    #[inline(always)]
    pub(super) fn last_bytes(
        half: usize,
        first_key: &[NeonPlanes; 8],
        skewed: bool,
    ) -> [NeonPlanes; 8] {
        let numbers = v::constant(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100);
        let bit = |n: u32| v::common(numbers, v::splat(1 << n));
        let planes = [
            v::splat(0xaa),
            v::splat(0xcc),
            v::splat(0xf0),
            bit(0),
            bit(1),
            bit(2),
            bit(3),
            v::splat(if half == 0 { 0 } else { 0xff }),
        ];
        let mut bytes = [NeonPlanes::default(); 8];
        let at = v::splat(last(skewed));
        for ((byte, plane), key) in bytes.iter_mut().zip(planes).zip(first_key) {
            *byte = NeonPlanes::of(v::xor(plane, v::permute(key.vector(), at)));
        }
        bytes
    }

    /// Puts them in their places: `bytes` behind SubBytes, each of which gives once, twice and three times itself
    /// to the bytes of its column.
    ///
    /// # Constant time
    /// Secret: `bytes`. Public: `skewed`.
    #[inline(always)]
    pub(super) fn set(&mut self, bytes: [NeonPlanes; 8], skewed: bool) {
        let bytes = bytes.map(NeonPlanes::vector);
        let places = v::constant(if skewed {
            const { column(true) }
        } else {
            const { column(false) }
        });
        for i in 0..8 {
            let (once, twice) = (bytes[i], doubled(&bytes, i));
            let table = [once, twice, v::xor(once, twice)];
            let mut order = places;
            for group in &mut self.0 {
                v::store(&mut group[i].0, v::permute_three(table, order));
                order = v::add(order, v::splat(1));
            }
        }
    }

    /// The planes of a group.
    #[inline(always)]
    pub(super) fn of(&self, group: usize) -> [NeonPlanes; 8] {
        NeonPlanes::spread(&self.0[group % Self::GROUPS])
    }
}

/// Plane `i` of the bytes, doubled in GF(2^8).
#[inline(always)]
fn doubled(bytes: &[V; 8], i: usize) -> V {
    let below = bytes[(i + 7) % 8];
    // x^8 = x^4 + x^3 + x + 1.
    if matches!(i, 1 | 3 | 4) {
        v::xor(below, bytes[7])
    } else {
        below
    }
}

/// Which of three vectors, once, twice, three times, the last byte gives to each: that with the number, times 16; above 127 none.
/// MixColumns adds two times each byte, and three times, once and once those below it, as the rows of a skewed state stand.
const fn column(skewed: bool) -> u128 {
    let (skew, twice) = if skewed { (3, 2) } else { (1, 2) };
    let (row, col) = (last(skewed) % 4, last(skewed) / 4);
    let mut order = [0x80; 16];
    let moves = [
        (0, 0, 16),
        (1, skew, 32),
        (2, twice, 0),
        (3, skew + twice, 0),
    ];
    let mut i = 0;
    while i < 4 {
        let (rows, cols, of) = moves[i];
        order[((row + 4 - rows) % 4 + 4 * ((col + 8 - cols) % 4)) as usize] = of;
        i += 1;
    }
    u128::from_le_bytes(order)
}

/// The planes without the last byte.
#[inline(always)]
pub(super) fn without_last(mut planes: [NeonPlanes; 8], skewed: bool) -> [NeonPlanes; 8] {
    let others = NeonPlanes::of(v::constant(!(0xff << (8 * last(skewed)))));
    for plane in &mut planes {
        *plane = plane.and(others);
    }
    planes
}
