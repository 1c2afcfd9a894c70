//! Partials by the formula of `Segments`: others store and send them, so their bytes are a format.

use carryless::{Aes128, Aes192, Aes256, Gcm, Partial};

use super::{Dice, each};
use crate::harness::reference::{self, Block, Poly, xor};

/// What the formula makes of a segment's ciphertext.
fn formula(known: &reference::Gcm, nonce: &[u8], start: u64, ciphertext: &[u8]) -> Vec<u8> {
    let e = |block: &Block| known.aes.encrypt(block);
    let range = (u128::from(start) << 64 | ciphertext.len() as u128).to_be_bytes();
    let mut first = [0; 16];
    first[..12].copy_from_slice(nonce);
    let w = e(&first);
    let hash = known.hash(Poly(0), ciphertext).to_block();
    let seal = e(&xor(&e(&xor(&w, &range)), &hash));
    let pad = e(&xor(&seal, &e(&xor(&w, &[0xff; 16]))));
    [range, seal, xor(&hash, &pad)].concat()
}

/// Two segments, one behind the other.
fn draw(dice: &mut Dice) -> (u64, Vec<u8>, Vec<u8>) {
    let mut first = dice.piece();
    first.truncate(first.len() & !15);
    (16 * dice.below(1 << 30) as u64, first, dice.piece())
}

macro_rules! run {
    ($engine:ident, $dice:ident: $Cipher:ident $key_len:literal $tag:literal) => {{
        let (key, nonce) = ($dice.bytes($key_len), $dice.bytes(12));
        let known = reference::Gcm::new(&key);
        let gcm = Gcm::<$Cipher, 12, $tag>::with_engine(&key, $engine).unwrap();
        let message = gcm.segments(nonce[..].try_into().unwrap());
        let (start, mut first, mut second) = draw($dice);
        let behind = start + first.len() as u64;
        let parts = [
            message.seal_in_place(start, &mut first).unwrap(),
            message.seal_in_place(behind, &mut second).unwrap(),
        ];
        let whole = [&first[..], &second].concat();
        let merged = message.merge(&parts[0], &parts[1]).unwrap();
        let same = message.authenticate(start, &whole).unwrap();
        let made = [&parts[0], &parts[1], &merged, &same].map(Partial::to_bytes);
        let of = |at, text: &[u8]| formula(&known, &nonce, at, text);
        let both = of(start, &whole);
        let expected = [of(start, &first), of(behind, &second), both.clone(), both];
        assert_eq!(made.map(|bytes| bytes.to_vec()), expected);
        made.len()
    }};
}

#[test]
fn c3_partials_do_as_the_formula() {
    each("segments", |engine, dice| any_key!(run engine dice));
}
