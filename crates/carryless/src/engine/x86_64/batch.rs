//! Batches: short packets by the kernel for them, longer ones one by one.

use core::ops::Range;

use super::super::{Aead, Cipher, Direction, Gf128, Hash, Keys, Spec, tuning};
use crate::kernel::aes::RoundKeys;
use crate::kernel::batch::{Flight, GROUP, Job, Load, TEXT};
use crate::secret::burning;

/// The entry points of the kernel.
pub(super) trait Stages<const K: usize>: Hash<Gf128> {
    /// See [`crate::kernel::batch::stream`].
    fn stream(self, enc: &RoundKeys<K>, flight: &mut Flight, jobs: &[Option<&mut Job<'_>>]);
    /// See [`crate::kernel::batch::stream_of_each`].
    fn stream_of_each(
        self,
        encs: &[&RoundKeys<K>],
        flight: &mut Flight,
        jobs: &[Option<&mut Job<'_>>],
    );
    /// See [`crate::kernel::batch::finish`].
    fn finish_batch<D: Direction>(
        self,
        hashes: &[&Self::Key],
        flight: &mut Flight,
        jobs: &mut [Option<&mut Job<'_>>],
    );
}

/// Seals or opens at most [`GROUP`] packets, each under the keys in its place, or all under one.
pub(super) fn run<E, C: Spec, D: Direction, const K: usize>(
    engine: E,
    keys: &[&Keys<E, C, Gf128>],
    jobs: &mut [Option<&mut Job<'_>>],
) where
    E: Aead<C, Gf128> + Cipher<C, Enc = RoundKeys<K>> + Stages<K>,
{
    let Some(first) = keys.first() else { return };
    let (mut flight, mut load, mut from) = (Flight::new(), Load::default(), 0);
    for i in 0..jobs.len() {
        let Some(job) = &mut jobs[i] else { continue };
        if job.text.len() > 16 * TEXT || job.aad.len() > tuning::SERIAL_AAD {
            engine.single::<D>(keys.get(i).unwrap_or(first), job);
            jobs[i] = None;
            continue;
        }
        load = if let Some(more) = load.with(job) {
            more
        } else {
            let alone = Load::default().with(job).unwrap_or_default();
            fly::<E, C, D, K>(engine, keys, &mut flight, jobs, from..i);
            from = i;
            alone
        };
    }
    let end = jobs.len();
    fly::<E, C, D, K>(engine, keys, &mut flight, jobs, from..end);
    flight.wipe();
}

/// Seals or opens the packets `range`, which fit into one flight.
#[inline(always)]
fn fly<E, C: Spec, D: Direction, const K: usize>(
    engine: E,
    keys: &[&Keys<E, C, Gf128>],
    flight: &mut Flight,
    jobs: &mut [Option<&mut Job<'_>>],
    range: Range<usize>,
) where
    E: Aead<C, Gf128> + Cipher<C, Enc = RoundKeys<K>> + Stages<K>,
{
    let jobs = &mut jobs[range.clone()];
    if let [one] = keys {
        engine.stream(&one.enc, flight, jobs);
        engine.finish_batch::<D>(&[&one.hash], flight, jobs);
    } else {
        let keys = keys.get(range).unwrap_or_default();
        let Some(first) = keys.first() else { return };
        let (mut encs, mut hashes) = ([&first.enc; GROUP], [&first.hash; GROUP]);
        for ((enc, hash), keys) in encs.iter_mut().zip(&mut hashes).zip(keys) {
            (*enc, *hash) = (&keys.enc, &keys.hash);
        }
        // Four keys do not fit into the registers; what was put on the stack is more than behind
        // other entry points.
        burning::<1024, _>(|| engine.stream_of_each(&encs[..keys.len()], flight, jobs));
        engine.finish_batch::<D>(&hashes[..keys.len()], flight, jobs);
    }
}
