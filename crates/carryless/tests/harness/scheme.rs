//! Every way through the API behind one trait, so that a check runs on all of them, and on faulty
//! imitations.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Aes128Gcm, Aes192Gcm, Aes256Gcm, Engine, Gcm, Packet};

use super::Random;

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

/// A key object of the library, one way through its API, and the engine.
pub(crate) struct Subject<K> {
    gcm: K,
    key: Vec<u8>,
    path: Path,
    cuts: Cuts,
    engine: Engine,
}

impl<K> fmt::Display for Subject<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {:?}, key of {} bytes",
            self.engine,
            self.path,
            self.key.len()
        )
    }
}

/// The subject for this key, with tags of 16 bytes.
pub(crate) fn subject(engine: Engine, path: Path, key: &[u8]) -> Box<dyn Scheme> {
    cut_subject(engine, path, key, 16, Cuts::default()).expect("16 bytes are a tag length")
}

/// The subject for this key; `None` if this build has no tags of `tag_len` bytes.
pub(crate) fn cut_subject(
    engine: Engine,
    path: Path,
    key: &[u8],
    tag_len: usize,
    cuts: Cuts,
) -> Option<Box<dyn Scheme>> {
    match key.len() {
        16 => aes_128(engine, path, key, tag_len, cuts),
        24 => aes_192(engine, path, key, tag_len, cuts),
        32 => aes_256(engine, path, key, tag_len, cuts),
        _ => None,
    }
}

macro_rules! subjects {
    ($($make:ident $Cipher:ident, all: $($all:literal)+, $hazmat:literal; some: $($some:literal)+, $other:literal;)+) => {$(
        fn $make(engine: Engine, path: Path, key: &[u8], tag_len: usize, cuts: Cuts) -> Option<Box<dyn Scheme>> {
            fn with<const TAG: usize>(engine: Engine, path: Path, key: &[u8], cuts: Cuts) -> Box<dyn Scheme>
            where
                Subject<Gcm<carryless::$Cipher, 12, TAG>>: Scheme,
            {
                let gcm = Gcm::<carryless::$Cipher, 12, TAG>::with_engine(key, engine);
                let gcm = gcm.unwrap_or_else(|error: KeyError| panic!("{engine}: {error}"));
                Box::new(Subject { gcm, key: key.to_vec(), path, cuts, engine })
            }
            let all = [$($all,)+ $hazmat].contains(&tag_len);
            if !all && !matches!(path, Path::Into | Path::InPlace | Path::Once) {
                return None;
            }
            Some(match tag_len {
                12 => with::<12>(engine, path, key, cuts),
                13 => with::<13>(engine, path, key, cuts),
                14 => with::<14>(engine, path, key, cuts),
                15 => with::<15>(engine, path, key, cuts),
                16 => with::<16>(engine, path, key, cuts),
                #[cfg(feature = "hazmat")]
                4 => with::<4>(engine, path, key, cuts),
                #[cfg(feature = "hazmat")]
                8 => with::<8>(engine, path, key, cuts),
                _ => return None,
            })
        }

        scheme!($Cipher $($all)+);
        short_scheme!($Cipher $($some)+);
        #[cfg(feature = "hazmat")]
        scheme!($Cipher $hazmat);
        #[cfg(feature = "hazmat")]
        short_scheme!($Cipher $other);
    )+};
}

/// The texts of three more packets of a batch, as long as `text`, so that four short ones go together.
fn neighbours(text: &[u8]) -> [Vec<u8>; 3] {
    [1, 2, 3].map(|byte| vec![byte; text.len().min(1000)])
}

