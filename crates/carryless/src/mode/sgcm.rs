//! SGCM: the frame of GCM with a hash modulo a prime, and a tag that adds (Saarinen 2011; the project's profile 1).

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::frame::FrameKeys;
use super::limits::{between, check, check_key, exact_tag};
use super::nonce::{FRAMES, j0};
use super::tag::{of_bytes, tag_of, verify};
use crate::engine::{
    Block, CipherKeys, Counter, Direction, Engine, EveryCipher, HashKeys, InOut, P12451, prime,
};
use crate::error::{InputError, KeyError, OpenError, Unavailable};
use crate::secret::{ZeroedOnDrop, build_in_place, equal, then_overwrite_stack};

mod stream;

#[cfg(feature = "hazmat")]
pub use stream::SgcmOpener;
pub use stream::SgcmSealer;

/// An SGCM key, and the engine that uses it. **Non-standard, experimental, no interoperability**: no NIST, ISO/IEC or IETF document
/// defines SGCM; take AES-GCM ([`Gcm`](crate::Gcm)).
///
/// It is GCM with a hash modulo the safe prime 2^128 + 12451 in place of that over GF(2^128): the hash adds blocks as big-endian
/// integers, and the tag is the hash plus the encrypted J0 modulo 2^128. A polynomial forgery succeeds with a chance of at most
/// 3 l / 2^128 for l blocks (GCM: l / 2^128); what the prime excludes is forgery by exchange of blocks under a hash key of small
/// order. It is faster than GCM only where a CPU multiplies integers well and has no carry-less product.
///
/// `C` is the cipher: [`Aes128Sgcm`](crate::sgcm::Aes128Sgcm) and its like name them. A nonce is never used twice under a key; it should
/// have 12 bytes, and may have any other number but 0, at most 2^61 - 1, for which nothing is proven. Tags have 16 bytes. A text has at
/// most 2^36 - 32 bytes, an AAD 2^61 - 1. One key seals at most 2^32 messages with random nonces.
///
/// Opening verifies the tag before it decrypts.
///
/// # Examples
/// ```
/// use carryless::sgcm::Aes256Sgcm;
///
/// let key = Aes256Sgcm::from_slice(&[0x42; 32])?;
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&[1; 12], b"header", &mut text)?;   // a nonce is used once
/// key.open_in_place(&[1; 12], b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Constant time
/// Secret: key, text, AAD, tags. Public: all lengths, nonces, and whether opening succeeded.
#[derive(Clone)]
pub struct Sgcm<C: EveryCipher> {
    keys: ZeroedOnDrop<Keys<C>>,
}

impl<C: EveryCipher> fmt::Debug for Sgcm<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sgcm")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher> ZeroizeOnDrop for Sgcm<C> {}

impl<C: EveryCipher> Sgcm<C> {
    /// Bytes of a key.
    pub const KEY_LEN: usize = C::KEY_LEN;

    /// Takes a key of [`KEY_LEN`](Self::KEY_LEN) bytes for the selected engine.
    ///
    /// # Errors
    /// [`InputError::Key`] if it has another length.
    ///
    /// # Panics
    /// As [`Engine::selected`].
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, InputError> {
        check_key::<C>(key)?;
        let engine = Engine::selected_for_sgcm::<C>();
        Ok(Self::build(engine, key).expect("selected engines are available"))
    }

    /// Takes a key for the engine named.
    ///
    /// # Errors
    /// [`KeyError::Input`] for a key of another length, [`KeyError::Engine`] if this machine can't
    /// use the engine.
    #[inline(always)]
    pub fn with_engine(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        check_key::<C>(key)?;
        Ok(Self::build(engine, key)?)
    }

    /// With a key of the cipher's length.
    #[inline(always)]
    fn build(engine: Engine, key: &[u8]) -> Result<Self, Unavailable> {
        engine.runs_sgcm::<C>()?;
        build_in_place(
            || {
                let keys = Keys {
                    enc: CipherKeys::empty(engine)?,
                    hash: HashKeys::empty(engine)?,
                };
                Ok(Self {
                    keys: ZeroedOnDrop::new(keys),
                })
            },
            |made| match made {
                Ok(Self { keys }) => {
                    keys.get_mut().set(key);
                    core::ptr::from_ref(keys).addr() + size_of_val(keys)
                }
                Err(_) => 0,
            },
        )
    }

    /// The engine that this key uses.
    pub const fn engine(&self) -> Engine {
        self.keys.get().enc.engine()
    }

