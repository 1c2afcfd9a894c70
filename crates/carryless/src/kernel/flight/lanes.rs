//! Four short messages lane by lane: each vector has a block of each of its messages.
//!
//! Of four whose texts have the same number of blocks a round key and a power of H are loaded once or twice, and
//! on two lanes each instruction does two.

use super::{Four, MESSAGES};
use crate::block::Lane;
use crate::kernel::aes::{Schedule, rounds};
use crate::kernel::counters::FROM_J0;
use crate::kernel::form::{HashKey, Sum};
use crate::kernel::gcm::{Direction, Message};
use crate::secret::hide;
use crate::simd::Simd;

/// Blocks of the longest text.
pub(super) const BLOCKS: usize = 4;

/// Vectors of counter blocks up to which all four are worked on at a time; if there are more, two are.
const STATES: usize = 6;

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Four messages of `COUNT` blocks.
pub(super) struct Flight<'a, S, H, const COUNT: usize> {
    pub s: S,
    pub hash: &'a H,
}

/// The blocks of a text of `COUNT`, zeros where it ends.
#[inline(always)]
fn load<N: Simd<Narrow = N>, const COUNT: usize>(n: N, message: &Message<'_>) -> [N::V; BLOCKS] {
    let mut blocks = [n.zero(); BLOCKS];
    if COUNT == 0 {
        return blocks;
    }
    // One comparison for all: the length of what is in front is known then.
    if let Some((whole, last)) = message.text.source().split_at_checked(16 * (COUNT - 1)) {
        up_to_four!(i in COUNT.saturating_sub(1) => { blocks[i] = n.load(whole, 16 * i); });
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
    if COUNT == 0 {
        return;
    }
    let mut last = message.text.reborrow();
    if let Some(mut whole) = last.split_to(16 * (COUNT - 1)) {
        up_to_four!(i in COUNT.saturating_sub(1) => { whole.store(n, 16 * i, blocks[i]); });
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

    /// Seals or opens; the full tags that belong to the ciphertexts.
    #[inline(always)]
    pub(super) fn run<R: Schedule, D: Direction>(
        self,
        enc: &R,
        four: &mut Four<'_, '_>,
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
        some: &mut Four<'_, '_>,
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
            let aad = gather(s, first + p, |m| n.load_partial(some[m].message.aad));
            let lengths = gather(s, first + p, |m| {
                n.splat_words([8 * some[m].message.text.len() as u64, 8 * some[m].message.aad.len() as u64])
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
            let j0 = s.xor(key, gather(s, first + p, |m| n.splat_words(some[m].message.j0.words())));
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
                store::<_, COUNT>(n, &mut some[(first + p) * S::LANES + lane].message, blocks);
            });
        });
        up_to_four!(p in Self::VECTORS => {
            if D::SEAL {
                up_to_four!(i in COUNT => {
                    let mut x = states[p][i + 1];
                    if i + 1 == COUNT {
                        x = s.and(x, gather(s, first + p, |m| n.ones(some[m].message.text.len() - 16 * (COUNT - 1))));
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
fn texts<S: Simd, const COUNT: usize>(s: S, vector: usize, some: &Four<'_, '_>) -> [S::V; BLOCKS] {
    let (n, first) = (s.narrow(), vector * S::LANES);
    let mut texts = [s.zero(); BLOCKS];
    up_to_four!(lane in S::LANES => {
        let blocks = load::<_, COUNT>(n, &some[first + lane].message);
        up_to_four!(i in COUNT => {
            texts[i] = if lane == 0 { s.widen(blocks[i]) } else { s.insert(texts[i], lane, blocks[i]) };
        });
    });
    texts
}
