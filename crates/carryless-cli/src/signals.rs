//! SIGINT, SIGTERM and others that end a program: temporary files are removed, then the program ends.
//!
//! A terminal that was asked for a passphrase shows again what is typed.
//!
//! A thread waits for signals, so that a blocked read or write does not delay it. A lock is held
//! while temporary files are made or renamed, or removed by the signal: it is one or the other.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use tempfile::NamedTempFile;

use crate::exit::Failure;
use crate::pipeline::lock;

/// Held together by those that make or rename temporary files, and by the signal alone.
static HOLD: RwLock<()> = RwLock::new(());
/// The temporary files to remove.
static TEMPORARIES: Mutex<BTreeSet<OsString>> = Mutex::new(BTreeSet::new());

/// Keeps signals away from the temporary files.
fn hold() -> RwLockReadGuard<'static, ()> {
    HOLD.read().unwrap_or_else(PoisonError::into_inner)
}

fn temporaries() -> MutexGuard<'static, BTreeSet<OsString>> {
    lock(&TEMPORARIES)
}

/// The name of a temporary file, which a signal removes as long as this lives.
pub struct Temporary(OsString);

impl Temporary {
    /// Makes the file.
    pub fn make<F>(
        make: impl FnOnce() -> io::Result<NamedTempFile<F>>,
    ) -> io::Result<(NamedTempFile<F>, Self)> {
        let _held = hold();
        let file = make()?;
        let name = Self(file.path().into());
        temporaries().insert(name.0.clone());
        Ok((file, name))
    }

    /// Gives the file its name, without a signal in between.
    pub fn rename<T>(self, rename: impl FnOnce() -> T) -> T {
        let _held = hold();
        let result = rename();
        temporaries().remove(&self.0);
        result
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        temporaries().remove(&self.0);
    }
}

/// Starts to wait for signals.
#[cfg(unix)]
pub fn install() -> Result<(), Failure> {
    use std::sync::Arc;

    use crate::exit::Code;
    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };

    const ENDING: [i32; 9] = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGXCPU,
    ];

    let fail = |error| {
        let error = anyhow::Error::new(error).context("signals can't be waited for");
        Failure::new(Code::Other, error)
    };
    let ignored = ignored();
    let heard = ENDING
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(heard).map_err(fail)?;
    // A file beyond the limit of sizes is then an error of the write, and not the end of the program.
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map_err(fail)?;
    let waiter = move || {
        if let Some(signal) = signals.forever().next() {
            let _held = HOLD.write();
            for path in temporaries().iter() {
                let _ = std::fs::remove_file(path);
            }
            terminal::restore();
            // Still holding it: no rename comes after the removal.
            std::process::exit(128 + signal);
        }
    };
    let spawned = std::thread::Builder::new().spawn(waiter);
    spawned.map(|_| ()).map_err(fail)
}

/// Signals, as bits, that who started the program wants ignored, as `nohup` does; they stay so. Nothing
/// where the system does not tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Elsewhere the system ends the program, and a temporary file with a recognisable name may stay.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same as on Unix")]
pub fn install() -> Result<(), Failure> {
    Ok(())
}

/// As long as it lives, a signal makes the terminal show what is typed before it ends the program.
pub struct Echo(());

/// Notes how the terminal is, for the time in which a passphrase is asked for.
pub fn restore_echo() -> Echo {
    terminal::note();
    Echo(())
}

impl Drop for Echo {
    fn drop(&mut self) {
        terminal::forget();
    }
}

#[cfg(unix)]
mod terminal {
    use std::fs::File;
    use std::sync::Mutex;

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    use crate::pipeline::lock;

    static NOTED: Mutex<Option<(File, Termios)>> = Mutex::new(None);

    fn set(noted: Option<(File, Termios)>) {
        *lock(&NOTED) = noted;
    }

    pub(super) fn note() {
        let noted = File::open("/dev/tty").ok().and_then(|terminal| {
            let state = tcgetattr(&terminal).ok()?;
            Some((terminal, state))
        });
        set(noted);
    }

    pub(super) fn forget() {
        set(None);
    }

    pub(super) fn restore() {
        let noted = lock(&NOTED);
        if let Some((terminal, state)) = noted.as_ref() {
            let _ = tcsetattr(terminal, OptionalActions::Now, state);
        }
    }
}

#[cfg(not(unix))]
mod terminal {
    pub(super) fn note() {}

    pub(super) fn forget() {}
}
