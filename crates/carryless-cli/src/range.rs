//! Which chunks of a sealed file hold a part of its text.

use carryless_file::cobblestone::{
    CHUNK_LEN, Opener, SEALED_CHUNK_LEN, Span, Tampering, chunk_offset, plaintext_len,
};

use crate::args::Range;
use crate::exit::Failure;
use crate::input::Input;

/// Chunks in a row, and the text that is wanted of them.
pub struct Part {
    /// The chunks.
    pub span: Span,
    /// Where the stream starts in the file.
    start: u64,
}

impl Part {
    /// Finds a part of the text of a stream that starts at byte `start` of a file. The last chunk is
    /// opened first: it alone says where the text ends.
    pub fn find(
        range: Range,
        opener: &Opener,
        input: &mut Input,
        start: u64,
    ) -> Result<Self, Failure> {
        let text_len = authentic_len(opener, input, start)?;
        if range.offset > text_len {
            return Err(Failure::usage(format!(
                "{}: the range starts at byte {}, the text has {text_len}",
                input.name, range.offset
            )));
        }
        let end = range.offset.saturating_add(range.len.unwrap_or(u64::MAX));
        if end > text_len && range.len.is_some() && !range.or_less {
            let error = format!(
                "{}: the range ends at byte {end}, the text has {text_len}",
                input.name
            );
            let hint = "--short-range takes what there is, OFF: all from there on";
            return Err(Failure::usage(error).hint(hint));
        }
        Ok(Self {
            span: Span::new(range.offset..end, text_len),
            start,
        })
    }

    /// Makes the input end where the chunks do.
    pub fn select(&self, input: &mut Input) -> Result<(), Failure> {
        input.part(self.start + self.span.sealed.start, self.sealed_len())
    }

    /// Fails if less was read than the chunks have: the file has become shorter since.
    pub fn require(&self, read: u64, name: &str) -> Result<(), Failure> {
        if read == self.sealed_len() {
            return Ok(());
        }
        let chunks = self.span.first + read / SEALED_CHUNK_LEN as u64;
        Err(Failure::stream(
            name,
            Tampering::Truncated { chunks }.into(),
        ))
    }

    /// Bytes of the chunks.
    pub const fn sealed_len(&self) -> u64 {
        self.span.sealed.end - self.span.sealed.start
    }

    /// What is wanted of the text of the chunks.
    pub const fn window(&self) -> Window {
        Window {
            skip: self.span.skip as u64,
            left: self.span.len,
        }
    }
}

/// The length of the text, by the length of the file and the last chunk.
fn authentic_len(opener: &Opener, input: &mut Input, start: u64) -> Result<u64, Failure> {
    let Some(file_len) = input.len() else {
        let error = format!("{}: a range needs a regular file", input.name);
        return Err(Failure::usage(error).hint("open all of it, and take a part of that"));
    };
    let name = input.name.clone();
    let fail = |error: carryless_file::cobblestone::Error| Failure::stream(&name, error);
    let stream_len = file_len.saturating_sub(start);
    let text_len = plaintext_len(stream_len).map_err(|error| fail(error.into()))?;
    let last = text_len / CHUNK_LEN as u64;
    input.part(start + chunk_offset(last), SEALED_CHUNK_LEN as u64)?;
    let mut sealed = [0; SEALED_CHUNK_LEN];
    let mut text = zeroize::Zeroizing::new([0; CHUNK_LEN]);
    let len = input.fill(&mut sealed)?;
    opener
        .open_chunks(last, &sealed[..len], true, text.as_mut_slice())
        .map_err(fail)?;
    Ok(text_len)
}

/// A part of what goes by.
#[derive(Clone, Copy)]
pub struct Window {
    skip: u64,
    left: u64,
}

impl Window {
    /// What of the next piece is in it.
    pub fn of<'a>(&mut self, piece: &'a [u8]) -> &'a [u8] {
        let len = piece.len() as u64;
        let skipped = self.skip.min(len);
        let kept = self.left.min(len - skipped);
        self.skip -= skipped;
        self.left -= kept;
        let at = |place| usize::try_from(place).expect("within the piece");
        &piece[at(skipped)..at(skipped + kept)]
    }
}

#[cfg(test)]
mod tests {
    use super::Window;

    #[test]
    fn a_window_far_behind_skips_all_that_goes_by() {
        for skip in [(1 << 32) - 3, 1 << 32, u64::MAX] {
            let left = 1 << 32;
            let mut window = Window { skip, left };
            assert_eq!(window.of(b"abc"), b"");
            assert_eq!((window.skip, window.left), (skip - 3, left));
            window.skip = 1;
            assert_eq!(window.of(b"abc"), b"bc");
            assert_eq!((window.skip, window.left), (0, left - 2));
        }
    }

    #[test]
    fn a_window_cuts_pieces_at_both_ends() {
        let pieces = [&b"abc"[..], b"", b"defg", b"hij"];
        for skip in 0..=10 {
            for left in 0..=10 {
                let mut window = Window { skip, left };
                let seen: Vec<u8> = pieces.iter().flat_map(|p| window.of(p)).copied().collect();
                let expected: Vec<u8> = (b'a'..=b'j')
                    .skip(usize::try_from(skip).expect("small"))
                    .take(usize::try_from(left).expect("small"))
                    .collect();
                assert_eq!(seen, expected, "{skip}, {left}");
            }
        }
    }
}
