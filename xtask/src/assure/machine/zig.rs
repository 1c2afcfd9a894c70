//! Big-endian Arm, for which there is neither a compiled standard library nor a distribution's C library: zig has musl
//! for it, and the nightly compiler builds the rest.

use std::fs;

use serde_json::Value;

use super::FOLDER;
use crate::assure::evidence::Failure;
use crate::assure::tools;
use crate::run::{output, root};

/// Makes sure that both are there.
pub(super) fn prepare() -> Result<(), Failure> {
    tools::nightly(&["rust-src"])?;
    tools::python("ziglang", "ziglang==0.17.1").map(drop)
}

/// The program that links.
pub(super) fn linker() -> String {
    let script = root().join("xtask/assure/zig_linker.sh");
    script.to_string_lossy().into_owned()
}

/// Programs are static. The peers that tests compare with, and SHA-2, take portable code: on AArch64 their vectors are of little-endian
/// words.
/// rustix calls the C library: of big-endian Arm its build script wants system calls for which its manifest asks nothing.
const FLAGS: &str = r#"-Crelocation-model=static --cfg aes_backend="soft" --cfg polyval_backend="soft" --cfg sha2_backend="soft" --cfg rustix_use_libc"#;

/// What cargo and the linker take from the environment.
pub(super) fn env(triple: &str) -> [(String, String); 4] {
    let python = root().join("target/venv/bin/python");
    [
        ("RUSTUP_TOOLCHAIN", "nightly".into()),
        ("RUSTFLAGS", FLAGS.into()),
        ("ZIG_PYTHON", python.to_string_lossy().into_owned()),
        ("ZIG_TARGET", triple.replace("unknown-", "")),
    ]
    .map(|(name, value)| (name.into(), value))
}

/// Cargo's arguments for a target: the compiler's own with the GNU C library, but for musl and static programs.
pub(super) fn arguments(triple: &str) -> Result<Vec<String>, String> {
    let gnu = triple.replace("musl", "gnu");
    let print = ["-Zunstable-options", "--print", "target-spec-json"];
    let words = [&["+nightly"], &print[..], &["--target", &gnu]].concat();
    let wrong = |error: &dyn core::fmt::Display| format!("the target {gnu}: {error}");
    let text = output("rustc", &words)?;
    let mut spec: Value = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    spec["env"] = "musl".into();
    spec["crt-static-default"] = true.into();
    spec["crt-static-respected"] = true.into();
    let path = root().join(FOLDER.1).join(format!("{triple}.json"));
    fs::create_dir_all(root().join(FOLDER.1))
        .and_then(|()| fs::write(&path, spec.to_string()))
        .map_err(|error| wrong(&error))?;
    let path = path.to_string_lossy().into_owned();
    let std = ["-Zbuild-std", "-Zjson-target-spec", "--target"].map(String::from);
    Ok([&std[..], &[path]].concat())
}
