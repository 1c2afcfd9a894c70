//! Parts of a message.

use super::turns::{drain, turns, whole_turns};
use crate::block::Counter;
use crate::kernel::aes::{self, Any, RoundKeys, Schedule};
use crate::kernel::counters::Counters;
use crate::kernel::message::Direction;
use crate::kernel::product::{HashKey, load_acc, store_acc};
use crate::kernel::{Refused, TURN, ghash};
use crate::secret::forget_origin;
use crate::simd::{InOut, Simd};

/// Seals or opens whole blocks in the middle of a message; the hash with them.
///
/// # Constant time
/// As [`super::message`].
#[inline(always)]
pub fn segment<S: Simd, H: HashKey, D: Direction>(
    s: S,
    enc: &RoundKeys,
    hash: &H,
    counter: Counter,
    acc: &mut u128,
    mut text: InOut<'_>,
) -> Result<(), Refused> {
    let (n, enc) = (s.narrow(), enc.of::<Any>());
    let mut y = load_acc(n, *acc);
    let mut counter = counter;
    let whole = whole_turns::<S>(text.len());
    if let Some(text) = text.split_to(whole)
        && whole > 0
    {
        let counters = Counters::<S, false>::new(s, counter);
        counter = counter.add((whole / 16) as u32);
        let turn;
        (y, turn) = turns::<S, _, H, D, _>(s, enc, hash, counters, y, text);
        y = drain::<S, H>(s, hash, y, turn);
    }
    while TURN * S::LANES > 8 && text.len() >= 16 * 8 {
        (counter, y) = few::<_, _, H, D, 8>(n, enc, hash, counter, y, &mut text)?;
    }
    (counter, y) = few::<_, _, H, D, 4>(n, enc, hash, counter, y, &mut text)?;
    if const { S::TUNING.compact } {
        while text.len() >= 16 {
            (counter, y) = few::<_, _, H, D, 1>(n, enc, hash, counter, y, &mut text)?;
        }
        *acc = store_acc(n, y);
        return Ok(());
    }
    (counter, y) = few::<_, _, H, D, 2>(n, enc, hash, counter, y, &mut text)?;
    (_, y) = few::<_, _, H, D, 1>(n, enc, hash, counter, y, &mut text)?;
    *acc = store_acc(n, y);
    Ok(())
}

/// Seals or opens the next `COUNT` blocks, if there are so many, the first under `counter`; the counter behind them, and the hash.
#[inline(always)]
fn few<S: Simd<Narrow = S>, R: Schedule, H: HashKey, D: Direction, const COUNT: usize>(
    s: S,
    enc: R,
    hash: &H,
    counter: Counter,
    mut y: S::V,
    text: &mut InOut<'_>,
) -> Result<(Counter, S::V), Refused> {
    let Some(mut blocks) = text.split_to(16 * COUNT) else {
        return Ok((counter, y));
    };
    let (enc, hash) = (enc.hidden(), forget_origin(hash));
    if !D::SEAL {
        y = ghash::absorb_few::<_, H, COUNT>(s, hash, y, blocks.source())?;
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
        y = ghash::absorb_few::<_, H, COUNT>(s, hash, y, blocks.written())?;
    }
    Ok((counter.add(COUNT as u32), y))
}
