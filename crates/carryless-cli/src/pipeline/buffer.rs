//! Memory that a worker reads into, and makes its output in.

use core::cell::RefCell;
use std::thread;

thread_local! {
    /// What this thread used for its last input, all zeros: many short ones need as much each.
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Buffers that are kept: for a batch, and for what is made of it.
const KEPT: usize = 2;

/// Zeros at first; what was used of it is wiped, which for a short file is little.
pub struct Buffer {
    pub bytes: Vec<u8>,
    pub used: usize,
}

impl Buffer {
    pub fn new(len: usize) -> Self {
        let bytes = match SPARE.with_borrow_mut(Vec::pop) {
            Some(mut bytes) if bytes.capacity() >= len => {
                bytes.resize(len, 0);
                bytes
            }
            _ => vec![0; len],
        };
        Self { bytes, used: 0 }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // A panic left unsaid how much it was.
        let used = if thread::panicking() {
            self.bytes.len()
        } else {
            self.used
        };
        self.bytes[..used].fill(0);
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
