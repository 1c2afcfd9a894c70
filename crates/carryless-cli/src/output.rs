//! What is written: a file that appears whole or not at all, a pipe or device, standard output.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use self::attributes::Attributes;
use self::beside::{Beside, Directories, Replaced};
pub use self::system::most_open;
use self::system::{new_mode, own_mode};
use crate::answer;
use crate::closed;
use crate::exit::{Code, Failure, show};
use crate::input::Input;
use crate::secret_file::readable_by_others;
use crate::targets::Kept;

#[cfg(target_os = "linux")]
mod attributes;
#[cfg(not(target_os = "linux"))]
#[path = "output/no_attributes.rs"]
mod attributes;
mod beside;
mod hidden;
#[cfg(not(unix))]
#[path = "output/other.rs"]
mod system;
#[cfg(unix)]
#[path = "output/unix.rs"]
mod system;
#[cfg(test)]
mod tests;

/// Bytes that are copied at once.
const PIECE: usize = 1 << 18;

/// Rights of a finished file.
#[derive(Clone, Copy)]
pub enum Mode<'a> {
    /// As the source has, if that is a file, but no more than the umask lets, and no right that its access list does not give all;
    /// otherwise as any new file. A replaced target keeps its own.
    #[cfg_attr(not(unix), expect(dead_code, reason = "rights are those of Unix"))]
    Like(&'a Input),
    /// As any new file.
    New,
    /// The owner's alone, of a replaced target too.
    Private,
}

/// An output with its name.
pub struct Output {
    sink: Sink,
    /// For messages.
    pub name: String,
    /// What it was asked for as, unless it is standard output.
    path: Option<PathBuf>,
    /// Text goes to a terminal only if it is text.
    terminal: bool,
    is_stdout: bool,
    /// What was there was to be replaced.
    force: bool,
}

enum Sink {
    Direct(File),
    Beside(Box<Beside>),
}

/// What the outputs of a call have in common.
#[derive(Default)]
pub struct Outputs<'a> {
    /// Where their names are.
    pub directories: Directories,
    kept: Kept<'a>,
}

impl<'a> Outputs<'a> {
    /// Outputs that replace none of these.
    pub fn new(kept: Kept<'a>) -> Self {
        let directories = Directories::default();
        Self { directories, kept }
    }

    /// Opens the target; `-` or nothing is standard output.
    pub fn create(
        &self,
        target: Option<&Path>,
        force: bool,
        mode: Mode<'_>,
    ) -> Result<Output, Failure> {
        let Some(path) = target.filter(|path| path.as_os_str() != "-") else {
            return self.stdout();
        };
        let named = fs::symlink_metadata(path);
        let is_link = named.as_ref().is_ok_and(Metadata::is_symlink);
        let found = if is_link { fs::metadata(path) } else { named };
        if let Ok(found) = &found {
            self.kept.refuse(target, found)?;
        }
        let name = show(path);
        let fail = |error| Failure::io(&name, "can't be written", error);
        let sink = match found {
            Ok(found) if found.is_dir() => {
                let error = fail(io::ErrorKind::IsADirectory.into());
                return Err(error.hint(format!("-o {name}/ puts it in there")));
            }
            Ok(found) if found.is_file() => {
                if !force {
                    return Err(exists(&name));
                }
                self.replacing(path, is_link, found, mode).map_err(fail)?
            }
            Ok(_) => Sink::Direct(OpenOptions::new().write(true).open(path).map_err(fail)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_link => {
                let error = fail(error).hint("it is a symbolic link to what does not exist");
                return Err(error);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let beside = Beside::create(path.into(), None, new_mode(mode), &self.directories);
                Sink::Beside(Box::new(beside.map_err(fail)?))
            }
            Err(error) => return Err(fail(error)),
        };
        let terminal = matches!(&sink, Sink::Direct(file) if file.is_terminal());
        Ok(Output {
            sink,
            name,
            path: Some(path.into()),
            terminal,
            is_stdout: false,
            force,
        })
    }

    /// Opens what is to replace the regular file that is being read, which keeps its rights: as it was when it was opened.
    pub fn replace(&self, input: &Input) -> Result<Output, Failure> {
        let (Some(path), Some(read)) = (&input.path, &input.metadata) else {
            return Err(not_regular());
        };
        if !path.is_file() {
            return Err(not_regular());
        }
        let name = show(path);
        let sink = self.replacing(path, path.is_symlink(), read.clone(), Mode::New);
        Ok(Output {
            sink: sink.map_err(|error| Failure::io(&name, "can't be written", error))?,
            name,
            path: Some(path.clone()),
            terminal: false,
            is_stdout: false,
            force: true,
        })
    }

    /// What a symbolic link points to is replaced, the link stays.
    fn replacing(
        &self,
        path: &Path,
        is_link: bool,
        found: Metadata,
        mode: Mode<'_>,
    ) -> io::Result<Sink> {
        let target = match is_link {
            true => path.canonicalize()?,
            false => path.into(),
        };
        let (mode, attributes) = match mode {
            Mode::Private => (Some(0o600), Attributes::none()),
            Mode::Like(_) | Mode::New => (own_mode(&found), Attributes::of(&target)),
        };
        let replaced = Replaced { found, attributes };
        let beside = Beside::create(target, Some(replaced), mode, &self.directories)?;
        Ok(Sink::Beside(Box::new(beside)))
    }

    fn stdout(&self) -> Result<Output, Failure> {
        let name = closed::STDOUT.to_string();
        let file = closed::stdout()?;
        if let Ok(found) = file.metadata() {
            self.kept.refuse(None, &found)?;
        }
        Ok(Output {
            sink: Sink::Direct(file),
            name,
            path: None,
            terminal: io::stdout().is_terminal(),
            is_stdout: true,
            force: false,
        })
    }
}

impl Output {
    /// The only output of a call.
    pub fn alone(target: Option<&Path>, force: bool, mode: Mode<'_>) -> Result<Self, Failure> {
        Outputs::default().create(target, force, mode)
    }

