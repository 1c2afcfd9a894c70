//! From the start of a sealed file to what opens its chunks.

use std::io::Read;

use core::time::Duration;

use carryless_file::cobblestone::{HEADER_LEN, Key, Opener, Tampering, plaintext_len};
use carryless_file::container::{Credential, Error, Header, MAGIC, Unlocked, is_container};
use carryless_file::gcm;

use crate::args::{Format, OpenSecret, Range};
use crate::exit::Failure;
use crate::input::Input;
use crate::key_file::Purpose;
use crate::message;
use crate::payload::Open;
use crate::pipeline::{self, Take};
use crate::range::Part;
use crate::secrets::{Secrets, gcm_key};

/// Keys, and what they are to open.
pub enum Opening<'a> {
    Chunks {
        secrets: Secrets,
        format: Option<Format>,
        context: Option<&'a [u8]>,
    },
    Message(gcm::Key),
}

impl<'a> Opening<'a> {
    /// Gets the keys.
    pub fn new(
        format: Option<Format>,
        secret: &OpenSecret,
        context: Option<&'a [u8]>,
    ) -> Result<Self, Failure> {
        if format == Some(Format::Gcm) {
            refuse_context(context)?;
            let others = secret.others();
            return gcm_key(&secret.own, Purpose::Open, others).map(Self::Message);
        }
        Ok(Self::Chunks {
            secrets: Secrets::to_open(secret, &secret.own.reader())?,
            format,
            context,
        })
    }
}

/// A sealed file whose header belongs to a key.
pub struct Source<'a> {
    content: Content<'a>,
    /// What it turned out to be.
    pub format: Format,
    /// The cipher, for people.
    pub cipher: &'static str,
}

enum Content<'a> {
    Chunks {
        opener: Opener,
        /// Where the chunked stream starts in the input.
        start: u64,
    },
    /// Which has no header to check.
    Message(&'a gcm::Key),
}

impl<'a> Source<'a> {
    /// Reads what precedes the text. Without a format the magic tells a container, and anything else
    /// is taken for a bare stream; only that has a context.
    pub fn start(input: &mut Input, opening: &'a Opening<'_>) -> Result<Self, Failure> {
        let (secrets, format, context) = match opening {
            Opening::Message(key) => {
                return Ok(Self {
                    content: Content::Message(key),
                    format: Format::Gcm,
                    cipher: if key.as_bytes().len() == 16 {
                        "AES-128-GCM"
                    } else {
                        "AES-256-GCM"
                    },
                });
            }
            Opening::Chunks {
                secrets,
                format,
                context,
            } => (secrets, *format, *context),
        };
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
            content: Content::Chunks {
                opener: opener.map_err(|error| Failure::container(&input.name, error))?,
                start: header.as_bytes().len() as u64,
            },
            format: Format::Container,
            cipher: header.cipher().name(),
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
        let opens = |key: &Key| {
            Some((
                Opener::new(key, context, &header).ok()?,
                key.cipher().name(),
            ))
        };
        let opened = secrets.keys().find_map(opens);
        let (opener, cipher) = opened.ok_or_else(|| fail(Tampering::Header))?;
        Ok(Self {
            content: Content::Chunks { opener, start: 0 },
            format: Format::Cobblestone,
            cipher,
        })
    }

    /// Bytes of text to come, by the length of the input: for a progress bar.
    pub fn text_len(&self, input: &Input, range: Option<Range>) -> Option<u64> {
        let len = input.len()?;
        let all = match &self.content {
            Content::Chunks { start, .. } => plaintext_len(len.checked_sub(*start)?).ok()?,
            Content::Message(_) => gcm::text_len(len).ok()?,
        };
        let Some(Range { offset, len, .. }) = range else {
            return Some(all);
        };
        Some(all.saturating_sub(offset).min(len.unwrap_or(u64::MAX)))
    }

    /// Opens all chunks, or those of a range, and hands on their text, piece by authentic piece. What was read of all
    /// waits at most as long for more.
    pub fn each_piece(
        self,
        input: &mut Input,
        range: Option<Range>,
        threads: usize,
        wait: Option<Duration>,
        take: &mut Take<'_>,
    ) -> Result<(), Failure> {
        let name = input.name.clone();
        let (opener, start) = match self.content {
            Content::Chunks { opener, start } => (opener, start),
            Content::Message(_) if range.is_some() => {
                return Err(Failure::usage("gcm has no ranges: its one tag covers all")
                    .hint("the other formats have"));
            }
            Content::Message(key) => return message::open(key, input, threads, take),
        };
        let Some(range) = range else {
            let work = Open::all(opener, input.len(), wait, &name);
            return pipeline::run(&work, input, threads, take).map(|_| ());
        };
        let part = Part::find(range, &opener, input, start)?;
        part.select(input)?;
        let (work, mut window) = (Open::part(opener, &part, &name), part.window());
        let read = pipeline::run(&work, input, threads, &mut |text| take(window.of(text)))?;
        part.require(read, &name)
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
        if matches!(credential, Credential::Passphrase(_)) {
            secrets.check_memory(&header, &name)?;
        }
        match header.unlock(&credential) {
            Ok(unlocked) => return Ok((header, unlocked)),
            Err(error) if error.is_unauthentic() => refused = Some(error),
            Err(error) => return Err(fail(error)),
        }
    }
    Err(fail(
        refused.expect("there is a key, an identity or a passphrase"),
    ))
}

/// Fails if a context was given where there is none.
pub fn refuse_context(context: Option<&[u8]>) -> Result<(), Failure> {
    if context.is_some() {
        return Err(Failure::usage("this format has no context").hint("--format cobblestone has"));
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests;
