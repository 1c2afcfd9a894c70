//! `cargo xtask test`: everything that can be tested on this machine.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::programs::{self, Program};
use crate::run::{Outcome, command, exclusive, root, run_all, succeeds};

/// pyca `cryptography`, the second implementation: the modes of AES by OpenSSL, and the chunked stream.
const PYCA: &str = "cryptography>=50";
/// What is tested.
pub(crate) const ALL: [&str; 4] = ["--workspace", "--exclude", "xtask", "--all-features"];
/// And what runs it, with its dependencies as they are built for that.
const OWN: [&str; 2] = ["--package", "xtask"];
/// Test programs that run at a time, each on all cores: many wait for what they started, or end with one long test.
const SIDE_BY_SIDE: usize = 2;

/// All suites.
pub(crate) fn run() -> Outcome {
    let began = Instant::now();
    let (interop, programs) = thread::scope(|scope| {
        let interop = scope.spawn(Interop::find);
        let programs = build();
        (interop.join().unwrap_or_default(), programs)
    });
    let mut suites = suites(programs?);
    println!("built in {:.0} s", began.elapsed().as_secs_f64());
    for suite in &mut suites {
        suite.envs(interop.env());
    }
    run_all(SIDE_BY_SIDE, suites)?;
    println!(
        "\nall tests passed in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    if interop.python.is_none() {
        println!("not run: the interoperation with pyca `{PYCA}`, which could not be installed");
    }
    Ok(())
}

/// The programs of the tests, and those that they call.
fn build() -> Result<Vec<Program>, String> {
    let mut programs = programs::build(&ALL, &[])?;
    programs.extend(programs::build(&OWN, &[])?);
    Ok(programs)
}

/// The second implementation, for the tests that use it.
#[derive(Default)]
pub(crate) struct Interop {
    python: Option<String>,
}

impl Interop {
    pub(crate) fn find() -> Self {
        let python = interop_python();
        Self { python }
    }

    /// The environment of those tests.
    pub(crate) fn env(&self) -> [(&str, &str); 2] {
        let python = self.python.as_deref();
        // With a second implementation at hand its absence from a test is a fault.
        let required = python.map_or("", |_| "pyca");
        [
            ("CARRYLESS_PYTHON", python.unwrap_or_default()),
            ("CARRYLESS_REQUIRE", required),
        ]
    }
}

/// The examples of the documentation, which are compiled as they run, and test programs, large ones first: they take long.
fn suites(programs: Vec<Program>) -> Vec<Command> {
    let examples = command("cargo", &[&["test", "--doc"], &ALL[..]].concat());
    let mut programs = Vec::from_iter(programs.into_iter().filter(|program| program.is_test));
    let size = |program: &Program| fs::metadata(&program.path).map_or(0, |file| file.len());
    programs.sort_by_key(|program| core::cmp::Reverse(size(program)));
    [examples]
        .into_iter()
        .chain(programs.iter().map(Program::command))
        .collect()
}

/// A Python with pyca in `target/venv`, made if need be; `None` where that fails.
pub(crate) fn interop_python() -> Option<String> {
    let _lock = exclusive("venv").ok()?;
    let venv = root().join("target/venv");
    let python = venv.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    let python = python.to_string_lossy().into_owned();
    let probe = [
        "-c",
        "import cryptography; assert int(cryptography.__version__.split('.')[0]) >= 50",
    ];
    if succeeds(&python, &probe) {
        return Some(python);
    }
    println!("installing pyca `{PYCA}` into target/venv");
    let venv = venv.to_string_lossy().into_owned();
    let made = command("python3", &["-m", "venv", &venv])
        .status()
        .is_ok_and(|status| status.success())
        && command(&python, &["-m", "pip", "install", "--quiet", PYCA])
            .status()
            .is_ok_and(|status| status.success());
    (made && succeeds(&python, &probe)).then_some(python)
}
