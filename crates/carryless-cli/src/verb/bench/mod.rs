//! `carryless bench`: engines take turns, medians, every figure with its conditions.

mod axes;
mod bound;
mod cpu;
mod draw;
mod figure;
mod job;
mod measure;
mod plot;

use core::num::NonZeroUsize;
use std::io::Write;

use carryless::{Engine, Features};
use clap::ValueEnum;
use serde::Serialize;

use self::bound::Units;
use self::cpu::Cpu;
use self::draw::Group;
use self::figure::Figure;
use self::job::{Case, Job, Setup};
use crate::args::{Bench, BenchBits, Global, Length, Op};
use crate::exit::{Code, Failure};
use crate::output::{Mode, Output};
use crate::print;
use crate::progress::Progress;
use crate::vectors::Algorithm;

/// The first line of `--json`: where and how the figures were made. Names are stable.
#[derive(Serialize)]
struct Machine<'a> {
    carryless: &'static str,
    cpu: &'a str,
    vendor: Option<&'a str>,
    family: Option<u32>,
    model: Option<u32>,
    cores: usize,
    features: Vec<&'static str>,
    arch: &'static str,
    os: &'static str,
    automatic: &'static str,
    /// The core's clock as it is now; `None`: cycles are not known, only nanoseconds.
    clock_ghz: Option<f64>,
    /// What the bounds of the plot are for; `None`: this CPU has none.
    units: Option<&'static str>,
}

pub fn run(args: &Bench, global: &Global, only: Option<Engine>) -> Result<(), Failure> {
    let cases = cases(args)?;
    // Before the work: that the target exists is said at once.
    let svg = args.svg.as_deref().map(|path| {
        if path.as_os_str() == "-" {
            return Err(Failure::usage("--svg needs the name of a file"));
        }
        Output::alone(Some(path), args.force, Mode::New)
    });
    let svg = svg.transpose()?;
    if cfg!(debug_assertions) {
        print::warning("this is a debug build: figures mean nothing");
    }
    let cpu = Cpu::detect();
    let units = Units::of(&cpu);
    let automatic = Engine::automatic_on(Features::detect());
    if args.json {
        print::json(&machine(&cpu, units, automatic))?;
    }
    let groups = measure_all(args, global, only, automatic, cases)?;
    match svg {
        Some(svg) => draw(svg, &cpu, units, &groups),
        None => Ok(()),
    }
}

