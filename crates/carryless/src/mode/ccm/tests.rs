//! Counters beyond 32 bits: no text of a test is so long.

use std::vec;
use std::vec::Vec;

use super::stream::counted;
use crate::engine::{Aes128, CipherKeys, Engine, InOut};

#[test]
fn c7_counters_are_carried_where_32_bits_wrap() {
    for engine in Engine::available() {
        let keys = CipherKeys::<Aes128>::with_engine(engine, &[7; 16]).expect("it is available");
        for before in 0..20u128 {
            let counter = 0x0601_0203_0405_0607_0800_0002_0000_0000 - before;
            let mut text = vec![0; 16 * 40 + 3];
            let mut expected: Vec<u8> = (0..41).flat_map(|i| (counter + i).to_be_bytes()).collect();
            keys.encrypt(InOut::in_place(&mut expected));
            counted(counter, InOut::in_place(&mut text), |counter, text| {
                keys.ctr(counter, text);
            });
            assert!(
                text == expected[..text.len()],
                "{engine}, {before} blocks before"
            );
        }
    }
}
