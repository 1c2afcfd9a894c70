//! P1 to P3 on the entry points that ship, of every engine of the list; the self-test; and the proof
//! that a new cipher and a new field need no plumbing.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test that can't go on has failed; bytes of numbers"
)]

use std::format;
use std::println;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::self_test::{KnownAnswer, LENGTHS};
use super::{
    AeadKeys, Aes128, Block, Counter, Engine, InOut, Message, Open, Seal, Tag, length_block,
};

mod blocks;
mod corrupted;
mod edges;
// All entries of two engines in plain integers: without optimization loops stay loops, and they are built in a reasonable time.
#[cfg(all(target_arch = "x86_64", carryless_fused, carryless_rolled))]
mod key_first;
mod modes;
mod places;
#[cfg(feature = "hazmat")]
mod products;

#[allow(
    dead_code,
    clippy::duplicate_mod,
    reason = "shared with the integration tests"
)]
#[path = "../../tests/harness/reference.rs"]
mod reference;

use self::reference::{Gcm, Poly};

/// One block under the cipher's key.
fn encrypted<C: super::EveryAead>(keys: &AeadKeys<C>, mut block: Block) -> Block {
    keys.encrypt_block(&mut block);
    block
}

/// Seals the message; its full tag.
fn sealed<C: super::EveryAead>(keys: &AeadKeys<C>, message: Message<'_>) -> Block {
    let mut tag = [0; 16];
    keys.seal(message, &mut tag);
    tag
}

/// Engines that this machine runs; the others are printed.
fn engines() -> Vec<Engine> {
    let usable = |engine: &Engine| match engine.availability() {
        Ok(()) => true,
        Err(reason) => {
            println!("{engine}: not run: {reason}");
            false
        }
    };
    Engine::ALL.iter().copied().filter(usable).collect()
}

/// Keys for P3: sixteen, two where the code is slow, and one where the machine is too.
fn keys(engine: Engine) -> impl Iterator<Item = [u8; 16]> {
    let few = engine.name().starts_with("soft") || engine.name() == "vaes512";
    let count = match quick() {
        true => 1,
        false if few => 2,
        false => 16,
    };
    (0..count).map(|n| core::array::from_fn(|i| (n * 37 + i * 11) as u8))
}

/// Room for the blocks of P3.
const MOST: usize = 72;

/// Blocks together: four turns of eight, or two of 32 with one of eight behind them.
fn most(engine: Engine) -> usize {
    match engine.name() {
        // Quickly: two turns of the portable engines, and the beginning of a third.
        _ if quick() => 10,
        "vaes512" => MOST,
        _ => 32,
    }
}

/// Whether `CARRYLESS_TEST_QUICK` asks for fewer cases.
fn quick() -> bool {
    std::env::var_os("CARRYLESS_TEST_QUICK").is_some()
}

/// An entry point that hashes: the tag of a ciphertext of whole blocks without AAD, under a key.
type Tags<'t> = &'t dyn Fn(&[u8]) -> Block;

/// An entry point that hashes and compares: whether a ciphertext of whole blocks without AAD has the tag, under a
/// key.
type Accepts<'t> = &'t dyn Fn(&[u8], &Block) -> bool;

/// Whether one bit at any place of up to `most` blocks is hashed with the power that belongs there.
///
/// The tag of the ciphertext of zeros is computed by the reference, and so is what each bit changes:
/// the hash is linear, so that no more is needed (P3).
fn accepts_its_powers(
    gcm: &Gcm,
    j0: &Block,
    most: usize,
    accepts: Accepts<'_>,
) -> Result<usize, String> {
    let mut powers = vec![Poly::ONE];
    for n in 0..most + 1 {
        powers.push(powers[n].times(gcm.h));
    }
    let mut count = 0;
    for n in 1..=most {
        let mut ciphertext = vec![0; 16 * n];
        let zeros = gcm.tag(j0, &[], &ciphertext);
        for i in 0..n {
            for j in 0..128 {
                let bit = 1u128 << (127 - j);
                ciphertext[16 * i..16 * i + 16].copy_from_slice(&bit.to_be_bytes());
                let changed = Poly(1 << j).times(powers[n - i + 1]);
                if !accepts(&ciphertext, &reference::xor(&zeros, &changed.to_block())) {
                    return Err(format!("bit {j} of block {i} of {n} meets a wrong power"));
                }
                count += 1;
            }
            ciphertext[16 * i..16 * i + 16].fill(0);
        }
    }
    Ok(count)
}

