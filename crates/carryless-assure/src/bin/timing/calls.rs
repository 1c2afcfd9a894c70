//! What is timed.

use core::hint::black_box;

use carryless::{Aes256Gcm, Engine};
use carryless_assure::early_exit_equal;

use crate::race::{Race, wrong, zeros_or_random};
use crate::statistics::Samples;

const NONCE: [u8; 12] = [7; 12];
type Text = [u8; 64];
type Tag = [u8; 16];

/// Making a key object, by key.
pub(crate) fn key_set_up(race: &mut Race, engine: Engine) -> Samples {
    race.run(zeros_or_random, |key| key, |key| gcm(key, engine))
}

/// Sealing, by key.
pub(crate) fn seal_by_key(race: &mut Race, engine: Engine) -> Samples {
    let text = race.random();
    race.run(
        zeros_or_random,
        |key| gcm(&key, engine),
        |gcm| seal(gcm, &text),
    )
}

/// Sealing, by text.
pub(crate) fn seal_by_text(race: &mut Race, engine: Engine) -> Samples {
    let gcm = gcm(&race.random(), engine);
    race.run(zeros_or_random, |text| text, |text| seal(&gcm, text))
}

/// Refusing a wrong tag, by the place where it is wrong.
pub(crate) fn open_by_tag(race: &mut Race, engine: Engine) -> Samples {
    let gcm = gcm(&race.random(), engine);
    let (sealed, right) = seal(&gcm, &race.random());
    assert!(opens(&gcm, &sealed, &right), "the right tag was refused");
    race.run(
        |class, source| wrong(right, class, source),
        |tag| tag,
        |tag| assert!(!opens(&gcm, &sealed, tag), "a wrong tag was accepted"),
    )
}

/// The seeded fault: comparing tags, by the place where they differ.
pub(crate) fn early_exit(race: &mut Race) -> Samples {
    compare(race, early_exit_equal)
}

/// The same without the fault.
pub(crate) fn constant_time(race: &mut Race) -> Samples {
    compare(race, equal)
}

fn compare(race: &mut Race, equal: fn(&[u8], &[u8], usize) -> bool) -> Samples {
    let right: Tag = race.random();
    race.run(
        |class, source| wrong(right, class, source),
        |tag| tag,
        |tag| equal(tag, &right, black_box(tag.len())),
    )
}

/// Looks at every byte, whatever the others are.
#[inline(never)]
fn equal(a: &[u8], b: &[u8], len: usize) -> bool {
    let mut difference = 0;
    for (a, b) in a[..len].iter().zip(&b[..len]) {
        difference |= black_box(a ^ b);
    }
    difference == 0
}

fn gcm(key: &[u8; 32], engine: Engine) -> Aes256Gcm {
    let gcm = Aes256Gcm::with_engine(key, engine).expect("the engine was found to be available");
    assert_eq!(gcm.engine(), engine, "another engine ran");
    gcm
}

fn seal(gcm: &Aes256Gcm, text: &Text) -> (Text, Tag) {
    let mut text = *text;
    let tag = gcm.seal_in_place(&NONCE, &[], &mut text);
    (text, tag.expect("nonce and length are allowed"))
}

fn opens(gcm: &Aes256Gcm, sealed: &Text, tag: &Tag) -> bool {
    let mut text = *sealed;
    gcm.open_in_place(&NONCE, &[], black_box(&mut text), tag)
        .is_ok()
}
