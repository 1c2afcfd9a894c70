//! Files of one GCM message: sealed in segments by many threads, and opened only after the tag of the
//! whole.

#[cfg(all(test, unix))]
mod tests;

use std::sync::Mutex;

use carryless_file::gcm::{
    Error, Key, MAX_TEXT_LEN, NONCE_LEN, Opener, Partial, Sealer, TAG_LEN, Verified, text_len,
};

use crate::exit::Failure;
use crate::input::Input;
use crate::pipeline::{self, Batch, Take, Work, into_inner, lock};

/// Bytes of a segment, as many as a core's second-level cache has room for twice.
const SEGMENT: usize = 1 << 19;

/// Seals all that comes; the bytes of text.
pub fn seal(
    key: &Key,
    input: &mut Input,
    threads: usize,
    take: &mut Take<'_>,
) -> Result<u64, Failure> {
    let name = input.name.clone();
    let fail = |error| Failure::message(&name, error);
    if let Some(len) = input.len().filter(|len| *len > MAX_TEXT_LEN) {
        let error = format!("{name}: gcm takes at most {MAX_TEXT_LEN} bytes, it has {len}");
        return Err(Failure::usage(error).hint("--format container takes it"));
    }
    let sealer = Sealer::new(key).map_err(fail)?;
    take(sealer.nonce())?;
    let parts = Parts::default();
    let step = |offset, text: &mut [u8]| {
        parts.keep(offset, sealer.seal(offset, text)?);
        Ok(())
    };
    let work = Segments::new(input.len(), &name, step);
    let len = pipeline::run(&work, input, threads, take)?;
    take(&sealer.finish(&parts.in_order()).map_err(fail)?)?;
    Ok(len)
}

/// Opens a message, which is read twice: once for its tag, and once for its text, which `take` gets in
/// pieces that are what the tag was checked for, whatever became of the file in between.
pub fn open(
    key: &Key,
    input: &mut Input,
    threads: usize,
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    open_with(key, input, threads, || (), take)
}

/// The same, with something that happens between the two passes: in tests the file changes there.
fn open_with(
    key: &Key,
    input: &mut Input,
    threads: usize,
    between: impl FnOnce(),
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    let name = input.name.clone();
    let fail = |error| Failure::message(&name, error);
    input.make_seekable()?;
    let len = text_len(input.len().unwrap_or_default()).map_err(fail)?;
    let mut nonce = [0; NONCE_LEN];
    input.fill(&mut nonce)?;
    let opener = Opener::new(key, &nonce);

    let parts = Parts::default();
    input.part(NONCE_LEN as u64, len)?;
    let work = Authentication {
        len: segment_len(Some(len)),
        opener: &opener,
        parts: &parts,
        name: &name,
    };
    pipeline::run(&work, input, threads, &mut |_| Ok(()))?;
    let mut tag = [0; TAG_LEN];
    input.part(NONCE_LEN as u64 + len, TAG_LEN as u64)?;
    input.fill(&mut tag)?;
    let parts = parts.in_order();
    let verified: Verified<'_> = opener.verify(&parts, &tag).map_err(fail)?;

    between();
    // A segment that is missing now is one that was changed since.
    let step =
        |offset, text: &mut [u8]| verified.open(offset, text).map_err(|_| Error::Unauthentic);
    input.part(NONCE_LEN as u64, len)?;
    let work = Segments::new(Some(len), &name, step);
    let read = pipeline::run(&work, input, threads, take)?;
    if read < len {
        return Err(fail(Error::Unauthentic));
    }
    Ok(())
}

/// What is known of each segment, in the order in which threads were done.
#[derive(Default)]
struct Parts(Mutex<Vec<(u64, Partial)>>);

impl Parts {
    fn keep(&self, offset: u64, part: Partial) {
        lock(&self.0).push((offset, part));
    }

    fn in_order(self) -> Vec<Partial> {
        let mut parts = into_inner(self.0);
        parts.sort_unstable_by_key(|(offset, _)| *offset);
        parts.into_iter().map(|(_, part)| part).collect()
    }
}

/// One step on all segments of a text, each where it stands.
struct Segments<'a, F> {
    len: usize,
    /// For messages.
    name: &'a str,
    step: F,
}

impl<'a, F: Fn(u64, &mut [u8]) -> Result<(), Error> + Sync> Segments<'a, F> {
    fn new(text_len: Option<u64>, name: &'a str, step: F) -> Self {
        let len = segment_len(text_len);
        Self { len, name, step }
    }
}

/// Bytes of a segment of a text that long, if that is known.
fn segment_len(text_len: Option<u64>) -> usize {
    let known = text_len.and_then(|len| usize::try_from(len + 1).ok());
    known.map_or(SEGMENT, |len| len.next_multiple_of(16).min(SEGMENT))
}

impl<F: Fn(u64, &mut [u8]) -> Result<(), Error> + Sync> Work for Segments<'_, F> {
    fn input_len(&self) -> usize {
        self.len
    }

    fn output_len(&self) -> usize {
        self.len
    }

    fn batch(&self, batch: &Batch<'_>, output: &mut [u8]) -> (usize, Result<(), Failure>) {
        let text = &mut output[..batch.input.len()];
        text.copy_from_slice(batch.input);
        let stepped = if text.is_empty() {
            Ok(())
        } else {
            (self.step)(batch.offset, text)
        };
        match stepped {
            Ok(()) => (text.len(), Ok(())),
            Err(error) => (0, Err(Failure::message(self.name, error))),
        }
    }
}

/// The first step of opening, of which nothing comes but what is known of each segment.
struct Authentication<'a> {
    len: usize,
    opener: &'a Opener,
    parts: &'a Parts,
    /// For messages.
    name: &'a str,
}

impl Work for Authentication<'_> {
    fn input_len(&self) -> usize {
        self.len
    }

    fn output_len(&self) -> usize {
        0
    }

    fn batch(&self, batch: &Batch<'_>, _: &mut [u8]) -> (usize, Result<(), Failure>) {
        if batch.input.is_empty() {
            return (0, Ok(()));
        }
        let part = self.opener.authenticate(batch.offset, batch.input);
        let kept = part.map(|part| self.parts.keep(batch.offset, part));
        (0, kept.map_err(|error| Failure::message(self.name, error)))
    }
}
