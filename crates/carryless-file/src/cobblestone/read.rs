//! A reader that opens.

use core::fmt;
use std::io::{self, BufRead, Read};

use zeroize::Zeroizing;

use super::{BATCH, CHUNK_LEN, Error, HEADER_LEN, Key, Opener, SEALED_CHUNK_LEN, Tampering};
use crate::io::read_full;

/// Opens the stream that it reads from `R`, and gives out authentic text only.
///
/// Text comes in whole chunks, each after its tag was checked. **The end is part of what is
/// authenticated**: who acts before the reader said that the text is over acts on a beginning of
/// it. After an error nothing more comes out.
///
/// # Examples
/// ```
/// use std::io::{Read, Write};
/// use carryless_file::cobblestone::{Key, OpenReader, SealWriter};
///
/// let key = Key::from_slice(&[7; 16])?;
/// let mut writer = SealWriter::new(&key, b"", Vec::new())?;
/// writer.write_all(b"attack at dawn")?;
/// let mut sealed = writer.finish()?;
///
/// let mut text = Vec::new();
/// OpenReader::new(&key, b"", &sealed[..])?.read_to_end(&mut text)?;
/// assert_eq!(text, b"attack at dawn");
///
/// sealed.pop();
/// let mut text = Vec::new();
/// assert!(OpenReader::new(&key, b"", &sealed[..])?.read_to_end(&mut text).is_err());
/// assert!(text.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpenReader<R: Read> {
    inner: R,
    opener: Opener,
    /// The number of the next chunk.
    next: u64,
    sealed: Vec<u8>,
    text: Zeroizing<Vec<u8>>,
    /// What of `text` is authentic and not yet given out.
    start: usize,
    end: usize,
    state: State,
}

/// What comes when the text that is ready has been given out.
enum State {
    More,
    End,
    Failed(Tampering),
    /// Reading failed: the position in the stream is lost.
    Broken,
}

impl<R: Read> fmt::Debug for OpenReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenReader")
            .field("opener", &self.opener)
            .field("chunks", &self.next)
            .finish_non_exhaustive()
    }
}

impl<R: Read> OpenReader<R> {
    /// Reads the header and checks it.
    ///
    /// # Errors
    /// [`Error::Tampering`], or [`Error::Io`] of the reader.
    pub fn new(key: &Key, context: &[u8], mut inner: R) -> Result<Self, Error> {
        let mut header = [0; HEADER_LEN];
        let got = read_full(&mut inner, &mut header)?;
        if got < HEADER_LEN {
            return Err(Tampering::TooShort { got: got as u64 }.into());
        }
        Ok(Self::with_opener(
            Opener::new(key, context, &header)?,
            inner,
        ))
    }

    /// For a stream whose header was read and checked: the next byte of `inner` is that of chunk 0.
    #[must_use]
    pub fn with_opener(opener: Opener, inner: R) -> Self {
        Self {
            inner,
            opener,
            next: 0,
            sealed: vec![0; BATCH * SEALED_CHUNK_LEN],
            text: Zeroizing::new(vec![0; BATCH * CHUNK_LEN]),
            start: 0,
            end: 0,
            state: State::More,
        }
    }

    /// The text that is ready, after reading more if there is none; empty at the end of the
    /// stream, all of which was authenticated then. What was used is taken off with
    /// [`consume`](BufRead::consume).
    ///
    /// The same as [`fill_buf`](BufRead::fill_buf), with the error's own type.
    ///
    /// # Errors
    /// [`Error::Tampering`], again at each further call; [`Error::Io`] of the reader.
    pub fn ready(&mut self) -> Result<&[u8], Error> {
        while self.start == self.end {
            match self.state {
                State::More => self.open_batch()?,
                State::End => break,
                State::Failed(tampering) => return Err(tampering.into()),
                State::Broken => {
                    return Err(io::Error::other("an earlier error ended the stream").into());
                }
            }
        }
        Ok(&self.text[self.start..self.end])
    }

    /// Reads and opens the next chunks. What precedes a bad chunk is given out before the error.
    fn open_batch(&mut self) -> Result<(), Error> {
        self.state = State::Broken;
        let len = read_full(&mut self.inner, &mut self.sealed)?;
        let last = len < self.sealed.len();
        let first = self.next;
        let (end, state) =
            match self
                .opener
                .open_chunks(first, &self.sealed[..len], last, &mut self.text)
            {
                Ok(end) => (end, if last { State::End } else { State::More }),
                Err(Error::Tampering(tampering)) => {
                    (authentic_before(tampering, first), State::Failed(tampering))
                }
                Err(error) => return Err(error),
            };
        self.next += (len / SEALED_CHUNK_LEN) as u64;
        (self.start, self.end, self.state) = (0, end, state);
        Ok(())
    }
}

/// Bytes of text, from chunk `first` on, that were opened before a failure.
fn authentic_before(tampering: Tampering, first: u64) -> usize {
    let chunks = match tampering {
        Tampering::Chunk { index } => index - first,
        Tampering::Truncated { chunks } => chunks - first,
        _ => 0,
    };
    usize::try_from(chunks).expect("fewer than a batch") * CHUNK_LEN
}

impl<R: Read> BufRead for OpenReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.ready()?)
    }

    fn consume(&mut self, amount: usize) {
        self.start = self.end.min(self.start + amount);
    }
}

impl<R: Read> Read for OpenReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.ready()?;
        let len = ready.len().min(buffer.len());
        buffer[..len].copy_from_slice(&ready[..len]);
        self.consume(len);
        Ok(len)
    }
}
