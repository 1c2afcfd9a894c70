//! What the program keeps in its memory until it ends: no key, no passphrase, no text of a failed opening.
#![cfg(target_os = "linux")]

mod common;

use std::process::Command;

use common::{Place, has_strace};

#[test]
fn m6_nothing_secret_is_in_memory_when_the_program_ends() {
    if !has_strace() {
        return;
    }
    let place = Place::new();
    std::fs::remove_file(place.path("key")).expect("it exists");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/memory.py");
    let output = Command::new("python3")
        .args([script, env!("CARGO_BIN_EXE_carryless")])
        .arg(place.directory())
        // Of the kernels' frames only those of an optimized build are overwritten whole.
        .args(cfg!(debug_assertions).then_some("soft64"))
        .env_remove("CARRYLESS_PASSPHRASE")
        .env_remove("CARRYLESS_NEW_PASSPHRASE")
        .output();
    match output {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            print!("{said}");
            assert!(
                output.status.success(),
                "{said}{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Err(error) => eprintln!("not run: python3: {error}"),
    }
}
