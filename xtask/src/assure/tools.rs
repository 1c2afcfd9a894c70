//! Programs that checks need, found or installed.

use super::evidence::Failure;
use super::programs;
use crate::run::{command, exclusive, output, root, succeeds};

/// The path of a program of cargo: in `target/tools`, else on the search path, else installed into
/// `target/tools`.
///
/// Without optimization and debug information: they start other programs, and are built sooner so.
pub(super) fn cargo_tool(name: &str, version: &str) -> Result<String, Failure> {
    let own = root().join("target/tools/bin").join(name);
    let own = own.to_string_lossy().into_owned();
    for path in [&own, name] {
        if is_there(path, name) {
            return Ok(path.to_owned());
        }
    }
    println!("installing {name} {version} into target/tools");
    let crate_name = format!("{name}@{version}");
    let place = [
        "--root",
        "target/tools",
        "--target-dir",
        "target/tools/build",
    ];
    let install = ["install", "--debug", "--quiet", "--locked", &crate_name];
    let mut install = command("cargo", &[&install[..], &place].concat());
    let installed = install.env("CARGO_PROFILE_DEV_DEBUG", "0").status();
    if installed.is_ok_and(|status| status.success()) && is_there(&own, name) {
        return Ok(own);
    }
    Err(Failure::NotRun(format!(
        "{name} is not here and could not be installed: cargo install --locked {crate_name}"
    )))
}

/// Some take `--version` by themselves, some behind the word that cargo passes on.
fn is_there(path: &str, name: &str) -> bool {
    let word = name.trim_start_matches("cargo-");
    succeeds(path, &["--version"]) || succeeds(path, &[word, "--version"])
}

/// Makes sure of a nightly toolchain with these components.
pub(super) fn nightly(components: &[&str]) -> Result<(), Failure> {
    let _lock = exclusive("install")?;
    if !succeeds("cargo", &["+nightly", "--version"]) {
        let install = ["toolchain", "install", "nightly", "--profile", "minimal"];
        if !succeeds("rustup", &install) {
            let what = "no nightly toolchain: rustup toolchain install nightly";
            return Err(Failure::NotRun(what.into()));
        }
    }
    for component in components {
        if !succeeds(
            "rustup",
            &["component", "add", "--toolchain", "nightly", component],
        ) {
            let what = format!("rustup component add --toolchain nightly {component}");
            return Err(Failure::NotRun(what));
        }
    }
    Ok(())
}

/// The Python of `target/venv` with a module, by a package of PyPI if need be.
pub(super) fn python(module: &str, package: &str) -> Result<String, Failure> {
    let venv = root().join("target/venv");
    let python = venv.join("bin/python").to_string_lossy().into_owned();
    // Found, not imported: on an older system a script first supplies what it links to.
    let found = format!("import importlib.util as u; assert u.find_spec('{module}')");
    let there = || succeeds(&python, &["-c", &found]);
    let make = || succeeds("python3", &["-m", "venv", &venv.to_string_lossy()]);
    let install = ["-m", "pip", "install", "--quiet", package];
    let _lock = exclusive("venv")?;
    // Debian has the module venv in a package of its own.
    let made = || make() || programs::install(&["python3", "python3-venv"]) && make();
    if there() || made() && succeeds(&python, &install) && there() {
        return Ok(python);
    }
    let what = format!("no {module}: target/venv/bin/python -m pip install {package}");
    Err(Failure::NotRun(what))
}

/// The name of this machine's platform, as the compiler has it.
pub(super) fn host() -> Result<String, String> {
    let version = output("rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(String::from)
        .ok_or("the compiler does not say its host".into())
}
