//! `cargo xtask bench modes`: the modes beside those of other libraries, and docs/performance-modes.md from that.

use std::fs;

use super::machine;
use crate::run::{self, Outcome, output, root};

const PAGE: &str = "docs/performance-modes.md";
/// What is above it is written by hand.
const MARK: &str = "<!-- below: written by cargo xtask bench modes -->\n";
/// What is hidden in each run, and what the libraries are left with.
const RUNS: [(Option<&str>, &str); 3] = [
    (None, "The whole CPU"),
    (Some("avx512"), "Without AVX-512"),
    (Some("vaes"), "Without VAES: AES-NI and PCLMULQDQ alone"),
];

/// `bench modes`: the page. `bench modes [--without vaes|avx512] -- ARGS`: the tables of one run, ARGS for the benchmark.
pub(crate) fn run(args: &[&str]) -> Outcome {
    match args {
        [] => page(),
        ["--", rest @ ..] => print(None, rest),
        ["--without", what @ ("vaes" | "avx512"), "--", rest @ ..] => print(Some(what), rest),
        _ => Err("bench modes, or bench modes [--without vaes|avx512] -- ARGS".into()),
    }
}

fn print(without: Option<&str>, args: &[&str]) -> Outcome {
    build()?;
    println!("{}", tables(without, args)?);
    Ok(())
}

/// Builds the benchmark, which is not of the workspace, with the libraries that it measures.
fn build() -> Outcome {
    let manifest = ["--manifest-path", "bench/modes/Cargo.toml"];
    let target = ["--target-dir", "target/bench-modes"];
    let args = [&["build", "--release"], &manifest[..], &target].concat();
    run::run("cargo", &args)
}

/// One run.
fn tables(without: Option<&str>, args: &[&str]) -> Result<String, String> {
    let program = ["target/bench-modes/release/modes"];
    match without {
        None => output(program[0], args),
        Some(what) => {
            let hidden = ["bench/without.py", what];
            output("python3", &[&hidden[..], &program, args].concat())
        }
    }
}

/// Measures all that the page shows, and writes what is below the mark anew.
fn page() -> Outcome {
    let shown = |error| format!("{PAGE}: {error}");
    let page = fs::read_to_string(root().join(PAGE)).map_err(shown)?;
    let Some((by_hand, _)) = page.split_once(MARK) else {
        return Err(format!("{PAGE} is without the line `{}`", MARK.trim()));
    };
    build()?;
    let machine = machine(None, &[])?;
    let mut page = format!(
        "{by_hand}{MARK}\nMachine: {}, {} cores; {}; commit {}; {}.\n",
        machine.cpu, machine.cores, machine.rustc, machine.commit, machine.date
    );
    for (without, title) in RUNS {
        println!("{title}");
        page += &format!("\n## {title}\n\n{}", tables(without, &[])?);
    }
    fs::write(root().join(PAGE), page).map_err(shown)
}
