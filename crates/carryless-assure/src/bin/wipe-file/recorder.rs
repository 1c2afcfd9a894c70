//! An allocator that keeps what is given back to it, as it was at that moment.
//!
//! While it records, new memory is zeroed, so that what is found in it was put there, and memory
//! that grows is always copied to another place, as it may be under any allocator.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed};
use std::alloc::System;

/// Bytes of given back memory that one recording keeps: several times what any call takes.
const LOG_LEN: usize = 96 << 20;
/// Pieces of memory that are in use at once.
const LIVE_LEN: usize = 4096;

static ON: AtomicBool = AtomicBool::new(false);
/// So many bytes as [`LOG_LEN`], of which [`LOGGED`] are written.
static LOG: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
static LOGGED: AtomicUsize = AtomicUsize::new(0);
/// Address and length of memory that was taken while recording and is in use, or zeros.
static LIVE: [(AtomicPtr<u8>, AtomicUsize); LIVE_LEN] =
    [const { (AtomicPtr::new(core::ptr::null_mut()), AtomicUsize::new(0)) }; LIVE_LEN];
static OVERFLOWN: AtomicBool = AtomicBool::new(false);

/// The system's allocator, recorded. For programs of one thread.
pub(crate) struct Recorder;

#[global_allocator]
static RECORDER: Recorder = Recorder;

// SAFETY: memory is the system's, and only read and zeroed beside that. Growing is that of the trait:
// new memory, a copy, and the old given back.
unsafe impl GlobalAlloc for Recorder {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let memory = unsafe { System.alloc(layout) };
        if ON.load(Relaxed) && !memory.is_null() {
            // SAFETY: new, and of this length.
            unsafe { memory.write_bytes(0, layout.size()) };
            let free = LIVE.iter().find(|(base, _)| base.load(Relaxed).is_null());
            match free {
                Some((base, len)) => {
                    base.store(memory, Relaxed);
                    len.store(layout.size(), Relaxed);
                }
                None => OVERFLOWN.store(true, Relaxed),
            }
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if ON.load(Relaxed) {
            // SAFETY: the caller's until the end of this call, and of this length.
            unsafe { log(memory, layout.size()) };
            if let Some((base, _)) = LIVE.iter().find(|(base, _)| base.load(Relaxed) == memory) {
                base.store(core::ptr::null_mut(), Relaxed);
            }
        }
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) };
    }
}

/// Appends memory to the log.
///
/// # Safety
/// `len` bytes can be read at `memory`.
unsafe fn log(memory: *const u8, len: usize) {
    let at = LOGGED.load(Relaxed);
    if at + len > LOG_LEN {
        OVERFLOWN.store(true, Relaxed);
        return;
    }
    // SAFETY: within the log, by the test above.
    let end = unsafe { LOG.load(Relaxed).add(at) };
    // SAFETY: the caller's `len` bytes, and as many of the log, which is nobody else's.
    unsafe { end.copy_from_nonoverlapping(memory, len) };
    LOGGED.store(at + len, Relaxed);
}

/// Memory of a call.
pub(crate) struct Recorded {
    /// What it gave back, as it was then.
    pub(crate) freed: Vec<u8>,
    /// What it took and still has.
    pub(crate) kept: Vec<u8>,
}

/// Records while `job` runs.
pub(crate) fn record(job: &mut dyn FnMut()) -> Recorded {
    if LOG.load(Relaxed).is_null() {
        LOG.store(vec![0u8; LOG_LEN].leak().as_mut_ptr(), Relaxed);
    }
    LOGGED.store(0, Relaxed);
    for (base, _) in &LIVE {
        base.store(core::ptr::null_mut(), Relaxed);
    }
    ON.store(true, Relaxed);
    job();
    ON.store(false, Relaxed);
    assert!(!OVERFLOWN.load(Relaxed), "the log is too short");
    // SAFETY: written by `log`, or by `vec!`.
    let freed = unsafe { core::slice::from_raw_parts(LOG.load(Relaxed), LOGGED.load(Relaxed)) };
    let mut kept = Vec::new();
    for (base, len) in &LIVE {
        let base = base.load(Relaxed);
        if !base.is_null() {
            // SAFETY: not given back, zeroed when it was taken, and nobody runs who could change it.
            kept.extend(unsafe { core::slice::from_raw_parts(base, len.load(Relaxed)) });
        }
    }
    let freed = freed.to_vec();
    Recorded { freed, kept }
}
