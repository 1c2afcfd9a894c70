//! A bar on standard error, if that is a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that goes away when dropped, or none.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Begins; `len` bytes are to come, if that is known.
    pub fn new(len: Option<u64>, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let (bar, template) = match len {
            Some(len) => (
                ProgressBar::new(len),
                "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            ),
            None => (
                ProgressBar::new_spinner(),
                "{spinner} {bytes} {bytes_per_sec} {elapsed}",
            ),
        };
        let style =
            ProgressStyle::with_template(template).expect("the templates above are well-formed");
        Self(Some(bar.with_style(style)))
    }

    /// So many bytes more.
    pub fn add(&self, len: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(len as u64);
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
