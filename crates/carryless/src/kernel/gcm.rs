//! GCM in one pass: counter mode and GHASH interleaved (SP 800-38D algorithms 4 and 5).
//!
//! A message is turns of eight vectors while there are that many, and one last pass, straight-line code
//! for each count of blocks. A short message is the last pass alone.

use super::aes::{self, RoundKeys, rounds};
use super::counters::Counters;
use super::form::{HashKey, Karatsuba, Sum};
use super::ghash;
use super::last::{self, Last};
use crate::block::{Block, Counter, Tag};
use crate::secret::{self, Choice, hide};
use crate::simd::{InOut, Simd};

/// One message: the lengths were checked by the mode.
pub struct Message<'a> {
    /// The pre-counter block of a 12-byte nonce: it counts 1, the text starts at 2. For other nonces
    /// the mode goes through segments, as kernels count on the alignment.
    pub j0: Counter,
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// The text.
    pub text: InOut<'a>,
}

/// What a message has besides its nonce and its text.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    /// The hash of the AAD before `aad`, whole blocks.
    pub acc: u128,
    /// The AAD that is not hashed yet.
    pub aad: &'a [u8],
    /// Bytes of the whole AAD.
    pub aad_len: usize,
}

impl<'a> Header<'a> {
    /// Of an AAD that is not hashed yet: the kernel does it, block by block under the latency of the AES.
    #[inline(always)]
    pub fn whole(aad: &'a [u8]) -> Self {
        let (acc, aad_len) = (0, aad.len());
        Self { acc, aad, aad_len }
    }
}

/// Sealing or opening; the two share the source.
pub trait Direction: Copy + 'static {
    /// Whether the output (true) or the input (false) is hashed.
    const SEAL: bool;
}

/// Plaintext in, ciphertext out.
#[derive(Clone, Copy)]
pub enum Seal {}
/// Ciphertext in, plaintext out.
#[derive(Clone, Copy)]
pub enum Open {}

impl Direction for Seal {
    const SEAL: bool = true;
}
impl Direction for Open {
    const SEAL: bool = false;
}

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Blocks of a turn.
const fn turn<S: Simd>() -> usize {
    S::TURN * S::LANES
}

/// Seals or opens a message; the full tag that belongs to its ciphertext.
///
/// * `j0`: the pre-counter block of a 12-byte nonce, which counts 1; the text starts at the next. By value,
///   in registers: a vector load of it would wait for the stores of its words.
/// * `SHORT`: the text has at most [`longest_short`] bytes. It is the last pass alone then, with few
///   blocks: hardly anything of it leaves the registers, so that little stack has to be overwritten
///   behind it, which would take a quarter of the time.
/// * `text`: by reference, as a copy loads its three words in other pieces than they were stored in, and waits.
///
/// # Constant time
/// Secret: `enc`, `hash`, `header.acc`, `text` and the AAD. Public: all lengths.
#[inline(always)]
pub fn message<S: Simd, const K: usize, H: HashKey, D: Direction, const SHORT: bool>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    j0: Counter,
    header: &Header<'_>,
    text: &mut InOut<'_>,
) -> Block {
    let n = s.narrow();
    let mut last = Last {
        j0: n.splat_words(j0.words()),
        counter: j0.with_count(0),
        head: ghash::pending(n, hash, header.aad),
        y: ghash::load_acc(n, header.acc),
        lengths: n.splat_words([8 * text.len() as u64, 8 * header.aad_len as u64]),
    };
    let tag = if SHORT {
        last::pass::<_, K, H, D, true>(s.short(), enc, hash, &last, text.reborrow())
    } else {
        before_last::<S, K, H, D>(s, enc, hash, &mut last, header, text);
        last::pass::<_, K, H, D, false>(s.short(), enc, hash, &last, text.reborrow())
    };
    block(n, tag)
}

/// The turns of a message, so many that the last pass takes the rest.
#[inline(always)]
fn before_last<S: Simd, const K: usize, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    last: &mut Last<S::Narrow>,
    header: &Header<'_>,
    text: &mut InOut<'_>,
) {
    let n = s.narrow();
    // A last turn that is full belongs to the last pass, under whose latency the tag's mask is made.
    let whole =
        text.len().saturating_sub(1) / (16 * const { turn::<S>() }) * (16 * const { turn::<S>() });
    // Turns of many lanes leave more than a last pass takes.
    let half = const { turn::<S>() > last::most::<S::Short>(last::LONG) }
        && text.len() - whole > 16 * const { last::most::<S::Short>(last::LONG) };
    if (whole > 0 || half) && !header.aad.is_empty() {
        last.y = ghash::multiply(n, hash, last.head);
        last.head = n.zero();
    }
    if whole > 0 {
        (last.counter, last.y) =
            turns::<S, K, H, D, true>(s, enc, hash, last.counter, last.y, text, whole);
    }
    if half {
        (last.counter, last.y) = half_turn::<S, K, H, D>(s, enc, hash, last.counter, last.y, text);
    }
}

