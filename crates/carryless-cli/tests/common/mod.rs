//! A directory, the program, and what it did.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test program uses some of it"
)]

pub mod hidden;
pub mod mount;
pub mod victim;

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Output, Stdio};

/// Bytes of a plaintext chunk, of a sealed one, and of the header of a bare stream.
pub const CHUNK: usize = 16384;
pub const SEALED: usize = CHUNK + 16;
pub const HEADER: usize = 56;

/// A format, as the command line asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub name: &'static str,
    /// What follows the verb, for opening and, of all but recipients, for sealing.
    pub args: &'static [&'static str],
    /// Bytes before the first chunk.
    pub header: usize,
}

/// The bare stream.
pub const STREAM: Kind = Kind {
    name: "cobblestone",
    args: &["-k", "key", "--format", "cobblestone"],
    header: HEADER,
};
/// The container with one slot for a key.
pub const CONTAINER: Kind = Kind {
    name: "container",
    args: &["-k", "key"],
    header: 60 + 115 + HEADER,
};
/// Formats of chunks.
pub const CHUNKED: [Kind; 2] = [STREAM, CONTAINER];
/// The container with one slot for a recipient; the name is that of its kind.
pub const RECIPIENT: Kind = Kind {
    name: "x25519",
    args: &["-i", "identity"],
    header: 60 + 139 + HEADER,
};
/// The same, of the hybrid kind.
pub const HYBRID: Kind = Kind {
    name: "x-wing",
    header: 60 + 1227 + HEADER,
    ..RECIPIENT
};
/// One message.
pub const MESSAGE: Kind = Kind {
    name: "gcm",
    args: &["-k", "gcm.key", "--format", "gcm"],
    header: 12,
};
/// All formats.
pub const KINDS: [Kind; 3] = [STREAM, CONTAINER, MESSAGE];
/// All formats, and each slot that opens at once and is short.
pub const KINDS_AND_SLOTS: [Kind; 4] = [STREAM, CONTAINER, RECIPIENT, MESSAGE];

impl Kind {
    /// A command line: the verb, the format and its key, the rest.
    pub fn args<'a>(&self, verb: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
        let args = match verb {
            "seal" if self.has_recipient() => &["-R", "recipients"],
            _ => self.args,
        };
        [&[verb], args, rest].concat()
    }

    fn has_recipient(&self) -> bool {
        self.args == RECIPIENT.args
    }
}

/// What the program did.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// What a program that has ended did, and counts its end.
impl From<Output> for Run {
    fn from(output: Output) -> Self {
        count(output.status.code(), 1);
        Self {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into(),
        }
    }
}

/// A directory of its own for a test, with a key in it.
pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Self {
            directory: tempfile::tempdir().expect("a temporary directory"),
        };
        place.ok(&["keygen", "-o", "key"]);
        place
    }

    /// With the key that a format takes.
    pub fn of(kind: Kind) -> Self {
        let place = Self::new();
        if kind.name == MESSAGE.name {
            place.ok(&["keygen", "--kind", "gcm", "-o", "gcm.key"]);
        }
        if kind.has_recipient() {
            place.write("recipients", &place.new_identity(kind.name, "identity"));
        }
        place
    }

    /// Makes an identity of a kind, and gives its recipient.
    pub fn new_identity(&self, kind: &str, name: &str) -> Vec<u8> {
        self.ok(&["keygen", &format!("--recipient={kind}"), "-o", name])
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, content: &[u8]) {
        std::fs::write(self.path(name), content).expect("a file");
    }

    /// A file that its owner alone may read, as keys must be.
    pub fn write_key(&self, name: &str, content: &[u8]) {
        self.write(name, content);
        #[cfg(unix)]
        self.set_mode(name, 0o600);
    }

    /// The rights that a file gives.
    #[cfg(unix)]
    pub fn mode(&self, name: &str) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::metadata(self.path(name)).expect("a file");
        metadata.permissions().mode() & 0o777
    }

    #[cfg(unix)]
    pub fn set_mode(&self, name: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(mode)).expect("a file");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("a file")
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Names of temporary files.
    pub fn temporaries(&self) -> Vec<String> {
        let names = self.names().into_iter();
        names.filter(|name| hidden::is_temporary(name)).collect()
    }

    /// All files, and what is in them.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let names = self.names().into_iter();
        names.map(|name| (name.clone(), self.read(&name))).collect()
    }

    /// The names there are, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.directory.path()).expect("a directory");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into()
            })
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carryless"));
        command
            .args(args)
            .current_dir(self.directory.path())
            .env_remove("CARRYLESS_ENGINE")
            .env_remove("CARRYLESS_KEY_FILE")
            .env_remove("CREDENTIALS_DIRECTORY")
            .env_remove("CARRYLESS_PASSPHRASE")
            .env_remove("CARRYLESS_NEW_PASSPHRASE");
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, b"")
    }

    /// Runs with this standard input; the program may stop reading it.
    pub fn run_with(&self, args: &[&str], input: &[u8]) -> Run {
        finish(&mut self.piped(args), input)
    }

    /// A command whose standard input and outputs are pipes.
    pub fn piped(&self, args: &[&str]) -> Command {
        let mut command = self.command(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs with standard output going there.
    pub fn run_into(&self, args: &[&str], output: impl Into<Stdio>) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(output);
        finish(command.stderr(Stdio::piped()), b"")
    }

    /// Runs by way of another program, which brings a fault.
    pub fn through(&self, fault: &[&str], args: &[&str]) -> Run {
        let mut command = self.command_through(fault, args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        finish(&mut command, b"")
    }

    /// A command that another program runs.
    pub fn command_through(&self, other: &[&str], args: &[&str]) -> Command {
        let mut command = Command::new(other[0]);
        command
            .args(&other[1..])
            .arg(env!("CARGO_BIN_EXE_carryless"))
            .args(args)
            .current_dir(self.directory.path());
        command
    }

    /// Runs what must succeed; its output.
    pub fn ok(&self, args: &[&str]) -> Vec<u8> {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        run.stdout
    }

    /// Runs what must fail with this code and say something.
    pub fn fails(&self, code: i32, args: &[&str]) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{args:?}");
        run
    }

    /// What `inspect --json` says of a file.
    pub fn inspect(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.ok(&["inspect", "--json", name])).expect("JSON")
    }

    pub fn directory(&self) -> &Path {
        self.directory.path()
    }
}

