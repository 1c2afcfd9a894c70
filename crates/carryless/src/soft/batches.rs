//! Modes whose batches of eight blocks go from text to planes and back in vectors: XTS either way, and CBC decryption.
#![forbid(unsafe_code)]

use super::schedule::RoundKey;
use super::{aes, inverse};
use crate::block::Block;
use crate::secret::wipe;
use crate::simd::aarch64::bytes::{
    self as v, V, load, load_eight, store, store_eight, xor, xor_eight,
};
use crate::simd::{InOut, MAX_BLOCKS, NeonPlanes};

/// Bytes of a batch.
const BATCH: usize = 16 * MAX_BLOCKS;

/// Encrypts or decrypts whole blocks under tweaks; `tweak` is that of the first, and then that of the one behind the last.
///
/// # Constant time
/// Secret: `keys`, `tweak`, `text`. Public: the length of the text, how many keys.
pub(super) fn xts<const DECRYPT: bool>(
    keys: &[RoundKey<NeonPlanes>],
    tweak: &mut Block,
    mut text: InOut<'_>,
) {
    let mut next = load(tweak);
    if let Some(batches) = text.split_to(text.len() / BATCH * BATCH) {
        next = tweaked::<DECRYPT>(keys, next, batches);
    }
    let count = in_a_copy(text, |batch| {
        tweaked::<DECRYPT>(keys, next, batch);
    });
    for _ in 0..count {
        next = doubled(next);
    }
    store(tweak, next);
}

/// The same for whole batches, from a tweak on; the one behind the last.
#[inline(never)]
fn tweaked<const DECRYPT: bool>(
    keys: &[RoundKey<NeonPlanes>],
    mut tweak: V,
    mut text: InOut<'_>,
) -> V {
    while let Some(mut batch) = text.split_to(BATCH) {
        let mut tweaks = [tweak; MAX_BLOCKS];
        for place in &mut tweaks {
            *place = tweak;
            tweak = doubled(tweak);
        }
        let blocks = run::<DECRYPT>(keys, xor_eight(tweaks, get(&batch)));
        set(&mut batch, xor_eight(tweaks, blocks));
    }
    tweak
}

/// Decrypts a chain of whole blocks; `chain` is the block before the first, and then the last that was decrypted.
///
/// # Constant time
/// Secret: `keys`, `chain`, `text`. Public: the length of the text, how many keys.
pub(super) fn decrypt_cbc(keys: &[RoundKey<NeonPlanes>], chain: &mut Block, mut text: InOut<'_>) {
    let Some(last) = text.source().as_chunks().0.last().copied() else {
        return;
    };
    let mut before = load(chain);
    if let Some(batches) = text.split_to(text.len() / BATCH * BATCH) {
        before = chained(keys, before, batches);
    }
    in_a_copy(text, |batch| {
        chained(keys, before, batch);
    });
    *chain = last;
}

/// The same for whole batches, behind a block; the last that was decrypted.
#[inline(never)]
fn chained(keys: &[RoundKey<NeonPlanes>], mut before: V, mut text: InOut<'_>) -> V {
    while let Some(mut batch) = text.split_to(BATCH) {
        let blocks = run::<true>(keys, get(&batch));
        // From the text again: as many vectors are not kept during the rounds.
        let [a, b, c, d, e, f, g, last] = get(&batch);
        set(&mut batch, xor_eight(blocks, [before, a, b, c, d, e, f, g]));
        before = last;
    }
    before
}

/// Has `run` do the whole blocks of a text, which fill no batch, in the first places of one; how many there are.
#[inline(always)]
fn in_a_copy(mut text: InOut<'_>, run: impl FnOnce(InOut<'_>)) -> usize {
    let count = text.len() / 16;
    if let Some(blocks) = text.split_to(16 * count)
        && count > 0
    {
        let mut copy = [0; BATCH];
        copy[..16 * count].copy_from_slice(blocks.source());
        run(InOut::in_place(&mut copy));
        blocks.into_written().copy_from_slice(&copy[..16 * count]);
        wipe(&mut copy);
    }
    count
}

/// The blocks of a batch, encrypted or decrypted.
#[inline(always)]
fn run<const DECRYPT: bool>(
    keys: &[RoundKey<NeonPlanes>],
    blocks: [V; MAX_BLOCKS],
) -> [V; MAX_BLOCKS] {
    let mut planes = NeonPlanes::of_blocks(blocks);
    if DECRYPT {
        inverse::apart(keys, &mut planes);
    } else {
        planes = NeonPlanes::skew_if(aes::is_skewed(keys.len()), planes);
        aes::apart(keys, &mut planes);
    }
    NeonPlanes::blocks(planes)
}

/// The blocks of a batch.
#[inline(always)]
fn get(batch: &InOut<'_>) -> [V; MAX_BLOCKS] {
    load_eight(&batch.get(0))
}

/// Writes them.
#[inline(always)]
fn set(batch: &mut InOut<'_>, blocks: [V; MAX_BLOCKS]) {
    let mut bytes = [0; BATCH];
    store_eight(&mut bytes, blocks);
    batch.set(0, &bytes);
}

/// A tweak times x.
#[inline(always)]
fn doubled(tweak: V) -> V {
    let signs = v::sign_of_halves(tweak);
    let carries = v::and(v::across(signs, signs), v::constant(1 << 64 | 0x87));
    xor(v::doubled_halves(tweak), carries)
}

#[cfg(test)]
mod tests;
