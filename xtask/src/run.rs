//! Running other programs, and saying what runs.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// What went wrong, in a sentence.
pub(crate) type Outcome = Result<(), String>;

/// The top folder of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest
        .parent()
        .map_or_else(|| manifest.clone(), PathBuf::from)
}

/// A command in the top folder.
pub(crate) fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    // The cargo that runs this would otherwise decide for its children.
    for inherited in [
        "CARGO",
        "RUSTC",
        "RUSTDOC",
        "RUSTUP_TOOLCHAIN",
        "CARGO_MANIFEST_DIR",
    ] {
        command.env_remove(inherited);
    }
    command
}

/// Keeps other processes of ours from what `name` stands for, until it is dropped.
pub(crate) fn exclusive(name: &str) -> Result<File, String> {
    let folder = root().join("target/locks");
    let open = || {
        fs::create_dir_all(&folder)?;
        let file = File::create(folder.join(name))?;
        file.lock()?;
        Ok(file)
    };
    open().map_err(|error: std::io::Error| format!("{}: {error}", folder.join(name).display()))
}

/// Runs it, showing what and for how long; fails if it fails.
pub(crate) fn run(program: &str, args: &[&str]) -> Outcome {
    run_command(command(program, args))
}

/// [`run`] with environment variables.
pub(crate) fn run_with(env: &[(&str, &str)], program: &str, args: &[&str]) -> Outcome {
    let mut command = command(program, args);
    command.envs(env.iter().copied());
    run_command(command)
}

fn run_command(mut command: Command) -> Outcome {
    let shown = show(&command);
    println!("\n$ {shown}");
    let began = Instant::now();
    let status = command
        .status()
        .map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    println!("  {:.1} s", began.elapsed().as_secs_f64());
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{shown}` failed: {status}"))
    }
}

/// Its standard output; fails if it fails.
pub(crate) fn output(program: &str, args: &[&str]) -> Result<String, String> {
    output_of(command(program, args))
}

/// The same of a command.
pub(crate) fn output_of(mut command: Command) -> Result<String, String> {
    let shown = show(&command);
    let output = command
        .output()
        .map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "`{shown}` failed: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("`{shown}`: {error}"))
}

/// Whether it runs and succeeds, without a word.
pub(crate) fn succeeds(program: &str, args: &[&str]) -> bool {
    command(program, args)
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Works off a queue, so many of it at a time.
pub(crate) fn side_by_side<T: Send>(
    count: usize,
    queue: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) + Sync,
) {
    let queue = Mutex::new(queue.into_iter());
    let next = || queue.lock().ok()?.next();
    thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                while let Some(item) = next() {
                    work(item);
                }
            });
        }
    });
}

/// Runs all, so many at a time, and prints what each says in one piece; fails if one fails.
pub(crate) fn run_all(count: usize, commands: Vec<Command>) -> Outcome {
    let failed = Mutex::new(Vec::new());
    side_by_side(count, commands, |mut command| {
        let shown = words(&command);
        let began = Instant::now();
        let ended = command.output();
        let passed = print(&shown, began, &ended);
        if let (false, Ok(mut failed)) = (passed, failed.lock()) {
            failed.push(shown);
        }
    });
    let failed = failed.into_inner().map_err(|error| error.to_string())?;
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("failed: {}", failed.join(", ")))
}

/// Prints what a command said; whether it succeeded.
fn print(shown: &str, began: Instant, ended: &io::Result<Output>) -> bool {
    let seconds = began.elapsed().as_secs_f64();
    let mut out = io::stdout().lock();
    let (passed, written) = match ended {
        Ok(output) => (
            output.status.success(),
            writeln!(out, "\n$ {shown}  {seconds:.1} s")
                .and_then(|()| out.write_all(&output.stdout))
                .and_then(|()| out.write_all(&output.stderr)),
        ),
        Err(error) => (false, writeln!(out, "\n$ {shown}: {error}")),
    };
    // What cannot be shown, as the reader has left, has passed or failed all the same.
    let _ = written;
    passed
}

/// A program and its arguments.
fn words(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    let words: Vec<_> = core::iter::once(program).chain(args).collect();
    words.join(" ")
}

fn show(command: &Command) -> String {
    let env = command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_string_lossy(), value?.to_string_lossy())));
    let mut shown: String = env
        .map(|(name, value)| format!("{name}={value} "))
        .collect();
    shown += &words(command);
    shown
}
