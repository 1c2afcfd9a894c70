//! Every way through the API behind one trait, so that a check runs on all of them, and on faulty
//! imitations.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use carryless::error::{InputError, OpenError};
use carryless::{Aes128Gcm, Aes192Gcm, Aes256Gcm, Engine};

pub(crate) use self::subject::*;
use super::Random;

mod paths;
mod subject;

/// What is sealed or opened.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) nonce: &'a [u8],
    pub(crate) aad: &'a [u8],
    pub(crate) text: &'a [u8],
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nonce, aad, text } = self;
        write!(
            f,
            "{} bytes of nonce, {} of AAD, {} of text",
            nonce.len(),
            aad.len(),
            text.len()
        )
    }
}

/// A tag of 4 to 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Tag {
    bytes: [u8; 16],
    len: usize,
}

impl Tag {
    pub(crate) fn new(tag: &[u8]) -> Self {
        let mut bytes = [0; 16];
        bytes[..tag.len()].copy_from_slice(tag);
        Self {
            bytes,
            len: tag.len(),
        }
    }
}

impl core::ops::Deref for Tag {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Why a message was not sealed or opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Input(InputError),
    /// The text of the error.
    Unauthentic(String),
}

impl From<InputError> for Refused {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<OpenError> for Refused {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Input(error) => Self::Input(error),
            other => Self::Unauthentic(format!("{other}, {other:?}")),
        }
    }
}

#[cfg(feature = "aead")]
impl From<carryless::Error> for Refused {
    fn from(error: carryless::Error) -> Self {
        Self::Unauthentic(format!("{error}, {error:?}"))
    }
}

/// A key and a way to use it. `out` has the length of the text.
pub(crate) trait Scheme: fmt::Display {
    fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused>;
    fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused>;
    /// Whether it takes nonces of this length.
    fn takes_nonce(&self, _len: usize) -> bool {
        true
    }
}

/// A way through the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    /// `seal_into`, `open_into`.
    Into,
    /// `seal_in_place`, `open_in_place`.
    InPlace,
    /// `seal_in_place`, `open_within` to another place of the buffer.
    Within,
    /// `Sealer::seal_into`, `Opener::open_into`.
    Stream,
    /// `Sealer::seal_in_place`, `Opener::open_in_place`.
    StreamInPlace,
    /// `seal_scatter`, `open_into`.
    Scatter,
    /// `Segments`, the last first; verified, then opened.
    Segments,
    /// `seal_batch`, `open_batch`, between two other packets.
    Batch,
    /// `seal_batch_keyed`, `open_batch_keyed`, the last of four.
    BatchKeyed,
    /// `seal_parallel_into`, `open_parallel_into`, two threads.
    #[cfg(feature = "rayon")]
    Parallel,
    /// `seal_parallel_in_place`, `open_parallel_in_place`, three threads.
    #[cfg(feature = "rayon")]
    ParallelInPlace,
    /// `seal_once_into`, `open_once_into`.
    Once,
    /// `seal_once`, `open_once`.
    OnceInPlace,
    /// `AeadInOut` of the crate `aead`, from buffer to buffer.
    #[cfg(feature = "aead")]
    Traits,
    /// `AeadInOut` in place.
    #[cfg(feature = "aead")]
    TraitsInPlace,
}

impl Path {
    pub(crate) const ALL: &[Self] = &[
        Self::Into,
        Self::InPlace,
        Self::Within,
        Self::Stream,
        Self::StreamInPlace,
        Self::Scatter,
        Self::Segments,
        Self::Batch,
        Self::BatchKeyed,
        #[cfg(feature = "rayon")]
        Self::Parallel,
        #[cfg(feature = "rayon")]
        Self::ParallelInPlace,
        Self::Once,
        Self::OnceInPlace,
        #[cfg(feature = "aead")]
        Self::Traits,
        #[cfg(feature = "aead")]
        Self::TraitsInPlace,
    ];
}

/// Where a text is cut: the lengths of the pieces; what is left is one more.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    pub(crate) aad: Vec<usize>,
    pub(crate) text: Vec<usize>,
}

impl Default for Cuts {
    fn default() -> Self {
        Self {
            aad: vec![1, 0, 15, 17],
            text: vec![1, 15, 0, 16, 17, 47, 129, 128, 3],
        }
    }
}

/// The pieces of `0..len`.
pub(crate) fn pieces(cuts: &[usize], len: usize) -> impl Iterator<Item = core::ops::Range<usize>> {
    let mut at = 0usize;
    cuts.iter().copied().chain([usize::MAX]).map(move |piece| {
        let start = at;
        at = len.min(at.saturating_add(piece));
        start..at
    })
}

/// The pieces of `0..len`, but cut where blocks end; empty ones too, where a segment may begin.
fn segments(cuts: &[usize], len: usize) -> Vec<core::ops::Range<usize>> {
    let cut = |at: usize| if at == len { at } else { at & !15 };
    pieces(cuts, len)
        .map(|piece| cut(piece.start)..cut(piece.end))
        .filter(|piece| piece.start.is_multiple_of(16))
        .collect()
}

/// `Engine::set_default` is for the whole process: who needs it holds this.
static DEFAULT: Mutex<()> = Mutex::new(());
/// Set in a forked child, which is alone but may have inherited the lock as taken.
pub(crate) static ALONE: AtomicBool = AtomicBool::new(false);

/// Runs `f` with `engine` as the default of the process.
pub(crate) fn with_default<T>(engine: Engine, f: impl FnOnce() -> T) -> T {
    let _lock: Option<MutexGuard<'_, ()>> = (!ALONE.load(Ordering::Relaxed))
        .then(|| DEFAULT.lock().unwrap_or_else(PoisonError::into_inner));
    engine.set_default().expect("the engine is available");
    f()
}

/// A case that a seed makes.
pub(crate) struct Case {
    pub(crate) seed: u64,
    pub(crate) key: Vec<u8>,
    pub(crate) nonce: Vec<u8>,
    pub(crate) aad: Vec<u8>,
    pub(crate) text: Vec<u8>,
}

impl Case {
    pub(crate) fn new(
        seed: u64,
        key_len: usize,
        nonce_len: usize,
        aad_len: usize,
        text_len: usize,
    ) -> Self {
        let mut random = Random::new(seed);
        Self {
            seed,
            key: random.bytes(key_len),
            nonce: random.bytes(nonce_len),
            aad: random.bytes(aad_len),
            text: random.bytes(text_len),
        }
    }

    pub(crate) fn input(&self) -> Input<'_> {
        Input {
            nonce: &self.nonce,
            aad: &self.aad,
            text: &self.text,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {:#x}, key of {} bytes, {}",
            self.seed,
            self.key.len(),
            self.input()
        )
    }
}

/// That keys can be shared, and what holds them sent.
pub(crate) const fn is_send_and_sync<T: Send + Sync>() {}
const _: () = is_send_and_sync::<Aes128Gcm>();
const _: () = is_send_and_sync::<Aes192Gcm>();
const _: () = is_send_and_sync::<Aes256Gcm>();