fn machine<'a>(cpu: &'a Cpu, units: Option<&'static Units>, automatic: Engine) -> Machine<'a> {
    Machine {
        carryless: env!("CARGO_PKG_VERSION"),
        cpu: cpu.name.as_deref().unwrap_or("unknown"),
        vendor: cpu.vendor.as_deref(),
        family: cpu.family,
        model: cpu.model,
        cores: cores().get(),
        features: Features::detect().names().collect(),
        arch: std::env::consts::ARCH,
        os: std::env::consts::OS,
        automatic: automatic.name(),
        clock_ghz: measure::clock_ghz(),
        units: units.map(|units| units.name),
    }
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// What the command line asks for, or why it can't be had.
fn cases(args: &Bench) -> Result<Vec<Case>, Failure> {
    let setups = setups(args);
    let parts = args.ops.iter().any(|op| matches!(op, Op::Gmac | Op::Ctr));
    let others = args.algs.iter().any(|alg| alg.name != "aes-gcm");
    if setups != [Setup::Single] && (parts || others) {
        return Err(Failure::usage(
            "--oneshot, --batch and --threads are of sealing and opening AES-GCM",
        )
        .hint("--alg aes-gcm --op seal,open"));
    }
    let messages = setups
        .iter()
        .map(|setup| setup.messages())
        .max()
        .unwrap_or(1);
    let longest = args
        .lengths
        .iter()
        .map(|len| len.0 as usize)
        .max()
        .unwrap_or(0);
    if longest.saturating_mul(messages) > Length::MAX as usize {
        return Err(Failure::usage(format!(
            "{messages} messages of {longest} bytes are more than 1g"
        )));
    }
    if let Some(most) = setups
        .iter()
        .map(|setup| setup.threads())
        .max()
        .filter(|most| *most > cores().get())
    {
        print::warning(&format!("{most} threads take turns on {} cores", cores()));
    }
    let (mut cases, mut left_out) = (Vec::new(), None);
    for alg in args.algs.iter().copied() {
        match cases_of(args, alg, &setups) {
            Ok(of_it) => cases.extend(of_it),
            Err(reason) => left_out = left_out.or(Some(reason)),
        }
    }
    if let Some(reason) = left_out.filter(|_| cases.is_empty()) {
        return Err(reason);
    }
    check_lengths(args, &cases)?;
    Ok(cases)
}

/// Those of an algorithm, or why there are none.
fn cases_of(args: &Bench, alg: &'static Algorithm, setups: &[Setup]) -> Result<Vec<Case>, Failure> {
    let (bits, ops) = (bits(args, alg)?, ops(args, alg)?);
    let each = bits
        .iter()
        .flat_map(|bits| ops.iter().map(move |op| (*bits, *op)));
    let cases = each.flat_map(|(bits, op)| {
        setups.iter().map(move |setup| Case {
            alg,
            bits,
            op,
            setup: *setup,
        })
    });
    Ok(cases.collect())
}

/// Fails if an algorithm can't have a text of a length, before anything is measured.
fn check_lengths(args: &Bench, cases: &[Case]) -> Result<(), Failure> {
    for case in cases {
        let mut lengths = args.lengths.iter().map(|len| case.next_len(len.0));
        if let Some(len) = lengths.find(|len| !case.alg.takes(*len as usize)) {
            let name = case.alg.name;
            return Err(Failure::usage(format!(
                "{name} takes no text of {len} bytes"
            )));
        }
    }
    Ok(())
}

/// The key lengths that were asked for and that an algorithm has.
fn bits(args: &Bench, alg: &Algorithm) -> Result<Vec<BenchBits>, Failure> {
    let has = |bits: &BenchBits| alg.key_len(bits.number()).is_some();
    let bits = Vec::from_iter(args.bits.iter().copied().filter(has));
    if bits.is_empty() {
        let all = BenchBits::value_variants().iter().filter(|bits| has(bits));
        let all = Vec::from_iter(all.map(|bits| bits.number().to_string())).join(", ");
        return Err(Failure::usage(format!(
            "{} has keys of {all} bits",
            alg.name
        )));
    }
    Ok(bits)
}

/// What was asked for and an algorithm does.
fn ops(args: &Bench, alg: &Algorithm) -> Result<Vec<Op>, Failure> {
    let all = Op::of(alg);
    if args.ops.is_empty() {
        return Ok(all.to_vec());
    }
    let ops = Vec::from_iter(args.ops.iter().copied().filter(|op| op.is_of(alg)));
    if ops.is_empty() {
        let all = Vec::from_iter(all.iter().map(|op| op.name())).join(",");
        return Err(
            Failure::usage(format!("{} does none of that", alg.name)).hint(format!("--op {all}"))
        );
    }
    Ok(ops)
}

fn setups(args: &Bench) -> Vec<Setup> {
    let count = |count: u32| usize::try_from(count).ok().and_then(NonZeroUsize::new);
    if args.oneshot {
        vec![Setup::OneShot]
    } else if let Some(batch) = args.batch.and_then(count) {
        vec![Setup::Batch(batch)]
    } else if args.threads.is_empty() {
        vec![Setup::Single]
    } else {
        let threads = args.threads.iter().map(|threads| count(*threads));
        threads
            .map(|threads| Setup::Threads(threads.unwrap_or_else(cores)))
            .collect()
    }
}

/// Measures each case, and prints it when it is done.
fn measure_all(
    args: &Bench,
    global: &Global,
    only: Option<Engine>,
    automatic: Engine,
    cases: Vec<Case>,
) -> Result<Vec<Group>, Failure> {
    let engines: Vec<Engine> = Engine::available()
        .filter(|engine| only.is_none_or(|only| only == *engine))
        .collect();
    let progress = Progress::steps(
        cases.len() * args.lengths.len() * args.rounds as usize,
        global.quiet,
    );
    let mut groups = Vec::new();
    for case in cases {
        let mut jobs: Vec<Job> = engines
            .iter()
            .map(|engine| case.job(*engine))
            .collect::<Result<_, _>>()?;
        let lengths = args.lengths.iter().map(|len| {
            let len = case.next_len(len.0);
            let mut messages = case.messages(len as usize)?;
            let rounds = measure::rounds(&mut jobs, &mut messages, args.rounds, || progress.add(1));
            let measured = rounds.map_err(|number| wrong(engines[number], &case))?;
            Ok(figure::figures(&case, len, &engines, automatic, &measured))
        });
        let figures: Vec<Vec<Figure>> = lengths.collect::<Result<_, _>>()?;
        progress.aside(|| show(args, &case, &figures, automatic))?;
        groups.push((case, figures));
    }
    Ok(groups)
}

fn wrong(engine: Engine, case: &Case) -> Failure {
    let error = anyhow::anyhow!("{engine}: {}, {} failed", case.alg.name, case.op.name());
    Failure::new(Code::Other, error).hint("`carryless selftest` says more")
}

fn show(
    args: &Bench,
    case: &Case,
    figures: &[Vec<Figure>],
    automatic: Engine,
) -> Result<(), Failure> {
    if args.json {
        figures.iter().flatten().try_for_each(print::json)?;
    } else {
        print::data(&figure::table(case, figures))?;
    }
    figure::warn(figures, automatic);
    Ok(())
}

fn draw(
    mut svg: Output,
    cpu: &Cpu,
    units: Option<&Units>,
    groups: &[Group],
) -> Result<(), Failure> {
    let plot = draw::plot(
        cpu.name.as_deref().unwrap_or("an unknown CPU"),
        units,
        groups,
    );
    svg.write_all(plot.svg().as_bytes())
        .map_err(|error| svg.failure(error))?;
    svg.commit()
}
