//! Text on its way through a kernel: where it is read and where it is written.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

#[cfg(feature = "aead")]
use aead::inout;
#[cfg(all(feature = "cipher", not(feature = "aead")))]
use cipher::inout;

use super::Simd;

/// A source and a destination of the same length, equal or disjoint in memory.
///
/// One kernel thereby serves "in place", "from here to there" and pieces of either. The bytes are
/// touched only between the two ends, in the order in which the kernel asks for them: with equal
/// ends a byte must be read before it is written.
pub struct InOut<'a> {
    src: *const u8,
    dst: *mut u8,
    len: usize,
    _text: PhantomData<&'a mut [u8]>,
}

// SAFETY: it stands for a `&mut [u8]`, or that and a `&[u8]`, which may be sent to other threads.
unsafe impl Send for InOut<'_> {}

/// Source and destination overlap without being equal, or one lies outside the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap;

impl fmt::Debug for InOut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InOut({} bytes)", self.len)
    }
}

impl<'a> InOut<'a> {
    /// Text that is replaced where it stands.
    #[inline(always)]
    pub fn in_place(text: &'a mut [u8]) -> Self {
        let dst = text.as_mut_ptr();
        Self {
            src: dst,
            dst,
            len: text.len(),
            _text: PhantomData,
        }
    }

    /// Text that is read from `src` and written to `dst`; `None` if the lengths differ.
    #[inline(always)]
    pub fn between(src: &'a [u8], dst: &'a mut [u8]) -> Option<Self> {
        (src.len() == dst.len()).then_some(Self {
            src: src.as_ptr(),
            dst: dst.as_mut_ptr(),
            len: src.len(),
            _text: PhantomData,
        })
    }

    /// Text that is read from `buf[src]` and written to `buf[dst..]`, as many bytes.
    ///
    /// # Errors
    /// [`Overlap`] if a range lies outside the buffer, or the two overlap without being equal.
    pub fn within(buf: &'a mut [u8], src: Range<usize>, dst: usize) -> Result<Self, Overlap> {
        let len = src.end.checked_sub(src.start).ok_or(Overlap)?;
        let dst_end = dst.checked_add(len).ok_or(Overlap)?;
        let inside = src.end <= buf.len() && dst_end <= buf.len();
        let apart = src.start == dst || src.end <= dst || dst_end <= src.start;
        if !(inside && apart) {
            return Err(Overlap);
        }
        let base = buf.as_mut_ptr();
        // SAFETY: `src.start <= src.end <= buf.len()`.
        let from = unsafe { base.add(src.start) };
        // SAFETY: `dst <= dst_end <= buf.len()`.
        let to = unsafe { base.add(dst) };
        Ok(Self {
            src: from,
            dst: to,
            len,
            _text: PhantomData,
        })
    }

    /// Bytes of text.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no text.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same text for a shorter time, so that it can be gone through more than once.
    #[inline(always)]
    pub fn reborrow(&mut self) -> InOut<'_> {
        InOut {
            src: self.src,
            dst: self.dst,
            len: self.len,
            _text: PhantomData,
        }
    }

    /// Cuts off the first `len` bytes; `None` (and nothing cut) if there are fewer.
    #[inline(always)]
    pub fn split_to(&mut self, len: usize) -> Option<Self> {
        // SAFETY: so many are there.
        (len <= self.len).then(|| unsafe { self.cut(len) })
    }

    /// Cuts off the first `len` bytes.
    ///
    /// # Safety
    /// There are so many.
    #[inline(always)]
    unsafe fn cut(&mut self, len: usize) -> Self {
        let head = Self {
            src: self.src,
            dst: self.dst,
            len,
            _text: PhantomData,
        };
        // SAFETY: `len` bytes are there, both to read and to write.
        self.src = unsafe { self.src.add(len) };
        // SAFETY: as above.
        self.dst = unsafe { self.dst.add(len) };
        self.len -= len;
        head
    }

    /// What is read: the text before, or with equal ends as far as it is not yet overwritten.
    #[inline(always)]
    pub fn source(&self) -> &[u8] {
        // SAFETY: `src` is valid for `len` bytes for 'a; `&self` excludes writes meanwhile.
        unsafe { core::slice::from_raw_parts(self.src, self.len) }
    }

    /// What is written: the text after, as far as the kernel got.
    #[inline(always)]
    pub fn written(&self) -> &[u8] {
        // SAFETY: `dst` is valid for `len` bytes for 'a; `&self` excludes writes meanwhile.
        unsafe { core::slice::from_raw_parts(self.dst, self.len) }
    }

    /// The destination, for wiping.
    #[inline(always)]
    pub fn into_written(self) -> &'a mut [u8] {
        // SAFETY: `dst` is valid for `len` bytes for 'a and this value, which is consumed, was the
        // only way to it.
        unsafe { core::slice::from_raw_parts_mut(self.dst, self.len) }
    }

    /// Source, destination and length, for assembly.
    #[cfg(carryless_a32)]
    #[inline(always)]
    pub fn into_raw(self) -> (*const u8, *mut u8, usize) {
        (self.src, self.dst, self.len)
    }

    /// Reads a vector from the source, `at` bytes on.
    #[inline(always)]
    pub fn load<S: Simd>(&self, s: S, at: usize) -> S::V {
        s.load(self.source(), at)
    }

    /// Reads a vector from the destination, `at` bytes on.
    #[inline(always)]
    pub fn load_written<S: Simd>(&self, s: S, at: usize) -> S::V {
        s.load(self.written(), at)
    }

    /// Writes a vector to the destination, `at` bytes on.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, s: S, at: usize, v: S::V) {
        assert!(
            S::BYTES <= self.len && at <= self.len - S::BYTES,
            "store beyond the text"
        );
        // SAFETY: checked above.
        let to = unsafe { self.dst.add(at) };
        // SAFETY: `BYTES` bytes are there, and `&mut self` excludes other uses of the text.
        unsafe { s.write(to, v) }
    }

    /// Reads `N` bytes of the source, `at` bytes on.
    #[inline(always)]
    pub fn get<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.source()[at..at + N]);
        bytes
    }

    /// Writes `N` bytes to the destination, `at` bytes on.
    #[inline(always)]
    pub fn set<const N: usize>(&mut self, at: usize, bytes: &[u8; N]) {
        assert!(N <= self.len && at <= self.len - N, "store beyond the text");
        // SAFETY: checked above; a reference is not made of it, as the source may be the same.
        let to = unsafe { self.dst.add(at) };
        // SAFETY: `to` is valid for `N` bytes, and `bytes` is a value of the caller's, not of the text.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, N) }
    }
}

