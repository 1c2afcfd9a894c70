//! The two ways of watching a call: by undefined values (T1), by its trace (T2).

use crate::valgrind;

/// A value for all secrets of a case.
#[derive(Clone, Copy)]
pub(crate) enum Fill {
    /// Every byte is this one.
    Byte(u8),
    /// Bytes that look random, of this seed.
    Random(u64),
}

/// Whoever watches: it hears of each case, each secret, and each call.
pub(crate) trait Probe {
    /// The values that the secrets of a case take, one call after the other.
    fn fills(&self) -> Vec<Fill>;
    /// What follows belongs to the case of this name.
    fn case(&mut self, name: &str);
    /// The bytes are secret from now on.
    fn secret(&self, bytes: &mut [u8]);
    /// The bytes may be looked at from now on.
    fn public(&self, bytes: &mut [u8]);
    /// Whether what was made of secrets is known to be secret: if not, the watch saw nothing.
    fn reached(&self, made: &[u8]) -> bool;
    /// Runs the call that is watched.
    fn watch<R>(&self, call: impl FnOnce() -> R) -> R;
    /// Cases with a leak, of all that ended; ends the last case.
    fn leaks(&mut self) -> Vec<String>;
}

/// T1: Valgrind's memcheck, to which secrets are undefined values.
///
/// One value is enough: memcheck follows definedness, not values.
#[derive(Default)]
pub(crate) struct Poison {
    case: String,
    errors: usize,
    /// Reports that the case must make, of what is secret to memcheck and known all the same.
    pub(crate) known: usize,
    leaks: Vec<String>,
}

impl Poison {
    fn end_case(&mut self) {
        let errors = valgrind::errors();
        let (reports, known) = (errors - self.errors, core::mem::take(&mut self.known));
        if reports != known {
            let but = if known > 0 {
                format!(", not {known}")
            } else {
                String::new()
            };
            self.leaks
                .push(format!("{}: {reports} reports{but}", self.case));
        }
        self.errors = errors;
    }
}

impl Probe for Poison {
    fn fills(&self) -> Vec<Fill> {
        vec![Fill::Random(0)]
    }

    fn case(&mut self, name: &str) {
        self.end_case();
        name.clone_into(&mut self.case);
    }

    fn secret(&self, bytes: &mut [u8]) {
        valgrind::poison(bytes);
    }

    fn public(&self, bytes: &mut [u8]) {
        valgrind::publish(bytes);
    }

    fn reached(&self, made: &[u8]) -> bool {
        valgrind::is_poisoned(made)
    }

    fn watch<R>(&self, call: impl FnOnce() -> R) -> R {
        call()
    }

    fn leaks(&mut self) -> Vec<String> {
        self.end_case();
        core::mem::take(&mut self.leaks)
    }
}

/// T2: an emulator that compares the traces of a case's calls: Bochs with `xtask/assure/trace.py`, QEMU with `trace.c`
/// beside it.
pub(crate) struct Trace;

/// Random secrets besides all zeros and all ones.
const RANDOM_SECRETS: u64 = 16;

impl Probe for Trace {
    fn fills(&self) -> Vec<Fill> {
        let random = (0..RANDOM_SECRETS).map(Fill::Random);
        [Fill::Byte(0), Fill::Byte(0xff)]
            .into_iter()
            .chain(random)
            .collect()
    }

    fn case(&mut self, name: &str) {
        tell(Event::Case, 0);
        for letter in name.bytes() {
            tell(Event::Letter, letter);
        }
    }

    fn secret(&self, _: &mut [u8]) {}

    fn public(&self, _: &mut [u8]) {}

    /// A trace has no secrets to lose.
    fn reached(&self, _: &[u8]) -> bool {
        true
    }

    fn watch<R>(&self, call: impl FnOnce() -> R) -> R {
        tell(Event::Begin, 0);
        let result = call();
        tell(Event::End, 0);
        result
    }

    /// The emulator reports them itself.
    fn leaks(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// What the emulator is told, by a system call that no system has.
enum Event {
    /// A case begins; its name follows.
    Case,
    /// Of the name: not every emulator reads memory.
    Letter,
    Begin,
    End,
}

/// The number of that call, "ct" in ASCII; the listeners have the same. On AArch32 a much greater one ends the program.
#[cfg(target_os = "linux")]
const CALL: libc::c_long = 0x6374;

#[cfg(target_os = "linux")]
fn tell(event: Event, letter: u8) {
    // SAFETY: a Linux refuses the unknown number, and an emulator only listens.
    unsafe { libc::syscall(CALL, event as libc::c_long, libc::c_long::from(letter)) };
}

/// Nobody listens.
#[cfg(not(target_os = "linux"))]
fn tell(_: Event, _: u8) {}
