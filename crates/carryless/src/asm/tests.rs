//! What the functions leave in registers, and that they can be called from Thumb state: Rust calls them from the target's.

use core::arch::naked_asm;

/// Bytes of all vector registers, d0 to d31.
type Registers = [[u8; 8]; 32];

/// Calls a function from Thumb state: with the numbers of d8 to d15 in their bytes, and zeros in the other vector registers.
///
/// # Safety
/// As for the function, which has six arguments at most.
#[unsafe(naked)]
unsafe extern "C" fn call(function: usize, args: *const [usize; 6], registers: *mut Registers) {
    naked_asm!(
        ".syntax unified",
        ".arch armv8-a",
        ".fpu neon",
        ".object_arch armv4t",
        "push {{r4-r8, lr}}",
        "vpush {{d8-d15}}",
        "mov r12, r0",
        "mov r4, r1",
        "mov r8, r2",
        ".irp d, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "vmov.i8 d\\d, #0",
        ".endr",
        ".irp d, 8, 9, 10, 11, 12, 13, 14, 15",
        "vmov.i8 d\\d, #\\d",
        ".endr",
        "ldm r4, {{r0-r3, r5, r6}}",
        "push {{r5, r6}}",
        "blx 3f",
        "add sp, sp, #8",
        "vstmia r8!, {{d0-d15}}",
        "vstmia r8!, {{d16-d31}}",
        "vpop {{d8-d15}}",
        "pop {{r4-r8, pc}}",
        ".thumb",
        "3:",
        "mov r7, lr",
        "blx r12",
        "bx r7",
        ".arm",
    )
}

/// Calls a function with these arguments, and looks at what it leaves.
///
/// # Safety
/// As for the function.
pub unsafe fn probe(name: &str, function: *const (), given: &[usize]) {
    let (mut args, mut registers) = ([0; 6], [[0xff; 8]; 32]);
    args[..given.len()].copy_from_slice(given);
    // SAFETY: as for the function; the registers have their place.
    unsafe {
        call(
            function.expose_provenance(),
            &raw const args,
            &raw mut registers,
        )
    }
    for (number, bytes) in (0..).zip(registers) {
        let expected = if (8..16).contains(&number) { number } else { 0 };
        assert_eq!(bytes, [expected; 8], "{name} {given:x?}: d{number}");
    }
}

/// `check!(function, arguments)`: pointers to what the function reads and writes, and numbers.
macro_rules! check {
    ($function:ident, $($arg:expr),+) => {
        // SAFETY: pointers and numbers are those that the function asks for, in each of its few calls in the tests.
        unsafe {
            super::super::tests::probe(
                stringify!($function),
                $function as *const (),
                &[$(super::super::tests::Word::word($arg)),+],
            )
        }
    };
}
pub(super) use check;

/// An argument in a register.
pub trait Word {
    /// As the register has it.
    fn word(self) -> usize;
}

impl Word for usize {
    fn word(self) -> usize {
        self
    }
}

impl<T> Word for *const T {
    fn word(self) -> usize {
        self.expose_provenance()
    }
}

impl<T> Word for *mut T {
    fn word(self) -> usize {
        self.expose_provenance()
    }
}

#[unsafe(naked)]
unsafe extern "C" fn spoils() {
    naked_asm!(
        ".arch armv8-a",
        ".fpu neon",
        ".object_arch armv4t",
        "vmov.i8 d9, #1",
        "bx lr"
    )
}

#[unsafe(naked)]
unsafe extern "C" fn leaves() {
    naked_asm!(
        ".arch armv8-a",
        ".fpu neon",
        ".object_arch armv4t",
        "vmov.i8 d31, #1",
        "bx lr"
    )
}

#[cfg(feature = "std")]
#[test]
fn registers_that_are_not_as_they_should_be_are_seen() {
    for function in [spoils as *const (), leaves as *const ()] {
        // SAFETY: it has no arguments.
        let seen = std::panic::catch_unwind(|| unsafe { probe("a control", function, &[]) });
        assert!(seen.is_err(), "the control went unnoticed");
    }
}
