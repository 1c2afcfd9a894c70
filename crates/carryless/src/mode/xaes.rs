//! XAES-256-GCM: AES-256-GCM under a key that is derived for each message from a nonce of 24 bytes (C2SP).

use core::{array, fmt};

use zeroize::ZeroizeOnDrop;

use super::chain::doubled;
use super::gcm::Gcm;
use super::limits::{between, check, check_key, check_nonce, check_tag};
use super::nonce::FRAMES;
use super::tag::{padded, verify};
use crate::engine::{AeadKeys, Aes256, Block, CipherKeys, Counter, Engine, InOut, Message};
use crate::error::{InputError, KeyError, OpenError};
use crate::secret::{ZeroedOnDrop, then_overwrite_stack, wipe};

/// An XAES-256-GCM key (<https://c2sp.org/XAES-256-GCM>): AES-256-GCM with nonces of 24 bytes, so long that they may be
/// **drawn at random** for every message.
///
/// Half of the nonce, by CMAC as in SP 800-108, gives the key of the message, and the other half is its nonce: each message is
/// an ordinary one of AES-256-GCM. Before two random nonces collide with a chance of 2^-32, one key has sealed 2^80 messages. A
/// nonce that does repeat is as bad as for GCM. Tags have 16 bytes, and texts at most 2^36 - 32.
///
/// It costs two blocks of AES more than [`Gcm::seal_once`]. For a message in pieces, in segments, by several threads:
/// [`derive`](Self::derive).
///
/// # Examples
/// ```
/// use carryless::XAes256Gcm;
///
/// let key = XAes256Gcm::from_slice(&[0x42; 32])?;
/// # let random_nonce = || [7; 24];
/// let nonce: [u8; 24] = random_nonce(); // goes with the message
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&nonce, b"header", &mut text)?;
/// key.open_in_place(&nonce, b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the features `aead` and `getrandom` the traits draw it:
///
/// ```
/// # #[cfg(all(feature = "aead", feature = "getrandom"))] {
/// use carryless::{AeadInOut, Generate, KeyInit, XAes256Gcm, aead};
///
/// let key = XAes256Gcm::new(&aead::Key::<XAes256Gcm>::generate());
/// let nonce = aead::Nonce::<XAes256Gcm>::generate();
/// let mut text = *b"attack at dawn";
/// let tag = key.encrypt_inout_detached(&nonce, b"header", text.as_mut_slice().into())?;
/// # let _ = tag;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Constant time
/// Secret: key, text, AAD, tags. Public: all lengths, nonces, and whether opening succeeded.
#[derive(Clone)]
pub struct XAes256Gcm {
    keys: ZeroedOnDrop<Keys>,
}

/// Bytes of stack that deriving a key takes, with the registers that an engine in assembly saves.
const DERIVING_FRAMES: usize = 256;

/// What the keys of messages are derived with.
#[derive(Clone)]
struct Keys {
    cipher: CipherKeys<Aes256>,
    /// For each block of a key its count and label, with K1 of CMAC (SP 800-38B section 6.1): what is hashed is always one whole block.
    starts: [Block; 2],
}

impl fmt::Debug for XAes256Gcm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XAes256Gcm")
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for XAes256Gcm {}

impl XAes256Gcm {
    /// Bytes of a key.
    pub const KEY_LEN: usize = 32;

    /// Takes a key of 32 bytes for the selected engine.
    ///
    /// # Errors
    /// [`KeyError::Input`] if it has another length.
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, KeyError> {
        check_key::<Aes256>(key)?;
        Self::expand(key, Engine::selected_for_xaes())
    }

    /// Takes a key for the engine named.
    ///
    /// # Errors
    /// [`KeyError::Input`] for a key of another length, [`KeyError::Engine`] if this machine can't
    /// use the engine.
    #[inline(always)]
    pub fn with_engine(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        check_key::<Aes256>(key)?;
        engine.availability()?;
        Self::expand(key, engine)
    }

    /// * `engine`: one that runs GCM.
    #[inline(always)]
    fn expand(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        let mut made = Self {
            keys: ZeroedOnDrop::new(Keys {
                cipher: CipherKeys::with_engine(engine, key)?,
                starts: [[0; 16]; 2],
            }),
        };
        let Keys { cipher, starts } = made.keys.get_mut();
        then_overwrite_stack::<FRAMES, _>(|| {
            cipher.encrypt_block(&mut starts[0]);
            let subkey = doubled(&starts[0]);
            for (start, count) in starts.iter_mut().zip(1..) {
                *start = sum(&subkey, [u32::from_le_bytes([0, count, b'X', 0]), 0, 0, 0]);
            }
        });
        Ok(made)
    }

