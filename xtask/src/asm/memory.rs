//! The memory that the compiler takes.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A look at it now and then.
pub(crate) struct Watch {
    done: Arc<AtomicBool>,
    looking: JoinHandle<u64>,
}

/// Begins to look at compilers of a crate that write into a folder.
pub(crate) fn watch(crate_name: &'static str, folder: &Path) -> Watch {
    let folder = folder.to_string_lossy().into_owned();
    let done = Arc::new(AtomicBool::new(false));
    let end = Arc::clone(&done);
    let looking = thread::spawn(move || {
        let mut most = 0;
        while !end.load(Ordering::Relaxed) {
            most = most.max(peak_of(crate_name, &folder));
            thread::sleep(Duration::from_millis(50));
        }
        most
    });
    Watch { done, looking }
}

impl Watch {
    /// The most that one of them took, in MiB; `None` if none was seen.
    pub(crate) fn peak(self) -> Option<u64> {
        self.done.store(true, Ordering::Relaxed);
        let kib = self.looking.join().unwrap_or_default();
        (kib > 0).then_some(kib / 1024)
    }
}

/// The largest peak of the processes that compile the crate into the folder now, in KiB; zero where the system does not tell.
fn peak_of(crate_name: &str, folder: &str) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else {
        return 0;
    };
    let peak = |process: fs::DirEntry| {
        let command = fs::read(process.path().join("cmdline")).ok()?;
        let words = || command.split(|byte| *byte == 0);
        words().find(|word| word.starts_with(folder.as_bytes()))?;
        let mut words = words();
        words.find(|word| *word == b"--crate-name")?;
        if words.next()? != crate_name.as_bytes() {
            return None;
        }
        let status = fs::read_to_string(process.path().join("status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    };
    let peaks = processes.filter_map(Result::ok).filter_map(peak);
    peaks.max().unwrap_or_default()
}
