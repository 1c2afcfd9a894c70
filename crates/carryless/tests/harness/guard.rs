//! Memory with a page that faults before and behind it.

use core::ptr::NonNull;

/// The side of a buffer that touches the page that faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flush {
    /// The first byte is the first of its page: reading one before it faults.
    Front,
    /// The last byte is the last of its page: reading one behind it faults.
    Behind,
}

impl Flush {
    pub(crate) const BOTH: [Self; 2] = [Self::Front, Self::Behind];
}

/// Some pages between two that fault.
pub(crate) struct Guarded {
    /// The page before the buffer.
    base: NonNull<u8>,
    page: usize,
    /// Bytes between the two pages.
    room: usize,
}

impl Guarded {
    /// Room for at least `len` bytes.
    pub(crate) fn new(len: usize) -> Self {
        // SAFETY: only asks.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) })
            .expect("a page has a size");
        let room = len.max(1).next_multiple_of(page);
        // SAFETY: new memory where the system likes; nothing else is touched.
        let base = unsafe {
            libc::mmap(
                core::ptr::null_mut(),
                room + 2 * page,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            )
        };
        assert_ne!(
            base,
            libc::MAP_FAILED,
            "mmap: {}",
            std::io::Error::last_os_error()
        );
        let base = NonNull::new(base.cast()).expect("mmap does not give null");
        let guarded = Self { base, page, room };
        guarded.protect(libc::PROT_READ | libc::PROT_WRITE);
        guarded
    }

    fn start(&self) -> *mut u8 {
        self.base.as_ptr().wrapping_add(self.page)
    }

    fn protect(&self, protection: i32) {
        // SAFETY: the pages between the two guards are this value's own.
        let result = unsafe { libc::mprotect(self.start().cast(), self.room, protection) };
        assert_eq!(result, 0, "mprotect: {}", std::io::Error::last_os_error());
    }

    /// The `len` bytes that touch that side.
    pub(crate) fn get(&mut self, len: usize, flush: Flush) -> &mut [u8] {
        assert!(len <= self.room, "the buffer has room");
        let at = if flush == Flush::Front {
            0
        } else {
            self.room - len
        };
        // SAFETY: inside of the pages, which can be written: `read_only` gives no `Guarded` back.
        unsafe { core::slice::from_raw_parts_mut(self.start().wrapping_add(at), len) }
    }

    /// A buffer with these bytes on that side, which from now on can only be read.
    pub(crate) fn read_only(bytes: &[u8], flush: Flush) -> ReadOnly {
        let mut guarded = Self::new(bytes.len());
        guarded.get(bytes.len(), flush).copy_from_slice(bytes);
        guarded.protect(libc::PROT_READ);
        let at = if flush == Flush::Front {
            0
        } else {
            guarded.room - bytes.len()
        };
        ReadOnly {
            at,
            len: bytes.len(),
            guarded,
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`, with this length, and nobody else's.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.room + 2 * self.page) };
    }
}

/// Bytes that can only be read, beside a page that can't even be read.
pub(crate) struct ReadOnly {
    guarded: Guarded,
    at: usize,
    len: usize,
}

impl ReadOnly {
    /// Its last `len` bytes (flush behind) or its first (flush in front).
    pub(crate) fn part(&self, len: usize, flush: Flush) -> &[u8] {
        assert!(len <= self.len, "a part");
        let skip = if flush == Flush::Front {
            0
        } else {
            self.len - len
        };
        // SAFETY: inside of the pages, which can be read and no longer change.
        unsafe {
            core::slice::from_raw_parts(self.guarded.start().wrapping_add(self.at + skip), len)
        }
    }

    pub(crate) fn all(&self) -> &[u8] {
        self.part(self.len, Flush::Front)
    }
}
