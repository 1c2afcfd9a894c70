//! C7 on numbers: however many parts a message comes in, it is the message of one call.

use carryless::{Aes128Gcm, Engine, Partial};

use crate::harness::{Checked, Random, caught, engines, ensure, quick};

const NONCE: [u8; 12] = *b"many of them";

/// What is told of a message: its ciphertext and its tag.
type Sealed = (Vec<u8>, [u8; 16]);

/// A way to seal a text and its AAD in parts.
type Parts<'f> = &'f dyn Fn(&Aes128Gcm, &[&[u8]], &[&[u8]]) -> Sealed;

/// Pieces whose lengths change, some of them empty.
fn cut(data: &[u8], count: usize) -> Vec<&[u8]> {
    let mut rest = data;
    let mut pieces = Vec::from_iter((1..count).map(|n| {
        let (piece, behind) = rest.split_at((n % 3).min(rest.len()));
        rest = behind;
        piece
    }));
    pieces.push(rest);
    pieces
}

fn streamed(key: &Aes128Gcm, aads: &[&[u8]], texts: &[&[u8]]) -> Sealed {
    let mut sealer = key.sealer(&NONCE).unwrap();
    for aad in aads {
        sealer.aad(aad).unwrap();
    }
    let seal = |text: &&[u8]| {
        let mut text = text.to_vec();
        sealer.seal_in_place(&mut text).unwrap();
        text
    };
    (texts.iter().flat_map(seal).collect(), sealer.finish())
}

fn scattered(key: &Aes128Gcm, aads: &[&[u8]], texts: &[&[u8]]) -> Sealed {
    let mut out = vec![0; texts.concat().len()];
    let tag = key.seal_scatter(&NONCE, &aads.concat(), texts, &mut out);
    (out, tag.unwrap())
}

/// Segments of a block each, the last in front, which the finish or merges bring together.
fn segmented(key: &Aes128Gcm, aads: &[&[u8]], texts: &[&[u8]], merging: bool) -> Sealed {
    let message = key.segments(&NONCE);
    let mut out = texts.concat();
    let seal = |(n, block): (usize, &mut [u8])| message.seal_in_place(16 * n as u64, block);
    let parts = out.chunks_mut(16).enumerate().rev().map(seal);
    let mut parts: Vec<Partial> = parts.map(Result::unwrap).collect();
    parts.reverse();
    if merging {
        let merge = |first: Partial, second: &Partial| message.merge(&first, second).unwrap();
        let (first, rest) = parts.split_first().expect("not empty");
        parts = vec![rest.iter().fold(first.clone(), merge)];
    }
    let tag = message.finish(&aads.concat(), &parts).unwrap();
    (out, tag)
}

/// As many parts as bytes of several widths count, and a few more.
fn counts() -> impl Iterator<Item = usize> {
    let counts = [
        255,
        256,
        257,
        1023,
        1024,
        1025,
        4097,
        (1 << 16) - 1,
        1 << 16,
        (1 << 16) + 5,
    ];
    counts.into_iter().filter(|count| !quick() || *count < 2000)
}

fn run(engine: Engine, parts: Parts<'_>) -> Checked {
    let key = Aes128Gcm::with_engine(&[9; 16], engine).unwrap();
    let mut checked = 0;
    for count in counts() {
        // A byte a part on average for pieces, a block for segments.
        for len in [count, 16 * count - 3] {
            let (text, aad) = (Random::new(1).bytes(len), Random::new(2).bytes(count));
            let mut right = text.clone();
            let tag = key.seal_in_place(&NONCE, &aad, &mut right).unwrap();
            let made = parts(&key, &cut(&aad, count), &cut(&text, count));
            ensure!(
                made.0 == right,
                "{len} bytes in {count} parts: another ciphertext"
            );
            ensure!(made.1 == tag, "{len} bytes in {count} parts: another tag");
            checked += 1;
        }
    }
    Ok(checked)
}

#[test]
fn c7_a_message_of_any_number_of_parts_is_the_message() {
    let engine = engines()[0];
    let ways: [(&str, Parts<'_>); 4] = [
        ("pieces", &streamed),
        ("scattered pieces", &scattered),
        ("segments", &|key, aads, texts| {
            segmented(key, aads, texts, false)
        }),
        ("merged segments", &|key, aads, texts| {
            segmented(key, aads, texts, true)
        }),
    ];
    for (name, parts) in ways {
        let count = run(engine, parts).unwrap_or_else(|error| panic!("{engine}, {name}: {error}"));
        println!("C7 {engine}: {count} messages in as many {name} as 8 to 16 bits count, and more");
    }
}

#[test]
fn control_c7_parts_beyond_a_number_that_go_astray_are_noticed() {
    let engine = engines()[0];
    let most = 1024;
    caught(run(engine, &|key, aads, texts| {
        let (taken, rest) = texts.split_at(most.min(texts.len()));
        let (mut out, tag) = scattered(key, aads, taken);
        out.extend(rest.concat());
        (out, tag)
    }));
    caught(run(engine, &|key, aads, texts| {
        streamed(key, &aads[..most.min(aads.len())], texts)
    }));
}
