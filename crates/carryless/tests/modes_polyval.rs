//! POLYVAL alone, in pieces of whole blocks (RFC 8452 section 3).
#![cfg(feature = "hazmat")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "harness/asked.rs"]
mod asked;

use carryless::Engine;
use carryless::hazmat::Polyval;

use asked::{is_asked, quick};

/// The hash of both parts, one after the other.
fn hash(engine: Engine, parts: [&[u8]; 2]) -> [u8; 16] {
    let h = core::array::from_fn(|i| (i * 31 + 63) as u8);
    let mut hash = Polyval::with_engine(&h, engine).expect("an engine that is there");
    for part in parts {
        hash.update(part);
    }
    hash.finish()
}

#[test]
fn c3_polyval_in_pieces_is_one_hash_on_every_engine() {
    let data: Vec<u8> = (0..1601).map(|i| (i * 31 + i / 256) as u8).collect();
    // Quickly each length of a block's rest.
    let engines: Vec<Engine> = Engine::available().filter(is_asked).collect();
    let mut count = 0;
    for len in (0..data.len()).step_by(if quick() { 23 } else { 1 }) {
        let data = &data[..len];
        let expected = hash(Engine::Soft32, [data, &[]]);
        let (a, b) = data.split_at((len / 2) & !15);
        for engine in engines.iter().copied() {
            assert_eq!(hash(engine, [data, &[]]), expected, "{engine}, {len}");
            assert_eq!(hash(engine, [a, b]), expected, "{engine}, {len} in pieces");
        }
        count += 1;
    }
    for engine in engines {
        println!("C3 {engine}: {count} hashes of POLYVAL in pieces");
    }
}
