//! Programs, as cargo builds them: of tests, and such as are run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::run::command;

/// A program that cargo built, of a target's tests or one that they call.
pub(crate) struct Program {
    /// The target of cargo that it was made of: `gcm`, `carryless_file`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of its package.
    pub(crate) folder: PathBuf,
    /// Whether it runs tests.
    pub(crate) is_test: bool,
}

impl Program {
    /// What a message of cargo says of a program; `None` if it is about something else.
    pub(crate) fn read(message: &Value) -> Option<Self> {
        let manifest = Path::new(message["manifest_path"].as_str()?);
        Some(Self {
            name: message["target"]["name"].as_str()?.into(),
            path: message["executable"].as_str()?.into(),
            folder: manifest.parent()?.into(),
            is_test: message["profile"]["test"] == true,
        })
    }

    /// The command that runs it where cargo would.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }
}

/// The programs that `cargo test` with these arguments would run, and those that they call.
pub(crate) fn build(args: &[&str], env: &[(&str, &str)]) -> Result<Vec<Program>, String> {
    built_by(&["test", "--no-run"], args, env)
}

/// The programs that `cargo build` with these arguments makes.
pub(crate) fn build_binaries(args: &[&str], env: &[(&str, &str)]) -> Result<Vec<Program>, String> {
    built_by(&["build"], args, env)
}

fn built_by(verb: &[&str], args: &[&str], env: &[(&str, &str)]) -> Result<Vec<Program>, String> {
    let messages = ["--message-format=json-render-diagnostics"];
    let output = command("cargo", &[verb, &messages, args].concat())
        .envs(env.iter().copied())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        let words = [verb, args].concat().join(" ");
        return Err(format!("the programs do not build: cargo {words}"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(messages
        .filter_map(|message| Program::read(&message))
        .collect())
}
