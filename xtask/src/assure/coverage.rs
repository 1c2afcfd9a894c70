//! F3: how much of the code the tests reach, by counting its lines.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::evidence::{Evidence, Failure, Verdict};
use super::tools::cargo_tool;
use crate::builds;
use crate::run::{command, output, root};

/// Of a hundred lines of the library, the tests must run so many.
const LINES_PERCENT: f64 = 95.0;

/// A package with a function that its test runs and looks at, and one that it does not know.
const SEEDED: &str = "pub fn known(n: u32) -> bool {\n    n > 5\n}\n\npub fn unknown(n: u32) -> bool {\n    n > 5\n}\n\n\
                      #[test]\nfn five_is_not_above_five() {\n    assert!(!known(5) && known(6) && !known(4));\n}\n";

/// Counts the lines that the tests run, by crate (`cargo llvm-cov`).
pub(super) fn f3() -> Verdict {
    let tool = cargo_tool("cargo-llvm-cov", "0.9.0")?;
    output("rustup", &["component", "add", "llvm-tools"]).map_err(Failure::NotRun)?;
    let control = coverage(&tool, &seeded("coverage")?, &[])?;
    let (covered, lines) = control.values().next().copied().unwrap_or_default();
    if covered == 0 || covered >= lines {
        return Err(Failure::Failed(format!(
            "{covered} of {lines} lines of which some never run"
        )));
    }
    let mut evidence = Evidence::default();
    evidence.controls.push(format!(
        "a function without a test: caught: {covered} of {lines} lines run"
    ));
    for (name, (covered, lines)) in coverage(&tool, &root(), &["--workspace", "--all-features"])? {
        let percent = 100.0 * covered as f64 / lines.max(1) as f64;
        let line = format!("{name}: {covered} of {lines} lines run, {percent:.1} %");
        if name == "carryless" && percent < LINES_PERCENT {
            return Err(Failure::Failed(format!(
                "{line}; {LINES_PERCENT} % are wanted"
            )));
        }
        evidence.lines.push(line);
    }
    Ok(evidence)
}

/// Lines run and lines there are, of the sources of each crate but for their tests.
fn coverage(
    tool: &str,
    folder: &PathBuf,
    packages: &[&str],
) -> Result<BTreeMap<String, (u64, u64)>, Failure> {
    let args = [
        "llvm-cov",
        "--json",
        "--summary-only",
        "--output-path",
        "target/coverage.json",
    ];
    let result = command(tool, &[&args[..], packages].concat())
        .current_dir(folder)
        .envs([builds::QUICK])
        .output()
        .map_err(|error| format!("{tool}: {error}"))?;
    if !result.status.success() {
        return Err(Failure::Failed(
            String::from_utf8_lossy(&result.stderr).into_owned(),
        ));
    }
    let text = fs::read_to_string(folder.join("target/coverage.json"))
        .map_err(|error| error.to_string())?;
    let report: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let files = report["data"][0]["files"]
        .as_array()
        .ok_or_else(|| String::from("no files"))?;
    let mut crates: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for file in files {
        let name = file["filename"].as_str().unwrap_or_default();
        let count = |what: &str| file["summary"]["lines"][what].as_u64().unwrap_or_default();
        let of_tests =
            name.contains("/tests/") || name.ends_with("/tests.rs") || name.contains("/xtask/");
        if let (Some((package, _)), false) = (name.rsplit_once("/src/"), of_tests) {
            let package = package.rsplit('/').next().unwrap_or(package);
            let sum = crates.entry(package.into()).or_default();
            *sum = (sum.0 + count("covered"), sum.1 + count("count"));
        }
    }
    Ok(crates)
}

/// Writes the seeded package into a folder of this name; that folder.
pub(super) fn seeded(name: &str) -> Result<PathBuf, String> {
    let folder = root().join("target/assure").join(name);
    let manifest =
        "[package]\nname = \"seeded\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
    fs::create_dir_all(folder.join("src"))
        .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(folder.join("src/lib.rs"), SEEDED))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}
