//! Where batches come from: full ones, unless what was read is not to wait for more.

use core::time::Duration;
use std::io::{self, Read as _};
use std::time::Instant;

use zeroize::{Zeroize, Zeroizing};

use crate::exit::Failure;
use crate::input::{Input, read_full};

/// How long what was read may wait for more.
#[derive(Clone, Copy)]
pub struct Pace {
    /// As long as this.
    pub most: Duration,
    /// Bytes that go on together: what does not fill them waits.
    pub piece: usize,
}

/// What was read.
pub struct Read {
    /// Bytes before it.
    pub offset: u64,
    /// Its bytes.
    pub len: usize,
    /// There are no more.
    pub last: bool,
}

/// An input, as batches.
pub struct Source<'a> {
    input: &'a mut Input,
    pace: Option<Pace>,
    /// What was read behind the last piece that went on.
    held: Zeroizing<Vec<u8>>,
    /// The next batch.
    index: u64,
    total: u64,
    /// There are no more.
    ended: bool,
}

impl<'a> Source<'a> {
    pub fn new(input: &'a mut Input, pace: Option<Pace>) -> Self {
        let piece = pace.map_or(0, |pace| pace.piece);
        Self {
            input,
            pace,
            held: Zeroizing::new(Vec::with_capacity(piece)),
            index: 0,
            total: 0,
            ended: false,
        }
    }

    /// Where in the input the next batch begins.
    pub fn position(&self) -> u64 {
        self.input.position() - self.held.len() as u64
    }

    /// Bytes of all batches.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Reads the next batch, with its number.
    pub fn next(&mut self, buffer: &mut [u8]) -> Option<(u64, Result<Read, Failure>)> {
        if self.ended {
            return None;
        }
        let (index, offset) = (self.index, self.total);
        let read = match self.pace {
            Some(pace) => self.fill(buffer, pace),
            None => read_full(self.input, buffer).map(|len| (len, len < buffer.len())),
        };
        self.index += 1;
        self.ended = !matches!(read, Ok((_, false)));
        self.total += read.as_ref().map_or(0, |(len, _)| *len as u64);
        let read = read.map(|(len, last)| Read { offset, len, last });
        Some((index, read.map_err(|error| self.input.failure(error))))
    }

    /// Fills the buffer, or as many pieces of it as there are when the first byte has waited long enough.
    fn fill(&mut self, buffer: &mut [u8], pace: Pace) -> io::Result<(usize, bool)> {
        let mut len = self.held.len();
        buffer[..len].copy_from_slice(&self.held);
        self.held.zeroize();
        let mut began = Instant::now();
        while len < buffer.len() {
            let left = pace.most.saturating_sub(began.elapsed());
            if len >= pace.piece && (left.is_zero() || !self.input.is_ready(left)?) {
                let whole = len - len % pace.piece;
                self.held.extend_from_slice(&buffer[whole..len]);
                // It is no part of what is read now, of which the rest is wiped.
                buffer[whole..len].zeroize();
                return Ok((whole, false));
            }
            let before = len;
            match self.input.read(&mut buffer[len..]) {
                Ok(0) => return Ok((len, true)),
                Ok(more) => len += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if before == 0 {
                began = Instant::now();
            }
        }
        Ok((len, false))
    }
}
