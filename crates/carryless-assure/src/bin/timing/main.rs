//! Constant time, measured: does a call take longer under some secrets than under others?
//!
//! `cargo xtask assure T3` runs it. Each measurement times one call on inputs of two classes in random
//! order, and Welch's t-test says whether the times of the classes differ, as in "Dude, is my code
//! constant time?" by Reparaz, Balasch and Verbauwhede. What that can see and what not:
//! `docs/constant-time.md`.

mod calls;
mod race;
mod statistics;

use std::process::ExitCode;

use carryless::Engine;
use carryless_assure::list_engines;

use crate::race::Race;
use crate::statistics::Samples;

const HELP: &str = "\
timing engines              each engine of this build, and whether it runs here
timing ENGINE SEED RUNS     |t| of every call of the engine, over so many runs
timing controls SEED RUNS   |t| of a comparison that leaks, and of one that does not
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["engines"] => {
            list_engines();
            Ok(())
        }
        [what, seed, runs] => measure(what, seed, runs),
        _ => Err(HELP.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("timing: {message}");
            ExitCode::FAILURE
        }
    }
}

fn measure(what: &str, seed: &str, runs: &str) -> Result<(), String> {
    let seed = seed.parse().map_err(|_| format!("{seed} is no number"))?;
    let runs = runs.parse().map_err(|_| format!("{runs} is no number"))?;
    let race = &mut Race::new(seed, runs);
    if what == "controls" {
        print("early-exit", &mut calls::early_exit(race))?;
        return print("constant-time", &mut calls::constant_time(race));
    }
    let engine = Engine::from_name(what).map_err(|error| format!("{what}: {error}"))?;
    print("key-set-up", &mut calls::key_set_up(race, engine))?;
    print("seal-by-key", &mut calls::seal_by_key(race, engine))?;
    print("seal-by-text", &mut calls::seal_by_text(race, engine))?;
    print("open-by-tag", &mut calls::open_by_tag(race, engine))
}

fn print(call: &str, samples: &mut Samples) -> Result<(), String> {
    let t = samples
        .greatest_t()
        .ok_or_else(|| format!("{call}: too few runs"))?;
    println!("{call}: {t:.2}");
    Ok(())
}
