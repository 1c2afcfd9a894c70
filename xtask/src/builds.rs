//! The builds that must go through: the oldest compiler, other systems, the documentation.

use crate::programs::{self, Program};
use crate::run::{self as exec, Outcome, exclusive, output, run_with, succeeds};

/// The oldest compiler that must build the workspace, as in Cargo.toml.
pub(crate) const MSRV: &str = "1.89.0";

/// Targets of the library that are checked without being run, by what cargo does for them and the features they have.
pub(crate) const TARGETS: [(&str, &str, &[&str]); 4] = [
    (
        "check",
        "std,aead,getrandom,hazmat,lea,sgcm",
        &[
            "aarch64-unknown-linux-gnu",
            "aarch64-linux-android",
            "armv7-linux-androideabi",
            "aarch64-apple-darwin",
            "aarch64-apple-ios",
            "aarch64-pc-windows-msvc",
            // One of those whose CPUs `std` knows how to ask.
            "aarch64-unknown-fuchsia",
            "x86_64-apple-darwin",
            "x86_64-pc-windows-msvc",
            "s390x-unknown-linux-gnu",
            "wasm32-wasip1",
        ],
    ),
    ("check", "aead,hazmat,lea,sgcm", &["wasm32-unknown-unknown"]),
    // Compiled to the end: what a CPU lacks shows only there.
    ("build", "aead,hazmat,lea,sgcm", BARE),
    ("build", "std,aead,getrandom,hazmat,lea,sgcm", ASSEMBLED),
];

/// Those without an operating system, for which neither `std` nor allocation is.
pub(crate) const BARE: &[&str] = &["thumbv7em-none-eabihf", "x86_64-unknown-none"];

/// Those with assembly, which is looked at when it is compiled: in Arm and in Thumb state.
const ASSEMBLED: &[&str] = &[
    "armv7-unknown-linux-gnueabihf",
    "thumbv7neon-unknown-linux-gnueabihf",
];

/// Those for which the file library is checked: each system, as it knows no CPU, and 32 bits.
const OF_FILES: [&str; 4] = [
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "wasm32-wasip1",
    "armv7-unknown-linux-gnueabihf",
];

/// One more without an operating system, with engines of its own: for it the library is built without optimization.
pub(crate) const UNOPTIMIZED: [&str; 1] = ["aarch64-unknown-none"];

/// The documentation, without a warning.
pub(crate) fn documentation() -> Outcome {
    run_with(
        &[("RUSTDOCFLAGS", "-Dwarnings")],
        "cargo",
        &["doc", "--workspace", "--no-deps", "--all-features"],
    )
}

/// The workspace under the oldest compiler, and the library with assembly.
pub(crate) fn msrv() -> Outcome {
    let toolchain = format!("+{MSRV}");
    let lock = exclusive("install")?;
    if !succeeds("cargo", &[&toolchain, "--version"]) {
        exec::run(
            "rustup",
            &["toolchain", "install", MSRV, "--profile", "minimal"],
        )?;
    }
    let assembled = ASSEMBLED[0];
    exec::run("rustup", &["target", "add", "--toolchain", MSRV, assembled])?;
    drop(lock);
    let folder = ["--target-dir", "target/msrv"];
    let check = ["check", "--workspace", "--all-features"];
    exec::run(
        "cargo",
        &[&[toolchain.as_str()], &check[..], &folder].concat(),
    )?;
    // What a compiler says of assembly, it says when it compiles.
    let build = ["build", "--package", "carryless", "--target", assembled];
    exec::run(
        "cargo",
        &[&[toolchain.as_str()], &build[..], &folder].concat(),
    )
}

/// The compiler and its version.
pub(crate) fn compiler() -> Result<String, String> {
    Ok(output("rustc", &["--version"])?.trim().to_owned())
}

/// The variable by which cargo learns of a target's linker.
pub(crate) fn linker_variable(target: &str) -> String {
    let name = target.to_uppercase().replace('-', "_");
    format!("CARGO_TARGET_{name}_LINKER")
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
    for (verb, features, targets) in TARGETS {
        for target in targets {
            add_target(target)?;
        }
        check_for(&[], &[verb], features, targets)?;
        let wasm = targets.iter().filter(|target| target.starts_with("wasm32"));
        for target in wasm {
            let vectors = [("RUSTFLAGS", "-Ctarget-feature=+simd128")];
            check_for(&vectors, &[verb], features, &[target])?;
        }
        let of_files: Vec<&str> = targets
            .iter()
            .copied()
            .filter(|target| OF_FILES.contains(target))
            .collect();
        if !of_files.is_empty() {
            let file = ["check", "--package", "carryless-file"];
            exec::run("cargo", &[&file[..], &place(&of_files)].concat())?;
        }
    }
    // What a user's debug build has, which is another one than ours.
    let [target] = UNOPTIMIZED;
    add_target(target)?;
    let build = ["build", "--config", &at_level("0")];
    check_for(&[], &build, "aead,hazmat,lea,sgcm", &UNOPTIMIZED)
}

