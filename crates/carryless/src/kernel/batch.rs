//! Short packets side by side: the counter blocks of all through the AES together, then hash after hash,
//! of which none waits for another.
//!
//! One short packet is bound by latency: round after round, product after reduction. Here the key stream
//! of a flight of packets is made first, in full vectors whatever the lengths, and what remains of each
//! packet, one XOR and one hash, is so short that the CPU has several in work at a time.

use super::aes::{self, RoundKeys, rounds};
use super::form::{Powers, Sum};
use super::gcm::{Direction, ones};
use super::ghash;
use crate::block::{Block, Counter, Lane, Tag};
use crate::secret::{self, Choice, hide};
use crate::simd::{InOut, Simd};

/// Packets that are handed over together, at most.
pub const GROUP: usize = 16;

/// Blocks of key stream that are made together, at most.
const BLOCKS: usize = 32;

/// Where what is made for nobody goes.
const SPARE: usize = BLOCKS;

/// Vectors that are encrypted together.
const VECTORS: usize = 4;

/// Packets under keys of their own that are encrypted together, two blocks of each.
const PACKETS: usize = 4;

/// The key stream of some packets, one behind the other: the mask of the tag, then that of the text.
#[repr(C, align(64))]
pub struct Flight([Lane; BLOCKS + 2]);

impl Flight {
    /// Nothing in it.
    #[inline(always)]
    pub fn new() -> Self {
        Self([Lane([0; 16]); BLOCKS + 2])
    }

    /// Overwrites it.
    #[inline(always)]
    pub fn wipe(&mut self) {
        secret::wipe(&mut self.0);
    }
}

/// A packet on its way through a batch.
pub struct Job<'a> {
    /// The pre-counter block of a 12-byte nonce.
    pub j0: Counter,
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// The text.
    pub text: InOut<'a>,
    /// Sealing: where the tag goes. Opening: the one that came.
    pub tag: Tag,
    /// Opening: whether it is the right one.
    pub right: Choice,
}

impl Job<'_> {
    /// Blocks of the flight that it takes: an even number.
    #[inline(always)]
    fn blocks(&self) -> usize {
        (1 + self.text.len().div_ceil(16)).next_multiple_of(2)
    }
}

