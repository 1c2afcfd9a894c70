//! S3: everything that users may build does build, and twice the same.

use std::fs;

use serde_json::Value;

use super::evidence::{Evidence, Failure, Verdict};
use super::feature_sets::{self, Set};
use super::{programs, reproducible};
use crate::builds;
use crate::run::{command, output, root};

/// Parts of the names of tests that take minutes without optimization: the build for size, which has the same loops, does them.
const LONG: [&str; 4] = [
    "over_two_to_the_16_blocks",
    "lengths_around_every_turn",
    "any_number_of_threads",
    "every_tag_length_and_aad",
];

/// The oldest compiler, other systems, documentation, features together and apart, equal bytes.
pub(super) fn s3() -> Verdict {
    let mut evidence = Evidence::default();
    evidence.controls.push(clash()?);
    builds::msrv()?;
    evidence.lines.push(format!(
        "oldest compiler: the workspace on {}",
        builds::MSRV
    ));
    builds::targets()?;
    let count = |(_, _, targets): &(_, _, &[_])| targets.len();
    let unoptimized = builds::UNOPTIMIZED.len();
    evidence.lines.push(format!(
        "other systems: {} targets, {} of them without an operating system",
        builds::TARGETS.iter().map(count).sum::<usize>() + unoptimized,
        builds::BARE.len() + unoptimized
    ));
    builds::documentation()?;
    evidence
        .lines
        .push("documentation: the workspace, no warning".into());
    // A build of minutes, of the library alone: the tests from within it are left out.
    builds::tests_for_size()?;
    evidence
        .lines
        .push("for size: the library's public tests".into());
    // Those from within it have all entries, or no feature.
    builds::unoptimized_public_tests(&LONG)?;
    let mut whole = builds::tests_of_all_entries()?.command();
    let whole = programs::run(whole.envs([builds::QUICK]))?;
    evidence.lines.push(format!(
        "without optimization: the library's public tests but for {}, but for engines that no 64-bit CPU chooses, {} of its own with all entries",
        LONG.join(", "),
        whole.tests
    ));
    builds::tests_without_features()?;
    evidence
        .lines
        .push("without features: the library's own tests, and those of engines".into());
    builds::tests_elsewhere()?;
    evidence
        .lines
        .push("elsewhere: all tests of the libraries compile for s390x".into());
    let heeded = programs::run(&mut builds::tests_of_failing_engines()?.command())?;
    evidence.lines.push(format!(
        "engines whose self-test fails: {} tests of the command",
        heeded.tests
    ));
    for package in packages("Cargo.toml")? {
        let count = package.check("Cargo.toml", "target/features")?;
        let features = package.features.len();
        evidence.lines.push(format!(
            "{}: {count} sets of its {features} features: none, all, each alone, each three in every state that it can have; no warning",
            package.name
        ));
    }
    evidence.controls.extend(reproducible::controls()?);
    evidence.lines.push(reproducible::command_line()?);
    Ok(evidence)
}

/// A package and its features but for `default`.
struct Package {
    name: String,
    features: Vec<String>,
    /// Which of them each turns on.
    implied: Vec<Set>,
}

/// The packages of a workspace that are published, in the order of their names.
fn packages(manifest: &str) -> Result<Vec<Package>, String> {
    let args = [
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
        "--manifest-path",
        manifest,
    ];
    let text = output("cargo", &args)?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    // The others, as the checks themselves are, are built with the features that the checks ask for.
    let published = |package: &&Value| !package["publish"].as_array().is_some_and(Vec::is_empty);
    let all = metadata["packages"].as_array().ok_or("no packages")?;
    Ok(all.iter().filter(published).filter_map(package).collect())
}

/// A package as cargo describes it.
fn package(metadata: &Value) -> Option<Package> {
    let of_it = metadata["features"].as_object()?;
    let names = of_it.keys().filter(|name| *name != "default");
    let features: Vec<String> = names.cloned().collect();
    let place = |name: &str| features.iter().position(|feature| feature == name);
    // What is no feature is a dependency, or a feature of one.
    let implied = |name: &String| {
        let others = of_it[name].as_array().into_iter().flatten();
        let others = others.filter_map(|other| place(other.as_str()?));
        others.fold(0, |set, i| set | 1 << i)
    };
    Some(Package {
        name: metadata["name"].as_str()?.into(),
        implied: features.iter().map(implied).collect(),
        features,
    })
}

impl Package {
    /// Checks it with the sets of [`feature_sets`]; how many these are.
    fn check(&self, manifest: &str, target: &str) -> Result<usize, String> {
        let sets = self.sets();
        for set in &sets {
            let place = ["--manifest-path", manifest, "--target-dir", target];
            let check = [
                "check",
                "--quiet",
                "--package",
                &self.name,
                "--no-default-features",
            ];
            let checked = command(
                "cargo",
                &[&check[..], &["--features", set], &place].concat(),
            )
            .env("RUSTFLAGS", "-Dwarnings")
            .output()
            .map_err(|error| format!("cannot run cargo: {error}"))?;
            if !checked.status.success() {
                let errors = String::from_utf8_lossy(&checked.stderr).into_owned();
                return Err(format!(
                    "{} with the features `{set}`:\n{errors}",
                    self.name
                ));
            }
        }
        Ok(sets.len())
    }

    /// The sets of its features, by their names.
    fn sets(&self) -> Vec<String> {
        let names = |set: Set| {
            let on = |(i, _): &(usize, &String)| set >> i & 1 == 1;
            let on = self.features.iter().enumerate().filter(on);
            Vec::from_iter(on.map(|(_, name)| &**name)).join(",")
        };
        feature_sets::sets(&self.implied)
            .into_iter()
            .map(names)
            .collect()
    }
}

/// The control: each feature builds, and so do all, but one pair without the third does not.
fn clash() -> Result<String, Failure> {
    let folder = root().join("target/assure/features");
    let manifest = "[package]\nname = \"seeded\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
                    [features]\na = []\nb = []\nc = []\n";
    let source =
        "#[cfg(all(feature = \"a\", feature = \"b\", not(feature = \"c\")))]\nfn unused() {}\n";
    fs::create_dir_all(folder.join("src"))
        .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(folder.join("src/lib.rs"), source))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let manifest = "target/assure/features/Cargo.toml";
    let seeded = packages(manifest)?;
    let package = seeded
        .first()
        .ok_or_else(|| String::from("the seeded package is not seen"))?;
    match package.check(manifest, "target/assure/features/target") {
        Err(said) if said.contains("`a,b`") && said.contains("never used") => {
            let line = said.lines().find(|line| line.contains("never used"));
            Ok(format!(
                "a warning under one pair: caught: a,b: {}",
                line.unwrap_or_default()
            ))
        }
        Err(said) => Err(Failure::Failed(format!("the seeded package: {said}"))),
        Ok(_) => Err(Failure::Failed(
            "a warning under one pair of features passed".into(),
        )),
    }
}
