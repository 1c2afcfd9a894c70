//! GHASH (SP 800-38D section 6.4) of whole blocks, and of a last one that is filled up; POLYVAL (RFC 8452 section 3) likewise.

use super::product::table::ALL;
use super::product::{Apart, HashKey, Karatsuba, Little, PAD, Span, Sum, load_acc, store_acc};
use super::{Refused, TURN};
use crate::secret::forget_origin;
use crate::simd::Simd;

/// A vector of one lane.
type Narrow<S> = <<S as Simd>::Narrow as Simd>::V;

/// Hashes `data`, the last block filled up with zeros, into `acc`.
///
/// # Constant time
/// Secret: `powers`, `acc`, `data`. Public: the length.
#[inline(always)]
pub fn absorb<S: Simd, H: HashKey>(
    s: S,
    powers: &H,
    acc: &mut u128,
    data: &[u8],
) -> Result<(), Refused> {
    let n = s.narrow();
    let y = absorb_and::<S, H, false>(s, powers, load_acc(n, *acc), data, [0, 0])?;
    *acc = store_acc(n, y);
    Ok(())
}

/// [`absorb`] by POLYVAL, under a key of [`Powers::set_little`](super::product::Powers::set_little).
///
/// # Constant time
/// As for [`absorb`].
#[inline(always)]
pub fn polyval<S: Simd, H: HashKey>(
    s: S,
    powers: &H,
    acc: &mut u128,
    data: &[u8],
) -> Result<(), Refused> {
    let (n, powers) = (s.narrow(), &Little(powers));
    let (mut y, mut rest) = absorb_turns(s, powers, load_acc(n, *acc), data);
    // Short messages of AES-GCM-SIV have an entry of their own: more counts of vectors are not worth their code.
    while let Some((four, behind)) = rest.split_at_checked(4 * vector::<S>()) {
        y = absorb_some::<_, _, 4>(s, powers, y, four)?;
        rest = behind;
    }
    while !rest.is_empty() {
        let (one, behind) = rest.split_at(rest.len().min(vector::<S>()));
        y = absorb_some::<_, _, 1>(s, powers, y, one)?;
        rest = behind;
    }
    *acc = store_acc(n, y);
    Ok(())
}

/// Bytes of the vectors by which is hashed what does not fill a turn.
const fn vector<S: Simd>() -> usize {
    if S::MASKS { S::BYTES } else { 16 }
}

/// Hashes what `COUNT` of these vectors take, of which the last need not be full.
#[inline(always)]
fn absorb_some<S: Simd, H: HashKey, const COUNT: usize>(
    s: S,
    powers: &H,
    y: Narrow<S>,
    data: &[u8],
) -> Result<Narrow<S>, Refused> {
    if const { S::MASKS } {
        absorb_vectors::<S, H, false, COUNT>(s, powers, y, data, [0, 0])
    } else {
        absorb_few::<_, H, COUNT>(s.narrow(), powers, y, data)
    }
}

/// How many powers data of at most `len` bytes takes.
#[inline(always)]
pub fn powers<S: Simd>(len: usize) -> usize {
    if len < TURN * S::BYTES {
        len.div_ceil(16)
    } else {
        ALL
    }
}

/// Hashes `data`, the last block filled up with zeros, into `y`, and with `AND` the block of the words `end` behind it.
///
/// # Constant time
/// Secret: `powers`, `y`, `data`, `end`. Public: the length.
#[inline(always)]
pub(super) fn absorb_and<S: Simd, H: HashKey, const AND: bool>(
    s: S,
    powers: &H,
    y: Narrow<S>,
    data: &[u8],
    end: [u64; 2],
) -> Result<Narrow<S>, Refused> {
    let n = s.narrow();
    let (mut y, mut rest) = absorb_turns::<S, H>(s, powers, y, data);
    if const { S::MASKS } && !rest.is_empty() {
        let made = by_count!(rest.len().div_ceil(S::BYTES); TURN, COUNT => {
            absorb_vectors::<S, H, AND, COUNT>(s, powers, y, rest, end)?
        });
        return made.ok_or(Refused);
    }
    if const { !S::MASKS } {
        if TURN * S::LANES > 8 {
            (y, rest) = absorb_eights(n, powers, y, rest)?;
        }
        if !rest.is_empty() {
            let made = by_count!(rest.len().div_ceil(16); const { few::<S>() }, COUNT => absorb_few::<_, H, COUNT>(n, powers, y, rest)?);
            y = made.ok_or(Refused)?;
        }
    }
    if AND {
        y = multiply(n, powers, n.xor(y, n.splat_words(end)));
    }
    Ok(y)
}

/// Hashes as many turns as there are; what is left.
#[inline(always)]
fn absorb_turns<'d, S: Simd, H: HashKey>(
    s: S,
    powers: &H,
    mut y: Narrow<S>,
    data: &'d [u8],
) -> (Narrow<S>, &'d [u8]) {
    let mut turns = data.chunks_exact(TURN * S::BYTES);
    for turn in turns.by_ref() {
        y = absorb_turn::<S, H>(s, forget_origin(powers), y, turn);
    }
    (y, turns.remainder())
}

