//! `cargo xtask bench`: carryless beside its peers, in one process; `bench files`: the file tool beside
//! other programs.

use crate::run::{self, Outcome, root};
use crate::test::interop_python;

/// Builds the peers benchmark with our adapter, outside the repository, and runs it.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let peers = root().join("../shared/bench/peers/measure.sh");
    if !peers.exists() {
        return Err("the peers benchmark is not on this machine (../shared/bench/peers); `carryless bench` compares the engines alone".into());
    }
    let (script, library) = (
        peers.to_string_lossy().into_owned(),
        root()
            .join("crates/carryless")
            .to_string_lossy()
            .into_owned(),
    );
    let adapter = root()
        .join("bench/peer_carryless.rs")
        .to_string_lossy()
        .into_owned();
    let fixed = [script.as_str(), "--crate", &library, "--adapter", &adapter];
    run::run("bash", &[&fixed[..], args].concat())
}

/// Builds the program, and times it beside `cp` and whatever else of its kind this machine has.
pub(crate) fn files(args: &[&str]) -> Outcome {
    run::run(
        "cargo",
        &["build", "--release", "--package", "carryless-cli"],
    )?;
    let python = interop_python().unwrap_or_else(|| "python3".into());
    run::run(&python, &[&["bench/files.py"], args].concat())
}
