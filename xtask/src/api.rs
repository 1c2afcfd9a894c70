//! `cargo xtask check api`: the public interface of the library and of the file formats is what is committed.
//!
//! The compiler describes it (rustdoc's JSON, whose form changes with the compiler), the crate `public-api` puts it into
//! lines, and `xtask/api/NAME.txt` holds them.

use std::fs;
use std::path::PathBuf;

use crate::run::{Outcome, command, root};

/// The crates that others build on.
const CRATES: [&str; 2] = ["carryless", "carryless-file"];

/// Lines of a difference that are shown.
const SHOWN: usize = 20;

/// Checks the interfaces against what is committed.
pub(crate) fn check() -> Outcome {
    control()?;
    let mut lines = 0;
    for name in CRATES {
        let path = committed(name);
        let before = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let now = interface(name)?;
        let faults = differences(&before, &now);
        if !faults.is_empty() {
            let shown = faults[..faults.len().min(SHOWN)].join("\n");
            return Err(format!(
                "the public interface of {name} is another in {} lines:\n{shown}\nif that is meant: cargo xtask api --update",
                faults.len()
            ));
        }
        lines += now.lines().count();
    }
    println!("api: {lines} lines of public interface as committed");
    Ok(())
}

/// Writes them as they are.
pub(crate) fn update() -> Outcome {
    for name in CRATES {
        let path = committed(name);
        fs::write(&path, interface(name)?).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn committed(name: &str) -> PathBuf {
    root().join("xtask/api").join(format!("{name}.txt"))
}

/// The public interface of a crate with all its features, an item a line.
fn interface(name: &str) -> Result<String, String> {
    let target = root().join("target/api");
    let folder = target.to_string_lossy().into_owned();
    let mut rustdoc = command(
        "cargo",
        &[
            "rustdoc",
            "--quiet",
            "--package",
            name,
            "--lib",
            "--all-features",
            "--target-dir",
            &folder,
            "--",
            "-Zunstable-options",
            "--output-format",
            "json",
        ],
    );
    // The form is not stable: the released compiler writes it on request.
    let output = rustdoc.env("RUSTC_BOOTSTRAP", "1").output();
    let output = output.map_err(|error| format!("cargo rustdoc: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo rustdoc of {name}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let json = target
        .join("doc")
        .join(format!("{}.json", name.replace('-', "_")));
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build();
    let api = api.map_err(|error| format!("{name}: {error}"))?.to_string();
    Ok(without_private_modules(&api))
}

/// `carryless::Partial` for `carryless::mode::segment::Partial`: where an item of the library lies inside is nobody's concern.
fn without_private_modules(api: &str) -> String {
    const PRIVATE: [&str; 3] = ["engine", "mode", "simd"];
    let is_module = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase());
    let mut parts = api.split("carryless::");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += "carryless::";
        let mut rest = part;
        let private = part
            .split_once("::")
            .filter(|(word, _)| PRIVATE.contains(word));
        if private.is_some() {
            while let Some((_, behind)) = rest.split_once("::").filter(|(word, _)| is_module(word))
            {
                rest = behind;
            }
        }
        text += rest;
    }
    text
}

/// Lines that are gone, and those that came.
fn differences(before: &str, now: &str) -> Vec<String> {
    let missing = |of: &str, from: &str, sign: char| -> Vec<String> {
        let there: std::collections::BTreeSet<_> = from.lines().collect();
        let lines = of.lines().filter(|line| !there.contains(line));
        lines.map(|line| format!("  {sign} {line}")).collect()
    };
    [missing(before, now, '-'), missing(now, before, '+')].concat()
}

/// A function that is gone, one that came and one that changed are noticed.
fn control() -> Outcome {
    let before = "pub fn a()\npub fn b(u8)\n";
    let caught = [
        "pub fn a()\n",
        "pub fn a()\npub fn b(u8)\npub fn c()\n",
        "pub fn a()\npub fn b(u16)\n",
    ]
    .iter()
    .all(|now| !differences(before, now).is_empty());
    let short = without_private_modules("a carryless::mode::x::B, carryless::error::C");
    if caught
        && differences(before, before).is_empty()
        && short == "a carryless::B, carryless::error::C"
    {
        Ok(())
    } else {
        Err("the check of the interface does not catch its controls".into())
    }
}
