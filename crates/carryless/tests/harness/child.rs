//! A forked child for what may crash, with a note of how far it got.

use core::sync::atomic::{AtomicU64, Ordering};

use super::scheme::ALONE;

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It did all and found all right.
    Well,
    /// It found something wrong at this step.
    Wrong(u64),
    /// It died of this signal at this step.
    Killed(i32, u64),
}

/// Where the child notes its steps; the parent sees them.
pub(crate) struct Notes {
    cell: &'static AtomicU64,
}

impl Notes {
    pub(crate) fn step(&self, step: u64) {
        self.cell.store(step, Ordering::Relaxed);
    }
}

/// Runs `work` in a child: whether all was right.
pub(crate) fn run(work: impl FnOnce(&Notes) -> bool) -> Ended {
    // SAFETY: new memory where the system likes, shared with the child; nothing else is touched.
    let page = unsafe {
        libc::mmap(
            core::ptr::null_mut(),
            size_of::<AtomicU64>(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANON,
            -1,
            0,
        )
    };
    assert_ne!(
        page,
        libc::MAP_FAILED,
        "mmap: {}",
        std::io::Error::last_os_error()
    );
    // SAFETY: zeroed, aligned to a page, and used from here on only as this atomic.
    let cell = unsafe { &*page.cast() };
    let notes = Notes { cell };
    // SAFETY: the child runs `work`, which takes no lock but that of `with_default`, which is off
    // there, and the allocator's, which glibc and the BSDs keep usable over a fork; then it exits.
    let child = unsafe { libc::fork() };
    assert_ne!(child, -1, "fork: {}", std::io::Error::last_os_error());
    if child == 0 {
        ALONE.store(true, Ordering::Relaxed);
        let right = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| work(&notes)));
        // SAFETY: ends the child without running what belongs to the parent.
        unsafe { libc::_exit(if matches!(right, Ok(true)) { 0 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: waits for the child just made.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(
        waited,
        child,
        "waitpid: {}",
        std::io::Error::last_os_error()
    );
    let step = notes.cell.load(Ordering::Relaxed);
    // SAFETY: the page of `notes`, which is not used any more.
    unsafe { libc::munmap(page, size_of::<AtomicU64>()) };
    if libc::WIFSIGNALED(status) {
        Ended::Killed(libc::WTERMSIG(status), step)
    } else if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
        Ended::Well
    } else {
        Ended::Wrong(step)
    }
}
