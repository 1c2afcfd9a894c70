//! docs/file-tool.md shows what the program does: its sessions are run, and compared with what it says.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

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

#[test]
fn the_recorded_sessions_are_what_happens() {
    let document = include_str!("../../../docs/file-tool.md");
    let sessions: Vec<&str> = document
        .split("```console\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    let place = tempfile::tempdir().expect("a temporary directory");
    let program = Path::new(env!("CARGO_BIN_EXE_carryless"));
    let directory = program
        .parent()
        .expect("it is in one")
        .display()
        .to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut count = 0;
    for (command, expected) in sessions.iter().flat_map(|session| steps(session)) {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(place.path())
            .env("PATH", format!("{directory}:{path}"))
            .env_remove("CARRYLESS_ENGINE")
            .env_remove("CARRYLESS_PASSPHRASE")
            .output()
            .expect("a shell");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(mask(&shown), mask(&expected), "$ {command}");
        count += 1;
    }
    assert!(count >= 15, "{count} commands");
}
