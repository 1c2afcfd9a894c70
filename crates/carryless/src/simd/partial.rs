//! Parts of vectors: loads that stay inside a slice, and stores inside a text.
//!
//! The end of a text of a block and more is read and written without a branch on how many bytes it has, as lengths that do not
//! repeat are mispredicted: by a load or a store that ends with the text, and a permutation (m23).

use super::{InOut, Simd};

/// Picks of bytes of a lane ([`Simd::permute`]): by the 16 from `32 - n` on the bytes move `n` further up, by those from `32 + n`
/// on as many down, zeros behind them.
static PICKS: Picks = {
    let mut picks = [0x80; 96];
    let mut i = 0u8;
    while i < 16 {
        picks[32 + i as usize] = i;
        i += 1;
    }
    Picks(picks)
};

/// From the start of a line of the cache on.
#[repr(align(64))]
struct Picks([u8; 96]);

/// Ones, and as many zeros, for vectors of up to 64 bytes: from `64 - len` on the first `len` are ones.
static ONES: [u8; 128] = {
    let mut ones = [0; 128];
    let (head, _) = ones.split_at_mut(64);
    head.copy_from_slice(&[0xff; 64]);
    ones
};

/// Ones in the first `len` (0 to `BYTES`) bytes, zeros behind them.
#[inline(always)]
pub fn ones<S: Simd>(s: S, len: usize) -> S::V {
    debug_assert!(len <= S::BYTES, "a vector has no more");
    // The minimum is the proof that the load needs no check.
    s.load(&ONES, 64 - len.min(64))
}

/// The picks from `at` on, in a lane.
///
/// # Safety
/// `at` is at most 80.
#[inline(always)]
unsafe fn picks<N: Simd>(n: N, at: usize) -> N::V {
    debug_assert!(at <= 80, "picks of a lane");
    // SAFETY: so many are there, as the caller promises.
    let from = unsafe { PICKS.0.as_ptr().add(at) };
    // SAFETY: and 16 more.
    unsafe { n.read(from) }
}

/// Reads a vector from the bytes before `end`, `back` of them and more.
///
/// # Safety
/// So many bytes before `end` are valid for reading, and `back` is at least `BYTES`.
#[inline(always)]
unsafe fn read_back<S: Simd>(s: S, end: *const u8, back: usize) -> S::V {
    // SAFETY: the caller's promise.
    let from = unsafe { end.sub(back) };
    // SAFETY: as above.
    unsafe { s.read(from) }
}

/// Writes a vector to the bytes before `end`, `back` of them and more.
///
/// # Safety
/// So many bytes before `end` are valid for writing, and `back` is at least `BYTES`.
#[inline(always)]
unsafe fn write_back<S: Simd>(s: S, end: *mut u8, back: usize, v: S::V) {
    // SAFETY: the caller's promise.
    let to = unsafe { end.sub(back) };
    // SAFETY: as above.
    unsafe { s.write(to, v) }
}

/// [`Simd::load_last`].
#[inline(always)]
pub fn load_last<S: Simd>(s: S, bytes: &[u8]) -> S::V {
    const { assert!(S::LANES <= 2 || S::MASKS, "more lanes take a mask") };
    let (n, len) = (s.narrow(), S::last_len(bytes.len()));
    if S::MASKS {
        return s.load_first(&bytes[bytes.len().saturating_sub(len)..]);
    }
    if bytes.len() < 16 {
        return s.widen(n.load_partial(bytes));
    }
    let end = bytes.as_ptr_range().end;
    if len == S::BYTES {
        // SAFETY: there are bytes, so a whole vector.
        return unsafe { read_back(s, end, S::BYTES) };
    }
    // SAFETY: 16 bytes and more are there.
    let last = unsafe { read_back(n, end, 16) };
    // SAFETY: `len` is 1 to 32.
    let last_picks = unsafe { picks(n, 32 + S::BYTES - len) };
    if S::LANES == 1 {
        return s.widen(n.permute(last, last_picks));
    }
    // The first lane, or what ends with it, if it is all that there is.
    let back = len.max(16);
    // SAFETY: 16 bytes and more are there, and `len` of them.
    let first = unsafe { read_back(n, end, back) };
    // SAFETY: `back` is `len`, or 16 and that is less.
    let first_picks = unsafe { picks(n, 32 + back - len) };
    let both = s.insert(s.widen(first), 1, last);
    s.permute(both, s.insert(s.widen(first_picks), 1, last_picks))
}

