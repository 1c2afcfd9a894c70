//! Four short messages under one key at a time.
//!
//! A short message alone is a chain of rounds and products, and as many instructions around it. Four of them fill the
//! time of each other's chains; side by side in vectors they share what is loaded, the reduction and the AES of their tags' masks.

pub(super) mod lanes;
pub(super) mod masked;
pub(super) mod queue;

use self::lanes::Batch;
use super::Refused;
use super::aes::{Any, RoundKeys, Schedule};
use super::message::{Direction, Message, Open, Seal};
use super::product::HashKey;
use crate::block::{Lane, Tag};
use crate::secret::{self, Choice, Failures};
use crate::simd::{InOut, Simd};

/// Messages that go together.
pub const MESSAGES: usize = 4;

/// A message of a batch.
pub struct Item<'a> {
    /// The message.
    pub message: Message<'a>,
    /// The tag that it came with, or the place for the one that is made.
    pub tag: Tag,
}

/// Four of them; if they came with tags, those are equally long.
pub type Quad<'a, 'm> = [&'a mut Item<'m>; MESSAGES];

/// Bytes of the longest text that goes with others.
pub const fn longest<S: Simd>() -> usize {
    if S::MASKS {
        2 * S::BYTES
    } else {
        16 * lanes::BLOCKS
    }
}

/// What becomes of the tags of four messages.
pub trait Way: Direction {
    /// What is answered when the tags are in their places, or compared.
    type Answers;

    /// The answer to tags that are a vector.
    fn answer_lanes<S: Simd>(s: S, made: S::V, four: &mut Quad<'_, '_>) -> Self::Answers;

    /// The answer to tags one by one.
    fn answer_blocks(made: &[Lane; MESSAGES], four: &mut Quad<'_, '_>) -> Self::Answers;
}

impl Way for Seal {
    /// The full tags are in their places.
    type Answers = ();

    #[inline(always)]
    fn answer_lanes<S: Simd>(s: S, made: S::V, four: &mut Quad<'_, '_>) {
        up_to_four!(m in MESSAGES => {
            InOut::in_place(&mut four[m].tag.bytes).store(s.narrow(), 0, s.lane(made, m));
        });
    }

    #[inline(always)]
    fn answer_blocks(made: &[Lane; MESSAGES], four: &mut Quad<'_, '_>) {
        up_to_four!(m in MESSAGES => { four[m].tag.bytes = made[m].0; });
    }
}

impl Way for Open {
    /// Which tags are wrong; those that came are public, whether they are right is for the caller to publish.
    type Answers = Failures;

    #[inline(always)]
    fn answer_lanes<S: Simd>(s: S, made: S::V, four: &mut Quad<'_, '_>) -> Failures {
        let (n, len) = (s.narrow(), four[0].tag.len);
        let mut given = s.zero();
        up_to_four!(m in MESSAGES => { given = s.insert(given, m, n.load(&four[m].tag.bytes, 0)); });
        let different = s.and(s.xor(made, given), s.spread(n.ones(len)));
        Failures::from_bits(s.nonzero_lanes(different))
    }

    #[inline(always)]
    fn answer_blocks(made: &[Lane; MESSAGES], four: &mut Quad<'_, '_>) -> Failures {
        let (mut choices, len) = ([Choice::default(); MESSAGES], four[0].tag.len);
        up_to_four!(m in MESSAGES => {
            choices[m] = secret::equal(&made[m].0, &four[m].tag.bytes, len);
        });
        Failures::of(choices)
    }
}

/// Seals or opens four messages, if they go together.
///
/// # Constant time
/// Secret: `enc`, `hash`, texts and AADs. Public: their lengths, `j0`.
#[inline(always)]
pub fn run<S: Simd, H: HashKey, D: Way>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    four: &mut Quad<'_, '_>,
) -> Result<Option<D::Answers>, Refused> {
    if const { !S::TUNING.fours } {
        return Ok(None);
    }
    let enc = enc.of::<Any>();
    let Some(lengths) = Lengths::of(four) else {
        return Ok(None);
    };
    if !D::SEAL {
        let len = four[0].tag.len;
        debug_assert!(four.iter().all(|item| item.tag.len == len), "equally long");
    }
    if S::MASKS {
        let made = at_once::<S, _, H, D>(s, enc, hash, four, &lengths)?;
        return Ok(made.map(|made| D::answer_lanes(s, made, four)));
    }
    let mut tags = [Lane::default(); MESSAGES];
    let together = by_blocks::<S, _, H, D>(s, enc, hash, four, &lengths, &mut tags)?;
    Ok(together.then(|| D::answer_blocks(&tags, four)))
}

