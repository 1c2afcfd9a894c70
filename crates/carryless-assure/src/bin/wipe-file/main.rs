//! M6 for `carryless-file`: what its calls leave behind in memory.
//!
//! `wipe-file [ENGINE]`: runs each call of the file library on a stack of zeros and with an allocator
//! that keeps whatever is given back to it, and looks on that stack, in memory that was given back and in memory
//! that nobody gave back for any 8-byte window of a secret: keys, raw and as text, whatever is derived
//! from them, passphrases, the memory of Argon2id, text that a reader or writer had in hand, and after
//! a failed opening what would have been right. Exits with 1 if something is left, or if it misses what
//! it planted.

#[path = "../../../../carryless/tests/harness/reference.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod reference;
#[path = "../wipe/secrets.rs"]
#[allow(dead_code, reason = "shared with `wipe`, which uses more of it")]
mod secrets;
#[path = "../wipe/stack.rs"]
#[allow(dead_code, reason = "shared with `wipe`, which uses more of it")]
mod stack;

mod containers;
mod controls;
mod hpke;
mod hybrid;
mod identities;
mod keys;
mod messages;
mod needles;
mod recorder;
mod report;
mod streams;

use std::process::ExitCode;

use carryless::Engine;
use carryless_file::recipient::Kem;

use report::Report;

fn check(engine: Engine) -> Report {
    engine.set_default().expect("an available engine");
    let mut report = Report::new();
    for kem in Kem::ALL {
        identities::check(&mut report, kem);
    }
    for key_len in [16, 32] {
        keys::check(&mut report, key_len);
        streams::check(&mut report, key_len);
        containers::check(&mut report, key_len);
        messages::check(&mut report, key_len);
    }
    report
}

fn main() -> ExitCode {
    let only = std::env::args().nth(1);
    match controls::caught() {
        Ok(caught) => caught.iter().for_each(|caught| println!("{caught}")),
        Err(missed) => {
            println!("{missed}");
            return ExitCode::FAILURE;
        }
    }
    let asked = |engine: &Engine| only.as_ref().is_none_or(|name| engine.name() == name);
    let mut clean = true;
    let mut engines = 0;
    for engine in Engine::available().filter(asked) {
        let report = check(engine);
        println!("M6 {engine}: files: {}", report.counts());
        report.left().for_each(|left| println!("  {left}"));
        clean &= report.left().next().is_none();
        engines += 1;
    }
    if clean && engines > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
