//! In what groups the command reads, works and writes: where the tests of boundaries take them from.
//! Tests inside the program hold each constant there against this list.

#![allow(
    dead_code,
    reason = "the program's own tests and those of boundaries use some of it each"
)]

/// Bytes of text in a chunk, of which a batch has so many.
pub(crate) const CHUNK: usize = 16384;
/// Chunks that a worker seals or opens at once.
pub(crate) const BATCH: usize = 32;
/// Bytes of text in a segment of one GCM message.
pub(crate) const SEGMENT: usize = 1 << 19;
/// Workers that there are at most.
pub(crate) const WORKERS: usize = 24;
/// Bytes that rekeying copies at once.
pub(crate) const PIECE: usize = 1 << 18;
