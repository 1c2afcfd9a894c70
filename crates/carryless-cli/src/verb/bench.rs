//! `carryless bench`: engines take turns, medians, every figure with its conditions.

use core::hint::black_box;
use core::time::Duration;
use std::time::Instant;

use carryless::{Aes128, Aes192, Aes256, Engine, Features, Gcm};
use comfy_table::{Table, presets};
use serde::Serialize;

use crate::args::{Bench, BenchBits, Op};
use crate::exit::{Code, Failure};
use crate::print;

/// How long a turn takes at least.
const TURN: Duration = Duration::from_millis(1);
/// What is not called slower: differences below come and go between runs.
const NOISE: f64 = 1.03;

/// One figure. Names are stable: other programs read them.
#[derive(Serialize)]
struct Figure {
    engine: &'static str,
    automatic: bool,
    bits: u32,
    op: &'static str,
    message_len: u32,
    aad_len: u32,
    key_setup: bool,
    threads: u32,
    ns: f64,
    mb_s: f64,
    cycles_per_byte: Option<f64>,
}

pub fn run(args: &Bench, only: Option<Engine>) -> Result<(), Failure> {
    let engines: Vec<Engine> = Engine::available()
        .filter(|engine| only.is_none_or(|only| only == *engine))
        .collect();
    let automatic = Engine::automatic_on(Features::detect());
    if cfg!(debug_assertions) {
        print::warning("this is a debug build: figures mean nothing");
    }
    for bits in &args.bits {
        for op in &args.ops {
            let figures = measure_all(args, &engines, automatic, *bits, *op)?;
            if args.json {
                figures.iter().flatten().try_for_each(print::json)?;
            } else {
                print::data(&table(&figures, *bits, *op))?;
            }
            warn(&figures, automatic);
        }
    }
    Ok(())
}

