//! C6 on the kernels: counter blocks and the block of lengths where a narrower count would not fit,
//! against plain integers.

use std::boxed::Box;
use std::vec;

use super::*;
use crate::kernel::aes::Schedule as _;
use crate::kernel::counters::{ByColumns, Counters, Kept, Steps};
use crate::kernel::gcm::tail::Before;
use crate::kernel::message::Header;
use crate::kernel::product::HashKey;

/// The first values that 8, 16, 24, 28 and 32 bits do not hold, and where a sign would change.
const EDGES: [u64; 6] = [1 << 8, 1 << 16, 1 << 24, 1 << 28, 1 << 31, 1 << 32];

/// Bytes 0 to 11 are ones but for some, so that a carry into them shows.
fn j0() -> Counter {
    Counter::from_nonce(&core::array::from_fn(|i| 0xf0 | i as u8))
}

/// The counter block of this count, modulo 2^32.
fn block(count: u64) -> Block {
    let prefix = u128::from_be_bytes(j0().to_block()) >> 32 << 32;
    (prefix | (u128::from(count) % (1 << 32))).to_be_bytes()
}

/// Two round keys that are no zeros.
fn keys() -> Three {
    let key = |r: usize| core::array::from_fn(|i| (r * 83 + i * 29) as u8);
    Three::new(&[0, 1, 2].map(key))
}

/// Whether vectors are what AES makes, in rounds below `rounds`, of the blocks that count from `first` on.
fn count_from<S: Simd>(s: S, vectors: &[S::V], first: u64, rounds: usize) -> Result<usize, String> {
    let enc = keys();
    let mut count = first;
    for vector in vectors {
        let mut got = [Lane([0; 16]); 4];
        s.set_rows(&mut got, 0, *vector);
        for got in &got[..S::LANES] {
            let mut right = block(count);
            if rounds == 1 {
                right = round(&reference::xor(&right, &enc.0[0].0), &[0; 16], true);
            }
            if got.0 != state_of(s, &right, &enc.0[rounds].0) {
                return Err(format!("block {count:#x}, counted from {first:#x}"));
            }
            count += 1;
        }
    }
    Ok((count - first) as usize)
}

/// Whether the turns of `start`, made for a count, count on over each edge, and without a break from
/// the first block of a text over 2^16.
fn turns<S: Simd, C: Starts<S>>(
    s: S,
    aligned: bool,
    start: impl Fn(Counter) -> C,
) -> Result<usize, String> {
    let enc = keys();
    let turn = (TURN * S::LANES) as u64;
    let begin = |first| if aligned { first + 2 } else { first };
    let mut count = 0;
    let mut run = |from: u64, how_many: u64| {
        let mut starts = start(j0().with_count(from as u32 + u32::from(aligned)));
        for n in 0..how_many {
            let mut vectors = starts.next(s, enc);
            if C::OWN_KEY {
                // With the key in it, and without that of the schedule.
                let key = s.xor(starts.key(s), enc.second(s));
                vectors = vectors.map(|vector| s.xor(vector, key));
            }
            count += count_from(s, &vectors, begin(from) + n * turn, C::ROUND)?;
        }
        Ok::<_, String>(())
    };
    run(0, (1 << 16) / turn + 2)?;
    for edge in EDGES {
        run(edge - 2 * turn, 4)?;
        if !aligned {
            for before in [1, 2, turn - 1, turn + 5] {
                run(edge - before, 2)?;
            }
        }
    }
    Ok(count)
}

#[test]
fn c6_turns_count_over_every_width_that_is_too_narrow() {
    fn test<S: Simd>(name: &str, s: S) {
        let enc = keys();
        let mut rows = FirstRounds::default();
        rows.set(s, enc);
        let made = [
            turns(s, true, |counter| Counters::<S, true>::new(s, counter)),
            turns(s, false, |counter| Counters::<S, false>::new(s, counter)),
            turns(s, true, |counter| Cached::new(s, enc, &rows, counter)),
            by_columns(s),
        ];
        let count: usize = made
            .map(|made| made.unwrap_or_else(|e| panic!("{name}: {e}")))
            .iter()
            .sum();
        println!("C6 {name}: {count} counter blocks of turns");
    }
    each_token!(test);
}

/// The same of turns that have their first columns in memory.
fn by_columns<S: Simd>(s: S) -> Result<usize, String> {
    if !ByColumns::suit::<S>() {
        return Ok(0);
    }
    let enc = keys();
    turns(s, true, |counter| {
        // For as long as the test runs.
        let kept = Box::leak(Box::new(Kept::default()));
        ByColumns::new(s, enc, counter, kept)
    })
}

/// The counter blocks of the last pass behind turns that end at this count.
type LastPass<'f, V> = &'f dyn Fn(Counter) -> [V; TURN];

/// Whether a last pass counts on from turns that end at, before and behind each edge.
fn last_passes<S: Simd>(s: S, of: LastPass<'_, S::V>) -> Result<usize, String> {
    let turn = (TURN * S::LANES) as u64;
    let mut count = 0;
    for edge in EDGES {
        for from in [edge - 2 * turn, edge - turn, edge, edge + turn] {
            let vectors = of(j0().with_count(from as u32 + 1));
            count += count_from(s, &vectors, from + 2, 0)?;
        }
    }
    Ok(count)
}

fn last_pass<S: Simd>(s: S, counter: Counter) -> [S::V; TURN] {
    let [low, high] = Steps::<S>::bases(s, counter, keys().start(s));
    core::array::from_fn(|i| Steps::<S>::count(s, low, high, 2 + i * S::LANES))
}