/// Seals or opens all four at once, where vectors take masks, if texts have the right lengths for that; the full tags that
/// belong to the ciphertexts, a lane each.
#[inline(always)]
fn at_once<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    four: &mut Quad<'_, '_>,
    lengths: &Lengths,
) -> Result<Option<S::V>, Refused> {
    // Lane by lane those are fewer vectors for AES, of four blocks they would be as many (Zen 4: 48 bytes take 10 % less time
    // sealed, and 3 to 5 % opened, than in vectors of their own).
    let made = match lengths.few_blocks(3) {
        Some(0) => Batch::<S, H, 0> { s, hash }.run_at_once::<R, D>(enc, four),
        Some(1) => Batch::<S, H, 1> { s, hash }.run_at_once::<R, D>(enc, four),
        Some(2) => Batch::<S, H, 2> { s, hash }.run_at_once::<R, D>(enc, four),
        Some(3) => Batch::<S, H, 3> { s, hash }.run_at_once::<R, D>(enc, four),
        _ if lengths.at_most(S::BYTES) => masked::messages::<S, R, H, D, 1>(s, enc, hash, four),
        _ if lengths.once_to_twice(S::BYTES) => {
            masked::messages::<S, R, H, D, 2>(s, enc, hash, four)
        }
        _ => return Ok(None),
    };
    made.map(Some)
}

/// Seals or opens four whose texts have the same number of blocks, where vectors take no masks: as many at a time as there are
/// registers for, or one after the other; whether they had.
///
/// * `tags`: places for the full tags that belong to the ciphertexts, all zero.
#[inline(always)]
fn by_blocks<S: Simd, R: Schedule, H: HashKey, D: Direction>(
    s: S,
    enc: R,
    hash: &H,
    four: &mut Quad<'_, '_>,
    lengths: &Lengths,
    tags: &mut [Lane; MESSAGES],
) -> Result<bool, Refused> {
    let Some(blocks) = lengths.blocks() else {
        return Ok(false);
    };
    if blocks == 0 {
        Batch::<S, H, 0> { s, hash }.run::<R, D>(enc, four, tags)?;
        return Ok(true);
    }
    let made = by_count!(blocks; lanes::BLOCKS, COUNT => {
        // Sealing one block is 4 % faster in waves (Zen 4).
        if const { S::TUNING.pairs && !(D::SEAL && COUNT == 1) } {
            queue::messages::<_, R, H, D, COUNT>(s.narrow(), enc, hash, four, tags)?
        } else {
            Batch::<S, H, COUNT> { s, hash }.run::<R, D>(enc, four, tags)?
        }
    });
    Ok(made.is_some())
}

/// What the lengths of four texts, each less one, have in common: their OR and their AND.
struct Lengths {
    any: usize,
    all: usize,
}

impl Lengths {
    /// Those of the texts; `None` if an AAD is longer than a block.
    #[inline(always)]
    fn of(four: &Quad<'_, '_>) -> Option<Self> {
        let (mut any, mut all, mut aads) = (0, usize::MAX, 0);
        up_to_four!(m in MESSAGES => {
            let Message { j0, aad, text } = &four[m].message;
            debug_assert_eq!(j0.count(), 1, "the kernel counts on it");
            any |= text.len().wrapping_sub(1);
            all &= text.len().wrapping_sub(1);
            // From 17 bytes on it has one of the bits above the lowest five.
            aads |= aad.len() + 15;
        });
        (aads < 32).then_some(Self { any, all })
    }

    /// Whether each text has at most `bytes`, a power of two, and none is empty.
    #[inline(always)]
    fn at_most(&self, bytes: usize) -> bool {
        self.any < bytes
    }

    /// Whether each text has more than `bytes`, a power of two, and at most twice as many.
    #[inline(always)]
    fn once_to_twice(&self, bytes: usize) -> bool {
        self.all >= bytes && self.any < 2 * bytes
    }

    /// The blocks of each text, if all have as many, and at most `most`.
    #[inline(always)]
    fn few_blocks(&self, most: usize) -> Option<usize> {
        // Empty ones were less than zero by one.
        if self.any.wrapping_add(1) > 16 * most {
            return None;
        }
        self.blocks()
    }

    /// The blocks of each text, if all have as many.
    #[inline(always)]
    fn blocks(&self) -> Option<usize> {
        (self.any / 16 == self.all / 16).then_some(self.any.wrapping_add(16) / 16)
    }
}
