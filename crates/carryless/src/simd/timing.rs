//! Data-independent timing: a bit of a thread's state on AArch64 (Arm Architecture Reference Manual, PSTATE.DIT).

use core::marker::PhantomData;

/// For as long as it lives, instructions on this thread take a time that does not depend on data, where the CPU has a switch
/// for that: on AArch64 from Armv8.4 on. Elsewhere it does nothing.
///
/// What carryless is made of takes such a time on all CPUs that are known; with this the CPU promises it, for the
/// instructions on Arm's list, which has all of the engines', and for the values that loads and stores move; their addresses are
/// no secret. Windows does not tell whether there is the switch, so there it does nothing. Switching takes longer than a short message, so it is never done for one. Calls of several messages or sectors and parallel calls
/// switch by themselves, as do chunks and segments of carryless-file and the command; who seals many messages one by one, or a stream whose pieces come as
/// they like, holds a guard meanwhile.
///
/// Guards may be nested, and are to be dropped in the reverse order. A thread that is started meanwhile needs its own.
///
/// ```
/// use carryless::{Aes128Gcm, DataIndependentTiming};
///
/// let key = Aes128Gcm::from_slice(&[7; 16])?;
/// let _timing = DataIndependentTiming::begin();
/// for number in 0_u8..100 {
///     let mut text = *b"one of many messages";
///     key.seal_in_place(&[number; 12], b"", &mut text)?;
/// }
/// # Ok::<(), carryless::error::OpenError>(())
/// ```
#[derive(Debug)]
#[must_use = "it ends when this is dropped"]
pub struct DataIndependentTiming {
    ends: bool,
    /// It is a thread's, which it must not leave.
    _thread: PhantomData<*const ()>,
}

impl DataIndependentTiming {
    /// Begins, unless it has begun.
    #[inline]
    pub fn begin() -> Self {
        let ends = switch::is_there() && !switch::is_on();
        if ends {
            switch::set(true);
        }
        Self {
            ends,
            _thread: PhantomData,
        }
    }

    /// Whether the CPU was told so on this thread, by a guard or by anything else.
    #[inline]
    pub fn is_on() -> bool {
        switch::is_there() && switch::is_on()
    }
}

impl Drop for DataIndependentTiming {
    #[inline]
    fn drop(&mut self) {
        if self.ends {
            switch::set(false);
        }
    }
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
mod switch {
    use core::arch::asm;

    use crate::simd::Features;

    /// Whether this CPU has it, and the system lets programs use it.
    #[inline]
    pub(super) fn is_there() -> bool {
        Features::detect().require(Features::DIT).is_ok()
    }

    /// Only where it is there.
    #[inline]
    pub(super) fn is_on() -> bool {
        let state: u64;
        // SAFETY: reads DIT, by the number of its register, which assemblers know without the feature; the caller knows that it
        // is there.
        unsafe {
            asm!("mrs {}, s3_3_c4_c2_5", out(reg) state, options(nomem, nostack, preserves_flags))
        };
        state >> 24 & 1 == 1
    }

    /// Only where it is there.
    #[inline]
    pub(super) fn set(on: bool) {
        // Not `nomem`: no access to what is secret moves to the other side.
        if on {
            // SAFETY: MSR DIT, #1, by its encoding; the caller knows that it is there.
            unsafe { asm!(".inst 0xd503415f", options(nostack, preserves_flags)) };
        } else {
            // SAFETY: MSR DIT, #0, as above.
            unsafe { asm!(".inst 0xd503405f", options(nostack, preserves_flags)) };
        }
    }
}

#[cfg(not(all(target_arch = "aarch64", not(miri))))]
mod switch {
    #[inline]
    pub(super) const fn is_there() -> bool {
        false
    }

    #[inline]
    pub(super) const fn is_on() -> bool {
        false
    }

    #[inline]
    pub(super) const fn set(_: bool) {}
}

#[cfg(test)]
mod tests;
