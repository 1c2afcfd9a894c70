//! A writer that seals.

use core::fmt;
use std::io::{self, Write};

use zeroize::Zeroizing;

use super::{BATCH, CHUNK_LEN, Error, Key, SEALED_CHUNK_LEN, Sealer, TAG_LEN};

/// Seals what is written to it, and writes the stream to `W`.
///
/// Call [`finish`](Self::finish): a stream without its last chunk does not open, which also marks
/// what was dropped half-way as incomplete. Up to 512 KiB are held back to seal many chunks at
/// once; larger writes are sealed from where they lie.
///
/// # Examples
/// ```
/// use std::io::Write;
/// use carryless_file::cobblestone::{Key, SealWriter};
///
/// let key = Key::from_slice(&[7; 16])?;
/// let mut writer = SealWriter::new(&key, b"", Vec::new())?;
/// write!(writer, "line {}\n", 1)?;
/// let sealed = writer.finish()?;
/// assert_eq!(sealed.len(), 56 + 7 + 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SealWriter<W: Write> {
    inner: W,
    sealer: Sealer,
    /// The number of the next chunk.
    next: u64,
    /// Text that is not sealed yet: less than a batch.
    pending: Zeroizing<Vec<u8>>,
    sealed: Vec<u8>,
    /// An error ended the stream.
    broken: bool,
}

impl<W: Write> fmt::Debug for SealWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealWriter")
            .field("sealer", &self.sealer)
            .field("chunks", &self.next)
            .finish_non_exhaustive()
    }
}

impl<W: Write> SealWriter<W> {
    /// Begins a stream under `key` and `context`, and writes its header.
    ///
    /// # Errors
    /// [`Error::Random`], or [`Error::Io`] of the writer.
    pub fn new(key: &Key, context: &[u8], inner: W) -> Result<Self, Error> {
        Self::with_sealer(Sealer::new(key, context)?, inner)
    }

    /// For a stream that has begun elsewhere: writes its header, and seals all of its chunks.
    ///
    /// # Errors
    /// [`Error::Io`] of the writer.
    pub fn with_sealer(sealer: Sealer, mut inner: W) -> Result<Self, Error> {
        inner.write_all(sealer.header())?;
        let pending = Zeroizing::new(Vec::with_capacity(BATCH * CHUNK_LEN));
        let sealed = vec![0; BATCH * SEALED_CHUNK_LEN + TAG_LEN];
        Ok(Self {
            inner,
            sealer,
            next: 0,
            pending,
            sealed,
            broken: false,
        })
    }

    /// Ends the stream with its last chunk and flushes; gives the writer back.
    ///
    /// # Errors
    /// [`Error::Io`] of the writer, [`Error::TextTooLong`].
    pub fn finish(mut self) -> Result<W, Error> {
        let pending = core::mem::take(&mut self.pending);
        self.seal(&pending, true)?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    /// Fails after an error: the stream can't go on.
    fn check(&self) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier error ended the stream"));
        }
        Ok(())
    }

    /// Seals at most a batch, and writes it.
    fn seal(&mut self, text: &[u8], last: bool) -> Result<(), Error> {
        self.check()?;
        // Set first: whatever fails below, no chunk is sealed twice.
        self.broken = true;
        let sealed = &mut self.sealed[..Sealer::sealed_chunks_len(text.len(), last)];
        self.sealer.seal_chunks(self.next, text, last, sealed)?;
        self.next += (text.len() / CHUNK_LEN) as u64;
        self.inner.write_all(sealed)?;
        self.broken = false;
        Ok(())
    }

    /// Seals the whole chunks among the pending text.
    fn seal_pending(&mut self) -> Result<(), Error> {
        let whole = self.pending.len() / CHUNK_LEN * CHUNK_LEN;
        if whole > 0 {
            let mut pending = core::mem::take(&mut self.pending);
            self.seal(&pending[..whole], false)?;
            pending.drain(..whole);
            self.pending = pending;
        }
        Ok(())
    }
}

impl<W: Write> Write for SealWriter<W> {
    /// Takes some of `text`, at most 512 KiB.
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.check()?;
        let room = BATCH * CHUNK_LEN - self.pending.len();
        let len = text.len().min(room);
        let direct = len / CHUNK_LEN * CHUNK_LEN;
        if self.pending.is_empty() && direct > 0 {
            self.seal(&text[..direct], false)?;
            return Ok(direct);
        }
        self.pending.extend_from_slice(&text[..len]);
        if len == room {
            self.seal_pending()?;
        }
        Ok(len)
    }

    /// Writes what can be written: all whole chunks.
    fn flush(&mut self) -> io::Result<()> {
        self.check()?;
        self.seal_pending()?;
        self.inner.flush()
    }
}
