//! Products, sums and the reduction against bit-serial definitions.

mod holes;

use std::string::String;
use std::vec::Vec;
use std::{format, println};

#[cfg(carryless_a64)]
use super::By8;
use super::{By16, By32, By64, HashKey, Hasher, Multiplier, by16, reduce};
use crate::block::Block;
#[cfg(carryless_a64)]
use crate::block::Lane;
use crate::field::{multiply, twist};

/// A multiplier, and what the tests want of it.
trait Subject: Multiplier {
    /// The engines that multiply by it.
    const ENGINES: &[&str];
    /// Bits of the words that it multiplies, and classes of those; or rows of limbs.
    const WORDS: (usize, usize);
    /// How many rows and masks the powers have.
    const PARTS: usize;
    /// What stands for one power in such a part.
    type Column: Copy + Default;

    /// A row or mask of power number `n`.
    fn part(powers: &mut Self::Powers, part: usize, n: usize) -> &mut Self::Column;

    /// Drops a row or mask of all powers.
    fn drop_part(powers: &mut Self::Powers, part: usize) {
        for n in 0..Self::POWERS {
            *Self::part(powers, part, n) = Self::Column::default();
        }
    }
}

impl Subject for By64 {
    const ENGINES: &[&str] = &["soft64", "soft64:words"];
    const WORDS: (usize, usize) = (64, 4);
    const PARTS: usize = 27 + 12;
    type Column = u64;

    fn part(powers: &mut Self::Powers, part: usize, n: usize) -> &mut u64 {
        match part.checked_sub(27) {
            None => &mut powers.factors[part][n],
            Some(mask) => &mut powers.masks.as_flattened_mut()[mask][n],
        }
    }
}

impl Subject for By32 {
    const ENGINES: &[&str] = &["soft32"];
    const WORDS: (usize, usize) = (32, 4);
    const PARTS: usize = 81;
    type Column = u32;

    fn part(powers: &mut Self::Powers, part: usize, n: usize) -> &mut u32 {
        &mut powers[part][n]
    }
}

impl Subject for By16 {
    const ENGINES: &[&str] = &["soft32:narrow"];
    const WORDS: (usize, usize) = (16, 3);
    const PARTS: usize = 162;
    type Column = by16::Long;

    fn part(powers: &mut Self::Powers, part: usize, n: usize) -> &mut by16::Long {
        &mut powers[part][n]
    }
}

#[cfg(carryless_a64)]
impl Subject for By8 {
    const ENGINES: &[&str] = &["neon"];
    const WORDS: (usize, usize) = (8, 4);
    const PARTS: usize = 9;
    type Column = Lane;

    fn part(powers: &mut Self::Powers, part: usize, n: usize) -> &mut Lane {
        &mut powers[n][part]
    }
}

/// Calls the test for every multiplier.
macro_rules! each_multiplier {
    ($test:ident $(, $arg:expr)*) => {{
        $test::<By64>($($arg),*);
        $test::<By32>($($arg),*);
        $test::<By16>($($arg),*);
        #[cfg(carryless_a64)]
        $test::<By8>($($arg),*);
    }};
}
use each_multiplier;

/// Evidence: `what` was checked for the engines that multiply so.
fn checked<M: Subject>(id: &str, what: &str) {
    for engine in M::ENGINES {
        println!("{id} {engine}: {what}");
    }
}

/// Whether `CARRYLESS_TEST_QUICK` asks for fewer cases.
fn quick() -> bool {
    std::env::var_os("CARRYLESS_TEST_QUICK").is_some()
}

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

fn words(p: [u128; 2]) -> [u64; 4] {
    [0, 1, 2, 3]
        .map(|i| u64::try_from(p[i / 2] >> (64 * (i % 2)) & u128::from(u64::MAX)).expect("64 bits"))
}

/// Unit vector `i` of 256.
fn unit(i: usize) -> [u128; 2] {
    if i < 128 {
        [1 << i, 0]
    } else {
        [0, 1 << (i - 128)]
    }
}

