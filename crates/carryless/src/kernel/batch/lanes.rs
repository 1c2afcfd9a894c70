//! Four short messages lane by lane: each vector has a block of each of its messages.
//!
//! Of four whose texts have the same number of blocks a round key and a power of H are loaded once or twice, and
//! on two or four lanes each instruction does as many.

use super::{MESSAGES, Quad};
use crate::block::Lane;
use crate::kernel::Refused;
use crate::kernel::aes::{Schedule, rounds, spare_rounds};
use crate::kernel::counters::FROM_J0;
use crate::kernel::message::{Direction, Message};
use crate::kernel::product::{HashKey, Sum};
use crate::secret::forget_origin;
use crate::simd::Simd;

/// Blocks of the longest text.
pub(in crate::kernel) const BLOCKS: usize = 4;

/// Vectors of counter blocks up to which all four are worked on at a time; if there are more, two are.
const STATES: usize = 6;

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Four messages of `COUNT` blocks.
pub(in crate::kernel) struct Batch<'a, S, H, const COUNT: usize> {
    pub s: S,
    pub hash: &'a H,
}

/// The blocks of a text of `COUNT`, zeros where it ends; a shorter one is refused.
#[inline(always)]
fn load<S: Simd, const COUNT: usize>(
    s: S,
    message: &Message<'_>,
    refused: &mut bool,
) -> [Narrow<S>; BLOCKS] {
    let n = s.narrow();
    let mut blocks = [n.zero(); BLOCKS];
    if COUNT == 0 {
        return blocks;
    }
    // One comparison for all: the length of what is in front is known then.
    if let Some((whole, last)) = message.text.source().split_at_checked(16 * (COUNT - 1)) {
        up_to_four!(i in COUNT.saturating_sub(1) => { blocks[i] = n.load(whole, 16 * i); });
        blocks[COUNT - 1] = s.load_block(last);
    } else {
        *refused = true;
    }
    blocks
}

/// Writes the blocks of a text of `COUNT`, as far as it goes; a shorter one is refused.
#[inline(always)]
fn store<S: Simd, const COUNT: usize>(
    s: S,
    message: &mut Message<'_>,
    blocks: [Narrow<S>; BLOCKS],
    refused: &mut bool,
) {
    if COUNT == 0 {
        return;
    }
    let mut last = message.text.reborrow();
    if let Some(mut whole) = last.split_to(16 * (COUNT - 1)) {
        up_to_four!(i in COUNT.saturating_sub(1) => { whole.store(s.narrow(), 16 * i, blocks[i]); });
        s.store_block(last, blocks[COUNT - 1]);
    } else {
        *refused = true;
    }
}

