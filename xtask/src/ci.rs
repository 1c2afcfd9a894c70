//! `cargo xtask ci`: the test command, and what else must hold on every change, within an hour on two cores.
//! `cargo xtask asm` is in it as a part of M5.

use std::time::Instant;

use crate::run::{self as exec, Outcome, run_with};
use crate::{assure, builds, layers, test};

/// Everything, in the order of how soon it can fail.
pub(crate) fn run() -> Outcome {
    let began = Instant::now();
    exec::run("cargo", &["fmt", "--all", "--check"])?;
    layers::run()?;
    assure::marks::check()?;
    clippy()?;
    builds::documentation()?;
    builds::msrv()?;
    builds::targets()?;
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

/// The library's own tests without optimization and for size: users choose these for us. For size it is a build of
/// minutes, of the library alone: those from within it are left out.
fn optimization_levels() -> Outcome {
    for (level, tests) in [("0", &["--lib", "--tests"][..]), ("'s'", &["--test", "*"])] {
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
                &["test", "--package", "carryless", "--all-features"],
                tests,
                &["--config", &profile],
            ]
            .concat(),
        )?;
    }
    Ok(())
}
