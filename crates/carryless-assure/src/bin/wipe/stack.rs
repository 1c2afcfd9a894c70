//! Memory that is still there when its owner is gone: a stack of the driver's own, and a page.

use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// Bytes of the stack; no call needs a tenth of it.
const STACK: usize = 256 * 1024;

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

/// What a job left on its stack.
pub(crate) struct Remains {
    /// The whole stack; frames of what the job called lie before `job`.
    pub(crate) bytes: Vec<u8>,
    /// Where the frame of the job itself begins.
    pub(crate) job: usize,
}

/// The job and, once it has run, the address below which the frames of its calls were.
struct Work<'a> {
    job: &'a mut dyn FnMut(),
    frame: usize,
}

/// Runs `job` on a stack of zeros; what it left there.
pub(crate) fn run(job: &mut dyn FnMut()) -> Remains {
    let pages = Pages::new(STACK);
    let mut work = Work { job, frame: 0 };
    // SAFETY: `pthread_attr_t` is plain data.
    let mut attributes: libc::pthread_attr_t = unsafe { core::mem::zeroed() };
    let mut thread = 0;
    // SAFETY: initialises `attributes`.
    let begun = unsafe { libc::pthread_attr_init(&raw mut attributes) };
    // SAFETY: `pages` outlives the thread, which is joined below.
    let given = unsafe {
        libc::pthread_attr_setstack(&raw mut attributes, pages.base.as_ptr().cast(), STACK)
    };
    // SAFETY: `work` outlives the thread, and this thread does not touch it meanwhile.
    let started = unsafe {
        libc::pthread_create(
            &raw mut thread,
            &raw const attributes,
            start,
            (&raw mut work).cast(),
        )
    };
    assert_eq!((begun, given, started), (0, 0, 0), "no thread");
    // SAFETY: started above, joined once.
    let joined = unsafe { libc::pthread_join(thread, core::ptr::null_mut()) };
    assert_eq!(joined, 0, "not joined");
    // Without a mark the frame of the job counts as well.
    let job = if work.frame == 0 {
        STACK
    } else {
        work.frame - pages.base.as_ptr() as usize
    };
    Remains {
        bytes: pages.bytes(),
        job,
    }
}

extern "C" fn start(work: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: `run` passes its `Work` and waits for this thread.
    let work = unsafe { &mut *work.cast::<Work<'_>>() };
    deep(work.job);
    work.frame = FRAME.get();
    core::ptr::null_mut()
}

/// Runs the job further down than the system goes when it ends the thread.
#[inline(never)]
fn deep(job: &mut dyn FnMut()) {
    let above = [0u8; 16 * 1024];
    core::hint::black_box(&above);
    job();
    core::hint::black_box(&above);
}

thread_local! {
    static FRAME: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Notes that everything below the caller's frame is of calls that it makes.
#[inline(never)]
pub(crate) fn mark() {
    let here = 0u8;
    FRAME.set(core::hint::black_box(&raw const here) as usize);
}
