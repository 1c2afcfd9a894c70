//! Files as `Read`, `Write` and `Seek`, the bare stream included.

use std::io::{Read, Seek, Write};

use super::{Credential, Error, FIXED_LEN, Header, Lock, create, is_container};
use crate::cobblestone::{
    Cipher, HEADER_LEN, OpenReader, Opener, SealWriter, SeekReader, Tampering,
};
use crate::io::read_full;

/// Begins a container: writes the header, and seals what is written to it.
///
/// # Errors
/// As [`create`], and [`Error::Stream`] with the writer's own.
pub fn writer<W: Write>(
    cipher: Cipher,
    locks: &[Lock<'_>],
    mut inner: W,
) -> Result<SealWriter<W>, Error> {
    let (header, sealer) = create(cipher, locks)?;
    inner.write_all(header.as_bytes())?;
    Ok(SealWriter::with_sealer(sealer, inner)?)
}

/// What precedes the chunks, read and checked.
#[derive(Debug)]
pub struct Start {
    /// Opens the chunks.
    pub opener: Opener,
    /// The header; `None` for a bare stream.
    pub header: Option<Header>,
}

impl Start {
    /// Bytes of the input before the first chunk.
    #[must_use]
    pub fn chunks_at(&self) -> u64 {
        let header = self.header.as_ref().map_or(&[][..], Header::as_bytes);
        (header.len() + HEADER_LEN) as u64
    }
}

/// Reads what precedes the chunks, of a container or, where the magic is missing, of a bare stream
/// with an empty context; not a byte more.
///
/// # Errors
/// As [`Header::read`] and [`Header::unlock`]; [`Error::Payload`]; [`Error::BareStream`];
/// [`Error::Stream`] with what is wrong with a bare stream, or with the reader.
pub fn start<R: Read>(credential: &Credential<'_>, inner: &mut R) -> Result<Start, Error> {
    let mut start = [0; HEADER_LEN];
    let got = read_full(inner, &mut start[..FIXED_LEN])?;
    if is_container(&start[..got]) {
        let header = Header::read_rest(start[..got].to_vec(), inner)?;
        let unlocked = header.unlock(credential)?;
        let mut payload = [0; HEADER_LEN];
        if read_full(inner, &mut payload)? < HEADER_LEN {
            return Err(Error::Payload);
        }
        let opener = unlocked.opener(&payload)?;
        return Ok(Start {
            opener,
            header: Some(header),
        });
    }
    let Credential::Key(key) = credential else {
        return Err(Error::BareStream);
    };
    let got = got + read_full(inner, &mut start[got..])?;
    if got < HEADER_LEN {
        return Err(Tampering::TooShort { got: got as u64 }.into());
    }
    Ok(Start {
        opener: Opener::new(key, b"", &start)?,
        header: None,
    })
}

/// Opens a container, or a bare stream with an empty context; gives out authentic text only.
///
/// # Errors
/// As [`start`].
pub fn reader<R: Read>(credential: &Credential<'_>, mut inner: R) -> Result<OpenReader<R>, Error> {
    let start = start(credential, &mut inner)?;
    Ok(OpenReader::with_opener(start.opener, inner))
}

/// The same for any place in the text: reads what precedes the chunks and the last chunk, which
/// makes the length authentic. The file begins at the current position of `inner`.
///
/// # Errors
/// As [`start`], and those of [`SeekReader::new`].
///
/// # Examples
/// ```
/// use std::io::{Cursor, Read, Seek, SeekFrom, Write};
/// use carryless_file::cobblestone::{Cipher, Key};
/// use carryless_file::container::{Credential, Lock, seek_reader, writer};
///
/// let key = Key::generate(Cipher::Cobblestone128)?;
/// let mut writer = writer(Cipher::Cobblestone128, &[Lock::Key(&key)], Vec::new())?;
/// writer.write_all(&[7; 100_000])?;
/// writer.write_all(b"the end")?;
/// let sealed = writer.finish()?;
///
/// let mut reader = seek_reader(&Credential::Key(&key), Cursor::new(sealed))?;
/// assert_eq!(reader.text_len(), 100_007);
/// reader.seek(SeekFrom::End(-3))?;
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "end");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn seek_reader<R: Read + Seek>(
    credential: &Credential<'_>,
    mut inner: R,
) -> Result<SeekReader<R>, Error> {
    let start = start(credential, &mut inner)?;
    Ok(SeekReader::with_opener(start.opener, inner)?)
}