/// Tags on every path. Of each length with a key size at least, which tags know nothing of: a build of all with each
/// takes minutes.
macro_rules! scheme {
    ($Cipher:ident $($tag:literal)+) => {$(
        impl Scheme for Subject<Gcm<carryless::$Cipher, 12, $tag>> {
            fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
                type G = Gcm<carryless::$Cipher, 12, $tag>;
                let Input { nonce, aad, text } = input;
                let gcm = &self.gcm;
                let tag = match self.path {
                    Path::Into => gcm.seal_into(nonce, aad, text, out)?,
                    Path::InPlace | Path::Within => {
                        out.copy_from_slice(text);
                        gcm.seal_in_place(nonce, aad, out)?
                    }
                    Path::Stream | Path::StreamInPlace => {
                        let mut sealer = gcm.sealer(nonce)?;
                        for piece in pieces(&self.cuts.aad, aad.len()) {
                            sealer.aad(&aad[piece])?;
                        }
                        if self.path == Path::StreamInPlace {
                            out.copy_from_slice(text);
                        }
                        for piece in pieces(&self.cuts.text, text.len()) {
                            if self.path == Path::Stream {
                                sealer.seal_into(&text[piece.clone()], &mut out[piece])?;
                            } else {
                                sealer.seal_in_place(&mut out[piece])?;
                            }
                        }
                        sealer.finish()
                    }
                    Path::Scatter => {
                        let list: Vec<&[u8]> = pieces(&self.cuts.text, text.len())
                            .map(|piece| &text[piece])
                            .collect();
                        gcm.seal_scatter(nonce, aad, &list, out)?
                    }
                    Path::Segments => {
                        let message = gcm.segments(nonce.try_into().expect("12 bytes"));
                        if out.len() != text.len() {
                            message.seal_into(0, text, out)?;
                        }
                        let mut parts = vec![];
                        for piece in segments(&self.cuts.text, text.len()).into_iter().rev() {
                            let (at, from) = (piece.start as u64, &text[piece.clone()]);
                            parts.insert(0, message.seal_into(at, from, &mut out[piece])?);
                        }
                        // Some merged, some not.
                        if let [first, second, rest @ ..] = &parts[..] {
                            let merged = message.merge(first, second)?;
                            parts = [&[merged], rest].concat();
                        }
                        message.finish(aad, &parts)?
                    }
                    Path::Batch => {
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before),
                            Packet::between(nonce.try_into().expect("12 bytes"), aad, text, out)?,
                            Packet::in_place(&[1; 12], b"behind", &mut behind),
                            Packet::in_place(&[2; 12], b"", &mut last),
                        ];
                        gcm.seal_batch(&mut packets).map_err(Refused::from)?;
                        return Ok(Tag::new(packets[1].tag()));
                    }
                    Path::BatchKeyed => {
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before),
                            Packet::in_place(&[1; 12], b"behind", &mut behind),
                            Packet::in_place(&[2; 12], b"", &mut last),
                            Packet::between(nonce.try_into().expect("12 bytes"), aad, text, out)?,
                        ];
                        G::seal_batch_keyed(&[gcm; 4], &mut packets).map_err(Refused::from)?;
                        return Ok(Tag::new(packets[3].tag()));
                    }
                    #[cfg(feature = "rayon")]
                    Path::Parallel => {
                        gcm.seal_parallel_into(nonce.try_into().expect("12 bytes"), aad, text, out, 2)?
                    }
                    #[cfg(feature = "rayon")]
                    Path::ParallelInPlace => {
                        out.copy_from_slice(text);
                        gcm.seal_parallel_in_place(nonce.try_into().expect("12 bytes"), aad, out, 3)?
                    }
                    Path::Once => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            G::seal_once_into(&self.key, nonce, aad, text, out)
                        })?
                    }
                    Path::OnceInPlace => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        out.copy_from_slice(text);
                        with_default(self.engine, || G::seal_once(&self.key, nonce, aad, out))?
                    }
                    #[cfg(feature = "aead")]
                    Path::Traits | Path::TraitsInPlace => {
                        use carryless::AeadInOut as _;
                        let nonce = nonce.try_into().expect("12 bytes");
                        let text = if self.path == Path::Traits {
                            carryless::aead::inout::InOutBuf::new(text, out).expect("equal lengths")
                        } else {
                            out.copy_from_slice(text);
                            out.into()
                        };
                        return Ok(Tag::new(&gcm.encrypt_inout_detached(nonce, aad, text)?));
                    }
                };
                Ok(Tag::new(&tag))
            }

            fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                type G = Gcm<carryless::$Cipher, 12, $tag>;
                let Input { nonce, aad, text } = input;
                let gcm = &self.gcm;
                match self.path {
                    Path::Into | Path::Scatter => gcm.open_into(nonce, aad, text, out, tag)?,
                    Path::InPlace => {
                        out.copy_from_slice(text);
                        gcm.open_in_place(nonce, aad, out, tag)?;
                    }
                    Path::Within => {
                        return within(text, out, |buffer, range, to| {
                            gcm.open_within(nonce, aad, buffer, range, to, tag)
                                .map(|opened| opened.len())
                        });
                    }
                    #[cfg(feature = "hazmat")]
                    Path::Stream | Path::StreamInPlace => {
                        let mut opener = gcm.opener(nonce)?;
                        for piece in pieces(&self.cuts.aad, aad.len()) {
                            opener.aad(&aad[piece])?;
                        }
                        if self.path == Path::StreamInPlace {
                            out.copy_from_slice(text);
                        }
                        for piece in pieces(&self.cuts.text, text.len()) {
                            if self.path == Path::Stream {
                                opener.open_into(&text[piece.clone()], &mut out[piece])?;
                            } else {
                                opener.open_in_place(&mut out[piece])?;
                            }
                        }
                        // Whoever opens piece by piece throws away what was not authentic.
                        opener.finish(tag).inspect_err(|_| out.fill(0))?;
                    }
                    #[cfg(not(feature = "hazmat"))]
                    Path::Stream | Path::StreamInPlace => {
                        gcm.open_into(nonce, aad, text, out, tag)?
                    }
                    Path::Segments => {
                        let message = gcm.segments(nonce.try_into().expect("12 bytes"));
                        if out.len() != text.len() {
                            let wrong = message.seal_into(0, text, out);
                            return Ok(wrong.map(drop)?);
                        }
                        let pieces = segments(&self.cuts.text, text.len());
                        let parts = pieces.iter().map(|piece| {
                            message.authenticate(piece.start as u64, &text[piece.clone()])
                        });
                        let parts = parts.collect::<Result<Vec<_>, _>>()?;
                        let verified = message.verify(aad, &parts, tag);
                        // Nothing was written to the output, which the checks want to see wiped.
                        let verified = verified.inspect_err(|error| {
                            if matches!(error, OpenError::Unauthentic(_)) {
                                out.fill(0);
                            }
                        })?;
                        for piece in pieces {
                            let (at, from) = (piece.start as u64, &text[piece.clone()]);
                            verified.open_into(at, from, &mut out[piece])?;
                        }
                    }
                    Path::Batch => {
                        // The neighbours fail: that is their affair.
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let nonce = nonce.try_into().expect("12 bytes");
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before).with_tag(&[0; $tag]),
                            Packet::between(nonce, aad, text, out)?.with_tag(tag),
                            Packet::in_place(&[1; 12], b"behind", &mut behind).with_tag(&[0; $tag]),
                            Packet::in_place(&[2; 12], b"", &mut last).with_tag(&[0; $tag]),
                        ];
                        assert!(gcm.open_batch(&mut packets).is_err());
                        return Ok(packets[1].result()?);
                    }
                    Path::BatchKeyed => {
                        let [mut before, mut behind, mut last] = neighbours(text);
                        let nonce = nonce.try_into().expect("12 bytes");
                        let mut packets = [
                            Packet::in_place(&[0; 12], b"", &mut before).with_tag(&[0; $tag]),
                            Packet::in_place(&[1; 12], b"behind", &mut behind).with_tag(&[0; $tag]),
                            Packet::in_place(&[2; 12], b"", &mut last).with_tag(&[0; $tag]),
                            Packet::between(nonce, aad, text, out)?.with_tag(tag),
                        ];
                        assert!(G::open_batch_keyed(&[gcm; 4], &mut packets).is_err());
                        return Ok(packets[3].result()?);
                    }
                    #[cfg(feature = "rayon")]
                    Path::Parallel => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        gcm.open_parallel_into(nonce, aad, text, out, tag, 2)?;
                    }
                    #[cfg(feature = "rayon")]
                    Path::ParallelInPlace => {
                        out.copy_from_slice(text);
                        let nonce = nonce.try_into().expect("12 bytes");
                        gcm.open_parallel_in_place(nonce, aad, out, tag, 3)?;
                    }
                    Path::Once => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            G::open_once_into(&self.key, nonce, aad, text, out, tag)
                        })?;
                    }
                    Path::OnceInPlace => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        out.copy_from_slice(text);
                        with_default(self.engine, || {
                            G::open_once(&self.key, nonce, aad, out, tag)
                        })?;
                    }
                    #[cfg(feature = "aead")]
                    Path::Traits | Path::TraitsInPlace => {
                        use carryless::AeadInOut as _;
                        let nonce = nonce.try_into().expect("12 bytes");
                        let text = if self.path == Path::Traits {
                            carryless::aead::inout::InOutBuf::new(text, out).expect("equal lengths")
                        } else {
                            out.copy_from_slice(text);
                            out.into()
                        };
                        let tag = tag.try_into().map_err(|_| InputError::Tag {
                            got: tag.len(),
                            expected: $tag,
                        })?;
                        gcm.decrypt_inout_detached(nonce, aad, text, tag)?;
                    }
                }
                Ok(())
            }

            fn takes_nonce(&self, len: usize) -> bool {
                len == 12
                    || matches!(
                        self.path,
                        Path::Into
                            | Path::InPlace
                            | Path::Within
                            | Path::Stream
                            | Path::StreamInPlace
                            | Path::Scatter
                    )
            }
        }
    )+};
}

