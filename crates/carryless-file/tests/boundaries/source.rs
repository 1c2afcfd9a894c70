//! Sources and sinks that do less than they were asked, and fail at a place.

use std::io::{self, Read, Seek, SeekFrom, Write};

/// How much of what was asked for is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    All,
    /// At most so many bytes.
    Short(usize),
    /// The first call does at most so many bytes, the others all.
    First(usize),
    /// Every other call is interrupted, the others do at most so many bytes.
    Interrupted(usize),
}

impl Pace {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::All => "at once",
            Self::Short(_) | Self::First(_) => "in pieces",
            Self::Interrupted(_) => "interrupted",
        }
    }

    fn most(self, calls: &mut usize) -> io::Result<usize> {
        *calls += 1;
        match self {
            Self::All => Ok(usize::MAX),
            Self::First(most) if *calls == 1 => Ok(most),
            Self::First(_) => Ok(usize::MAX),
            Self::Short(most) => Ok(most),
            Self::Interrupted(_) if *calls % 2 == 1 => Err(io::ErrorKind::Interrupted.into()),
            Self::Interrupted(most) => Ok(most),
        }
    }
}

/// Bytes in memory, read at a pace.
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    at: usize,
    pace: Pace,
    calls: usize,
    /// Reading from there fails, once, and then says that it is the end.
    fails: Option<usize>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(bytes: &'a [u8], pace: Pace, fails: Option<usize>) -> Self {
        Self {
            bytes,
            at: 0,
            pace,
            calls: 0,
            fails,
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.pace.most(&mut self.calls)?;
        let end = self.fails.unwrap_or(self.bytes.len()).min(self.bytes.len());
        if self.at >= end && self.fails.is_some() && !buffer.is_empty() {
            self.bytes = &self.bytes[..end];
            self.fails = None;
            return Err(io::Error::other("a disk"));
        }
        let rest = &self.bytes[self.at.min(end)..end];
        let len = buffer.len().min(most).min(rest.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at += len;
        Ok(len)
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut there = io::Cursor::new(self.bytes);
        there.set_position(self.at as u64);
        let at = there.seek(to)?;
        self.at = usize::try_from(at).map_err(io::Error::other)?;
        Ok(at)
    }
}

/// Takes what is written, at a pace, up to so many bytes. It is full once, and then has room again: who
/// was told so must not go on.
pub(crate) struct Sink {
    pub(crate) bytes: Vec<u8>,
    pace: Pace,
    calls: usize,
    room: usize,
}

impl Sink {
    pub(crate) const fn new(pace: Pace, room: usize) -> Self {
        Self {
            bytes: Vec::new(),
            pace,
            calls: 0,
            room,
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let most = self.pace.most(&mut self.calls)?;
        let room = self.room - self.bytes.len();
        if room == 0 && !bytes.is_empty() {
            self.room = usize::MAX;
            return Err(io::ErrorKind::StorageFull.into());
        }
        let len = bytes.len().min(most).min(room);
        self.bytes.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
