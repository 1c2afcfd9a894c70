//! AES-GCM-SIV: a nonce that repeats shows no more than which messages are equal (RFC 8452).

use core::array;
use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::limits::{between, check_key, check_nonce, check_tag};
use super::tag::verify;
use crate::engine::{
    Block, BlockCipher, CipherKeys, Engine, Hash, InOut, KnownSiv, LittleCounter, Polyval, Siv,
    SivMessage, Work,
};
use crate::error::{InputError, KeyError, OpenError};
use crate::secret::{Choice, ZeroedOnDrop, equal, wipe};

/// The longest text and the longest AAD (RFC 8452 section 6).
const MAX: u64 = 1 << 36;

/// An AES-GCM-SIV key (RFC 8452): the key that makes those of each message, and the engine that uses it.
///
/// `C` is the cipher: [`Aes128GcmSiv`](crate::Aes128GcmSiv) and [`Aes256GcmSiv`](crate::Aes256GcmSiv) name both. Nonces have
/// 12 bytes, tags 16; text and AAD have at most 2^36 bytes each (section 6).
///
/// The tag depends on every bit of the message and is the counter that encrypts it. So a nonce that repeats shows whether two
/// messages with it are equal, and nothing else. It should repeat seldom even so: with random nonces one key is good for the
/// numbers of messages of section 9, 2^32 of up to 8 GiB each among them.
///
/// **It needs the text twice**: sealing hashes all of it before the first byte is encrypted, and opening decrypts all of it
/// before the tag can be verified. So there is no sealing in pieces; and a buffer that is opened holds unverified
/// plaintext until the call returns, and zeros if it fails. No other thread should look at it meanwhile.
///
/// # Examples
/// ```
/// use carryless::Aes256GcmSiv;
///
/// let key = Aes256GcmSiv::from_slice(&[0x42; 32])?;
/// let mut text = *b"attack at dawn";
/// let tag = key.seal_in_place(&[7; 12], b"header", &mut text)?;
/// key.open_in_place(&[7; 12], b"header", &mut text, &tag)?;
/// assert_eq!(&text, b"attack at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Constant time
/// Secret: key, text, AAD, tags. Public: all lengths, nonces, and whether opening succeeded.
#[derive(Clone)]
pub struct GcmSiv<C: KnownSiv> {
    keys: ZeroedOnDrop<CipherKeys<C>>,
}

impl<C: KnownSiv> fmt::Debug for GcmSiv<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GcmSiv")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl<C: KnownSiv> ZeroizeOnDrop for GcmSiv<C> {}

impl<C: KnownSiv> GcmSiv<C> {
    /// Bytes of a key.
    pub const KEY_LEN: usize = C::KEY_LEN;

    /// Takes a key of [`KEY_LEN`](Self::KEY_LEN) bytes for the selected engine.
    ///
    /// # Errors
    /// [`KeyError::Input`] if it has another length.
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, KeyError> {
        check_key::<C>(key)?;
        Self::with_engine(key, Engine::selected_for_siv::<C>())
    }

    /// Takes a key for the engine named.
    ///
    /// # Errors
    /// [`KeyError::Input`] for a key of another length, [`KeyError::Engine`] if this machine can't
    /// use the engine.
    #[inline(always)]
    pub fn with_engine(key: &[u8], engine: Engine) -> Result<Self, KeyError> {
        check_key::<C>(key)?;
        Ok(Self {
            keys: ZeroedOnDrop::new(CipherKeys::for_siv(engine, key)?),
        })
    }

    /// The engine that this key uses.
    pub const fn engine(&self) -> Engine {
        self.keys.get().engine()
    }

    /// Seals `text` where it stands; the tag.
    ///
    /// # Errors
    /// [`InputError::Nonce`] for a nonce that has not 12 bytes, [`InputError::SivTextTooLong`] and
    /// [`InputError::SivAadTooLong`] for more than 2^36; `text` is as before then.
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

    pub(super) fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: InOut<'_>,
    ) -> Result<Block, InputError> {
        let nonce = check_nonce(nonce)?;
        check_lengths(aad.len() as u64, text.len() as u64)?;
        Ok(self.keys.get().run(Seal(SivMessage { nonce, aad, text })))
    }

    pub(super) fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut text: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), OpenError> {
        let nonce = check_nonce(nonce)?;
        let tag = check_tag::<16>(tag)?;
        check_lengths(aad.len() as u64, text.len() as u64)?;
        let message = SivMessage {
            nonce,
            aad,
            text: text.reborrow(),
        };
        Ok(verify(self.keys.get().run(Open(message, tag)), text)?)
    }
}

/// Whether AES-GCM-SIV allows an AAD and a text of these many bytes.
const fn check_lengths(aad_len: u64, text_len: u64) -> Result<(), InputError> {
    if aad_len > MAX {
        Err(InputError::SivAadTooLong { got: aad_len })
    } else if text_len > MAX {
        Err(InputError::SivTextTooLong { got: text_len })
    } else {
        Ok(())
    }
}

/// A message is sealed; the tag comes of it.
struct Seal<'a>(SivMessage<'a>);

