//! The round keys and the rounds, in plain integers, against the published vectors; lanes are compared with these through the public
//! API and by the self-tests.

use std::vec::Vec;

use super::schedule::expand;
use super::*;
use crate::simd::words::One;

/// The cases of a kind: key, and the other fields.
fn cases(kind: &str) -> impl Iterator<Item = Vec<Vec<u8>>> {
    let lines = include_str!("../../../../../vectors/lea.txt").lines();
    lines.filter_map(move |line| {
        let mut words = line.split(' ').skip(1);
        (words.next() == Some(kind)).then(|| words.map(|word| hex::decode(word).unwrap()).collect())
    })
}

fn round_keys(key: &[u8]) -> Vec<RoundKey> {
    let mut round_keys = Vec::from([[0; 6]; 32]);
    round_keys.truncate(16 + key.len() / 2);
    expand(key, &mut round_keys);
    round_keys
}

#[test]
fn round_keys_are_those_of_the_vectors() {
    let mut count = 0;
    for case in cases("schedule") {
        let [key, expected] = &case[..] else {
            panic!("key and round keys")
        };
        let words = round_keys(key);
        let words: Vec<u8> = words
            .as_flattened()
            .iter()
            .flat_map(|word| word.to_be_bytes())
            .collect();
        assert_eq!(words, *expected);
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn single_blocks_are_those_of_the_vectors() {
    let mut count = 0;
    for case in cases("ecb") {
        let [key, text, sealed] = &case[..] else {
            panic!("key, text and ciphertext")
        };
        let (keys, mut place) = (round_keys(key), text.clone());
        encrypt::<_, 1>(One, &keys, InOut::in_place(&mut place));
        assert_eq!(place, *sealed);
        decrypt::<_, 1>(One, &keys, InOut::in_place(&mut place));
        assert_eq!(place, *text);
        count += 1;
    }
    assert!(count > 200, "{count}");
}
