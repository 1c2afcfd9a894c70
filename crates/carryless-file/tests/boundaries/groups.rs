//! In what groups readers and writers work: where the tests of boundaries take them from. Tests inside
//! the modules hold each constant there against this list.

#![allow(
    dead_code,
    reason = "the library's own tests and those of boundaries use some of it each"
)]

/// Chunks that the reader and the writer of streams handle at once.
pub(crate) const BATCH: usize = 32;
/// Chunks that the reader of ranges fetches at most.
pub(crate) const FETCH: usize = 128;
/// Bytes of the segments of a message.
pub(crate) const SEGMENT: usize = 1 << 19;
