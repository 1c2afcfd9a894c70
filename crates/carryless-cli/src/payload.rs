//! Sealing and opening the chunks of a stream, a batch at a time.

#[cfg(test)]
mod tests;

use core::time::Duration;

use carryless_file::cobblestone::{CHUNK_LEN, Error, Opener, SEALED_CHUNK_LEN, Sealer, Tampering};

use crate::exit::Failure;
use crate::pipeline::{Batch, Pace, Work};
use crate::range::Part;

/// Chunks in a batch: what is read and what is made of it fit into a core's second-level cache.
const BATCH: usize = 32;

/// As many chunks as a batch needs for `len` bytes, where that is known.
pub fn batch_chunks(len: Option<u64>) -> usize {
    let known = len.and_then(|len| usize::try_from(len / CHUNK_LEN as u64 + 1).ok());
    known.map_or(BATCH, |chunks| chunks.min(BATCH))
}

/// Seals everything that comes.
pub struct Seal<'a> {
    sealer: Sealer,
    chunks: usize,
    /// How long what was read may wait until its chunk goes on.
    wait: Option<Duration>,
    /// For messages.
    name: &'a str,
}

impl<'a> Seal<'a> {
    /// `len`: of the text, if that is known.
    pub fn new(sealer: Sealer, len: Option<u64>, wait: Option<Duration>, name: &'a str) -> Self {
        Self {
            sealer,
            chunks: batch_chunks(len),
            wait,
            name,
        }
    }
}

impl Work for Seal<'_> {
    fn input_len(&self) -> usize {
        self.chunks * CHUNK_LEN
    }

    fn pace(&self) -> Option<Pace> {
        self.wait.map(|most| Pace {
            most,
            piece: CHUNK_LEN,
        })
    }

    fn output_len(&self) -> usize {
        self.chunks * SEALED_CHUNK_LEN
    }

    fn batch(&self, batch: &Batch<'_>, output: &mut [u8]) -> (usize, Result<(), Failure>) {
        let len = Sealer::sealed_chunks_len(batch.input.len(), batch.last);
        let first = batch.offset / CHUNK_LEN as u64;
        let sealed = self
            .sealer
            .seal_chunks(first, batch.input, batch.last, &mut output[..len]);
        match sealed {
            Ok(()) => (len, Ok(())),
            Err(error) => (0, Err(Failure::stream(self.name, error))),
        }
    }
}

/// Opens chunks, all or some in a row.
pub struct Open<'a> {
    opener: Opener,
    chunks: usize,
    /// As of [`Seal`].
    wait: Option<Duration>,
    /// The number of the first chunk in the input.
    first: u64,
    /// The input ends where the stream does.
    to_end: bool,
    /// For messages.
    name: &'a str,
}

impl<'a> Open<'a> {
    /// All chunks of a stream of `len` bytes, if that is known.
    pub fn all(opener: Opener, len: Option<u64>, wait: Option<Duration>, name: &'a str) -> Self {
        Self {
            opener,
            chunks: batch_chunks(len),
            wait,
            first: 0,
            to_end: true,
            name,
        }
    }

    /// Some chunks in a row.
    pub fn part(opener: Opener, part: &Part, name: &'a str) -> Self {
        Self {
            opener,
            chunks: batch_chunks(Some(part.sealed_len())),
            wait: None,
            first: part.span.first,
            to_end: part.span.last,
            name,
        }
    }
}

impl Work for Open<'_> {
    fn input_len(&self) -> usize {
        self.chunks * SEALED_CHUNK_LEN
    }

    fn pace(&self) -> Option<Pace> {
        self.wait.map(|most| Pace {
            most,
            piece: SEALED_CHUNK_LEN,
        })
    }

    fn output_len(&self) -> usize {
        self.chunks * CHUNK_LEN
    }

    fn batch(&self, batch: &Batch<'_>, output: &mut [u8]) -> (usize, Result<(), Failure>) {
        let first = self.first + batch.offset / SEALED_CHUNK_LEN as u64;
        let last = batch.last && self.to_end;
        let sealed = if self.to_end {
            batch.input
        } else {
            // Of whole chunks, unless the file has become shorter since: `Part::require` notices.
            batch.input.as_chunks::<SEALED_CHUNK_LEN>().0.as_flattened()
        };
        match self.opener.open_chunks(first, sealed, last, output) {
            Ok(len) => (len, Ok(())),
            Err(error) => {
                let good = authentic_chunks(&error, first);
                let len = usize::try_from(good).map_or(0, |good| good * CHUNK_LEN);
                (len, Err(Failure::stream(self.name, error)))
            }
        }
    }
}

/// How many chunks of a batch from `first` on opened before the error.
fn authentic_chunks(error: &Error, first: u64) -> u64 {
    match error {
        Error::Tampering(
            Tampering::Chunk { index: bad } | Tampering::Truncated { chunks: bad },
        ) => bad.saturating_sub(first),
        _ => 0,
    }
}
