//! Products, sums and the reduction against bit-serial definitions.

use super::{HashKey, LOWEST, POWERS, Scratch, halves, karatsuba, reduce, split};
use crate::field::{multiply, twist};

/// Values without a pattern, the same in each run (splitmix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn block(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }
}

/// The carry-less product of 256 bits, low half first.
fn carryless(a: u128, b: u128) -> [u128; 2] {
    (0..128)
        .filter(|i| b >> i & 1 == 1)
        .fold([0; 2], |[low, high], i| {
            [low ^ a << i, high ^ a >> 1 >> (127 - i)]
        })
}

/// `p * x^-128` modulo the reversed polynomial, one division by `x` after the other.
fn divide([mut low, mut high]: [u128; 2]) -> u128 {
    for _ in 0..128 {
        if low & 1 == 1 {
            low ^= 1 << 127 | 1 << 126 | 1 << 121 | 1;
            high ^= 1;
        }
        low = low >> 1 | high << 127;
        high >>= 1;
    }
    low
}

fn words([low, high]: [u128; 2]) -> [u64; 4] {
    let (low, high) = (halves(low), halves(high));
    [low[0], low[1], high[0], high[1]]
}

/// Whether `reduction` is right on the 256 unit vectors, thus, being linear, on everything.
fn reduces(reduction: impl Fn([u64; 4]) -> u128) -> bool {
    (0..256).all(|i| {
        let unit = if i < 128 {
            [1 << i, 0]
        } else {
            [0, 1 << (i - 128)]
        };
        reduction(words(unit)) == divide(unit)
    })
}

#[test]
fn reduction_of_every_unit_vector_is_division_by_the_polynomial() {
    assert!(reduces(reduce));
}

#[test]
fn a_reduction_with_a_wrong_shift_is_noticed() {
    for wrong in [56, 58] {
        assert!(!reduces(|[v0, mut v1, mut v2, mut v3]| {
            v2 ^= v0 ^ (v0 >> 1) ^ (v0 >> 2) ^ (v0 >> 7);
            v1 ^= (v0 << 63) ^ (v0 << 62) ^ (v0 << wrong);
            v3 ^= v1 ^ (v1 >> 1) ^ (v1 >> 2) ^ (v1 >> 7);
            v2 ^= (v1 << 63) ^ (v1 << 62) ^ (v1 << 57);
            u128::from(v3) << 64 | u128::from(v2)
        }));
    }
}

fn hash(key: &HashKey, blocks: &[u128]) -> u128 {
    let bytes: std::vec::Vec<_> = blocks
        .iter()
        .flat_map(|block| block.to_be_bytes())
        .collect();
    let mut acc = 0;
    key.update(&mut acc, &bytes);
    acc
}

/// Whether the key that `prepare` makes of each unit vector multiplies every unit vector by it.
fn multiplies_unit_vectors(prepare: impl Fn(u128) -> HashKey) -> bool {
    (0..128).all(|i| {
        let key = prepare(1 << i);
        (0..128).all(|j| hash(&key, &[1 << j]) == multiply(1 << j, 1 << i))
    })
}

fn prepared(h: u128) -> HashKey {
    HashKey::new(&h.to_be_bytes())
}

#[test]
fn products_of_all_pairs_of_unit_vectors_are_those_of_the_field() {
    assert!(multiplies_unit_vectors(prepared));
}

#[test]
fn a_dropped_mask_and_a_dropped_word_are_noticed() {
    for i in 0..4 {
        for part in 0..3 {
            assert!(!multiplies_unit_vectors(|h| {
                let mut key = prepared(h);
                key.masks[i][part] = [0; POWERS];
                key
            }));
        }
    }
    for row in 0..27 {
        assert!(!multiplies_unit_vectors(|h| {
            let mut key = prepared(h);
            key.words[row] = [0; POWERS];
            key
        }));
    }
}

/// Whether each block of a message, alone, is multiplied by its power of H.
fn aggregates(key: &HashKey, h: u128) -> bool {
    (1..=4 * POWERS + 1).all(|len| {
        let mut power = h;
        (0..len).rev().all(|at| {
            let right = (0..128).all(|j| {
                let mut blocks = std::vec![0; len];
                blocks[at] = 1 << j;
                hash(key, &blocks) == multiply(1 << j, power)
            });
            power = multiply(power, h);
            right
        })
    })
}

#[test]
fn every_block_of_every_count_meets_its_power() {
    let h = Random(1).block();
    assert!(aggregates(&prepared(h), h));
}

#[test]
fn swapped_powers_are_noticed() {
    let h = Random(1).block();
    for n in 1..POWERS {
        let mut key = prepared(h);
        key.words.iter_mut().for_each(|row| row.swap(n - 1, n));
        key.masks
            .as_flattened_mut()
            .iter_mut()
            .for_each(|row| row.swap(n - 1, n));
        assert!(!aggregates(&key, h));
    }
}

