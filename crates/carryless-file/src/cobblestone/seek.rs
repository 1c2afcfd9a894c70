//! A reader that opens at any place.

use core::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use zeroize::Zeroizing;

use super::{
    CHUNK_LEN, Error, HEADER_LEN, Key, Opener, SEALED_CHUNK_LEN, Span, Tampering, chunk_offset,
    plaintext_len,
};
use crate::io::read_full;

/// The most chunks that are read at once: 2 MiB.
const MOST: u64 = 128;

/// Opens any part of a stream in `R`, and gives out authentic text only.
///
/// The length is authentic from the start: the last chunk is opened first. A read fetches the chunks
/// that it needs and no others, as one contiguous part of the stream of at most 2 MiB, and keeps them
/// for the reads that follow. Reading at or behind the end gives nothing.
///
/// # Examples
/// ```
/// use std::io::{Cursor, Read, Seek, SeekFrom, Write};
/// use carryless_file::cobblestone::{Key, SealWriter, SeekReader};
///
/// let key = Key::from_slice(&[7; 16])?;
/// let mut writer = SealWriter::new(&key, b"", Vec::new())?;
/// for line in 0..10_000 {
///     writeln!(writer, "line {line:4}")?;
/// }
/// let mut reader = SeekReader::new(&key, b"", Cursor::new(writer.finish()?))?;
/// let mut line = [0; 9];
/// reader.seek(SeekFrom::Start(7777 * 10))?;
/// reader.read_exact(&mut line)?;
/// assert_eq!(&line, b"line 7777");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SeekReader<R: Read + Seek> {
    inner: R,
    opener: Opener,
    /// Where the stream begins in `inner`, or would if it were bare.
    base: u64,
    text_len: u64,
    position: u64,
    sealed: Vec<u8>,
    /// Authentic text from `start` on; nothing if empty.
    text: Zeroizing<Vec<u8>>,
    start: u64,
}

impl<R: Read + Seek> fmt::Debug for SeekReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeekReader")
            .field("opener", &self.opener)
            .field("text_len", &self.text_len)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

impl<R: Read + Seek> SeekReader<R> {
    /// Reads and checks the header, at the current position of `inner`, and the last chunk, at its end.
    ///
    /// # Errors
    /// [`Error::Tampering`], or [`Error::Io`] of the reader.
    pub fn new(key: &Key, context: &[u8], mut inner: R) -> Result<Self, Error> {
        let mut header = [0; HEADER_LEN];
        let got = read_full(&mut inner, &mut header)?;
        if got < HEADER_LEN {
            return Err(Tampering::TooShort { got: got as u64 }.into());
        }
        Self::with_opener(Opener::new(key, context, &header)?, inner)
    }

    /// For a stream whose header was read and checked: the chunks begin at the current position.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_opener(opener: Opener, mut inner: R) -> Result<Self, Error> {
        let chunks_at = inner.stream_position()?;
        let len = inner.seek(SeekFrom::End(0))?.saturating_sub(chunks_at);
        let text_len = plaintext_len(HEADER_LEN as u64 + len)?;
        let mut reader = Self {
            inner,
            opener,
            base: chunks_at.wrapping_sub(HEADER_LEN as u64),
            text_len,
            position: 0,
            sealed: Vec::new(),
            text: Zeroizing::default(),
            start: 0,
        };
        reader.open_last()?;
        Ok(reader)
    }

    /// Bytes of text in the stream.
    #[must_use]
    pub const fn text_len(&self) -> u64 {
        self.text_len
    }

    /// Opens the last chunk, which may be empty, so that no range of the text holds it.
    fn open_last(&mut self) -> Result<(), Error> {
        let index = self.text_len / CHUNK_LEN as u64;
        let start = index * CHUNK_LEN as u64;
        let sealed_len = self.text_len - start + (SEALED_CHUNK_LEN - CHUNK_LEN) as u64;
        self.open(index, start, chunk_offset(index), sealed_len, true)
    }

    /// Opens the chunks that the next `wanted` bytes of text are in, at most [`MOST`].
    fn fetch(&mut self, wanted: usize) -> Result<(), Error> {
        let first = self.position / CHUNK_LEN as u64;
        let most = (first + MOST) * CHUNK_LEN as u64;
        let end = self.position.saturating_add(wanted as u64).min(most);
        let span = Span::new(self.position..end, self.text_len);
        let sealed_len = span.sealed.end - span.sealed.start;
        let start = span.first * CHUNK_LEN as u64;
        self.open(first, start, span.sealed.start, sealed_len, span.last)
    }

    /// Opens chunks, of which the text starts at `start`, from one part of the stream.
    fn open(
        &mut self,
        first: u64,
        start: u64,
        offset: u64,
        sealed_len: u64,
        last: bool,
    ) -> Result<(), Error> {
        self.text.clear();
        let sealed_len = usize::try_from(sealed_len).expect("at most 2 MiB and their tags");
        self.sealed.resize(sealed_len, 0);
        let place = self.base.wrapping_add(offset);
        self.inner.seek(SeekFrom::Start(place))?;
        let got = read_full(&mut self.inner, &mut self.sealed)?;
        if got < sealed_len {
            // The input has become shorter since its length was asked for.
            let chunks = first + (got / SEALED_CHUNK_LEN) as u64;
            return Err(Tampering::Truncated { chunks }.into());
        }
        if self.text.capacity() < sealed_len {
            // Not by growing, which would leave text behind that nobody wipes.
            self.text = Zeroizing::new(Vec::with_capacity(sealed_len));
        }
        self.text.resize(sealed_len, 0);
        let opened = self
            .opener
            .open_chunks(first, &self.sealed, last, &mut self.text);
        self.text.truncate(*opened.as_ref().unwrap_or(&0));
        self.start = start;
        opened.map(|_| ())
    }

    /// The text from the position on that is at hand.
    fn ready(&self) -> &[u8] {
        let skip = self.position.checked_sub(self.start);
        let skip = skip.and_then(|skip| usize::try_from(skip).ok());
        skip.and_then(|skip| self.text.get(skip..)).unwrap_or(&[])
    }
}

impl<R: Read + Seek> Read for SeekReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || self.position >= self.text_len {
            return Ok(0);
        }
        if self.ready().is_empty() {
            self.fetch(buffer.len())?;
        }
        let ready = self.ready();
        let len = ready.len().min(buffer.len());
        buffer[..len].copy_from_slice(&ready[..len]);
        self.position += len as u64;
        Ok(len)
    }
}

impl<R: Read + Seek> Seek for SeekReader<R> {
    /// Moves to a place in the text; beyond its end is allowed, before its start is not.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.text_len.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let before = || {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                "seek before the start of the text",
            )
        };
        self.position = position.ok_or_else(before)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn u8_fetches_are_those_that_the_tests_of_boundaries_know() {
        assert_eq!(super::MOST, crate::groups::FETCH as u64);
        println!("U8 list: 1 fetch of the reader of ranges");
    }
}
