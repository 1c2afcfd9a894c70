//! `cargo xtask ci`: the test command, and what else must hold on every change.

use std::time::Instant;

use crate::run::{self as exec, Outcome, run_with};
use crate::{asm, assure, builds, layers, test};

/// Everything, in the order of how soon it can fail.
pub(crate) fn run() -> Outcome {
    let began = Instant::now();
    exec::run("cargo", &["fmt", "--all", "--check"])?;
    layers::run()?;
    assure::marks::check()?;
    clippy()?;
    builds::documentation()?;
    asm::check()?;
    builds::msrv()?;
    builds::targets()?;
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
    for level in ["0", "'s'"] {
        let env = [
            ("CARRYLESS_TEST_QUICK", "1"),
            ("CARGO_TARGET_DIR", "target/opt-level"),
        ];
        // Cargo reads no override of a package from the environment.
        let profile = format!("profile.dev.package.carryless.opt-level={level}");
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
                "--config",
                &profile,
            ],
        )?;
    }
    Ok(())
}
