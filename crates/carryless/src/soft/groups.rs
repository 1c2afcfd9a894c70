//! Counter mode on groups of eight counters that differ in three bits: their planes are made of one block, and behind the
//! first round of one for 256 blocks (`docs/math.md` 6).
#![forbid(unsafe_code)]

mod steps;

use self::steps::{Steps, without_last};
use super::aes::{self, add_key, add_stream, apart, is_skewed, mix_columns, rounds};
use super::sbox::sub_bytes;
use super::schedule::RoundKey;
use crate::block::{Block, Counter};
use crate::secret::{then_overwrite_stack, wipe};
use crate::simd::aarch64::bytes::{self as v, V};
use crate::simd::tuning::{NEON_LONG_TEXT, NEON_MANY_GROUPS};
use crate::simd::{InOut, NeonPlanes, Planes};

/// Blocks of a group.
const GROUP: usize = STEP as usize;
/// What a counter counts meanwhile.
const STEP: u32 = 8;
/// Counters that differ in their last byte alone.
const OF_LAST_BYTE: u32 = 256;
/// Bytes of stack that what is behind the first group takes, beyond that of a message.
const BEHIND_FRAMES: usize = 1024;
/// Bytes of stack that those take, beside the steps.
const MANY_FRAMES: usize = 1024;

/// Encrypts `j0` and XORs the key stream behind it into the text: in groups, the first of which begins one block before, if
/// it is that of a 12-byte nonce, which counts 1.
///
/// # Constant time
/// Secret: `keys`, `text`; `j0` but for whether it counts 1 (it may come from a hashed nonce). Public: the length of the text,
/// how many keys.
pub(super) fn mask_and_ctr(
    keys: &[RoundKey<NeonPlanes>],
    j0: Counter,
    mut text: InOut<'_>,
) -> Block {
    let mut mask = [0; 16];
    if j0.count() != 1 {
        aes::ctr::<NeonPlanes>(keys, j0, text, Some(&mut mask));
        return mask;
    }
    let group = j0.with_count(0);
    let [_, first, stream @ ..] = NeonPlanes::blocks(planes_of(keys, group));
    v::store(&mut mask, first);
    if let Some(head) = text.split_to(text.len().min(16 * (GROUP - 2))) {
        add_blocks(stream, head);
    }
    if !text.is_empty() {
        let next = group.add(STEP);
        then_overwrite_stack::<BEHIND_FRAMES, _>(move || behind_head(keys, next, text));
    }
    mask
}

/// XORs the key stream that starts with `counter` into the text. A long text goes by groups, of which the first may begin before it.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: `counter`, the length of the text, how many keys.
pub(super) fn ctr(keys: &[RoundKey<NeonPlanes>], counter: Counter, mut text: InOut<'_>) {
    if text.len() < NEON_LONG_TEXT {
        return aes::ctr::<NeonPlanes>(keys, counter, text, None);
    }
    let before = counter.count() % STEP;
    let mut group = counter.with_count(counter.count() - before);
    if before > 0 {
        let mut stream = [[0; 16]; GROUP];
        NeonPlanes::unpack(planes_of(keys, group), &mut stream);
        let (_, behind) = stream.split_at(before as usize);
        if let Some(head) = text.split_to(16 * behind.len()) {
            add_stream(head, behind);
        }
        wipe(&mut stream);
        group = group.add(STEP);
    }
    then_overwrite_stack::<BEHIND_FRAMES, _>(move || behind_head(keys, group, text));
}

/// XORs the key stream from `group` on into a text. In a frame of its own: messages that end with the first group have a
/// small one.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: the length of the text, the count of `group`, how many keys.
#[inline(never)]
fn behind_head(keys: &[RoundKey<NeonPlanes>], group: Counter, mut text: InOut<'_>) {
    let whole = text.len() / (16 * GROUP);
    if let Some(text) = text.split_to(16 * GROUP * whole) {
        all(keys, group, text);
    }
    if !text.is_empty() {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a message has at most 2^32 blocks"
        )]
        let last = group.add((GROUP * whole) as u32);
        add_blocks(NeonPlanes::blocks(planes_of(keys, last)), text);
    }
}

/// XORs as much of the blocks as there is text, from registers.
#[inline(always)]
fn add_blocks<const N: usize>(blocks: [V; N], mut text: InOut<'_>) {
    for block in blocks {
        let Some(mut now) = text.split_to(16) else {
            if !text.is_empty() {
                let mut last = [[0; 16]];
                v::store(&mut last[0], block);
                add_stream(text, &last);
                wipe(&mut last);
            }
            return;
        };
        let mut sum = [0; 16];
        v::store(&mut sum, v::xor(block, v::load(&now.get(0))));
        now.set(0, &sum);
    }
}

