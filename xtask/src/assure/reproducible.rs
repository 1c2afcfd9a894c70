//! The program is the same, byte for byte, wherever it is built.

use std::fs;
use std::path::{Path, PathBuf};

use super::evidence::Failure;
use crate::run::{command, output, root};

/// Where the copies of the sources go: paths of different lengths.
const PLACES: [&str; 2] = ["target/assure/repro/a", "target/assure/repro/another-place"];

/// A program to build.
struct Program<'p> {
    package: &'p str,
    name: &'p str,
    /// The value of `STAMP` in the build's environment, for each place.
    stamps: [&'p str; 2],
}

/// Builds `carryless` in two places; what its digest is.
pub(super) fn command_line() -> Result<String, Failure> {
    let tracked = output(
        "git",
        &["ls-files", "--cached", "--others", "--exclude-standard"],
    )?;
    for place in PLACES {
        let folder = clean(place)?;
        // The corpora of the fuzz targets are no part of any build.
        for file in tracked.lines().filter(|file| !file.starts_with("fuzz/")) {
            let (from, to) = (root().join(file), folder.join(file));
            // A file that was deleted may still be in the index.
            if from.exists() {
                copy(&from, &to)?;
            }
        }
    }
    let program = Program {
        package: "carryless-cli",
        name: "carryless",
        stamps: [""; 2],
    };
    let [one, other] = program.build()?;
    if one != other {
        return Err(Failure::Failed(format!(
            "two builds of carryless differ: {}, kept in {}",
            difference(&one, &other),
            PLACES.join(" and ")
        )));
    }
    let path = Path::new(PLACES[0]).join("target/release/carryless");
    let digest = digest(&path);
    for place in PLACES {
        clean(place)?;
    }
    Ok(format!(
        "reproducible: two release builds of carryless, in two folders: {} equal bytes, {digest}",
        one.len()
    ))
}

/// The seeded fault: a build that takes something of its environment into the program; without it
/// the same program must come out equal.
pub(super) fn controls() -> Result<Vec<String>, Failure> {
    for place in PLACES {
        let folder = clean(place)?;
        let manifest =
            "[package]\nname = \"seeded\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
        let source = "fn main() { println!(\"{}\", env!(\"STAMP\")) }\n";
        fs::create_dir_all(folder.join("src"))
            .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
            .and_then(|()| fs::write(folder.join("src/main.rs"), source))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let program = |stamps| Program {
        package: "seeded",
        name: "seeded",
        stamps,
    };
    let [one, other] = program(["Monday", "Monday"]).build()?;
    if one != other {
        return Err(Failure::Failed(
            "the control differs without its fault".into(),
        ));
    }
    let [one, other] = program(["Monday", "Friday"]).build()?;
    if one == other {
        return Err(Failure::Failed(
            "a stamp of the environment went unnoticed".into(),
        ));
    }
    let caught = format!(
        "a stamp of the environment: caught: {}",
        difference(&one, &other)
    );
    Ok(vec![caught])
}

impl Program<'_> {
    /// The bytes of the program of each place.
    fn build(&self) -> Result<[Vec<u8>; 2], String> {
        let mut built = [Vec::new(), Vec::new()];
        for ((place, stamp), bytes) in PLACES.iter().zip(self.stamps).zip(&mut built) {
            let folder = root().join(place);
            let args = ["build", "--quiet", "--release", "--package", self.package];
            let result = command("cargo", &args)
                .current_dir(&folder)
                .env("CARGO_TARGET_DIR", folder.join("target"))
                .env("STAMP", stamp)
                .output()
                .map_err(|error| format!("cannot run cargo: {error}"))?;
            if !result.status.success() {
                return Err(String::from_utf8_lossy(&result.stderr).into_owned());
            }
            let path = folder.join("target/release").join(self.name);
            *bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(built)
    }
}

/// An empty folder.
fn clean(place: &str) -> Result<PathBuf, String> {
    let folder = root().join(place);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(from, to))
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", from.display()))
}

fn difference(one: &[u8], other: &[u8]) -> String {
    let differing = one.iter().zip(other).filter(|(a, b)| a != b).count();
    format!(
        "{} and {} bytes, {differing} of them differ",
        one.len(),
        other.len()
    )
}

/// SHA-256 by the system's own program.
fn digest(path: &Path) -> String {
    let path = path.to_string_lossy();
    let sum = output("sha256sum", &[&path]).or_else(|_| output("shasum", &["-a", "256", &path]));
    match sum {
        Ok(line) => format!("SHA-256 {}", line.split(' ').next().unwrap_or_default()),
        Err(_) => "no program for SHA-256 here".into(),
    }
}
