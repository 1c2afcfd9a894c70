//! Buffers at a chosen distance from an alignment.

use core::ops::{Deref, DerefMut};

use zeroize::Zeroizing;

const ALIGNMENT: usize = 64;
/// What an output holds before the library writes to it.
const FILL: u8 = 0xa5;

/// Bytes that start `offset` bytes behind a multiple of 64.
pub struct Buffer {
    storage: Zeroizing<Vec<u8>>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// A copy of `bytes`.
    pub fn new(bytes: &[u8], offset: usize) -> Self {
        let mut buffer = Self::output(bytes.len(), offset);
        buffer.copy_from_slice(bytes);
        buffer
    }

    /// An output that nothing was written to.
    pub fn output(len: usize, offset: usize) -> Self {
        let storage = Zeroizing::new(vec![FILL; len + 2 * ALIGNMENT]);
        let start = storage.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT) + offset;
        Self {
            storage,
            start,
            len,
        }
    }

    /// What is left in an output that held `before`.
    pub fn state(&self, before: &[u8]) -> &'static str {
        if self.iter().all(|byte| *byte == 0) {
            "zero"
        } else if **self == *before {
            "untouched"
        } else {
            "dirty"
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..self.start + self.len]
    }
}