/// [`accepts_its_powers`] for an entry point that gives the tag out.
fn meets_its_powers(gcm: &Gcm, j0: &Block, most: usize, tag: Tags<'_>) -> Result<usize, String> {
    accepts_its_powers(gcm, j0, most, &|ciphertext, expected| {
        tag(ciphertext) == *expected
    })
}

/// The pre-counter block of the tests.
const J0: Block = [0xf0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 1];

#[test]
fn p3_opening_meets_every_block_with_its_power() {
    for engine in engines() {
        let mut count = 0;
        for key in keys(engine) {
            let keys = AeadKeys::<Aes128>::untested(engine, &key).unwrap();
            let accepts = |ciphertext: &[u8], tag: &Block| {
                let mut out = [0; 16 * MOST];
                let text = InOut::between(ciphertext, &mut out[..ciphertext.len()]).unwrap();
                let j0 = Counter::from_block(&J0);
                let tag = Tag {
                    bytes: *tag,
                    len: 16,
                };
                keys.open(Message { j0, aad: &[], text }, &tag).publish()
            };
            count += accepts_its_powers(&Gcm::new(&key), &J0, most(engine), &accepts)
                .unwrap_or_else(|error| panic!("{engine}: {error}"));
        }
        println!("P3 {engine}: {count} unit vectors through the opening entry");
    }
}

#[test]
fn p3_sealing_meets_every_block_with_its_power() {
    for engine in engines() {
        let mut count = 0;
        for key in keys(engine).step_by(2).take(2) {
            let gcm = Gcm::new(&key);
            let keys = AeadKeys::<Aes128>::untested(engine, &key).unwrap();
            let stream = gcm.key_stream(&J0, 16 * MOST);
            let tag = |ciphertext: &[u8]| {
                let mut text: [u8; 16 * MOST] =
                    core::array::from_fn(|i| ciphertext.get(i).map_or(0, |byte| byte ^ stream[i]));
                let text = InOut::in_place(&mut text[..ciphertext.len()]);
                let j0 = Counter::from_block(&J0);
                sealed(&keys, Message { j0, aad: &[], text })
            };
            count += meets_its_powers(&gcm, &J0, most(engine), &tag)
                .unwrap_or_else(|error| panic!("{engine}: {error}"));
        }
        println!("P3 {engine}: {count} unit vectors through the sealing entry");
    }
}

#[test]
fn p3_segments_meet_every_block_with_its_power() {
    for engine in engines() {
        let mut count = 0;
        for key in keys(engine).step_by(2).take(2) {
            let gcm = Gcm::new(&key);
            let keys = AeadKeys::<Aes128>::untested(engine, &key).unwrap();
            let counter = Counter::from_block(&J0);
            let stream = gcm.key_stream(&J0, 16 * MOST);
            let finish = |mut acc: u128, len: usize| {
                keys.absorb(&mut acc, &length_block(0, len as u64));
                reference::xor(&keys.finish(acc), &encrypted(&keys, J0))
            };
            let open = |ciphertext: &[u8]| {
                let (mut acc, mut out) = (0, [0; 16 * MOST]);
                let text = InOut::between(ciphertext, &mut out[..ciphertext.len()]).unwrap();
                keys.segment::<Open>(counter.add(1), text, &mut acc);
                finish(acc, ciphertext.len())
            };
            let seal = |ciphertext: &[u8]| {
                let mut text: [u8; 16 * MOST] =
                    core::array::from_fn(|i| ciphertext.get(i).map_or(0, |byte| byte ^ stream[i]));
                let mut acc = 0;
                keys.segment::<Seal>(
                    counter.add(1),
                    InOut::in_place(&mut text[..ciphertext.len()]),
                    &mut acc,
                );
                finish(acc, ciphertext.len())
            };
            for tag in [&open as Tags<'_>, &seal] {
                count += meets_its_powers(&gcm, &J0, most(engine), tag)
                    .unwrap_or_else(|error| panic!("{engine}: {error}"));
            }
        }
        println!("P3 {engine}: {count} unit vectors through the segment entries");
    }
}

