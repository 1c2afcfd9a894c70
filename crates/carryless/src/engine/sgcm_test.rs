//! The known-answer test of SGCM: what a message takes of an engine, which passes it before the first use.
#![forbid(unsafe_code)]

use super::block_test::known_key;
use super::list::{Engine, EveryCipher, HashKeys};
use super::self_test::{counting, passes_with};
use super::{Counter, InOut, P12451, prime};

/// Bytes of AAD and of text: with the block of lengths seven blocks, which an engine may hash in one batch.
const LENGTHS: [usize; 2] = [20, 60];

/// Whether `engine`, which this CPU must be able to run, gives the right tag.
pub(super) fn passes<C: EveryCipher>(engine: Engine) -> bool {
    passes_with(engine, C::NAME, || seals::<C>(engine, C::SGCM))
}

/// Whether the known message, under the known key, has this tag, and its text comes back.
pub(super) fn seals<C: EveryCipher>(engine: Engine, tag: u128) -> bool {
    let Ok(enc) = known_key::<C>(engine) else {
        return false;
    };
    let mut h = [0; 16];
    enc.encrypt_block(&mut h);
    let Ok(hash) = HashKeys::<P12451>::with_engine(engine, &h) else {
        return false;
    };
    let j0 = Counter::from_nonce(&[0x5a; 12]);
    let (aad, plain) = (counting::<{ LENGTHS[0] }>(), counting::<{ LENGTHS[1] }>());
    let (mut text, mut mask) = (plain, j0.to_block());
    enc.ctr(j0.add(1), InOut::in_place(&mut text));
    enc.encrypt_block(&mut mask);
    let hash = hash.finish(hash.message(&aad, &text));
    let (made, _) = prime::add(u128::from_be_bytes(hash), u128::from_be_bytes(mask));
    enc.ctr(j0.add(1), InOut::in_place(&mut text));
    [made == tag, text == plain] == [true; 2]
}
