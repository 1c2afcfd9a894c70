//! Memory that a worker reads into, and makes its output in.

use core::cell::RefCell;
use std::thread;

thread_local! {
    /// What this thread used for its last input, all zeros: many short ones need as much each.
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Buffers that are kept: for a batch, and for what is made of it.
const KEPT: usize = 2;
/// Of memory and of cached files.
const PAGE: usize = 4096;

/// Zeros at first; what was used of it is wiped, which for a short file is little.
pub struct Buffer {
    /// Longer by a page.
    bytes: Vec<u8>,
    len: usize,
    /// Where what is used begins.
    start: usize,
    used: usize,
}

impl Buffer {
    pub fn new(len: usize) -> Self {
        let whole = len + PAGE;
        let bytes = match SPARE.with_borrow_mut(Vec::pop) {
            Some(mut bytes) if bytes.capacity() >= whole => {
                bytes.resize(whole, 0);
                bytes
            }
            _ => vec![0; whole],
        };
        Self {
            bytes,
            len,
            start: 0,
            used: 0,
        }
    }

    /// All of it, placed in its first page as what is at `position` in a file is in one.
    ///
    /// Zen 3 copies a third as fast to memory that lies up to 32 bytes further in its page than the source does, and what
    /// `malloc` gives lies 16 bytes further than the beginning of a file.
    pub fn at(&mut self, position: u64) -> &mut [u8] {
        let [.., high, low] = position.to_be_bytes();
        let wanted = usize::from(u16::from_be_bytes([high, low]));
        self.start = wanted.wrapping_sub(self.bytes.as_ptr().addr()) % PAGE;
        self.whole()
    }

    /// All of it, where it was placed last.
    pub fn whole(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.len]
    }

    /// Notes that so much was used from where it was placed last.
    pub fn note_use(&mut self, len: usize) {
        self.used = self.used.max(self.start + len);
    }

    /// Notes that there may be something anywhere.
    pub fn note_all(&mut self) {
        self.used = self.bytes.len();
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // A panic left unsaid how much it was.
        if thread::panicking() {
            self.note_all();
        }
        self.bytes[..self.used].fill(0);
        zeroize::optimization_barrier(&self.bytes[..]);
        let bytes = core::mem::take(&mut self.bytes);
        // The thread may be at its end.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < KEPT {
                spare.push(bytes);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_lies_where_it_is_placed_and_is_zeros_again_for_the_next() {
        for len in [0, 1, 5000, 16, 1 << 19, 300] {
            let mut buffer = Buffer::new(len);
            assert!(buffer.bytes.iter().all(|byte| *byte == 0), "{len}");
            for position in [0, 12, 231, 4095, 4096, 524_800 + 231, u64::MAX] {
                let place = buffer.at(position);
                let expected = usize::try_from(position % 4096).expect("small");
                assert_eq!(place.as_ptr().addr() % 4096, expected);
                assert_eq!(place.len(), len);
                place.fill(7);
                buffer.note_use(len);
            }
        }
    }
}
