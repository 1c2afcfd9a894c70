//! Timing calls on inputs of two classes.

use core::hint::black_box;
use std::time::Instant;

use carryless_assure::Random;

use crate::statistics::{Class, Samples};

/// Inputs that are made ahead, so that making one is not what comes just before measuring it.
const BATCH: usize = 1000;

/// How often to time a call, and randomness for its inputs.
pub(crate) struct Race {
    random: Random,
    runs: usize,
}

impl Race {
    pub(crate) const fn new(seed: u64, runs: usize) -> Self {
        let random = Random::new(seed);
        Self { random, runs }
    }

    pub(crate) fn random<const N: usize>(&mut self) -> [u8; N] {
        random(&mut self.random)
    }

    /// Times `call` on inputs of both classes in random order, each made ready by `prepare` outside
    /// the time that is measured.
    pub(crate) fn run<I: Copy, P, R>(
        &mut self,
        input: impl Fn(Class, &mut Random) -> I,
        prepare: impl Fn(I) -> P,
        call: impl Fn(&P) -> R,
    ) -> Samples {
        let mut samples = Samples::with_capacity(self.runs);
        for start in (0..self.runs).step_by(BATCH) {
            let inputs: Vec<(Class, I)> = (start..self.runs.min(start + BATCH))
                .map(|_| {
                    let class = Class::of(self.random.word());
                    (class, input(class, &mut self.random))
                })
                .collect();
            for (class, input) in inputs {
                // A copy, so that inputs of both classes lie in the same place.
                let prepared = black_box(prepare(black_box(input)));
                let began = Instant::now();
                let result = black_box(call(&prepared));
                let time = began.elapsed();
                samples.add(class, time);
                drop(result);
            }
        }
        samples
    }
}

/// Zeros, or random bytes.
pub(crate) fn zeros_or_random<const N: usize>(class: Class, source: &mut Random) -> [u8; N] {
    let mask = class.mask();
    random(source).map(|byte: u8| byte & mask)
}

/// A tag with one wrong byte: the first, or any.
pub(crate) fn wrong(tag: [u8; 16], class: Class, source: &mut Random) -> [u8; 16] {
    let [position, difference, ..] = source.word().to_le_bytes();
    let mut wrong = tag;
    wrong[usize::from(position & 15 & class.mask())] ^= difference.max(1);
    wrong
}

fn random<const N: usize>(source: &mut Random) -> [u8; N] {
    let mut bytes = [0; N];
    source.fill(&mut bytes);
    bytes
}
