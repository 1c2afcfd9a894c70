//! Counts and lengths that are narrowed, at the first values that 32 bits do not hold.

use carryless_file::cobblestone::CHUNK_LEN;

use crate::payload::batch_chunks;
use crate::pipeline::{MAX_WORKERS, place, workers};

/// Lengths of inputs, with the batches that there are of `batch` bytes.
fn inputs(batch: u64) -> impl Iterator<Item = (u64, u128)> {
    let counts = [
        0,
        1,
        2,
        31,
        255,
        256,
        (1 << 16) - 1,
        1 << 16,
        (1 << 32) - 1,
        1 << 32,
        1 << 38,
    ];
    counts.into_iter().flat_map(move |count| {
        let lens = [0, 1, batch - 1].map(|rest| count * batch + rest);
        lens.map(|len| (len, u128::from(len) / u128::from(batch) + 1))
    })
}

/// Whether the chunks of a batch are as many as the input has, 32 at most.
fn fits(chunks: &dyn Fn(u64) -> usize) -> Result<usize, String> {
    let mut count = 0;
    for (len, there) in inputs(CHUNK_LEN as u64) {
        let got = chunks(len);
        if got as u128 != there.min(32) {
            return Err(format!("{got} chunks of {len} bytes"));
        }
        count += 1;
    }
    Ok(count)
}

#[test]
fn a_batch_has_the_chunks_that_there_are_of_any_length() {
    fits(&|len| batch_chunks(Some(len))).expect("every length fits");
    assert_eq!(batch_chunks(None), 32);
    assert_eq!(batch_chunks(Some(u64::MAX)), 32);
    let narrow = |len: u64| {
        batch_chunks(Some(
            (len / CHUNK_LEN as u64 % (1 << 32)) * CHUNK_LEN as u64,
        ))
    };
    println!(
        "chunks in 32 bits: caught: {}",
        fits(&narrow).expect_err("a narrow count")
    );
}

/// Whether there are workers for all batches, and no more than asked for.
fn employs(workers: &dyn Fn(usize, usize, u64) -> usize) -> Result<usize, String> {
    let mut count = 0;
    for threads in [0, 1, 2, MAX_WORKERS, 1000] {
        for (len, batches) in inputs(1 << 19) {
            let most = threads.clamp(1, MAX_WORKERS) as u128;
            let got = workers(threads, 1 << 19, len);
            if got as u128 != batches.min(most) {
                return Err(format!("{got} of {threads} for {len} bytes"));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn there_are_workers_for_inputs_of_any_length() {
    employs(&|threads, batch, len| workers(threads, batch, Some(len)))
        .expect("every length is worked on");
    assert_eq!(workers(7, 1 << 19, None), 7);
    assert_eq!(workers(7, 1 << 19, Some(u64::MAX)), 7);
    let narrow = |threads, batch, len: u64| workers(threads, batch, Some(len % (1 << 32)));
    println!(
        "bytes in 32 bits: caught: {}",
        employs(&narrow).expect_err("a narrow length")
    );
}

#[test]
fn batches_of_any_number_have_a_place_to_wait() {
    for index in [0, 1, 23, 24, (1 << 32) - 1, 1 << 32, u64::MAX - 1, u64::MAX] {
        assert_eq!(
            place(index) as u128,
            u128::from(index) % MAX_WORKERS as u128,
            "{index}"
        );
    }
}
