//! A short message of AES-GCM-SIV in one entry (RFC 8452 section 4): its keys, which are used for nothing else, the hash under the
//! latency of their expansion, and the key stream.
//!
//! Of the hash key four powers are enough, which make no table.

use super::aes::{self, Any, RoundKeys, Schedule};
use super::message::block;
use super::product::{Power, Sum};
use super::{Refused, schedule};
use crate::block::{Block, Counter};
use crate::simd::tuning::SMALL;
use crate::simd::{Columns, InOut, Simd};

/// Blocks of a turn of either loop.
const TURN: usize = 4;

/// Whether a message is for [`message`].
#[inline(always)]
pub fn fits<S: Simd>(aad: &[u8], text: &InOut<'_>) -> bool {
    !SMALL && aad.len().max(text.len()) <= S::TUNING.siv
}

/// What belongs to one message.
pub struct Place<'a, E> {
    /// For its round keys.
    pub enc: &'a mut E,
    /// To open, the tag that it came with. Behind the kernel it is the one that belongs to the message.
    pub tag: &'a mut Block,
}

/// Seals a message that [`fits`], or else opens it.
///
/// * `enc`: the key that makes those of each message, of 128 or 256 bits; another is refused.
///
/// # Constant time
/// Secret: `enc` but for its number of rounds, `aad`, `text`, the tag. Public: all lengths, `nonce`, `seal`.
#[inline(always)]
pub fn message<S: Simd>(
    s: S,
    enc: &RoundKeys,
    nonce: &[u8; 12],
    aad: &[u8],
    mut text: InOut<'_>,
    place: Place<'_, RoundKeys>,
    seal: bool,
) -> Result<(), Refused> {
    let n = s.narrow();
    let [lo, hi] = Counter::from_nonce(nonce).with_count(0).words();
    // The nonce stands behind the count, which is zero.
    let first = n.splat_words([lo << 32, lo >> 32 | hi << 32]);
    let h = derive(n, enc.of::<Any>(), first, place.enc)?;
    let powers = Four::new(n, h);
    let enc = (*place.enc).of::<Any>();
    let mut tag = n.load(place.tag, 0);
    // A loop: the code of each of its two steps is there once.
    for hashes in [seal, !seal] {
        if hashes {
            let plaintext = if seal { text.source() } else { text.written() };
            let hash = n.xor(powers.hash(s, aad, plaintext), n.splat_words([lo, hi]));
            let hash = n.and(hash, n.splat_words([u64::MAX, u64::MAX >> 1]));
            [tag] = aes::encrypt(n, enc.hidden(), [hash]);
        } else {
            stream(s, enc, tag, text.reborrow());
        }
    }
    *place.tag = block(n, tag);
    Ok(())
}

/// Puts the round keys of a message into their place; its hash key.
///
/// * `first`: the block of the nonce that counts zero.
#[inline(always)]
fn derive<N: Columns, R: Schedule>(
    n: N,
    enc: R,
    first: N::V,
    round_keys: &mut RoundKeys,
) -> Result<N::V, Refused> {
    let mut states = [first; 6];
    each!(i in 6 => { states[i] = n.add(first, n.count(i as u32)); });
    let [a, b, c, d, e, f] = aes::encrypt(n, enc, states);
    // The first half of each.
    let [h, key, more] = [n.low_halves(a, b), n.low_halves(c, d), n.low_halves(e, f)];
    match enc.spare() {
        0 => schedule::expand_128(n, key, &mut schedule::Place::<11>(round_keys)),
        4 => schedule::expand_256(n, key, more, &mut schedule::Place::<15>(round_keys)),
        _ => return Err(Refused),
    }
    Ok(h)
}

/// H and the three powers above it, of POLYVAL: its integers are little-endian, and it wants no twist.
struct Four<N: Simd>([Power<N>; TURN]);

impl<N: Simd<Narrow = N>> Four<N> {
    #[inline(always)]
    fn new(n: N, h: N::V) -> Self {
        let h = Power::new(n, h);
        let square = h.square(n);
        let [cube, fourth] = [square.by(n, &h), square.square(n)];
        Self([h, square, cube, fourth])
    }

    /// The hash of a message: AAD, plaintext, and the block of their lengths.
    ///
    /// One loop for all three: more of them are more code.
    #[inline(always)]
    fn hash<S: Simd<Narrow = N>>(&self, s: S, aad: &[u8], plaintext: &[u8]) -> N::V {
        let n = s.narrow();
        let (mut y, mut data, mut behind) = (n.zero(), aad, Some(plaintext));
        loop {
            let block = if let Some((turn, rest)) = data.split_at_checked(16 * TURN) {
                data = rest;
                let mut sum = Sum::zero(n);
                each!(i in TURN => {
                    let x = n.load(turn, 16 * i);
                    self.0[TURN - 1 - i].add(n, &mut sum, if i == 0 { n.xor(x, y) } else { x });
                });
                y = sum.reduce(n);
                continue;
            } else if !data.is_empty() {
                let (block, rest) = data.split_at(data.len().min(16));
                data = rest;
                s.load_block(block)
            } else if let Some(next) = behind.take() {
                data = next;
                continue;
            } else {
                break;
            };
            y = self.0[0].times(n, n.xor(y, block));
        }
        let lengths = n.splat_words([8 * aad.len() as u64, 8 * plaintext.len() as u64]);
        self.0[0].times(n, n.xor(y, lengths))
    }
}

/// XORs the key stream from the counter on that is `tag` with its top bit set into the text.
#[inline(always)]
fn stream<S: Simd, R: Schedule>(s: S, enc: R, tag: <S::Narrow as Simd>::V, mut text: InOut<'_>) {
    let n = s.narrow();
    let [lo, hi] = n.words(tag);
    let mut counters = n.splat_words([lo, hi | 1 << 63]);
    while let Some(mut turn) = text.split_to(16 * TURN) {
        let mut states = [counters; TURN];
        each!(i in TURN => { states[i] = n.add(counters, n.count(i as u32)); });
        counters = n.add(counters, n.count(TURN as u32));
        states = aes::encrypt(n, enc.hidden(), states);
        each!(i in TURN => {
            let v = n.xor(turn.load(n, 16 * i), states[i]);
            turn.store(n, 16 * i, v);
        });
    }
    while let Some(block) = text.split_to(text.len().min(16))
        && !block.is_empty()
    {
        let [state] = aes::encrypt(n, enc.hidden(), [counters]);
        counters = n.add(counters, n.count(1));
        let v = n.xor(s.load_block(block.source()), state);
        s.store_block(block, v);
    }
}
