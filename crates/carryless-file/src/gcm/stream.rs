//! Messages as `Write`, and as a file that can be read twice.

use core::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};

use zeroize::Zeroizing;

use super::{Error, Key, NONCE_LEN, Opener, Partial, Sealer, TAG_LEN, text_len};
use crate::io::read_full;

/// Bytes of the segments here.
const SEGMENT_LEN: usize = 1 << 19;

/// Seals what is written to it, and writes the message to `W`.
///
/// Call [`finish`](Self::finish): without its tag a message does not open. Up to 512 KiB are held
/// back.
pub struct SealWriter<W: Write> {
    inner: W,
    sealer: Sealer,
    parts: Vec<Partial>,
    offset: u64,
    /// Text that is not sealed yet: at most a segment.
    pending: Zeroizing<Vec<u8>>,
    /// An error ended the message.
    broken: bool,
}

impl<W: Write> fmt::Debug for SealWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealWriter")
            .field("sealer", &self.sealer)
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

impl<W: Write> SealWriter<W> {
    /// Begins a message, and writes its nonce.
    ///
    /// # Errors
    /// [`Error::Random`], or [`Error::Io`] of the writer.
    pub fn new(key: &Key, mut inner: W) -> Result<Self, Error> {
        let sealer = Sealer::new(key)?;
        inner.write_all(sealer.nonce())?;
        Ok(Self {
            inner,
            sealer,
            parts: Vec::new(),
            offset: 0,
            pending: Zeroizing::new(Vec::with_capacity(SEGMENT_LEN)),
            broken: false,
        })
    }

    /// Ends the message with its tag and flushes; gives the writer back.
    ///
    /// # Errors
    /// [`Error::Io`] of the writer, [`Error::Input`] for a text that is too long.
    pub fn finish(mut self) -> Result<W, Error> {
        self.seal()?;
        self.inner.write_all(&self.sealer.finish(&self.parts)?)?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    /// A writer that failed stays so.
    fn check(&self) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier error ended the message"));
        }
        Ok(())
    }

    /// Seals what is pending, and writes it.
    fn seal(&mut self) -> Result<(), Error> {
        self.check()?;
        // Set first: whatever fails below, no range is sealed twice.
        self.broken = true;
        let part = self.sealer.seal(self.offset, &mut self.pending)?;
        self.inner.write_all(&self.pending)?;
        self.offset += part.len();
        self.parts.push(part);
        self.pending.clear();
        self.broken = false;
        Ok(())
    }
}

impl<W: Write> Write for SealWriter<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.check()?;
        if self.pending.len() == SEGMENT_LEN {
            self.seal()?;
        }
        let len = text.len().min(SEGMENT_LEN - self.pending.len());
        self.pending.extend_from_slice(&text[..len]);
        Ok(len)
    }

    /// Flushes what was written: a segment that is not full stays pending.
    fn flush(&mut self) -> io::Result<()> {
        self.check()?;
        self.inner.flush()
    }
}

/// Opens the message that `sealed` holds from its current position to its end, and writes its text;
/// the bytes of text.
///
/// It is read twice: to check its tag, and to open it. **Nothing is written before the tag was
/// checked**, nor anything that is not the text that was checked, even if the file changes meanwhile;
/// then a beginning of the text may have been written.
///
/// # Errors
/// [`Error::Length`], [`Error::Unauthentic`], [`Error::Io`] of either.
pub fn open(
    key: &Key,
    sealed: &mut (impl Read + Seek),
    text: &mut impl Write,
) -> Result<u64, Error> {
    let start = sealed.stream_position()?;
    let sealed_len = sealed.seek(SeekFrom::End(0))?.saturating_sub(start);
    let len = text_len(sealed_len)?;
    sealed.seek(SeekFrom::Start(start))?;
    let mut nonce = [0; NONCE_LEN];
    read_whole(sealed, &mut nonce)?;
    let opener = Opener::new(key, &nonce);

    let mut parts = Vec::new();
    each_segment(sealed, len, |offset, segment| {
        parts.push(opener.authenticate(offset, segment)?);
        Ok(())
    })?;
    let mut tag = [0; TAG_LEN];
    read_whole(sealed, &mut tag)?;
    let verified = opener.verify(&parts, &tag)?;

    sealed.seek(SeekFrom::Start(start + NONCE_LEN as u64))?;
    each_segment(sealed, len, |offset, segment| {
        verified.open(offset, segment)?;
        Ok(text.write_all(segment)?)
    })?;
    text.flush()?;
    Ok(len)
}

/// Fills the buffer. A file that has become shorter since its length was asked for is no longer that message.
fn read_whole(sealed: &mut impl Read, buffer: &mut [u8]) -> Result<(), Error> {
    if read_full(sealed, buffer)? < buffer.len() {
        return Err(Error::Unauthentic);
    }
    Ok(())
}

/// Reads so many bytes by segments.
fn each_segment(
    sealed: &mut impl Read,
    len: u64,
    mut with: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let most = |rest: u64| usize::try_from(rest).map_or(SEGMENT_LEN, |rest| rest.min(SEGMENT_LEN));
    let mut buffer = Zeroizing::new(vec![0; most(len)]);
    let mut offset = 0;
    while offset < len {
        let segment = &mut buffer[..most(len - offset)];
        read_whole(sealed, segment)?;
        with(offset, segment)?;
        offset += segment.len() as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn u8_segments_are_those_that_the_tests_of_boundaries_know() {
        assert_eq!(super::SEGMENT_LEN, crate::groups::SEGMENT);
        println!("U8 list: 1 segment of readers and writers");
    }
}
