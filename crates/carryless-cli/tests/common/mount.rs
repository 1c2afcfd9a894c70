//! A mount namespace, where who runs the tests may make one.

use std::process::Command;

use super::{Place, Run};

/// What gives a shell its own mounts, as root of a user namespace.
pub const APART: [&str; 3] = ["unshare", "-rm", "bash"];

/// Whether mounts can be made; says so if not.
pub fn can_mount() -> bool {
    let mounted = Command::new(APART[0])
        .args([APART[1], "mount", "-t", "tmpfs", "none", "/mnt"])
        .output();
    let can = mounted.is_ok_and(|mounted| mounted.status.success());
    if !can {
        eprintln!("not run: no mounts in a namespace here");
    }
    can
}

/// Runs a line of bash among mounts of its own, in which `$0` is the command.
pub fn apart(place: &Place, line: &str) -> Run {
    let mut command = Command::new(APART[0]);
    command
        .args([
            APART[1],
            APART[2],
            "-c",
            line,
            env!("CARGO_BIN_EXE_carryless"),
        ])
        .current_dir(place.directory());
    command.output().expect("unshare").into()
}
