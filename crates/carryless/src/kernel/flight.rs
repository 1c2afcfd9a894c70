//! Four short messages under one key at a time, one in each lane (`techniques` section 15, idea 2).
//!
//! A short message alone is a chain of rounds and products, and as many instructions around it. Of four
//! whose texts have the same number of blocks a round key and a power of H are loaded once or twice, and
//! on two lanes each instruction does two.

use super::aes::{Schedule, rounds};
use super::counters::FROM_J0;
use super::form::{HashKey, Sum};
use super::gcm::{Direction, Message, Open};
use crate::block::{Lane, Tag};
use crate::secret::{self, Choice, hide};
use crate::simd::Simd;

/// Messages that go together.
pub const MESSAGES: usize = 4;

/// Blocks of the longest text.
const BLOCKS: usize = 4;

/// Vectors of counter blocks up to which all four are worked on at a time; if there are more, two are.
const STATES: usize = 6;

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Four messages whose texts have the same number of blocks, [`BLOCKS`] at most, and whose AADs have one at most.
pub struct Four<'a, 'm> {
    messages: [&'a mut Message<'m>; MESSAGES],
    /// Blocks of each text.
    count: usize,
}

impl<'a, 'm> Four<'a, 'm> {
    /// These, if they are such.
    #[inline(always)]
    pub fn of(messages: [&'a mut Message<'m>; MESSAGES]) -> Option<Self> {
        let count = messages[0].text.len().div_ceil(16);
        let fit = |message: &&mut Message<'_>| {
            debug_assert_eq!(message.j0.count(), 1, "the kernel counts on it");
            message.text.len().div_ceil(16) == count && message.aad.len() <= 16
        };
        ((1..=BLOCKS).contains(&count) && messages.iter().all(fit))
            .then_some(Self { messages, count })
    }
}

/// Seals or opens four messages; the full tags that belong to their ciphertexts.
///
/// # Constant time
/// Secret: `enc`, `hash`, texts and AADs. Public: their lengths, `j0`.
#[inline(always)]
pub fn messages<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: &R,
    hash: &H,
    Four {
        mut messages,
        count,
    }: Four<'_, '_>,
    tags: &mut [Lane; MESSAGES],
) {
    let done = by_count!(count; BLOCKS, COUNT => {
        Flight::<S::Short, H, COUNT> { s: s.short(), hash }.run::<R, D>(enc, &mut messages, tags)
    });
    debug_assert!(done.is_some(), "`Four::of` counted");
}

/// Opens four messages; whether each tag is right.
///
/// # Constant time
/// As [`messages`]; `tags` are public, whether they are right is for the caller to publish.
#[inline(always)]
pub fn open<S: Simd, R: Schedule, H: HashKey>(
    s: S,
    enc: &R,
    hash: &H,
    four: Four<'_, '_>,
    tags: [&Tag; MESSAGES],
) -> [Choice; MESSAGES] {
    let mut right = [Lane::default(); MESSAGES];
    messages::<S, R, H, Open>(s, enc, hash, four, &mut right);
    let [a, b, c, d] = right;
    let [e, f, g, h] = tags;
    [(a, e), (b, f), (c, g), (d, h)]
        .map(|(right, tag)| secret::equal(&right.0, &tag.bytes, tag.len))
}

/// Four messages of `COUNT` blocks.
struct Flight<'a, S, H, const COUNT: usize> {
    s: S,
    hash: &'a H,
}

/// The blocks of a text of `COUNT`, zeros where it ends.
#[inline(always)]
fn load<N: Simd<Narrow = N>, const COUNT: usize>(n: N, message: &Message<'_>) -> [N::V; BLOCKS] {
    let mut blocks = [n.zero(); BLOCKS];
    // One comparison for all: the length of what is in front is known then.
    if let Some((whole, last)) = message.text.source().split_at_checked(16 * (COUNT - 1)) {
        up_to_four!(i in COUNT - 1 => { blocks[i] = n.load(whole, 16 * i); });
        blocks[COUNT - 1] = n.load_partial(last);
    }
    blocks
}

/// Writes the blocks of a text of `COUNT`, as far as it goes.
#[inline(always)]
fn store<N: Simd<Narrow = N>, const COUNT: usize>(
    n: N,
    message: &mut Message<'_>,
    blocks: [N::V; BLOCKS],
) {
    let mut last = message.text.reborrow();
    if let Some(mut whole) = last.split_to(16 * (COUNT - 1)) {
        up_to_four!(i in COUNT - 1 => { whole.store(n, 16 * i, blocks[i]); });
        n.store_partial(last, blocks[COUNT - 1]);
    }
}