/// Text that becomes other text block by block, or data that is only read.
pub trait Blocks {
    /// What is read.
    fn source(&self) -> &[u8];
    /// What the 16 bytes become that are `at` bytes on.
    ///
    /// # Safety
    /// There are so many.
    unsafe fn put<S: Simd<Narrow = S>>(&mut self, s: S, at: usize, v: S::V);
}

impl Blocks for InOut<'_> {
    #[inline(always)]
    fn source(&self) -> &[u8] {
        self.source()
    }
    #[inline(always)]
    unsafe fn put<S: Simd<Narrow = S>>(&mut self, s: S, at: usize, v: S::V) {
        // SAFETY: the caller's promise.
        let to = unsafe { self.dst.add(at) };
        // SAFETY: 16 bytes are there, by the same, and `&mut self` excludes other uses of the text.
        unsafe { s.write(to, v) }
    }
}

impl Blocks for &[u8] {
    #[inline(always)]
    fn source(&self) -> &[u8] {
        self
    }
    #[inline(always)]
    unsafe fn put<S: Simd<Narrow = S>>(&mut self, _: S, _: usize, _: S::V) {}
}

/// Texts side by side, as many blocks of each as all have: one comparison is for all.
pub struct SideBySide<T, const N: usize> {
    texts: [T; N],
    /// No text has fewer; not zero.
    blocks: usize,
}

impl<T: Blocks, const N: usize> SideBySide<T, N> {
    /// `None` if one of them has no whole block.
    #[inline(always)]
    pub fn new(texts: [T; N]) -> Option<Self> {
        let mut blocks = usize::MAX;
        let mut i = 0;
        while i < N {
            blocks = blocks.min(texts[i].source().len() / 16);
            i += 1;
        }
        (blocks > 0).then_some(Self { texts, blocks })
    }

    /// Blocks of each.
    #[inline(always)]
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// A block of the text `i`; the last one for an index beyond it.
    #[inline(always)]
    pub fn load<S: Simd<Narrow = S>>(&self, s: S, i: usize, index: usize) -> S::V {
        let at = 16 * index.min(self.blocks - 1);
        // SAFETY: each text has `blocks` blocks.
        let block = unsafe { self.texts[i].source().get_unchecked(at..at + 16) };
        s.load(block, 0)
    }

    /// What a block of the text `i` becomes; the last one for an index beyond it.
    #[inline(always)]
    pub fn store<S: Simd<Narrow = S>>(&mut self, s: S, i: usize, index: usize, v: S::V) {
        let at = 16 * index.min(self.blocks - 1);
        // SAFETY: each text has `blocks` blocks.
        unsafe { self.texts[i].put(s, at, v) }
    }
}

#[cfg(any(feature = "aead", feature = "cipher"))]
impl<'a> From<inout::InOutBuf<'a, 'a, u8>> for InOut<'a> {
    fn from(text: inout::InOutBuf<'a, 'a, u8>) -> Self {
        let len = text.len();
        let (src, dst) = text.into_raw();
        // The contract of `InOutBuf` is the same: equal or disjoint, both valid for 'a.
        Self {
            src,
            dst,
            len,
            _text: PhantomData,
        }
    }
}

#[cfg(feature = "cipher")]
impl<'a> From<inout::InOutBuf<'a, 'a, cipher::Array<u8, cipher::consts::U16>>> for InOut<'a> {
    fn from(blocks: inout::InOutBuf<'a, 'a, cipher::Array<u8, cipher::consts::U16>>) -> Self {
        let len = 16 * blocks.len();
        let (src, dst) = blocks.into_raw();
        // As above; blocks lie one behind the other.
        Self {
            src: src.cast(),
            dst: dst.cast(),
            len,
            _text: PhantomData,
        }
    }
}
