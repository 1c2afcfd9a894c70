//! Handling of secrets: wiping, hiding from the optimiser, comparing, and the places where a
//! condition on secrets becomes public.

use core::mem::{ManuallyDrop, MaybeUninit};

/// A condition that depends on secrets: all ones for true, zero for false, the
/// default.
#[derive(Clone, Copy, Default)]
pub struct Choice(u64);

impl Choice {
    /// What assembly says of it: all ones or zero.
    #[cfg(carryless_a32)]
    #[inline(always)]
    pub fn from_mask(mask: u32) -> Self {
        Self(u64::from(mask) << 32 | u64::from(mask))
    }

    /// Zeroes the bytes if it is false, in the same time if it is true.
    #[cfg(feature = "hazmat")]
    pub fn keep(self, bytes: &mut [u8]) {
        // The compiler makes a branch of a mask that it knows to be all ones or zero.
        let [mask, ..] = core::hint::black_box(self.0).to_ne_bytes();
        for byte in &mut *bytes {
            *byte &= mask;
        }
        zeroize::optimization_barrier(bytes);
    }

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

/// Four conditions that depend on secrets, as which of them are false.
///
/// The two lowest bits are those of the first, none set if it is true, and so on.
#[derive(Clone, Copy)]
pub struct Failures(u64);

impl Failures {
    /// Conditions one by one.
    #[inline(always)]
    pub fn of(choices: [Choice; 4]) -> Self {
        let bits = |Choice(word)| !word & 0b11;
        let [a, b, c, d] = choices;
        Self(bits(a) | bits(b) << 2 | bits(c) << 4 | bits(d) << 6)
    }

    /// The bits as they stand.
    #[inline(always)]
    pub fn from_bits(bits: u8) -> Self {
        Self(bits.into())
    }

