//! Where on the stack a kernel's frame comes to lie.

use core::arch::asm;
use core::mem::MaybeUninit;

use crate::secret;
use crate::simd::Simd;

/// Bytes of a page.
const PAGE: usize = 4096;

/// At least what a kernel's frame and the return address take (`cpu!`, LINES).
const FRAME: usize = 640;

/// `in_one_page!(call)`, in a method of a token: the call of an entry point, where no vector on its frame lies in two pages.
///
/// The stack is aligned to 16 bytes, and there the compiler leaves vectors of 32 and 64 that found no register. In
/// one process of thirty one of them lay in two pages, which took Zen 3 some 25 cycles each time: sealing or opening
/// took a fifth to a third longer for as long as the process ran. Aligned frames cost 15 to 25 cycles
/// a message of 257 bytes, a loop that spills nothing 2 to 5 hundredths of a long one.
///
/// A macro: what a closure holds would be stored for the usual way as well.
macro_rules! in_one_page {
    ($call:expr) => {
        if $crate::simd::x86_64::stack_ends_page::<Self>() {
            $crate::simd::x86_64::in_next_page(move || $call)
        } else {
            $call
        }
    };
}
pub(crate) use in_one_page;

/// Whether a frame here could begin in one page and end in the next, with vectors on it that may lie in both.
#[inline(always)]
pub fn stack_ends_page<S: Simd>() -> bool {
    S::LANES > 1 && stack_pointer() % PAGE < FRAME
}

/// Calls `work` farther down the stack, where the next page begins.
#[cold]
#[inline(never)]
pub fn in_next_page<T>(work: impl FnOnce() -> T) -> T {
    let room = [MaybeUninit::<u8>::uninit(); FRAME];
    secret::hide(&room);
    work()
}

/// The address down to which the stack is used.
#[inline(always)]
fn stack_pointer() -> usize {
    if cfg!(miri) {
        return 0;
    }
    let address;
    // SAFETY: it reads a register and changes nothing.
    unsafe {
        asm!("mov {}, rsp", out(reg) address, options(nomem, nostack, preserves_flags));
    }
    address
}