thread_local! {
    /// How often the program ended with which status in the test of this thread.
    static ENDS: RefCell<BTreeMap<Option<i32>, usize>> = const { RefCell::new(BTreeMap::new()) };
}

/// Counts what ended with a status, for those who look with `--nocapture`.
pub fn count(code: Option<i32>, times: usize) {
    ENDS.with_borrow_mut(|ends| *ends.entry(code).or_default() += times);
}

impl Drop for Place {
    fn drop(&mut self) {
        let status = |code: Option<i32>| code.map_or("a signal".into(), |code| code.to_string());
        let counts: Vec<String> = (ENDS.take().into_iter())
            .map(|(code, times)| format!("{times} with {}", status(code)))
            .collect();
        let thread = std::thread::current();
        println!(
            "{} ended {}",
            thread.name().unwrap_or("?"),
            counts.join(", ")
        );
    }
}

/// What runs a program with a fault in some of its system calls.
pub fn injecting(fault: &str) -> [&str; 7] {
    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", fault]
}

/// Whether strace can trace here; some sandboxes forbid it.
pub fn has_strace() -> bool {
    let traced = Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .status();
    let has = traced.is_ok_and(|status| status.success());
    if !has {
        eprintln!("not run: there is no strace, or it may not trace");
    }
    has
}

/// A device that has no room.
pub fn full_device() -> std::fs::File {
    let device = std::fs::OpenOptions::new().write(true).open("/dev/full");
    device.expect("Linux has it")
}

/// A pipe whose reader has gone away.
pub fn broken_pipe() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

/// Feeds a command and waits for it; it may stop reading.
pub fn finish(command: &mut Command, input: &[u8]) -> Run {
    fed(command, |mut stdin| {
        let _ = stdin.write_all(input);
    })
}

/// Waits for a command whose standard input is written meanwhile.
pub fn fed(command: &mut Command, write: impl FnOnce(ChildStdin) + Send) -> Run {
    let mut child = command.spawn().expect("the program starts");
    let stdin = child.stdin.take().expect("piped");
    std::thread::scope(|scope| {
        scope.spawn(move || write(stdin));
        child.wait_with_output().expect("the program ends").into()
    })
}

/// Starts what fills its output, which nobody reads, waits until it can't go on, makes a change, and
/// reads.
pub fn while_blocked(command: &mut Command, change: impl FnOnce()) -> Run {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdout = child.stdout.take().expect("piped");
    let mut output = vec![0; 1];
    stdout.read_exact(&mut output).expect("it has begun");
    change();
    stdout.read_to_end(&mut output).expect("a pipe");
    let end = child.wait_with_output().expect("it ends");
    Run {
        stdout: output,
        ..end.into()
    }
}

/// Text without repetitions.
pub fn text(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut text = vec![0; len];
    for piece in text.chunks_mut(4) {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        piece.copy_from_slice(&state.to_be_bytes()[..piece.len()]);
    }
    text
}