/// One list of figures per length, in the order of the engines.
fn measure_all(
    args: &Bench,
    engines: &[Engine],
    automatic: Engine,
    bits: BenchBits,
    op: Op,
) -> Result<Vec<Vec<Figure>>, Failure> {
    let one_length = |message_len: &u32| {
        let (ns, clock_ghz) = measure(args.rounds, engines, bits, op, *message_len)?;
        let figure = |(engine, ns): (&Engine, f64)| Figure {
            engine: engine.name(),
            automatic: *engine == automatic,
            bits: bits.number(),
            op: op.name(),
            message_len: *message_len,
            aad_len: 0,
            key_setup: false,
            threads: 1,
            ns: rounded(ns, 2),
            mb_s: rounded(f64::from(*message_len) * 1e3 / ns, 1),
            cycles_per_byte: clock_ghz
                .filter(|_| *message_len > 0)
                .map(|ghz| rounded(ns * ghz / f64::from(*message_len), 3)),
        };
        Ok(engines.iter().zip(ns).map(figure).collect())
    };
    args.lengths.iter().map(one_length).collect()
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// Runs a message this many times.
type Job = Box<dyn FnMut(u32)>;

/// A message from one buffer to another, again and again.
macro_rules! job {
    ($Cipher:ty, $key_len:literal, $engine:expr, $op:expr, $len:expr) => {{
        let key = Gcm::<$Cipher>::with_engine(&[0x42; $key_len], $engine)
            .map_err(|error| error.to_string())?;
        let nonce = [7; 12];
        let text = vec![0x5a; $len as usize];
        let mut sealed = vec![0; $len as usize];
        let tag = key
            .seal_into(&nonce, &[], &text, &mut sealed)
            .map_err(|error| error.to_string())?;
        let mut output = vec![0; $len as usize];
        let job: Job = match $op {
            Op::Seal => Box::new(move |repeats| {
                for _ in 0..repeats {
                    let _ = black_box(key.seal_into(
                        black_box(&nonce),
                        &[],
                        black_box(&text),
                        &mut output,
                    ));
                }
            }),
            Op::Open => Box::new(move |repeats| {
                for _ in 0..repeats {
                    let _ = black_box(key.open_into(
                        black_box(&nonce),
                        &[],
                        black_box(&sealed),
                        &mut output,
                        &tag,
                    ));
                }
            }),
        };
        Ok(job)
    }};
}

/// Nanoseconds per message, for each engine, and the clock in GHz.
fn measure(
    rounds: u32,
    engines: &[Engine],
    bits: BenchBits,
    op: Op,
    len: u32,
) -> Result<(Vec<f64>, Option<f64>), Failure> {
    let jobs: Result<Vec<Job>, String> = engines
        .iter()
        .map(|engine| match bits {
            BenchBits::Bits128 => job!(Aes128, 16, *engine, op, len),
            BenchBits::Bits192 => job!(Aes192, 24, *engine, op, len),
            BenchBits::Bits256 => job!(Aes256, 32, *engine, op, len),
        })
        .collect();
    let mut jobs = jobs.map_err(|error| Failure::new(Code::Other, anyhow::Error::msg(error)))?;
    let repeats: Vec<u32> = jobs.iter_mut().map(repeats).collect();
    let mut samples = vec![Vec::new(); jobs.len()];
    let mut clocks = Vec::new();
    for _ in 0..rounds {
        clocks.extend(clock_ghz());
        for ((job, repeats), samples) in jobs.iter_mut().zip(&repeats).zip(&mut samples) {
            samples.push(time(job, *repeats).as_secs_f64() * 1e9 / f64::from(*repeats));
        }
    }
    Ok((
        samples.into_iter().map(median).collect(),
        clocks.into_iter().max_by(f64::total_cmp),
    ))
}

fn time(job: &mut Job, repeats: u32) -> Duration {
    let start = Instant::now();
    job(repeats);
    start.elapsed()
}

/// How many messages make a turn; warms up on the way.
fn repeats(job: &mut Job) -> u32 {
    let mut repeats = 1;
    while time(job, repeats) < TURN && repeats < 1 << 24 {
        repeats *= 2;
    }
    repeats
}

/// The core's clock: each multiplication waits for the one before, three cycles on every x86-64
/// core since 2008. The fastest of a few short chains is the one that nothing interrupted.
#[cfg(target_arch = "x86_64")]
fn clock_ghz() -> Option<f64> {
    const CHAIN: u32 = 20_000;
    let chain = |_| {
        let mut x = black_box(3u64);
        let start = Instant::now();
        for _ in 0..CHAIN {
            x = x.wrapping_mul(x);
        }
        black_box(x);
        3.0 * f64::from(CHAIN) / (start.elapsed().as_secs_f64() * 1e9)
    };
    (0..5).map(chain).max_by(f64::total_cmp)
}

#[cfg(not(target_arch = "x86_64"))]
fn clock_ghz() -> Option<f64> {
    None
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn table(figures: &[Vec<Figure>], bits: BenchBits, op: Op) -> String {
    let mut table = Table::new();
    let lengths = figures
        .iter()
        .filter_map(|length| length.first())
        .map(|figure| format!("{} B", figure.message_len));
    table.load_style(presets::NOTHING).set_header(
        ["", "engine", ""]
            .into_iter()
            .map(String::from)
            .chain(lengths),
    );
    for engine in 0..figures.first().map_or(0, Vec::len) {
        let of_engine = || figures.iter().map(|length| &length[engine]);
        let Some(first) = of_engine().next() else {
            break;
        };
        let mark = if first.automatic { "*" } else { "" };
        let cell = |figure: &Figure| {
            let cycles = figure
                .cycles_per_byte
                .map_or("-".into(), |cycles| format!("{cycles:.2}"));
            format!("{:.0}\n{:.0}\n{cycles}", figure.ns, figure.mb_s)
        };
        let row = [mark, first.engine, "ns\nMB/s\nc/B"]
            .into_iter()
            .map(String::from);
        table.add_row(row.chain(of_engine().map(cell)));
    }
    let title = format!(
        "AES-{}-GCM, {}, no AAD, key set-up not included, 1 thread (* the automatic choice)",
        bits.number(),
        op.name()
    );
    format!("{title}\n{}\n\n", table.trim_fmt())
}

/// Says where another engine is faster than the automatic choice.
fn warn(figures: &[Vec<Figure>], automatic: Engine) {
    for length in figures {
        let Some(chosen) = length.iter().find(|figure| figure.automatic) else {
            continue;
        };
        let Some(fastest) = length.iter().min_by(|a, b| a.ns.total_cmp(&b.ns)) else {
            continue;
        };
        if chosen.ns > NOISE * fastest.ns {
            let Figure {
                bits,
                op,
                message_len,
                ..
            } = chosen;
            print::warning(&format!(
                "{} is faster than the automatic choice {automatic} at {message_len} bytes (AES-{bits}, {op}): {:.0} ns, not {:.0}",
                fastest.engine, fastest.ns, chosen.ns
            ));
        }
    }
}

impl BenchBits {
    const fn number(self) -> u32 {
        match self {
            Self::Bits128 => 128,
            Self::Bits192 => 192,
            Self::Bits256 => 256,
        }
    }
}

impl Op {
    const fn name(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Open => "open",
        }
    }
}
