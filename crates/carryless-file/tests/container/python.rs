//! Files in both directions with the independent reader, `vectors/container.py`, where a Python has
//! what it needs.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use carryless_file::cobblestone::{CHUNK_LEN, Cipher};
use carryless_file::container::{Argon2id, Lock, writer};
use carryless_file::recipient::{Identity, Kem};

use super::vectors::{Holder, bytes, word};
use super::{open, seal, text};

/// The reader; another one, with a fault, for the control of this test.
fn script() -> PathBuf {
    let right = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/container.py");
    std::env::var_os("CARRYLESS_CONTAINER_READER").map_or(right, PathBuf::from)
}

/// Pythons that may have it: the one named, the environment that `cargo xtask test` makes, any other.
fn pythons() -> Vec<PathBuf> {
    let named = std::env::var_os("CARRYLESS_PYTHON").map(PathBuf::from);
    let made = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/python");
    named.map_or_else(|| vec![made, "python3".into()], |named| vec![named])
}

/// What the reader answers to these lines, or why there is none.
fn ask(verb: &str, lines: &[String]) -> Result<Vec<String>, String> {
    let mut reasons = Vec::new();
    for python in pythons() {
        match answers(&python, verb, lines) {
            Ok(answers) => return Ok(answers),
            Err(reason) => reasons.push(format!("{}: {reason}", python.display())),
        }
    }
    let named = std::env::var_os("CARRYLESS_PYTHON").is_some_and(|name| !name.is_empty());
    assert!(
        !named,
        "the Python that CARRYLESS_PYTHON names must have it: {reasons:?}"
    );
    Err(reasons.join("; "))
}

fn answers(python: &PathBuf, verb: &str, lines: &[String]) -> Result<Vec<String>, String> {
    let mut child = Command::new(python)
        .arg(script())
        .arg(verb)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().expect("a pipe");
    let question = lines.join("\n");
    // It ends before it has read all if it lacks what it needs.
    let asking = std::thread::spawn(move || input.write_all(question.as_bytes()));
    let output = child.wait_with_output().expect("its output");
    let _ = asking.join().expect("no panic");
    match output.status.code() {
        Some(0) => {
            let text = String::from_utf8(output.stdout).expect("text");
            Ok(text.lines().map(String::from).collect())
        }
        Some(77) => Err(String::from_utf8_lossy(&output.stderr).trim().into()),
        _ => panic!("{}", String::from_utf8_lossy(&output.stderr)),
    }
}

fn written(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        "-".into()
    } else {
        hex::encode(bytes)
    }
}

const KEY: &str = "key:000102030405060708090a0b0c0d0e0f";
const LONG_KEY: &str = "key:ff0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const WORD: &str = "passphrase:6162630a";
const IDENTITY: &str = "x25519:ff02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fff";
const HYBRID: &str = "x-wing:ff02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fff";
const HOLDERS: [&str; 5] = [KEY, LONG_KEY, WORD, IDENTITY, HYBRID];

/// A file for all of them.
fn sealed(cipher: Cipher, text: &[u8]) -> Vec<u8> {
    let holders = HOLDERS.map(Holder::new);
    let cost = Argon2id::new(64, 2, 2).expect("within the limits");
    let locks = holders.each_ref().map(|holder| match holder {
        Holder::Key(key) => Lock::Key(key),
        Holder::Passphrase(passphrase) => Lock::Passphrase(passphrase, cost),
        Holder::Identity(_, recipient) => Lock::Recipient(recipient),
    });
    if cipher == Cipher::Cobblestone128 {
        return seal(&locks, text);
    }
    let mut writer = writer(cipher, &locks, Vec::new()).expect("a header");
    writer.write_all(text).expect("a vector");
    writer.finish().expect("a vector")
}

