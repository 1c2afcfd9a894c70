//! Groups far from the first, against blocks one by one.

use std::vec::Vec;

use super::super::{Enc, Neon};
use super::{GROUP, NEON_LONG_TEXT, all, ctr};
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
        (0x78, 9),
        (0x80, 8),
        (0xf0, 15),
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

/// Whether a text of `len` bytes from `count` on is encrypted as its blocks are, in place and to another place.
fn begins_rightly<const K: usize>(count: u32, len: usize) -> bool {
    let keys = Enc::<NeonPlanes, K>::new(&[7; 32][..4 * (K - 7)]);
    let first = Counter::from_nonce(&[0xa5; 12]).with_count(count);
    let text: Vec<u8> = (0..=255).cycle().take(len).collect();
    let (mut right, mut here, mut there) = (text.clone(), text.clone(), std::vec![0; len]);
    keys.ctr::<Neon>(first, InOut::in_place(&mut right));
    ctr(&keys.0, first, InOut::in_place(&mut here));
    let between = InOut::between(&text, &mut there).expect("equal lengths");
    ctr(&keys.0, first, between);
    here == right && there == right
}

#[test]
fn a_long_text_may_begin_at_any_counter() {
    for count in [0, 1, 7, 8, 0x7d, 0x81, 0xfe, u32::MAX - 6, u32::MAX - 130] {
        for len in [NEON_LONG_TEXT, NEON_LONG_TEXT + 1, 2300, 4111, 9000] {
            assert!(begins_rightly::<11>(count, len), "{count:#x}, {len} bytes");
            assert!(begins_rightly::<13>(count, len), "{count:#x}, {len} bytes");
            assert!(begins_rightly::<15>(count, len), "{count:#x}, {len} bytes");
        }
    }
}
