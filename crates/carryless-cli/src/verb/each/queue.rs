//! The inputs of a call, in their order.

use std::collections::VecDeque;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::is_short;
use crate::exit::Failure;
use crate::input::Named;

/// Inputs that are still to come.
pub struct Queue<'b> {
    names: Vec<Option<&'b Path>>,
    /// Those that were looked at, next to come.
    seen: VecDeque<Option<Metadata>>,
    /// The number of the next one.
    next: usize,
}

impl<'b> Queue<'b> {
    /// Of the inputs that are named, or of standard input.
    pub fn new(inputs: &'b [PathBuf]) -> Self {
        let names = match inputs {
            [] => vec![None],
            inputs => inputs.iter().map(|path| Some(path.as_path())).collect(),
        };
        Self {
            names,
            seen: VecDeque::new(),
            next: 0,
        }
    }

    /// How many short ones come next; no more than `most` are counted.
    pub fn short_ahead(&mut self, most: usize) -> usize {
        let short = |seen: &Option<Metadata>| is_short(seen.as_ref());
        let unseen = &self.names[self.next + self.seen.len()..];
        let wanted = most.saturating_sub(self.seen.len());
        for path in unseen.iter().take(wanted) {
            if !self.seen.back().is_none_or(short) {
                break;
            }
            self.seen.push_back(look_at(*path));
        }
        let seen = self.seen.iter().take(most);
        seen.take_while(|seen| short(seen)).count()
    }

    /// The next one, if it is short.
    pub fn next_short(&mut self) -> Option<Named<'b>> {
        if self.short_ahead(1) == 0 {
            return None;
        }
        self.next().map(|(named, _)| named)
    }

    /// The next one, and what the system says of it.
    pub fn next(&mut self) -> Option<(Named<'b>, Option<Metadata>)> {
        let number = self.next;
        let path = *self.names.get(number)?;
        let found = self.seen.pop_front().unwrap_or_else(|| look_at(path));
        self.next += 1;
        Some((Named { number, path }, found))
    }
}

/// What the system says of a file.
fn look_at(path: Option<&Path>) -> Option<Metadata> {
    let file = path.filter(|path| path.as_os_str() != "-");
    file.and_then(|path| path.metadata().ok())
}

/// Fails for a pipe that has a name, and perhaps no writer: all behind it would wait for one. Those of `<(..)` have theirs.
#[cfg(unix)]
pub fn refuse_fifo(path: Option<&Path>, found: Option<&Metadata>) -> Result<(), Failure> {
    use std::io;
    use std::os::unix::fs::FileTypeExt;

    use crate::exit::show;

    let is_fifo = found.is_some_and(|found| found.file_type().is_fifo());
    match path.filter(|_| is_fifo) {
        // The names of pipes without one lead nowhere, or into a directory of descriptors.
        Some(path)
            if path
                .canonicalize()
                .is_ok_and(|it| !it.starts_with("/dev/fd")) =>
        {
            let error = io::Error::other("it is a pipe, for which the others would wait");
            Err(Failure::io(&show(path), "can't be read", error)
                .hint("give it alone, or to standard input"))
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub const fn refuse_fifo(_: Option<&Path>, _: Option<&Metadata>) -> Result<(), Failure> {
    Ok(())
}