impl<S: Simd, H: HashKey, const COUNT: usize> Flight<'_, S, H, COUNT> {
    /// Vectors of messages that are worked on at a time.
    const VECTORS: usize = {
        let most = MESSAGES / S::LANES;
        if (COUNT + 1) * most <= STATES {
            most
        } else {
            most / 2
        }
    };

    #[inline(always)]
    fn run<R: Schedule, D: Direction>(
        self,
        enc: &R,
        four: &mut [&mut Message<'_>; MESSAGES],
        tags: &mut [Lane; MESSAGES],
    ) {
        self.wave::<R, D, 0>(enc, four, tags);
        if const { Self::VECTORS * S::LANES < MESSAGES } {
            self.wave::<R, D, 1>(enc, four, tags);
        }
    }

    /// Seals or opens as many messages as fit into the registers.
    #[inline(always)]
    fn wave<R: Schedule, D: Direction, const WAVE: usize>(
        &self,
        enc: &R,
        some: &mut [&mut Message<'_>; MESSAGES],
        tags: &mut [Lane; MESSAGES],
    ) {
        let (s, n) = (self.s, self.s.narrow());
        let (enc, hash) = (hide(enc), hide(self.hash));
        let first = const { WAVE * Self::VECTORS };
        // What branches on lengths comes before the rounds: between them the compiler would load round keys
        // ahead, and spill them. The CPU overlaps the two by itself.
        let mut sums = [Sum::zero(s); MESSAGES];
        up_to_four!(p in Self::VECTORS => {
            let mut x = [s.zero(); BLOCKS];
            if !D::SEAL {
                x = texts::<_, COUNT>(s, first + p, some);
            }
            let aad = gather(s, first + p, |m| n.load_partial(some[m].aad));
            let lengths = gather(s, first + p, |m| {
                n.splat_words([8 * some[m].text.len() as u64, 8 * some[m].aad.len() as u64])
            });
            sums[p].add_splat(s, s.reverse(aad), hash, COUNT + 2);
            sums[p].add_splat(s, lengths, hash, 1);
            if !D::SEAL {
                up_to_four!(i in COUNT => { sums[p].add_splat(s, s.reverse(x[i]), hash, COUNT + 1 - i); });
            }
            sums[p].fence(s);
        });
        let enc = hide(enc);
        let key = enc.first(s);
        let mut states = [[key; BLOCKS + 1]; MESSAGES];
        up_to_four!(p in Self::VECTORS => {
            let j0 = s.xor(key, gather(s, first + p, |m| n.splat_words(some[m].j0.words())));
            states[p][0] = j0;
            up_to_four!(i in COUNT => { states[p][i + 1] = s.xor(j0, s.splat(&FROM_J0[i])); });
        });
        rounds!(r in R::K => {
            let key = hide(enc).key(s, r);
            up_to_four!(p in Self::VECTORS => {
                states[p][0] = s.aes_round(states[p][0], key);
                up_to_four!(i in COUNT => { states[p][i + 1] = s.aes_round(states[p][i + 1], key); });
            });
        });
        // All states at once: otherwise the compiler makes each where it is stored, one after the other.
        up_to_four!(p in Self::VECTORS => {
            up_to_four!(i in COUNT => {
                let [mask, blocks @ ..] = &mut states[p];
                s.fence(mask, &mut blocks[i]);
            });
        });
        let enc = hide(enc);
        let key = enc.last(s);
        up_to_four!(p in Self::VECTORS => {
            states[p][0] = s.aes_last(states[p][0], key);
            let text = texts::<_, COUNT>(s, first + p, some);
            up_to_four!(i in COUNT => {
                states[p][i + 1] = s.aes_last(states[p][i + 1], s.xor(text[i], key));
            });
        });
        up_to_four!(p in Self::VECTORS => {
            up_to_four!(lane in S::LANES => {
                let mut blocks = [n.zero(); BLOCKS];
                up_to_four!(i in COUNT => { blocks[i] = s.lane(states[p][i + 1], lane); });
                store::<_, COUNT>(n, some[(first + p) * S::LANES + lane], blocks);
            });
        });
        up_to_four!(p in Self::VECTORS => {
            if D::SEAL {
                up_to_four!(i in COUNT => {
                    let mut x = states[p][i + 1];
                    if i + 1 == COUNT {
                        x = s.and(x, gather(s, first + p, |m| n.ones(some[m].text.len() - 16 * (COUNT - 1))));
                    }
                    sums[p].add_splat(s, s.reverse(x), hash, COUNT + 1 - i);
                });
            }
            let tag = s.xor(s.reverse(sums[p].reduce(s)), states[p][0]);
            s.set_rows(tags, (first + p) * S::LANES, tag);
        });
    }
}

/// A vector of what each of its messages gives.
#[inline(always)]
fn gather<S: Simd>(s: S, vector: usize, mut of: impl FnMut(usize) -> Narrow<S>) -> S::V {
    let first = vector * S::LANES;
    let mut v = s.widen(of(first));
    up_to_four!(lane in S::LANES => {
        if lane > 0 {
            v = s.insert(v, lane, of(first + lane));
        }
    });
    v
}

/// The texts of a vector's messages: block `i` of each in the vector `i`.
#[inline(always)]
fn texts<S: Simd, const COUNT: usize>(
    s: S,
    vector: usize,
    some: &[&mut Message<'_>; MESSAGES],
) -> [S::V; BLOCKS] {
    let (n, first) = (s.narrow(), vector * S::LANES);
    let mut texts = [s.zero(); BLOCKS];
    up_to_four!(lane in S::LANES => {
        let blocks = load::<_, COUNT>(n, some[first + lane]);
        up_to_four!(i in COUNT => {
            texts[i] = if lane == 0 { s.widen(blocks[i]) } else { s.insert(texts[i], lane, blocks[i]) };
        });
    });
    texts
}
