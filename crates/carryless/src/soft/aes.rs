//! Fixsliced AES: ePrint 2020/1123 (Adomnicai, Peyrin).
//!
//! The state is bit-sliced ([`Planes`]) and ShiftRows is never done. After `n` rounds row `r` then
//! stands `r * n` columns to the right of its place, so that MixColumns, which adds the rows of a
//! column, rotates by `n` columns as it goes from row to row: four variants, and round keys in the
//! same layout. The state starts as many ShiftRows *behind* as there are rounds, modulo 4, and is in
//! its place at the end.
#![forbid(unsafe_code)]

use super::sbox::sub_bytes_or_call;
use super::schedule::RoundKey;
use crate::block::{Block, Counter};
use crate::secret::wipe;
use crate::simd::{InOut, MAX_BLOCKS, Planes};

/// Room for a batch of blocks.
pub(super) type Batch = [Block; MAX_BLOCKS];
const EMPTY: Batch = [[0; 16]; MAX_BLOCKS];

/// MixColumns on a state in which row `r` stands `r * SKEW` columns to the right.
///
/// With `a` the rows below by one and `c` the sum of the row and `a`: `2c + a + (c, two rows below)`.
#[inline(always)]
pub(super) fn mix_columns<P: Planes, const SKEW: u32, const TWICE: u32>(s: [P; 8]) -> [P; 8] {
    macro_rules! each {
        ($($i:literal doubled $below:literal $($carry:literal)?;)*) => {{
            let a = [$(s[$i].rotate::<1, SKEW>(),)*];
            let c = [$(s[$i].xor(a[$i]),)*];
            [$(c[$i].rotate::<2, TWICE>().xor(a[$i]).xor(c[$below])$(.xor(c[$carry]))?,)*]
        }};
    }
    // x^8 = x^4 + x^3 + x + 1.
    each! { 0 doubled 7; 1 doubled 0 7; 2 doubled 1; 3 doubled 2 7; 4 doubled 3 7; 5 doubled 4; 6 doubled 5; 7 doubled 6; }
}

#[inline(always)]
pub(super) fn add_key<P: Planes>(s: [P; 8], key: &RoundKey<P::Word>) -> [P; 8] {
    let key = P::spread(key);
    [
        s[0].xor(key[0]),
        s[1].xor(key[1]),
        s[2].xor(key[2]),
        s[3].xor(key[3]),
        s[4].xor(key[4]),
        s[5].xor(key[5]),
        s[6].xor(key[6]),
        s[7].xor(key[7]),
    ]
}

/// Encrypts a batch, of which `count` blocks matter: on smaller planes where they are enough.
///
/// # Constant time
/// Secret: `keys`, `blocks`. Public: how many keys, `count`.
#[inline(always)]
fn some<P: Planes>(keys: &[RoundKey<P::Word>], blocks: &mut Batch, count: usize) {
    if count <= P::Few::BLOCKS {
        batch::<P::Few>(keys, blocks);
    } else {
        batch::<P>(keys, blocks);
    }
}

/// Encrypts a batch. A function of its own, as it is long: calls cost less than copies of it.
///
/// # Constant time
/// Secret: `keys`, `blocks`. Public: how many keys.
#[inline(never)]
fn batch<P: Planes>(keys: &[RoundKey<P::Word>], blocks: &mut Batch) {
    let mut s = P::pack(blocks);
    if is_skewed(keys.len()) {
        s = s.map(P::skew);
    }
    if P::APART {
        apart(keys, &mut s);
    } else {
        s = rounds::<P, false>(keys, s);
    }
    P::unpack(s, blocks);
}

/// All rounds, in a function of its own for all that want them.
///
/// # Constant time
/// Secret: `keys`, `s`. Public: how many keys.
#[inline(never)]
pub(super) fn apart<P: Planes>(keys: &[RoundKey<P::Word>], s: &mut [P; 8]) {
    *s = rounds::<P, false>(keys, *s);
}

/// Whether the state starts two ShiftRows behind: with 10 and 14 rounds; with 12 none.
#[inline(always)]
pub(super) const fn is_skewed(keys: usize) -> bool {
    keys % 4 == 3
}

