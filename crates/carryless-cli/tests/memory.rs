//! What the program keeps in its memory until it ends: no key, no passphrase, no text of a failed opening; and what it
//! does where there is too little.
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

/// Runs with so much address space.
fn within(kib: u32, place: &Place, args: &[&str]) -> common::Run {
    let limit = format!("ulimit -v {kib}; exec \"$@\"");
    place.through(&["sh", "-c", &limit, "sh"], args)
}

/// A passphrase that can't be tried for want of memory is no wrong one.
#[test]
fn argon2id_without_memory_is_a_failure_of_the_machine() {
    let place = Place::new();
    place.write("text", b"text");
    place.write_key("words", b"correct horse");
    let word = ["--passphrase-file", "words"];
    place.ok(&[&["seal", "text", "-o", "sealed"], &word[..]].concat());
    let open = [&["open", "sealed", "-o", "-", "-t", "1"], &word[..]].concat();
    // As much as the program takes by itself, and half of what Argon2id takes beside.
    let enough = |kib: &u32| within(*kib, &place, &["inspect", "sealed"]).code == Some(0);
    let least = (2..200).map(|i| i * 4096).find(enough).expect("it starts");
    for (more, code, text, said) in [
        (32 * 1024, 1, &b""[..], "no memory for 65536 KiB"),
        (200 * 1024, 0, b"text", ""),
    ] {
        let run = within(least + more, &place, &open);
        assert_eq!(
            (run.code, &run.stdout[..]),
            (Some(code), text),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}