#[test]
fn c6_last_passes_count_over_every_width_that_is_too_narrow() {
    fn test<S: Simd>(name: &str, s: S) {
        let made = last_passes(s, &|counter| last_pass(s, counter));
        let count = made.unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("C6 {name}: {count} counter blocks of last passes");
    }
    each_token!(test);
}

/// No powers: for an AAD that is not hashed here.
struct NoKey;

impl HashKey for NoKey {
    const POWERS: usize = 0;
    fn h(&self) -> &[Lane] {
        &[]
    }
    fn d(&self) -> &[Lane] {
        &[]
    }
    fn sums(&self) -> &[crate::block::Half] {
        &[]
    }
}

/// Lengths in bytes at which one in bits, or in bytes, no longer fits a narrower word.
fn lengths(most: u64) -> impl Iterator<Item = u64> + Clone {
    let around = [13, 16, 21, 24, 28, 29, 31, 32, 35].map(|n| [(1 << n) - 1, 1 << n, (1 << n) + 1]);
    let edges = around.into_iter().flatten().filter(move |len| *len <= most);
    edges.chain([0, 1, most - 1, most])
}

/// Whether the block of lengths is that of the standard.
fn length_blocks(of: &dyn Fn(u64, u64) -> Block) -> Result<usize, String> {
    let mut count = 0;
    for aad in lengths((1 << 61) - 1) {
        for text in lengths((1 << 36) - 32) {
            let right = ((8 * u128::from(aad)) << 64 | (8 * u128::from(text))).to_be_bytes();
            if of(aad, text) != right {
                return Err(format!("{aad} bytes of AAD, {text} of text"));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn c6_messages_begin_with_the_lengths_in_all_their_bits() {
    fn test<S: Simd>(name: &str, s: S) {
        let made = length_blocks(&|aad, text| {
            let header = Header {
                acc: 0,
                aad: &[],
                aad_len: aad as usize,
                done: 0,
            };
            let last = Before::new(s, &NoKey, j0(), &header, text as usize);
            let [lo, hi] = s.narrow().words(last.lengths);
            (u128::from(hi) << 64 | u128::from(lo)).to_be_bytes()
        });
        let count = made.unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("C6 {name}: {count} blocks of lengths");
    }
    // Words of 64 bits hold any length.
    if cfg!(target_pointer_width = "64") {
        each_token!(test);
    }
}

#[test]
fn c6_length_blocks_have_all_bits_of_the_lengths() {
    let count = length_blocks(&crate::engine::length_block).unwrap();
    println!("C6 lengths: {count} blocks of lengths");
}

/// Turns whose count is kept in fewer bits.
struct Narrow {
    count: u64,
    bits: u32,
}

impl Narrow {
    /// The vectors from block `first` on.
    fn vectors<S: Simd>(s: S, first: u64, bits: u32) -> [S::V; TURN] {
        let enc = keys();
        let mut blocks = vec![Lane([0; 16]); TURN * S::LANES];
        for (n, lane) in (first..).zip(&mut blocks) {
            *lane = Lane(state_of(s, &block(n % (1 << bits)), &enc.0[0].0));
        }
        core::array::from_fn(|i| s.rows(&blocks, i * S::LANES))
    }
}

impl<S: Simd> Starts<S> for Narrow {
    const ROUND: usize = 0;

    fn next<R: aes::Schedule>(&mut self, s: S, _: R) -> [S::V; TURN] {
        let vectors = Self::vectors(s, self.count, self.bits);
        self.count += (TURN * S::LANES) as u64;
        vectors
    }
}

#[test]
fn control_c6_counts_and_lengths_in_too_few_bits_are_noticed() {
    fn test<S: Simd>(name: &str, s: S) {
        for bits in [32, 31, 28, 24, 16, 8] {
            let start = |counter: Counter| Narrow {
                count: counter.count().into(),
                bits,
            };
            let of = |counter: Counter| Narrow::vectors(s, u64::from(counter.count()) + 1, bits);
            let (made, last) = (turns(s, false, start), last_passes(s, &of));
            if bits == 32 {
                made.unwrap_or_else(|error| panic!("{name}: {error}"));
                last.unwrap_or_else(|error| panic!("{name}: {error}"));
                continue;
            }
            let (made, last) = (made.unwrap_err(), last.unwrap_err());
            println!("{name}, turns in {bits} bits: caught: {made}");
            println!("{name}, last pass in {bits} bits: caught: {last}");
        }
    }
    each_token!(test);
    let narrow = |aad: fn(u64) -> u64, text: fn(u64) -> u64| {
        length_blocks(&|a, t| (u128::from(aad(a)) << 64 | u128::from(text(t))).to_be_bytes())
    };
    assert!(narrow(|a| 8 * a, |t| 8 * t).is_ok(), "the form itself");
    let bits_of_32: fn(u64) -> u64 = |len| (len as u32).wrapping_mul(8).into();
    let signed: fn(u64) -> u64 = |len| ((8 * len) as i32) as u64;
    for (what, wrong) in [
        (
            "bytes in 32 bits",
            (|len| 8 * u64::from(len as u32)) as fn(u64) -> u64,
        ),
        ("bits in 32 bits", bits_of_32),
        ("bits in 32 and a sign", signed),
    ] {
        let aad = narrow(wrong, |t| 8 * t).unwrap_err();
        println!("{what}: caught: {aad}");
        let text = narrow(|a| 8 * a, wrong).unwrap_err();
        println!("{what}: caught: {text}");
    }
}