/// AAD goes through another loop, and a short one through a third.
#[test]
fn p3_additional_data_meets_every_block_with_its_power() {
    for engine in engines() {
        let mut count = 0;
        for key in keys(engine).step_by(2).take(2) {
            let gcm = Gcm::new(&key);
            let keys = AeadKeys::<Aes128>::untested(engine, &key).unwrap();
            // The same hash but for the block of lengths, whose halves change places.
            let swap = |tag: Block, len: usize| {
                let difference = Poly::from_block(&reference::length_block(len, 0))
                    .add(Poly::from_block(&reference::length_block(0, len)));
                reference::xor(&tag, &difference.times(gcm.h).to_block())
            };
            let tag = |aad: &[u8]| {
                let message = Message {
                    j0: Counter::from_block(&J0),
                    aad,
                    text: InOut::in_place(&mut []),
                };
                swap(sealed(&keys, message), aad.len())
            };
            count += meets_its_powers(&gcm, &J0, most(engine), &tag)
                .unwrap_or_else(|error| panic!("{engine}: {error}"));
        }
        println!("P3 {engine}: {count} unit vectors as additional data");
    }
}

/// The sum law on blocks that look random: what linearity says of the rest.
#[test]
fn p3_the_hash_of_a_sum_is_the_sum_of_hashes() {
    for engine in engines() {
        let keys = AeadKeys::<Aes128>::untested(engine, &[7; 16]).unwrap();
        let hash = |data: &[u8]| {
            let mut acc = 0;
            keys.absorb(&mut acc, data);
            u128::from_be_bytes(keys.finish(acc))
        };
        let mut state = 1u64;
        let mut random = |len: usize| -> Vec<u8> {
            let step = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                state.to_be_bytes()[0]
            };
            (0..len).map(step).collect()
        };
        for len in 0..=16 * MOST {
            let (a, b) = (random(len), random(len));
            let sum: Vec<u8> = a.iter().zip(&b).map(|(a, b)| a ^ b).collect();
            assert_eq!(hash(&sum), hash(&a) ^ hash(&b), "{engine}, {len} bytes");
        }
        println!("P3 {engine}: {} sums of random blocks", 16 * MOST + 1);
    }
}

#[test]
fn the_answers_of_the_self_test_are_those_of_the_reference() {
    // Spelled out here once more, by the reference: an engine that is wrong in the same way as the
    // constants would pass its self-test.
    let key: Vec<u8> = (0..32).collect();
    let tags = |key: &[u8]| {
        LENGTHS.map(|(aad_len, text_len)| {
            let aad: Vec<u8> = (0..aad_len).map(|i| !i as u8).collect();
            let text: Vec<u8> = (0..text_len).map(|i| i as u8).collect();
            u128::from_be_bytes(Gcm::new(key).seal(&[0x5a; 12], &aad, &text).1)
        })
    };
    assert_eq!(tags(&key[..16]), <Aes128 as KnownAnswer>::TAGS);
    assert_eq!(tags(&key[..24]), <super::Aes192 as KnownAnswer>::TAGS);
    assert_eq!(tags(&key), <super::Aes256 as KnownAnswer>::TAGS);
    for engine in engines() {
        assert_eq!(engine.self_test(), Ok(()), "{engine}");
    }
}

mod controls;
