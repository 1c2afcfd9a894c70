//! What is read: a file, a pipe, standard input.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use crate::exit::{Failure, show};

/// An input with its name.
pub struct Input {
    reader: Box<dyn Read>,
    /// For messages.
    pub name: String,
    /// The path, unless it is standard input.
    pub path: Option<PathBuf>,
    /// Of a file that was named.
    pub metadata: Option<Metadata>,
}

impl Input {
    /// Opens `path`; `-` or nothing is standard input.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path.filter(|path| path.as_os_str() != "-") {
            Some(path) => Self::file(path),
            None => Ok(Self {
                reader: Box::new(io::stdin()),
                name: "standard input".into(),
                path: None,
                metadata: None,
            }),
        }
    }

    fn file(path: &Path) -> Result<Self, Failure> {
        let name = show(path);
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) =
            opened.map_err(|error| Failure::io(&name, "can't be opened", error))?;
        if metadata.is_dir() {
            return Err(Failure::io(
                &name,
                "can't be read",
                io::ErrorKind::IsADirectory.into(),
            ));
        }
        Ok(Self {
            reader: Box::new(file),
            name,
            path: Some(path.into()),
            metadata: Some(metadata),
        })
    }

    /// Fails if somebody would have to type what only programs write.
    pub fn refuse_terminal(&self) -> Result<(), Failure> {
        if self.path.is_none() && io::stdin().is_terminal() {
            return Err(Failure::usage(
                "a sealed stream can't be typed: name a file, or pipe one in",
            ));
        }
        Ok(())
    }

    /// Bytes, if that is known before reading.
    pub fn len(&self) -> Option<u64> {
        self.metadata
            .as_ref()
            .filter(|metadata| metadata.is_file())
            .map(Metadata::len)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// Fills the buffer as far as the reader goes; how far that was.
pub fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match reader.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}
