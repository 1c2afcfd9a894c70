//! Many threads, one order: reading, sealing or opening, and writing overlap.
//!
//! Every worker takes the next batch from the reader, works on it in buffers of its own, waits until
//! the batches before it are written, and writes it. So at any time one worker reads, one writes and
//! the others compute; a batch stays in one core's cache from its reading to its writing; memory is
//! bounded by the workers' buffers, whatever the size of the input; and what is written is in order and
//! never includes a byte of or behind a batch that failed.

#[cfg(all(test, unix))]
mod tests;

mod buffer;
mod source;

use core::panic::AssertUnwindSafe;
use std::io;
use std::panic::catch_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use carryless::DataIndependentTiming;

use self::buffer::Buffer;
pub use self::source::Pace;
use self::source::{Read, Source};
use crate::exit::{Code, Failure};
use crate::input::Input;

/// More workers than this would wait for one reader and one writer; their buffers bound the memory.
pub const MAX_WORKERS: usize = 24;

/// Where in its page an output begins: not little before where it does in a file, at 0 or behind a nonce (see [`Buffer::at`]).
const OUTPUT_PLACE: u64 = 64;

/// What is done to a batch.
pub struct Batch<'a> {
    /// Bytes of input before it.
    pub offset: u64,
    /// What was read: may be shorter than asked for, or empty, if it is the last.
    pub input: &'a [u8],
    /// The input ends here.
    pub last: bool,
}

/// Work on batches, in any order and from any number of threads.
pub trait Work: Sync {
    /// Bytes of input in every batch but the last.
    fn input_len(&self) -> usize;
    /// When a batch may be shorter than that; never without one.
    fn pace(&self) -> Option<Pace> {
        None
    }
    /// Bytes of output that a batch makes at most.
    fn output_len(&self) -> usize;
    /// Works on one batch: bytes of `output` that may be written, and whether that is all of it.
    fn batch(&self, batch: &Batch<'_>, output: &mut [u8]) -> (usize, Result<(), Failure>);
}

/// Takes finished batches in order.
pub type Take<'a> = dyn FnMut(&[u8]) -> Result<(), Failure> + Send + 'a;

/// Reads the input to its end through `work`; `take` gets the output. Returns the bytes read.
///
/// # Errors
/// The failure that comes first in the order of the input. What precedes it has been taken.
pub fn run(
    work: &impl Work,
    input: &mut Input,
    threads: usize,
    take: &mut Take<'_>,
) -> Result<u64, Failure> {
    let workers = workers(threads, work.input_len(), input.len());
    let line = Line {
        source: Mutex::new(Source::new(input, work.pace())),
        sink: Mutex::new(Sink {
            take,
            index: 0,
            result: Ok(()),
        }),
        turns: core::array::from_fn(|_| Condvar::new()),
        alone: workers == 1,
    };
    let panicked = thread::scope(|scope| {
        let others = start(scope, workers - 1, || line.work(work));
        let own = catch_unwind(AssertUnwindSafe(|| line.work(work)));
        let ends = others.into_iter().map(ScopedJoinHandle::join);
        ends.fold(own.is_err(), |panicked, end| panicked | end.is_err())
    });
    let Line { source, sink, .. } = line;
    let total = into_inner(source).total();
    into_inner(sink).result?;
    if panicked { Err(panic()) } else { Ok(total) }
}

/// Starts so many threads that do this, or as many of them as can be had.
pub fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    count: usize,
    work: impl Fn() + Copy + Send + 'scope,
) -> Vec<ScopedJoinHandle<'scope, ()>> {
    let start = |_| {
        let started = thread::Builder::new().spawn_scoped(scope, move || {
            // Not every system has a thread begin with what the one that starts it was told.
            let _timing = DataIndependentTiming::begin();
            work();
        });
        started.ok()
    };
    (0..count).filter_map(start).collect()
}

/// What becomes of a panic, which has said on standard error what it was.
fn panic() -> Failure {
    Failure::new(Code::Other, io::Error::other("a worker panicked"))
}

