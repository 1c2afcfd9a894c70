//! S4: an independent reader, made from the specification, agrees with the library in both directions.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::evidence::{Evidence, Failure, Verdict};
use super::programs::{self, Program};
use crate::run::{command, output, root};
use crate::test::{ALL, interop_python};

const READER: &str = "vectors/container.py";
const MAKER: &str = "vectors/container_vectors.py";
const VECTORS: &str = "vectors/container.txt";
/// What the reader is made of, which lies beside it.
const PARTS: [&str; 3] = [READER, "vectors/hpke.py", "vectors/mlkem.py"];
/// What rests on that reader, with its own vectors.
const KEY_READER: &str = "vectors/keys.py";
const KEY_VECTORS: &str = "vectors/keys.txt";

/// Readers with a fault: its name, what the right one says, what it says instead. Each is in what both
/// directions rest on.
const FAULTS: &[(&str, &str, &str)] = &[
    (
        "MAC not of this file",
        "mac\" + covered[:PREFIX], 64",
        "mac\" + covered[:9], 64",
    ),
    (
        "payload not of this file",
        "hashlib.sha512(prefix)",
        "hashlib.sha512(prefix[:9])",
    ),
    (
        "slot not of this file",
        "slot\" + prefix + slot",
        "slot\" + slot",
    ),
    (
        "encapsulated key not of this file",
        "recipient\" + prefix",
        "recipient\" + prefix[:9]",
    ),
    (
        "recipient not in the secret",
        "sent + public, 32",
        "sent + sent, 32",
    ),
    (
        "one half of the hybrid secret twice",
        "sha3_256(first + second + ",
        "sha3_256(first + first + ",
    ),
    (
        "hybrid secret not of its recipient",
        "sent + public + rb",
        "sent + sent + rb",
    ),
    ("chunks miscounted", "(base ^ index)", "(base ^ 2 * index)"),
    (
        "no bound on the work of Argon2id",
        "sum(costs) <= 1 << 22",
        "sum(costs) <= 1 << 30",
    ),
    (
        "length of the key not in its id",
        "+ bytes([len(key)])",
        "+ bytes([0])",
    ),
];

/// The last faults show in what is refused, and in the vectors alone.
const IN_BOTH_DIRECTIONS: usize = 8;

/// The vectors made again and opened by the reader, files exchanged with the library, faulty readers
/// caught.
pub(super) fn s4() -> Verdict {
    let python = interop_python().ok_or_else(|| {
        Failure::NotRun("no Python with pyca cryptography 50: pip install cryptography".into())
    })?;
    let reader = Reader {
        python,
        program: exchange()?,
    };
    let mut evidence = Evidence::default();
    for (maker, checker, vectors) in [
        (&[MAKER][..], READER, VECTORS),
        (&[KEY_READER, "make"], KEY_READER, KEY_VECTORS),
    ] {
        let made = output(&reader.python, maker)?;
        let kept = fs::read_to_string(root().join(vectors)).map_err(|error| error.to_string())?;
        if made != kept {
            return Err(Failure::Failed(format!(
                "`{}` no longer makes {vectors}",
                maker.join(" ")
            )));
        }
        let opened = output(&reader.python, &[checker, "check", vectors])?;
        evidence.lines.push(format!(
            "{vectors}: {}, made again byte for byte, each with its result",
            opened.trim()
        ));
    }
    let said = programs::run(&mut reader.exchange(READER))?;
    let lines = said
        .pairs("S4 ")
        .map(|(what, count)| format!("{what}: {count}"));
    evidence.lines.extend(lines);
    if evidence.lines.len() < 4 {
        return Err(Failure::Failed("the tests exchanged no files".into()));
    }
    for (number, fault) in FAULTS.iter().enumerate() {
        evidence
            .controls
            .push(reader.caught(*fault, number < IN_BOTH_DIRECTIONS)?);
    }
    Ok(evidence)
}

/// The program with the tests of the library.
fn exchange() -> Result<Program, String> {
    // As the tests of the workspace are built, of which the command has one of this name, too.
    let programs = programs::build(&[&ALL[..], &["--test", "container"]].concat(), &[])?;
    let of_files = |program: &Program| program.folder.ends_with("carryless-file");
    let found = programs.into_iter().find(of_files);
    found.ok_or_else(|| "cargo built no test program `container`".into())
}

/// What runs the independent reader.
struct Reader {
    python: String,
    program: Program,
}

impl Reader {
    /// What a reader says of the vectors.
    fn opens(&self, script: &str) -> Result<String, String> {
        output(&self.python, &[script, "check", VECTORS])
    }

    /// The tests that exchange files with a reader.
    fn exchange(&self, script: &str) -> Command {
        let mut tests = command(
            &self.program.path.to_string_lossy(),
            &["python::", "vectors::", "--show-output"],
        );
        tests
            .env("CARRYLESS_PYTHON", &self.python)
            .env("CARRYLESS_CONTAINER_READER", root().join(script));
        tests
    }

    /// What noticed a reader with this fault.
    fn caught(
        &self,
        (name, right, wrong): (&str, &str, &str),
        in_both_directions: bool,
    ) -> Result<String, Failure> {
        let script = "target/assure/reader.py";
        write_faulty(&root().join(script), right, wrong)?;
        let Err(said) = self.opens(script) else {
            return Err(Failure::Failed(format!(
                "{name}: the vectors do not notice it"
            )));
        };
        if in_both_directions && programs::run(&mut self.exchange(script)).is_ok() {
            return Err(Failure::Failed(format!(
                "{name}: the exchange of files does not notice it"
            )));
        }
        let by = if in_both_directions {
            "vectors and exchange"
        } else {
            "vectors"
        };
        let said = said.lines().last().unwrap_or_default();
        Ok(format!("{name}: caught: by {by}: {said}"))
    }
}

/// The reader with one thing said otherwise, and its parts beside it.
fn write_faulty(path: &Path, right: &str, wrong: &str) -> Result<(), String> {
    let mut seeded = false;
    for part in PARTS {
        let text = fs::read_to_string(root().join(part)).map_err(|error| error.to_string())?;
        let faulty = text.replace(right, wrong);
        seeded |= faulty != text;
        let name = part.rsplit('/').next().unwrap_or(part);
        let path = match part {
            READER => path.to_path_buf(),
            _ => path.with_file_name(name),
        };
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, faulty))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if seeded {
        Ok(())
    } else {
        Err(format!("{PARTS:?} have no `{right}` to seed a fault in"))
    }
}
