//! One message by several threads: segments that are halved until there is one for each.

use super::gcm::Gcm;
use super::limits::{between, check, check_tag};
use super::segment::{Partial, Segments};
use super::tag::{padded, verify};
use crate::engine::{DataIndependentTiming, Direction, EveryAead, InOut, Open, Seal};
use crate::error::{InputError, OpenError};
use crate::secret;

/// The least bytes for a thread. Waking one and merging what it made take a few microseconds, in which
/// an engine seals some 10 KiB.
const LEAST: usize = 128 * 1024;

/// Segments begin at a multiple of this, so that none but the last leaves a part of a kernel's turn.
const STEP: usize = 1024;

impl<C: EveryAead, const NONCE: usize, const TAG: usize> Gcm<C, NONCE, TAG> {
    /// Seals `text` where it stands by several threads of the pool of `rayon` that the caller is in; the
    /// tag. The result is that of [`seal_in_place`](Self::seal_in_place).
    ///
    /// * `threads`: into how many segments the text is cut, at most; each has 128 KiB at least. 0 stands
    ///   for as many as the pool has threads. More than that take their turns.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    ///
    /// # Examples
    /// ```
    /// let key = carryless::Aes128Gcm::from_slice(&[1; 16])?;
    /// let mut text = vec![7; 1 << 20];
    /// let tag = key.seal_parallel_in_place(&[0; 12], b"", &mut text, 0)?;
    /// key.open_parallel_in_place(&[0; 12], b"", &mut text, &tag, 0)?;
    /// assert!(text.iter().all(|byte| *byte == 7));
    /// # Ok::<(), carryless::error::OpenError>(())
    /// ```
    pub fn seal_parallel_in_place(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        threads: usize,
    ) -> Result<[u8; TAG], InputError> {
        self.seal_parallel(nonce, aad, InOut::in_place(text), threads)
    }

    /// [`seal_parallel_in_place`](Self::seal_parallel_in_place) from one buffer to another of the same
    /// length.
    ///
    /// # Errors
    /// As [`seal_into`](Self::seal_into).
    pub fn seal_parallel_into(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
        threads: usize,
    ) -> Result<[u8; TAG], InputError> {
        self.seal_parallel(nonce, aad, between(plaintext, ciphertext)?, threads)
    }

    /// Opens `text` where it stands by several threads; see
    /// [`seal_parallel_in_place`](Self::seal_parallel_in_place).
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place): on a wrong tag all of `text` is zeroed.
    pub fn open_parallel_in_place(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8],
        threads: usize,
    ) -> Result<(), OpenError> {
        self.open_parallel(nonce, aad, InOut::in_place(text), tag, threads)
    }

    /// [`open_parallel_in_place`](Self::open_parallel_in_place) from one buffer to another of the same
    /// length.
    ///
    /// # Errors
    /// As [`open_into`](Self::open_into).
    pub fn open_parallel_into(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8],
        threads: usize,
    ) -> Result<(), OpenError> {
        self.open_parallel(nonce, aad, between(ciphertext, plaintext)?, tag, threads)
    }

    fn seal_parallel(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: InOut<'_>,
        threads: usize,
    ) -> Result<[u8; TAG], InputError> {
        check(nonce, aad, text.len())?;
        let _timing = DataIndependentTiming::begin();
        let pieces = pieces(text.len(), threads);
        if pieces == 1 {
            return self.seal(nonce, aad, text);
        }
        let message = self.segments(nonce);
        let whole = message.of_any_tag().halves::<Seal>(0, text, pieces)?;
        message.finish(aad, &[whole])
    }

    fn open_parallel(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        mut text: InOut<'_>,
        tag: &[u8],
        threads: usize,
    ) -> Result<(), OpenError> {
        check(nonce, aad, text.len())?;
        let _timing = DataIndependentTiming::begin();
        let pieces = pieces(text.len(), threads);
        if pieces == 1 {
            return self.open(nonce, aad, text, tag);
        }
        let tag = padded(check_tag::<TAG>(tag)?);
        let message = self.segments(nonce).of_any_tag();
        // Nobody but these threads can look at the text before it is verified or zeroed.
        let right = message
            .halves::<Open>(0, text.reborrow(), pieces)
            .and_then(|whole| message.matches(aad, &[whole], &tag));
        match right {
            Ok(right) => Ok(verify(right, text)?),
            // Only a fault of the machine comes here.
            Err(error) => {
                secret::wipe(text.into_written());
                Err(error.into())
            }
        }
    }
}

/// How many pieces a text is cut into for so many threads.
fn pieces(len: usize, threads: usize) -> usize {
    let threads = match threads {
        0 => rayon::current_num_threads(),
        threads => threads,
    };
    threads.min(len / LEAST).max(1)
}

impl<C: EveryAead> Segments<'_, C> {
    /// Seals or opens the text from byte `offset` on in so many pieces, each in a task of its own.
    fn halves<D: Direction>(
        &self,
        offset: u64,
        mut text: InOut<'_>,
        pieces: usize,
    ) -> Result<Partial, InputError> {
        let (left, right) = (pieces / 2, pieces - pieces / 2);
        let cut = (text.len() / pieces * left).next_multiple_of(STEP);
        let Some(head) = text.split_to(cut).filter(|_| pieces > 1) else {
            // It may be another thread's.
            let _timing = DataIndependentTiming::begin();
            return self.run::<D>(offset, text);
        };
        let (first, second) = rayon::join(
            || self.halves::<D>(offset, head, left),
            || self.halves::<D>(offset + cut as u64, text, right),
        );
        self.join(&first?, &second?)
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::engine::{Aes192, Engine};

    /// Any number of pieces of any text, more than there are steps in it too.
    #[test]
    fn pieces_are_the_whole() {
        for engine in Engine::available() {
            let key = Gcm::<Aes192>::with_engine(&[1; 24], engine).expect("an available engine");
            let message = key.segments(&[2; 12]);
            for len in [0, 1, 1023, 1024, 1025, 2048, 5000, 9 * 1024 + 17] {
                let mut whole = vec![7; len];
                let tag = key.seal_in_place(&[2; 12], b"aad", &mut whole);
                for pieces in (1..10).chain([1000]) {
                    let mut text = vec![7; len];
                    let made = message.halves::<Seal>(0, InOut::in_place(&mut text), pieces);
                    let sealed = made.and_then(|part| message.finish(b"aad", &[part]));
                    assert_eq!(sealed, tag, "{engine}: {len} bytes in {pieces}");
                    assert_eq!(text, whole, "{engine}: {len} bytes in {pieces}");
                    let made = message.halves::<Open>(0, InOut::in_place(&mut text), pieces);
                    let same = made.and_then(|part| message.finish(b"aad", &[part]));
                    assert_eq!(
                        (same, text),
                        (tag, vec![7; len]),
                        "{engine}: {len}, {pieces}"
                    );
                }
            }
        }
    }

    #[test]
    fn threads_get_enough_to_do() {
        let counts = [
            (0, 8),
            (LEAST - 1, 8),
            (2 * LEAST - 1, 8),
            (2 * LEAST, 8),
            (1 << 30, 8),
        ];
        let counts: Vec<_> = counts.map(|(len, threads)| pieces(len, threads)).into();
        assert_eq!(counts, [1, 1, 1, 2, 8]);
        assert_eq!(pieces(1 << 30, 0), rayon::current_num_threads());
    }
}
