//! `carryless selftest`: what the library tests by itself, then through its public interface, of each algorithm, the
//! published answers, forgeries, and every engine against the portable one.

mod case;

use anyhow::{Result, ensure};
use carryless::Engine;
use serde::Serialize;

use self::case::{Case, known};
use crate::args::Selftest;
use crate::exit::{Code, Failure};
use crate::print;
use crate::vectors::Algorithm;

/// The lengths at which engines are compared: all short ones, then around multiples of what kernels
/// take at once.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=300)
        .chain(
            (512..=2048)
                .step_by(256)
                .flat_map(|len| [len - 1, len, len + 1]),
        )
        .chain([16384])
}

#[derive(Serialize)]
struct Line {
    engine: &'static str,
    /// `pass`, `fail` or `skip`.
    result: &'static str,
    detail: String,
    /// Algorithms that passed.
    algs: Vec<&'static str>,
}

/// A test of one engine: what was wrong.
type Test = fn(Engine, &'static Algorithm) -> Result<()>;

const TESTS: [(&str, Test); 3] = [
    ("known answers", known_answers),
    ("forgeries", forgeries),
    ("agreement", agreement),
];

pub fn run(args: &Selftest, only: Option<Engine>) -> Result<(), Failure> {
    let mut failed = Vec::new();
    let mut printed = Ok(());
    for engine in Engine::ALL
        .iter()
        .filter(|engine| only.is_none_or(|only| only == **engine))
    {
        let line = test(*engine);
        if line.result == "fail" {
            failed.push(line.engine);
        }
        // A reader that has enough does not make a failure a success.
        if printed.is_ok() {
            printed = if args.json {
                print::json(&line)
            } else {
                print::data(&format!(
                    "{:<16} {:<4}  {}\n",
                    line.engine, line.result, line.detail
                ))
            };
        }
    }
    if failed.is_empty() {
        return printed;
    }
    let error = anyhow::anyhow!("wrong answers from: {}", failed.join(", "));
    Err(Failure::new(Code::Other, error).hint("do not trust this program on this machine; report it with the output of `carryless engines`"))
}

fn test(engine: Engine) -> Line {
    let line = |result, detail, algs| Line {
        engine: engine.name(),
        result,
        detail,
        algs,
    };
    if let Err(carryless::error::Unavailable::Missing(missing)) = engine.availability() {
        return line("skip", missing.to_string(), Vec::new());
    }
    if let Err(error) = engine.self_test() {
        return line("fail", format!("library: {error}"), Vec::new());
    }
    let (mut passed, mut wrong) = (Vec::new(), Vec::new());
    for algorithm in Algorithm::of_messages() {
        let failed = TESTS.iter().find_map(|(name, test)| {
            let error = test(engine, algorithm).err()?;
            Some(format!("{}: {name}: {error}", algorithm.name))
        });
        match failed {
            Some(failed) => wrong.push(failed),
            None => passed.push(algorithm.name),
        }
    }
    if wrong.is_empty() {
        let tests = TESTS.map(|(name, _)| name).join(", ");
        let detail = format!("library; {tests} of {}", passed.join(" "));
        line("pass", detail, passed)
    } else {
        line("fail", wrong.join("; "), passed)
    }
}

fn known_answers(engine: Engine, algorithm: &'static Algorithm) -> Result<()> {
    ensure!(known(algorithm).next().is_some(), "no answer is known");
    for (case, expected) in known(algorithm) {
        ensure!(case.forth(engine)? == expected, "{case}");
        let back = case.back(engine, &expected)?;
        ensure!(back == (case.text.clone(), true), "back, {case}");
    }
    Ok(())
}

fn forgeries(engine: Engine, algorithm: &'static Algorithm) -> Result<()> {
    for (case, mut sealed) in known(algorithm).filter(|_| !algorithm.tags.is_empty()) {
        for at in 0..sealed.len() {
            sealed[at] ^= 1 << (at % 8);
            let (text, authentic) = case.back(engine, &sealed)?;
            ensure!(!authentic, "byte {at} was changed and nothing noticed");
            let wiped = text.iter().all(|byte| *byte == 0);
            ensure!(wiped, "byte {at} was changed, and the output was not wiped");
            sealed[at] ^= 1 << (at % 8);
        }
    }
    Ok(())
}

/// Against the last of the list, which is portable.
fn agreement(engine: Engine, algorithm: &'static Algorithm) -> Result<()> {
    let reference = *Engine::ALL.last().expect("a build has engines");
    for len in lengths().filter(|len| algorithm.takes(*len)) {
        for key_len in algorithm.keys {
            let case = Case::of(algorithm, *key_len, len);
            let out = case.forth(engine)?;
            ensure!(
                out == case.forth(reference)?,
                "not as {reference} at {case}"
            );
            let back = case.back(engine, &out)?;
            ensure!(back == (case.text.clone(), true), "no way back at {case}");
        }
    }
    Ok(())
}