/// Tags on the paths that differ in more than their buffers.
macro_rules! short_scheme {
    ($Cipher:ident $($tag:literal)+) => {$(
        impl Scheme for Subject<Gcm<carryless::$Cipher, 12, $tag>> {
            fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
                let Input { nonce, aad, text } = input;
                Ok(Tag::new(&match self.path {
                    Path::Into => self.gcm.seal_into(nonce, aad, text, out)?,
                    Path::InPlace => {
                        out.copy_from_slice(text);
                        self.gcm.seal_in_place(nonce, aad, out)?
                    }
                    _ => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            Gcm::<carryless::$Cipher, 12, $tag>::seal_once_into(&self.key, nonce, aad, text, out)
                        })?
                    }
                }))
            }

            fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
                let Input { nonce, aad, text } = input;
                match self.path {
                    Path::Into => self.gcm.open_into(nonce, aad, text, out, tag)?,
                    Path::InPlace => {
                        out.copy_from_slice(text);
                        self.gcm.open_in_place(nonce, aad, out, tag)?;
                    }
                    _ => {
                        let nonce = nonce.try_into().expect("12 bytes");
                        with_default(self.engine, || {
                            Gcm::<carryless::$Cipher, 12, $tag>::open_once_into(&self.key, nonce, aad, text, out, tag)
                        })?;
                    }
                }
                Ok(())
            }

            fn takes_nonce(&self, len: usize) -> bool {
                len == 12 || self.path != Path::Once
            }
        }
    )+};
}

