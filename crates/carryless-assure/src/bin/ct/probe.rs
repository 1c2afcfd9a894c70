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
    leaks: Vec<String>,
}

impl Poison {
    fn end_case(&mut self) {
        let errors = valgrind::errors();
        if errors > self.errors {
            self.leaks
                .push(format!("{}: {} reports", self.case, errors - self.errors));
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

/// T2: the emulator under `xtask/assure/trace.py`, which compares the traces of a case's calls.
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
        tell(Event::Case, name.as_bytes());
    }

    fn secret(&self, _: &mut [u8]) {}

    fn public(&self, _: &mut [u8]) {}

    /// A trace has no secrets to lose.
    fn reached(&self, _: &[u8]) -> bool {
        true
    }

    fn watch<R>(&self, call: impl FnOnce() -> R) -> R {
        tell(Event::Begin, &[]);
        let result = call();
        tell(Event::End, &[]);
        result
    }

    /// The emulator reports them itself.
    fn leaks(&mut self) -> Vec<String> {
        Vec::new()
    }
}

impl Trace {
    /// Whether the emulator listens.
    pub(crate) fn is_running() -> bool {
        tell(Event::Hello, &[]) == ANSWER
    }
}

/// What the emulator is told, by a system call that no system has.
enum Event {
    Hello,
    Case,
    Begin,
    End,
}

/// The number of that call, "ct" in ASCII and a thousand; `trace.py` has the same.
const CALL: usize = 0x6374_1000;
/// What the emulator answers.
const ANSWER: isize = 0x6374;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn tell(event: Event, bytes: &[u8]) -> isize {
    let mut answer = CALL.cast_signed();
    // SAFETY: the emulator reads `bytes` and writes nothing; a Linux refuses the unknown number. A
    // system call changes rax, rcx, r11.
    unsafe {
        core::arch::asm!(
            "syscall",
            inout("rax") answer, in("rdi") event as usize,
            in("rsi") bytes.as_ptr(), in("rdx") bytes.len(),
            out("rcx") _, out("r11") _, options(nostack),
        );
    }
    answer
}

/// Nobody listens.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn tell(_: Event, _: &[u8]) -> isize {
    0
}
