//! Memory that is still there when its owner is gone: a stack of the driver's own, and a page.

use core::mem::MaybeUninit;
use core::ptr::NonNull;

use libc::{c_int, ucontext_t};

// The crate `libc` lacks them on AArch32.
unsafe extern "C" {
    fn getcontext(context: *mut ucontext_t) -> c_int;
    fn makecontext(context: *mut ucontext_t, start: extern "C" fn(), arguments: c_int, ...);
    fn swapcontext(from: *mut ucontext_t, to: *const ucontext_t) -> c_int;
}

/// Zeroed pages that outlive what was done in them.
pub(crate) struct Pages {
    base: NonNull<u8>,
    len: usize,
}

impl Pages {
    pub(crate) fn new(len: usize) -> Self {
        // SAFETY: new memory where the system likes; nothing else is touched.
        let base = unsafe {
            libc::mmap(
                core::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(base, libc::MAP_FAILED, "mmap failed");
        let base = NonNull::new(base.cast()).expect("mmap does not give null");
        Self { base, len }
    }

    /// What is in them now.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len];
        // SAFETY: mapped for as long as `self` is there; the values that lived there are gone or
        // not in use, and uninitialised bytes of theirs lie on pages that the system zeroed.
        unsafe { core::ptr::copy_nonoverlapping(self.base.as_ptr(), bytes.as_mut_ptr(), self.len) };
        bytes
    }

    /// The place of a value at their beginning.
    pub(crate) fn place<T>(&mut self) -> &mut MaybeUninit<T> {
        assert!(size_of::<T>() <= self.len && align_of::<T>() <= 4096);
        // SAFETY: long enough, aligned to a page, and `&mut self` excludes another use.
        unsafe { self.base.cast().as_mut() }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`, with this length, and nobody else's.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

/// A stack of the driver's own.
pub(crate) struct Stack(Pages);

impl Stack {
    /// Of `len` bytes, several times what any job takes.
    pub(crate) fn new(len: usize) -> Self {
        Self(Pages::new(len))
    }

    /// Runs `job` on zeros; the frames that its calls had, and without a [`mark`] its own as well.
    ///
    /// Not in a thread: there are none on an emulated CPU.
    pub(crate) fn run(&mut self, mut job: &mut dyn FnMut()) -> Vec<u8> {
        let Pages { base, len } = self.0;
        // SAFETY: mapped for as long as `self` is there, and no job is on it now.
        unsafe { base.write_bytes(0, len) };
        let mut back = MaybeUninit::<ucontext_t>::uninit();
        let mut there = MaybeUninit::<ucontext_t>::uninit();
        JOB.set((&raw mut job).cast());
        FRAME.set(0);
        clear_saved_vectors();
        // SAFETY: fills `there`, which stays where it is.
        let begun = unsafe { getcontext(there.as_mut_ptr()) };
        assert_eq!(begun, 0, "no context");
        // SAFETY: filled above.
        let context = unsafe { there.assume_init_mut() };
        context.uc_stack.ss_sp = base.as_ptr().cast();
        context.uc_stack.ss_size = len;
        context.uc_link = back.as_mut_ptr();
        // SAFETY: the pages are nobody else's stack, and `start` takes no arguments.
        unsafe { makecontext(context, start, 0) };
        // SAFETY: `start` ends in `back`, which this call fills, and does not unwind.
        let ended = unsafe { swapcontext(back.as_mut_ptr(), there.as_ptr()) };
        assert_eq!(ended, 0, "no stack");
        let mut frames = self.0.bytes();
        match FRAME.get() {
            0 => {}
            mark => frames.truncate(mark - base.as_ptr() as usize),
        }
        frames
    }
}

/// Zeros the vector registers that a function saves for its caller: on Arm a kernel stores them on its stack, and what the
/// driver's own model of AES left in them is not the library's.
#[inline(always)]
fn clear_saved_vectors() {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: writes registers that it names.
    unsafe {
        core::arch::asm!(
            "movi v8.16b, #0", "movi v9.16b, #0", "movi v10.16b, #0", "movi v11.16b, #0",
            "movi v12.16b, #0", "movi v13.16b, #0", "movi v14.16b, #0", "movi v15.16b, #0",
            out("v8") _, out("v9") _, out("v10") _, out("v11") _,
            out("v12") _, out("v13") _, out("v14") _, out("v15") _,
            options(nomem, nostack, preserves_flags),
        );
    }
    #[cfg(target_arch = "arm")]
    // SAFETY: as above; a zero in each half.
    unsafe {
        core::arch::asm!(
            "vmov d8, {zero}, {zero}", "vmov d9, {zero}, {zero}",
            "vmov d10, {zero}, {zero}", "vmov d11, {zero}, {zero}",
            "vmov d12, {zero}, {zero}", "vmov d13, {zero}, {zero}",
            "vmov d14, {zero}, {zero}", "vmov d15, {zero}, {zero}",
            zero = in(reg) 0,
            out("d8") _, out("d9") _, out("d10") _, out("d11") _,
            out("d12") _, out("d13") _, out("d14") _, out("d15") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

extern "C" fn start() {
    // SAFETY: `run` sets it, and waits.
    let job: &mut &mut dyn FnMut() = unsafe { &mut *JOB.get().cast() };
    deep(job);
}

/// Runs the job further down than what `run` does to begin and to end it.
#[inline(never)]
fn deep(job: &mut dyn FnMut()) {
    let above = [0u8; 4096];
    core::hint::black_box(&above);
    job();
    core::hint::black_box(&above);
}

thread_local! {
    /// The job that [`Stack::run`] has begun.
    static JOB: core::cell::Cell<*mut libc::c_void> = const { core::cell::Cell::new(core::ptr::null_mut()) };
    /// Where its frame begins, if it has said so.
    static FRAME: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Notes that everything below the caller's frame is of calls that it makes.
#[inline(never)]
pub(crate) fn mark() {
    let here = 0u8;
    FRAME.set(core::hint::black_box(&raw const here) as usize);
}
