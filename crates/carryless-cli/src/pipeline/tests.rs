//! Every failure at every place, from any number of workers: the one that comes first in the order of
//! the input ends the run, what precedes it has been taken and nothing else, and nobody waits for ever.

mod case;
mod imitation;

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};

use self::case::{Case, Fake, Fault, Source};
use self::imitation::{Flaw, imitation};
use super::*;
use crate::groups;

/// What stands in the place of [`run`].
type Pipeline =
    dyn Fn(&Fake, &mut Input, usize, &mut Take<'_>) -> Result<u64, Failure> + Send + Sync;

/// One worker, two, three, and as many as there may be.
const WORKERS: [usize; 4] = [1, 2, 3, groups::WORKERS];

/// Batches of the inputs: around the number of workers, and twice as many.
const BATCHES: [u64; 7] = [1, 2, 3, 4, 24, 25, 49];

#[test]
fn u8_workers_are_those_that_the_tests_of_boundaries_know() {
    assert_eq!(MAX_WORKERS, groups::WORKERS);
    println!("U8 list: 1 number of workers");
}

/// Places where something fails in so many batches: all of few, both ends and the middle of many.
fn places(batches: u64) -> Vec<u64> {
    let places = [0, 1, batches / 2, batches.wrapping_sub(2), batches - 1];
    let mut places: Vec<u64> = places.into_iter().filter(|at| *at < batches).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Inputs that end well, with each fault at each place, and with two at once.
fn cases(workers: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for batches in BATCHES {
        let rest = [0, 3];
        for rest in &rest[usize::from(batches > 4)..] {
            let mut add = |source, faults: &[(u64, Fault)]| {
                cases.push(Case {
                    workers,
                    batches,
                    rest: *rest,
                    source,
                    faults: faults.to_vec(),
                    pace: cases.len() % 3,
                });
            };
            add(Source::File, &[]);
            add(Source::Socket, &[]);
            for at in places(batches) {
                for fault in Fault::all() {
                    add(Source::able(fault), &[(at, fault)]);
                }
                // Another fails too, and in some of the cases sooner in time.
                for behind in [at + 1, batches - 1] {
                    let pairs = Fault::pairs().filter(|_| at < behind && behind < batches);
                    for (first, second) in pairs {
                        add(Source::able(second), &[(at, first), (behind, second)]);
                    }
                }
            }
        }
    }
    // An input without end is over at the first failure.
    for fault in Fault::all().filter(|fault| *fault != Fault::Read) {
        let (batches, rest) = (u64::MAX, 0);
        let (source, faults) = (Source::Endless, vec![(groups::WORKERS as u64 + 2, fault)]);
        let pace = 0;
        cases.push(Case {
            workers,
            batches,
            rest,
            source,
            faults,
            pace,
        });
    }
    cases
}

/// How often something failed, by kind of fault and place.
type Table = BTreeMap<(&'static str, &'static str), usize>;

/// Runs all cases; the first that ends otherwise than it must, or not at all.
fn check(pipeline: &Arc<Pipeline>, cases: Vec<Case>, patience: Duration) -> Result<Table, String> {
    let (say, hear) = channel();
    let labels: Vec<String> = cases.iter().map(ToString::to_string).collect();
    let keys: Vec<_> = cases.iter().map(Case::key).collect();
    let pipeline = pipeline.clone();
    let runner = thread::spawn(move || {
        for case in cases {
            if say.send(case.judge(&*pipeline)).is_err() {
                return;
            }
        }
    });
    let mut table = Table::new();
    for (label, key) in labels.iter().zip(keys) {
        match hear.recv_timeout(patience) {
            Ok(Ok(())) => *table.entry(key).or_default() += 1,
            Ok(Err(why)) => return Err(format!("{label}: {why}")),
            Err(RecvTimeoutError::Timeout) => return Err(format!("{label}: it hangs")),
            Err(RecvTimeoutError::Disconnected) => return Err(format!("{label}: it panicked")),
        }
    }
    runner.join().map_err(|_| "the test itself panicked")?;
    Ok(table)
}

#[test]
fn u8_the_first_failure_in_the_order_of_the_input_ends_the_run() {
    let pipeline: Arc<Pipeline> =
        Arc::new(|work, input, threads, take| run(work, input, threads, take));
    for workers in WORKERS {
        let table = check(&pipeline, cases(workers), Duration::from_secs(20));
        let table = table.unwrap_or_else(|why| panic!("{why}"));
        for fault in Fault::all().map(Fault::name) {
            for place in ["first", "middle", "last"] {
                let count = table.get(&(fault, place)).copied().unwrap_or_default();
                assert!(
                    count > 0,
                    "{workers} workers: no {fault} in the {place} batch"
                );
                println!("U8 pipeline of {workers}: {count} {fault}, {place} batch");
            }
        }
        println!(
            "U8 pipeline of {workers}: {} without a failure",
            table[&("none", "")]
        );
    }
}

/// The faults that got through, or might.
#[test]
fn control_u8_pipelines_that_lose_a_failure() {
    let right: Arc<Pipeline> =
        Arc::new(|work, input, _, take| imitation(Flaw::None, work, input, take));
    check(&right, cases(1), Duration::from_secs(20)).unwrap_or_else(|why| panic!("{why}"));
    for flaw in Flaw::ALL {
        let flawed: Arc<Pipeline> =
            Arc::new(move |work, input, _, take| imitation(flaw, work, input, take));
        let patience = Duration::from_millis(if flaw == Flaw::Hangs { 300 } else { 20_000 });
        match check(&flawed, cases(1), patience) {
            Ok(_) => panic!("{flaw:?} was not noticed"),
            Err(why) => println!("{flaw:?}: caught: {why}"),
        }
    }
}

/// A panic used to end the program with 101, to come before failures of batches before it, and to keep
/// from the output what precedes it.
#[test]
fn u8_a_panic_of_a_worker_is_a_failure_in_its_place() {
    const BATCHES: u64 = 60;
    let pipeline: Arc<Pipeline> =
        Arc::new(|work, input, threads, take| run(work, input, threads, take));
    // More than there may be, too.
    for workers in WORKERS.into_iter().chain([groups::WORKERS + 7]) {
        let case = |faults: &[(u64, Fault)]| Case {
            workers,
            batches: BATCHES,
            rest: 3,
            source: Source::File,
            faults: faults.to_vec(),
            pace: 1,
        };
        let each = |at| {
            [
                case(&[(at, Fault::Panic)]),
                case(&[(at, Fault::Work), (at + 1, Fault::Panic)]),
            ]
        };
        let cases: Vec<Case> = (0..BATCHES).flat_map(each).collect();
        let count = cases.len();
        check(&pipeline, cases, Duration::from_secs(20)).unwrap_or_else(|why| panic!("{why}"));
        println!("U8 pipeline of {workers}: {count} panics and failures before them");
    }
}

/// Work that panics before it has a batch: each worker asks once how long its input is, after who starts them did.
struct Unprepared {
    asked: AtomicUsize,
    /// By the number of the question.
    panics: u32,
}

impl Work for Unprepared {
    fn input_len(&self) -> usize {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if self.panics >> number & 1 != 0 {
            case::quiet_panic();
        }
        10
    }

    fn output_len(&self) -> usize {
        10
    }

    fn batch(&self, batch: &Batch<'_>, _: &mut [u8]) -> (usize, Result<(), Failure>) {
        (batch.input.len(), Ok(()))
    }
}

#[test]
fn u8_a_panic_of_a_worker_without_a_batch_is_a_failure() {
    const WORKERS: usize = 3;
    for panics in 0..1 << WORKERS {
        let work = Unprepared {
            asked: AtomicUsize::new(0),
            panics: panics << 1,
        };
        let mut input = Input::of(case::file(&[7; 1000]));
        let ended = run(&work, &mut input, WORKERS, &mut |_| Ok(()));
        let ended = ended.map_err(|failure| (failure.code(), failure.to_string()));
        let expected = if panics == 0 {
            Ok(1000)
        } else {
            Err((1, "a worker panicked".to_owned()))
        };
        assert_eq!(ended, expected, "panics {panics:03b}");
    }
}