/// Opens a message; whether `tag` is its tag. The right one does not leave the registers.
///
/// # Constant time
/// As [`message`]; `tag` is public, whether it is right is for the caller to publish.
#[inline(always)]
pub fn open<S: Simd, const K: usize, H: HashKey, const SHORT: bool>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    j0: Counter,
    header: &Header<'_>,
    text: &mut InOut<'_>,
    tag: &Tag,
) -> Choice {
    let right = message::<S, K, H, Open, SHORT>(s, enc, hash, j0, header, text);
    secret::equal(&right, &tag.bytes, tag.len)
}

/// Bytes of the longest text that counts as short.
pub const fn longest_short<S: Simd>() -> usize {
    16 * last::most::<S::Short>(last::SHORT)
}

/// [`message`] for sealing a short text; its AAD is not hashed yet.
#[inline(always)]
pub fn seal_short<S: Simd, const K: usize, H: HashKey>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
) -> Block {
    message::<S, K, H, Seal, true>(s, enc, hash, j0, &Header::whole(aad), text)
}

/// [`open`] for a short text; its AAD is not hashed yet.
#[inline(always)]
pub fn open_short<S: Simd, const K: usize, H: HashKey>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
    tag: &Tag,
) -> Choice {
    open::<S, K, H, true>(s, enc, hash, j0, &Header::whole(aad), text, tag)
}

/// The bytes of a vector of one lane.
#[inline(always)]
pub(super) fn block<N: Simd>(n: N, v: N::V) -> Block {
    let [lo, hi] = n.words(v);
    (u128::from(lo) | u128::from(hi) << 64).to_le_bytes()
}

/// Seals or opens whole blocks in the middle of a message; the hash with them.
///
/// # Constant time
/// As [`message`].
#[inline(always)]
pub fn segment<S: Simd, const K: usize, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    counter: Counter,
    acc: u128,
    mut text: InOut<'_>,
) -> u128 {
    let n = s.narrow();
    let mut y = ghash::load_acc(n, acc);
    let mut counter = counter;
    let whole = text.len() / (16 * const { turn::<S>() }) * (16 * const { turn::<S>() });
    if whole > 0 {
        (counter, y) = turns::<S, K, H, D, false>(s, enc, hash, counter, y, &mut text, whole);
    }
    while text.len() >= 16 * 8 {
        (counter, y) = few::<_, K, H, D, 8>(n, enc, hash, counter, y, &mut text);
    }
    (counter, y) = few::<_, K, H, D, 4>(n, enc, hash, counter, y, &mut text);
    (counter, y) = few::<_, K, H, D, 2>(n, enc, hash, counter, y, &mut text);
    (_, y) = few::<_, K, H, D, 1>(n, enc, hash, counter, y, &mut text);
    ghash::store_acc(n, y)
}

/// The next `COUNT` blocks of a segment, if there are so many.
#[inline(always)]
fn few<S: Simd<Narrow = S>, const K: usize, H: HashKey, D: Direction, const COUNT: usize>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    counter: Counter,
    mut y: S::V,
    text: &mut InOut<'_>,
) -> (Counter, S::V) {
    let Some(mut blocks) = text.split_to(16 * COUNT) else {
        return (counter, y);
    };
    let (enc, hash) = (hide(enc), hide(hash));
    if !D::SEAL {
        y = ghash::absorb_few::<_, H, COUNT>(s, hash, y, blocks.source());
    }
    let base = s.counters(counter);
    let mut states = [s.zero(); COUNT];
    each!(i in COUNT => { states[i] = s.reverse(s.add(base, s.count(i as u32))); });
    states = aes::encrypt(s, enc, states);
    each!(i in COUNT => {
        let v = s.xor(states[i], blocks.load(s, 16 * i));
        blocks.store(s, 16 * i, v);
    });
    if D::SEAL {
        y = ghash::absorb_few::<_, H, COUNT>(s, hash, y, blocks.written());
    }
    (counter.add(COUNT as u32), y)
}

