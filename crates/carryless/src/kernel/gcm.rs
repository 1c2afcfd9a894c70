//! GCM in one pass: counter mode and GHASH interleaved (SP 800-38D algorithms 4 and 5).
//!
//! A message is turns of eight blocks while there are that many, and one last pass of up to eight
//! blocks that also makes the mask of the tag. A short message is the last pass alone.

use super::aes::{self, RoundKeys, rounds};
use super::form::{POWERS, Powers, Sum};
use super::ghash::{self, TURN};
use crate::block::{Block, Counter, Lane, Tag};
use crate::secret::{self, Choice, hide};
use crate::simd::{InOut, Simd};

// Blocks hashed together never outnumber the powers: a full last pass and the length block.
const _: () = assert!(TURN < POWERS);

/// The counter blocks of a turn, with the first round key added.
///
/// Aligned, the count is a multiple of eight and the turn's first block is two further, as the first
/// block of a text is under a 12-byte nonce: all but two blocks of a turn then differ from one
/// base in the low three bits of the last byte, and the other two from the next base. That is one
/// XOR a block in place of an addition, a byte reversal and an XOR. Otherwise the count is that of
/// the first block, whatever it is.
struct Counters<S: Simd, const ALIGNED: bool> {
    /// Reversed, so that the count is the lowest word.
    base: S::V,
}

/// The bytes `00 .. 00 i`.
static STEPS: [Lane; TURN] = {
    let mut steps = [Lane([0; 16]); TURN];
    let mut i = 0;
    while i < TURN {
        steps[i].0[15] = i as u8;
        i += 1;
    }
    steps
};

impl<S: Simd, const ALIGNED: bool> Counters<S, ALIGNED> {
    #[inline(always)]
    fn new(s: S, counter: Counter) -> Self {
        let base = s.reverse(s.splat_words(counter.words()));
        Self {
            base: if ALIGNED {
                base
            } else {
                s.add(base, s.lane_numbers())
            },
        }
    }

    /// The first `N` vectors of a turn; afterwards, if aligned, a turn of eight blocks further, else
    /// `N` vectors.
    #[inline(always)]
    fn next<const N: usize>(&mut self, s: S, key: S::V) -> [S::V; N] {
        let mut states = [key; N];
        if ALIGNED {
            let low = s.xor(s.reverse(self.base), key);
            self.base = s.add(self.base, s.count(TURN as u32));
            let high = s.xor(s.reverse(self.base), key);
            each!(i in N => {
                let step = 2 + i * S::LANES;
                let base = if step < TURN { low } else { high };
                states[i] = s.xor(base, s.rows(&STEPS, step % TURN));
            });
        } else {
            each!(i in N => {
                states[i] = s.xor(s.reverse(s.add(self.base, s.count((i * S::LANES) as u32))), key);
            });
            self.base = s.add(self.base, s.count((N * S::LANES) as u32));
        }
        states
    }
}

/// What a message has besides its text.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    /// The pre-counter block of a 12-byte nonce, which counts 1; the text starts at the next.
    pub j0: Counter,
    /// The hash of the AAD before `aad`, whole blocks.
    pub acc: u128,
    /// The AAD that is not hashed yet.
    pub aad: &'a [u8],
    /// Bytes of the whole AAD.
    pub aad_len: usize,
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

/// Seals or opens a message; the full tag that belongs to its ciphertext.
///
/// # Constant time
/// Secret: `enc`, `hash`, `header.j0`, `header.acc`, `text` and the AAD. Public: all lengths.
#[inline(always)]
pub fn message<S: Simd, const K: usize, const P: usize, D: Direction>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &Powers<P>,
    header: &Header<'_>,
    mut text: InOut<'_>,
) -> Block {
    let n = s.narrow();
    let lengths = n.splat_words([8 * text.len() as u64, 8 * header.aad_len as u64]);
    let mut y = ghash::load_acc(n, header.acc);
    y = ghash::absorb_serial(n, hash, y, header.aad);
    let mut counter = header.j0.with_count(0);
    // A last turn that is full belongs to the last pass, under whose latency the tag's mask is made.
    let whole = text.len().saturating_sub(1) & !(16 * TURN - 1);
    if whole > 0 {
        (counter, y) = turns::<S, K, P, D, true>(s, enc, hash, counter, y, &mut text, whole);
    }
    let j0 = n.splat_words(header.j0.words());
    let (mut sum, mask) = if text.is_empty() {
        let [mask] = aes::encrypt(n, enc, [j0]);
        y = n.xor(y, lengths);
        (Sum::zero(n), mask)
    } else {
        // What depends on the length of the last block stays outside of the eight copies.
        let count = text.len().div_ceil(16);
        let Some(whole) = text.split_to(16 * (count - 1)) else {
            return [0; 16];
        };
        let (tail, keep) = (text.load_all(n), ones(n, text.len()));
        let (sum, mask, tail) = by_count!(count, COUNT =>
            few::<_, K, P, D, COUNT, true, true>(n, enc, hash, j0, counter, y, whole, tail, keep));
        text.store_all(n, tail);
        y = lengths;
        (sum, mask)
    };
    sum.add(n, y, hash, 1);
    let [lo, hi] = n.words(n.xor(n.reverse(sum.reduce(n)), mask));
    (u128::from(lo) | u128::from(hi) << 64).to_le_bytes()
}

