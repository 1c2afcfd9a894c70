//! Rounds: in each, every library once, in random order.

use crate::job::{Job, Mode};
use crate::time::ticks;

/// Ticks of a turn at least.
const TURN: u64 = 100_000;

/// Ticks of a message in each round, there and back; none for a way that there is not.
pub type Times = [Vec<f64>; 2];

/// A random order of so many.
pub struct Dice(pub u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// Times `jobs` at messages of `len` bytes.
pub fn rounds(
    jobs: &mut [Job],
    mode: Mode,
    len: usize,
    rounds: usize,
    dice: &mut Dice,
) -> Vec<Times> {
    let mut times: Vec<Times> = jobs.iter().map(|_| [vec![], vec![]]).collect();
    let text_len = len * mode.messages();
    let stride = text_len.next_multiple_of(64);
    let count = (16384 / stride).clamp(1, 64);
    // On a page of its own, so that it lies alike for all.
    let mut memory = vec![0; count * stride + 4096];
    let start = memory.as_ptr().align_offset(4096);
    let memory = &mut memory[start..][..count * stride];
    for _ in 0..rounds {
        for i in dice.order(jobs.len()) {
            unit(&mut jobs[i], memory, stride, text_len);
            let (mut sums, mut units) = ([0, 0], 0);
            while sums[0] + sums[1] < TURN {
                let unit = unit(&mut jobs[i], memory, stride, text_len);
                sums = [sums[0] + unit[0], sums[1] + unit[1]];
                units += 1;
            }
            for (all, sum) in times[i].iter_mut().zip(sums) {
                if sum > 0 {
                    all.push(sum as f64 / (units * count * mode.messages()) as f64);
                }
            }
        }
    }
    times
}

/// All messages there, and back if there is a way; ticks of both.
fn unit(job: &mut Job, memory: &mut [u8], stride: usize, len: usize) -> [u64; 2] {
    let mut tags = [[0; 16]; 64];
    let start = ticks();
    for (text, tag) in memory.chunks_mut(stride).zip(&mut tags) {
        *tag = (job.there)(&mut text[..len]);
    }
    let middle = ticks();
    let Some(back) = &mut job.back else {
        return [middle - start, 0];
    };
    let again = ticks();
    let mut right = true;
    for (text, tag) in memory.chunks_mut(stride).zip(&tags) {
        right &= back(&mut text[..len], tag);
    }
    let end = ticks();
    assert!(right, "opening failed");
    [middle - start, end - again]
}

/// The value in the middle.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
