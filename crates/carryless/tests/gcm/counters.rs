//! C4: counters that wrap, or look negative, at every place of every batch.
//!
//! A nonce of 16 bytes is solved for: GHASH of two blocks is a polynomial of degree two in H, so
//! that any block can be made the pre-counter block.

use crate::harness::reference::{Gcm, Prefixes};
use crate::harness::scheme::{Case, Path, Scheme, subject};
use crate::harness::{Checked, KEY_LENS, Random, Share, engines, quick};
use crate::tails;

/// Blocks after which the wrap is reached: inside, at and behind each batch of every engine.
const DISTANCES: core::ops::RangeInclusive<u32> = 0..=34;
/// Longest text: 40 blocks and a partial one.
const LONGEST: usize = 650;

/// The counters to start from.
fn starts() -> impl Iterator<Item = u32> {
    let edges = [0xffff_ffff_u32, 0x7fff_ffff];
    let step = if quick() { 7 } else { 1 };
    edges
        .into_iter()
        .flat_map(move |edge| DISTANCES.step_by(step).map(move |back| edge - back))
        .chain([0xffff, 0x00ff_ffff, 0x00ff_fff7, 0xfeff_ffff])
}

/// A case for each of the starts, and what the reference makes of it.
pub(crate) fn prepare<'g>(gcm: &'g Gcm, key: &[u8]) -> Vec<(u32, Case, Prefixes<'g>)> {
    let cases = starts().map(|start| {
        // Bytes 8 to 11 are ones, so that a carry into them shows, and goes on.
        let mut j0 = [0xff; 16];
        j0[..8].copy_from_slice(&Random::new(start.into()).bytes(8));
        j0[12..].copy_from_slice(&start.to_be_bytes());
        let nonce = gcm.nonce_for(&j0);
        assert_eq!(gcm.j0(&nonce), j0, "the nonce is solved for");
        let mut case = Case::new(start.into(), key.len(), 16, 5, LONGEST);
        case.key = key.to_vec();
        case.nonce = nonce.to_vec();
        let expected = gcm.prefixes(&case.nonce, &case.aad, &case.text);
        (start, case, expected)
    });
    cases.collect()
}

/// Whether the counter of `scheme` does what inc32 does, from each of this share of the starts on.
pub(crate) fn check(
    prepared: &[(u32, Case, Prefixes<'_>)],
    share: Share,
    scheme: &dyn Scheme,
) -> Checked {
    let mut count = 0;
    let numbered = prepared.iter().enumerate();
    for (_, (start, case, expected)) in numbered.filter(|(number, _)| share.has(*number)) {
        let lengths = [0, 1, 15]
            .into_iter()
            .flat_map(|first| (first..=LONGEST).step_by(16));
        let result = tails::check_against(expected, case, lengths, scheme, scheme);
        count += result.map_err(|error| format!("counter {start:#x}: {error}"))?;
    }
    Ok(count)
}

#[test]
fn c4_counters_wrap_within_their_32_bits_everywhere() {
    for (size, key) in KEY_LENS.map(crate::harness::key).iter().enumerate() {
        let gcm = Gcm::new(key);
        let prepared = prepare(&gcm, key);
        for engine in engines() {
            for (way, path) in [Path::Into, Path::Stream, Path::Within]
                .into_iter()
                .enumerate()
            {
                let share = Share::of(engine, size).turned(way);
                let count = check(&prepared, share, &*subject(engine, path, key))
                    .unwrap_or_else(|error| panic!("{error}"));
                println!("C4 {engine}: {count} messages with counters near a wrap");
            }
        }
    }
}

/// Counter mode alone, with both widths.
#[cfg(feature = "hazmat")]
#[test]
fn c4_counter_mode_wraps_where_it_is_told() {
    use crate::harness::reference::Aes;
    use carryless::hazmat::{BlockCipher, CounterWidth};

    let key = crate::harness::key(16);
    let aes = Aes::new(&key);
    for engine in engines() {
        let mut count = 0;
        let cipher = BlockCipher::<carryless::Aes128>::with_engine(&key, engine).unwrap();
        for start in starts() {
            let mut first = [0xff; 16];
            first[12..].copy_from_slice(&start.to_be_bytes());
            for width in [CounterWidth::Bits32, CounterWidth::Bits128] {
                let (mut block, mut expected) = (first, Vec::new());
                while expected.len() < LONGEST {
                    expected.extend(aes.encrypt(&block));
                    let count = u128::from_be_bytes(block);
                    block = match width {
                        CounterWidth::Bits128 => count.wrapping_add(1),
                        CounterWidth::Bits32 => {
                            count >> 32 << 32 | u128::from((count as u32).wrapping_add(1))
                        }
                    }
                    .to_be_bytes();
                }
                for len in [0, 1, 15, 16, 17, 127, 128, 129, 300, 511, 512, 513, LONGEST] {
                    let mut text = vec![0; len];
                    cipher.ctr_in_place(&first, width, &mut text);
                    assert!(
                        text == expected[..len],
                        "{engine}, {width:?} from {start:#x}, {len} bytes in place"
                    );
                    let mut out = vec![0xa5; len];
                    cipher
                        .ctr_into(&first, width, &vec![0; len], &mut out)
                        .unwrap();
                    assert!(
                        out == text,
                        "{engine}, {width:?} from {start:#x}, {len} bytes into a buffer"
                    );
                    count += 2;
                }
            }
        }
        println!("C4 {engine}: {count} key streams near a wrap");
    }
}