/// [`Simd::store_last`].
#[inline(always)]
pub fn store_last<S: Simd>(s: S, mut text: InOut<'_>, v: S::V) {
    const { assert!(S::LANES <= 2 || S::MASKS, "more lanes take a mask") };
    let (n, len, first) = (s.narrow(), S::last_len(text.len()), s.lane(v, 0));
    if S::MASKS {
        let whole = text.len().saturating_sub(len);
        let _ = text.split_to(whole);
        return s.store_first(text, v);
    }
    if text.len() < 16 {
        return n.store_partial(text, first);
    }
    let bytes = text.into_written();
    let end = bytes.as_mut_ptr_range().end;
    if len == S::BYTES {
        // SAFETY: there are bytes, so a whole vector.
        return unsafe { write_back(s, end, S::BYTES, v) };
    }
    // The last 16 bytes, from the lane before, and those of the vector.
    // SAFETY: `len` is 1 to 32, as below.
    let mut joined = n.permute(first, unsafe { picks(n, 16 + len) });
    if len < bytes.len() {
        // SAFETY: whole vectors are before the last.
        let before = unsafe { read_back(n, end, len + 16) };
        // SAFETY: as above.
        joined = n.xor(joined, n.permute(before, unsafe { picks(n, 32 + len) }));
    }
    if S::LANES == 2 {
        // SAFETY: as above.
        joined = n.xor(joined, n.permute(s.lane(v, 1), unsafe { picks(n, len) }));
        // SAFETY: 16 bytes and more are there, and `len` of them. What is behind the text of it is written over below.
        unsafe { write_back(n, end, len.max(16), first) };
    }
    // SAFETY: 16 bytes and more are there.
    unsafe { write_back(n, end, 16, joined) };
}

/// [`Simd::load_partial`].
///
/// By loads that overlap and stay inside the slice: a copy to the stack and back would wait for the store.
#[inline(always)]
pub fn load_partial<N: Simd<Narrow = N>>(n: N, bytes: &[u8]) -> N::V {
    let len = bytes.len();
    debug_assert!(len <= 16, "a lane takes no more");
    if len >= 16 {
        n.load(bytes, 0)
    } else if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // Of eight bytes nothing stays of the second word.
        let tail = u64::from_le_bytes(*tail) >> 8 >> (8 * (15 - len));
        n.splat_words([u64::from_le_bytes(*head), tail])
    } else {
        n.splat_words([short_word(bytes), 0])
    }
}

/// [`Simd::store_partial`].
#[inline(always)]
pub fn store_partial<N: Simd<Narrow = N>>(n: N, mut text: InOut<'_>, v: N::V) {
    let len = text.len();
    debug_assert!(len <= 16, "a lane has no more");
    if len >= 16 {
        return text.store(n, 0, v);
    }
    let ([head, _], bytes) = (n.words(v), text.into_written());
    if len < 8 {
        return set_short_word(bytes, head);
    }
    let [tail, _] = n.words(n.permute(v, n.load(&PICKS.0, 24 + len)));
    bytes[len - 8..].copy_from_slice(&tail.to_le_bytes());
    bytes[..8].copy_from_slice(&head.to_le_bytes());
}

/// The little-endian word of 0 to 7 bytes.
#[inline(always)]
pub fn short_word(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (head, tail) = (u32::from_le_bytes(*head), u32::from_le_bytes(*tail));
        u64::from(head) | u64::from(tail) << (8 * (len - 4))
    } else if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
        u64::from(*first)
            | u64::from(bytes[len / 2]) << (8 * (len / 2))
            | u64::from(*last) << (8 * (len - 1))
    } else {
        0
    }
}

/// Stores the first `bytes.len()` (0 to 7) bytes of the word; the counterpart of [`short_word`].
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bytes of a word, one after the other"
)]
#[inline(always)]
pub(super) fn set_short_word(bytes: &mut [u8], word: u64) {
    let len = bytes.len();
    if len >= 4 {
        let tail = (word >> (8 * (len - 4))) as u32;
        bytes[len - 4..].copy_from_slice(&tail.to_le_bytes());
        bytes[..4].copy_from_slice(&(word as u32).to_le_bytes());
    } else if let Some(two) = bytes.first_chunk_mut() {
        *two = (word as u16).to_le_bytes();
        if let Some(third) = bytes.get_mut(2) {
            *third = (word >> 16) as u8;
        }
    } else if let Some(one) = bytes.first_mut() {
        *one = word as u8;
    }
}
