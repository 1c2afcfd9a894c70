//! One verb, many files: each has its own result, the exit code is that of the worst.
//!
//! Several threads work on short files, each on the next one. Outputs wait for each other where flushing takes long: a disk that
//! flushes many of them at once takes little more time than for one.

mod queue;
mod said;

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use core::time::Duration;
use std::fs::Metadata;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Instant;

use rayon::iter::{ParallelDrainRange, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::queue::{Queue, refuse_fifo};
use self::said::Said;
use crate::answer;
use crate::args::{Flow, Global};
use crate::exit::Failure;
use crate::input::{Input, Named};
use crate::output::{Output, Outputs, most_open};
use crate::pipeline::{MAX_WORKERS, into_inner, lock, start};
use crate::progress::Progress;
use crate::targets::Kept;

/// Outputs that wait to be flushed together, at most.
const TOGETHER: usize = 64;
/// Bytes of the longest input that is worked on beside others: a longer one has the threads for itself.
const SHORT: u64 = 1 << 20;
/// Short files for which starting a thread pays.
const WORTH_A_THREAD: usize = 8;
/// More than a flush takes in memory, and than a thread takes to wake.
const LONG: Duration = Duration::from_micros(200);
/// So many flushes take long on a disk; one may have waited for a processor.
const SLOW: usize = 3;
/// Bytes of stack of a thread that flushes, renames and prints.
const SMALL_STACK: usize = 1 << 18;

/// What a verb makes of an input, if that is good.
pub type Outcome<'a> = Result<Made<'a>, Failure>;
type Report<'a> = Box<dyn FnOnce() -> Result<(), Failure> + Send + 'a>;

/// An output that is complete, if the verb makes one, and what is to be said when it is at its place.
pub struct Made<'a> {
    output: Option<Output>,
    report: Report<'a>,
}

impl<'a> Made<'a> {
    /// What [`each`] is to do with an output.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "where the work on each input ends"
    )]
    pub fn of(
        output: impl Into<Option<Output>>,
        report: impl FnOnce() -> Result<(), Failure> + Send + 'a,
    ) -> Outcome<'a> {
        Ok(Self {
            output: output.into(),
            report: Box::new(report),
        })
    }
}

/// Calls `work` for each input, or for standard input if none is named, on any thread, with how many it may have of its own;
/// what there is to say is said in order. A failure does not keep the others from their turn; what is not what was
/// sealed is worse than a file that is not there, else the first counts.
pub fn each<'a>(
    inputs: &[PathBuf],
    common: &Common<'_>,
    work: impl Fn(Named<'_>, usize) -> Outcome<'a> + Sync,
) -> Result<(), Failure> {
    let queue = Mutex::new(Queue::new(inputs));
    let call = Call {
        common,
        work,
        most: most_open().clamp(1, TOGETHER),
        slow: AtomicUsize::new(0),
        waiting: Mutex::default(),
        flushers: OnceLock::new(),
        said: Mutex::new(Said::new(common)),
    };
    loop {
        let short = lock(&queue).short_ahead(MAX_WORKERS * WORTH_A_THREAD);
        if short > 0 {
            call.side_by_side(short / WORTH_A_THREAD, || lock(&queue).next_short());
        } else {
            let next = lock(&queue).next();
            let Some((named, found)) = next else { break };
            call.alone(named, found.as_ref());
        }
        call.settle(&mut lock(&call.waiting));
        if !call.has_room() {
            call.flush_directories();
        }
    }
    call.flush_directories();
    into_inner(call.said).result()
}

/// Whether it is read in no time, so that others are worked on beside it.
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
    /// Of those that work on all of a file: outputs replace none that is kept.
    pub fn of(inputs: &[PathBuf], flow: &Flow, global: &Global, kept: Kept<'a>) -> Self {
        Self::new(inputs, flow.json, global.quiet, flow.threads(), kept)
    }

    /// Of those that have no such options.
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
struct Call<'a, 'b, F> {
    common: &'b Common<'b>,
    work: F,
    /// Limit of threads, of outputs that wait, and of directories before these are flushed.
    most: usize,
    /// How many flushes took long since one did not.
    slow: AtomicUsize,
    waiting: Mutex<Vec<Waiting<'a, 'b>>>,
    /// What flushes outputs, once flushes took long.
    flushers: OnceLock<Option<ThreadPool>>,
    said: Mutex<Said<'a, 'b>>,
}