    /// The engine that this key uses.
    pub const fn engine(&self) -> Engine {
        self.keys.get().cipher.engine()
    }

    /// Seals `text` where it stands; the tag.
    ///
    /// # Errors
    /// [`InputError::Nonce`] for a nonce that has not 24 bytes, or a length beyond the limits of SP 800-38D; `text` is as before
    /// then.
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

    /// The AES-256-GCM key of the message with this nonce, and its nonce there: for all that a [`Gcm`] does and this type does
    /// not. **Use the one only with the other**, and the two for one message.
    ///
    /// # Errors
    /// [`InputError::Nonce`] for a nonce that has not 24 bytes.
    ///
    /// # Examples
    /// ```
    /// use carryless::XAes256Gcm;
    ///
    /// let key = XAes256Gcm::from_slice(&[0x42; 32])?;
    /// let (gcm, nonce) = key.derive(&[7; 24])?;
    /// let mut text = *b"one, two, three";
    /// let mut sealer = gcm.sealer(&nonce)?;
    /// sealer.seal_in_place(&mut text[..5])?;
    /// sealer.seal_in_place(&mut text[5..])?;
    /// let tag = sealer.finish();
    /// key.open_in_place(&[7; 24], b"", &mut text, &tag)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn derive(&self, nonce: &[u8]) -> Result<(Gcm<Aes256>, [u8; 12]), InputError> {
        let (nonce, rest) = halves(check_nonce(nonce)?);
        let mut key = [[0; 16]; 2];
        self.derive_key(nonce, &mut key);
        let made = AeadKeys::build_in_place(
            self.engine(),
            |keys| Ok((Gcm::of(keys), *rest)),
            |made| match made {
                Ok((gcm, _)) => gcm.set(key.as_flattened()),
                Err(_) => 0,
            },
        );
        wipe(&mut key);
        made
    }

    /// Puts the key of the message into its place: two blocks, each the CMAC of a count, a label and half of the nonce.
    ///
    /// # Constant time
    /// Secret: `self`. Public: `nonce`.
    #[inline(always)]
    fn derive_key(&self, nonce: &[u8; 12], key: &mut [Block; 2]) {
        let Keys { cipher, starts } = self.keys.get();
        then_overwrite_stack::<DERIVING_FRAMES, _>(|| {
            let (words, _) = nonce.as_chunks();
            let [a, b, c] = [0, 1, 2].map(|i| u32::from_le_bytes(words[i]));
            for (block, start) in key.iter_mut().zip(starts) {
                *block = sum(start, [0, a, b, c]);
            }
            cipher.encrypt(InOut::in_place(key.as_flattened_mut()));
        });
    }

    #[inline(always)]
    pub(super) fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: InOut<'_>,
    ) -> Result<Block, InputError> {
        let (nonce, rest) = halves(check_nonce(nonce)?);
        check(rest, aad, text.len())?;
        let j0 = Counter::from_nonce(rest);
        let (mut key, mut tag) = ([[0; 16]; 2], [0; 16]);
        self.derive_key(nonce, &mut key);
        let message = Message { j0, aad, text };
        AeadKeys::<Aes256>::seal_once(self.engine(), key.as_flattened(), message, &mut tag);
        wipe(&mut key);
        Ok(tag)
    }

    #[inline(always)]
    pub(super) fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut text: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), OpenError> {
        let (nonce, rest) = halves(check_nonce(nonce)?);
        let tag = padded(check_tag::<16>(tag)?);
        check(rest, aad, text.len())?;
        let message = Message {
            j0: Counter::from_nonce(rest),
            aad,
            text: text.reborrow(),
        };
        let mut key = [[0; 16]; 2];
        self.derive_key(nonce, &mut key);
        let right = AeadKeys::<Aes256>::open_once(self.engine(), key.as_flattened(), message, &tag);
        wipe(&mut key);
        Ok(verify(right, text)?)
    }
}

/// A block and four words together. By words the compiler stores it whole: for parts of it the engine would wait until the last of them
/// is in the cache.
#[inline(always)]
fn sum(block: &Block, words: [u32; 4]) -> Block {
    let (own, _) = block.as_chunks();
    let sum: [_; 4] = array::from_fn(|i| (u32::from_le_bytes(own[i]) ^ words[i]).to_le_bytes());
    let mut block = [0; 16];
    block.copy_from_slice(sum.as_flattened());
    block
}

/// What the key is derived from, and the nonce of GCM.
fn halves(nonce: &[u8; 24]) -> (&[u8; 12], &[u8; 12]) {
    let [first, second] = nonce.as_chunks().0 else {
        unreachable!("so many bytes")
    };
    (first, second)
}
