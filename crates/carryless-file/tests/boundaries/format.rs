//! What writes and reads each format.

use std::io::{Read, Seek, Write};

use carryless_file::cobblestone::{self, CHUNK_LEN, SEALED_CHUNK_LEN};
use carryless_file::{container, gcm};

use crate::groups;
use crate::source::Sink;

const KEY: [u8; 16] = [7; 16];

/// A writer and a reader of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Stream,
    Container,
    Message,
}

impl Format {
    pub(crate) const ALL: [Self; 3] = [Self::Stream, Self::Container, Self::Message];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Stream => "cobblestone",
            Self::Container => "container",
            Self::Message => "gcm",
        }
    }

    pub(crate) const fn group(self) -> usize {
        match self {
            Self::Stream | Self::Container => groups::BATCH * CHUNK_LEN,
            Self::Message => groups::SEGMENT,
        }
    }

    /// Bytes before the sealed text; of a container with one slot for a key.
    const fn header_len(self) -> usize {
        match self {
            Self::Stream => cobblestone::HEADER_LEN,
            Self::Container => 60 + 115 + cobblestone::HEADER_LEN,
            Self::Message => gcm::NONCE_LEN,
        }
    }

    /// Where the sealed data of the first group ends.
    pub(crate) const fn boundary(self) -> usize {
        self.header_len()
            + match self {
                Self::Stream | Self::Container => groups::BATCH * SEALED_CHUNK_LEN,
                Self::Message => groups::SEGMENT,
            }
    }

    pub(crate) const fn sealed_len(self, len: usize) -> usize {
        let tags = match self {
            Self::Stream | Self::Container => len / CHUNK_LEN + 1,
            Self::Message => 1,
        };
        self.header_len() + len + tags * gcm::TAG_LEN
    }

    /// Writes pieces, with a flush behind each or not; whether that is all.
    pub(crate) fn write(self, pieces: &[&[u8]], flush: bool, sink: &mut Sink) -> bool {
        fn all(mut writer: impl Write, pieces: &[&[u8]], flush: bool) -> bool {
            for piece in pieces {
                if writer.write_all(piece).is_err() || flush && writer.flush().is_err() {
                    let again = writer.write_all(&[0; 1 << 20]);
                    assert!(again.is_err(), "a writer that failed stays failed");
                    return false;
                }
            }
            true
        }
        let key = cobblestone::Key::from_slice(&KEY).expect("a key");
        let (written, finished) = match self {
            Self::Stream | Self::Container => {
                let begun = if self == Self::Stream {
                    cobblestone::SealWriter::new(&key, b"", sink).ok()
                } else {
                    container::writer(key.cipher(), &[container::Lock::Key(&key)], sink).ok()
                };
                let Some(mut writer) = begun else {
                    return false;
                };
                (all(&mut writer, pieces, flush), writer.finish().is_ok())
            }
            Self::Message => {
                let key = gcm::Key::from_slice(&KEY).expect("a key");
                let Ok(mut writer) = gcm::SealWriter::new(&key, sink) else {
                    return false;
                };
                (all(&mut writer, pieces, flush), writer.finish().is_ok())
            }
        };
        assert!(written || !finished, "a writer that failed is not finished");
        finished
    }

    pub(crate) fn open<R: Read + Seek>(self, mut source: R) -> Option<Vec<u8>> {
        let key = cobblestone::Key::from_slice(&KEY).expect("a key");
        let mut text = Vec::new();
        match self {
            Self::Stream => {
                let mut reader = cobblestone::OpenReader::new(&key, b"", source).ok()?;
                reader.read_to_end(&mut text).ok()?;
            }
            Self::Container => {
                let credential = container::Credential::Key(&key);
                let mut reader = container::reader(&credential, source).ok()?;
                reader.read_to_end(&mut text).ok()?;
            }
            Self::Message => {
                let key = gcm::Key::from_slice(&KEY).expect("a key");
                gcm::open(&key, &mut source, &mut text).ok()?;
            }
        }
        Some(text)
    }
}
