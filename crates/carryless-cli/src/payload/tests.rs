//! The batch, and what a worker says of one that can't be sealed or opened.

use carryless_file::cobblestone::{Key, MAX_CHUNKS};

use super::*;
use crate::groups;

#[test]
fn u8_batches_are_those_that_the_tests_of_boundaries_know() {
    assert_eq!(BATCH, groups::BATCH);
    assert_eq!(CHUNK_LEN, groups::CHUNK);
    assert_eq!(batch_chunks(None), BATCH);
    println!("U8 list: 1 batch of chunks");
}

/// A sealer with what opens its chunks.
fn pair() -> (Sealer, Opener) {
    let key = Key::from_slice(&[7; 16]).expect("a key");
    let sealer = Sealer::new(&key, b"").expect("random bytes");
    let opener = Opener::new(&key, b"", sealer.header()).expect("its header");
    (sealer, opener)
}

/// The bytes made of a batch, and the exit code and message of its failure.
fn ends(work: &impl Work, index: u64, input: &[u8], last: bool) -> (usize, Option<(u8, String)>) {
    let mut output = vec![0; work.output_len()];
    let offset = index * work.input_len() as u64;
    let batch = Batch {
        offset,
        input,
        last,
    };
    let (made, result) = work.batch(&batch, &mut output);
    (
        made,
        result
            .err()
            .map(|failure| (failure.code(), failure.to_string())),
    )
}

#[test]
fn u8_every_error_of_sealing_a_batch_is_that_of_the_run() {
    let work = Seal::new(pair().0, None, None, "name");
    let beyond = MAX_CHUNKS / BATCH as u64;
    let batch = vec![0; BATCH * CHUNK_LEN];
    for (index, len, last, why) in [
        (beyond, batch.len(), false, "text is longer than"),
        (beyond, 0, true, "text is longer than"),
        (0, 5, false, "text is 5 bytes, needs a multiple"),
    ] {
        let (made, end) = ends(&work, index, &batch[..len], last);
        let (code, message) = end.expect("a failure");
        assert_eq!((made, code), (0, 1), "{why}");
        assert!(
            message.starts_with("name: ") && message.contains(why),
            "{message}"
        );
        println!("U8 batches: 1 error of sealing, exit 1");
    }
    assert!(ends(&work, beyond - 1, &batch, false).1.is_none());
}

#[test]
fn u8_every_error_of_opening_a_batch_is_that_of_the_run() {
    let (sealer, opener) = pair();
    let text = vec![9; BATCH * CHUNK_LEN];
    let mut sealed = vec![0; BATCH * SEALED_CHUNK_LEN];
    sealer
        .seal_chunks(0, &text, false, &mut sealed)
        .expect("chunks");
    let work = Open::all(opener, None, None, "name");
    for bad in [0, 1, BATCH / 2, BATCH - 2, BATCH - 1] {
        let mut changed = sealed.clone();
        changed[bad * SEALED_CHUNK_LEN] ^= 1;
        let (made, end) = ends(&work, 0, &changed, false);
        let (code, message) = end.expect("a failure");
        assert_eq!((made, code), (bad * CHUNK_LEN, 3), "{message}");
        assert!(message.contains(&format!("chunk {bad} ")), "{message}");
        let cut = &sealed[..bad * SEALED_CHUNK_LEN];
        let (made, end) = ends(&work, 0, cut, true);
        let (code, message) = end.expect("a failure");
        assert_eq!((made, code), (bad * CHUNK_LEN, 3), "{message}");
        assert!(message.contains(&format!("after {bad} whole")), "{message}");
        println!("U8 batches: 2 errors of opening, exit 3");
    }
    let (made, end) = ends(&work, MAX_CHUNKS / BATCH as u64, &sealed, false);
    let (code, message) = end.expect("a failure");
    assert_eq!((made, code), (0, 3), "{message}");
    assert!(message.contains("more than 2^38 chunks"), "{message}");
    // What no source leads to: a caller's fault, and no statement on the data.
    let (made, end) = ends(&work, 0, &sealed[..5], false);
    assert_eq!((made, end.map(|(code, _)| code)), (0, Some(1)));
    println!("U8 batches: 1 errors of opening, exit 1");
}
