//! Planes of eight blocks in 128-bit vectors.
#![forbid(unsafe_code)]

#[cfg(target_arch = "aarch64")]
use super::aarch64 as v;
#[cfg(target_arch = "wasm32")]
use super::wasm as v;
use super::words::halves;
#[cfg(target_arch = "x86_64")]
use super::x86_64 as v;
use super::{MAX_BLOCKS, Planes};
use crate::block::Block;

/// A plane of eight blocks: position `n` is byte `n`.
#[derive(Clone, Copy)]
pub struct Wide(v::V);

macro_rules! exchange_all {
    ($w:ident, $shift:literal, $mask:literal, [$(($a:literal, $b:literal)),*]) => {
        let mask = v::new([$mask; 2]);
        $({
            let moved = v::and(v::xor(v::down::<$shift>($w[$a]), $w[$b]), mask);
            $w[$b] = v::xor($w[$b], moved);
            $w[$a] = v::xor($w[$a], v::up::<$shift>(moved));
        })*
    };
}

/// Transposes the 8 x 8 bit matrices of vector and bit, its own inverse.
#[inline(always)]
fn transpose_bits(mut w: [v::V; 8]) -> [v::V; 8] {
    exchange_all!(
        w,
        1,
        0x5555_5555_5555_5555,
        [(0, 1), (2, 3), (4, 5), (6, 7)]
    );
    exchange_all!(
        w,
        2,
        0x3333_3333_3333_3333,
        [(0, 2), (1, 3), (4, 6), (5, 7)]
    );
    exchange_all!(
        w,
        4,
        0x0f0f_0f0f_0f0f_0f0f,
        [(0, 4), (1, 5), (2, 6), (3, 7)]
    );
    w
}

/// Of planes that share a word, each byte of which is there twice, that of this bit, in all blocks: byte `n` has the two
/// nibbles of positions `n & !1` and `n | 1`, and becomes all ones if in its own the bit is set.
#[inline(always)]
fn in_all<const BIT: u32>(both: v::V) -> Wide {
    let own = v::new([0x1001_1001_1001_1001 << BIT; 2]);
    Wide(v::equal(v::and(both, own), own))
}

impl Planes for Wide {
    const BLOCKS: usize = 8;
    type Word = u64;
    type Key = <u64 as Planes>::Key;
    const NO_KEY: Self::Key = u64::NO_KEY;
    type Few = u64;
    const RARE: bool = u64::RARE;

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v::xor(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v::and(self.0, other.0))
    }

    #[inline(always)]
    fn keep(planes: [u64; 8]) -> Self::Key {
        u64::keep(planes)
    }

    #[inline(always)]
    fn spread(&[low, high]: &Self::Key) -> [Self; 8] {
        let (low, high) = (v::twice(low), v::twice(high));
        planes_of_two!(low, high)
    }

    #[inline(always)]
    fn rotate<const ROWS: u32, const COLS: u32>(self) -> Self {
        Self(v::rotate::<ROWS, COLS>(self.0))
    }

    #[inline(always)]
    fn skew(self) -> Self {
        Self(v::skew(self.0))
    }

    #[inline(always)]
    fn pack(blocks: &[Block; MAX_BLOCKS]) -> [Self; 8] {
        transpose_bits(
            blocks
                .each_ref()
                .map(|block| v::transpose_bytes(v::new(halves(block)))),
        )
        .map(Self)
    }

    #[inline(always)]
    fn unpack(planes: [Self; 8], blocks: &mut [Block; MAX_BLOCKS]) {
        for (block, v) in blocks
            .iter_mut()
            .zip(transpose_bits(planes.map(|plane| plane.0)))
        {
            let [low, high] = v::words(v::transpose_bytes(v));
            *block = (u128::from(low) | u128::from(high) << 64).to_le_bytes();
        }
    }
}