/// The key stream of a group, as planes.
#[inline(always)]
fn planes_of(keys: &[RoundKey<NeonPlanes>], group: Counter) -> [NeonPlanes; 8] {
    let mut planes = NeonPlanes::count(group, is_skewed(keys.len()));
    apart(keys, &mut planes);
    planes
}

/// XORs the key stream from `group` on into a text of whole groups.
///
/// # Constant time
/// Secret: `keys`, `text`. Public: the length of the text, the count of `group`, how many keys.
pub(super) fn all(keys: &[RoundKey<NeonPlanes>], group: Counter, text: InOut<'_>) {
    let groups = text.len() / (16 * GROUP);
    let first = (group.count() % OF_LAST_BYTE / STEP) as usize;
    if groups < NEON_MANY_GROUPS {
        few(keys, group, text);
    } else if first + groups <= Steps::GROUPS {
        many::<1>(keys, group, text);
    } else {
        many::<2>(keys, group, text);
    }
}

/// The same for few.
fn few(keys: &[RoundKey<NeonPlanes>], mut group: Counter, mut text: InOut<'_>) {
    while let Some(now) = text.split_to(16 * GROUP) {
        NeonPlanes::add_to(planes_of(keys, group), now);
        group = group.add(STEP);
    }
}

/// The same for many: up to `N` times [`Steps::GROUPS`] behind a multiple of 256, or any number if `N` is 2.
///
/// In a frame of its own: that of short messages stays as short, and what is called is far behind its end.
#[inline(never)]
fn many<const N: usize>(keys: &[RoundKey<NeonPlanes>], group: Counter, text: InOut<'_>) {
    let mut steps = [Steps::default(); N];
    let all = &mut steps;
    then_overwrite_stack::<MANY_FRAMES, _>(move || behind_the_first(keys, group, text, all));
    wipe(&mut steps);
}

/// The same, by places for the steps.
#[inline(never)]
fn behind_the_first(
    keys: &[RoundKey<NeonPlanes>],
    group: Counter,
    mut text: InOut<'_>,
    steps: &mut [Steps],
) {
    let [first, second, ..] = keys else {
        return;
    };
    let skewed = is_skewed(keys.len());
    for (half, steps) in steps.iter_mut().enumerate() {
        let bytes = Steps::last_bytes(half, &NeonPlanes::spread(first), skewed);
        steps.set(sub_bytes(bytes), skewed);
    }
    let (Some(lower), Some(upper)) = (steps.first(), steps.last()) else {
        return;
    };
    let mut count = group.count();
    while text.len() >= 16 * GROUP {
        let group = group.with_count(count / OF_LAST_BYTE * OF_LAST_BYTE);
        let base = first_round(first, second, group, skewed);
        // To the end of the text, or as far as that base serves.
        while let Some(now) = text.split_to(16 * GROUP) {
            let at = count as usize / GROUP;
            let steps = if at & Steps::GROUPS == 0 {
                lower
            } else {
                upper
            };
            let planes = add(base, steps.of(at));
            NeonPlanes::add_to(rounds::<NeonPlanes, true>(keys, planes), now);
            count = count.wrapping_add(STEP);
            if count.is_multiple_of(OF_LAST_BYTE) {
                break;
            }
        }
    }
}

/// Counter blocks behind the first round, without what their last byte gives.
///
/// # Constant time
/// Secret: the keys. Public: `group`, `skewed`.
#[inline(always)]
fn first_round(
    first: &RoundKey<NeonPlanes>,
    second: &RoundKey<NeonPlanes>,
    group: Counter,
    skewed: bool,
) -> [NeonPlanes; 8] {
    let planes = sub_bytes(add_key(NeonPlanes::count(group, skewed), first));
    let planes = without_last(planes, skewed);
    let mixed = if skewed {
        mix_columns::<NeonPlanes, 3, 2>(planes)
    } else {
        mix_columns::<NeonPlanes, 1, 2>(planes)
    };
    add_key(mixed, second)
}

/// The planes of both, added.
#[inline(always)]
fn add(mut a: [NeonPlanes; 8], b: [NeonPlanes; 8]) -> [NeonPlanes; 8] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.xor(b);
    }
    a
}

#[cfg(test)]
mod tests;
