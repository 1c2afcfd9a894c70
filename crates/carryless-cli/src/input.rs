//! What is read: a file, a pipe, standard input.

use core::time::Duration;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::answer;
use crate::closed;
use crate::exit::{Failure, show};

/// An input as it is named in a call.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// From 0.
    pub number: usize,
    /// Nothing, if it is standard input for want of names.
    pub path: Option<&'a Path>,
}

/// An input with its name.
pub struct Input {
    file: File,
    /// Where in it is read next.
    position: u64,
    /// Bytes that may still be read.
    left: u64,
    /// For messages.
    pub name: String,
    /// The path, unless it is standard input.
    pub path: Option<PathBuf>,
    /// Of a file that was named, or redirected from its start.
    pub metadata: Option<Metadata>,
}

impl Input {
    /// Opens `path`; `-` or nothing is standard input.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path.filter(|path| path.as_os_str() != "-") {
            Some(path) => Self::file(path),
            None => Self::stdin(),
        }
    }

    /// Without Rust's buffer, which would only copy.
    fn stdin() -> Result<Self, Failure> {
        let name = "standard input".to_string();
        #[cfg(unix)]
        let owned = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
        #[cfg(windows)]
        let owned = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
        let owned = owned.map_err(|error| Failure::io(&name, "can't be opened", error))?;
        let mut file = File::from(owned);
        closed::refuse(&file, &name)?;
        let metadata = file.metadata().ok().filter(Metadata::is_file);
        let whole =
            metadata.is_some() && file.stream_position().is_ok_and(|position| position == 0);
        Ok(Self {
            file,
            position: 0,
            left: u64::MAX,
            name,
            path: None,
            metadata: metadata.filter(|_| whole),
        })
    }

    fn file(path: &Path) -> Result<Self, Failure> {
        let name = show(path);
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) =
            opened.map_err(|error| Failure::io(&name, "can't be opened", error))?;
        if metadata.is_dir() {
            let error = io::ErrorKind::IsADirectory.into();
            return Err(Failure::io(&name, "can't be read", error)
                .hint("name the files in it, or make it one with `tar c`"));
        }
        Ok(Self {
            file,
            position: 0,
            left: u64::MAX,
            name,
            path: Some(path.into()),
            metadata: Some(metadata),
        })
    }

    /// What a test has opened.
    #[cfg(all(test, unix))]
    pub fn of(file: File) -> Self {
        let metadata = file.metadata().ok();
        Self {
            file,
            position: 0,
            left: u64::MAX,
            name: "input".into(),
            path: None,
            metadata,
        }
    }

    /// The file, of which nothing is to be read beside this.
    #[cfg(unix)]
    pub const fn as_file(&self) -> &File {
        &self.file
    }

    /// What `--json` says of it.
    pub fn named(&self) -> answer::File {
        answer::File::new(&self.name, self.path.as_deref())
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

    /// Goes to a place in a file, to read so many bytes and no more.
    pub fn part(&mut self, at: u64, len: u64) -> Result<(), Failure> {
        self.left = len;
        self.position = at;
        let moved = self.file.seek(SeekFrom::Start(at));
        moved.map(|_| ()).map_err(|error| self.failure(error))
    }

    /// Makes of a pipe a file without a name, for what needs to be read twice.
    pub fn make_seekable(&mut self) -> Result<(), Failure> {
        // What claims to be empty may be made while it is read, as in /proc.
        if self.len().is_some_and(|len| len > 0) {
            return Ok(());
        }
        let copied = tempfile::tempfile().and_then(|mut file| {
            io::copy(&mut self.file, &mut file)?;
            file.rewind()?;
            Ok((file.metadata()?, file))
        });
        let (metadata, file) = copied.map_err(|error| {
            Failure::io(&self.name, "can't be copied to a temporary file", error)
        })?;
        self.file = file;
        self.position = 0;
        self.metadata = Some(metadata);
        Ok(())
    }

    /// Reads until the buffer is full or there is no more; how far that was.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        read_full(self, buffer).map_err(|error| self.failure(error))
    }

    /// Whether there is something to read, or the end, before this time is over.
    #[cfg(unix)]
    pub fn is_ready(&self, time: Duration) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        let mut waits = [PollFd::new(&self.file, PollFlags::IN)];
        let time = Timespec::try_from(time).map_err(io::Error::other)?;
        match poll(&mut waits, Some(&time)) {
            // It is asked again.
            Err(rustix::io::Errno::INTR) => Ok(true),
            ready => Ok(ready? > 0),
        }
    }

    /// Elsewhere reading waits as long as it takes.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Unix")]
    pub fn is_ready(&self, _: Duration) -> io::Result<bool> {
        Ok(true)
    }

    /// An error of reading it.
    pub fn failure(&self, error: io::Error) -> Failure {
        Failure::io(&self.name, "can't be read", error)
    }

    /// Whether a file is no more what it was when it was opened. Those that the system makes up while
    /// they are read, as in /proc, do not change.
    pub fn changed(&self) -> bool {
        let state = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
        let before = self.metadata.as_ref().filter(|before| before.is_file());
        let now = self.file.metadata().ok();
        before.is_some_and(|before| now.is_some_and(|now| state(&now) != state(before)))
    }

    /// Where in the file is read next, if it is one.
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Bytes that are left, at most, if that is known before reading.
    pub fn len(&self) -> Option<u64> {
        self.metadata
            .as_ref()
            .filter(|metadata| metadata.is_file())
            .map(|metadata| metadata.len().min(self.left))
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let len = self.file.read(&mut buffer[..most])?;
        self.left -= len as u64;
        self.position += len as u64;
        Ok(len)
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
