//! What only a terminal shows: prompts, echo, bars.
#![cfg(target_os = "linux")]

mod common;

use std::process::Command;

use common::{Place, text};

#[test]
fn prompts_and_bars_on_a_terminal() {
    let place = Place::new();
    place.write("text", &text(100_000));
    place.write("plain", b"a line\n".repeat(20_000).as_slice());
    place.ok(&["seal", "-k", "key", "plain"]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/prompt.py");
    let output = Command::new("python3")
        .args([script, env!("CARGO_BIN_EXE_carryless")])
        .arg(place.directory())
        .output();
    match output {
        Ok(output) => assert!(
            output.status.success(),
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => eprintln!("not run: python3: {error}"),
    }
}

#[test]
fn a_prompt_without_a_terminal_says_what_else_there_is() {
    let place = Place::new();
    place.write("text", b"text");
    let mut command = Command::new("setsid");
    let output = command
        .args([
            "--wait",
            env!("CARGO_BIN_EXE_carryless"),
            "seal",
            "-p",
            "text",
        ])
        .current_dir(place.directory())
        .output()
        .expect("setsid");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("--passphrase-file"), "{stderr}");
    assert!(!place.has("text.cless"));
}
