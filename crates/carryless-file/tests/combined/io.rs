//! Sources and sinks that do less than they were asked, are interrupted, and fail.

use core::cell::RefCell;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use crate::dice::Dice;

/// What kinds of errors there are. `InvalidData` is also that of what is not authentic, `UnexpectedEof` that of what
/// is too short.
pub(crate) const KINDS: [ErrorKind; 6] = [
    ErrorKind::Other,
    ErrorKind::TimedOut,
    ErrorKind::WouldBlock,
    ErrorKind::InvalidData,
    ErrorKind::UnexpectedEof,
    ErrorKind::PermissionDenied,
];

/// How much of what was asked for is done.
#[derive(Clone)]
struct Pace {
    dice: Dice,
    hasty: bool,
}

impl Pace {
    fn draw(dice: &mut Dice) -> Self {
        Self {
            hasty: dice.once_in(3),
            dice: dice.fork(),
        }
    }

    fn amount(&mut self, asked: usize) -> io::Result<usize> {
        if self.hasty || asked == 0 {
            return Ok(asked);
        }
        if self.dice.once_in(5) {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = self
            .dice
            .one(&[1, 16, 5000, 16_400, 16_400, 300_000, 1 << 24]);
        Ok(asked.min(1 + self.dice.below(most)))
    }
}

/// Whether there is nothing but this byte.
pub(crate) fn only(byte: u8, bytes: &[u8]) -> bool {
    bytes == vec![byte; bytes.len()]
}

/// A byte that cannot be read or written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) at: usize,
    pub(crate) kind: ErrorKind,
    /// It can when it is tried again.
    pub(crate) once: bool,
}

/// Bytes in memory, some of which may precede what is to be read.
#[derive(Clone)]
pub(crate) struct Source {
    bytes: Vec<u8>,
    begins: usize,
    at: usize,
    pace: Pace,
    failure: Option<Failure>,
}

impl Source {
    pub(crate) fn behind(bytes: &[u8], dice: &mut Dice) -> Self {
        let most = dice.one(&[1, 1, 100, 20_000]);
        let before = vec![0x93; dice.below(most)];
        Self {
            begins: before.len(),
            at: before.len(),
            bytes: [&before, bytes].concat(),
            pace: Pace::draw(dice),
            failure: None,
        }
    }

    pub(crate) fn failing(bytes: &[u8], failure: Failure, dice: &mut Dice) -> Self {
        let mut source = Self::behind(bytes, dice);
        let at = source.begins + failure.at;
        source.failure = Some(Failure { at, ..failure });
        source
    }

    /// What was read is elsewhere, and the rest begins what there is.
    pub(crate) fn cut_loose(&mut self) {
        self.bytes.drain(..self.at);
        self.failure = self.failure.map(|failure| Failure {
            at: failure.at - self.at,
            ..failure
        });
        (self.begins, self.at) = (0, 0);
    }

    /// Bytes that were read, if there was no seeking.
    pub(crate) const fn taken(&self) -> usize {
        self.at - self.begins
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let mut len = self.pace.amount(buffer.len())?.min(rest.len());
        if let Some(failure) = self.failure.filter(|failure| failure.at >= self.at) {
            let good = failure.at - self.at;
            if good == 0 && !buffer.is_empty() {
                self.failure = self.failure.filter(|failure| !failure.once);
                return Err(failure.kind.into());
            }
            len = len.min(good);
        }
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at += len;
        Ok(len)
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut there = io::Cursor::new(&self.bytes);
        there.set_position(self.at as u64);
        let at = there.seek(to)?;
        self.at = usize::try_from(at).map_err(io::Error::other)?;
        Ok(at)
    }
}

/// What a sink was given.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) bytes: Vec<u8>,
    /// How many of them were there when it was last flushed.
    pub(crate) flushed: usize,
}

/// Takes what is written to where others see it.
pub(crate) struct Sink<'a> {
    given: &'a RefCell<Given>,
    pace: Pace,
    failure: Option<Failure>,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(given: &'a RefCell<Given>, dice: &mut Dice) -> Self {
        Self {
            given,
            pace: Pace::draw(dice),
            failure: None,
        }
    }

    pub(crate) fn failing(given: &'a RefCell<Given>, failure: Failure, dice: &mut Dice) -> Self {
        Self {
            failure: Some(failure),
            ..Self::new(given, dice)
        }
    }
}

impl Write for Sink<'_> {
    /// A kind `WriteZero` of failure is to take nothing.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut len = self.pace.amount(bytes.len())?;
        let there = &mut self.given.borrow_mut().bytes;
        if let Some(failure) = self.failure {
            len = len.min(failure.at - there.len());
            if len == 0 && !bytes.is_empty() {
                self.failure = None;
                return match failure.kind {
                    ErrorKind::WriteZero => Ok(0),
                    kind => Err(kind.into()),
                };
            }
        }
        there.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        let given = &mut *self.given.borrow_mut();
        given.flushed = given.bytes.len();
        Ok(())
    }
}