/// How many of the jobs, from the first on, fit into one flight: their texts are at most eight blocks.
#[inline(always)]
pub fn fitting(jobs: &[Option<&mut Job<'_>>]) -> usize {
    let (mut blocks, mut count) = (0, 0);
    for job in jobs {
        blocks += job.as_ref().map_or(0, |job| job.blocks());
        if blocks > BLOCKS {
            break;
        }
        count += 1;
    }
    count
}

/// Makes the key stream of packets under one key.
///
/// # Constant time
/// Secret: `enc` and what comes into `flight`. Public: the lengths of the texts.
#[inline(always)]
pub fn stream<S: Simd, const K: usize>(
    s: S,
    enc: &RoundKeys<K>,
    flight: &mut Flight,
    jobs: &[Option<&mut Job<'_>>],
) {
    let n = s.narrow();
    let mut end = 0;
    for job in jobs.iter().flatten() {
        let start = end;
        end += job.blocks();
        let mut counter = n.counters(job.j0);
        for place in flight.0.get_mut(start..end).unwrap_or_default() {
            n.set_rows(core::slice::from_mut(place), 0, n.reverse(counter));
            counter = n.add(counter, n.count(1));
        }
    }
    let chunk = VECTORS * S::LANES;
    for blocks in flight.0.chunks_exact_mut(chunk).take(end.div_ceil(chunk)) {
        let mut states = [s.zero(); VECTORS];
        each!(i in VECTORS => { states[i] = s.rows(blocks, i * S::LANES); });
        states = aes::encrypt(s, hide(enc), states);
        each!(i in VECTORS => { s.set_rows(blocks, i * S::LANES, states[i]); });
    }
}

/// Makes the key stream of packets, each under the key in its place.
///
/// # Constant time
/// As [`stream`].
#[inline(always)]
pub fn stream_of_each<S: Simd, const K: usize>(
    s: S,
    encs: &[&RoundKeys<K>],
    flight: &mut Flight,
    jobs: &[Option<&mut Job<'_>>],
) {
    let s = s.narrow();
    let mut end = 0;
    for (encs, jobs) in encs.chunks(PACKETS).zip(jobs.chunks(PACKETS)) {
        let Some(first) = encs.first() else { return };
        let (mut keys, mut counters) = ([*first; PACKETS], [s.zero(); PACKETS]);
        let (mut place, mut left, mut most) = ([SPARE; PACKETS], [0; PACKETS], 0);
        each!(p in PACKETS => {
            if let (Some(enc), Some(Some(job))) = (encs.get(p), jobs.get(p)) {
                (keys[p], counters[p]) = (*enc, s.counters(job.j0));
                (place[p], left[p]) = (end, job.blocks());
                end += left[p];
                most = left[p].max(most);
            }
        });
        while most > 0 {
            let mut states = [s.zero(); 2 * PACKETS];
            each!(p in PACKETS => {
                let key = keys[p].first(s);
                states[2 * p] = s.xor(s.reverse(counters[p]), key);
                states[2 * p + 1] = s.xor(s.reverse(s.add(counters[p], s.count(1))), key);
                counters[p] = s.add(counters[p], s.count(2));
            });
            rounds!(r in K => {
                each!(p in PACKETS => {
                    states[2 * p] = keys[p].round(s, r, states[2 * p]);
                    states[2 * p + 1] = keys[p].round(s, r, states[2 * p + 1]);
                });
            });
            each!(p in PACKETS => {
                let (key, at) = (keys[p].last(s), if left[p] == 0 { SPARE } else { place[p] });
                if let Some([one, two]) = flight.0.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
                    s.set_rows(core::slice::from_mut(one), 0, s.aes_last(states[2 * p], key));
                    s.set_rows(core::slice::from_mut(two), 0, s.aes_last(states[2 * p + 1], key));
                }
                place[p] += 2;
                left[p] = left[p].saturating_sub(2);
            });
            most -= 2;
        }
    }
}

/// Seals or opens packets whose key stream is there, each with the hash key in its place.
///
/// # Constant time
/// Secret: `hashes`, `flight`, texts and AAD. Public: all lengths, `tag` of a packet that is opened;
/// whether it is right is for the caller to publish.
#[inline(always)]
pub fn finish<S: Simd, const P: usize, D: Direction>(
    s: S,
    hashes: &[&Powers<P>],
    flight: &Flight,
    jobs: &mut [Option<&mut Job<'_>>],
) {
    let mut end = 0;
    for (hash, job) in hashes.iter().zip(jobs) {
        let Some(job) = job else { continue };
        let start = end;
        end += job.blocks();
        let Some(([mask], stream)) = flight
            .0
            .get(start..end)
            .and_then(|part| part.split_first_chunk())
        else {
            return;
        };
        let tag = packet::<_, P, D>(s.narrow(), hash, mask, stream, job);
        if D::SEAL {
            job.tag.bytes = tag;
        } else {
            job.right = secret::equal(&tag, &job.tag.bytes, job.tag.len);
        }
    }
}

/// Seals or opens one packet; its tag.
#[inline(always)]
fn packet<S: Simd<Narrow = S>, const P: usize, D: Direction>(
    s: S,
    hash: &Powers<P>,
    mask: &Lane,
    stream: &[Lane],
    job: &mut Job<'_>,
) -> Block {
    let mut text = job.text.reborrow();
    let lengths = s.splat_words([8 * text.len() as u64, 8 * job.aad.len() as u64]);
    let mut y = ghash::absorb_serial(s, hash, s.zero(), job.aad);
    let mut sum = Sum::zero(s);
    if text.is_empty() {
        y = s.xor(y, lengths);
    } else {
        let count = text.len().div_ceil(16);
        let Some(whole) = text.split_to(16 * (count - 1)) else {
            return [0; 16];
        };
        let (tail, keep) = (text.load_all(s), ones(s, text.len()));
        let (part, tail) = by_count!(count, COUNT =>
            blocks::<_, P, D, COUNT>(s, hash, stream, y, whole, tail, keep));
        text.store_all(s, tail);
        sum = part;
        y = lengths;
    }
    sum.add(s, y, hash, 1);
    let [lo, hi] = s.words(s.xor(s.reverse(sum.reduce(s)), s.splat(mask)));
    (u128::from(lo) | u128::from(hi) << 64).to_le_bytes()
}

/// The `COUNT` blocks of a packet, of which the last may be partial: their products, with room for one
/// more block, and the last block, for the caller to store.
#[inline(always)]
fn blocks<S: Simd<Narrow = S>, const P: usize, D: Direction, const COUNT: usize>(
    s: S,
    hash: &Powers<P>,
    stream: &[Lane],
    y: S::V,
    mut whole: InOut<'_>,
    tail: S::V,
    keep: S::V,
) -> (Sum<S>, S::V) {
    let mut sum = Sum::zero(s);
    // Never so: this is the proof that the loads below need no check.
    let (Some(stream), Some(mut whole)) = (stream.get(..COUNT), whole.split_to(16 * (COUNT - 1)))
    else {
        return (sum, tail);
    };
    let mut before = [tail; COUNT];
    each!(i in COUNT - 1 => { before[i] = whole.load(s, 16 * i); });
    let mut after = before;
    each!(i in COUNT => { after[i] = s.xor(before[i], s.rows(stream, i)); });
    after[COUNT - 1] = s.and(after[COUNT - 1], keep);
    sum.add_all(
        s,
        if D::SEAL { &after } else { &before },
        y,
        hash,
        COUNT + 1,
    );
    each!(i in COUNT - 1 => { whole.store(s, 16 * i, after[i]); });
    (sum, after[COUNT - 1])
}
