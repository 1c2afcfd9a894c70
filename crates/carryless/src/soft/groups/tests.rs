//! Groups far from the first, against blocks one by one.

use std::vec::Vec;

use super::super::{Enc, Neon};
use super::{GROUP, all};
use crate::block::Counter;
use crate::simd::{InOut, NeonPlanes};

/// Whether so many groups from `count` on are encrypted as their blocks are.
fn is_right<const K: usize>(count: u32, groups: usize) -> bool {
    let keys = Enc::<NeonPlanes, K>::new(&[7; 32][..4 * (K - 7)]);
    let first = Counter::from_nonce(&[0xa5; 12]).with_count(count);
    let mut text = std::vec![0; 16 * GROUP * groups];
    all(&keys.0, first, InOut::in_place(&mut text));
    let blocks: Vec<_> = core::iter::successors(Some(first), |counter| Some(counter.add(1)))
        .take(GROUP * groups)
        .map(Counter::to_block)
        .collect();
    let mut blocks = blocks.as_flattened().to_vec();
    keys.encrypt::<Neon>(InOut::in_place(&mut blocks));
    text == blocks
}

#[test]
fn each_byte_of_the_counter_is_carried_into() {
    for (count, groups) in [
        (8, 7),
        (8, 15),
        (0xff00, 15),
        (0x0000_ff00, 40),
        (0x00ff_ff00, 40),
        (0x7fff_fff8, 16),
        (0xffff_fe00, 64),
        (0xffff_ff00, 8),
        (0xffff_fff8, 1),
    ] {
        assert!(is_right::<11>(count, groups), "{count:#x}, {groups}");
        assert!(is_right::<13>(count, groups), "{count:#x}, {groups}");
        assert!(is_right::<15>(count, groups), "{count:#x}, {groups}");
    }
}
