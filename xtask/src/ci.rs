//! `cargo xtask ci`: the test command, and what else must hold on every change, within an hour on two cores.
//! `cargo xtask asm` is in it as a part of M5. What cannot run on its machine fails it, unless named.

use std::time::Instant;

use crate::run::{self as exec, Outcome};
use crate::{assure, builds, checks, count, layers, test};

/// Everything, in the order of how soon it can fail.
pub(crate) fn run() -> Outcome {
    let began = Instant::now();
    let without = assure::Without::from_env()?;
    exec::run("cargo", &["fmt", "--all", "--check"])?;
    layers::run()?;
    assure::marks::check()?;
    let mut left_out = without.prepare()?;
    checks::run()?;
    test::run()?;
    key_first()?;
    left_out.extend(assure::beside_tests(&without)?);
    // By the emulator of T2.
    if without.names("T2") {
        left_out.push("the counts of instructions on Arm".into());
    } else {
        count::check()?;
    }
    let what = match left_out.len() {
        0 => "all of it".into(),
        parts => format!("all but {parts}"),
    };
    let seconds = began.elapsed().as_secs_f64();
    println!("\nci: {what} passed in {seconds:.0} s");
    for part in left_out {
        println!("ci: left out, as {} allows: {part}", assure::WITHOUT);
    }
    Ok(())
}

/// The tests of kernels whose rounds add the key first, as on Arm, in plain integers: a CPU of here runs no others of that kind.
fn key_first() -> Outcome {
    let began = Instant::now();
    let mut tests = builds::tests_of_all_entries()?.command();
    tests.envs([builds::QUICK]).arg("key_first");
    let ran = assure::programs::run(&mut tests)?;
    println!(
        "\nrounds that add the key first: {} tests passed in {:.0} s",
        ran.tests,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