    /// What `--json` says of it.
    pub fn target(&self) -> answer::Target {
        answer::Target::new(&self.name, self.path.as_deref())
    }

    /// Fails for a terminal, which binary data would confuse.
    pub fn refuse_terminal(&self) -> Result<(), Failure> {
        if self.terminal { Err(binary()) } else { Ok(()) }
    }

    /// Fails if the answers of `--json` would be mixed with data.
    pub fn refuse_json(&self, json: bool) -> Result<(), Failure> {
        if json && self.is_stdout {
            let error = "--json and the data would both go to standard output";
            return Err(Failure::usage(error).hint("-o names a file for the data"));
        }
        Ok(())
    }

    /// Whether it is a regular file, not beside its place, to which others have rights.
    pub fn is_readable_by_others(&self) -> bool {
        matches!(&self.sink, Sink::Direct(file) if readable_by_others(file).unwrap_or(false))
    }

    /// Whether text appears where a progress bar would.
    pub const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Writes a piece of text; to a terminal only if it is text.
    pub fn write_text(&mut self, text: &[u8]) -> Result<(), Failure> {
        if self.terminal && looks_binary(text) {
            return Err(binary());
        }
        self.write_all(text).map_err(|error| self.failure(error))
    }

    /// Writes a piece of sealed data.
    pub fn write_sealed(&mut self, sealed: &[u8]) -> Result<(), Failure> {
        self.write_all(sealed).map_err(|error| self.failure(error))
    }

    /// Writes all that is left of an input.
    pub fn copy(&mut self, input: &mut Input) -> Result<(), Failure> {
        let mut piece = vec![0; PIECE];
        loop {
            let len = input.fill(&mut piece)?;
            self.write_sealed(&piece[..len])?;
            if len < piece.len() {
                return Ok(());
            }
        }
    }

    fn as_file(&mut self) -> &mut File {
        match &mut self.sink {
            Sink::Direct(file) => file,
            Sink::Beside(beside) => &mut beside.file.file,
        }
    }

    /// An error of writing to it.
    pub fn failure(&self, error: io::Error) -> Failure {
        Failure::io(&self.name, "can't be written", error)
    }

    /// Whether it is standard output.
    pub const fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// Whether a failure leaves what was written where it is.
    pub const fn is_direct(&self) -> bool {
        matches!(self.sink, Sink::Direct(_))
    }

    /// Makes what was written durable, which is all.
    pub fn flush_content(&mut self) -> Result<(), Failure> {
        let flushed = match &mut self.sink {
            Sink::Direct(_) => Ok(()),
            Sink::Beside(beside) => beside.flush(),
        };
        flushed.map_err(|error| self.failure(error))
    }

    /// Makes it visible under its name, which is durable when the directories are flushed.
    pub fn place(self) -> Result<(), Failure> {
        let Sink::Beside(beside) = self.sink else {
            return Ok(());
        };
        let name = self.name;
        let Ok(_lock) = beside.lock_unchanged() else {
            return Err(changed(&name));
        };
        let placed = beside.place();
        placed.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists if self.force => changed(&name),
            io::ErrorKind::AlreadyExists => exists(&name),
            _ => Failure::io(&name, "can't be written", error),
        })
    }

    /// Makes it durable and visible: the only output of a call.
    pub fn commit(mut self) -> Result<(), Failure> {
        let directory = match &self.sink {
            Sink::Direct(_) => None,
            Sink::Beside(beside) => Some(beside.directory.clone()),
        };
        self.flush_content()?;
        self.place()?;
        directory.map_or(Ok(()), |directory| directory.flush())
    }
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.as_file().write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The directory that a file is in.
pub fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn exists(name: &str) -> Failure {
    Failure::usage(format!("{name}: the target exists"))
        .hint("--force replaces it, -o names another")
}

fn not_regular() -> Failure {
    Failure::usage("only a regular file can be replaced").hint("-o names an output")
}

fn changed(name: &str) -> Failure {
    let error = io::Error::other("somebody else changed it meanwhile");
    Failure::io(name, "can't be replaced", error).hint("it is as they left it: try again")
}

fn binary() -> Failure {
    Failure::new(
        Code::Usage,
        anyhow::anyhow!("binary data does not go to a terminal"),
    )
    .hint("-o names a file, or redirect the output")
}

/// Control characters, or no UTF-8. A character may be cut in two at either end of a piece.
fn looks_binary(text: &[u8]) -> bool {
    let cut = text
        .iter()
        .take(3)
        .take_while(|byte| (0x80..0xc0).contains(*byte))
        .count();
    let text = &text[cut..];
    let valid = match core::str::from_utf8(text) {
        Err(error) if error.error_len().is_some() => return true,
        Err(error) => error.valid_up_to(),
        Ok(_) => text.len(),
    };
    let whole = core::str::from_utf8(&text[..valid]).unwrap_or_default();
    whole
        .chars()
        .any(|c| c.is_control() && !['\t', '\n', '\r'].contains(&c))
}
