//! S1: what the dependencies may be.

use std::env;
use std::fs;
use std::path::PathBuf;

use super::evidence::{Evidence, Failure, Verdict};
use super::tools::cargo_tool;
use super::{Tier, report};
use crate::run::{command, output, root};

/// Manifests of workspaces of their own.
const WORKSPACES: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];
const CHECKS: [&str; 3] = ["bans", "licenses", "sources"];

/// All that is judged, and by what, as git names it.
const JUDGED: [&str; 5] = [
    ":(glob)**/Cargo.toml",
    "Cargo.lock",
    "fuzz/Cargo.lock",
    "deny.toml",
    "xtask/src/assure/supply.rs",
];
/// Git's name of a tree without files.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Licenses, duplicates and sources by `deny.toml`; advisories if their database is here. On each change the recorded verdict
/// on the first three, if it is of the same files: the tool takes longer to build than most checks to run.
pub(super) fn s1(tier: Tier) -> Verdict {
    let recorded = || (tier == Tier::Quick).then(as_recorded).flatten();
    recorded().map_or_else(judge, Ok)
}

/// What was recorded of the files as they are.
fn as_recorded() -> Option<Evidence> {
    let recorded = report::recorded();
    let passed = |entry: &&serde_json::Value| entry["id"] == "S1" && entry["result"] == "passed";
    let commit = recorded.iter().find(passed)?["commit"].as_str()?;
    let same = !differs_from(commit)?;
    (same && differs_from(EMPTY_TREE)?).then(|| Evidence {
        lines: vec![format!(
            "manifests, lock files and deny.toml are as at {commit}, for which it passed"
        )],
        controls: vec!["a tree without them: caught: they differ".into()],
        ..Evidence::default()
    })
}

/// Whether what is judged is another than in a tree; `None` if git does not know the tree.
fn differs_from(tree: &str) -> Option<bool> {
    let mut diff = command(
        "git",
        &[&["diff", "--quiet", tree, "--"][..], &JUDGED].concat(),
    );
    match diff.output().ok()?.status.code()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// The check itself.
fn judge() -> Verdict {
    let deny = cargo_tool("cargo-deny", "0.20.2")?;
    let mut evidence = Evidence::default();
    for fault in FAULTS {
        evidence.controls.push(fault.refused(&deny)?);
    }
    for manifest in WORKSPACES {
        let fetch = ["fetch", "--quiet", "--locked", "--manifest-path", manifest];
        output("cargo", &fetch).map_err(Failure::NotRun)?;
        check(&deny, manifest, &CHECKS)?;
        let lock = root().join(manifest).with_extension("lock");
        let lock = fs::read_to_string(&lock).map_err(|error| error.to_string())?;
        let packages = lock.matches("[[package]]").count();
        evidence.lines.push(format!(
            "{manifest}: {packages} packages: {} as deny.toml has it",
            CHECKS.join(", ")
        ));
    }
    evidence.lines.push(advisories(&deny)?);
    Ok(evidence)
}

/// What cargo-deny says of a workspace, by the project's configuration.
fn check(deny: &str, manifest: &str, checks: &[&str]) -> Result<String, String> {
    let place = [
        "--offline",
        "--config",
        "deny.toml",
        "--manifest-path",
        manifest,
    ];
    let result = command(deny, &[&place[..], &["check"], checks].concat())
        .output()
        .map_err(|error| format!("{deny}: {error}"))?;
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    if result.status.success() {
        Ok(said)
    } else {
        Err(format!("{manifest}:\n{said}"))
    }
}

/// Known vulnerabilities: judged by the copy of the database that is here, with its age.
fn advisories(deny: &str) -> Result<String, String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let copies = home.and_then(|home| fs::read_dir(home.join("advisory-dbs")).ok());
    let mut copies = copies.into_iter().flatten().flatten();
    let Some(copy) = copies.find(|copy| copy.path().is_dir()) else {
        return Ok("advisories: not run: no copy of their database: cargo deny fetch db".into());
    };
    let copy = copy.path().to_string_lossy().into_owned();
    let date = output(
        "git",
        &["-C", &copy, "show", "-s", "--format=%cd", "--date=short"],
    )?;
    for manifest in WORKSPACES {
        check(deny, manifest, &["advisories"])?;
    }
    Ok(format!(
        "advisories: none known to the database of {}",
        date.trim()
    ))
}

/// A tiny workspace that breaks one rule.
struct Fault {
    name: &'static str,
    check: &'static str,
    license: &'static str,
    dependencies: &'static str,
    /// The word for it.
    said: &'static str,
}

const FAULTS: [Fault; 2] = [
    Fault {
        name: "license",
        check: "licenses",
        license: "GPL-3.0-only",
        dependencies: "",
        said: "error[rejected]",
    },
    Fault {
        name: "duplicate",
        check: "bans",
        license: "MIT",
        dependencies: "one = { package = \"twin\", path = \"one\" }\ntwo = { package = \"twin\", path = \"two\" }",
        said: "error[duplicate]",
    },
];

impl Fault {
    /// What was said of it; an error if it passes, or if it does not pass without its fault.
    fn refused(&self, deny: &str) -> Result<String, Failure> {
        self.write("MIT", "")?;
        check(deny, &self.manifest(), &[self.check])?;
        self.write(self.license, self.dependencies)?;
        match check(deny, &self.manifest(), &[self.check]) {
            Err(said) if said.contains(self.said) => {
                let line = said.lines().find(|line| line.contains(self.said));
                Ok(format!(
                    "{}: caught: {}",
                    self.name,
                    line.unwrap_or_default().trim()
                ))
            }
            Err(said) => Err(Failure::Failed(format!(
                "{}: another refusal: {said}",
                self.name
            ))),
            Ok(_) => Err(Failure::Failed(format!("{}: the fault passed", self.name))),
        }
    }

    fn folder(&self) -> String {
        format!("target/assure/deny/{}", self.name)
    }

    fn manifest(&self) -> String {
        self.folder() + "/Cargo.toml"
    }

    fn write(&self, license: &str, dependencies: &str) -> Result<(), String> {
        let folder = root().join(self.folder());
        let _ = fs::remove_dir_all(&folder);
        let package = |folder: PathBuf, name: &str, version: &str, rest: &str| {
            fs::create_dir_all(folder.join("src"))?;
            fs::write(folder.join("src/lib.rs"), "")?;
            let head = format!(
                "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n"
            );
            fs::write(folder.join("Cargo.toml"), head + rest)
        };
        let twin = "license = \"MIT\"\n";
        let rest = format!(
            "license = \"{license}\"\n[workspace]\nexclude = [\"one\", \"two\"]\n[dependencies]\n{dependencies}\n"
        );
        package(folder.join("one"), "twin", "1.0.0", twin)
            .and_then(|()| package(folder.join("two"), "twin", "2.0.0", twin))
            .and_then(|()| package(folder.clone(), "seeded", "1.0.0", &rest))
            .map_err(|error| format!("{}: {error}", folder.display()))
    }
}
