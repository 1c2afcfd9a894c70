//! The hash of SGCM, once for all engines but those of AArch32, and the known-answer test that an engine passes before its first use.
#![forbid(unsafe_code)]

#[cfg(carryless_fused)]
use super::fused::Fused;
use super::list::{Engine, HashKeys};
use super::results::Tests;
use super::self_test::passes_with;
use super::{Backend, Block, Hash, P12451};
use crate::secret::then_overwrite_stack;
use crate::soft::prime::{Element, Form, Key};

#[cfg(carryless_a32)]
mod a32;

/// Bytes of stack that hashing takes.
const FRAMES: usize = 512;

/// An engine that makes the products of integers, as the compiler does for its target.
pub trait Integers: Backend {
    /// Those that it does best.
    const PRIME: Form = Form::NATIVE;
}

#[cfg(carryless_fused)]
impl<E: Backend> Integers for Fused<E> {}

impl<E: Integers> Hash<P12451> for E {
    type Key = Key;

    fn key(self, h: &Block) -> Key {
        Key::new(E::PRIME, h)
    }
    fn update(self, key: &Key, acc: &mut Element, blocks: &[u8]) {
        then_overwrite_stack::<FRAMES, _>(|| key.update(E::PRIME, acc, blocks));
    }
    #[inline(always)]
    fn finish(self, _key: &Key, acc: Element) -> Block {
        acc.to_block()
    }
}

/// What is known of the engines for it.
pub(super) static TESTS: Tests = Tests::new();

/// Bytes of a batch of eight blocks.
const BATCH: usize = 16 * 8;

/// Bytes of the known text: batches, and what is left of one.
const LEN: usize = 2 * BATCH + 16 * 4 + 5;

/// Hash keys with what they make of the known text, by the model of the profile: the one whose bytes count, and one of which the square
/// is 2^128 + 1042.
const KNOWN: [(u128, u128); 2] = [
    (
        0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f,
        0x6521_6bae_5e3a_9656_e5aa_70f7_c638_0599,
    ),
    (
        0x8831_02c4_1a35_8fba_4c14_99a6_8692_556c,
        0x311a_f655_cf89_fbdc_6697_7d83_8981_fd53,
    ),
];

/// Whether `engine`, which this CPU must be able to run, gives the right answers.
pub(super) fn passes(engine: Engine) -> bool {
    passes_with(engine, <P12451 as super::Field>::NAME, || {
        KNOWN.into_iter().all(|(h, answer)| {
            let key = HashKeys::with_engine(engine, &h.to_be_bytes());
            key.is_ok_and(|key| hash(&key) == answer.to_be_bytes())
        })
    })
}

/// The hash of the known text: a batch of ones, which meet every bit of the powers, the 129th too, and then bytes that count.
#[expect(
    clippy::cast_possible_truncation,
    reason = "bytes that count, modulo 256"
)]
pub(super) fn hash(key: &HashKeys<P12451>) -> Block {
    let text: [u8; LEN] = core::array::from_fn(|i| if i < BATCH { 0xff } else { i as u8 });
    let mut acc = Element::default();
    key.absorb(&mut acc, &text);
    key.finish(acc)
}
