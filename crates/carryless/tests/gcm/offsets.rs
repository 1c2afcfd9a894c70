//! C6: segments at places that a narrower count would take for others.

use crate::harness::reference::Gcm;
use crate::harness::{Checked, caught, engines, ensure};

/// Whether a segment at byte `at` has the key stream of the counters that plain integers give.
fn segment_counts(gcm: &Gcm, nonce: &[u8], at: u64, stream: &[u8]) -> Checked {
    let j0 = gcm.j0(nonce);
    for (n, block) in stream.chunks(16).enumerate() {
        let count = u128::from(at) / 16 + n as u128 + 2;
        let mut counter = j0;
        counter[12..].copy_from_slice(&u32::try_from(count).unwrap().to_be_bytes());
        let right = gcm.aes.encrypt(&counter);
        ensure!(
            *block == right[..block.len()],
            "block {n} of the segment at byte {at} has another key stream"
        );
    }
    Ok(stream.len())
}

/// Places of segments: 2^16, 2^24, 2^28 blocks, and where bytes and bits no longer fit 32 bits; before, at, behind.
fn places() -> impl Iterator<Item = u64> {
    let edges = [1 << 20, 1 << 28, 1 << 29, 1 << 31, 1 << 32, 1 << 35];
    edges
        .into_iter()
        .flat_map(|edge: u64| [edge - 320, edge - 16, edge, edge + 16])
}

#[test]
fn c6_segments_far_behind_have_their_counters() {
    let (key, nonce) = (crate::harness::key(16), [7; 12]);
    let gcm = Gcm::new(&key);
    for engine in engines() {
        let library = carryless::Aes128Gcm::with_engine(&key, engine).unwrap();
        let mut count = 0;
        for at in places() {
            let mut stream = vec![0; 650];
            let sealed = library.segments(&nonce).seal_in_place(at, &mut stream);
            assert_eq!(sealed.unwrap().start(), at);
            segment_counts(&gcm, &nonce, at, &stream).unwrap_or_else(|e| panic!("{engine}: {e}"));
            count += 1;
        }
        println!("C6 {engine}: {count} segments far behind");
    }
}

#[test]
fn control_c6_offsets_of_segments_in_too_few_bits_are_noticed() {
    let (key, nonce) = (crate::harness::key(16), [7; 12]);
    let gcm = Gcm::new(&key);
    let library = carryless::Aes128Gcm::from_slice(&key).unwrap();
    for bits in [20, 28, 32, 35] {
        print!("offsets in {bits} bits: ");
        caught(places().try_fold(0, |count, at| {
            let mut stream = vec![0; 100];
            let narrow = at % (1 << bits);
            let sealed = library.segments(&nonce).seal_in_place(narrow, &mut stream);
            sealed.unwrap();
            Ok(count + segment_counts(&gcm, &nonce, at, &stream)?)
        }));
    }
}