    /// Seals `text` where it stands; the tag.
    ///
    /// # Errors
    /// [`InputError`] for an empty nonce or a length beyond the limits; `text` is as before then.
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
    ) -> Result<Block, InputError> {
        self.seal(nonce, aad, InOut::in_place(text))
    }

    /// Seals `plaintext` into `ciphertext`, which has the same length; the tag.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place), and [`InputError::Output`]; nothing is written then.
    pub fn seal_into(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<Block, InputError> {
        self.seal(nonce, aad, between(plaintext, ciphertext)?)
    }

    /// Opens `text` where it stands.
    ///
    /// # Errors
    /// [`OpenError::Unauthentic`] if the tag is wrong, with `text` zeroed; [`OpenError::Input`]
    /// for lengths that can't be right, with `text` as before.
    pub fn open_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError> {
        self.open(nonce, aad, InOut::in_place(text), tag)
    }

    /// Opens `ciphertext` into `plaintext`, which has the same length.
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place); on a wrong tag `plaintext` is zeroed.
    pub fn open_into(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8],
    ) -> Result<(), OpenError> {
        self.open(nonce, aad, between(ciphertext, plaintext)?, tag)
    }

    /// Begins a message that is sealed piece by piece.
    ///
    /// # Errors
    /// [`InputError`] for an empty or too long nonce.
    pub fn sealer(&self, nonce: &[u8]) -> Result<SgcmSealer<'_, C>, InputError> {
        check(nonce, &[], 0)?;
        Ok(SgcmSealer::begin(self.keys.get(), nonce))
    }

    /// Begins a message that is opened piece by piece, giving out unverified plaintext.
    ///
    /// # Errors
    /// [`InputError`] for an empty or too long nonce.
    #[cfg(feature = "hazmat")]
    pub fn opener(&self, nonce: &[u8]) -> Result<SgcmOpener<'_, C>, InputError> {
        check(nonce, &[], 0)?;
        Ok(SgcmOpener::begin(self.keys.get(), nonce))
    }

    pub(super) fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: InOut<'_>,
    ) -> Result<Block, InputError> {
        check(nonce, aad, text.len())?;
        Ok(then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
            self.keys.get().seal(nonce, aad, text)
        }))
    }

    pub(super) fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut text: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), OpenError> {
        check(nonce, aad, text.len())?;
        let tag = of_bytes(exact_tag::<16>(tag)?);
        then_overwrite_stack::<{ 2 * FRAMES }, _>(|| {
            let keys = self.keys.get();
            let j0 = j0(keys, nonce);
            let mut right = tag_of(keys, j0, keys.hash.message(aad, text.source()));
            let choice = equal(&right, &tag.bytes, tag.len);
            // It would be a forgery.
            right.zeroize();
            verify(choice, text.reborrow())?;
            keys.enc.ctr(j0.add(1), text);
            Ok(())
        })
    }
}

/// Both keys.
#[derive(Clone)]
struct Keys<C: EveryCipher> {
    enc: CipherKeys<C>,
    hash: HashKeys<P12451>,
}

impl<C: EveryCipher> Keys<C> {
    /// Expands a key: H is the encrypted zero block.
    #[inline(always)]
    fn set(&mut self, key: &[u8]) {
        self.enc.set(key);
        then_overwrite_stack::<FRAMES, _>(|| {
            let mut h = [0; 16];
            self.enc.encrypt_block(&mut h);
            self.hash.set(&h);
            h.zeroize();
        });
    }

    /// Seals a message of lengths that are allowed; the tag.
    fn seal(&self, nonce: &[u8], aad: &[u8], mut text: InOut<'_>) -> Block {
        let j0 = j0(self, nonce);
        self.enc.ctr(j0.add(1), text.reborrow());
        tag_of(self, j0, self.hash.message(aad, text.written()))
    }
}

impl<C: EveryCipher> FrameKeys for Keys<C> {
    type Acc = prime::Element;

    fn encrypt_block(&self, block: &mut Block) {
        self.enc.encrypt_block(block);
    }
    fn segment<D: Direction>(
        &self,
        counter: Counter,
        mut text: InOut<'_>,
        acc: &mut prime::Element,
    ) {
        if !D::SEAL {
            self.absorb(acc, text.source());
        }
        self.enc.ctr(counter, text.reborrow());
        if D::SEAL {
            self.absorb(acc, text.written());
        }
    }
    fn absorb(&self, acc: &mut prime::Element, data: &[u8]) {
        self.hash.absorb(acc, data);
    }
    fn finish(&self, acc: prime::Element) -> Block {
        self.hash.finish(acc)
    }
    /// By a sum: one XOR of two tags would stand for many differences of hashes.
    fn hide(hash: &mut Block, mask: &Block) {
        let (sum, _) = prime::add(u128::from_be_bytes(*hash), u128::from_be_bytes(*mask));
        *hash = sum.to_be_bytes();
    }
}
