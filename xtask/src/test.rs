//! `cargo xtask test`: everything that can be tested on this machine.

use std::time::Instant;

use crate::run::{Outcome, command, exclusive, root, run_with, succeeds};

/// pyca `cryptography`, the second implementation: AES-GCM by OpenSSL, and the chunked stream.
const PYCA: &str = "cryptography>=50";

/// All suites.
pub(crate) fn run() -> Outcome {
    let began = Instant::now();
    let python = interop_python();
    let python = python.as_deref().unwrap_or_default();
    // With a second implementation at hand its absence from a test is a fault.
    let required = if python.is_empty() { "" } else { "pyca" };
    let env = [
        ("CARRYLESS_PYTHON", python),
        ("CARRYLESS_REQUIRE", required),
    ];
    run_with(&env, "cargo", &["test", "--workspace", "--all-features"])?;
    println!(
        "\nall tests passed in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    if python.is_empty() {
        println!("not run: the interoperation with pyca `{PYCA}`, which could not be installed");
    }
    Ok(())
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
