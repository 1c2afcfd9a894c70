//! Short packets side by side: the counter blocks of all through the AES together, then hash after hash,
//! of which none waits for another.
//!
//! One short packet is bound by latency: round after round, product after reduction. Here the key stream
//! of a flight of packets is made first, in full vectors whatever the lengths; then all texts are done,
//! and at last one hash after the other, so short that the CPU has several in work at a time.

use super::aes::{self, RoundKeys, rounds};
use super::form::{HashKey, Sum};
use super::gcm::Direction;
use super::ghash;
use super::last::ones;
use crate::block::{Counter, Lane, Tag};
use crate::secret::{self, Choice, hide};
use crate::simd::{InOut, Simd};

/// Packets that are handed over together, at most.
pub const GROUP: usize = 8;

/// Blocks of key stream that are made together, at most.
const BLOCKS: usize = 32;

/// Where what is made for nobody goes.
const SPARE: usize = BLOCKS;

/// Blocks that wait to be hashed, at most.
const HASHED: usize = 32;

/// Blocks of the longest text: with one of AAD and that of the lengths they are eight.
pub const TEXT: usize = 6;

/// Vectors that are encrypted together.
const VECTORS: usize = 4;

/// Packets under keys of their own that are encrypted together, two blocks of each.
const PACKETS: usize = 4;

/// Some packets, one behind the other: what the stages hand on.
#[repr(C, align(64))]
pub struct Flight {
    /// The key stream: the mask of the tag, then that of the text, of each.
    stream: [Lane; BLOCKS + 2],
    /// AAD, ciphertext and lengths of each.
    hashed: [Lane; HASHED],
}

impl Flight {
    /// Nothing in it.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            stream: [Lane([0; 16]); BLOCKS + 2],
            hashed: [Lane([0; 16]); HASHED],
        }
    }

    /// Overwrites it.
    #[inline(always)]
    pub fn wipe(&mut self) {
        secret::wipe(&mut self.stream);
        secret::wipe(&mut self.hashed);
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
    /// Blocks of its key stream.
    #[inline(always)]
    fn blocks(&self) -> usize {
        blocks(self.count())
    }

    /// Blocks of its text.
    #[inline(always)]
    fn count(&self) -> usize {
        self.text.len().div_ceil(16)
    }
}

/// Blocks of key stream for a text of `count` blocks: pairs, as they are encrypted in.
const fn blocks(count: usize) -> usize {
    (1 + count).next_multiple_of(2)
}

/// Blocks that are hashed of a packet with a text of `count` blocks: AAD, text and lengths, and zeros
/// before them, so that they are whole vectors.
const fn hashed(count: usize) -> usize {
    (count + 2).next_multiple_of(2)
}

/// How much of a flight is taken.
#[derive(Clone, Copy, Default)]
pub struct Load {
    blocks: usize,
    hashed: usize,
}

