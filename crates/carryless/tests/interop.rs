//! C9: 5,000 random cases a key size each way with OpenSSL, by pyca `cryptography`.
//!
//! The Python program is named by `CARRYLESS_PYTHON`, or is `target/venv/bin/python` of the
//! workspace. Without one the test says "not run", and fails if `CARRYLESS_REQUIRE` has `pyca`.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use core::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use carryless::{Aes128Gcm, Aes192Gcm, Aes256Gcm, Engine};

/// Cases for each key size and direction.
const CASES: usize = 5000;
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop_pyca.py");

/// A Python that has the package, or why there is none.
fn python() -> Result<PathBuf, String> {
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/python");
    let python = std::env::var_os("CARRYLESS_PYTHON").map_or(venv, PathBuf::from);
    let found = Command::new(&python)
        .args(["-c", "import cryptography"])
        .stderr(Stdio::null())
        .status();
    match found {
        Ok(status) if status.success() => Ok(python),
        Ok(_) => Err(format!("{} has no package cryptography", python.display())),
        Err(error) => Err(format!("{}: {error}", python.display())),
    }
}

/// The Python, or `None` where the test may be left out.
fn python_or_skip() -> Option<PathBuf> {
    match python() {
        Ok(python) => Some(python),
        Err(reason) => {
            let required = std::env::var("CARRYLESS_REQUIRE").unwrap_or_default();
            assert!(
                !required.split(',').any(|name| name == "pyca"),
                "pyca is required: {reason}"
            );
            println!("C9 pyca: not run: {reason}");
            None
        }
    }
}

/// Has the script work on `input`; its output, if it succeeds.
fn run(python: &Path, command: &str, input: &str) -> Result<String, String> {
    let mut child = Command::new(python)
        .args([SCRIPT, command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("piped");
    let output = std::thread::scope(|scope| {
        // A script that stops reading has found something; its message is what counts.
        scope.spawn(move || stdin.write_all(input.as_bytes()).ok());
        child.wait_with_output()
    });
    let output = output.map_err(|error| error.to_string())?;
    let text = |bytes| String::from_utf8(bytes).expect("the script prints text");
    if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    }
}

fn word(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn bytes(state: &mut u64, len: u64) -> Vec<u8> {
    (0..len).map(|_| word(state).to_le_bytes()[0]).collect()
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        "-".to_owned()
    } else {
        hex::encode(bytes)
    }
}

/// A line that the script reads: key, nonce, AAD, text, ciphertext, tag.
fn sealed_lines(engines: &[Engine]) -> String {
    let mut lines = String::new();
    let mut state = 0xc9;
    for key_len in [16, 24, 32] {
        for i in 0..CASES {
            let engine = engines[i % engines.len()];
            let key = bytes(&mut state, key_len);
            // pyca takes nonces of 8 to 128 bytes.
            let nonce_len = if i % 2 == 0 {
                12
            } else {
                8 + word(&mut state) % 121
            };
            let nonce = bytes(&mut state, nonce_len);
            let aad_len = word(&mut state) % [1, 40, 300][i % 3];
            let aad = bytes(&mut state, aad_len);
            let text_len = word(&mut state) % [40, 300, 300, 2000][i % 4];
            let text = bytes(&mut state, text_len);
            let mut sealed = text.clone();
            let tag = match key_len {
                16 => Aes128Gcm::with_engine(&key, engine).unwrap().seal_in_place(
                    &nonce,
                    &aad,
                    &mut sealed,
                ),
                24 => Aes192Gcm::with_engine(&key, engine).unwrap().seal_in_place(
                    &nonce,
                    &aad,
                    &mut sealed,
                ),
                _ => Aes256Gcm::with_engine(&key, engine).unwrap().seal_in_place(
                    &nonce,
                    &aad,
                    &mut sealed,
                ),
            };
            let fields = [&key, &nonce, &aad, &text, &sealed, &tag.unwrap().to_vec()]
                .map(|field| hex(field));
            writeln!(lines, "{}", fields.join(" ")).unwrap();
        }
    }
    lines
}

#[test]
fn c9_openssl_opens_what_carryless_seals() {
    let Some(python) = python_or_skip() else {
        return;
    };
    let engines: Vec<_> = Engine::available().collect();
    let report =
        run(&python, "open", &sealed_lines(&engines)).unwrap_or_else(|error| panic!("{error}"));
    for engine in &engines {
        println!(
            "C9 {engine}: its share of {} cases that OpenSSL opens",
            3 * CASES
        );
    }
    assert!(report.contains(&format!("{} cases", 3 * CASES)), "{report}");
}

#[test]
fn c9_carryless_opens_what_openssl_seals() {
    let Some(python) = python_or_skip() else {
        return;
    };
    let lines =
        run(&python, "seal", &format!("{CASES}\n")).unwrap_or_else(|error| panic!("{error}"));
    let engines: Vec<_> = Engine::available().collect();
    let mut counts = std::collections::BTreeMap::new();
    for (i, line) in lines.lines().enumerate() {
        let fields: Vec<Vec<u8>> = line
            .split(' ')
            .map(|field| hex::decode(field.trim_matches('-')).unwrap())
            .collect();
        let [key, nonce, aad, text, sealed, tag] = &fields[..] else {
            panic!("{line}")
        };
        let engine = engines[i % engines.len()];
        let mut opened = vec![0; sealed.len()];
        let result = match key.len() {
            16 => Aes128Gcm::with_engine(key, engine).unwrap().open_into(
                nonce,
                aad,
                sealed,
                &mut opened,
                tag,
            ),
            24 => Aes192Gcm::with_engine(key, engine).unwrap().open_into(
                nonce,
                aad,
                sealed,
                &mut opened,
                tag,
            ),
            _ => Aes256Gcm::with_engine(key, engine).unwrap().open_into(
                nonce,
                aad,
                sealed,
                &mut opened,
                tag,
            ),
        };
        assert!(result.is_ok() && opened == *text, "{engine}: {line}");
        *counts.entry(key.len()).or_insert(0) += 1;
    }
    for engine in Engine::available() {
        println!(
            "C9 {engine}: its share of {} cases that OpenSSL sealed",
            3 * CASES
        );
    }
    assert_eq!(
        counts.into_iter().collect::<Vec<_>>(),
        [(16, CASES), (24, CASES), (32, CASES)]
    );
}

mod controls {
    use super::{Engine, python_or_skip, run, sealed_lines};

    #[test]
    fn control_c9_a_flipped_bit_in_one_case_fails_the_other_side() {
        let Some(python) = python_or_skip() else {
            return;
        };
        let engines: Vec<_> = Engine::available().collect();
        let lines = sealed_lines(&engines);
        let mut broken: Vec<String> = lines.lines().map(str::to_owned).collect();
        // The last digit of a tag in the middle, then the text of another.
        for (at, field) in [(7531, 5), (9000, 3)] {
            let mut fields: Vec<String> = broken[at].split(' ').map(str::to_owned).collect();
            let last = fields[field].pop().unwrap();
            fields[field].push(if last == '0' { '1' } else { '0' });
            let kept = core::mem::replace(&mut broken[at], fields.join(" "));
            let error = run(&python, "open", &(broken.join("\n") + "\n"))
                .expect_err("the script must fail");
            assert!(error.contains(&format!("case {at}")), "{error}");
            println!("caught: {}", error.lines().last().unwrap_or_default());
            broken[at] = kept;
        }
    }
}
