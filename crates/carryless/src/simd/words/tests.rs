//! Each operation on vectors against the same on each word.
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use std::vec::Vec;

use super::*;

/// Bytes of the widest group.
const MOST: usize = 4 * 64;

fn bytes(factor: usize) -> [u8; MOST] {
    core::array::from_fn(|i| (i * factor + i / 3) as u8)
}

/// What `of_vectors` gives for each vector of some bytes, which must be what `of_words` gives for each word.
fn same<W: Words>(
    w: W,
    of_vectors: impl Fn(W::V, W::V) -> W::V,
    of_words: impl Fn(u32, u32) -> u32,
    what: &str,
) {
    let (a, b) = (bytes(29), bytes(171));
    for at in (0..MOST).step_by(W::BYTES) {
        let mut given = [0; MOST];
        w.store(&mut given, at, of_vectors(w.load(&a, at), w.load(&b, at)));
        for at in (at..at + W::BYTES).step_by(4) {
            let expected = of_words(One.load(&a, at), One.load(&b, at));
            assert_eq!(One.load(&given, at), expected, "{what}, byte {at}");
        }
    }
}

fn all<W: Words>(w: W) {
    same(w, |a, b| w.xor(a, b), |a, b| a ^ b, "xor");
    same(w, |a, b| w.and(a, b), |a, b| a & b, "and");
    same(w, |a, b| w.add(a, b), u32::wrapping_add, "add");
    same(w, |a, b| w.sub(a, b), u32::wrapping_sub, "sub");
    same(w, |a, _| w.swap_bytes(a), |a, _| a.swap_bytes(), "swap");
    same(w, |_, _| w.splat(0x1234_5678), |_, _| 0x1234_5678, "splat");
    same(w, |a, _| w.rotate::<9, 23>(a), |a, _| a.rotate_left(9), "9");
    same(
        w,
        |a, _| w.rotate::<29, 3>(a),
        |a, _| a.rotate_right(3),
        "3",
    );
    // Transposed, each word has the number of its block, and its place in that is the number of the vector.
    let group: [u8; MOST] = core::array::from_fn(|i| if i % 4 == 0 { (i / 4) as u8 } else { 0 });
    let vectors: [W::V; 4] = core::array::from_fn(|i| w.load(&group, i * W::BYTES));
    let (transposed, mut numbers) = (w.transpose(vectors), [0; MOST]);
    w.store(&mut numbers, 0, w.numbers());
    for (place, v) in transposed.into_iter().enumerate() {
        let mut words = [0; MOST];
        w.store(&mut words, 0, v);
        for at in (0..W::BYTES).step_by(4) {
            let block = One.load(&numbers, at);
            assert_eq!(One.load(&words, at), 4 * block + place as u32);
        }
    }
    let mut back = [0; MOST];
    for (i, v) in w.transpose(transposed).into_iter().enumerate() {
        w.store(&mut back, i * W::BYTES, v);
    }
    assert_eq!(back[..4 * W::BYTES], group[..4 * W::BYTES]);
}

/// Those wider ones that this machine has.
fn wide() -> Vec<&'static str> {
    #[cfg(all(carryless_fused, target_arch = "x86_64"))]
    {
        use super::super::x86_64::{Avx2, Vaes512};
        let avx2 = Avx2::detect().map(all).map(|()| "AVX2");
        let avx512 = Vaes512::detect().map(all).map(|()| "AVX-512");
        avx2.into_iter().chain(avx512).collect()
    }
    #[cfg(not(all(carryless_fused, target_arch = "x86_64")))]
    Vec::new()
}

#[test]
fn vectors_of_words_do_to_each_word_what_they_say() {
    let mut names: Vec<&str> = Vec::from(["words", "of the target"]);
    all(One);
    all(Base);
    names.extend(wide());
    std::println!("{names:?}");
}