/// The most blocks behind turns and eights.
const fn few<S: Simd>() -> usize {
    if TURN * S::LANES > 8 {
        8
    } else {
        TURN * S::LANES
    }
}

/// Hashes as many eights of blocks as there are; what is left.
#[inline(always)]
fn absorb_eights<'d, S: Simd<Narrow = S>, H: HashKey>(
    s: S,
    powers: &H,
    mut y: S::V,
    data: &'d [u8],
) -> Result<(S::V, &'d [u8]), Refused> {
    let mut eights = data.chunks_exact(16 * 8);
    for eight in eights.by_ref() {
        y = absorb_few::<_, H, 8>(s, forget_origin(powers), y, eight)?;
    }
    Ok((y, eights.remainder()))
}

/// Hashes one turn.
#[inline(always)]
pub(super) fn absorb_turn<S: Simd, H: HashKey>(
    s: S,
    powers: &H,
    y: Narrow<S>,
    turn: &[u8],
) -> Narrow<S> {
    let mut sum = Karatsuba::zero(s);
    let y = s.widen(y);
    each!(step in TURN / 2 => {
        // The vector with the hash so far comes last: what waits for that does not fill the CPU's queues.
        let j = TURN / 2 - 1 - step;
        let (at, power) = (2 * j * S::BYTES, (TURN - 2 * j) * S::LANES);
        let carry = (j == 0).then_some(y);
        if const { S::APART } {
            Apart::load(s, turn, at, carry, powers, power).add_to(s, &mut sum);
        } else {
            let mut a = H::integers(s, s.load(turn, at));
            let b = H::integers(s, s.load(turn, at + S::BYTES));
            if j == 0 {
                a = s.xor(a, y);
            }
            // One pair after the other: all at once would not fit into the registers.
            sum.order(s, &mut a);
            sum.add_pair(s, a, b, powers, power);
        }
    });
    s.fold(sum.reduce(s))
}

/// Hashes what `COUNT` vectors take, of which the last need not be full, and with `AND` the block `end`.
#[inline(always)]
pub(super) fn absorb_vectors<S: Simd, H: HashKey, const AND: bool, const COUNT: usize>(
    s: S,
    powers: &H,
    y: Narrow<S>,
    data: &[u8],
    end: [u64; 2],
) -> Result<Narrow<S>, Refused> {
    const { assert!(H::POWERS > TURN * S::LANES && S::LANES <= PAD || !S::MASKS) };
    let mut sum = Sum::zero(s);
    if AND {
        sum.add_splat(s, s.widen(s.narrow().splat_words(end)), powers, 1);
    }
    let (whole, last) = data
        .split_at_checked(S::BYTES * (COUNT - 1))
        .ok_or(Refused)?;
    let power = data.len().div_ceil(16) + usize::from(AND);
    let powers = Span::new(powers, power, S::LANES * COUNT).ok_or(Refused)?;
    each!(step in COUNT => {
        // As in a turn, what waits for the hash so far comes last.
        let i = COUNT - 1 - step;
        let v = if i + 1 < COUNT { s.load(whole, i * S::BYTES) } else { s.load_first(last) };
        let x = H::integers(s, v);
        sum.add_span(s, if i == 0 { s.xor(x, s.widen(y)) } else { x }, powers, i * S::LANES);
    });
    Ok(s.fold(sum.reduce(s)))
}

/// Hashes `COUNT` blocks, of which the last may be partial.
#[inline(always)]
pub(super) fn absorb_few<S: Simd<Narrow = S>, H: HashKey, const COUNT: usize>(
    s: S,
    powers: &H,
    y: S::V,
    data: &[u8],
) -> Result<S::V, Refused> {
    let whole = data.get(..16 * (COUNT - 1)).ok_or(Refused)?;
    let mut sum = Sum::zero(s);
    each!(i in COUNT => {
        let block = if i + 1 < COUNT { s.load(whole, 16 * i) } else { s.load_last(data) };
        let x = H::integers(s, block);
        sum.add(s, if i == 0 { s.xor(x, y) } else { x }, powers, COUNT - i);
    });
    Ok(sum.reduce(s))
}

/// Hashes a short `data`, block by block, all but the last product: for headers, under the latency of
/// the AES. Zero if there is none.
///
/// # Constant time
/// Secret: `powers`, `data`. Public: the length.
#[inline(always)]
pub fn pending<S: Simd, H: HashKey>(s: S, powers: &H, data: &[u8]) -> Narrow<S> {
    let n = s.narrow();
    if data.len() <= 16 {
        return n.reverse(s.load_block(data));
    }
    let (first, rest) = data.split_at(16);
    let mut pending = n.reverse(n.load(first, 0));
    for block in rest.chunks(16) {
        let block = n.reverse(s.load_block(block));
        pending = n.xor(multiply(n, powers, pending), block);
    }
    pending
}

/// `x * H`.
#[inline(always)]
pub fn multiply<S: Simd<Narrow = S>, H: HashKey>(s: S, powers: &H, x: S::V) -> S::V {
    let mut sum = Sum::zero(s);
    sum.add(s, x, powers, 1);
    sum.reduce(s)
}
