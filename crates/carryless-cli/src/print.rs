//! Output that is not sealed or opened data.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use std::io::{self, Write};

use crate::closed;
use crate::exit::Failure;

/// Prints a listing to standard output; errors are noticed, unlike with `println!` they do not panic.
pub fn data(text: &str) -> Result<(), Failure> {
    refuse_closed()?;
    let mut stdout = anstream::stdout().lock();
    let printed = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    printed.map_err(unwritten)
}

/// A listing that could not be printed.
pub fn unwritten(error: io::Error) -> Failure {
    Failure::io(closed::STDOUT, "can't be written", error).listing()
}

/// Fails if standard output is closed.
pub fn refuse_closed() -> Result<(), Failure> {
    static IS_OPEN: AtomicBool = AtomicBool::new(false);
    if !IS_OPEN.load(Relaxed) {
        closed::stdout()?;
        IS_OPEN.store(true, Relaxed);
    }
    Ok(())
}

/// Prints an object as a line.
pub fn json(object: &impl serde::Serialize) -> Result<(), Failure> {
    let mut line = serde_json::to_string(object)
        .map_err(|error| Failure::io(closed::STDOUT, "can't be written", io::Error::from(error)))?;
    line.push('\n');
    data(&line)
}

/// Says something to people. If nobody can hear it, so be it.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "carryless: {text}");
}

/// Says that something may not be as it should.
pub fn warning(text: &str) {
    let _ = writeln!(
        anstream::stderr(),
        "carryless: \x1b[1;33mwarning:\x1b[0m {text}"
    );
}

/// Says why it ends.
pub fn error(text: &str) {
    let _ = writeln!(
        anstream::stderr(),
        "carryless: \x1b[1;31merror:\x1b[0m {text}"
    );
}
