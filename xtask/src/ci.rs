//! `cargo xtask ci`: the test command, and what else must hold on every change.

use std::time::Instant;

use crate::run::{self as exec, Outcome, output, run_with, succeeds};
use crate::{asm, assure, layers, test};

/// The oldest compiler that must build the workspace, as in Cargo.toml.
const MSRV: &str = "1.89.0";

/// Targets of the library that are checked without being run, with the features they have.
const TARGETS: &[(&str, &str)] = &[
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

/// Everything, in the order of how soon it can fail.
pub(crate) fn run() -> Outcome {
    let began = Instant::now();
    exec::run("cargo", &["fmt", "--all", "--check"])?;
    layers::run()?;
    assure::marks::check()?;
    clippy()?;
    run_with(
        &[("RUSTDOCFLAGS", "-Dwarnings")],
        "cargo",
        &["doc", "--workspace", "--no-deps", "--all-features"],
    )?;
    asm::check()?;
    msrv()?;
    targets()?;
    build_time()?;
    test::run()?;
    optimization_levels()?;
    assure::beside_tests()?;
    println!(
        "\nci: all of it passed in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

fn clippy() -> Outcome {
    let deny = ["--", "-Dwarnings"];
    exec::run(
        "cargo",
        &[
            &["clippy", "--workspace", "--all-targets", "--all-features"],
            &deny[..],
        ]
        .concat(),
    )?;
    exec::run(
        "cargo",
        &[
            &["clippy", "--package", "carryless", "--no-default-features"],
            &deny[..],
        ]
        .concat(),
    )
}

/// The workspace under the oldest compiler.
fn msrv() -> Outcome {
    let toolchain = format!("+{MSRV}");
    if !succeeds("cargo", &[&toolchain, "--version"]) {
        exec::run(
            "rustup",
            &["toolchain", "install", MSRV, "--profile", "minimal"],
        )?;
    }
    let args = [
        "check",
        "--workspace",
        "--all-features",
        "--target-dir",
        "target/msrv",
    ];
    exec::run("cargo", &[&[toolchain.as_str()], &args[..]].concat())
}

/// The library for other systems, as far as a type check goes, with wasm's vectors on and off.
fn targets() -> Outcome {
    let installed = output("rustup", &["target", "list", "--installed"])?;
    for (target, features) in TARGETS {
        if !installed.lines().any(|line| line == *target) {
            exec::run("rustup", &["target", "add", target])?;
        }
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
    }
    Ok(())
}

/// From nothing; the figure is printed, not judged, as the machine may be busy.
fn build_time() -> Outcome {
    let dir = "target/build-time";
    let _ = std::fs::remove_dir_all(crate::run::root().join(dir));
    println!("\nthe library from nothing, its default features:");
    exec::run(
        "cargo",
        &[
            "build",
            "--release",
            "--package",
            "carryless",
            "--target-dir",
            dir,
        ],
    )
}

/// The library's own tests without optimization and for size: users choose these for us.
fn optimization_levels() -> Outcome {
    for level in ["0", "s"] {
        let env = [
            ("CARGO_PROFILE_DEV_PACKAGE_CARRYLESS_OPT_LEVEL", level),
            ("CARRYLESS_TEST_QUICK", "1"),
            ("CARGO_TARGET_DIR", "target/opt-level"),
        ];
        run_with(
            &env,
            "cargo",
            &[
                "test",
                "--package",
                "carryless",
                "--all-features",
                "--lib",
                "--tests",
            ],
        )?;
    }
    Ok(())
}