subjects! {
    aes_128 Aes128, all: 13 16, 4; some: 12 14 15, 8;
    aes_192 Aes192, all: 14 16, 8; some: 12 13 15, 4;
    aes_256 Aes256, all: 12 15 16, 4; some: 13 14, 8;
}

/// The size of the keys that have tags of so many bytes on every path.
pub(crate) const fn key_len_of_tags(tag_len: usize) -> usize {
    match tag_len {
        4 | 13 | 16 => 16,
        8 | 14 => 24,
        _ => 32,
    }
}

/// Has `open` move the text within a larger buffer, and checks that the rest stays as it was.
fn within(
    text: &[u8],
    out: &mut [u8],
    open: impl FnOnce(&mut [u8], core::ops::Range<usize>, usize) -> Result<usize, OpenError>,
) -> Result<(), Refused> {
    let len = text.len();
    // Disjoint, in either order, directly or at a distance.
    let (from, to) = [(7, 7 + len), (9 + len + 5, 9), (64, 64 + len + 64)][len % 3];
    let mut buffer = vec![0xa5; from.max(to) + len + 11];
    buffer[from..from + len].copy_from_slice(text);
    let mut expected = buffer.clone();
    let result = open(&mut buffer, from..from + len, to);
    out.copy_from_slice(&buffer[to..to + len]);
    expected[to..to + len].copy_from_slice(out);
    assert!(
        buffer == expected,
        "open_within wrote outside of its range, {len} bytes"
    );
    assert_eq!(
        *result.as_ref().unwrap_or(&len),
        len,
        "open_within gives the plaintext"
    );
    Ok(result.map(|_| ())?)
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
