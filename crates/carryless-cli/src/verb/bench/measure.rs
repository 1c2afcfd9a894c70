//! Turns, rounds, medians, and the clock.

use core::time::Duration;
use std::time::Instant;

use super::job::{Job, Messages};

/// How long a turn takes at least.
const TURN: Duration = Duration::from_millis(1);

/// What came of some rounds.
pub struct Measured {
    /// For each job, nanoseconds of a call in each round.
    pub ns: Vec<Vec<f64>>,
    /// Of the core, if it can be found out.
    pub clock_ghz: Option<f64>,
}

/// Lets jobs take turns, in a new random order each round, so that whatever disturbs the machine meets
/// any of them. `Err` is the number of a job that failed.
pub fn rounds(
    jobs: &mut [Job],
    messages: &mut Messages,
    count: u32,
    mut after_round: impl FnMut(),
) -> Result<Measured, usize> {
    let repeats: Result<Vec<u32>, usize> = jobs
        .iter_mut()
        .enumerate()
        .map(|(number, job)| repeats(job, messages).ok_or(number))
        .collect();
    let repeats = repeats?;
    let mut ns = vec![Vec::new(); jobs.len()];
    let mut clocks = Vec::new();
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    for _ in 0..count {
        clocks.extend(clock_ghz());
        fastrand::shuffle(&mut order);
        for &number in &order {
            let taken = time(&mut jobs[number], messages, repeats[number]).ok_or(number)?;
            ns[number].push(taken.as_secs_f64() * 1e9 / f64::from(repeats[number]));
        }
        after_round();
    }
    Ok(Measured {
        ns,
        clock_ghz: clocks.into_iter().max_by(f64::total_cmp),
    })
}

fn time(job: &mut Job, messages: &mut Messages, repeats: u32) -> Option<Duration> {
    let start = Instant::now();
    let good = job(messages, repeats);
    let taken = start.elapsed();
    good.then_some(taken)
}

/// How many calls make a turn; warms up on the way.
fn repeats(job: &mut Job, messages: &mut Messages) -> Option<u32> {
    let mut repeats = 1;
    while time(job, messages, repeats)? < TURN && repeats < 1 << 24 {
        repeats *= 2;
    }
    Some(repeats)
}

/// The core's clock, where it is known that an addition takes a cycle: each waits for the one before. The fastest of a
/// few short chains is the one that nothing interrupted. Arm lets no program read a counter of cycles, and that of x86-64 has a
/// clock of its own.
pub fn clock_ghz() -> Option<f64> {
    use core::hint::black_box;

    const TURNS: u32 = 1_000;
    const ADDITIONS: u32 = 64;
    let chain = |_| {
        // Fibonacci's numbers: no compiler adds them up beforehand.
        let (mut a, mut b) = black_box((1_usize, 1_usize));
        let start = Instant::now();
        for _ in 0..TURNS {
            for _ in 0..ADDITIONS / 2 {
                a = a.wrapping_add(b);
                b = b.wrapping_add(a);
            }
        }
        black_box((a, b));
        f64::from(TURNS * ADDITIONS) / (start.elapsed().as_secs_f64() * 1e9)
    };
    let known = cfg!(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "arm"
    ));
    let clocks = (0..5).filter(|_| known).map(chain);
    clocks.max_by(f64::total_cmp)
}

pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([9.0, 1.0, 5.0].into_iter()), 5.0);
        assert_eq!(median([2.0, 1.0].into_iter()), 2.0);
    }
}
