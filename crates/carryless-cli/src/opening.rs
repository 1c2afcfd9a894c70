//! From the start of a sealed file to what opens its chunks.

use std::io::Read;

use carryless_file::cobblestone::{Cipher, HEADER_LEN, Key, Opener, Tampering};
use carryless_file::container::{Error, Header, MAGIC, Unlocked, is_container};

use crate::args::{Format, Range};
use crate::exit::Failure;
use crate::input::Input;
use crate::payload::Open;
use crate::pipeline::{self, Take};
use crate::range::{Part, Window};
use crate::secrets::Secrets;

/// A sealed file whose header belongs to a key.
pub struct Source {
    opener: Opener,
    /// Where the chunked stream starts in the input.
    start: u64,
    /// What it turned out to be.
    pub format: Format,
    /// The cipher of the chunks.
    pub cipher: Cipher,
}

impl Source {
    /// Reads what precedes the chunks. Without a format the magic tells a container, and anything else
    /// is taken for a bare stream; only that has a context.
    pub fn start(
        input: &mut Input,
        secrets: &Secrets,
        format: Option<Format>,
        context: Option<&[u8]>,
    ) -> Result<Self, Failure> {
        if format == Some(Format::Container) {
            return Self::container(input, secrets, &[], context);
        }
        let mut magic = [0; MAGIC.len()];
        let got = input.fill(&mut magic)?;
        if format.is_none() && is_container(&magic[..got]) {
            return Self::container(input, secrets, &magic, context);
        }
        Self::stream(input, secrets, &magic[..got], context.unwrap_or_default())
    }

    fn container(
        input: &mut Input,
        secrets: &Secrets,
        magic: &[u8],
        context: Option<&[u8]>,
    ) -> Result<Self, Failure> {
        refuse_context(context)?;
        let (header, unlocked) = unlock(input, secrets, magic)?;
        let mut payload = [0; HEADER_LEN];
        let opener = match input.fill(&mut payload)? {
            HEADER_LEN => unlocked.opener(&payload),
            _ => Err(Error::Payload),
        };
        Ok(Self {
            opener: opener.map_err(|error| Failure::container(&input.name, error))?,
            start: header.as_bytes().len() as u64,
            format: Format::Container,
            cipher: header.cipher(),
        })
    }

    fn stream(
        input: &mut Input,
        secrets: &Secrets,
        begun: &[u8],
        context: &[u8],
    ) -> Result<Self, Failure> {
        let mut header = [0; HEADER_LEN];
        header[..begun.len()].copy_from_slice(begun);
        let got = begun.len() + input.fill(&mut header[begun.len()..])?;
        let fail = |error: Tampering| Failure::stream(&input.name, error.into());
        if got < HEADER_LEN {
            return Err(fail(Tampering::TooShort { got: got as u64 }));
        }
        if secrets.keys().next().is_none() {
            return Err(Failure::container(&input.name, Error::BareStream));
        }
        let opens = |key: &Key| Some((Opener::new(key, context, &header).ok()?, key.cipher()));
        let opened = secrets.keys().find_map(opens);
        let (opener, cipher) = opened.ok_or_else(|| fail(Tampering::Header))?;
        Ok(Self {
            opener,
            start: 0,
            format: Format::Cobblestone,
            cipher,
        })
    }

    /// Opens all chunks, or those of a range, and hands on their text, piece by authentic piece.
    pub fn each_piece(
        self,
        input: &mut Input,
        range: Option<Range>,
        threads: usize,
        take: &mut Take<'_>,
    ) -> Result<(), Failure> {
        let name = input.name.clone();
        let (work, mut window) = match range {
            Some(range) => {
                let part = Part::find(range, &self.opener, input, self.start)?;
                part.select(input)?;
                (Open::part(self.opener, &part, &name), part.window())
            }
            None => (Open::all(self.opener, input.len(), &name), Window::ALL),
        };
        pipeline::run(&work, input, threads, &mut |text| take(window.of(text)))?;
        Ok(())
    }
}

/// Reads the header of a container, of which `begun` was read before, and unlocks it with the first
/// of the secrets that does.
pub fn unlock(
    input: &mut Input,
    secrets: &Secrets,
    begun: &[u8],
) -> Result<(Header, Unlocked), Failure> {
    let name = input.name.clone();
    let fail = |error| Failure::container(&name, error);
    let header = Header::read(&mut begun.chain(input)).map_err(fail)?;
    let mut refused = None;
    for credential in secrets.credentials() {
        match header.unlock(&credential) {
            Ok(unlocked) => return Ok((header, unlocked)),
            Err(error) if error.is_unauthentic() => refused = Some(error),
            Err(error) => return Err(fail(error)),
        }
    }
    Err(fail(refused.expect("there is a key or a passphrase")))
}

/// Fails if a context was given where there is none.
pub fn refuse_context(context: Option<&[u8]>) -> Result<(), Failure> {
    if context.is_some() {
        return Err(Failure::usage("a container has no context of the caller's")
            .hint("--format cobblestone has"));
    }
    Ok(())
}