impl Load {
    /// With one packet more; `None` if there is no room for it.
    #[inline(always)]
    pub fn with(self, job: &Job<'_>) -> Option<Self> {
        let load = Self {
            blocks: self.blocks + job.blocks(),
            hashed: self.hashed + hashed(job.count()),
        };
        (load.blocks <= BLOCKS && load.hashed <= HASHED).then_some(load)
    }
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
        for two in flight
            .stream
            .get_mut(start..end)
            .unwrap_or_default()
            .chunks_exact_mut(2)
        {
            n.set_rows(two, 0, n.reverse(counter));
            n.set_rows(two, 1, n.reverse(n.add(counter, n.count(1))));
            counter = n.add(counter, n.count(2));
        }
    }
    let chunk = VECTORS * S::LANES;
    for blocks in flight
        .stream
        .chunks_exact_mut(chunk)
        .take(end.div_ceil(chunk))
    {
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
                    let key = s.splat(&keys[p].0[r]);
                    states[2 * p] = s.aes_round(states[2 * p], key);
                    states[2 * p + 1] = s.aes_round(states[2 * p + 1], key);
                });
            });
            each!(p in PACKETS => {
                let (key, at) = (keys[p].last(s), if left[p] == 0 { SPARE } else { place[p] });
                if let Some([one, two]) = flight.stream.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
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

/// Seals or opens packets whose key stream is there, each with the hash key in its place, or all with
/// the first.
///
/// All texts come before all hashes, so that what is hashed has long been written when vectors of two
/// blocks are loaded.
///
/// # Constant time
/// Secret: `hashes`, `flight`, texts and AAD. Public: all lengths, `tag` of a packet that is opened;
/// whether it is right is for the caller to publish.
#[inline(always)]
pub fn finish<S: Simd, H: HashKey, D: Direction>(
    s: S,
    hashes: &[&H],
    flight: &mut Flight,
    jobs: &mut [Option<&mut Job<'_>>],
) {
    let (s, n) = (s.short(), s.narrow());
    let (mut stream, mut places) = (&flight.stream[..], &mut flight.hashed[..]);
    for (i, job) in jobs.iter_mut().enumerate() {
        let (Some(job), Some(&hash)) = (job, hashes.get(i).or(hashes.first())) else {
            continue;
        };
        let aad = n.reverse(ghash::pending(n, hash, job.aad));
        match job.count() {
            0 => text::<_, D, 0>(n, &mut stream, &mut places, aad, job),
            count => {
                let given = by_count!(count; TEXT, COUNT => text::<_, D, COUNT>(n, &mut stream, &mut places, aad, job));
                given.unwrap_or_default()
            }
        }
    }
    let (mut stream, mut blocks) = (&flight.stream[..], &flight.hashed[..]);
    for (i, job) in jobs.iter_mut().enumerate() {
        let (Some(job), Some(&hash)) = (job, hashes.get(i).or(hashes.first())) else {
            continue;
        };
        let y = match job.count() {
            0 => tag::<_, H, 0>(s, hash, &mut stream, &mut blocks),
            count => {
                let given = by_count!(count; TEXT, COUNT => tag::<_, H, COUNT>(s, hash, &mut stream, &mut blocks));
                given.unwrap_or(n.zero())
            }
        };
        let [lo, hi] = n.words(y);
        let tag = (u128::from(lo) | u128::from(hi) << 64).to_le_bytes();
        if D::SEAL {
            job.tag.bytes = tag;
        } else {
            job.right = secret::equal(&tag, &job.tag.bytes, job.tag.len);
        }
    }
}

/// Encrypts or decrypts a text of `COUNT` blocks, and puts down what is to be hashed: zeros, AAD,
/// ciphertext, lengths.
#[inline(always)]
fn text<S: Simd<Narrow = S>, D: Direction, const COUNT: usize>(
    s: S,
    stream: &mut &[Lane],
    places: &mut &mut [Lane],
    aad: S::V,
    job: &mut Job<'_>,
) {
    let (own, place) = const { (blocks(COUNT), hashed(COUNT)) };
    let (Some(stream), Some(place)) = (stream.split_off(..own), places.split_off_mut(..place))
    else {
        return;
    };
    let mut text = job.text.reborrow();
    let lengths = s.splat_words([8 * text.len() as u64, 8 * job.aad.len() as u64]);
    let pad = const { hashed(COUNT) - COUNT - 2 };
    // Never so: this is the proof that what follows needs no check.
    let Some(mut whole) = text.split_to(16 * COUNT.saturating_sub(1)) else {
        return;
    };
    if pad > 0 {
        s.set_rows(place, 0, s.zero());
    }
    s.set_rows(place, pad, aad);
    each!(i in COUNT.saturating_sub(1) => {
        let before = whole.load(s, 16 * i);
        let after = s.xor(before, s.rows(stream, 1 + i));
        whole.store(s, 16 * i, after);
        s.set_rows(place, pad + 1 + i, if D::SEAL { after } else { before });
    });
    if COUNT > 0 {
        let before = text.load_all(s);
        let after = s.and(s.xor(before, s.rows(stream, COUNT)), ones(s, text.len()));
        text.store_all(s, after);
        s.set_rows(place, pad + COUNT, if D::SEAL { after } else { before });
    }
    s.set_rows(place, pad + COUNT + 1, s.reverse(lengths));
}

/// The tag of a packet with a text of `COUNT` blocks, from what was put down of it.
#[inline(always)]
fn tag<S: Simd, H: HashKey, const COUNT: usize>(
    s: S,
    hash: &H,
    stream: &mut &[Lane],
    blocks: &mut &[Lane],
) -> <S::Narrow as Simd>::V {
    let (own, total) = const { (self::blocks(COUNT), hashed(COUNT)) };
    let (n, mut sum) = (s.narrow(), Sum::zero(s));
    let (Some(stream), Some(blocks)) = (stream.split_off(..own), blocks.split_off(..total)) else {
        return n.zero();
    };
    each!(i in TEXT + 2 => {
        if i * S::LANES < total {
            let x = s.reverse(s.rows(blocks, i * S::LANES));
            sum.add(s, x, hash, total - i * S::LANES);
        }
    });
    n.xor(n.reverse(s.fold(sum.reduce(s))), n.rows(stream, 0))
}