/// Opens a message; whether `tag` is its tag. The right one does not leave the registers.
///
/// # Constant time
/// As [`message`]; `tag` is public, whether it is right is for the caller to publish.
#[inline(always)]
pub fn open<S: Simd, const K: usize, const P: usize>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &Powers<P>,
    header: &Header<'_>,
    text: InOut<'_>,
    tag: &Tag,
) -> Choice {
    let right = message::<S, K, P, Open>(s, enc, hash, header, text);
    secret::equal(&right, &tag.bytes, tag.len)
}

/// Seals or opens whole blocks in the middle of a message; the hash with them.
///
/// # Constant time
/// As [`message`].
#[inline(always)]
pub fn segment<S: Simd, const K: usize, const P: usize, D: Direction>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &Powers<P>,
    counter: Counter,
    acc: u128,
    mut text: InOut<'_>,
) -> u128 {
    let n = s.narrow();
    let mut y = ghash::load_acc(n, acc);
    let mut counter = counter;
    let whole = text.len() & !(16 * TURN - 1);
    if whole > 0 {
        (counter, y) = turns::<S, K, P, D, false>(s, enc, hash, counter, y, &mut text, whole);
    }
    (counter, y) = rest::<_, K, P, D, 4>(n, enc, hash, counter, y, &mut text);
    (counter, y) = rest::<_, K, P, D, 2>(n, enc, hash, counter, y, &mut text);
    (_, y) = rest::<_, K, P, D, 1>(n, enc, hash, counter, y, &mut text);
    ghash::store_acc(n, y)
}

/// The next `COUNT` blocks of a segment, if there are so many.
#[inline(always)]
fn rest<S: Simd<Narrow = S>, const K: usize, const P: usize, D: Direction, const COUNT: usize>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &Powers<P>,
    counter: Counter,
    y: S::V,
    text: &mut InOut<'_>,
) -> (Counter, S::V) {
    let Some(mut last) = text.split_to(16 * COUNT) else {
        return (counter, y);
    };
    let Some(whole) = last.split_to(16 * (COUNT - 1)) else {
        return (counter, y);
    };
    let (tail, keep) = (last.load(s, 0), ones(s, 16));
    let (sum, _, tail) = few::<_, K, P, D, COUNT, false, false>(
        s,
        enc,
        hash,
        s.zero(),
        counter,
        y,
        whole,
        tail,
        keep,
    );
    last.store(s, 0, tail);
    (counter.add(COUNT as u32), sum.reduce(s))
}

/// Whole turns: the AES rounds of one beside the hash of one, so that both units stay busy.
///
/// Sealing hashes the turn before, as ciphertext must exist to be hashed; opening hashes its own.
/// One reduction a turn (aggregation, `techniques` 1.5).
///
/// * `counter`: with `ALIGNED` a multiple of eight, two before the first block; else the first block.
/// * `text`: its first `whole` bytes, a multiple of `16 * TURN`, are taken off and done: as many as
///   can be in turns of the widest vectors, the rest in turns of eight blocks.
///
/// Gives the counter and the hash behind them.
#[inline(always)]
fn turns<S: Simd, const K: usize, const P: usize, D: Direction, const ALIGNED: bool>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &Powers<P>,
    mut counter: Counter,
    mut y: Narrow<S>,
    text: &mut InOut<'_>,
    whole: usize,
) -> (Counter, Narrow<S>) {
    let Some(mut whole) = text.split_to(whole) else {
        return (counter, y);
    };
    if const { S::TURN > TURN } {
        // Four lanes cross the eights that aligned counters go by.
        let len = whole.len() / (16 * S::TURN) * (16 * S::TURN);
        if let Some(long) = whole.split_to(len).filter(|long| !long.is_empty()) {
            let first = counter.add(if ALIGNED { 2 } else { 0 });
            y = turns_of::<S, K, P, D, 8, false>(s, enc, hash, first, y, long);
            counter = counter.add((len / 16) as u32);
        }
    }
    let behind = counter.add((whole.len() / 16) as u32);
    let short = s.short();
    y = match S::Short::LANES {
        1 => turns_of::<_, K, P, D, 8, ALIGNED>(short, enc, hash, counter, y, whole),
        _ => turns_of::<_, K, P, D, 4, ALIGNED>(short, enc, hash, counter, y, whole),
    };
    (behind, y)
}

