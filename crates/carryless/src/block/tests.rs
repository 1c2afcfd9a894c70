//! C6 on counter blocks: sums against plain integers, wherever a narrower word would end.

use std::format;
use std::println;
use std::string::String;

use super::*;

/// Where narrower words end, and counts are read as negative ones.
const EDGES: [u64; 7] = [0, 1 << 8, 1 << 16, 1 << 24, 1 << 31, (1 << 32) - 1, 1 << 32];

/// Whether `add` counts modulo 2^32 and leaves the rest, as plain integers do.
fn counts(add: &dyn Fn(Counter, u32) -> Counter) -> Result<usize, String> {
    const LOW: u128 = 0xffff_ffff;
    let mut count = 0;
    for nonce in [[0; 12], [0xff; 12], *b"twelve bytes"] {
        let j0 = Counter::from_nonce(&nonce);
        let mut expected = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        expected[..12].copy_from_slice(&nonce);
        if j0.to_block() != expected || j0.count() != 1 {
            return Err(format!("{:?} of {nonce:?}", j0.to_block()));
        }
        let prefix = u128::from_be_bytes(expected) & !LOW;
        let near = EDGES.map(|edge| [edge.wrapping_sub(2), edge, edge + 1]);
        for start in near.as_flattened() {
            for step in near.as_flattened() {
                #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32")]
                let (from, by) = (*start as u32, *step as u32);
                let right = prefix | (u128::from(from) + u128::from(by)) & LOW;
                let made = add(j0.with_count(from), by);
                if made.to_block() != right.to_be_bytes() {
                    return Err(format!("{from:#x} and {by:#x}: {:x?}", made.to_block()));
                }
                let again = Counter::from_block(&made.to_block());
                if u128::from(again.count()) != right & LOW || again.words() != made.words() {
                    return Err(format!("{from:#x} and {by:#x}: from its block"));
                }
                count += 1;
            }
        }
    }
    Ok(count)
}

#[test]
fn c6_counters_count_in_all_of_their_32_bits_and_no_more() {
    let count = counts(&Counter::add).expect("as plain integers do");
    println!("C6 counters: {count} sums");
}

#[test]
fn control_c6_counters_of_another_width_are_noticed() {
    for bits in [8, 16, 24, 31] {
        let narrow = |counter: Counter, by: u32| {
            let mask = (1 << bits) - 1;
            let sum = counter.count().wrapping_add(by);
            counter.with_count(counter.count() & !mask | sum & mask)
        };
        let error = counts(&narrow).expect_err("a narrow counter");
        println!("{bits} bits: caught: {error}");
    }
    let carried = |counter: Counter, by: u32| {
        let sum = u128::from_be_bytes(counter.to_block()).wrapping_add(by.into());
        Counter::from_block(&sum.to_be_bytes())
    };
    let error = counts(&carried).expect_err("a counter of 128 bits");
    println!("a carry beyond: caught: {error}");
}
