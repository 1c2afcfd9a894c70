//! The modes as schemes: what seals and opens, codes, and ciphers that authenticate nothing.

mod calls;

use core::fmt;

use carryless::hazmat::Ctr;
#[cfg(feature = "sgcm")]
use carryless::sgcm::Sgcm;
use carryless::{Aes128, Aes192, Aes256, Ccm, Cmac, Engine, GcmSiv, Gmac, XAes256Gcm};
#[cfg(feature = "lea")]
use carryless::{Gcm, Lea128, Lea192, Lea256};

use calls::{Calls, Cbc};

use crate::harness::scheme::{Case, Cuts, Input, Refused, Scheme, Tag};

/// What a mode takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// A text, and data that is authenticated with it; in one call alone.
    Whole,
    /// The same, in pieces too.
    Both,
    /// A message that is authenticated and stays as it is: the AAD.
    Aad,
    /// A text, which is not authenticated.
    Text,
    /// The same, of whole blocks.
    Blocks,
}

/// A mode under keys of one size.
pub(crate) struct Mode {
    takes: Takes,
    key_len: usize,
    nonce_len: usize,
    make: Make,
}

/// Makes a scheme for a key, for messages in one call or in pieces.
type Make = fn(Engine, &[u8], Option<&Cuts>) -> Box<dyn Scheme>;

#[rustfmt::skip]
const MODES: &[Mode] = &[
    mode::<Ccm<Aes128>>(Takes::Both, 16, 13),
    mode::<Ccm<Aes192, 12, 8>>(Takes::Both, 24, 7),
    mode::<Ccm<Aes256, 12, 14>>(Takes::Both, 32, 12),
    mode::<GcmSiv<Aes128>>(Takes::Whole, 16, 12),
    mode::<GcmSiv<Aes256>>(Takes::Whole, 32, 12),
    mode::<XAes256Gcm>(Takes::Whole, 32, 24),
    #[cfg(feature = "sgcm")] mode::<Sgcm<Aes128>>(Takes::Both, 16, 12),
    #[cfg(feature = "sgcm")] mode::<Sgcm<Aes192>>(Takes::Both, 24, 17),
    #[cfg(feature = "sgcm")] mode::<Sgcm<Aes256>>(Takes::Both, 32, 12),
    #[cfg(all(feature = "lea", feature = "sgcm"))] mode::<Sgcm<Lea128>>(Takes::Both, 16, 12),
    #[cfg(all(feature = "lea", feature = "sgcm"))] mode::<Sgcm<Lea192>>(Takes::Both, 24, 17),
    #[cfg(all(feature = "lea", feature = "sgcm"))] mode::<Sgcm<Lea256>>(Takes::Both, 32, 12),
    #[cfg(feature = "lea")] mode::<Gcm<Lea128>>(Takes::Both, 16, 12),
    #[cfg(feature = "lea")] mode::<Ccm<Lea192>>(Takes::Both, 24, 13),
    mode::<Cmac<Aes128>>(Takes::Aad, 16, 0),
    mode::<Cmac<Aes192, 12>>(Takes::Aad, 24, 0),
    mode::<Cmac<Aes256>>(Takes::Aad, 32, 0),
    #[cfg(feature = "lea")] mode::<Cmac<Lea256>>(Takes::Aad, 32, 0),
    mode::<Gmac<Aes128>>(Takes::Aad, 16, 12),
    mode::<Gmac<Aes192, 12>>(Takes::Aad, 24, 17),
    mode::<Gmac<Aes256>>(Takes::Aad, 32, 12),
    #[cfg(feature = "lea")] mode::<Gmac<Lea192>>(Takes::Aad, 24, 12),
    mode::<Ctr<Aes128>>(Takes::Text, 16, 16),
    mode::<Ctr<Aes192, 32>>(Takes::Text, 24, 16),
    mode::<Ctr<Aes256>>(Takes::Text, 32, 16),
    #[cfg(feature = "lea")] mode::<Ctr<Lea128>>(Takes::Text, 16, 16),
    mode::<Cbc<Aes128>>(Takes::Blocks, 16, 16),
    mode::<Cbc<Aes192>>(Takes::Blocks, 24, 16),
    mode::<Cbc<Aes256>>(Takes::Blocks, 32, 16),
    #[cfg(feature = "lea")] mode::<Cbc<Lea256>>(Takes::Blocks, 32, 16),
];

const fn mode<K: Calls + 'static>(takes: Takes, key_len: usize, nonce_len: usize) -> Mode {
    Mode {
        takes,
        key_len,
        nonce_len,
        make: boxed::<K>,
    }
}

fn boxed<K: Calls + 'static>(engine: Engine, key: &[u8], cuts: Option<&Cuts>) -> Box<dyn Scheme> {
    let (key, cuts) = (K::key(key, engine), cuts.cloned());
    Box::new(Keyed { key, cuts, engine })
}

impl Mode {
    /// Those that refuse what is not authentic.
    pub(crate) fn authentic() -> impl Iterator<Item = &'static Self> {
        MODES
            .iter()
            .filter(|mode| !matches!(mode.takes, Takes::Text | Takes::Blocks))
    }

    /// Those of them that give out a text.
    pub(crate) fn sealing() -> impl Iterator<Item = &'static Self> {
        Self::authentic().filter(|mode| mode.takes != Takes::Aad)
    }

    /// Those that take pieces.
    pub(crate) fn in_pieces() -> impl Iterator<Item = &'static Self> {
        MODES.iter().filter(|mode| mode.takes != Takes::Whole)
    }

    /// A case of so many bytes, or about as many where the mode takes no other.
    pub(crate) fn case(&self, seed: u64, aad_len: usize, text_len: usize) -> Case {
        let (aad_len, text_len) = match self.takes {
            Takes::Whole | Takes::Both => (aad_len, text_len),
            Takes::Aad => (aad_len + text_len, 0),
            Takes::Text => (0, text_len),
            Takes::Blocks => (0, text_len & !15),
        };
        Case::new(seed, self.key_len, self.nonce_len, aad_len, text_len)
    }

    /// Messages in one call, by each of them, or in pieces.
    pub(crate) fn scheme(
        &self,
        engine: Engine,
        key: &[u8],
        cuts: Option<&Cuts>,
    ) -> Box<dyn Scheme> {
        (self.make)(engine, key, cuts)
    }

    /// The ways through its API: one call, and pieces if it takes them.
    pub(crate) fn ways<'c>(&self, cuts: &'c Cuts) -> impl Iterator<Item = Option<&'c Cuts>> {
        let count = if self.takes == Takes::Whole { 1 } else { 2 };
        [None, Some(cuts)].into_iter().take(count)
    }
}

/// A key, and what it is used for.
struct Keyed<K> {
    key: K,
    cuts: Option<Cuts>,
    engine: Engine,
}

impl<K> fmt::Display for Keyed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.cuts.as_ref().map_or("", |_| ", in pieces");
        let mode = core::any::type_name::<K>();
        write!(f, "{}, {mode}{pieces}", self.engine)
    }
}

impl<K: Calls> Scheme for Keyed<K> {
    fn seal(&self, input: Input<'_>, out: &mut [u8]) -> Result<Tag, Refused> {
        match &self.cuts {
            None => self.key.seal_whole(input, out),
            Some(cuts) => self.key.seal_pieces(input, cuts, out),
        }
    }

    fn open(&self, input: Input<'_>, tag: &[u8], out: &mut [u8]) -> Result<(), Refused> {
        match &self.cuts {
            None => self.key.open_whole(input, tag, out),
            Some(cuts) => self.key.open_pieces(input, cuts, tag, out),
        }
    }
}