/// Whole turns: the AES rounds of one beside the hash of one, so that both units stay busy.
///
/// Sealing hashes the turn before, as ciphertext must exist to be hashed; opening hashes its own.
/// One reduction a turn (aggregation, `techniques` 1.5).
///
/// * `counter`: with `ALIGNED` a multiple of the turn, two before the first block; else the first block.
/// * `text`: its first `whole` bytes, so many turns, are taken off and done.
///
/// Gives the counter and the hash behind them.
#[inline(always)]
fn turns<S: Simd, const K: usize, H: HashKey, D: Direction, const ALIGNED: bool>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    counter: Counter,
    mut y: Narrow<S>,
    text: &mut InOut<'_>,
    whole: usize,
) -> (Counter, Narrow<S>) {
    const N: usize = 8;
    const { assert!(S::TURN == N) };
    let Some(mut whole) = text.split_to(whole) else {
        return (counter, y);
    };
    let behind = counter.add((whole.len() / 16) as u32);
    let mut counters = Counters::<S, N, ALIGNED>::new(s, counter);
    let mut previous = None;
    while let Some(mut turn) = whole.split_to(N * S::BYTES) {
        let (enc, hash) = (hide(enc), hide(hash));
        let mut states = counters.next(s, enc.first(s));
        let mut sum = Karatsuba::zero(s);
        let hashed = if D::SEAL {
            previous.as_ref()
        } else {
            Some(&turn)
        };
        if let Some(hashed) = hashed {
            let carry = s.widen(y);
            rounds!(r in K => {
                aes::round(s, enc, r, &mut states);
                if r % 2 == 1 && r < N {
                    let i = r - 1;
                    let (mut a, b) = (hash_input::<S, D>(s, hashed, i), hash_input::<S, D>(s, hashed, i + 1));
                    if i == 0 {
                        a = s.xor(a, carry);
                    }
                    sum.add_pair(s, a, b, hash, (N - i) * S::LANES);
                    sum.tie(s, &mut states[N - 1]);
                }
            });
            y = s.fold(sum.reduce(s));
        } else {
            rounds!(r in K => { aes::round(s, enc, r, &mut states); });
        }
        let last = enc.last(s);
        each!(i in N => {
            states[i] = s.aes_last(states[i], s.xor(turn.load(s, i * S::BYTES), last));
        });
        each!(i in N => { turn.store(s, i * S::BYTES, states[i]); });
        previous = Some(turn);
    }
    if D::SEAL
        && let Some(previous) = previous
    {
        y = ghash::absorb_turn::<S, H>(s, hash, y, previous.written());
    }
    (behind, y)
}

/// Half of a turn, where whole ones are too long and there is too much for the last pass.
///
/// * `counter`: as that of `turns`, aligned.
#[inline(always)]
fn half_turn<S: Simd, const K: usize, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &H,
    counter: Counter,
    y: Narrow<S>,
    text: &mut InOut<'_>,
) -> (Counter, Narrow<S>) {
    const N: usize = 4;
    let Some(mut text) = text.split_to(N * S::BYTES) else {
        return (counter, y);
    };
    let (enc, hash) = (hide(enc), hide(hash));
    let mut states = Counters::<S, N, true>::new(s, counter).next(s, enc.first(s));
    let mut sum = Sum::zero(s);
    if !D::SEAL {
        each!(i in N => { add_ciphertext::<S, H, Open>(s, &mut sum, hash, y, &text, i); });
    }
    rounds!(r in K => { aes::round(s, enc, r, &mut states); });
    let last = enc.last(s);
    each!(i in N => {
        states[i] = s.aes_last(states[i], s.xor(text.load(s, i * S::BYTES), last));
    });
    each!(i in N => { text.store(s, i * S::BYTES, states[i]); });
    if D::SEAL {
        each!(i in N => { add_ciphertext::<S, H, Seal>(s, &mut sum, hash, y, &text, i); });
    }
    (counter.add((N * S::LANES) as u32), s.fold(sum.reduce(s)))
}

/// Adds the products of vector `i` of half a turn, the first with the hash `y` before it.
#[inline(always)]
fn add_ciphertext<S: Simd, H: HashKey, D: Direction>(
    s: S,
    sum: &mut Sum<S>,
    hash: &H,
    y: Narrow<S>,
    text: &InOut<'_>,
    i: usize,
) {
    let x = hash_input::<S, D>(s, text, i);
    let x = if i == 0 { s.xor(x, s.widen(y)) } else { x };
    sum.add(s, x, hash, (4 - i) * S::LANES);
}

/// The ciphertext of vector `i` of a turn, as it is multiplied.
#[inline(always)]
fn hash_input<S: Simd, D: Direction>(s: S, turn: &InOut<'_>, i: usize) -> S::V {
    let at = i * S::BYTES;
    s.reverse(if D::SEAL {
        turn.load_written(s, at)
    } else {
        turn.load(s, at)
    })
}
