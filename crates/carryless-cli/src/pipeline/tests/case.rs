//! An input, what fails on the way, and what has to become of it.

use core::fmt;
use core::panic::AssertUnwindSafe;
use core::time::Duration;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::panic::{catch_unwind, resume_unwind};
use std::thread;

use super::super::{Batch, Work};
use super::Pipeline;
use crate::exit::{Code, Failure};
use crate::groups;
use crate::input::Input;

/// Bytes of input in a batch.
pub(super) const LEN: usize = 8;
/// What [`Fake`] puts behind the last batch, as a chunk marks the end of a stream.
const END: u8 = 0xee;
/// Bytes of a batch that are given out before its failure.
const GOOD: usize = 3;

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The work on a batch.
    Work,
    /// The same, in a panic.
    Panic,
    /// Reading it.
    Read,
    /// Writing what became of it.
    Take,
    /// The same, in a panic.
    TakePanic,
}

impl Fault {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let all = [
            Self::Work,
            Self::Panic,
            Self::Take,
            Self::TakePanic,
            Self::Read,
        ];
        let here = |fault: &Self| *fault != Self::Read || cfg!(target_os = "linux");
        all.into_iter().filter(here)
    }

    /// What fails first in the order of the input, and what behind it.
    pub(super) fn pairs() -> impl Iterator<Item = (Self, Self)> {
        let firsts = [Self::Work, Self::Panic, Self::Take];
        let seconds = || Self::all().filter(|second| *second != Self::TakePanic);
        firsts
            .into_iter()
            .flat_map(move |first| seconds().map(move |second| (first, second)))
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Work => "work failed",
            Self::Panic => "work panicked",
            Self::Read => "reading failed",
            Self::Take => "writing failed",
            Self::TakePanic => "writing panicked",
        }
    }

    /// The exit code, and what the message says.
    fn end(self, at: u64) -> (u8, String) {
        match self {
            Self::Work => (3, format!("work at {at}")),
            Self::Take => (5, format!("take at {at}")),
            Self::Read => (5, "can't be read".into()),
            Self::Panic | Self::TakePanic => (1, "a worker panicked".into()),
        }
    }
}

/// Where the input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Its length is known.
    File,
    /// It is not, and reading may fail.
    Socket,
    /// Zeros for ever.
    Endless,
}