/// Splits of the same message over calls do not matter, nor does what is gathered between.
#[test]
fn pieces_give_the_hash_of_the_whole() {
    let mut random = Random(2);
    let h = random.block();
    let key = prepared(h);
    let blocks: [u128; 19] = core::array::from_fn(|_| random.block());
    let bytes: std::vec::Vec<u8> = blocks
        .iter()
        .flat_map(|block| block.to_be_bytes())
        .collect();
    let expected = blocks.iter().fold(0, |acc, block| multiply(acc ^ block, h));
    for first in 0..=19 {
        for second in first..=19 {
            let mut hasher = super::Hasher::new(&key, 0);
            hasher.absorb(&bytes[..16 * first]);
            hasher.absorb(&bytes[16 * first..16 * second]);
            hasher.absorb(&bytes[16 * second..]);
            assert_eq!(hasher.finish(), expected, "{first}, {second}");
        }
    }
    for len in 0..=80 {
        let mut padded = bytes[..len].to_vec();
        padded.resize(len.next_multiple_of(16), 0);
        let (mut hasher, mut whole) = (super::Hasher::new(&key, 5), 5);
        hasher.absorb(&bytes[..len]);
        key.update(&mut whole, &padded);
        assert_eq!(hasher.finish(), whole, "{len} bytes");
    }
}

/// A key of which every power is `twisted`, whatever it is.
fn constant_key(twisted: u128) -> HashKey {
    let mut key = prepared(0);
    for n in 0..POWERS {
        key.set(n, twisted);
    }
    key
}

/// As before the lowest bits were cleared: 16 terms meet in the middle.
fn overflowing_key(twisted: u128) -> HashKey {
    let mut key = constant_key(twisted);
    for n in 0..POWERS {
        split(&mut key.words, n, twisted);
    }
    key.masks = [[[0; POWERS]; 3]; 4];
    key
}

fn product<const N: usize>(key: &HashKey, blocks: [u128; N]) -> u128 {
    let mut scratch = Scratch::NEW;
    key.sum_of_products(&blocks, &mut scratch)
}

/// Operands that fill the holes: classes, with and without their lowest bit, and their mixtures.
fn full() -> std::vec::Vec<u128> {
    let class = u128::MAX / 15;
    let mut all: std::vec::Vec<u128> = (0..16)
        .map(|classes| {
            (0..4)
                .filter(|i| classes >> i & 1 == 1)
                .fold(0, |sum, i| sum | class << i)
        })
        .collect();
    all.extend(
        all.clone()
            .iter()
            .map(|x| x & !(u128::from(LOWEST) << 64 | u128::from(LOWEST))),
    );
    all.extend(all.clone().iter().flat_map(|x| [x >> 64, x >> 64 << 64]));
    all
}

#[test]
fn full_operands_do_not_overflow() {
    let mut caught = false;
    for power in full() {
        for block in full() {
            let expected = divide(carryless(block, power));
            let key = constant_key(power);
            assert_eq!(
                product(&key, [block]),
                expected,
                "{block:#x} times {power:#x}"
            );
            assert_eq!(product(&key, [block; 2]), 0);
            assert_eq!(product(&key, [block; 3]), expected);
            caught |= product(&overflowing_key(power), [block]) != expected;
        }
    }
    assert!(
        caught,
        "the control: a product with 16 terms in the middle is wrong"
    );
}

/// The control of the one above, precisely: random operands would not have shown the fault.
#[test]
fn the_overflow_is_rare() {
    let (mut random, ones) = (Random(3), u128::MAX);
    for _ in 0..100 {
        let (power, block) = (random.block(), random.block());
        assert_eq!(
            product(&overflowing_key(power), [block]),
            divide(carryless(block, power))
        );
    }
    assert_ne!(
        product(&overflowing_key(ones), [ones]),
        divide(carryless(ones, ones))
    );
}

fn random_products(count: u32) {
    let mut random = Random(4);
    for _ in 0..count {
        let (block, h) = (random.block(), random.block());
        let mut key = HashKey {
            words: [[0; POWERS]; 27],
            masks: [[[0; POWERS]; 3]; 4],
        };
        key.set(POWERS - 1, twist(h));
        assert_eq!(
            product(&key, [block]),
            multiply(block, h),
            "{block:#x} times {h:#x}"
        );
    }
}

#[test]
fn random_products_are_those_of_the_field() {
    random_products(if cfg!(miri) { 20 } else { 200_000 });
}

#[test]
#[ignore = "ten million products take a quarter of a minute and more"]
fn many_random_products_are_those_of_the_field() {
    random_products(10_000_000);
}

#[test]
fn the_low_bits_of_the_key_are_multiplied_by_masks() {
    let key = constant_key(u128::MAX);
    assert!(
        key.words.iter().flatten().all(|word| word & 1 == 0),
        "no word keeps its lowest bit"
    );
    let sum = karatsuba(u128::MAX)[2];
    assert!((0..4).all(|i| key.masks[i]
        == [
            [u64::MAX; POWERS],
            [u64::MAX; POWERS],
            [(sum >> i & 1).wrapping_neg(); POWERS]
        ]));
}
