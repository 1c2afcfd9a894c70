//! Reading and writing that fail at a boundary: exit code 5, no target, whole batches on a pipe.

use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use crate::common::{KINDS, Kind, Place as Directory, Run, finish};
use crate::model::{Victim, base_len, group, is_message, sealed_group};
use crate::table::{Place, Table, subject};

/// Runs with a standard input that fails behind these bytes, as a connection does that is lost.
#[cfg(target_os = "linux")]
fn run_and_lose(directory: &Directory, args: &[&str], input: &[u8]) -> Run {
    let (mut ours, mut theirs) = UnixStream::pair().expect("a socket");
    // What nobody has read when the other end goes is an error of the connection.
    ours.write_all(b"unread").expect("room");
    let mut command = directory.command(args);
    command
        .stdin(OwnedFd::from(ours))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    // Its end of the socket is then the child's alone.
    drop(command);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let _ = theirs.write_all(input);
        });
        child.wait_with_output().expect("the program ends").into()
    })
}

#[test]
#[cfg(target_os = "linux")]
fn u8_reading_that_fails_at_a_boundary() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for kind in KINDS {
        let directory = Directory::of(kind);
        let victim = Victim::new(&directory, kind, base_len(kind, 2));
        for threads in [1, 2] {
            let subject = subject(kind.name, "lost connection", threads);
            let threads = threads.to_string();
            for offset in [-1, 0, 1] {
                let boundary = |group: usize| group.checked_add_signed(offset).expect("not empty");
                let part = &victim.sealed[..boundary(kind.header + sealed_group(kind))];
                let run = run_and_lose(&directory, &kind.args("open", &["-t", &threads]), part);
                let what = format!("{subject}, {offset}: {}", run.stderr);
                assert_eq!(run.code, Some(5), "{what}");
                let batches = usize::from(offset >= 0 && !is_message(kind));
                assert!(run.stdout == victim.text[..batches * group(kind)], "{what}");
                table.add(&subject, "open", Place::of(offset), 5);
                let part = &victim.text[..boundary(group(kind))];
                let args = kind.args("seal", &["-o", "target", "-t", &threads]);
                let run = run_and_lose(&directory, &args, part);
                let what = format!("{subject}, {offset}: {}", run.stderr);
                assert_eq!(run.code, Some(5), "{what}");
                assert!(run.stderr.contains("can't be read"), "{what}");
                assert!(
                    !directory.has("target") && directory.temporaries().is_empty(),
                    "{what}"
                );
                table.add(&subject, "seal", Place::of(offset), 5);
            }
            subjects.push(subject);
        }
    }
    table.finish(&subjects, &["open", "seal"]);
}

/// Opens into a file that can't become longer than so many bytes.
fn run_limited(directory: &Directory, kind: Kind, threads: &str, blocks: usize) -> Run {
    let limited = format!("ulimit -f {blocks}; exec \"$@\"");
    let args = kind.args("open", &["sealed", "-o", "target", "-t", threads]);
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_carryless")])
        .args(args)
        .current_dir(directory.directory())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(&mut command, b"")
}

/// Bytes of a block as this shell's `ulimit -f` counts them: 512, or 1024.
fn block_len(directory: &Directory) -> usize {
    let script = "ulimit -f 1; exec dd if=/dev/zero of=block bs=2048 count=1";
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", script])
        .current_dir(directory.directory());
    command.stderr(Stdio::null()).stdout(Stdio::null());
    let _ = command.status();
    let file = File::open(directory.path("block")).expect("a file");
    usize::try_from(file.metadata().expect("a file").len()).expect("small")
}

#[test]
fn u8_writing_that_fails_at_a_boundary() {
    let (mut table, mut subjects) = (Table::default(), Vec::new());
    for kind in KINDS {
        let directory = Directory::of(kind);
        let block = block_len(&directory);
        assert!(matches!(block, 512 | 1024), "blocks of {block} bytes");
        let victim = Victim::new(&directory, kind, base_len(kind, 2));
        directory.write("sealed", &victim.sealed);
        for threads in [1, 2, 4] {
            let subject = subject(kind.name, "limit on files", threads);
            for (batches, offset) in [(1, -1), (1, 0), (1, 1), (2, 0)] {
                let blocks = (batches * group(kind) / block).checked_add_signed(offset);
                let blocks = blocks.expect("not empty");
                let run = run_limited(&directory, kind, &threads.to_string(), blocks);
                let what = format!("{subject}, {blocks} blocks: {run:?}");
                assert_eq!(run.code, Some(5), "{what}");
                assert_eq!(run.stderr.matches("error:").count(), 1, "{what}");
                assert!(
                    !directory.has("target") && directory.temporaries().is_empty(),
                    "{what}"
                );
                table.add(&subject, "open", Place::of(offset), 5);
            }
            subjects.push(subject);
        }
    }
    table.finish(&subjects, &["open"]);
}
