//! What the functions leave in registers, and that they return to Thumb state: Rust calls them from the target's.

use core::arch::naked_asm;

#[cfg(feature = "std")]
use super::{Assembly as _, Neon32};

/// Registers as a function leaves them.
#[repr(C)]
struct Registers {
    /// r4 to r11.
    core: [usize; 8],
    /// d0 to d31.
    vectors: [[u8; 8]; 32],
}

/// Calls a function that returns to Thumb state: with the numbers of r4 to r11 in them, those of d8 to d15 in their bytes, and zeros in
/// the other vector registers. For targets whose code is in Arm state.
///
/// # Safety
/// As for the function, which has six arguments at most; the CPU must have NEON.
#[unsafe(naked)]
unsafe extern "C" fn call(function: usize, args: *const [usize; 6], registers: *mut Registers) {
    naked_asm!(
        ".syntax unified",
        ".arch armv8-a",
        ".fpu neon",
        ".object_arch armv4t",
        "push {{r3-r11, lr}}",
        "vpush {{d8-d15}}",
        "push {{r2, r3}}",
        "mov r12, r0",
        "mov lr, r1",
        ".irp d, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "vmov.i8 d\\d, #0",
        ".endr",
        ".irp d, 8, 9, 10, 11, 12, 13, 14, 15",
        "vmov.i8 d\\d, #\\d",
        ".endr",
        "ldm lr, {{r0-r3, r5, r6}}",
        "push {{r5, r6}}",
        ".irp r, 4, 5, 6, 7, 8, 9, 10, 11",
        "mov r\\r, #\\r",
        ".endr",
        "adr lr, 4f",
        "orr lr, lr, #1",
        "bx r12",
        "4:",
        ".thumb",
        "bx pc",
        "nop",
        ".arm",
        "add sp, sp, #8",
        "pop {{r12, lr}}",
        "stm r12!, {{r4-r11}}",
        "vstmia r12!, {{d0-d15}}",
        "vstmia r12!, {{d16-d31}}",
        "vpop {{d8-d15}}",
        "pop {{r3-r11, pc}}",
    )
}

/// Calls a function with these arguments, and looks at what it leaves.
///
/// # Safety
/// As for [`call`].
pub unsafe fn probe(name: &str, function: *const (), given: &[usize]) {
    let mut args = [0; 6];
    args[..given.len()].copy_from_slice(given);
    let mut registers = Registers {
        core: [0; 8],
        vectors: [[0xff; 8]; 32],
    };
    // SAFETY: the caller vouches for the function; the registers have their place.
    unsafe {
        call(
            function.expose_provenance(),
            &raw const args,
            &raw mut registers,
        )
    }
    for (number, register) in (4..).zip(registers.core) {
        assert_eq!(register, number, "{name} {given:x?}: r{number}");
    }
    for (number, bytes) in (0..).zip(registers.vectors) {
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

#[unsafe(naked)]
unsafe extern "C" fn moves() {
    naked_asm!("mov r10, #1", "bx lr")
}

#[cfg(feature = "std")]
#[test]
fn registers_that_are_not_as_they_should_be_are_seen() {
    if Neon32::detect().is_err() {
        return;
    }
    for function in [spoils as *const (), leaves as *const (), moves as *const ()] {
        // SAFETY: it has no arguments, and there is NEON.
        let seen = std::panic::catch_unwind(|| unsafe { probe("a control", function, &[]) });
        assert!(seen.is_err(), "the control went unnoticed");
    }
}