impl<S: Simd, H: HashKey, const COUNT: usize> Batch<'_, S, H, COUNT> {
    /// Vectors of messages that are worked on at a time.
    const VECTORS: usize = {
        let most = MESSAGES / S::LANES;
        if (COUNT + 1) * most <= STATES {
            most
        } else {
            most / 2
        }
    };

    /// Seals or opens; the full tags that belong to the ciphertexts go into their places.
    #[inline(always)]
    pub(in crate::kernel) fn run<R: Schedule, D: Direction>(
        self,
        enc: R,
        four: &mut Quad<'_, '_>,
        tags: &mut [Lane; MESSAGES],
    ) -> Result<(), Refused> {
        let mut refused = false;
        let made = self.wave::<R, D, 0>(enc, four, &mut refused);
        up_to_four!(p in Self::VECTORS => { self.s.set_rows(tags, p * S::LANES, made[p]); });
        if const { Self::VECTORS * S::LANES < MESSAGES } {
            let made = self.wave::<R, D, 1>(enc, four, &mut refused);
            up_to_four!(p in Self::VECTORS => {
                self.s.set_rows(tags, (Self::VECTORS + p) * S::LANES, made[p]);
            });
        }
        if refused { Err(Refused) } else { Ok(()) }
    }

    /// The same where all four are a vector.
    #[inline(always)]
    pub(in crate::kernel) fn run_at_once<R: Schedule, D: Direction>(
        self,
        enc: R,
        four: &mut Quad<'_, '_>,
    ) -> Result<S::V, Refused> {
        const { assert!(!S::MASKS || (S::LANES == MESSAGES && Self::VECTORS == 1)) };
        let mut refused = false;
        let [tags, ..] = self.wave::<R, D, 0>(enc, four, &mut refused);
        if refused { Err(Refused) } else { Ok(tags) }
    }

    /// Seals or opens as many messages as fit into the registers; their tags, vector by vector.
    #[inline(always)]
    fn wave<R: Schedule, D: Direction, const WAVE: usize>(
        &self,
        enc: R,
        some: &mut Quad<'_, '_>,
        refused: &mut bool,
    ) -> [S::V; MESSAGES] {
        let (s, n) = (self.s, self.s.narrow());
        let (enc, hash) = (enc.hidden(), forget_origin(self.hash));
        let first = const { WAVE * Self::VECTORS };
        let mut states = [[s.zero(); BLOCKS + 1]; MESSAGES];
        if S::MASKS {
            // The rounds take longest, and the rest fills their time. Where there are fewer registers it gains nothing.
            states = Self::begin(s, enc, first, some);
            spare_rounds!(key of enc: R, behind 0, s: S => { Self::round(s, key, &mut states); });
            Self::round(s, enc.key(s, 1), &mut states);
            Self::order_memory(s, &mut states);
        }
        // What branches on lengths comes before the other rounds: between them the compiler would load round keys
        // ahead, and spill them. The CPU overlaps the two by itself.
        let mut sums = [Sum::zero(s); MESSAGES];
        up_to_four!(p in Self::VECTORS => {
            let mut x = [s.zero(); BLOCKS];
            if !D::SEAL {
                x = texts::<_, COUNT>(s, first + p, some, refused);
            }
            let aad = aads(s, first + p, some);
            let lengths = gather(s, first + p, |m| {
                n.splat_words([8 * some[m].message.text.len() as u64, 8 * some[m].message.aad.len() as u64])
            });
            sums[p].add_splat(s, s.reverse(aad), hash, COUNT + 2);
            sums[p].add_splat(s, lengths, hash, 1);
            if !D::SEAL {
                up_to_four!(i in COUNT => { sums[p].add_splat(s, s.reverse(x[i]), hash, COUNT + 1 - i); });
            }
            sums[p].order_memory(s);
        });
        if !S::MASKS {
            let enc = enc.hidden();
            states = Self::begin(s, enc, first, some);
            spare_rounds!(key of enc: R, behind 0, s: S => { Self::round(s, key, &mut states); });
        }
        rounds!(r in R::COMMON => {
            if decided!(r > 1 || !S::MASKS) {
                Self::round(s, enc.hidden().key(s, r), &mut states);
            }
        });
        // All states at once: otherwise the compiler makes each where it is stored, one after the other.
        Self::order_memory(s, &mut states);
        let enc = enc.hidden();
        let [before, key] = enc.last(s);
        up_to_four!(p in Self::VECTORS => {
            states[p][0] = s.aes_last(states[p][0], before, key);
            let text = texts::<_, COUNT>(s, first + p, some, refused);
            up_to_four!(i in COUNT => {
                states[p][i + 1] = s.aes_last(states[p][i + 1], before, s.xor(text[i], key));
            });
        });
        up_to_four!(p in Self::VECTORS => {
            up_to_four!(lane in S::LANES => {
                let mut blocks = [n.zero(); BLOCKS];
                up_to_four!(i in COUNT => { blocks[i] = s.lane(states[p][i + 1], lane); });
                store::<_, COUNT>(s, &mut some[(first + p) * S::LANES + lane].message, blocks, refused);
            });
        });
        let mut tags = [s.zero(); MESSAGES];
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
            tags[p] = s.xor(s.reverse(sums[p].reduce(s)), states[p][0]);
        });
        tags
    }

    /// The counter blocks before the first round: of each vector of messages those of the masks, then those of the texts.
    #[inline(always)]
    fn begin<R: Schedule>(
        s: S,
        enc: R,
        first: usize,
        some: &Quad<'_, '_>,
    ) -> [[S::V; BLOCKS + 1]; MESSAGES] {
        let n = s.narrow();
        let start = enc.start(s);
        let mut states = [[start; BLOCKS + 1]; MESSAGES];
        up_to_four!(p in Self::VECTORS => {
            let j0 = s.xor(start, gather(s, first + p, |m| n.splat_words(some[m].message.j0.words())));
            states[p][0] = j0;
            up_to_four!(i in COUNT => { states[p][i + 1] = s.xor(j0, s.splat(&FROM_J0[i])); });
        });
        states
    }

    /// One round.
    #[inline(always)]
    fn round(s: S, key: S::V, states: &mut [[S::V; BLOCKS + 1]; MESSAGES]) {
        up_to_four!(p in Self::VECTORS => {
            let states = &mut states[p];
            part!(these of states[0..COUNT + 1] => { s.aes_rounds(these, key); });
        });
    }

    /// Has the states made before what is read or fenced later; see [`Simd::order_memory`]. Not the masks of texts that are empty.
    #[inline(always)]
    fn order_memory(s: S, states: &mut [[S::V; BLOCKS + 1]; MESSAGES]) {
        up_to_four!(p in Self::VECTORS => {
            let [mask, blocks @ ..] = &mut states[p];
            up_to_four!(i in COUNT => { s.order_memory(mask, &mut blocks[i]); });
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

/// The AADs of a vector's messages. Not by [`gather`]: a closure with a branch is not inlined.
#[inline(always)]
fn aads<S: Simd>(s: S, vector: usize, some: &Quad<'_, '_>) -> S::V {
    let first = vector * S::LANES;
    let mut v = s.widen(s.load_block(some[first].message.aad));
    up_to_four!(lane in S::LANES => {
        if lane > 0 {
            v = s.insert(v, lane, s.load_block(some[first + lane].message.aad));
        }
    });
    v
}

/// The texts of a vector's messages: block `i` of each in the vector `i`.
#[inline(always)]
fn texts<S: Simd, const COUNT: usize>(
    s: S,
    vector: usize,
    some: &Quad<'_, '_>,
    refused: &mut bool,
) -> [S::V; BLOCKS] {
    let first = vector * S::LANES;
    let mut texts = [s.zero(); BLOCKS];
    up_to_four!(lane in S::LANES => {
        let blocks = load::<_, COUNT>(s, &some[first + lane].message, refused);
        up_to_four!(i in COUNT => {
            texts[i] = if lane == 0 { s.widen(blocks[i]) } else { s.insert(texts[i], lane, blocks[i]) };
        });
    });
    texts
}
