//! C5: hash keys and states of the hash at their edges, through the fused entries of every engine.

use std::format;
use std::println;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::super::{Aes128, Block, Counter, Engine, InOut, Message, Tag};
use super::reference::{self, Gcm, Poly};
use super::{AeadKeys, J0, MOST, engines, quick};

/// The key of the cipher.
const KEY: [u8; 16] = [3; 16];

/// Hash keys: nothing, one, the last power of x, all ones, a random one, and every single bit.
fn hash_keys() -> impl Iterator<Item = Block> {
    let special = [
        0,
        1 << 127,
        1,
        u128::MAX,
        0x1234_5678_9abc_def0_0fed_cba9_8765_4321,
    ];
    let step = if quick() { 7 } else { 1 };
    let bits = (0..128).step_by(step).map(|i| 1u128 << i);
    special.into_iter().chain(bits).map(u128::to_be_bytes)
}

/// States of the hash in the middle of a message: nothing, one, all ones, one half.
const STATES: [u128; 6] = [0, 1 << 127, 1, u128::MAX, u128::MAX << 64, u128::MAX >> 64];

/// Ciphertexts after one block of which the hash is each of the states, with more behind it.
fn ciphertexts(h: Poly) -> Vec<Vec<u8>> {
    let mut made = vec![];
    let inverse = (h.0 != 0).then(|| h.inverse());
    for n in [0, 1, 2, 7, 8, 9, 16, 17, 31, MOST] {
        let filler =
            |i: usize| (i as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let mut blocks: Vec<Block> = (0..n).map(|i| filler(i).to_be_bytes()).collect();
        made.push(blocks.concat());
        let Some(inverse) = inverse else { continue };
        for (at, state) in (0..n).flat_map(|at| STATES.map(|state| (at, state))) {
            let before = blocks[..at]
                .iter()
                .fold(Poly(0), |y, block| y.add(Poly::from_block(block)).times(h));
            let kept = blocks[at];
            let wanted = Poly::from_block(&state.to_be_bytes());
            blocks[at] = wanted.times(inverse).add(before).to_block();
            made.push(blocks.concat());
            blocks[at] = kept;
        }
    }
    made
}

/// A hash key, and what the reference makes under it.
struct Known {
    h: Block,
    messages: Vec<Sealed>,
}

/// A ciphertext, its text and tag.
struct Sealed {
    ciphertext: Vec<u8>,
    text: Vec<u8>,
    tag: Block,
}

impl Known {
    fn new(h: Block) -> Self {
        let gcm = model(&h);
        let stream = gcm.key_stream(&J0, 16 * MOST);
        let message = |ciphertext: Vec<u8>| {
            let text = ciphertext.iter().zip(&stream).map(|(c, s)| c ^ s).collect();
            let tag = gcm.tag(&J0, &[], &ciphertext);
            Sealed {
                ciphertext,
                text,
                tag,
            }
        };
        let messages = ciphertexts(gcm.h).into_iter().map(message).collect();
        Self { h, messages }
    }

    /// Whether sealing and opening with this hash key give what the reference gives.
    fn holds(&self, seal: Seals<'_>, open: Opens<'_>) -> Result<usize, String> {
        let h = self.h;
        for (i, message) in self.messages.iter().enumerate() {
            let mut text = message.text.clone();
            if seal(&mut text) != message.tag || text != message.ciphertext {
                return Err(format!("H = {h:x?}: message {i} is sealed otherwise"));
            }
            if !open(&mut text, &message.tag) || text != message.text {
                return Err(format!("H = {h:x?}: message {i} is not opened"));
            }
        }
        Ok(2 * self.messages.len())
    }

    /// The same of an engine.
    fn holds_on(&self, engine: Engine) -> usize {
        let j0 = Counter::from_block(&J0);
        let keys = AeadKeys::<Aes128>::with_h(engine, &KEY, &self.h).unwrap();
        let seal = |text: &mut [u8]| {
            let text = InOut::in_place(text);
            super::sealed(&keys, Message { j0, aad: &[], text })
        };
        let open = |text: &mut [u8], tag: &Block| {
            let tag = Tag {
                bytes: *tag,
                len: 16,
            };
            let text = InOut::in_place(text);
            keys.open(Message { j0, aad: &[], text }, &tag).publish()
        };
        self.holds(&seal, &open)
            .unwrap_or_else(|error| panic!("{engine}: {error}"))
    }
}

type Seals<'s> = &'s dyn Fn(&mut [u8]) -> Block;
type Opens<'s> = &'s dyn Fn(&mut [u8], &Block) -> bool;

/// The reference with another H.
fn model(h: &Block) -> Gcm {
    let mut gcm = Gcm::new(&KEY);
    gcm.h = Poly::from_block(h);
    gcm
}

#[test]
fn c5_hash_keys_and_states_at_their_edges_are_no_edges() {
    let mut counts: Vec<(Engine, usize)> = engines().into_iter().map(|e| (e, 0)).collect();
    for (i, known) in hash_keys().map(Known::new).enumerate() {
        for (engine, count) in &mut counts {
            // Single bits are many; every fifth is enough for code that takes its time.
            if i % 5 == 0 || !engine.name().starts_with("soft") {
                *count += known.holds_on(*engine);
            }
        }
    }
    for (engine, count) in counts {
        println!("C5 {engine}: {count} messages with H and the hash at their edges");
    }
}

/// An early way out for a state of zero, and one for an upper half of zeros, are what this is for.
#[test]
fn control_c5_an_early_way_out_is_noticed() {
    for (name, wrong) in [
        (
            "a hash of zero ends the loop",
            (|y| y == 0) as fn(u128) -> bool,
        ),
        ("an upper half of zeros is skipped", |y| {
            y != 0 && y >> 64 == 0
        }),
        ("all ones are taken for an error", |y| y == u128::MAX),
    ] {
        let known = Known::new(0x77u128.to_be_bytes());
        let gcm = model(&known.h);
        let tag = |ciphertext: &[u8]| {
            let mut blocks: Vec<Block> = reference::blocks(ciphertext).collect();
            blocks.push(reference::length_block(0, ciphertext.len()));
            let mut y = Poly(0);
            for block in blocks {
                let next = y.add(Poly::from_block(&block)).times(gcm.h);
                y = if wrong(u128::from_be_bytes(next.to_block())) {
                    y
                } else {
                    next
                };
            }
            reference::xor(&y.to_block(), &gcm.aes.encrypt(&J0))
        };
        let seal = |text: &mut [u8]| {
            crypt(&gcm, text);
            tag(text)
        };
        let open = |text: &mut [u8], _: &Block| {
            crypt(&gcm, text);
            true
        };
        let result = known.holds(&seal, &open);
        println!("{name}: caught: {}", result.expect_err("the fault"));
    }
}

/// Counter mode by the reference.
fn crypt(gcm: &Gcm, text: &mut [u8]) {
    let made = gcm.ctr(&J0, text);
    text.copy_from_slice(&made);
}

#[test]
fn control_c5_an_opening_that_leaves_the_ciphertext_is_noticed() {
    let known = Known::new(0x77u128.to_be_bytes());
    let gcm = model(&known.h);
    let seal = |text: &mut [u8]| {
        crypt(&gcm, text);
        gcm.tag(&J0, &[], text)
    };
    let result = known.holds(&seal, &|_, _| true);
    println!("no text: caught: {}", result.expect_err("the fault"));
}
