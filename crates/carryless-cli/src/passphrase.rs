//! Passphrases, from where the command line says they are; every failure to get one has exit code 4.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use carryless_file::container::Passphrase;
use zeroize::Zeroizing;

use crate::args::PassphraseSource;
use crate::exit::{Code, Failure, show};
use crate::key_file::Purpose;
use crate::prompt;
use crate::secret_file::{Reader, read_at_most, refuse};

/// The longest passphrase and a line end, and one more, which shows that it is too long.
const LIMIT: usize = 1024 + 3;

/// The passphrase of a source that was named.
pub fn read(
    source: &PassphraseSource,
    reader: &Reader,
    purpose: Purpose,
) -> Result<Option<Passphrase>, Failure> {
    if source.prompt {
        return prompt::passphrase(purpose == Purpose::Seal).map(Some);
    }
    if let Some(command) = &source.command {
        return from_command(command).map(Some);
    }
    source
        .path()
        .map(|path| from_file(&path, reader))
        .transpose()
}

fn from_file(path: &Path, reader: &Reader) -> Result<Passphrase, Failure> {
    let name = format!("passphrase file {}", show(path));
    take_line(reader.content(path, &name, LIMIT)?, &name)
}

/// What a command of the shell prints. It reads no standard input, which may be the data.
pub fn from_command(command: &str) -> Result<Passphrase, Failure> {
    let name = name_of(command);
    let fail = |error| refuse(&name, error);
    let (shell, option) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let child = Command::new(shell)
        .args([option, command])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let mut child: Child = child.context("can't be run").map_err(fail)?;
    let mut output = child.stdout.take().expect("a pipe");
    let read = read_at_most(&mut output, LIMIT);
    drop(output);
    let ended = child.wait();
    let content = read.context("can't be read").map_err(fail)?;
    let ended = ended.context("can't be waited for").map_err(fail)?;
    // One that says too much ends by its closed pipe; what it said is what is wrong.
    if content.len() < LIMIT && !ended.success() {
        return Err(fail(anyhow::anyhow!("it failed: {ended}")));
    }
    take_line(content, &name)
}

/// What messages call a command: its program, as what follows may be a secret; not even that where it is more than a name.
fn name_of(command: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+./\\:".contains(c);
    let mut words = command.split_whitespace();
    match words.next() {
        Some(program) if program.chars().all(plain) => {
            let more = words.next().map_or("", |_| " ..");
            format!("passphrase command `{program}{more}`")
        }
        _ => "passphrase command".to_string(),
    }
}

/// The value of a variable, if it has one.
pub fn from_environment(variable: &str) -> Result<Option<Passphrase>, Failure> {
    let Some(value) = std::env::var_os(variable) else {
        return Ok(None);
    };
    let bytes = Zeroizing::new(value.into_encoded_bytes());
    take(bytes, variable).map(Some)
}

/// Takes what was read, less a line end.
fn take_line(mut content: Zeroizing<Vec<u8>>, name: &str) -> Result<Passphrase, Failure> {
    let line = content.strip_suffix(b"\n").unwrap_or(&content);
    let len = line.strip_suffix(b"\r").unwrap_or(line).len();
    content.truncate(len);
    take(content, name)
}

/// Takes what was read as a passphrase.
pub fn take(bytes: Zeroizing<Vec<u8>>, name: &str) -> Result<Passphrase, Failure> {
    Passphrase::new(bytes)
        .map_err(|error| Failure::new(Code::Key, anyhow::anyhow!("{name}: {error}")))
}
