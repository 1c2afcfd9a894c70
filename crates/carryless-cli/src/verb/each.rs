//! One verb, many files: each has its own result, the exit code is that of the worst.
//!
//! Short files wait for each other: several threads work on them, and a disk that flushes many of them at once takes
//! little more time than for one.

use core::time::Duration;
use std::fs::Metadata;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use carryless::DataIndependentTiming;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use crate::answer;
use crate::exit::{Failure, show};
use crate::input::Input;
use crate::output::{Output, Outputs, most_open};
use crate::pipeline::{MAX_WORKERS, lock};
use crate::print;
use crate::progress::Progress;
use crate::targets::Kept;

/// Inputs that wait to be worked on and flushed together, at most: of more, what was sealed first is no more in a cache when it
/// is placed.
const TOGETHER: usize = 64;
/// Bytes of the longest input whose output waits: to flush that of a longer one alone costs little beside its sealing.
const SHORT: u64 = 1 << 20;
/// Jobs for which starting a thread pays.
const WORTH_A_THREAD: usize = 8;
/// More than a flush takes in memory, and than a thread takes to wake.
const LONG: Duration = Duration::from_micros(200);

/// What a verb has still to do for an input that it has opened, on any thread, and on how many of its own.
pub type Job<'a> = Box<dyn FnOnce(usize) -> Outcome<'a> + Send + 'a>;
/// What comes of it, if it is good.
pub type Outcome<'a> = Result<Made<'a>, Failure>;
type Report<'a> = Box<dyn FnOnce() -> Result<(), Failure> + Send + 'a>;

/// An output that is complete, if the verb makes one, and what is to be said when it is at its place.
pub struct Made<'a> {
    output: Option<Output>,
    report: Report<'a>,
}

impl<'a> Made<'a> {
    /// What [`each`] is to do with an output.
    #[expect(clippy::unnecessary_wraps, reason = "where each job ends")]
    pub fn of(
        output: impl Into<Option<Output>>,
        report: impl FnOnce() -> Result<(), Failure> + Send + 'a,
    ) -> Outcome<'a> {
        Ok(Self {
            output: output.into(),
            report: Box::new(report),
        })
    }

    /// Makes the output visible; what is to be said then.
    fn place(self) -> Result<Report<'a>, Failure> {
        self.output.map_or(Ok(()), Output::place)?;
        Ok(self.report)
    }
}

/// What `--json` says of a file that failed.
#[derive(Serialize)]
struct Failed {
    #[serde(flatten)]
    file: answer::File,
    error: String,
    code: u8,
}

/// Calls `begin` for each input in order, or for standard input if none is named, and does the jobs, those of short
/// inputs side by side; what there is to say is said in order. A failure does not keep the others from their turn; what
/// is not what was sealed is worse than a file that is not there, else the first counts.
pub fn each<'a>(
    inputs: &[PathBuf],
    common: &Common<'_>,
    mut begin: impl FnMut(Option<&Path>) -> Result<Job<'a>, Failure>,
) -> Result<(), Failure> {
    let names: Vec<Option<&Path>> = match inputs {
        [] => vec![None],
        inputs => inputs.iter().map(|path| Some(path.as_path())).collect(),
    };
    let mut call = Call {
        common,
        most: most_open().clamp(1, TOGETHER),
        waiting: Vec::new(),
        flushers: None,
        result: Ok(()),
    };
    let mut coming = names.iter().map(|path| (*path, look_at(*path))).peekable();
    while let Some((path, found)) = coming.next() {
        let alone = match &found {
            Some(found) if common.several => refuse_fifo(path, found),
            _ => Ok(()),
        };
        call.waiting.push((path, alone.and_then(|()| begin(path))));
        let next = coming.peek().and_then(|(_, found)| found.as_ref());
        let full = call.waiting.len() >= call.most;
        if full || !is_short(found.as_ref()) || !is_short(next) {
            call.settle();
        }
    }
    call.end()
}

/// What the system says of a file.
fn look_at(path: Option<&Path>) -> Option<Metadata> {
    let file = path.filter(|path| path.as_os_str() != "-");
    file.and_then(|path| path.metadata().ok())
}

