//! Welch's t-test, on all times and without the slowest, as Dudect does it.
//!
//! The crate `dudect-bencher` computes the same, but brings 24 packages, some of them in a second
//! version, which S1 refuses.

use core::hint::black_box;
use core::time::Duration;

/// What the secret of a call was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Fixed,
    Random,
}

impl Class {
    /// By the lowest bit of a random word.
    pub(crate) const fn of(word: u64) -> Self {
        match word & 1 {
            0 => Self::Fixed,
            _ => Self::Random,
        }
    }

    /// No bits of what is fixed at zero, all of what is random.
    ///
    /// Inputs are made by it and not by branches: those leave traces in the CPU from which the calls
    /// of one class took longer, at a |t| of 16.
    pub(crate) fn mask(self) -> u8 {
        black_box(match self {
            Self::Fixed => 0,
            Self::Random => 0xff,
        })
    }
}

/// Fewer times of a class have a mean that is not distributed normally enough.
const ENOUGH: u64 = 1000;
/// Crops, the narrowest of which leaves the fastest 7 per cent, and every tenth halves what is left out.
const CROPS: i32 = 100;

/// Nanoseconds that calls took.
pub(crate) struct Samples(Vec<(u64, Class)>);

impl Samples {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    pub(crate) fn add(&mut self, class: Class, time: Duration) {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.0.push((time, class));
    }

    /// The greatest |t| of all and of each crop, which leaves out what interrupts made slow; none
    /// for too few samples.
    pub(crate) fn greatest_t(&mut self) -> Option<f64> {
        self.0.sort_unstable_by_key(|(time, _)| *time);
        let mut rest = self.0.iter().copied().peekable();
        let (mut fixed, mut random) = (Sums::default(), Sums::default());
        let mut greatest: Option<f64> = None;
        for limit in self.limits() {
            // By time and not by rank: of equal times all are in, or none.
            while let Some((time, class)) = rest.next_if(|(time, _)| *time < limit) {
                match class {
                    Class::Fixed => fixed.add(time),
                    Class::Random => random.add(time),
                }
            }
            if fixed.count.min(random.count) >= ENOUGH {
                let t = t(&fixed, &random).abs();
                greatest = Some(greatest.map_or(t, |greatest| greatest.max(t)));
            }
        }
        greatest
    }

    /// The time at which each crop of the sorted samples ends, and in the end none.
    fn limits(&self) -> impl Iterator<Item = u64> {
        let limit = |crop| {
            let share = 1.0 - 0.5_f64.powf(f64::from(crop) / 10.0);
            #[expect(clippy::cast_possible_truncation, reason = "at most the length")]
            let rank = (self.0.len() as f64 * share) as usize;
            Some(self.0.get(rank)?.0)
        };
        (1..=CROPS).filter_map(limit).chain([u64::MAX])
    }
}

/// Sums of times of one class. In integers, so that nothing is lost.
#[derive(Default)]
struct Sums {
    count: u64,
    times: u128,
    squares: u128,
}

impl Sums {
    fn add(&mut self, time: u64) {
        let time = u128::from(time);
        self.count += 1;
        self.times += time;
        self.squares += time * time;
    }

    fn mean(&self) -> f64 {
        self.times as f64 / self.count as f64
    }

    /// Of the mean: that of a time over the count.
    fn variance(&self) -> f64 {
        let count = u128::from(self.count);
        let deviations = count * self.squares - self.times * self.times;
        deviations as f64 / (count * count * (count - 1)) as f64
    }
}

/// Welch's statistic of two classes.
fn t(a: &Sums, b: &Sums) -> f64 {
    (a.mean() - b.mean()) / (a.variance() + b.variance()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(times: &[(u64, Class)]) -> Samples {
        Samples(times.repeat(500))
    }

    #[test]
    fn the_statistic_is_that_of_the_formula() {
        use Class::{Fixed, Random};
        let mut samples = samples(&[(10, Fixed), (20, Fixed), (20, Random), (30, Random)]);
        // Means 15 and 25, variances of a time 25 * 1000 / 999.
        let expected = 10.0 / (2.0 * 25.0 / 999.0_f64).sqrt();
        let t = samples.greatest_t().expect("there are enough");
        assert!((t - expected).abs() < 1e-9, "{t}, expected {expected}");
    }

    #[test]
    fn a_difference_between_fast_calls_shows_among_slow_ones() {
        use Class::{Fixed, Random};
        let mut times = [(10, Fixed), (12, Fixed), (11, Random), (13, Random)].repeat(20);
        times.extend([(100_000, Fixed), (90_000, Random)]);
        let t = samples(&times).greatest_t().expect("there are enough");
        assert!(t > 100.0, "{t}");
    }

    #[test]
    fn equal_classes_do_not_differ_and_few_samples_say_nothing() {
        use Class::{Fixed, Random};
        let times = [(10, Fixed), (20, Fixed), (10, Random), (20, Random)];
        assert_eq!(samples(&times).greatest_t(), Some(0.0));
        assert_eq!(Samples(times.repeat(499)).greatest_t(), None);
    }
}
