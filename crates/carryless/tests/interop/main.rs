//! C9: random cases of the modes of AES each way with OpenSSL, by pyca `cryptography`, and with changed tags.
//!
//! The Python program is named by `CARRYLESS_PYTHON`, or is `target/venv/bin/python` of the
//! workspace. Without one the test says "not run", and fails if `CARRYLESS_REQUIRE` has `pyca`.
#![cfg(feature = "hazmat")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "test data")]

#[path = "../harness/asked.rs"]
mod asked;
mod cases;
mod modes;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use asked::quick;
use cases::{Case, cases, from_hex};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop/pyca.py");

/// The modes, and the cases of each in either direction.
const AGREED: [(&str, usize); 10] = [
    ("AES-GCM", 15_000),
    ("AES-GCM-SIV", 1000),
    ("CBC", 1500),
    ("CBC-PKCS7", 1500),
    ("CCM", 1500),
    ("CMAC", 1500),
    ("CTR", 1500),
    ("GMAC", 1500),
    ("XAES-256-GCM", 500),
    ("XTS", 1000),
];

/// One case in how many is run.
fn share() -> usize {
    if quick() { 10 } else { 1 }
}

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

/// The script's answers to cases, a line for each.
fn ask(python: &Path, command: &str, cases: &[Case]) -> Vec<String> {
    let mut child = Command::new(python)
        .args([SCRIPT, command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().expect("piped");
    let input: String = cases.iter().map(Case::line).collect();
    let output = std::thread::scope(|scope| {
        // A script that stops reading has failed; its message is what counts.
        scope.spawn(move || stdin.write_all(input.as_bytes()).ok());
        child.wait_with_output().unwrap()
    });
    let text = |bytes| String::from_utf8(bytes).expect("the script prints text");
    assert!(output.status.success(), "{}", text(output.stderr));
    let answers: Vec<_> = text(output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), cases.len(), "answers of the script");
    answers
}

/// Cases as OpenSSL seals them.
fn sealed_by_openssl(python: &Path, cases: &[Case]) -> Vec<Case> {
    let answers = ask(python, "seal", cases);
    let sealed = cases.iter().zip(&answers).map(|(case, answer)| {
        let (text, tag) = answer.split_once(' ').expect("ciphertext and tag");
        Case {
            text: from_hex(text),
            tag: from_hex(tag),
            ..case.clone()
        }
    });
    sealed.collect()
}

/// The texts of what is sealed, but of what a side refuses.
type Opened = Vec<Option<Vec<u8>>>;

fn opened_by_openssl(python: &Path, sealed: &[Case]) -> Opened {
    let answers = ask(python, "open", sealed);
    let text = |answer: &String| (answer != "refused").then(|| from_hex(answer));
    answers.iter().map(text).collect()
}

fn opened_by_carryless(sealed: &[Case]) -> Opened {
    sealed.iter().map(Case::opened).collect()
}

/// The numbers of cases that a side does not open to their texts, or opens with a changed tag.
fn wrong(plain: &[Case], sealed: &[Case], open: impl Fn(&[Case]) -> Opened) -> Vec<usize> {
    let forged: Vec<_> = (0..)
        .zip(sealed)
        .map(|(seed, case)| case.forged(seed))
        .collect();
    let (opened, forged) = (open(sealed), open(&forged));
    let is_wrong = |number: &usize| {
        let case = &plain[*number];
        let is_forged = !case.tag.is_empty() && forged[*number].is_some();
        opened[*number].as_ref() != Some(&case.text) || is_forged
    };
    (0..plain.len()).filter(is_wrong).collect()
}

/// Fails unless no case is wrong and each mode has its number; says how many each engine had.
fn agreed(cases: &[Case], wrong: &[usize], what: &str) {
    if let Some(first) = wrong.first() {
        panic!(
            "{} of the cases {what} have another text, or pass with another tag; the first is {first}, {}",
            wrong.len(),
            cases[*first]
        );
    }
    let (mut by_engine, mut by_mode) = (BTreeMap::new(), BTreeMap::new());
    for case in cases {
        let mode = case.mode.name;
        *by_engine.entry((case.engine.name(), mode)).or_insert(0) += 1;
        *by_mode.entry(mode).or_insert(0) += 1;
    }
    for ((engine, mode), count) in by_engine {
        println!("C9 {engine}: {count} cases of {mode} {what}");
    }
    let expected = AGREED.map(|(mode, count)| (mode, count / share()));
    assert_eq!(Vec::from_iter(by_mode), expected);
}

#[test]
fn c9_openssl_opens_what_carryless_seals() {
    let Some(python) = python_or_skip() else {
        return;
    };
    let plain = cases(0xc9, share());
    let sealed: Vec<_> = plain.iter().map(Case::sealed).collect();
    let wrong = wrong(&plain, &sealed, |cases| opened_by_openssl(&python, cases));
    agreed(&plain, &wrong, "that OpenSSL opens");
}

#[test]
fn c9_carryless_opens_what_openssl_seals() {
    let Some(python) = python_or_skip() else {
        return;
    };
    let plain = cases(0x9c, share());
    let sealed = sealed_by_openssl(&python, &plain);
    let wrong = wrong(&plain, &sealed, opened_by_carryless);
    agreed(&plain, &wrong, "that OpenSSL sealed");
}

mod controls {
    use super::modes::MODES;
    use super::*;

    /// A field of a sealed case, or the text that it was.
    type Field = for<'c> fn(&'c mut Case, &'c mut Case) -> &'c mut Vec<u8>;
    const FIELDS: [(&str, Field); 6] = [
        ("key", |sealed, _| &mut sealed.key),
        ("nonce", |sealed, _| &mut sealed.nonce),
        ("AAD", |sealed, _| &mut sealed.aad),
        ("ciphertext", |sealed, _| &mut sealed.text),
        ("tag", |sealed, _| &mut sealed.tag),
        ("text", |_, plain| &mut plain.text),
    ];

    /// Flips a bit in one case for each mode and field that it has; the numbers of those cases, and where it is.
    fn broken(plain: &mut [Case], sealed: &mut [Case]) -> BTreeMap<usize, &'static str> {
        let mut broken = BTreeMap::new();
        for (mode, (name, field)) in MODES.iter().flat_map(|mode| FIELDS.map(|it| (mode, it))) {
            let mut pairs = sealed.iter_mut().zip(&mut *plain).enumerate();
            let found = pairs.find_map(|(number, (sealed, plain))| {
                let is_its = plain.mode.name == mode.name && !broken.contains_key(&number);
                // Without text and tag nothing depends on the key.
                let is_empty = sealed.text.is_empty() && sealed.tag.is_empty();
                let last = field(sealed, plain).last_mut();
                *last.filter(|_| is_its && !is_empty)? ^= 1;
                Some(number)
            });
            broken.extend(found.map(|number| (number, name)));
        }
        broken
    }

    #[test]
    fn control_c9_a_flipped_bit_is_noticed_in_every_field_of_every_mode() {
        let Some(python) = python_or_skip() else {
            return;
        };
        let mut plain = cases(0xc9, 10);
        let mut sealed: Vec<_> = plain.iter().map(Case::sealed).collect();
        let broken = broken(&mut plain, &mut sealed);
        // Key, nonce, ciphertext and text of four ciphers; of AEADs AAD and tag too; of MACs no text, of CMAC no nonce.
        assert_eq!(broken.len(), 4 * 4 + 4 * 6 + 4 + 3);
        let by_openssl = wrong(&plain, &sealed, |cases| opened_by_openssl(&python, cases));
        let by_carryless = wrong(&plain, &sealed, opened_by_carryless);
        for (side, noticed) in [("OpenSSL", by_openssl), ("carryless", by_carryless)] {
            assert!(noticed.iter().eq(broken.keys()), "{side}: {noticed:?}");
            let (number, field) = broken.last_key_value().unwrap();
            let (count, last) = (noticed.len(), &plain[*number]);
            println!("{side}: caught: {count} flipped bits, the last in the {field} of {last}");
        }
    }
}
