//! `cargo xtask assure`: the claims of the project as commands (docs/assurance.md).
//!
//! Each check prints the engines that it covered, what it checked with counts, the seeded faults that
//! it caught, and how long it took. What could not run is said, and no such run ends well.

pub(crate) mod constant_time;
mod coverage;
mod documented;
pub(crate) mod emulator;
mod evidence;
mod feature_sets;
mod features;
mod formats;
mod fuzz;
mod growth;
pub(crate) mod instructions;
pub(crate) mod machine;
pub(crate) mod marks;
mod memory;
mod models;
mod mutation;
mod panics;
mod products;
pub(crate) mod programs;
mod report;
mod reproducible;
mod schedule;
mod suites;
mod supply;
mod targets;
mod timing;
mod tools;
mod without;

use core::time::Duration;
use std::time::Instant;

use self::evidence::{Evidence, Failure, Verdict};
use self::report::Row;
use self::suites::Suites;
pub(crate) use self::without::{VARIABLE as WITHOUT, Without};
use crate::run::Outcome;

/// The smallest run that a check belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// On each change, under three minutes together.
    Quick,
    /// Before a merge that touches a kernel, one to two hours together.
    Full,
    /// Before a release.
    Nightly,
}

impl Tier {
    const ALL: [Self; 3] = [Self::Quick, Self::Full, Self::Nightly];

    const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
            Self::Nightly => "nightly",
        }
    }

    fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|tier| tier.name() == name);
        found.ok_or_else(|| format!("no run is called `{name}`"))
    }
}

/// How a check is made.
enum Method {
    /// The tests whose names begin with its ID.
    Tests,
    /// A function of its own.
    Run(fn() -> Verdict),
    /// One that does as much as the run has time for.
    Timed(fn(Tier) -> Verdict),
}

struct Check {
    id: &'static str,
    what: &'static str,
    tier: Tier,
    method: Method,
    /// Whether nothing may run beside it.
    alone: bool,
}

const fn check(id: &'static str, tier: Tier, what: &'static str, method: Method) -> Check {
    let alone = false;
    Check {
        id,
        what,
        tier,
        method,
        alone,
    }
}

const fn run_by(id: &'static str, tier: Tier, what: &'static str, run: fn() -> Verdict) -> Check {
    check(id, tier, what, Method::Run(run))
}

const fn tests(id: &'static str, tier: Tier, what: &'static str) -> Check {
    check(id, tier, what, Method::Tests)
}

const fn timed(
    id: &'static str,
    tier: Tier,
    what: &'static str,
    run: fn(Tier) -> Verdict,
) -> Check {
    check(id, tier, what, Method::Timed(run))
}

impl Check {
    /// Nothing may run beside it.
    const fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    /// Makes it, here and now.
    fn make(&self, tier: Tier, suites: Option<&Suites>) -> Row {
        let began = Instant::now();
        let verdict = match self.method {
            Method::Tests => suites.map_or_else(
                || Err(Failure::Failed("the tests were not built".into())),
                |suites| suites.check(self.id, tier),
            ),
            Method::Run(run) => run().and_then(Evidence::complete),
            Method::Timed(run) => run(tier).and_then(Evidence::complete),
        };
        Row::new(self.id, self.what, began.elapsed(), verdict)
    }
}

#[rustfmt::skip]
const CHECKS: &[Check] = &[
    tests("C1", Tier::Quick, "published vectors"),
    tests("C2", Tier::Quick, "every tail, lengths around every turn"),
    tests("C3", Tier::Quick, "random cases: engines and paths agree"),
    tests("C4", Tier::Quick, "counters at their edges"),
    tests("C5", Tier::Quick, "hash keys, states and tags at their edges"),
    tests("C6", Tier::Quick, "limits of lengths and counters"),
    tests("C7", Tier::Quick, "laws of the interface"),
    run_by("C8", Tier::Full, "big endian, 32 bits, ARM", targets::c8),
    tests("C9", Tier::Quick, "another implementation, both directions"),
    tests("L1", Tier::Full, "lengths across 2^24 blocks, 512 MiB, 4 GiB"),
    tests("L2", Tier::Nightly, "the longest message, 2^36 - 32 bytes"),
    tests("P1", Tier::Quick, "reduction, by linearity"),
    tests("P2", Tier::Quick, "product, by linearity"),
    tests("P3", Tier::Quick, "powers, by linearity"),
    tests("P4", Tier::Quick, "products with holes"),
    tests("P5", Tier::Quick, "S-box, rounds, key schedule"),
    tests("M1", Tier::Quick, "guard pages"),
    tests("M2", Tier::Quick, "canaries beside the output"),
    run_by("M3", Tier::Full, "no undefined behaviour under Miri", memory::m3),
    run_by("M4", Tier::Full, "the address sanitiser", memory::m4),
    timed("M5", Tier::Full, "no allocation, no call in a kernel", memory::m5),
    timed("M6", Tier::Full, "nothing secret left in memory", memory::m6),
    tests("U1", Tier::Quick, "one error for all that is not authentic"),
    tests("U2", Tier::Quick, "no plaintext of a failed opening"),
    tests("U3", Tier::Quick, "sizes, uses and misuse refused"),
    timed("U4", Tier::Full, "engine choice on other CPUs, false reports", models::u4),
    tests("U5", Tier::Quick, "the self-test notices one wrong bit"),
    tests("U6", Tier::Quick, "threads and forks"),
    tests("U7", Tier::Quick, "what is drawn is random, and every draw is known"),
    tests("U8", Tier::Quick, "boundaries of our own buffers"),
    tests("U9", Tier::Quick, "answers of checks are heeded"),
    timed("T1", Tier::Full, "secrets as undefined values, under Valgrind", constant_time::t1),
    timed("T2", Tier::Full, "equal traces, on emulated CPUs", constant_time::traces::t2),
    run_by("T3", Tier::Nightly, "time under secrets of two classes", timing::t3).alone(),
    run_by("T4", Tier::Full, "instructions whose time may vary", instruction_lists),
    timed("F1", Tier::Full, "fuzz targets and their corpora", fuzz::f1),
    timed("F2", Tier::Nightly, "changed code that the tests notice", mutation::f2),
    run_by("F3", Tier::Nightly, "lines that the tests run", coverage::f3),
    timed("S1", Tier::Full, "dependencies: licenses, duplicates, sources", supply::s1),
    run_by("S3", Tier::Full, "builds: compilers, features, equal bytes", features::s3),
    run_by("S4", Tier::Full, "our formats by an independent reader", formats::s4),
    run_by("S5", Tier::Full, "what programs grow by, what building takes", growth::s5),
];

