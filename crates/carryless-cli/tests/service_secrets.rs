//! Secrets as services get them: read-only mounts, credentials, pipes; and the option for the rest.
#![cfg(target_os = "linux")]

mod common;

use std::process::Command;

use common::mount::can_mount;
use common::{Place, Run};

/// Modes of files that others may read.
const SHARED: [u32; 4] = [0o444, 0o440, 0o644, 0o640];

/// A place with a key and a passphrase that others may read, and a file that both open.
fn place() -> Place {
    let place = Place::new();
    place.write_key("words", b"correct horse\n");
    place.write("text", b"text");
    place.ok(&["keygen", "--kind", "gcm", "-o", "gcm"]);
    let both = ["seal", "-k", "key", "--passphrase-file", "words"];
    place.ok(&[&both[..], &["text", "-o", "sealed"]].concat());
    place.ok(&[
        "seal", "-k", "gcm", "--format", "gcm", "text", "-o", "message",
    ]);
    place
}

/// Runs a line of bash in which `$0` is the command.
fn bash(place: &Place, line: &str) -> Run {
    let mut command = Command::new("bash");
    command.args(["-c", line, env!("CARGO_BIN_EXE_carryless")]);
    let output = command.current_dir(place.directory()).output();
    output.expect("bash").into()
}

/// Where there is a mount `there` with the secrets of `place` in it; the last word of `mounted` is how.
fn mounted(mode: u32, option: &str, line: &str) -> String {
    format!(
        "mkdir -p there && mount -t tmpfs none there && cp key words gcm there && chmod {mode:o} there/* \
         && mount -o remount,{option} there && {line}"
    )
}

#[test]
fn a_read_only_mount_protects_what_others_may_read() {
    if !can_mount() {
        return;
    }
    let place = place();
    let lines = [
        "\"$0\" verify -k there/key sealed",
        "\"$0\" verify --passphrase-file there/words sealed",
        "\"$0\" verify -k there/gcm --format gcm message",
        // As Kubernetes does: the name is a link to a link.
        "ln -s there data && ln -s data/key link && \"$0\" verify -k link sealed; r=$?; rm data link; exit $r",
        "\"$0\" rekey -k there/key --new-key-file there/key --new-passphrase-file there/words sealed -f -o again",
    ];
    for mode in SHARED {
        for (option, code) in [("ro", 0), ("rw", 4)] {
            for line in lines {
                let line = mounted(mode, option, line);
                let run = common::mount::apart(&place, &line);
                assert_eq!(run.code, Some(code), "{line}: {}", run.stderr);
                let said = run.stderr.contains("--allow-readable-by-others");
                assert_eq!(said, code == 4, "{}", run.stderr);
            }
        }
    }
}

/// What systemd does, less the mount: a directory that the variable names, and files that a service reads by an
/// access list, which shows as rights of the group.
#[test]
fn a_credential_is_taken_from_its_directory_alone() {
    let place = place();
    std::fs::create_dir_all(place.path("credentials/deeper")).expect("a directory");
    for name in ["credentials/key", "credentials/deeper/key", "outside"] {
        place.write(name, &place.read("key"));
    }
    let elsewhere = place.path("credentials/link");
    std::os::unix::fs::symlink(place.path("outside"), elsewhere).expect("a link");
    let verify = |directory: &str, key: &str| {
        let line = format!("CREDENTIALS_DIRECTORY={directory} \"$0\" verify -k {key} sealed");
        bash(&place, &line).code
    };
    for mode in SHARED {
        for name in ["credentials/key", "credentials/deeper/key", "outside"] {
            place.set_mode(name, mode);
        }
        for (directory, key, code) in [
            ("credentials", "credentials/key", 0),
            ("$PWD/credentials/", "deeper/../credentials/key", 4),
            ("$PWD/credentials/", "credentials/deeper/../key", 0),
            ("credentials", "/dev/stdin < credentials/key", 0),
            ("credentials", "credentials/deeper/key", 4),
            ("credentials", "credentials/link", 4),
            ("credentials", "outside", 4),
            ("absent", "credentials/key", 4),
            ("''", "credentials/key", 4),
            (".", "outside", 0),
        ] {
            let ended = verify(directory, key);
            assert_eq!(ended, Some(code), "{mode:o}, {directory}, {key}");
        }
    }
    for mode in [0o620, 0o602, 0o666] {
        place.set_mode("credentials/key", mode);
        assert_eq!(
            verify("credentials", "credentials/key"),
            Some(4),
            "{mode:o}"
        );
    }
}

#[test]
fn the_option_takes_what_others_may_read() {
    let place = place();
    for mode in SHARED {
        for name in ["key", "words", "gcm"] {
            place.set_mode(name, mode);
        }
        let rekey = [
            "rekey",
            "-k",
            "key",
            "--new-passphrase-file",
            "words",
            "sealed",
        ];
        for args in [
            &["verify", "-k", "key", "sealed"][..],
            &["verify", "--passphrase-file", "words", "sealed"],
            &["open", "-k", "gcm", "--format", "gcm", "message", "-o", "-"],
            &["seal", "-k", "key", "text", "-f", "-o", "out"],
            &[&rekey[..], &["-f", "-o", "out"]].concat(),
        ] {
            let run = place.fails(4, args);
            assert!(
                run.stderr.contains("--allow-readable-by-others"),
                "{args:?}"
            );
            place.ok(&[args, &["--allow-readable-by-others"]].concat());
        }
    }
}

#[test]
fn pipes_give_keys() {
    let place = place();
    for line in [
        "\"$0\" verify -k <(cat key) sealed",
        "cat key | \"$0\" verify -k /dev/stdin sealed",
        "\"$0\" verify -k /dev/stdin sealed < key",
        "\"$0\" verify --passphrase-file <(cat words) sealed",
        "\"$0\" verify --passphrase-fd 7 sealed 7< words",
        "\"$0\" seal -k <(cat key) text -o - | \"$0\" verify -k key",
    ] {
        let run = bash(&place, line);
        assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
    }
}