/// No more than there are batches.
pub fn workers(threads: usize, batch: usize, len: Option<u64>) -> usize {
    let batches = len.map_or(u64::MAX, |len| len / batch as u64 + 1);
    usize::try_from(batches)
        .unwrap_or(usize::MAX)
        .min(threads)
        .clamp(1, MAX_WORKERS)
}

/// Where batches come from and go to.
struct Line<'a> {
    source: Mutex<Source<'a>>,
    sink: Mutex<Sink<'a>>,
    /// At most one worker waits for each: batches that wait have numbers within [`MAX_WORKERS`].
    turns: [Condvar; MAX_WORKERS],
    /// Nobody else waits.
    alone: bool,
}

struct Sink<'a> {
    take: &'a mut Take<'a>,
    /// The next batch.
    index: u64,
    result: Result<(), Failure>,
}

impl Line<'_> {
    /// What every worker does.
    fn work(&self, work: &impl Work) {
        let mut input = Buffer::new(work.input_len());
        let mut output = Buffer::new(work.output_len());
        output.at(OUTPUT_PLACE);
        while let Some((index, read)) = self.next(&mut input) {
            let turn = Turn { line: self, index };
            let (made, result) = match read {
                Ok(Read { offset, len, last }) => {
                    input.note_use(len);
                    let batch = Batch {
                        offset,
                        input: &input.whole()[..len],
                        last,
                    };
                    work.batch(&batch, output.whole())
                }
                Err(failure) => {
                    input.note_all();
                    (0, Err(failure))
                }
            };
            // Behind what is good there may be more of what is not.
            match result {
                Ok(()) => output.note_use(made),
                Err(_) => output.note_all(),
            }
            if !turn.pass(&output.whole()[..made], result) {
                break;
            }
        }
    }

    /// Reads the next batch: its number, and what it is or why there is none. `None` behind the last.
    fn next(&self, buffer: &mut Buffer) -> Option<(u64, Result<Read, Failure>)> {
        let mut source = lock(&self.source);
        if lock(&self.sink).result.is_err() {
            return None;
        }
        let position = source.position();
        source.next(buffer.at(position))
    }
}

/// The right to write a batch when those before it are written. If it is dropped without that, by a
/// panic, that is the failure of this batch.
struct Turn<'a, 'b> {
    line: &'a Line<'b>,
    index: u64,
}

impl<'b> Turn<'_, 'b> {
    /// Waits, writes and passes the turn on; whether there is reason to go on.
    fn pass(self, output: &[u8], result: Result<(), Failure>) -> bool {
        let mut sink = self.wait();
        if sink.result.is_ok() {
            let taken = if output.is_empty() {
                Ok(())
            } else {
                (sink.take)(output)
            };
            sink.result = taken.and(result);
            sink.index += 1;
        }
        let goes_on = sink.result.is_ok();
        drop(sink);
        self.call_next(goes_on);
        core::mem::forget(self);
        goes_on
    }

    fn wait(&self) -> MutexGuard<'_, Sink<'b>> {
        let turn = &self.line.turns[place(self.index)];
        let waits = |sink: &mut Sink<'_>| sink.result.is_ok() && sink.index < self.index;
        turn.wait_while(lock(&self.line.sink), waits)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn call_next(&self, goes_on: bool) {
        if self.line.alone {
            return;
        }
        if goes_on {
            self.line.turns[place(self.index + 1)].notify_one();
        } else {
            self.line.turns.iter().for_each(Condvar::notify_all);
        }
    }
}

impl Drop for Turn<'_, '_> {
    fn drop(&mut self) {
        let mut sink = self.wait();
        if sink.result.is_ok() {
            sink.result = Err(panic());
        }
        drop(sink);
        self.call_next(false);
    }
}

pub fn place(index: u64) -> usize {
    usize::try_from(index % MAX_WORKERS as u64).expect("it is below the number of places")
}

/// Locks what a panic of who held it leaves in order: of a worker that is a failure by way of [`Turn`].
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
