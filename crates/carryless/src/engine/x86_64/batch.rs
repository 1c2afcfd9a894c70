//! Batches: short packets by the kernel for them, longer ones one by one.

use core::ptr;

use super::super::{Aead, Cipher, Direction, Gf128, Hash, Keys, Spec, tuning};
use crate::kernel::aes::RoundKeys;
use crate::kernel::batch::{Flight, GROUP, Job, fitting};
use crate::kernel::form::Powers;

/// The entry points of the kernel.
pub(super) trait Stages<const K: usize, const P: usize>: Copy {
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
        hashes: &[&Powers<P>],
        flight: &Flight,
        jobs: &mut [Option<&mut Job<'_>>],
    );
}

/// Seals or opens at most [`GROUP`] packets, each under the keys in its place.
pub(super) fn run<E, C: Spec, D: Direction, const K: usize, const P: usize>(
    engine: E,
    keys: &[&Keys<E, C, Gf128>],
    jobs: &mut [Option<&mut Job<'_>>],
) where
    E: Aead<C, Gf128> + Cipher<C, Enc = RoundKeys<K>> + Hash<Gf128, Key = Powers<P>> + Stages<K, P>,
{
    let Some(first) = keys.first() else { return };
    let one_key = keys.iter().all(|keys| ptr::eq(*keys, *first));
    let (mut encs, mut hashes) = ([&first.enc; GROUP], [&first.hash; GROUP]);
    for ((enc, hash), keys) in encs.iter_mut().zip(&mut hashes).zip(keys) {
        (*enc, *hash) = (&keys.enc, &keys.hash);
    }
    for (keys, place) in keys.iter().zip(jobs.iter_mut()) {
        if let Some(job) = place
            && (job.text.len() > tuning::BATCH_TEXT || job.aad.len() > tuning::SERIAL_AAD)
        {
            engine.single::<D>(keys, job);
            *place = None;
        }
    }
    let mut flight = Flight::new();
    let (mut encs, mut hashes, mut jobs) = (&encs[..], &hashes[..], jobs);
    while !jobs.is_empty() {
        let (now, later) = jobs.split_at_mut(fitting(jobs).max(1));
        if one_key {
            engine.stream(&first.enc, &mut flight, now);
        } else {
            engine.stream_of_each(encs, &mut flight, now);
        }
        engine.finish_batch::<D>(hashes, &flight, now);
        (encs, hashes, jobs) = (&encs[now.len()..], &hashes[now.len()..], later);
    }
    flight.wipe();
}
