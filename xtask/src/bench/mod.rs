//! `cargo xtask bench`: carryless beside its peers, in one process, and docs/performance.md from that; with a part of the CPU
//! hidden, docs/performance-aesni.md. `bench modes`: the other modes; `bench files`: the file tool beside other programs.

pub(crate) mod modes;
mod page;
mod picture;
mod record;
mod tables;

/// What `carryless bench --svg` draws with.
#[path = "../../../crates/carryless-cli/src/verb/bench"]
#[expect(
    unreachable_pub,
    reason = "there, `pub` is between modules of a program"
)]
mod drawing {
    pub mod axes;
    pub mod bound;
    pub mod cpu;
    pub mod plot;
}

use std::fs;

use self::drawing::cpu::Cpu;
use self::record::{Machine, Run};
use crate::run::{self, Outcome, output, root};
use crate::test::interop_python;

/// Lengths of a recorded run.
const SIZES: &str =
    "0,1,16,17,31,64,100,128,255,256,257,576,1024,1420,1500,4096,8192,16384,65536,1m,64m";
/// Lengths at which it counts how the nonce came.
const SHORT_SIZES: &str = "0,16,31,64,128,256,576,1500";
/// What no table needs: engines that no peer is like, and older builds of libraries that are there.
const NOT: &str = "carryless-soft64,carryless-soft64:words,carryless-soft32,carryless-soft32:narrow,libsodium-deb,openssl-deb";

/// What has cargo run a program by another.
const RUNNER: &str = "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER";

/// `bench [--without WHAT] --record NAME [-- ARGS]`, `bench --tables FILE`, or `bench [--without WHAT] [-- ARGS]`.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let (without, args) = match args {
        ["--without", what @ ("vaes" | "avx512"), rest @ ..] => (Some(*what), rest),
        ["--without", ..] => return Err("bench --without vaes, or --without avx512".into()),
        args => (None, args),
    };
    match args {
        ["--tables", ..] if without.is_some() => {
            Err("bench --tables: the run says what was hidden".into())
        }
        ["--record", ..] if without == Some("avx512") => Err(
            "bench --record: there is a page for a CPU without VAES, none for one without AVX-512"
                .into(),
        ),
        ["--record", name] => record(name, without, &[]),
        ["--record", name, "--", rest @ ..] => record(name, without, rest),
        ["--tables", file] => page::write(file),
        ["--record" | "--tables", ..] => {
            Err("bench [--without WHAT] --record NAME [-- ARGS], or bench --tables FILE".into())
        }
        args => measure(without, args),
    }
}

/// Builds the peers benchmark with our adapter, outside the repository, and runs it.
///
/// * `without`: what of the CPU it is not to be told of.
fn measure(without: Option<&str>, args: &[&str]) -> Outcome {
    let peers = root().join("../shared/bench/peers/measure.sh");
    if !peers.exists() {
        return Err("the peers benchmark is not on this machine (../shared/bench/peers); `carryless bench` compares the engines alone".into());
    }
    let (script, library) = (
        peers.to_string_lossy().into_owned(),
        root()
            .join("crates/carryless")
            .to_string_lossy()
            .into_owned(),
    );
    let adapter = root()
        .join("bench/peer_carryless.rs")
        .to_string_lossy()
        .into_owned();
    let fixed = [script.as_str(), "--crate", &library, "--adapter", &adapter];
    let args = [&fixed[..], args].concat();
    let Some(what) = without else {
        return run::run("bash", &args);
    };
    let script = root()
        .join("bench/without.py")
        .to_string_lossy()
        .into_owned();
    if script.contains(' ')
        || !cfg!(all(
            target_arch = "x86_64",
            target_os = "linux",
            target_env = "gnu"
        ))
    {
        return Err(
            "bench --without: on x86-64 Linux with glibc alone, in a folder without spaces".into(),
        );
    }
    let runner = format!("python3 {script} {what}");
    run::run_with(&[(RUNNER, &runner)], "bash", &args)
}

/// Measures all that docs/performance.md shows, into `bench/results/NAME.json`, and writes that page.
fn record(name: &str, without: Option<&str>, args: &[&str]) -> Outcome {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with(['-', '.']) || !name.chars().all(plain) {
        return Err(format!(
            "{name}: a name has letters, digits, and `-`, `_`, `.` inside"
        ));
    }
    let file = format!("bench/results/{name}.json");
    if root().join(&file).exists() {
        return Err(format!(
            "{file} is there: remove it first, or take another name"
        ));
    }
    let mut run = pass(
        without,
        "words",
        &[&["--not", NOT, "--sizes", SIZES], args].concat(),
    )?;
    let short = ["--not", NOT, "--sizes", SHORT_SIZES];
    let ready = ["--ops", "seal,open", "--nonce", "table"];
    run.add_ready(pass(
        without,
        "table",
        &[&short[..], args, &ready].concat(),
    )?)?;
    if without.is_some() && run.engine().is_none_or(|engine| engine.starts_with("vaes")) {
        return Err("bench --without: it was not hidden".into());
    }
    run.machine = Some(machine(without, args)?);
    fs::write(root().join(&file), run.text()?).map_err(|error| format!("{file}: {error}"))?;
    page::write(&file)
}

/// One run of the peers.
fn pass(without: Option<&str>, name: &str, args: &[&str]) -> Result<Run, String> {
    let folder = root().join("target/bench");
    let file = folder.join(format!("{name}.json"));
    let shown = |error| format!("{}: {error}", file.display());
    fs::create_dir_all(&folder).map_err(shown)?;
    let path = file.to_string_lossy();
    measure(without, &[&["--"], args, &["--json", &path]].concat())?;
    Run::parse(&fs::read_to_string(&file).map_err(shown)?)
}

/// Where and when a run was made.
fn machine(without: Option<&str>, args: &[&str]) -> Result<Machine, String> {
    let line = |program, args: &[&str]| Ok::<_, String>(output(program, args)?.trim().to_string());
    let cpu = Cpu::detect();
    Ok(Machine {
        cpu: cpu.name.unwrap_or_else(|| "unknown".into()),
        vendor: cpu.vendor,
        family: cpu.family,
        model: cpu.model,
        without: without.map(|_| "VAES, VPCLMULQDQ, GFNI and AVX-512".into()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        rustc: line("rustc", &["--version"])?,
        commit: line("git", &["describe", "--always", "--dirty"])?,
        date: line("date", &["-u", "+%F"])?,
        flags: args.join(" "),
    })
}

/// Builds the program, and times it beside `cp` and whatever else of its kind this machine has.
pub(crate) fn files(args: &[&str]) -> Outcome {
    run::run(
        "cargo",
        &["build", "--release", "--package", "carryless-cli"],
    )?;
    let python = interop_python().unwrap_or_else(|| "python3".into());
    run::run(&python, &[&["bench/files.py"], args].concat())
}
