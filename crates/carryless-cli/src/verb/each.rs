//! One verb, many files: each has its own result, the exit code is that of the worst.
//!
//! Short files wait for each other: a disk that flushes many of them at once takes little more time than for one.

use core::time::Duration;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use crate::answer;
use crate::exit::{Failure, show};
use crate::output::{Directories, Output, most_open};
use crate::print;

/// Outputs that wait to be flushed together, at most.
const TOGETHER: usize = 64;
/// Bytes of the longest input whose output waits: to flush that of a longer one alone costs little beside its sealing.
const SHORT: u64 = 1 << 20;
/// More than a flush takes in memory, and than a thread takes to wake.
const LONG: Duration = Duration::from_micros(200);

/// An output that is complete, and what is to be said when it is at its place.
pub struct Made<'a> {
    output: Output,
    report: Report<'a>,
}

/// What a verb makes of an input, if it makes a file.
type Outcome<'a> = Result<Option<Made<'a>>, Failure>;
type Report<'a> = Box<dyn FnOnce(answer::Target) -> Result<(), Failure> + 'a>;

impl<'a> Made<'a> {
    /// What [`each`] is to do with an output.
    #[expect(clippy::unnecessary_wraps, reason = "where each call of a verb ends")]
    pub fn of(
        output: Output,
        report: impl FnOnce(answer::Target) -> Result<(), Failure> + 'a,
    ) -> Outcome<'a> {
        let report = Box::new(report);
        Ok(Some(Self { output, report }))
    }

    fn place(self, directories: &mut Directories) -> Result<(), Failure> {
        let target = self.output.target();
        self.output.place(directories)?;
        (self.report)(target)
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

/// Calls `one` for each input, or for standard input if none is named; what it makes appears. A failure does not keep
/// the others from their turn; what is not what was sealed is worse than a file that is not there, else the first counts.
pub fn each<'a>(
    inputs: &[PathBuf],
    json: bool,
    mut one: impl FnMut(Option<&Path>) -> Outcome<'a>,
) -> Result<(), Failure> {
    let names: Vec<Option<&Path>> = match inputs {
        [] => vec![None],
        inputs => inputs.iter().map(|path| Some(path.as_path())).collect(),
    };
    let mut call = Call {
        several: names.len() > 1,
        json,
        most: most_open().clamp(1, TOGETHER),
        waiting: Vec::new(),
        flushers: None,
        directories: Directories::default(),
        result: Ok(()),
    };
    let mut coming = names.iter().map(|path| (*path, look_at(*path))).peekable();
    while let Some((path, found)) = coming.next() {
        let alone = match &found {
            Some(found) if call.several => refuse_fifo(path, found),
            _ => Ok(()),
        };
        let made = alone.and_then(|()| one(path));
        // What there is to say is said in order.
        let waits = matches!(made, Ok(Some(_)));
        call.waiting.push((path, made));
        let next = coming.peek().and_then(|(_, found)| found.as_ref());
        if !waits || call.waiting.len() >= call.most || !is_short(found.as_ref()) || !is_short(next)
        {
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

/// A call of the program, and what became of its files so far.
struct Call<'a, 'b> {
    several: bool,
    json: bool,
    /// Outputs that can wait at once.
    most: usize,
    /// What was made, and is not flushed yet.
    waiting: Vec<(Option<&'b Path>, Outcome<'a>)>,
    /// What flushes them, once a flush took long.
    flushers: Option<ThreadPool>,
    directories: Directories,
    result: Result<(), Failure>,
}

impl Call<'_, '_> {
    /// Makes what waits durable and visible.
    fn settle(&mut self) {
        let waiting = core::mem::take(&mut self.waiting);
        let outputs = waiting.iter().map(|(_, made)| match made {
            Ok(Some(made)) => Some(&made.output),
            _ => None,
        });
        let flushed = self.flush(&outputs.collect::<Vec<_>>());
        for ((path, made), flushed) in waiting.into_iter().zip(flushed) {
            let placed = made.and_then(|made| {
                flushed?;
                made.map_or(Ok(()), |made| made.place(&mut self.directories))
            });
            if let Err(failure) = placed {
                let name = path.map_or_else(|| "standard input".into(), show);
                self.note(answer::File::new(&name, path), failure);
            }
        }
    }

    /// Flushes many at once, as the system writes them together then; in memory, where a flush is nothing, one by one.
    fn flush(&mut self, outputs: &[Option<&Output>]) -> Vec<Result<(), Failure>> {
        let flush = |output: &Option<&Output>| output.map_or(Ok(()), Output::flush_content);
        let mut flushed = Vec::new();
        while self.flushers.is_none() && flushed.len() < outputs.len() {
            let began = Instant::now();
            flushed.push(flush(&outputs[flushed.len()]));
            if began.elapsed() > LONG && outputs.len() > 1 {
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

    /// Notes, and of several says, what went wrong.
    fn note(&mut self, file: answer::File, failure: Failure) {
        // A reader of answers that has enough makes no file a failure.
        if failure.is_of_a_reader() {
            return;
        }
        if self.json {
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
        let failure = if self.several {
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

    /// Makes the new names durable.
    fn end(mut self) -> Result<(), Failure> {
        for failure in core::mem::take(&mut self.directories).flush() {
            self.note(answer::File::new("new names", None), failure);
        }
        self.result
    }
}
