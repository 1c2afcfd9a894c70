//! Requests to Valgrind, under which the program runs; without it they do nothing.
//!
//! The instructions and numbers are those of `valgrind.h` and `memcheck.h`, which are stable. The
//! crate `crabgrind` has them too, but needs Valgrind's headers and libclang to build, on every
//! machine that builds this workspace.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// `VG_USERREQ__RUNNING_ON_VALGRIND`.
const RUNNING: usize = 0x1001;
/// `VG_USERREQ__COUNT_ERRORS`.
const ERRORS: usize = 0x1201;
/// `VG_USERREQ__MAKE_MEM_UNDEFINED`: `'M' << 24 | 'C' << 16 | 1`.
const UNDEFINED: usize = 0x4d43_0001;
/// `VG_USERREQ__MAKE_MEM_DEFINED`.
const DEFINED: usize = 0x4d43_0002;
/// `VG_USERREQ__GET_VBITS`.
const STATE: usize = 0x4d43_0008;

/// Whether this program runs under Valgrind.
pub(crate) fn is_running() -> bool {
    request(RUNNING, 0, 0) > 0
}

/// Errors reported so far.
pub(crate) fn errors() -> usize {
    request(ERRORS, 0, 0)
}

/// Makes the bytes undefined: from now on every branch and address that depends on them is an error.
pub(crate) fn poison(bytes: &mut [u8]) {
    request(UNDEFINED, bytes.as_mut_ptr() as usize, bytes.len());
}

/// Makes the bytes defined.
pub(crate) fn publish(bytes: &mut [u8]) {
    request(DEFINED, bytes.as_mut_ptr() as usize, bytes.len());
}

/// Whether every bit of the bytes is undefined.
pub(crate) fn is_poisoned(bytes: &[u8]) -> bool {
    undefined(bytes).is_some_and(|bits| bits.iter().all(|bits| *bits == 0xff))
}

/// The undefined bits of the bytes.
pub(crate) fn undefined(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bits = vec![0u8; bytes.len()];
    let answer = ask([
        STATE,
        bytes.as_ptr() as usize,
        bits.as_mut_ptr() as usize,
        bytes.len(),
        0,
        0,
    ]);
    (answer == 1).then_some(bits)
}

/// Answers that depended on secrets when they became public.
static ANSWERS: AtomicUsize = AtomicUsize::new(0);

/// How many there were.
pub(crate) fn answers() -> usize {
    ANSWERS.load(Relaxed)
}

/// Makes an answer defined.
#[cfg(carryless_ct)]
pub(crate) fn answer(bytes: &mut [u8]) {
    if undefined(bytes).is_some_and(|bits| bits.iter().any(|bits| *bits != 0)) {
        ANSWERS.fetch_add(1, Relaxed);
    }
    publish(bytes);
}

/// The hook of the library's `secret::Choice::publish`, which is there under `cfg(carryless_ct)`.
#[cfg(carryless_ct)]
#[unsafe(no_mangle)]
extern "C" fn carryless_ct_publish(condition: &mut u64) {
    let mut bytes = condition.to_ne_bytes();
    answer(&mut bytes);
    *condition = u64::from_ne_bytes(bytes);
}

fn request(what: usize, a: usize, b: usize) -> usize {
    ask([what, a, b, 0, 0, 0])
}

/// The answer of Valgrind, zero without it.
#[cfg(target_arch = "x86_64")]
fn ask(message: [usize; 6]) -> usize {
    let mut answer = 0;
    // SAFETY: four rotations by 128 bits together and an exchange of a register with itself change
    // nothing; Valgrind, which knows the sequence, reads `message` and changes `rdx`, the state of the
    // bytes that it names, and for STATE the buffer that it names, which lives. Without `nomem` the compiler keeps no value of
    // them in registers across it.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") message.as_ptr(), inout("rdx") answer, inout("rdi") 0usize => _,
        );
    }
    answer
}

/// Nobody listens.
#[cfg(not(target_arch = "x86_64"))]
fn ask(_: [usize; 6]) -> usize {
    0
}