/// The library with these features for these targets, at once.
fn check_for(env: &[(&str, &str)], verb: &[&str], features: &str, targets: &[&str]) -> Outcome {
    let library = ["--package", "carryless", "--no-default-features"];
    let args = [verb, &library, &["--features", features], &place(targets)].concat();
    run_with(env, "cargo", &args)
}

/// Arguments of cargo for these targets.
fn place<'t>(targets: &[&'t str]) -> Vec<&'t str> {
    let mut args = vec!["--target-dir", "target/targets"];
    args.extend(targets.iter().flat_map(|target| ["--target", *target]));
    args
}

/// The library at a level of optimization, as cargo's configuration has it: from the environment it reads none of a package.
fn at_level(level: &str) -> String {
    format!("profile.dev.package.carryless.opt-level={level}")
}

/// The library's public tests in their short form, as users build for size.
pub(crate) fn tests_for_size() -> Outcome {
    let words = ["--package", "carryless", "--all-features", "--test", "*"];
    short_tests(&[], &[&["--config", &at_level("'s'")], &words[..]].concat())
}

/// The same without any optimization, as users build for debugging, but for the engines that no 64-bit CPU chooses: a hundred times
/// slower than with optimization, they are in the library's own tests.
///
/// * `but`: parts of the names of tests that are left out.
pub(crate) fn unoptimized_public_tests(but: &[&str]) -> Outcome {
    const CHOSEN: (&str, &str) = (
        "CARRYLESS_TEST_ENGINE",
        "-soft64:words,soft32,soft32:narrow",
    );
    let profile = at_level("0");
    let package = ["--package", "carryless", "--all-features", "--test", "*"];
    let skipped = but.iter().flat_map(|name| ["--skip", *name]);
    let words = ["--config", &profile].into_iter().chain(package);
    let words = words.chain(["--"]).chain(skipped);
    short_tests(&[CHOSEN], &Vec::from_iter(words))
}

/// The library's own tests, and those of the choice of engine, without any feature.
pub(crate) fn tests_without_features() -> Outcome {
    let package = ["--package", "carryless", "--no-default-features"];
    short_tests(
        &[],
        &[&package[..], &["--lib", "--test", "engines"]].concat(),
    )
}

/// The library's own tests without optimization, but with all entries.
pub(crate) fn tests_of_all_entries() -> Result<Program, String> {
    let words = ["--package", "carryless", "--all-features", "--lib"];
    unoptimized_tests("--cfg carryless_whole", &words)
}

/// The tests of the command on engines whose self-test fails, which no build that ships can be told to do.
pub(crate) fn tests_of_failing_engines() -> Result<Program, String> {
    let words = ["--package", "carryless-cli", "--test", "heeded"];
    unoptimized_tests("--cfg carryless_failing", &words)
}

/// A program of tests with the library as these flags have it, without optimization.
fn unoptimized_tests(flags: &str, words: &[&str]) -> Result<Program, String> {
    let profile = at_level("0");
    let words = [words, &["--config", &profile]].concat();
    let built = programs::build(&words, &[OWN_FOLDER, ("RUSTFLAGS", flags)])?;
    let tests = built.into_iter().find(|program| program.is_test);
    tests.ok_or_else(|| format!("cargo built no tests with {flags}"))
}

/// That the tests compile elsewhere, all of them: what they need of x86-64 shows on any other.
pub(crate) fn tests_elsewhere() -> Outcome {
    let target = "s390x-unknown-linux-gnu";
    add_target(target)?;
    let tests = ["check", "--tests", "--all-features"];
    let packages = ["--package", "carryless", "--package", "carryless-file"];
    exec::run(
        "cargo",
        &[&tests[..], &packages, &place(&[target])].concat(),
    )
}

/// Where builds of another kind do not take the place of the usual ones.
const OWN_FOLDER: (&str, &str) = ("CARGO_TARGET_DIR", "target/opt-level");

/// What asks tests for their short form.
pub(crate) const QUICK: (&str, &str) = ("CARRYLESS_TEST_QUICK", "1");

/// `cargo test` with these words, tests in their short form.
fn short_tests(env: &[(&str, &str)], words: &[&str]) -> Outcome {
    run_with(
        &[&[QUICK], env].concat(),
        "cargo",
        &[&["test"], words].concat(),
    )
}
