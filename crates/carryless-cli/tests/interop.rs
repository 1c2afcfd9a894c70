//! Streams and messages in both directions with pyca `cryptography`, where a Python has it.

use std::path::PathBuf;
use std::process::Command;

/// Pythons that may have it: the one named, the environment that `cargo xtask test` makes, any other.
fn pythons() -> Vec<PathBuf> {
    let named = std::env::var_os("CARRYLESS_PYTHON").map(PathBuf::from);
    let made = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/python");
    named.map_or_else(|| vec![made, "python3".into()], |named| vec![named])
}

#[test]
fn pyca_opens_what_we_seal_and_we_open_what_pyca_sealed() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop_pyca.py");
    let mut reasons = Vec::new();
    for python in pythons() {
        let output = match Command::new(&python)
            .args([script, env!("CARGO_BIN_EXE_carryless")])
            .output()
        {
            Ok(output) => output,
            Err(error) => {
                reasons.push(format!("{}: {error}", python.display()));
                continue;
            }
        };
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        match output.status.code() {
            Some(0) => {
                println!("{text}");
                assert_eq!(text.lines().count(), 42 + 14, "{text}");
                return;
            }
            Some(77) => reasons.push(format!("{}: {}", python.display(), text.trim())),
            _ => panic!("{text}"),
        }
    }
    eprintln!(
        "not run: {}; CARRYLESS_PYTHON names a Python with cryptography 50 or later",
        reasons.join("; ")
    );
    assert!(
        std::env::var_os("CARRYLESS_PYTHON").is_none(),
        "the Python that CARRYLESS_PYTHON names must have it"
    );
}
