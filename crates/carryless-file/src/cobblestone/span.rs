//! Which part of a stream holds a range of the text.

use core::ops::Range;

use super::{CHUNK_LEN, TAG_LEN, chunk_offset};

/// The chunks that hold a range of a stream's text: one contiguous part of the stream.
///
/// # Examples
/// ```
/// use carryless_file::cobblestone::Span;
///
/// // 10 bytes around the end of the first chunk, of a text of 20,000.
/// let span = Span::new(16380..16390, 20_000);
/// assert_eq!((span.first, span.chunks, span.skip), (0, 2, 16380));
/// assert_eq!(span.sealed, 56..56 + 16400 + (20_000 - 16384) + 16);
/// assert!(span.last);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The number of the first chunk.
    pub first: u64,
    /// How many there are; zero for an empty range.
    pub chunks: u64,
    /// Bytes of the first chunk's text before the range.
    pub skip: usize,
    /// Bytes of the range that there are: of the text at hand.
    pub len: u64,
    /// Where the chunks lie in the stream, from its salt on.
    pub sealed: Range<u64>,
    /// Whether the last chunk of the stream is the last of them.
    pub last: bool,
}

impl Span {
    /// The span of `range`, cut off at the end, in a text of `text_len` bytes, at most 2^52.
    #[must_use]
    pub fn new(range: Range<u64>, text_len: u64) -> Self {
        const CHUNK: u64 = CHUNK_LEN as u64;
        let end = range.end.min(text_len);
        let start = range.start.min(end);
        let first = start / CHUNK;
        let last_chunk = text_len / CHUNK;
        let chunks = if start == end {
            0
        } else {
            (end - 1) / CHUNK - first + 1
        };
        let last = chunks > 0 && first + chunks > last_chunk;
        let stream_end = chunk_offset(last_chunk) + text_len % CHUNK + TAG_LEN as u64;
        let sealed_end = chunk_offset(first + chunks).min(stream_end);
        let skip = (start % CHUNK) as usize;
        Self {
            first,
            chunks,
            skip,
            len: end - start,
            sealed: chunk_offset(first)..sealed_end,
            last,
        }
    }
}