#[test]
fn the_independent_reader_opens_ours_and_we_open_its() {
    let texts = [0, 1, CHUNK_LEN - 1, CHUNK_LEN, 2 * CHUNK_LEN + 5].map(text);
    let cases: Vec<_> = Cipher::ALL
        .into_iter()
        .flat_map(|cipher| texts.iter().map(move |text| (cipher, text)))
        .collect();
    let (mut open_lines, mut seal_lines) = (Vec::new(), Vec::new());
    for (cipher, text) in &cases {
        let file = written(&sealed(*cipher, text));
        open_lines.extend(HOLDERS.map(|holder| format!("{holder} {file}")));
        let number = 1 + usize::from(*cipher == Cipher::Cobblestone256);
        seal_lines.push(format!("{number} {} {}", HOLDERS.join(","), written(text)));
    }
    let opened = match ask("open", &open_lines) {
        Ok(opened) => opened,
        Err(reasons) => return eprintln!("not run: {reasons}"),
    };
    assert_eq!(opened.len(), open_lines.len());
    for (answers, (cipher, text)) in opened.chunks(HOLDERS.len()).zip(&cases) {
        let expected = format!("ok {}", written(text));
        assert!(
            answers.iter().all(|answer| *answer == expected),
            "{cipher}, {}",
            text.len()
        );
    }
    let files = ask("seal", &seal_lines).expect("it has answered before");
    assert_eq!(files.len(), cases.len());
    for (file, (cipher, text)) in files.iter().zip(&cases) {
        for holder in HOLDERS {
            let (opened, result) = open(&Holder::new(holder).credential(), &bytes(file)[..]);
            assert!(
                result.is_ok() && opened == **text,
                "{cipher}, {}, {holder}: {result:?}",
                text.len()
            );
        }
    }
    println!(
        "S4 files of the library opened by the reader: {}",
        opened.len()
    );
    println!(
        "S4 files of the reader opened: {}",
        HOLDERS.len() * files.len()
    );
}

#[test]
fn the_independent_reader_gives_identities_the_same_recipients() {
    let secrets: Vec<_> = (0..8u8).map(|seed| [31 * seed + 1; 32]).collect();
    for kem in Kem::ALL {
        let line = |secret| format!("{kem}:{}", hex::encode(secret));
        let lines: Vec<_> = secrets.iter().map(line).collect();
        let answers = match ask("recipients", &lines) {
            Ok(answers) => answers,
            Err(reasons) => return eprintln!("not run: {reasons}"),
        };
        let recipient = |secret| Identity::from_bytes(kem, secret).recipient().to_string();
        let ours: Vec<_> = secrets.iter().map(recipient).collect();
        assert_eq!(answers, ours, "{kem}");
        println!("S4 recipients of {kem}: {}", ours.len());
    }
}

#[test]
fn the_independent_reader_refuses_what_we_refuse_for_the_same_reason() {
    let file = sealed(Cipher::Cobblestone128, b"text");
    let mut changed = Vec::new();
    // Of each byte some bits.
    for bit in (0..8 * file.len()).step_by(7) {
        let mut file = file.clone();
        file[bit / 8] ^= 1 << (bit % 8);
        changed.push(file);
    }
    changed.extend((1..file.len()).map(|len| file[..len].to_vec()));
    let holders = [KEY, IDENTITY, HYBRID];
    for holder in holders {
        let lines: Vec<_> = changed
            .iter()
            .map(|file| format!("{holder} {}", hex::encode(file)))
            .collect();
        let answers = match ask("open", &lines) {
            Ok(answers) => answers,
            Err(reasons) => return eprintln!("not run: {reasons}"),
        };
        assert_eq!(answers.len(), changed.len());
        let credential = Holder::new(holder);
        for (number, (file, answer)) in changed.iter().zip(&answers).enumerate() {
            let error = open(&credential.credential(), &file[..])
                .1
                .expect_err("a changed file");
            let ours = word(&error);
            let agree = *answer == format!("{ours} -");
            assert!(
                agree,
                "{holder}, change {number}: {error:?}, the reader says {answer}"
            );
        }
    }
    println!(
        "S4 changed files refused for the same reason: {}",
        holders.len() * changed.len()
    );
}