/// What was made of an input.
struct Waiting<'a, 'b> {
    named: Named<'b>,
    output: Output,
    report: Report<'a>,
}

impl<'a, 'b, F: Fn(Named<'_>, usize) -> Outcome<'a> + Sync> Call<'a, 'b, F> {
    /// Whether another directory can be opened.
    fn has_room(&self) -> bool {
        self.common.outputs.directories.len() < self.most
    }

    /// Works on what comes on so many threads, until there is no more, or names in too many directories are to be made durable.
    fn side_by_side(&self, workers: usize, next: impl Fn() -> Option<Named<'b>> + Sync) {
        let threads = self.common.threads;
        let workers = workers.min(threads).min(self.most).clamp(1, MAX_WORKERS);
        let own = threads / workers;
        let work = || {
            while self.has_room()
                && let Some(named) = next()
            {
                self.finish(named, (self.work)(named, own));
            }
        };
        thread::scope(|scope| {
            start(scope, workers - 1, work);
            work();
        });
    }

    /// Works on one on all threads.
    fn alone(&self, named: Named<'b>, found: Option<&Metadata>) {
        let refused = match self.common.several {
            true => refuse_fifo(named.path, found),
            false => Ok(()),
        };
        let made = refused.and_then(|()| (self.work)(named, self.common.threads));
        self.finish(named, made);
    }

    /// Makes what was made of an input durable and visible, at once or with that of others.
    fn finish(&self, named: Named<'b>, made: Outcome<'a>) {
        let made = match made {
            Ok(Made {
                output: Some(output),
                report,
            }) => Waiting {
                named,
                output,
                report,
            },
            Ok(made) => return lock(&self.said).add(named, Ok(made.report)),
            Err(failure) => return lock(&self.said).add(named, Err(failure)),
        };
        if !self.flushes_take_long() {
            return self.place(made);
        }
        let mut waiting = lock(&self.waiting);
        waiting.push(made);
        // Meanwhile no other waits, so that no more are open.
        if waiting.len() >= self.most {
            self.settle(&mut waiting);
        }
    }

    /// Places all that waits: the system writes together what is flushed at once.
    fn settle(&self, waiting: &mut Vec<Waiting<'a, 'b>>) {
        if waiting.is_empty() {
            return;
        }
        let build = || {
            let pool = ThreadPoolBuilder::new().num_threads(self.most);
            pool.stack_size(SMALL_STACK).build().ok()
        };
        match self.flushers.get_or_init(build) {
            Some(pool) => pool.install(|| waiting.par_drain(..).for_each(|made| self.place(made))),
            None => waiting.drain(..).for_each(|made| self.place(made)),
        }
    }

    /// Makes an output durable and visible, and has said what there is to say.
    fn place(&self, made: Waiting<'a, 'b>) {
        let Waiting {
            named,
            mut output,
            report,
        } = made;
        let began = Instant::now();
        let flushed = output.flush_content();
        self.note_flush(began.elapsed());
        let placed = flushed.and_then(|()| output.place());
        lock(&self.said).add(named, placed.map(|()| report));
    }

    /// What took long so often does so for the rest of the call.
    fn note_flush(&self, time: Duration) {
        if time > LONG {
            self.slow.fetch_add(1, Relaxed);
        } else if !self.flushes_take_long() {
            self.slow.store(0, Relaxed);
        }
    }

    /// Whether they did so far, as on a disk.
    fn flushes_take_long(&self) -> bool {
        self.slow.load(Relaxed) >= SLOW
    }

    /// Makes the new names durable.
    fn flush_directories(&self) {
        for failure in self.common.outputs.directories.flush() {
            lock(&self.said).note(answer::File::new("new names", None), failure);
        }
    }
}
