//! The same of products of limbs, in assembly.

use super::*;
use crate::asm::{Assembly, Neon32};

/// What hashes; `None`, and a line that says so, on a CPU without NEON, unless `CARRYLESS_REQUIRE` names the engine.
fn neon() -> Option<Neon32> {
    let required = std::env::var("CARRYLESS_REQUIRE").unwrap_or_default();
    let found = Neon32::detect();
    if let Err(missing) = &found {
        println!("not run: {missing:?}");
        assert!(!required.split(',').any(|name| name == Neon32::NAME));
    }
    found.ok()
}

/// Whether the hashes come out, of keys that `change` was made to; how many.
fn hashes(neon: Neon32, change: impl Fn(&mut Limbs)) -> Result<usize, String> {
    let mut count = 0;
    for (name, words) in lines("hash") {
        let [h, blocks, expected] = words[..].try_into().unwrap();
        let blocks = bytes(blocks);
        let mut key = Limbs::new(&bytes(h).try_into().unwrap());
        change(&mut key);
        for split in [0, blocks.len().min(16), blocks.len().min(80)] {
            let mut acc = Element::default();
            let (first, rest) = blocks.split_at(split);
            neon.hash_prime(&key, &mut acc, first);
            neon.hash_prime(&key, &mut acc, rest);
            if acc.to_be_bytes() != element(expected).to_be_bytes() {
                return Err(format!("split at {split}: {name}"));
            }
        }
        count += 1;
    }
    Ok(count)
}

#[test]
fn c5_hashes_at_the_edges_come_out_by_limbs() {
    let Some(neon) = neon() else {
        return;
    };
    let count = hashes(neon, |_| ()).unwrap_or_else(|error| panic!("{error}"));
    println!("C5 SGCM by limbs: {count} hashes at the edges");
    assert_eq!(count, 487);
}

#[test]
fn limbs_are_the_number_they_are_cut_from() {
    let most = u128::from(C) - 1;
    for low in [0, 1, 1 << 26, 1 << 104, most, u128::MAX / 3, u128::MAX] {
        for top in 0..=u32::from(low <= most) {
            let element = Element { low, top };
            let again = Element::of_limbs(element.to_limbs());
            assert_eq!(again.to_be_bytes(), element.to_be_bytes());
        }
    }
    // The highest may be longer: with 2^28 - 1 there the number is 15 times 2^128 and what follows.
    let ones = (1 << 26) - 1;
    let element = Element::of_limbs([ones, ones, ones, ones, (1 << 28) - 1]);
    let low = u128::MAX - u128::from(15 * C);
    assert_eq!(element.to_be_bytes(), Element { low, top: 0 }.to_be_bytes());
}

/// Of batches of every number of blocks: all limbs as large as they get, the blocks' and the powers', and larger than any key makes them.
#[test]
fn p4_the_largest_sums_of_limbs_are_carried_right() {
    let Some(neon) = neon() else {
        return;
    };
    let most = Element {
        low: u128::from(C) - 1,
        top: 1,
    };
    let ones = [(1 << 26) - 1; 5];
    let mut sums = 0;
    for limbs in [
        most.to_limbs(),
        ones,
        [0, 0, 0, 0, ones[4]],
        [ones[0], 0, 0, 0, 0],
    ] {
        let mut key = Limbs::default();
        for pair in &mut key.0 {
            *pair = limbs.map(|limb| [limb; 2]);
        }
        for count in 1..=3 * POWERS {
            for byte in [0xff, 0] {
                let blocks = std::vec![byte; 16 * count];
                let mut acc = most;
                neon.hash_prime(&key, &mut acc, &blocks);
                let mut expected = most;
                // The first batch is what is left of whole ones.
                let (first, rest) = blocks.split_at(16 * ((count - 1) % POWERS + 1));
                for batch in [first].into_iter().chain(rest.chunks(BATCH)) {
                    for block in batch.as_chunks::<16>().0 {
                        expected = expected + Element::of_block(block);
                    }
                    expected = expected * Element::of_limbs(limbs);
                }
                assert_eq!(
                    acc.to_be_bytes(),
                    expected.to_be_bytes(),
                    "{limbs:x?}, {count} blocks of {byte}"
                );
                sums += 1;
            }
        }
    }
    println!("P4 SGCM by limbs: {sums} of the largest sums");
}

#[test]
fn limbs_agree_with_words_on_every_number_of_blocks() {
    let Some(neon) = neon() else {
        return;
    };
    let h = [0xa5; 16];
    let (limbs, words) = (Limbs::new(&h), Key::new(Form::Fold32, &h));
    let data: Vec<u8> = (0..16 * 65)
        .map(|i: u32| (i * i / 8).to_le_bytes()[0])
        .collect();
    let mut both = [Element::default(); 2];
    for count in 0..=65 {
        let blocks = &data[..16 * count];
        neon.hash_prime(&limbs, &mut both[0], blocks);
        words.update(Form::Fold32, &mut both[1], blocks);
        let [by_limbs, by_words] = both.map(Element::to_be_bytes);
        assert_eq!(by_limbs, by_words, "{count} blocks");
    }
}

#[test]
fn control_c5_powers_without_their_129th_bit_are_noticed_by_limbs() {
    let Some(neon) = neon() else {
        return;
    };
    let result = hashes(neon, |key| {
        for [.., highest] in &mut key.0 {
            *highest = highest.map(|limb| limb & 0xff_ffff);
        }
    });
    println!("caught: {}", result.expect_err("a bit that is lost"));
}
