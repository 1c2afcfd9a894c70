//! Layout and movements of the planes, against bytes.

use std::vec::Vec;

use super::{MAX_BLOCKS, Planes, Wide};
use crate::block::Block;

/// Blocks in which every byte differs, so that no movement goes unseen.
fn blocks() -> [Block; MAX_BLOCKS] {
    core::array::from_fn(|b| {
        core::array::from_fn(|i| u8::try_from((16 * b + i) * 29 % 256).expect("below 256"))
    })
}

/// What `change` of each plane does to the bytes of the blocks that there are.
fn moved<P: Planes>(change: impl Fn(P) -> P) -> Vec<Block> {
    let mut out = [[0xee; 16]; MAX_BLOCKS];
    P::unpack(P::pack(&blocks()).map(change), &mut out);
    assert!(
        out[P::BLOCKS..].iter().all(|block| *block == [0xee; 16]),
        "the others stay"
    );
    out[..P::BLOCKS].to_vec()
}

/// Byte `r + 4c` of each block from row and column `from(r, c)`, modulo 4.
fn model<P: Planes>(from: impl Fn(usize, usize) -> (usize, usize)) -> Vec<Block> {
    let move_bytes = |block: Block| {
        core::array::from_fn(|i| {
            let (row, col) = from(i % 4, i / 4);
            block[row % 4 + 4 * (col % 4)]
        })
    };
    blocks()[..P::BLOCKS]
        .iter()
        .copied()
        .map(move_bytes)
        .collect()
}

fn movements_are_right<P: Planes>() {
    assert_eq!(
        moved::<P>(|p| p),
        model::<P>(|r, c| (r, c)),
        "pack and unpack"
    );
    assert_eq!(moved::<P>(P::skew), model::<P>(|r, c| (r, c + 2 * r)));
    assert_eq!(moved::<P>(P::rotate::<1, 0>), model::<P>(|r, c| (r + 1, c)));
    assert_eq!(
        moved::<P>(P::rotate::<1, 1>),
        model::<P>(|r, c| (r + 1, c + 1))
    );
    assert_eq!(
        moved::<P>(P::rotate::<1, 2>),
        model::<P>(|r, c| (r + 1, c + 2))
    );
    assert_eq!(
        moved::<P>(P::rotate::<1, 3>),
        model::<P>(|r, c| (r + 1, c + 3))
    );
    assert_eq!(moved::<P>(P::rotate::<2, 0>), model::<P>(|r, c| (r + 2, c)));
    assert_eq!(
        moved::<P>(P::rotate::<2, 2>),
        model::<P>(|r, c| (r + 2, c + 2))
    );
    // Control: a neighbouring movement is told apart.
    assert_ne!(
        moved::<P>(P::rotate::<1, 1>),
        model::<P>(|r, c| (r + 1, c + 3))
    );
    assert_ne!(moved::<P>(P::skew), model::<P>(|r, c| (r, c + r)));
}

fn operations_are_right<P: Planes>() {
    let ones = P::pack(&[[0xff; 16]; MAX_BLOCKS])[0];
    let complement = model::<P>(|r, c| (r, c))
        .into_iter()
        .map(|block| block.map(|byte| !byte))
        .collect::<Vec<_>>();
    assert_eq!(moved::<P>(|p| p.xor(ones)), complement);
    assert_eq!(moved::<P>(|p| p.and(ones)), model::<P>(|r, c| (r, c)));
    assert_eq!(
        moved::<P>(|p| p.and(p.xor(ones))),
        vec_of(P::BLOCKS, [0; 16])
    );

    // Each bit of one of two planes, as a third says.
    let [mask, other, ..] = P::pack(&blocks());
    let selected = |p: P| {
        mask.select(p, other)
            .xor(mask.and(p))
            .xor(other.and(mask.xor(ones)))
    };
    assert_eq!(moved::<P>(selected), vec_of(P::BLOCKS, [0; 16]));

    let same = [blocks()[3]; MAX_BLOCKS];
    let mut out = [[0; 16]; MAX_BLOCKS];
    P::unpack(P::spread(&P::keep(P::Word::pack(&same))), &mut out);
    assert_eq!(out[..P::BLOCKS], same[..P::BLOCKS], "spread");
}

fn vec_of(count: usize, block: Block) -> Vec<Block> {
    core::iter::repeat_n(block, count).collect()
}

/// Position `4r + c` of plane `i` has bit `i` of the byte in row `r` and column `c` of every block.
fn layout<P: Planes>(bits: impl Fn(P) -> u64) {
    for (plane, word) in P::pack(&blocks()).into_iter().enumerate() {
        for (b, block) in blocks()[..P::BLOCKS].iter().enumerate() {
            for (i, byte) in block.iter().enumerate() {
                let position = 4 * (i % 4) + i / 4;
                assert_eq!(
                    bits(word) >> (P::BLOCKS * position + b) & 1,
                    u64::from(byte >> plane & 1),
                    "plane {plane}, block {b}, byte {i}"
                );
            }
        }
    }
}

#[test]
fn words_have_the_layout_of_the_documentation() {
    layout::<u64>(|word| word);
    layout::<u32>(u64::from);
}

#[test]
fn planes_of_words_move_like_bytes() {
    movements_are_right::<u32>();
    operations_are_right::<u32>();
    movements_are_right::<u64>();
    operations_are_right::<u64>();
}

#[test]
fn the_widest_planes_move_like_bytes() {
    movements_are_right::<Wide>();
    operations_are_right::<Wide>();
}

#[cfg(carryless_a64)]
mod neon {
    use std::vec::Vec;

    use super::super::NeonPlanes;
    use super::*;
    use crate::block::Counter;
    use crate::simd::InOut;

    #[test]
    fn planes_of_neon_move_like_bytes() {
        movements_are_right::<NeonPlanes>();
        operations_are_right::<NeonPlanes>();
    }

    #[test]
    fn counter_blocks_are_counted_and_added_to_a_text() {
        for count in [0, 8, 0xf8, 0x0100, 0xffff_fff8] {
            let group = Counter::from_nonce(&[0x5a; 12]).with_count(count);
            let expected: Vec<Block> = (0..8).map(|i| group.add(i).to_block()).collect();
            let mut text = [[0; 16]; MAX_BLOCKS];
            NeonPlanes::add_to(
                NeonPlanes::count(group, false),
                InOut::in_place(text.as_flattened_mut()),
            );
            assert_eq!(text[..], expected, "{count:#x}");
            let skewed = NeonPlanes::count(group, true).map(Planes::skew);
            NeonPlanes::add_to(skewed, InOut::in_place(text.as_flattened_mut()));
            assert_eq!(text, [[0; 16]; MAX_BLOCKS], "the other way, {count:#x}");
        }
    }
}
