//! Handling of secrets: wiping, hiding from the optimiser, comparing, and the places where a
//! condition on secrets becomes public.

/// A condition that depends on secrets: all ones for true, zero for false.
#[derive(Clone, Copy)]
pub struct Choice(u64);

impl Choice {
    /// The condition as a `bool`, which may be branched on.
    ///
    /// Call it only where the answer may be known: whether a tag is right is the result of opening.
    #[inline(always)]
    pub fn publish(self) -> bool {
        #[cfg(carryless_ct)]
        return checker::publish(self.0) != 0;
        #[cfg(not(carryless_ct))]
        return self.0 != 0;
    }
}

/// Under the constant-time checker every secret is undefined to Valgrind, and so is a condition on
/// one until it is published. Nothing of this is in a normal build.
#[cfg(carryless_ct)]
mod checker {
    unsafe extern "C" {
        /// Makes the condition defined. It is `crates/carryless-assure` that has it.
        safe fn carryless_ct_publish(condition: &mut u64);
    }

    /// The condition, defined.
    #[inline(always)]
    pub(super) fn publish(mut condition: u64) -> u64 {
        carryless_ct_publish(&mut condition);
        condition
    }
}

/// Whether `a` and `b` agree in their first `len` (0 to 16) bytes, looking at all of them.
///
/// # Constant time
/// Secret: `a`, `b`. Public: `len`.
#[inline(always)]
pub fn equal(a: &[u8; 16], b: &[u8; 16], len: usize) -> Choice {
    let ones = if len >= 16 {
        u128::MAX
    } else {
        (1 << (8 * len)) - 1
    };
    let difference = (u128::from_le_bytes(*a) ^ u128::from_le_bytes(*b)) & ones;
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    let word = difference as u64 | (difference >> 64) as u64;
    // The top bit of `word | -word` is set unless `word` is zero.
    Choice(((word | word.wrapping_neg()) >> 63).wrapping_sub(1))
}

/// The same reference, of which the compiler no longer knows where it comes from.
///
/// Loads through it can't be hoisted over the call: round keys stay memory operands instead of
/// copies on the stack that nobody wipes.
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "the block does not look at what is behind it"
)]
#[inline(always)]
pub fn hide<T>(value: &T) -> &T {
    #[cfg(not(all(
        not(miri),
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm")
    )))]
    return value;
    #[cfg(all(
        not(miri),
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm")
    ))]
    {
        let mut pointer: *const T = value;
        // SAFETY: no instruction; the pointer comes back unchanged.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) pointer, options(nomem, nostack, preserves_flags));
        }
        // SAFETY: the pointer is still that of `value`.
        unsafe { &*pointer }
    }
}

/// Overwrites the values with their default, zero, where the compiler can't leave it out.
///
/// Vector stores and one fence: `zeroize` would store byte by byte, which costs more than sealing a
/// short message.
#[inline(always)]
pub fn wipe<T: Copy + Default>(values: &mut [T]) {
    values.fill(T::default());
    zeroize::optimization_barrier(values);
}

/// [`wipe`] for a value whose type has no default: `zero` takes its place.
#[inline(always)]
pub fn erase<T: Copy>(value: &mut T, zero: &T) {
    *value = *zero;
    zeroize::optimization_barrier(value);
}

/// Overwrites the stack below the caller's frame, where functions that it called had theirs.
///
/// For calls that make keys: a key on its way out is moved by value, and the places it was moved
/// from lie there. `BYTES` is what their frames take together.
#[inline(never)]
pub fn burn_stack<const BYTES: usize>() {
    let area = [0u8; BYTES];
    zeroize::optimization_barrier(&area);
}