/// [`turns`] of `N` vectors.
#[inline(always)]
fn turns_of<
    S: Simd,
    const K: usize,
    const P: usize,
    D: Direction,
    const N: usize,
    const ALIGNED: bool,
>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &Powers<P>,
    counter: Counter,
    mut y: Narrow<S>,
    mut text: InOut<'_>,
) -> Narrow<S> {
    let mut counters = Counters::<S, ALIGNED>::new(s, counter);
    let mut previous = None;
    while let Some(mut turn) = text.split_to(N * S::BYTES) {
        let (enc, hash) = (hide(enc), hide(hash));
        let mut states = counters.next::<N>(s, enc.first(s));
        let mut sum = Sum::zero(s);
        let hashed = if D::SEAL {
            previous.as_ref()
        } else {
            Some(&turn)
        };
        if let Some(hashed) = hashed {
            let carry = s.widen(y);
            rounds!(r in K => {
                aes::round(s, enc, r, &mut states);
                if r <= N {
                    let i = r - 1;
                    let at = i * S::BYTES;
                    let block = if D::SEAL { hashed.load_written(s, at) } else { hashed.load(s, at) };
                    let x = s.reverse(block);
                    sum.add(s, if i == 0 { s.xor(x, carry) } else { x }, hash, (N - i) * S::LANES);
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
        y = ghash::absorb_turn::<S, N, P>(s, hash, y, previous.written());
    }
    y
}

/// `COUNT` blocks, of which the last may be partial: their products, for more to be added before
/// the reduction, with `TAG` the encrypted `j0`, and the last block, for the caller to store.
///
/// * `counter`: see [`turns`].
/// * `whole`: all blocks but the last.
/// * `tail`: the last, zeros behind its bytes; `keep`: ones where it has bytes.
///
/// With `TAG` the powers leave room for one more block.
#[expect(
    clippy::too_many_arguments,
    reason = "the state of a message, in registers"
)]
#[inline(always)]
fn few<
    S: Simd<Narrow = S>,
    const K: usize,
    const P: usize,
    D: Direction,
    const COUNT: usize,
    const TAG: bool,
    const ALIGNED: bool,
>(
    s: S,
    enc: &RoundKeys<K>,
    hash: &Powers<P>,
    j0: S::V,
    counter: Counter,
    y: S::V,
    mut whole: InOut<'_>,
    tail: S::V,
    keep: S::V,
) -> (Sum<S>, S::V, S::V) {
    let mut sum = Sum::zero(s);
    // Never so: this is the proof that the loads below need no check.
    let Some(mut whole) = whole.split_to(16 * (COUNT - 1)) else {
        return (sum, j0, tail);
    };
    let top = COUNT + if TAG { 1 } else { 0 };
    if !D::SEAL {
        let mut blocks = [tail; COUNT];
        each!(i in COUNT - 1 => { blocks[i] = whole.load(s, 16 * i); });
        sum.add_all(s, &blocks, y, hash, top);
    }
    // Keys are not to be loaded early, or kept over the rounds between, and then spilled.
    let enc = hide(enc);
    let first = enc.first(s);
    let mut states = Counters::<S, ALIGNED>::new(s, counter).next::<COUNT>(s, first);
    let mut mask = s.xor(j0, first);
    // Sealing many, the first half goes ahead: its products are made while the second is encrypted.
    let half = if D::SEAL && COUNT > 4 {
        COUNT / 2
    } else {
        COUNT
    };
    let both = half == COUNT;
    rounds!(r in K => {
        if TAG && both {
            mask = enc.round(s, r, mask);
        }
        aes::round_of(s, enc, r, &mut states, 0, half);
    });
    if !both {
        let enc = hide(enc);
        rounds!(r in K => {
            if TAG {
                mask = enc.round(s, r, mask);
            }
            aes::round_of(s, enc, r, &mut states, half, COUNT);
        });
    }
    let last = hide(enc).last(s);
    mask = s.aes_last(mask, last);
    each!(i in COUNT => {
        let block = if i + 1 < COUNT { whole.load(s, 16 * i) } else { tail };
        states[i] = s.aes_last(states[i], s.xor(block, last));
    });
    if D::SEAL {
        states[COUNT - 1] = s.and(states[COUNT - 1], keep);
        sum.add_all(s, &states, y, hash, top);
    }
    each!(i in COUNT - 1 => { whole.store(s, 16 * i, states[i]); });
    (sum, mask, states[COUNT - 1])
}

/// Ones in the first `len` bytes, zeros behind them.
#[inline(always)]
pub(super) fn ones<S: Simd<Narrow = S>>(s: S, len: usize) -> S::V {
    /// Read at `16 - len`.
    static ONES: [u8; 32] = {
        let mut ones = [0; 32];
        let (head, _) = ones.split_at_mut(16);
        head.copy_from_slice(&[0xff; 16]);
        ones
    };
    s.load(&ONES, 16 - len.min(16))
}