pub(crate) const HELP: &str = "\
cargo xtask assure [quick|full|nightly|list|ID..]

  quick     (default) what fits in three minutes: the checks that are tests
  full      every check but the slowest: one to two hours on two cores
  nightly   all of them
  ID..      these checks: cargo xtask assure C2 T1
  list      the checks there are
  --record  puts what was found into docs/assurance/report.json, as well as into target/assure, and
            the marks of the engines into README and `carryless engines`

The exit status is zero only if every check asked for has run, on every engine of this build, and
passed, and every seeded fault was caught.
";

/// Runs what the arguments ask for.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let record = args.contains(&"--record");
    let words: Vec<&str> = args.iter().copied().filter(|w| *w != "--record").collect();
    match words.as_slice() {
        ["list"] => {
            report::list(CHECKS);
            return Ok(());
        }
        // A process that `schedule` starts.
        ["row", tier, id, path] => {
            return schedule::row(Tier::named(tier)?, named(&[id])?[0], path);
        }
        _ => (),
    }
    let (tier, checks) = match words.as_slice() {
        [] => (Tier::Quick, up_to(Tier::Quick)),
        [name] if Tier::named(name).is_ok() => {
            let tier = Tier::named(name)?;
            (tier, up_to(tier))
        }
        ids => (Tier::Full, named(ids)?),
    };
    let (rows, took) = run_checks(tier, &checks)?;
    report::write(&rows)?;
    if record {
        marks::record(&report::record(&rows)?)?;
    }
    report::verdict(&rows, took)
}

/// Checks that are no tests and fit into every change's run, with the corpora replayed, not grown.
const BESIDE_TESTS: &[&str] = &["M5", "M6", "U4", "T1", "T2", "T4", "F1", "F2", "S1", "S4"];

/// [`BESIDE_TESTS`] for a machine that has just run the tests, and that may lack what `without` names;
/// gives what could not run.
pub(crate) fn beside_tests(without: &Without) -> Result<Vec<String>, String> {
    let (rows, took) = run_checks(Tier::Quick, &named(BESIDE_TESTS)?)?;
    report::table(&rows, took);
    without.judge(&rows)
}

/// T4: what this machine's kernels are made of, and the products for 32-bit CPUs.
fn instruction_lists() -> Verdict {
    evidence::together([instructions::t4(), products::check()])
}

fn up_to(tier: Tier) -> Vec<&'static Check> {
    CHECKS.iter().filter(|check| check.tier <= tier).collect()
}

fn named(ids: &[&str]) -> Result<Vec<&'static Check>, String> {
    let find = |id: &&str| {
        CHECKS
            .iter()
            .find(|check| check.id.eq_ignore_ascii_case(id))
            .ok_or_else(|| {
                let known: Vec<_> = CHECKS.iter().map(|check| check.id).collect();
                format!(
                    "unknown check `{id}`; there are {}\n\n{HELP}",
                    known.join(" ")
                )
            })
    };
    ids.iter().map(find).collect()
}

/// The rows of the checks, and how long all took.
fn run_checks(tier: Tier, checks: &[&'static Check]) -> Result<(Vec<Row>, Duration), String> {
    let began = Instant::now();
    let any_tests = checks
        .iter()
        .any(|check| matches!(check.method, Method::Tests));
    let suites = any_tests.then(Suites::build).transpose()?;
    let mut rows = schedule::run_all(tier, checks, suites.as_ref())?;
    report::close_gaps(&mut rows);
    Ok((rows, began.elapsed()))
}
