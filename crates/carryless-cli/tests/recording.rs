//! docs/file-tool.md shows what the program does: its sessions are run, and compared with what it says.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::Command;

use common::mount::{APART, can_mount};

/// Runs of 16 or more hexadecimal digits are ids: random, and of the same length.
fn mask(text: &str) -> String {
    let mut masked = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_hexdigit() {
            digits.push(c);
            continue;
        }
        let random = digits.len() >= 16;
        masked.extend(
            digits
                .drain(..)
                .map(|digit| if random { 'x' } else { digit }),
        );
        masked.push(c);
    }
    masked.trim_end_matches('\0').into()
}

/// Commands and their expected output.
fn steps(session: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    for line in session.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push((command.into(), String::new())),
            (None, Some((_, output))) => {
                output.push_str(line);
                output.push('\n');
            }
            (None, None) => panic!("output before a command: {line}"),
        }
    }
    steps
}

/// Sessions of a kind, the word behind the fence, and who runs their commands; how many commands.
fn run(kind: &str, place: &Path, shell: &[&str], before: &str) -> usize {
    let document = include_str!("../../../docs/file-tool.md");
    let sessions: Vec<&str> = document
        .split(&format!("```{kind}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    let program = Path::new(env!("CARGO_BIN_EXE_carryless"));
    let directory = program.parent().expect("it is in one").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut count = 0;
    for (command, expected) in sessions.iter().flat_map(|session| steps(session)) {
        let output = Command::new(shell[0])
            .args(&shell[1..])
            .args(["-c", &format!("{before}exec 2>&1; {command}")])
            .current_dir(place)
            .env("PATH", format!("{directory}:{path}"))
            .env_remove("CARRYLESS_ENGINE")
            .env_remove("CARRYLESS_KEY_FILE")
            .env_remove("CARRYLESS_PASSPHRASE")
            .output()
            .expect("a shell");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(mask(&shown), mask(&expected), "$ {command}");
        count += 1;
    }
    count
}

/// What Docker and Kubernetes mount, and where systemd puts a credential: readable by others, on a read-only
/// file system.
const MOUNTED: &str = "mount -t tmpfs none /run && mkdir -p /run/secrets /run/credentials/backup.service \
    && cp my.key /run/secrets/backup.key && cp my.key /run/credentials/backup.service/backup.key \
    && chmod 444 /run/secrets/* && chmod 440 /run/credentials/*/* && mount -o remount,ro /run \
    && export CREDENTIALS_DIRECTORY=/run/credentials/backup.service && ";

#[test]
fn the_recorded_sessions_are_what_happens() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let count = run("console", place.path(), &["bash"], "");
    assert!(count >= 15, "{count} commands");
    if cfg!(target_os = "linux") && can_mount() {
        let count = run("console mounted", place.path(), &APART, MOUNTED);
        assert!(count >= 4, "{count} commands");
    }
}