impl Source {
    /// One in which this may fail.
    pub(super) const fn able(fault: Fault) -> Self {
        match fault {
            Fault::Read | Fault::Work => Self::Socket,
            _ => Self::File,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) workers: usize,
    pub(super) batches: u64,
    /// Bytes of the last batch.
    pub(super) rest: usize,
    pub(super) source: Source,
    /// In the order of the input.
    pub(super) faults: Vec<(u64, Fault)>,
    /// Which batches take longer: none, those that fail, or others.
    pub(super) pace: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Case {
    /// The row of the table.
    pub(super) fn key(&self) -> (&'static str, &'static str) {
        let Some((at, fault)) = self.faults.first() else {
            return ("none", "");
        };
        let place = match *at {
            0 => "first",
            at if at == self.batches - 1 => "last",
            _ => "middle",
        };
        (fault.name(), place)
    }

    fn has(&self, at: u64, fault: Fault) -> bool {
        self.faults.contains(&(at, fault))
    }

    /// The input; of one that can't be read, what comes before that.
    fn content(&self) -> Vec<u8> {
        let broken = self.faults.iter().find(|(_, fault)| *fault == Fault::Read);
        let len = match broken {
            Some((at, _)) => index(*at) * LEN + GOOD,
            None => index(self.batches - 1) * LEN + self.rest,
        };
        let byte = |at: usize| (at * 31 + (at >> 5)).to_le_bytes()[0];
        (0..len).map(byte).collect()
    }

    fn input(&self) -> Input {
        match self.source {
            Source::Endless => Input::of(File::open("/dev/zero").expect("a device")),
            Source::File => Input::of(file(&self.content())),
            Source::Socket => {
                let (mut ours, mut theirs) = UnixStream::pair().expect("a socket");
                theirs.write_all(&self.content()).expect("room");
                if self.faults.iter().any(|(_, fault)| *fault == Fault::Read) {
                    // What nobody has read when the other end goes is an error of the connection.
                    ours.write_all(b"unread").expect("room");
                }
                Input::of(File::from(OwnedFd::from(ours)))
            }
        }
    }

    /// What has to be taken, and how the run has to end.
    fn expected(&self) -> (Vec<u8>, Result<u64, (u8, String)>) {
        let content = match self.source {
            Source::Endless => vec![0; 2 * groups::WORKERS * LEN],
            Source::File | Source::Socket => self.content(),
        };
        let Some((at, fault)) = self.faults.first() else {
            let mut output = worked(&content);
            output.push(END);
            return (output, Ok(content.len() as u64));
        };
        let before = index(*at) * LEN;
        let partial = if *fault == Fault::Work { GOOD } else { 0 };
        let end = content.len().min(before + partial);
        (worked(&content[..end]), Err(fault.end(*at)))
    }

    /// Runs it, and says what is not as it must be.
    pub(super) fn judge(&self, pipeline: &Pipeline) -> Result<(), String> {
        let (mut taken, mut calls, mut failed) = (Vec::new(), 0, false);
        let work = Fake(self.clone());
        let mut late = 0;
        let mut take = |output: &[u8]| {
            late += usize::from(failed);
            let at = calls;
            calls += 1;
            failed |= self.has(at, Fault::Take) || self.has(at, Fault::TakePanic);
            if self.has(at, Fault::TakePanic) {
                quiet_panic();
            }
            if self.has(at, Fault::Take) {
                let error = io::Error::other(format!("take at {at}"));
                return Err(Failure::new(Code::Io, error));
            }
            taken.extend_from_slice(output);
            Ok(())
        };
        let mut input = self.input();
        let ran = AssertUnwindSafe(|| pipeline(&work, &mut input, self.workers, &mut take));
        let ended = catch_unwind(ran).map_err(|_| "the panic went through")?;
        let (output, end) = self.expected();
        let right = match (&ended, &end) {
            (Ok(total), Ok(len)) => total == len,
            (Err(failure), Err((code, why))) => {
                failure.code() == *code && failure.to_string().contains(why)
            }
            _ => false,
        };
        if !right {
            return Err(format!("it ended with {ended:?}, not {end:?}"));
        }
        if late > 0 {
            return Err("something was taken after a failure".into());
        }
        if taken != output {
            return Err(format!(
                "{} bytes were taken, not {}",
                taken.len(),
                output.len()
            ));
        }
        Ok(())
    }
}

/// A file of this content, at its start.
pub(super) fn file(content: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(content).expect("room");
    file.rewind().expect("a file");
    file
}

/// A panic that nobody hears of: there are thousands.
pub(super) fn quiet_panic() -> ! {
    resume_unwind(Box::new("a panic that is wanted"))
}

fn worked(input: &[u8]) -> Vec<u8> {
    input.iter().map(|byte| byte ^ 0x5a).collect()
}

fn index(at: u64) -> usize {
    usize::try_from(at).expect("few batches")
}

/// Work that fails where the case says.
pub(super) struct Fake(Case);

impl Work for Fake {
    fn input_len(&self) -> usize {
        LEN
    }

    fn output_len(&self) -> usize {
        LEN + 1
    }

    fn batch(&self, batch: &Batch<'_>, output: &mut [u8]) -> (usize, Result<(), Failure>) {
        let at = batch.offset / LEN as u64;
        let fails = self.0.faults.iter().any(|(place, _)| *place == at);
        match self.0.pace {
            1 if fails => thread::sleep(Duration::from_micros(200)),
            2 if !fails && at % 3 == 1 => thread::yield_now(),
            _ => (),
        }
        if self.0.has(at, Fault::Panic) {
            quiet_panic();
        }
        let mut made = worked(batch.input);
        if self.0.has(at, Fault::Work) {
            made.truncate(GOOD);
            output[..made.len()].copy_from_slice(&made);
            let error = io::Error::other(format!("work at {at}"));
            return (made.len(), Err(Failure::new(Code::Tampered, error)));
        }
        if batch.last {
            made.push(END);
        }
        output[..made.len()].copy_from_slice(&made);
        (made.len(), Ok(()))
    }
}
