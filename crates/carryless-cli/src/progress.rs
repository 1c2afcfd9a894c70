//! A bar on standard error, if that is a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that goes away when dropped, or none.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Begins; `len` bytes are to come, if that is known.
    pub fn new(len: Option<u64>, quiet: bool) -> Self {
        match len {
            Some(_) => Self::shown(
                len,
                "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
                quiet,
            ),
            None => Self::shown(len, "{spinner} {bytes} {bytes_per_sec} {elapsed}", quiet),
        }
    }

    /// Begins; so many steps are to come.
    pub fn steps(count: usize, quiet: bool) -> Self {
        Self::shown(Some(count as u64), "{wide_bar} {pos}/{len} {eta}", quiet)
    }

    fn shown(len: Option<u64>, template: &str, quiet: bool) -> Self {
        // Who calls a terminal dumb says that it can't go back in a line.
        let dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        if quiet || dumb || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = len.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let style =
            ProgressStyle::with_template(template).expect("the templates above are well-formed");
        // ASCII, which every locale has.
        let style = style.progress_chars("#> ").tick_chars("|/-\\ ");
        Self(Some(bar.with_style(style)))
    }

    /// So many bytes or steps more.
    pub fn add(&self, len: usize) {
        if let Some(bar) = &self.0 {
            // Headers and tags come on top of some lengths, and files grow: all is all.
            let most = bar.length().unwrap_or(u64::MAX);
            bar.set_position(bar.position().saturating_add(len as u64).min(most));
        }
    }

    /// Lets something else appear, without the bar in between.
    pub fn aside<T>(&self, what: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(what),
            None => what(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_ends_where_all_is_done_whatever_comes_on_top() {
        let progress = Progress(Some(ProgressBar::hidden()));
        let bar = progress.0.as_ref().expect("it has one");
        bar.set_length(10);
        for (more, done) in [(4, 4), (5, 9), (5, 10), (usize::MAX, 10)] {
            progress.add(more);
            assert_eq!(bar.position(), done);
        }
    }
}