impl<C: BlockCipher> Work<C> for Seal<'_> {
    type Output = Block;

    fn run<E: Siv<C>>(mut self, engine: E, keys: &E::Enc) -> Block {
        let (message, mut tag) = (&mut self.0, [0; 16]);
        if let Some(()) = engine.siv(keys, message, &mut tag, true) {
            return tag;
        }
        MessageKeys::with(engine, keys, message, |keys, message| {
            let mut acc = 0;
            keys.absorb(engine, &mut acc, message.aad);
            keys.absorb(engine, &mut acc, message.text.source());
            let tag = keys.tag(engine, message, acc);
            engine.ctr_little(
                keys.enc,
                LittleCounter::of_tag(&tag),
                message.text.reborrow(),
            );
            tag
        })
    }
}

/// A message is opened, with the tag that it came with; whether that is right.
struct Open<'a>(SivMessage<'a>, &'a Block);

impl<C: BlockCipher> Work<C> for Open<'_> {
    type Output = Choice;

    fn run<E: Siv<C>>(mut self, engine: E, keys: &E::Enc) -> Choice {
        let (message, tag, mut right) = (&mut self.0, self.1, *self.1);
        if let Some(()) = engine.siv(keys, message, &mut right, false) {
            return judged(&mut right, tag);
        }
        MessageKeys::with(engine, keys, message, |keys, message| {
            let mut acc = 0;
            keys.absorb(engine, &mut acc, message.aad);
            engine.ctr_little(
                keys.enc,
                LittleCounter::of_tag(tag),
                message.text.reborrow(),
            );
            keys.absorb(engine, &mut acc, message.text.written());
            right = keys.tag(engine, message, acc);
            judged(&mut right, tag)
        })
    }
}

/// Whether `tag` is the right one, which is wiped: it would be a forgery.
#[inline(always)]
fn judged(right: &mut Block, tag: &Block) -> Choice {
    let choice = equal(right, tag, 16);
    wipe(right);
    choice
}

/// The keys of one message.
struct MessageKeys<'k, E: Siv<C>, C: BlockCipher> {
    enc: &'k E::Enc,
    hash: &'k <E as Hash<Polyval>>::Key,
}

impl<E: Siv<C>, C: BlockCipher> MessageKeys<'_, E, C> {
    /// Has `work` done with those that belong to the message (RFC 8452 section 4). Both wipe themselves; the hash
    /// key, which is large, lies above the stack that is overwritten behind copies of them.
    ///
    /// # Constant time
    /// Secret: `keys`. Public: the nonce and the lengths of `message`.
    #[inline(always)]
    fn with<T>(
        engine: E,
        keys: &E::Enc,
        message: &mut SivMessage<'_>,
        work: impl FnOnce(MessageKeys<'_, E, C>, &mut SivMessage<'_>) -> T,
    ) -> T {
        let longest = message.aad.len().max(message.text.len());
        let mut hash = <E as Hash<Polyval>>::Key::default();
        E::with_keys(|| {
            let mut context = [0; 16];
            context[4..].copy_from_slice(message.nonce);
            let context = u128::from_le_bytes(context);
            let mut blocks: [_; 6] = array::from_fn(|i| (context | i as u128).to_le_bytes());
            let used = &mut blocks[..2 + C::KEY_LEN / 8];
            engine.encrypt(keys, InOut::in_place(used.as_flattened_mut()));
            // The first half of each.
            let mut derived = [[0; 8]; 6];
            for (half, block) in derived.iter_mut().zip(&blocks) {
                half.copy_from_slice(&block[..8]);
            }
            let (h, key) = derived.as_flattened().split_at(16);
            let [h] = h.as_chunks().0 else {
                unreachable!("split there")
            };
            engine.set_key(&mut hash, h, longest.max(16));
            let enc = engine.expand(&key[..C::KEY_LEN]);
            wipe(&mut blocks);
            wipe(&mut derived);
            let keys = MessageKeys {
                enc: &enc,
                hash: &hash,
            };
            work(keys, message)
        })
    }

    /// Hashes AAD or text, the last block filled up with zeros.
    #[inline(always)]
    fn absorb(&self, engine: E, acc: &mut u128, data: &[u8]) {
        if !data.is_empty() {
            engine.absorb(self.hash, acc, data);
        }
    }

    /// The tag of a message whose AAD and text are in `acc` (RFC 8452 section 4).
    ///
    /// # Constant time
    /// Secret: `self`, `acc`. Public: the nonce and the lengths of `message`.
    #[inline(always)]
    fn tag(&self, engine: E, message: &SivMessage<'_>, mut acc: u128) -> Block {
        let bits = |len: usize| u128::from(8 * len as u64);
        let lengths = bits(message.aad.len()) | bits(message.text.len()) << 64;
        engine.absorb(self.hash, &mut acc, &lengths.to_le_bytes());
        let mut padded = [0; 16];
        padded[..12].copy_from_slice(message.nonce);
        // In registers: of bytes that are stored one by one the engine would wait for the last.
        let hash = u128::from_le_bytes(engine.finish(self.hash, acc)) ^ u128::from_le_bytes(padded);
        let mut tag = (hash & (u128::MAX >> 1)).to_le_bytes();
        engine.encrypt_block(self.enc, &mut tag);
        tag
    }
}

#[cfg(test)]
mod tests;