/// Whether `reduction` is right on the 256 unit vectors and, on their pairs and on random values,
/// linear: thus right on everything.
fn reduces(reduction: impl Fn([u64; 4]) -> u128) -> Result<usize, String> {
    let add = |a: [u64; 4], b: [u64; 4]| [0, 1, 2, 3].map(|i| a[i] ^ b[i]);
    let mut pairs = 0;
    let mut linear = |a, b| {
        pairs += 1;
        reduction(add(a, b)) == reduction(a) ^ reduction(b)
    };
    for i in 0..256 {
        if reduction(words(unit(i))) != divide(unit(i)) {
            return Err(format!("bit {i} is reduced wrongly"));
        }
        if !(0..i).all(|j| linear(words(unit(i)), words(unit(j)))) {
            return Err(format!("bit {i} and a lower one"));
        }
    }
    let mut random = Random(9);
    let mut any = || [(); 4].map(|()| random.word());
    if (0..100_000).all(|_| linear(any(), any())) {
        Ok(pairs)
    } else {
        Err("random values are not reduced linearly".into())
    }
}

#[test]
fn p1_the_reduction_is_division_by_the_polynomial() {
    fn report<M: Subject>(pairs: usize) {
        checked::<M>("P1", "256 unit vectors reduced");
        checked::<M>("P1", &format!("{pairs} sums for linearity"));
    }
    let pairs = reduces(reduce).expect("the reduction that all of them share");
    each_multiplier!(report, pairs);
}

#[test]
fn control_p1_a_wrong_shift() {
    for wrong in [56, 58] {
        let result = reduces(|[v0, mut v1, mut v2, mut v3]| {
            v2 ^= v0 ^ (v0 >> 1) ^ (v0 >> 2) ^ (v0 >> 7);
            v1 ^= (v0 << 63) ^ (v0 << 62) ^ (v0 << wrong);
            v3 ^= v1 ^ (v1 >> 1) ^ (v1 >> 2) ^ (v1 >> 7);
            v2 ^= (v1 << 63) ^ (v1 << 62) ^ (v1 << 57);
            u128::from(v3) << 64 | u128::from(v2)
        });
        println!("{wrong} for 57: caught: {}", result.expect_err("a fault"));
    }
}

fn hash<M: Multiplier>(key: &HashKey<M>, blocks: &[u128]) -> u128 {
    let bytes: Vec<_> = blocks
        .iter()
        .flat_map(|block| block.to_be_bytes())
        .collect();
    let mut acc = 0;
    key.update(&mut acc, &bytes);
    acc
}

fn prepared<M: Multiplier>(h: u128) -> HashKey<M> {
    HashKey::new(&h.to_be_bytes())
}

