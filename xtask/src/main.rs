//! The project's commands: `cargo xtask test` for every day, `assure` for the claims, `ci` for the rest.
#![forbid(unsafe_code)]

mod api;
mod asm;
mod assure;
mod bench;
mod builds;
mod checks;
mod ci;
mod count;
mod layers;
mod programs;
mod run;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  test          everything on this machine: the README's test command, under 10 minutes
  assure ARGS   the checks behind the claims, each with its controls: assure --help
  check         lints and documentation, public interface, MSRV, other targets, side by side
  check NAME    one of them: lints, msrv, targets, api
  ci            what .ci/run calls: formatting, layers, check, test, opt-level 0, the checks of assure for each
                change, count; a check that cannot run fails it, unless named as in CARRYLESS_CI_WITHOUT=U4,T2
  layers        no module uses one above it (docs/architecture.md)
  api --update  writes the public interface in xtask/api anew from what is there
  asm           kernel entries: no call; vector stores to the stack, bytes, and the compiler's memory within asm.toml
  asm --update  writes asm.toml anew from what is there
  count         instructions that the engines of Arm execute, by qemu, within xtask/assure/counts.toml; a minute
  count --update [--peers] [--models]
                writes counts.toml and the tables of docs/performance-arm.md anew from what is there; with --peers
                what Debian ships for Arm too, with --models the cycles that LLVM's models and our own give
  size          bytes of each entry, of each engine and in all; what a program pays for carryless and for its peers:
                build time, the compiler's memory, code; 10 minutes
  bench -- ARGS the side-by-side benchmark with the peers, ARGS for it (bench/README.md)
  bench --record NAME [-- ARGS]
                all that docs/performance.md shows into bench/results/NAME.json, and that page from it
  bench --without vaes|avx512 ..
                the same with that hidden from all programs (bench/without.py); what it records is for docs/performance-aesni.md
  bench --tables FILE
                that page and its plot from a run that was kept
  bench modes   the other modes beside OpenSSL, RustCrypto and AWS-LC, on this CPU and with parts of it hidden:
                docs/performance-modes.md; with [--without vaes|avx512] -- ARGS one run, to be read
  bench files   the file tool beside cp, age, gpg, openssl and pyca; ARGS for bench/files.py
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => test::run(),
        ["check"] => checks::run(),
        ["check", name] => checks::one(name),
        ["ci"] => ci::run(),
        ["assure", "help" | "--help" | "-h", ..] => {
            print!("{}", assure::HELP);
            return ExitCode::SUCCESS;
        }
        ["assure", rest @ ..] => assure::run(rest),
        ["layers"] => layers::run(),
        ["api", "--update"] => api::update(),
        ["asm"] => asm::check(true),
        ["asm", "--update"] => asm::update(),
        ["size"] => asm::size(),
        ["count"] => count::check(),
        ["count", "--update", rest @ ..] => count::update(rest),
        ["bench", "files", rest @ ..] => bench::files(rest),
        ["bench", "modes", rest @ ..] => bench::modes::run(rest),
        ["bench", rest @ ..] => bench::run(rest),
        [] | ["help" | "--help" | "-h", ..] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("unknown command: {}\n\n{HELP}", words.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
