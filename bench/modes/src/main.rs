//! The modes of carryless beside those of other libraries, in one process: `cargo xtask bench modes`.

mod evp;
mod goals;
mod job;
mod lea;
mod measure;
mod ours;
mod page;
mod rustcrypto;
mod time;

use carryless::Engine;

use crate::job::{Job, Mode};
use crate::measure::Dice;
use crate::page::Cell;

const HELP: &str = "modes [--rounds N] [--only WORD] [--engine NAME] [--sizes 64,1024]: the tables of \
docs/performance-modes.md for this CPU; WORD is in the names of modes";

/// Bytes of a message.
const SIZES: [usize; 5] = [64, 1024, 4096, 16384, 65536];

struct Options {
    rounds: usize,
    only: String,
    sizes: Vec<usize>,
}

/// What was asked for; the engine becomes that of all keys.
fn options() -> Result<Options, String> {
    let mut options = Options {
        rounds: 41,
        only: String::new(),
        sizes: SIZES.to_vec(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(flag) = args.next() {
        let value = args.next().ok_or(HELP)?;
        let number = |text: &str| {
            text.parse::<usize>()
                .map_err(|error| format!("{text}: {error}"))
        };
        match flag.as_str() {
            "--rounds" => options.rounds = number(&value)?.max(1),
            "--only" => options.only = value,
            "--sizes" => options.sizes = value.split(',').map(number).collect::<Result<_, _>>()?,
            "--engine" => {
                let engine = Engine::from_name(&value).map_err(|error| error.to_string())?;
                engine.set_default().map_err(|error| error.to_string())?;
            }
            _ => return Err(HELP.into()),
        }
    }
    Ok(options)
}

/// All that is measured at one mode and key size, ours first: name and job, and whether it gives the same bytes.
fn jobs(mode: Mode, bits: usize) -> Vec<(&'static str, Job, bool)> {
    let key: Vec<u8> = (0..mode.key_len(bits) as u8).collect();
    let same = [
        (page::OURS, ours::job(mode, bits, &key)),
        ("OpenSSL", evp::openssl::job(mode, bits, &key)),
        ("RustCrypto", rustcrypto::job(mode, bits, &key)),
        ("AWS-LC", evp::aws_lc::job(mode, bits, &key)),
        ("lea", lea::job(mode, bits, &key)),
    ];
    let same = same
        .into_iter()
        .filter_map(|(name, job)| Some((name, job?, true)));
    let beside = ours::beside(mode, bits, &key).map(|(name, job)| (name, job, false));
    same.chain(beside).collect()
}

/// That all give the same bytes, and take them back.
fn check(mode: Mode, jobs: &mut [(&'static str, Job, bool)]) {
    for len in (1..=1040).filter(|len| mode.fits(*len)).chain([4096]) {
        let plain: Vec<u8> = (0..len * mode.messages()).map(|i| i as u8).collect();
        let mut expected = None;
        for (name, job, _) in jobs.iter_mut().filter(|(_, _, same)| *same) {
            let mut text = plain.clone();
            let tag = (job.there)(&mut text);
            let made = (text.clone(), tag);
            let expected = expected.get_or_insert_with(|| made.clone());
            assert!(
                made == *expected,
                "{name} gives something else, {mode:?}, {len} bytes"
            );
            if let Some(back) = &mut job.back {
                assert!(
                    back(&mut text, &tag) && text == plain,
                    "{name}, {mode:?}, {len} bytes back"
                );
            }
        }
    }
}

fn run() -> Result<(), String> {
    let options = options()?;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    page::begin();
    for bits in [128, 256] {
        let mut cells = vec![];
        for mode in Mode::ALL.into_iter().filter(|mode| mode.takes(bits)) {
            if !mode.names().iter().any(|name| name.contains(&options.only)) {
                continue;
            }
            let mut all = jobs(mode, bits);
            check(mode, &mut all);
            let names: Vec<_> = all.iter().map(|(name, ..)| *name).collect();
            let mut jobs: Vec<_> = all.into_iter().map(|(_, job, _)| job).collect();
            for &len in &options.sizes {
                let times = measure::rounds(&mut jobs, mode, len, options.rounds, &mut dice);
                cells.push(Cell {
                    mode,
                    len,
                    names: names.clone(),
                    times,
                });
            }
        }
        page::table(bits, &options.sizes, &cells);
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("modes: {message}");
            std::process::ExitCode::FAILURE
        }
    }
}