/// The key that `prepare` makes of each unit vector multiplies every unit vector by it.
fn multiplies_unit_vectors<M: Multiplier>(
    prepare: impl Fn(u128) -> HashKey<M>,
) -> Result<usize, String> {
    let (mut keys, mut count) = (Vec::new(), 0);
    for j in 0..128 {
        for i in 0..128 {
            if j == 0 {
                keys.push(prepare(1 << i));
            }
            if hash(&keys[i], &[1 << j]) != multiply(1 << j, 1 << i) {
                return Err(format!("the product of bits {i} and {j} is wrong"));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn p2_products_of_all_pairs_of_unit_vectors_are_those_of_the_field() {
    fn test<M: Subject>() {
        let count = multiplies_unit_vectors(prepared::<M>).expect("every product");
        checked::<M>("P2", &format!("{count} products checked"));
    }
    each_multiplier!(test);
}

#[test]
fn control_p2_a_dropped_word_or_mask_of_the_key() {
    fn test<M: Subject>() {
        let mut last = String::new();
        let parts = (0..M::PARTS).step_by(if quick() { 5 } else { 1 });
        let count = parts.len();
        for part in parts {
            let faulty = |h| {
                let mut key = prepared::<M>(h);
                M::drop_part(&mut key.0, part);
                key
            };
            last = multiplies_unit_vectors(faulty).expect_err("every part matters");
        }
        println!("{}, {count} parts: caught: {last}", M::ENGINES[0]);
    }
    each_multiplier!(test);
}

/// Each block of a message, alone, is multiplied by its power of H: of as many as four turns and one more have, and quickly of up to
/// one turn and one more, of two, of one less than three, and of the most.
fn aggregates<M: Multiplier>(key: &HashKey<M>, h: u128) -> Result<usize, String> {
    let mut count = 0;
    let most = 4 * M::POWERS + 1;
    let long = [2 * M::POWERS, 3 * M::POWERS - 1, most];
    let is_asked = |len: &usize| !quick() || *len <= M::POWERS + 1 || long.contains(len);
    for len in (1..=most).filter(is_asked) {
        let mut power = h;
        for at in (0..len).rev() {
            for j in 0..128 {
                let mut blocks = std::vec![0; len];
                blocks[at] = 1 << j;
                if hash(key, &blocks) != multiply(1 << j, power) {
                    return Err(format!("block {at} of {len}, bit {j}"));
                }
                count += 1;
            }
            power = multiply(power, h);
        }
    }
    Ok(count)
}

#[test]
fn p3_every_block_of_every_count_meets_its_power() {
    fn test<M: Subject>() {
        let mut random = Random(1);
        for _ in 0..if cfg!(miri) || quick() { 1 } else { 4 } {
            let h = random.block();
            let count = aggregates(&prepared::<M>(h), h).expect("every power");
            checked::<M>("P3", &format!("{count} blocks at their powers"));
        }
    }
    each_multiplier!(test);
}

#[test]
fn control_p3_swapped_powers() {
    fn test<M: Subject>() {
        let h = Random(1).block();
        for n in 1..M::POWERS {
            let mut key = prepared::<M>(h);
            for part in 0..M::PARTS {
                let before = *M::part(&mut key.0, part, n - 1);
                let after = core::mem::replace(M::part(&mut key.0, part, n), before);
                *M::part(&mut key.0, part, n - 1) = after;
            }
            let noticed = aggregates(&key, h).expect_err("a fault");
            println!("{}, {n}: caught: {noticed}", M::ENGINES[0]);
        }
    }
    each_multiplier!(test);
}

/// Splits of the same message over calls do not matter, nor does what is gathered between.
#[test]
fn pieces_give_the_hash_of_the_whole() {
    fn test<M: Subject>() {
        let mut random = Random(2);
        let h = random.block();
        let key = prepared::<M>(h);
        let blocks: [u128; 19] = core::array::from_fn(|_| random.block());
        let bytes: Vec<u8> = blocks
            .iter()
            .flat_map(|block| block.to_be_bytes())
            .collect();
        let expected = blocks.iter().fold(0, |acc, block| multiply(acc ^ block, h));
        for first in 0..=19 {
            for second in first..=19 {
                let mut hasher = Hasher::new(&key, 0);
                hasher.absorb(&bytes[..16 * first]);
                hasher.absorb(&bytes[16 * first..16 * second]);
                hasher.absorb(&bytes[16 * second..]);
                assert_eq!(hasher.finish(), expected, "{first}, {second}");
            }
        }
        for len in 0..=80 {
            let mut padded = bytes[..len].to_vec();
            padded.resize(len.next_multiple_of(16), 0);
            let (mut hasher, mut whole) = (Hasher::new(&key, 5), 5);
            hasher.absorb(&bytes[..len]);
            key.update(&mut whole, &padded);
            assert_eq!(hasher.finish(), whole, "{len} bytes");
        }
    }
    each_multiplier!(test);
}

/// A key of which every power is `twisted`, whatever it is.
fn constant_key<M: Multiplier>(twisted: u128) -> HashKey<M> {
    let mut key = HashKey(M::NO_POWERS);
    for n in 0..M::POWERS {
        M::set(&mut key.0, n, twisted);
    }
    key
}

fn product<M: Multiplier>(key: &HashKey<M>, blocks: &[u128]) -> u128 {
    let blocks: Vec<Block> = blocks.iter().map(|block| block.to_be_bytes()).collect();
    key.sum_of_products(0, &blocks, &mut { M::NO_SCRATCH })
}

/// A key with H alone.
fn single_key<M: Multiplier>(h: u128) -> HashKey<M> {
    let mut key = HashKey(M::NO_POWERS);
    M::set(&mut key.0, M::POWERS - 1, twist(h));
    key
}