/// All rounds of a state that is skewed where it must be; `BEGUN` of one behind its first.
///
/// # Constant time
/// Secret: `keys`, `s`. Public: how many keys.
#[inline(always)]
pub(super) fn rounds<P: Planes, const BEGUN: bool>(
    keys: &[RoundKey<P::Word>],
    mut s: [P; 8],
) -> [P; 8] {
    macro_rules! round {
        ($s:ident, $key:expr, $skew:literal, $twice:literal) => {
            $s = add_key(mix_columns::<P, $skew, $twice>(sub_bytes_or_call($s)), $key)
        };
    }
    let [first, inner @ .., last] = keys else {
        return s;
    };
    if !BEGUN {
        s = add_key(s, first);
    }
    if P::RARE {
        // A copy of each kind of round.
        for (i, key) in inner.iter().enumerate() {
            match (i + 4 - inner.len() % 4) % 4 {
                0 => round!(s, key, 0, 0),
                1 => round!(s, key, 1, 2),
                2 => round!(s, key, 2, 0),
                _ => round!(s, key, 3, 2),
            }
        }
        return add_key(sub_bytes_or_call(s), last);
    }
    let (head, body) = inner.split_at(inner.len() % 4);
    if let [one, two, _] = head {
        if !BEGUN {
            round!(s, one, 1, 2);
        }
        round!(s, two, 2, 0);
    }
    if let [.., three] = head
        && !(BEGUN && head.len() == 1)
    {
        round!(s, three, 3, 2);
    }
    for [zero, one, two, three] in body.as_chunks().0 {
        round!(s, zero, 0, 0);
        round!(s, one, 1, 2);
        round!(s, two, 2, 0);
        round!(s, three, 3, 2);
    }
    add_key(sub_bytes_or_call(s), last)
}

/// Encrypts whole blocks; bytes beyond the last whole block stay as they are.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: the length of the text, how many keys.
pub(super) fn encrypt<P: Planes>(keys: &[RoundKey<P::Word>], text: InOut<'_>) {
    in_batches::<P>(text, |blocks, count| some::<P>(keys, blocks, count));
}

/// Whole blocks by `run`, which takes a batch and how many blocks of it matter.
#[inline(always)]
pub(super) fn in_batches<P: Planes>(mut text: InOut<'_>, run: impl Fn(&mut Batch, usize)) {
    let mut blocks = EMPTY;
    while text.len() >= 16 {
        let count = (text.len() / 16).min(P::BLOCKS);
        let Some(mut now) = text.split_to(16 * count) else {
            break;
        };
        for (i, block) in blocks.iter_mut().take(count).enumerate() {
            *block = now.get(16 * i);
        }
        run(&mut blocks, count);
        for (i, block) in blocks.iter().take(count).enumerate() {
            now.set(16 * i, block);
        }
    }
    wipe(blocks.as_flattened_mut());
}

/// Encrypts the first `count` blocks where they stand, and those behind them that fill their last batch; a window of
/// [`MAX_BLOCKS`] begins at each batch.
///
/// # Constant time
/// Secret: `keys`, `blocks`. Public: how many of each, `count`.
pub(super) fn encrypt_batches<P: Planes>(
    keys: &[RoundKey<P::Word>],
    blocks: &mut [Block],
    count: usize,
) {
    for at in (0..count).step_by(P::BLOCKS) {
        if let Some(window) = blocks[at..].first_chunk_mut() {
            some::<P>(keys, window, count - at);
        }
    }
}

/// XORs the key stream that starts with `counter` into the text; the first block of it goes to
/// `mask` instead, if there is one.
///
/// # Constant time
/// Secret: `keys`, `text`, `counter`. Public: the length of the text, how many keys.
pub(super) fn ctr<P: Planes>(
    keys: &[RoundKey<P::Word>],
    mut counter: Counter,
    mut text: InOut<'_>,
    mask: Option<&mut Block>,
) {
    let mut stream = EMPTY;
    let mut next = |stream: &mut Batch, count| {
        for block in stream.iter_mut().take(P::BLOCKS) {
            *block = counter.to_block();
            counter = counter.add(1);
        }
        some::<P>(keys, stream, count);
    };
    if let Some(mask) = mask {
        let len = text.len().min(16 * (P::BLOCKS - 1));
        next(&mut stream, 1 + len.div_ceil(16));
        *mask = stream[0];
        if let Some(head) = text.split_to(len) {
            add_stream(head, &stream[1..P::BLOCKS]);
        }
    }
    while let Some(mut now) = text.split_to(16 * P::BLOCKS) {
        next(&mut stream, P::BLOCKS);
        for (i, block) in stream.iter().take(P::BLOCKS).enumerate() {
            now.set(16 * i, &xor(now.get(16 * i), *block));
        }
    }
    if !text.is_empty() {
        next(&mut stream, text.len().div_ceil(16));
        add_stream(text, &stream);
    }
    wipe(stream.as_flattened_mut());
}

/// The sum of two blocks.
#[inline(always)]
pub fn xor(a: Block, b: Block) -> Block {
    (u128::from_ne_bytes(a) ^ u128::from_ne_bytes(b)).to_ne_bytes()
}

/// XORs as much of `stream` as there is text.
pub fn add_stream(mut text: InOut<'_>, stream: &[Block]) {
    let mut blocks = stream.iter();
    while let Some(mut now) = text.split_to(16)
        && let Some(block) = blocks.next()
    {
        now.set(0, &xor(now.get(0), *block));
    }
    if let Some(block) = blocks.next() {
        let mut last = [0; 16];
        last[..text.len()].copy_from_slice(text.source());
        last = xor(last, *block);
        let to = text.into_written();
        to.copy_from_slice(&last[..to.len()]);
        wipe(&mut last);
    }
}
