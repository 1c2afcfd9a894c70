//! Replays the committed corpora: no libFuzzer, no nightly.

use std::fs;
use std::path::Path;

/// Inputs of a target, in the order of their names.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a readable folder").path();
            let content = fs::read(&path).expect("a readable file");
            (path.display().to_string(), content)
        })
        .collect();
    inputs.sort();
    inputs
}

#[test]
fn f1_every_input_of_the_corpora_passes() {
    for (name, target) in carryless_fuzz::TARGETS {
        let inputs = corpus(name);
        assert!(
            inputs.len() >= 10,
            "{name}: a corpus of {} inputs",
            inputs.len()
        );
        for (path, content) in &inputs {
            let passed = std::panic::catch_unwind(|| target(content));
            assert!(passed.is_ok(), "{path}");
        }
        println!("F1 {name}: {} inputs replayed", inputs.len());
    }
    for engine in carryless::Engine::available() {
        println!("F1 engine {engine}");
    }
}

/// One bit of H is wrong for nonces that begin with magic bytes.
#[test]
fn control_f1_a_wrong_power_behind_magic_bytes() {
    let sizes = [12, 0, 0, 0, 40, 0, 16, 0, 0, 0, 0, 0, 0, 0];
    let input = |magic: [u8; 4]| [&sizes[..], &[1; 16], &magic, &[2; 8]].concat();
    carryless_fuzz::control_mismatch(&input([2; 4]));
    let seeded = input([0xc5, 0x3a, 0xa3, 0x5c]);
    let panic = std::panic::catch_unwind(|| carryless_fuzz::control_mismatch(&seeded));
    let message = *panic
        .expect_err("the fault is noticed")
        .downcast::<String>()
        .expect("a text");
    let first = message.lines().next().unwrap_or_default();
    println!("a wrong power of H in a replayed input: caught: {first}");
}

/// What is right has one bit of each byte wrong for nonces that begin with magic bytes.
#[test]
fn control_f1_a_wrong_bit_of_a_mode_behind_magic_bytes() {
    let sizes = [0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 0, 0];
    let input = |magic: [u8; 4]| [&sizes[..], &magic, &[2; 100]].concat();
    carryless_fuzz::control_modes(&input([2; 4]));
    let seeded = input([0xc5, 0x3a, 0xa3, 0x5c]);
    let panic = std::panic::catch_unwind(|| carryless_fuzz::control_modes(&seeded));
    let message = *panic
        .expect_err("the fault is noticed")
        .downcast::<String>()
        .expect("a text");
    let first = message.lines().next().unwrap_or_default();
    println!("a wrong bit of a mode in a replayed input: caught: {first}");
}

/// An encapsulated key that begins with magic bytes opens.
#[test]
fn control_f1_a_slot_that_opens_behind_magic_bytes() {
    // One change: four bytes of the slot, at its encapsulated key.
    let input = |magic: [u8; 4]| [&[0, 1, 1, 0, 3, 4, 0][..], &magic].concat();
    carryless_fuzz::control_recipient_slots(&input([2; 4]));
    let seeded = input([0xc5, 0x3a, 0xa3, 0x5c]);
    let panic = std::panic::catch_unwind(|| carryless_fuzz::control_recipient_slots(&seeded));
    let message = *panic
        .expect_err("the fault is noticed")
        .downcast::<String>()
        .expect("a text");
    let first = message.lines().next().unwrap_or_default();
    println!("a slot that opens in a replayed input: caught: {first}");
}

/// A byte of an identity is another one if it begins with magic bytes.
#[test]
fn control_f1_an_identity_that_is_another_behind_magic_bytes() {
    let input = |magic: [u8; 4]| [&[2, 0][..], &magic, &[2; 28], &[0]].concat();
    carryless_fuzz::control_identity_file(&input([2; 4]));
    let seeded = input([0xc5, 0x3a, 0xa3, 0x5c]);
    let panic = std::panic::catch_unwind(|| carryless_fuzz::control_identity_file(&seeded));
    let message = *panic
        .expect_err("the fault is noticed")
        .downcast::<String>()
        .expect("a text");
    let first = message.lines().next().unwrap_or_default();
    println!("an identity that is another in a replayed input: caught: {first}");
}
