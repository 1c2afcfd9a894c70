//! The layer check: a module of the library uses only modules below it (docs/architecture.md).

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Outcome, root};

/// Modules of the library, the lowest first. Those of one line may use each other.
const LAYERS: &[&[&str]] = &[
    &["block", "secret"],
    &["simd", "field"],
    &["kernel", "soft"],
    &["engine"],
    &["error"],
    &["mode", "env"],
];

/// Crates of the workspace, the lowest first.
const CRATES: &[&str] = &["carryless", "carryless-file", "carryless-cli"];

/// Checks modules and crates.
pub(crate) fn run() -> Outcome {
    control()?;
    let source = root().join("crates/carryless/src");
    let mut faults = Vec::new();
    let mut files = 0;
    for path in rust_files(&source)? {
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let inside = path.strip_prefix(&source).unwrap_or(&path);
        files += 1;
        faults.extend(upward_uses(inside, &text));
    }
    faults.extend(upward_crates()?);
    if files == 0 {
        return Err("no source files found".into());
    }
    if faults.is_empty() {
        println!("layers: {files} files, no upward use");
        return Ok(());
    }
    Err(format!(
        "modules use what is above them:\n{}",
        faults.join("\n")
    ))
}

/// The seeded fault that the check must catch.
fn control() -> Outcome {
    let caught = upward_uses(Path::new("simd/mod.rs"), "use crate::mode::Gcm;").len() == 1;
    let passed = upward_uses(Path::new("mode/gcm.rs"), "use crate::engine::Engine;").is_empty();
    if caught && passed {
        Ok(())
    } else {
        Err("the layer check does not catch an upward use".into())
    }
}

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The uses of higher modules in one file.
fn upward_uses(file: &Path, text: &str) -> Vec<String> {
    let Some(first) = file.components().next() else {
        return Vec::new();
    };
    let module = first
        .as_os_str()
        .to_string_lossy()
        .trim_end_matches(".rs")
        .to_owned();
    // Tests may look at everything; `lib.rs` is above all.
    let exempt = file
        .file_stem()
        .is_some_and(|stem| stem == "tests" || stem == "lib")
        || file.components().any(|part| part.as_os_str() == "tests");
    let Some(own) = rank(&module).filter(|_| !exempt) else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        for used in line.split("crate::").skip(1) {
            let name: String = used
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if rank(&name).is_some_and(|other| other > own) {
                faults.push(format!(
                    "  {}:{}: `{module}` uses `{name}`",
                    file.display(),
                    number + 1
                ));
            }
        }
    }
    faults
}

/// Crates that depend on one above them.
fn upward_crates() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for (rank, name) in CRATES.iter().enumerate() {
        let path = root().join("crates").join(name).join("Cargo.toml");
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for above in &CRATES[rank + 1..] {
            if text
                .lines()
                .any(|line| line.split(['=', '.', ' ']).next() == Some(above))
            {
                faults.push(format!("  crate `{name}` depends on `{above}`"));
            }
        }
    }
    Ok(faults)
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}
