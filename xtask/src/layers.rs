//! The layer check: a module of the library uses only modules below it (docs/architecture.md).

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Outcome, root};

/// Modules of the library, the lowest first. Those of one line may use each other.
const LAYERS: &[&[&str]] = &[
    &["block", "secret", "unrolled"],
    &["simd", "field"],
    &["kernel", "soft", "asm"],
    &["engine"],
    &["error"],
    &["mode", "env"],
];

/// Crates of the workspace, the lowest first.
const CRATES: &[&str] = &[
    "carryless",
    "carryless-file",
    "carryless-cli",
    "carryless-assure",
];

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

/// The seeded faults that the check must catch, and what it must let pass.
fn control() -> Outcome {
    let faults = [
        ("simd/mod.rs", "use crate::mode::Gcm;"),
        (
            "kernel/gcm.rs",
            "use crate::{block::Block, engine::Engine};",
        ),
        ("engine/list.rs", "fn f() -> crate::Gcm<Aes128> {}"),
        (
            "simd/x86_64/v128.rs",
            "use super::super::super::engine::Engine;",
        ),
        ("mystery.rs", "fn f() {}"),
    ];
    let missed = faults
        .iter()
        .find(|(file, text)| upward_uses(Path::new(file), text).is_empty());
    if let Some((file, text)) = missed {
        return Err(format!("the layer check does not catch `{text}` in {file}"));
    }
    let fine = upward_uses(
        Path::new("mode/gcm.rs"),
        "use crate::engine::Engine;\nuse super::limits;",
    );
    if fine.is_empty() {
        Ok(())
    } else {
        Err("the layer check rejects a downward use".into())
    }
}

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The uses of higher modules in one file.
fn upward_uses(file: &Path, text: &str) -> Vec<String> {
    let parts: Vec<String> = file
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let Some(module) = parts.first().map(|first| first.trim_end_matches(".rs")) else {
        return Vec::new();
    };
    // Tests may look at everything; `lib.rs` is above all.
    let exempt = parts
        .iter()
        .any(|part| ["tests", "tests.rs", "lib.rs"].contains(&part.as_str()));
    if exempt {
        return Vec::new();
    }
    let Some(own) = rank(module) else {
        return vec![format!(
            "  {}: module `{module}` has no layer in xtask/src/layers.rs",
            file.display()
        )];
    };
    // As many `super` as there are modules above this one lead to the root.
    let depth = parts.len() - usize::from(file.ends_with("mod.rs"));
    let root = "super::".repeat(depth);
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line
            .split("//")
            .next()
            .unwrap_or_default()
            .replace(&root, "crate::");
        for name in code.split("crate::").skip(1).flat_map(names) {
            // What is not a module is a re-export of the root, which is above all.
            if rank(&name).is_none_or(|other| other > own) && name != "crate" {
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

/// The first names of a path, or of each path in braces.
fn names(path: &str) -> Vec<String> {
    let first = |path: &str| -> String {
        path.trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = path.strip_prefix('{') else {
        return vec![first(path)];
    };
    let mut depth = 0;
    let mut found = Vec::new();
    for piece in group.split_inclusive(['{', '}', ',']) {
        if depth == 0 {
            found.push(first(piece));
        }
        depth += i32::from(piece.ends_with('{')) - i32::from(piece.ends_with('}'));
    }
    found.retain(|name| !name.is_empty());
    found
}

/// Crates that depend on one above them.
fn upward_crates() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for (rank, name) in CRATES.iter().enumerate() {
        let path = root().join("crates").join(name).join("Cargo.toml");
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for above in &CRATES[rank + 1..] {
            if text.lines().any(|line| {
                line.trim_start_matches("[dependencies.")
                    .split(['=', '.', ' ', ']'])
                    .next()
                    == Some(above)
            }) {
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
