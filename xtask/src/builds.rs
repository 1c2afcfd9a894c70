//! The builds that must go through: the oldest compiler, other systems, the documentation.

use crate::run::{self as exec, Outcome, exclusive, output, run_with, succeeds};

/// The oldest compiler that must build the workspace, as in Cargo.toml.
pub(crate) const MSRV: &str = "1.89.0";

/// Targets of the library that are checked without being run, with the features they have.
pub(crate) const TARGETS: &[(&str, &str)] = &[
    ("aarch64-unknown-linux-gnu", "std,aead,getrandom,hazmat"),
    ("aarch64-apple-darwin", "std,aead,getrandom,hazmat"),
    ("x86_64-apple-darwin", "std,aead,getrandom,hazmat"),
    ("x86_64-pc-windows-msvc", "std,aead,getrandom,hazmat"),
    ("armv7-unknown-linux-gnueabihf", "std,aead,getrandom,hazmat"),
    ("s390x-unknown-linux-gnu", "std,aead,getrandom,hazmat"),
    ("wasm32-unknown-unknown", "aead,hazmat"),
    ("wasm32-wasip1", "std,aead,getrandom,hazmat"),
    // Bare metal: no `std`, no allocation.
    ("thumbv7em-none-eabihf", "aead,hazmat"),
    ("x86_64-unknown-none", "aead,hazmat"),
];

/// The one of them for which the tests are checked too: what they need of x86-64 shows on any other.
const TESTED: &str = "s390x-unknown-linux-gnu";

/// The documentation, without a warning.
pub(crate) fn documentation() -> Outcome {
    run_with(
        &[("RUSTDOCFLAGS", "-Dwarnings")],
        "cargo",
        &["doc", "--workspace", "--no-deps", "--all-features"],
    )
}

/// The workspace under the oldest compiler.
pub(crate) fn msrv() -> Outcome {
    let toolchain = format!("+{MSRV}");
    let lock = exclusive("install")?;
    if !succeeds("cargo", &[&toolchain, "--version"]) {
        exec::run(
            "rustup",
            &["toolchain", "install", MSRV, "--profile", "minimal"],
        )?;
    }
    drop(lock);
    let args = [
        "check",
        "--workspace",
        "--all-features",
        "--target-dir",
        "target/msrv",
    ];
    exec::run("cargo", &[&[toolchain.as_str()], &args[..]].concat())
}

/// Installs the standard library of a target, if need be.
pub(crate) fn add_target(target: &str) -> Outcome {
    let _lock = exclusive("install")?;
    let installed = output("rustup", &["target", "list", "--installed"])?;
    if installed.lines().any(|line| line == target) {
        return Ok(());
    }
    exec::run("rustup", &["target", "add", target])
}

/// The library for other systems, as far as a type check goes, with wasm's vectors on and off.
pub(crate) fn targets() -> Outcome {
    for (target, features) in TARGETS {
        add_target(target)?;
        // Bare metal is compiled to the end: what a CPU lacks shows only there.
        let verb = if target.contains("-none") {
            "build"
        } else {
            "check"
        };
        let library = [verb, "--package", "carryless", "--no-default-features"];
        let place = ["--target", target, "--target-dir", "target/targets"];
        let args = [&library[..], &["--features", features], &place].concat();
        exec::run("cargo", &args)?;
        if target.starts_with("wasm32") {
            let simd = [("RUSTFLAGS", "-Ctarget-feature=+simd128")];
            run_with(&simd, "cargo", &args)?;
        }
        if features.contains("std") {
            let file = ["check", "--package", "carryless-file"];
            exec::run("cargo", &[&file[..], &place].concat())?;
        }
        if *target == TESTED {
            let tests = ["check", "--tests", "--all-features"];
            let packages = ["--package", "carryless", "--package", "carryless-file"];
            exec::run("cargo", &[&tests[..], &packages, &place].concat())?;
        }
    }
    Ok(())
}

/// The library's own tests in their short form at a level of optimization that users choose for us: without any, as
/// they build for debugging, and for size (`'s'`).
pub(crate) fn tests_at_level(level: &str, tests: &[&str]) -> Outcome {
    let env = [
        ("CARRYLESS_TEST_QUICK", "1"),
        ("CARGO_TARGET_DIR", "target/opt-level"),
    ];
    // Cargo reads no override of a package from the environment.
    let profile = format!("profile.dev.package.carryless.opt-level={level}");
    let package = ["test", "--package", "carryless", "--all-features"];
    let words = [&package[..], tests, &["--config", &profile]].concat();
    run_with(&env, "cargo", &words)
}
