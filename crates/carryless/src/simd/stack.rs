//! Where on the stack a kernel's frame comes to lie.

use core::mem::MaybeUninit;

use crate::secret;
use crate::simd::Simd;

/// Bytes of a page.
const PAGE: usize = 4096;

/// At least what the frame of an entry point takes with its arguments (`cpu!`, LINES, at most eight).
pub const FRAME: usize = 640;

/// `in_one_page!(Token: call)`: the call of an entry point, where no vector on its frame lies in two
/// pages.
///
/// The stack is aligned to 16 bytes, and there the compiler leaves vectors of 32 and 64 that found no register. In
/// one process of thirty one of them lay in two pages, which took Zen 3 some 25 cycles each time: 4 KiB took up to
/// 1.6 times as long to seal and 1.8 times to open for as long as the process ran. Other ways cost more
/// (`docs/architecture.md`, "No frame in two pages").
///
/// A macro: what a closure holds would be stored for the usual way as well.
macro_rules! in_one_page {
    ($Token:ident: $call:expr) => {
        if $crate::simd::stack::stack_ends_page::<$Token>() {
            $crate::simd::stack::in_next_page(move || $call)
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
    secret::forget_origin(&room);
    work()
}

/// The address down to which the stack is used.
#[inline(always)]
fn stack_pointer() -> usize {
    #[cfg(any(miri, not(target_arch = "x86_64")))]
    return FRAME;
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    {
        let address;
        // SAFETY: it reads a register and changes nothing.
        unsafe {
            core::arch::asm!("mov {}, rsp", out(reg) address, options(nomem, nostack, preserves_flags));
        }
        address
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use core::hint::black_box;

    use super::*;
    use crate::simd::x86_64::{Avx, Vaes256};

    /// How many of the frames down to `depth`, 48 bytes each at least, would have to be moved; each that is moved is
    /// in one page.
    #[inline(never)]
    fn moved(depth: usize) -> usize {
        let mut room = [0u8; 32];
        black_box(&mut room);
        assert!(
            !stack_ends_page::<Avx>(),
            "no vector of 16 bytes lies in two pages"
        );
        let ends = stack_ends_page::<Vaes256>();
        if ends {
            in_next_page(|| assert!(!stack_ends_page::<Vaes256>()));
        }
        let below = if depth > 0 { moved(depth - 1) } else { 0 };
        black_box(&mut room);
        below + usize::from(ends)
    }

    #[test]
    fn a_frame_that_would_end_in_the_next_page_begins_there() {
        let moved = moved(400);
        assert_eq!(moved > 0, cfg!(not(miri)), "{moved} frames moved");
    }
}