/// Fails for a pipe that has a name, and perhaps no writer: all behind it would wait for one. Those of `<(..)` have theirs.
#[cfg(unix)]
fn refuse_fifo(path: Option<&Path>, found: &Metadata) -> Result<(), Failure> {
    use std::os::unix::fs::FileTypeExt;

    match path.filter(|_| found.file_type().is_fifo()) {
        // The names of pipes without one lead nowhere, or into a directory of devices.
        Some(path) if path.canonicalize().is_ok_and(|it| !it.starts_with("/dev")) => {
            let error = io::Error::other("it is a pipe, for which the others would wait");
            Err(Failure::io(&show(path), "can't be read", error)
                .hint("give it alone, or to standard input"))
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
const fn refuse_fifo(_: Option<&Path>, _: &Metadata) -> Result<(), Failure> {
    Ok(())
}

/// Whether it is read in no time, so that others can wait for it.
fn is_short(found: Option<&Metadata>) -> bool {
    found.is_some_and(|file| file.is_file() && file.len() <= SHORT)
}

/// What the inputs of a call have in common.
pub struct Common<'a> {
    several: bool,
    pub json: bool,
    pub quiet: bool,
    /// Threads that work at once.
    threads: usize,
    pub outputs: Outputs<'a>,
}

impl<'a> Common<'a> {
    /// Of those that make files: none replaces what is kept.
    pub fn new(
        inputs: &[PathBuf],
        json: bool,
        quiet: bool,
        threads: usize,
        kept: Kept<'a>,
    ) -> Self {
        Self {
            several: inputs.len() > 1,
            json,
            quiet,
            threads,
            outputs: Outputs::new(kept),
        }
    }

    /// A bar for so much of an input, unless it is hidden, or others are worked on beside it.
    pub fn progress(&self, input: &Input, len: Option<u64>, hidden: bool) -> Progress {
        let beside = self.several && is_short(input.metadata.as_ref());
        Progress::new(len, self.quiet || hidden || beside)
    }
}

/// A call of the program, and what became of its files so far.
struct Call<'a, 'b> {
    common: &'b Common<'b>,
    /// Inputs and outputs that can be open at once.
    most: usize,
    /// What was begun, and is not done yet.
    waiting: Vec<(Option<&'b Path>, Result<Job<'a>, Failure>)>,
    /// What flushes outputs, once flushes took long.
    flushers: Option<ThreadPool>,
    result: Result<(), Failure>,
}

impl Call<'_, '_> {
    /// Does what waits, and makes what comes of it durable and visible.
    fn settle(&mut self) {
        if self.common.outputs.directories.len() + self.waiting.len() > self.most {
            self.flush_directories();
        }
        let threads = self.common.threads;
        let (paths, jobs): (Vec<_>, Vec<_>) =
            core::mem::take(&mut self.waiting).into_iter().unzip();
        let own = threads / workers(threads, jobs.len());
        let made = side_by_side(jobs, threads, |job: Result<Job<'_>, _>| {
            job.and_then(|job| job(own))
        });
        let outputs = made.iter().map(|made| made.as_ref().ok()?.output.as_ref());
        let flushed = self.flush(&outputs.collect::<Vec<_>>());
        let placed = side_by_side(
            made.into_iter().zip(flushed).collect(),
            threads,
            |(made, flushed): (Outcome<'_>, Result<(), _>)| {
                made.and_then(|made| flushed.and_then(|()| made.place()))
            },
        );
        // What there is to say is said in order.
        for (path, placed) in paths.into_iter().zip(placed) {
            if let Err(failure) = placed.and_then(|report| report()) {
                let name = path.map_or_else(|| "standard input".into(), show);
                self.note(answer::File::new(&name, path), failure);
            }
        }
    }

    /// Flushes many at once, as the system writes them together then; in memory, where a flush is nothing, one by one.
    fn flush(&mut self, outputs: &[Option<&Output>]) -> Vec<Result<(), Failure>> {
        let flush = |output: &Option<&Output>| output.map_or(Ok(()), Output::flush_content);
        let mut flushed = Vec::new();
        let mut slow = 0;
        while self.flushers.is_none() && flushed.len() < outputs.len() {
            let began = Instant::now();
            flushed.push(flush(&outputs[flushed.len()]));
            slow = if began.elapsed() > LONG { slow + 1 } else { 0 };
            // One that takes long may have waited for a processor.
            if slow == 2 {
                let pool = ThreadPoolBuilder::new().num_threads(self.most);
                self.flushers = pool.build().ok();
            }
        }
        if let Some(pool) = &self.flushers {
            let rest = outputs[flushed.len()..].par_iter();
            flushed.extend(pool.install(|| rest.map(flush).collect::<Vec<_>>()));
        }
        flushed
    }

    /// Makes the new names durable.
    fn flush_directories(&mut self) {
        for failure in self.common.outputs.directories.flush() {
            self.note(answer::File::new("new names", None), failure);
        }
    }

    /// Notes, and of several says, what went wrong.
    fn note(&mut self, file: answer::File, failure: Failure) {
        // A reader of answers that has enough makes no file a failure.
        if failure.is_of_a_reader() {
            return;
        }
        if self.common.json {
            let printed = print::json(&Failed {
                file,
                error: failure.to_string(),
                code: failure.code(),
            });
            // What became of the file counts, whether or not its line can be written.
            if let Err(unwritten) = printed {
                unwritten.report();
            }
        }
        let failure = if self.common.several {
            failure.report_one()
        } else {
            failure
        };
        let so_far = core::mem::replace(&mut self.result, Ok(()));
        self.result = match so_far {
            Err(first) if !failure.is_worse_than(&first) => Err(first),
            _ => Err(failure),
        };
    }

    fn end(mut self) -> Result<(), Failure> {
        self.flush_directories();
        self.result
    }
}

/// How many threads so many jobs are worth.
fn workers(threads: usize, jobs: usize) -> usize {
    threads.min(jobs / WORTH_A_THREAD).clamp(1, MAX_WORKERS)
}

/// Does the same to all, on several threads where they are many; what comes of each, in their order.
fn side_by_side<T: Send, U: Send>(
    all: Vec<T>,
    threads: usize,
    one: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    let workers = workers(threads, all.len());
    let queue = Mutex::new(all.into_iter().enumerate());
    let next = || lock(&queue).next();
    let work = || {
        // Not every system has a thread begin with what the one that starts it was told.
        let _timing = DataIndependentTiming::begin();
        let mine = core::iter::from_fn(next);
        mine.map(|(place, it)| (place, one(it))).collect::<Vec<_>>()
    };
    let mut done = thread::scope(|scope| {
        // One that can't be had is done without.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..workers).filter_map(start).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, made)| made).collect()
}
