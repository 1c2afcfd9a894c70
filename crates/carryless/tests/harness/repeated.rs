//! Many gigabytes of address space over a few megabytes of memory.

use core::ptr::NonNull;

/// Bytes that repeat a pattern, mapped again and again; they can only be read.
pub(crate) struct Repeated {
    start: NonNull<u8>,
    len: usize,
}

impl Repeated {
    /// At least `len` bytes of `pattern` after `pattern`, which is a multiple of a page.
    pub(crate) fn new(pattern: &[u8], len: usize) -> Self {
        let len = len.next_multiple_of(pattern.len());
        // SAFETY: the name ends with a zero; the descriptor is this function's own.
        let file = unsafe { libc::memfd_create(c"pattern".as_ptr(), libc::MFD_CLOEXEC) };
        assert!(file >= 0, "memfd_create: {}", error());
        // SAFETY: as long as the bytes say.
        let written = unsafe { libc::write(file, pattern.as_ptr().cast(), pattern.len()) };
        assert_eq!(usize::try_from(written), Ok(pattern.len()), "{}", error());
        // SAFETY: new addresses where the system likes; nothing else is touched.
        let start = unsafe {
            libc::mmap(
                core::ptr::null_mut(),
                len,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        assert_ne!(start, libc::MAP_FAILED, "mmap: {}", error());
        for at in (0..len).step_by(pattern.len()) {
            let place = start.cast::<u8>().wrapping_add(at).cast();
            // SAFETY: within the addresses that were just reserved, which nobody uses yet.
            let mapped = unsafe {
                libc::mmap(
                    place,
                    pattern.len(),
                    libc::PROT_READ,
                    libc::MAP_SHARED | libc::MAP_FIXED,
                    file,
                    0,
                )
            };
            assert_eq!(mapped, place, "mmap: {}", error());
        }
        // SAFETY: opened above; the mappings stay.
        unsafe { libc::close(file) };
        let start = NonNull::new(start.cast()).expect("mmap does not give null");
        Self { start, len }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: mapped by `new` with this length; nobody can write to it, nor has the file.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

fn error() -> std::io::Error {
    std::io::Error::last_os_error()
}

impl Drop for Repeated {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`, with this length, and nobody else's.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.len) };
    }
}
