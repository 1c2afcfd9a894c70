//! The keys of the library, each by every way through the API.

use core::fmt;

use carryless::error::{InputError, KeyError, OpenError};
use carryless::{Engine, Gcm, Packet};

use super::paths::{scheme, short_scheme};
use super::{Cuts, Input, Path, Refused, Scheme, Tag, pieces, segments, with_default};

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
