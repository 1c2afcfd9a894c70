//! The program `carryless`: seal and open files and streams, and ask the library about itself.
//!
//! Data goes to standard output, text for people to standard error. Exit codes are in [`exit`].
#![forbid(unsafe_code)]
#![expect(
    unreachable_pub,
    reason = "a program has no interface: `pub` is between its modules"
)]

mod answer;
mod args;
mod closed;
#[cfg(test)]
mod counts;
mod engine;
mod exit;
#[cfg(test)]
#[path = "../tests/boundaries/groups.rs"]
mod groups;
mod identity;
mod input;
mod key_file;
mod message;
mod opening;
mod output;
mod passphrase;
mod payload;
mod pipeline;
mod print;
mod progress;
mod prompt;
mod range;
mod recipients;
mod sealing;
mod secret_file;
mod secrets;
mod signals;
mod targets;
mod vectors;
mod verb;

use std::process::ExitCode;

use carryless::DataIndependentTiming;
use clap::Parser;

use self::args::{Args, Verb};
use self::exit::Failure;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if error.use_stderr() => args::with_tip(error).exit(),
        // Help and version are output like any other: a disk that is full is noticed.
        Err(asked_for) => return ended(print::data(&asked_for.render().ansi().to_string())),
    };
    args.global.color.apply();
    ended(run(&args))
}

fn ended(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    signals::install()?;
    let _timing = DataIndependentTiming::begin();
    let chosen = engine::choose(args.global.engine.as_deref())?;
    match &args.verb {
        Verb::Keygen(keygen) => verb::keygen::run(keygen),
        Verb::Seal(seal) => verb::seal::run(seal, &args.global),
        Verb::Open(open) => verb::open::run(open, &args.global),
        Verb::Verify(verify) => verb::verify::run(verify, &args.global),
        Verb::Inspect(inspect) => verb::inspect::run(inspect),
        Verb::Rekey(rekey) => verb::rekey::run(rekey, &args.global),
        Verb::Engines(engines) => verb::engines::run(engines),
        Verb::Selftest(selftest) => verb::selftest::run(selftest, chosen),
        Verb::Bench(bench) => verb::bench::run(bench, &args.global, chosen),
        Verb::Vectors(vectors) => verb::vectors::run(vectors),
        Verb::Completions(completions) => verb::pages::completions(completions),
        Verb::Man(man) => verb::pages::man(man),
    }
}