    /// Which conditions are false: see [`Choice::publish`].
    #[inline(always)]
    pub fn publish(self) -> Option<[bool; 4]> {
        #[cfg(carryless_ct)]
        let bits = checker::publish(self.0);
        #[cfg(not(carryless_ct))]
        let bits = self.0;
        if bits == 0 {
            return None;
        }
        Some([0, 2, 4, 6].map(|at| bits >> at & 0b11 != 0))
    }
}

/// A small length that depends on secrets, as one that may be branched on: see [`Choice::publish`].
#[cfg(feature = "hazmat")]
#[inline(always)]
pub fn publish_len(len: u8) -> usize {
    #[cfg(carryless_ct)]
    #[expect(clippy::cast_possible_truncation, reason = "it was a byte")]
    let len = checker::publish(len.into()) as u8;
    usize::from(len)
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

/// A block of ones in its first `len` (0 to 16) bytes.
#[inline(always)]
pub fn ones(len: usize) -> &'static [u8; 16] {
    /// Read at `16 - len`.
    static ONES: [u8; 32] = {
        let mut ones = [0; 32];
        let (head, _) = ones.split_at_mut(16);
        head.copy_from_slice(&[0xff; 16]);
        ones
    };
    ONES[16 - len.min(16)..]
        .first_chunk()
        .unwrap_or(&[0xff; 16])
}

/// Whether `a` and `b` agree in their first `len` (0 to 16) bytes, looking at all of them.
///
/// # Constant time
/// Secret: `a`, `b`. Public: `len`.
#[inline(always)]
pub fn equal(a: &[u8; 16], b: &[u8; 16], len: usize) -> Choice {
    let difference =
        (u128::from_le_bytes(*a) ^ u128::from_le_bytes(*b)) & u128::from_le_bytes(*ones(len));
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
pub fn forget_origin<T>(value: &T) -> &T {
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

/// Whether anything is wiped: the check that looks for secrets in memory is run on a build without
/// as well, and must notice (`cargo xtask assure M6`).
const WIPES: bool = !cfg!(carryless_no_wipe);

/// Overwrites the values with their default, zero, where the compiler can't leave it out.
///
/// Vector stores and one fence: `zeroize` would store byte by byte, which costs more than sealing a
/// short message.
#[inline(always)]
pub fn wipe<T: Copy + Default>(values: &mut [T]) {
    if WIPES {
        values.fill(T::default());
        zeroize::optimization_barrier(values);
    }
}

/// [`wipe`] for a value whose type has no default: `zero` takes its place.
#[inline(always)]
pub fn erase<T: Copy>(value: &mut T, zero: &T) {
    if WIPES {
        *value = *zero;
        zeroize::optimization_barrier(value);
    }
}

/// A value that owns nothing but its bytes, as keys do: they are zeroed in place of its drop, every one. What lies
/// between and behind its fields may have come along with a move, from a stack that held keys.
#[derive(Clone)]
pub struct ZeroedOnDrop<T>(ManuallyDrop<T>);

impl<T> ZeroedOnDrop<T> {
    /// Takes the value.
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }

    /// The value.
    #[inline(always)]
    pub const fn get(&self) -> &T {
        // SAFETY: `ManuallyDrop` has the layout of what it holds, which is there until `drop`.
        unsafe { &*(&raw const self.0).cast::<T>() }
    }

    /// The value, for calls that change it.
    #[inline(always)]
    pub const fn get_mut(&mut self) -> &mut T {
        // SAFETY: as for `get`, and `&mut self` excludes another use.
        unsafe { &mut *(&raw mut self.0).cast::<T>() }
    }
}

impl<T> Drop for ZeroedOnDrop<T> {
    fn drop(&mut self) {
        if WIPES {
            // SAFETY: the bytes are this value's, and nobody reads them as a `T` again.
            unsafe {
                (&raw mut self.0)
                    .cast::<u8>()
                    .write_bytes(0, size_of::<T>())
            };
            zeroize::optimization_barrier(&self.0);
        }
    }
}

/// What `make` gives after `change` was made to it, straight to where it is given back; the place in which
/// the change was made is zeroed up to the address that `change` gives, behind what is secret.
///
/// For a secret that is set in a value: to give a local back is a copy, whose original nobody wipes. Not
/// inlined where nothing is optimized: places of many calls would pile up in one frame.
#[inline]
pub fn build_in_place<T>(make: impl FnOnce() -> T, change: impl FnOnce(&mut T) -> usize) -> T {
    /// The place, and the address up to which it is zeroed.
    struct Place<T>(MaybeUninit<T>, usize);

    impl<T> Drop for Place<T> {
        #[inline(always)]
        fn drop(&mut self) {
            if WIPES {
                let start = self.0.as_mut_ptr().cast::<u8>();
                let len = self.1.saturating_sub(start.addr()).min(size_of::<T>());
                // SAFETY: there are so many bytes, and nothing reads them as a `T` again.
                unsafe { start.write_bytes(0, len) };
                zeroize::optimization_barrier(&self.0);
            }
        }
    }

    // All of it, should `change` panic.
    let mut place = Place(MaybeUninit::new(make()), usize::MAX);
    // SAFETY: there is a value in it.
    place.1 = change(unsafe { place.0.assume_init_mut() });
    // SAFETY: as above, and this is the only time that it is read: `Place` does not drop it.
    unsafe { place.0.assume_init_read() }
}

/// Calls `work`, and overwrites the `BYTES` of stack that it and what it calls have used: at least
/// its own frame, which lies where that of the overwriting function does.
///
/// What `work` gives must not be secret, unless it goes straight to where it stays.
#[inline(always)]
pub fn then_overwrite_stack<const BYTES: usize, T>(work: impl FnOnce() -> T) -> T {
    #[inline(never)]
    fn apart<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
    let given = apart(work);
    burn_stack::<BYTES>();
    given
}

/// Memory up to the registers that are saved: with what it has at its end no frame needs a gap there, in
/// which a register that was saved by another function would stay.
#[repr(C)]
struct Frame<T> {
    area: T,
    top: [u64; TOP],
}

/// Words that the stack needs to be aligned: one where a call puts the return address there, but for AArch64.
const TOP: usize = if cfg!(target_arch = "aarch64") { 2 } else { 1 };

/// On AArch64 one more register to be saved beside the return address, in the half of its pair that would be a gap.
#[cfg(not(carryless_a32))]
#[inline(always)]
fn save_a_pair() {
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("", out("x20") _, options(nomem, nostack, preserves_flags));
    }
}

/// Overwrites the stack below the caller's frame, where functions that it called had theirs.
#[inline(never)]
pub fn burn_stack<const BYTES: usize>() {
    burn_frame::<BYTES>();
}

/// [`burn_stack`] for a function that has no other frame and is not inlined.
#[inline(always)]
pub fn burn_frame<const BYTES: usize>() {
    const { assert!(BYTES > 1024 || BYTES.is_multiple_of(64), "whole lines") };
    if WIPES {
        zero_frame::<BYTES>();
    }
}

/// A little by straight vector stores, in a few cycles: an array of that size would become a call of
/// `memset`, which is the best for more.
#[cfg(not(carryless_a32))]
#[inline(always)]
fn zero_frame<const BYTES: usize>() {
    /// Whether a piece would be a call of `memset`: builds for Arm's 32 bits rarely let the compiler use vectors.
    const PIECES_ARE_CALLS: bool = cfg!(target_arch = "arm");
    if BYTES > 1024 || PIECES_ARE_CALLS {
        let frame = Frame {
            area: [0u8; BYTES],
            top: [0; TOP],
        };
        zeroize::optimization_barrier(&frame);
    } else {
        let mut frame = Frame {
            area: [const { MaybeUninit::<u8>::uninit() }; BYTES],
            top: [0; TOP],
        };
        save_a_pair();
        // Before the area: the compiler would make one call of `memset` of the top and a piece below it.
        zeroize::optimization_barrier(&frame.top);
        let (pieces, rest) = frame.area.as_chunks_mut::<256>();
        for piece in pieces {
            piece.fill(MaybeUninit::new(0));
            zeroize::optimization_barrier(piece);
        }
        rest.fill(MaybeUninit::new(0));
        zeroize::optimization_barrier(rest);
    }
}

/// By registers that no function keeps for its caller: those that it would save may have a secret. `memset` would be a call for
/// every length, which stores eight bytes at a time where the library is built for any CPU.
#[cfg(carryless_a32)]
#[inline(always)]
fn zero_frame<const BYTES: usize>() {
    const { assert!(BYTES > 0 && BYTES.is_multiple_of(64), "whole lines") };
    let mut frame = Frame {
        area: MaybeUninit::<[u8; BYTES]>::uninit(),
        top: [0; TOP],
    };
    let start = frame.area.as_mut_ptr();
    // SAFETY: whole lines of the area are written, up to its end.
    unsafe {
        core::arch::asm!(
            "2: stmia {at}!, {{r0, r1, r2, r3}}",
            "stmia {at}!, {{r0, r1, r2, r3}}",
            "stmia {at}!, {{r0, r1, r2, r3}}",
            "stmia {at}!, {{r0, r1, r2, r3}}",
            "cmp {at}, {end}",
            "bne 2b",
            at = inout(reg) start => _,
            end = in(reg) start.wrapping_add(1),
            in("r0") 0,
            in("r1") 0,
            in("r2") 0,
            in("r3") 0,
            options(nostack),
        );
    }
    zeroize::optimization_barrier(&frame.top);
}
