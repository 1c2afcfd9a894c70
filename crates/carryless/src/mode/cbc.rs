//! Cipher block chaining (SP 800-38A section 6.2).

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::limits::{between, check_key};
use crate::engine::{
    Block, CHAINS, CipherKeys, DataIndependentTiming, DecryptKeys, Engine, EveryCipher, InOut,
};
use crate::error::{InputError, KeyError};
use crate::secret::{ZeroedOnDrop, wipe};

/// Bytes that chains take in one step where fewer than [`CHAINS`] are left.
const STEP: usize = 256;

/// Whole blocks, as many as come.
fn whole(text: InOut<'_>) -> Result<InOut<'_>, InputError> {
    match text.len() {
        len if len.is_multiple_of(16) => Ok(text),
        got => Err(InputError::PartialBlock { got }),
    }
}

/// `direction! { docs Name Keys engine_call (in_place, into, "verb") }`: a message in pieces in one direction.
macro_rules! direction {
    ($(#[$doc:meta])* $Name:ident $Keys:ident $run:ident ($in_place:ident, $into:ident, $verb:literal)) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $Name<C: EveryCipher> {
            keys: ZeroedOnDrop<$Keys<C>>,
            /// The IV, and then the last block of ciphertext.
            chain: Block,
        }

        impl<C: EveryCipher> fmt::Debug for $Name<C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Name))
                    .field("cipher", &C::NAME)
                    .field("engine", &self.engine())
                    .finish_non_exhaustive()
            }
        }

        impl<C: EveryCipher> ZeroizeOnDrop for $Name<C> {}

        impl<C: EveryCipher> $Name<C> {
            /// Takes a key for the selected engine, and the IV of a message.
            ///
            /// # Errors
            /// [`KeyError::Input`] if the key has not the length of the cipher's.
            #[inline(always)]
            pub fn from_slice(key: &[u8], iv: &Block) -> Result<Self, KeyError> {
                Self::with_engine(key, iv, Engine::selected_for_blocks::<C>())
            }

            /// The same for the engine named.
            ///
            /// # Errors
            /// [`KeyError::Input`] for a key of another length, [`KeyError::Engine`] if this machine can't
            /// use the engine.
            #[inline(always)]
            pub fn with_engine(key: &[u8], iv: &Block, engine: Engine) -> Result<Self, KeyError> {
                check_key::<C>(key)?;
                Ok(Self {
                    keys: ZeroedOnDrop::new($Keys::with_engine(engine, key)?),
                    chain: *iv,
                })
            }

            /// The engine that runs.
            pub const fn engine(&self) -> Engine {
                self.keys.get().engine()
            }

            /// Begins another message under the same key.
            pub const fn restart(&mut self, iv: &Block) {
                self.chain = *iv;
            }

            #[doc = concat!($verb, " the next piece of the message where it stands.")]
            ///
            /// # Errors
            /// [`InputError::PartialBlock`] unless it is whole blocks; nothing is written then.
            pub fn $in_place(&mut self, text: &mut [u8]) -> Result<(), InputError> {
                self.run(whole(InOut::in_place(text))?);
                Ok(())
            }

            #[doc = concat!($verb, " the next piece of the message from one buffer to another of the same length.")]
            ///
            /// # Errors
            /// [`InputError::Output`] if the lengths differ, [`InputError::PartialBlock`] unless they are whole
            /// blocks; nothing is written then.
            pub fn $into(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), InputError> {
                self.run(whole(between(src, dst)?)?);
                Ok(())
            }

            /// Whole blocks.
            pub(super) fn run(&mut self, text: InOut<'_>) {
                self.keys.get().$run(&mut self.chain, text);
            }
        }
    };
}

direction! {
    /// CBC encryption of a message, in pieces of whole blocks. **It authenticates nothing**, and what opens it must not
    /// tell anyone why an opening failed: see [`pkcs7`](super::pkcs7).
    ///
    /// The IV is one that nobody can predict (SP 800-38A appendix C): random, new for each message. One key is good for
    /// much less than 2^64 blocks; with more, equal blocks of ciphertext tell of equal blocks of text.
    ///
    /// # Examples
    /// ```
    /// use carryless::{Aes128, hazmat::{CbcDecryptor, CbcEncryptor, pkcs7}};
    ///
    /// let (key, iv) = ([7; 16], [1; 16]);     // an IV is random
    /// let mut buffer = [0; 32];
    /// buffer[..17].copy_from_slice(b"seventeen letters");
    /// let text = pkcs7::pad(&mut buffer, 17)?;
    /// CbcEncryptor::<Aes128>::from_slice(&key, &iv)?.encrypt_in_place(text)?;
    ///
    /// CbcDecryptor::<Aes128>::from_slice(&key, &iv)?.decrypt_in_place(text)?;
    /// assert_eq!(pkcs7::unpad(text)?, b"seventeen letters");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    CbcEncryptor CipherKeys encrypt_cbc (encrypt_in_place, encrypt_into, "Encrypts")
}

direction! {
    /// CBC decryption of a message, in pieces of whole blocks: many blocks at a time, so it takes much less long than
    /// encryption. See [`CbcEncryptor`].
    ///
    /// **The text is whatever an attacker made of it**: verify a MAC of IV and ciphertext first.
    ///
    /// # Examples
    /// ```
    /// use carryless::{Aes128, hazmat::{CbcDecryptor, CbcEncryptor}};
    ///
    /// let (key, iv, mut text) = ([7; 16], [1; 16], [5; 64]);
    /// CbcEncryptor::<Aes128>::from_slice(&key, &iv)?.encrypt_in_place(&mut text)?;
    ///
    /// let mut cbc = CbcDecryptor::<Aes128>::from_slice(&key, &iv)?;
    /// assert!(cbc.decrypt_in_place(&mut text[..15]).is_err());      // not whole blocks
    /// cbc.decrypt_in_place(&mut text[..16])?;
    /// cbc.decrypt_in_place(&mut text[16..])?;
    /// assert_eq!(text, [5; 64]);
    /// # Ok::<(), carryless::error::KeyError>(())
    /// ```
    CbcDecryptor DecryptKeys decrypt_cbc (decrypt_in_place, decrypt_into, "Decrypts")
}

/// A message of [`CbcEncryptor::encrypt_each`]: IV and text, of any number of whole blocks.
///
/// The IV is random, new for each message (SP 800-38A appendix C).
///
/// # Examples
/// ```
/// use carryless::{Aes128, error::InputError, hazmat::{CbcDecryptor, CbcEncryptor, CbcMessage}};
///
/// let key = CbcEncryptor::<Aes128>::from_slice(&[7; 16], &[0; 16])?;
/// let (text, mut sealed, mut other) = ([1; 48], [0; 48], [2; 16]);
/// assert_eq!(
///     CbcMessage::between(&[3; 16], &text, &mut other).err(),
///     Some(InputError::Output { got: 16, expected: 48 }),
/// );
/// key.encrypt_each(&mut [
///     CbcMessage::between(&[3; 16], &text, &mut sealed)?,
///     CbcMessage::in_place(&[4; 16], &mut other),
/// ])?;
/// CbcDecryptor::<Aes128>::from_slice(&[7; 16], &[3; 16])?.decrypt_in_place(&mut sealed)?;
/// assert_eq!(sealed, text);
///
/// let part = key.encrypt_each(&mut [CbcMessage::in_place(&[3; 16], &mut other[..15])]);
/// assert_eq!(part, Err(InputError::PartialBlock { got: 15 }));
/// # Ok::<(), carryless::error::KeyError>(())
/// ```
pub struct CbcMessage<'a> {
    chain: Block,
    /// What is not encrypted yet.
    text: InOut<'a>,
}

impl fmt::Debug for CbcMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CbcMessage")
            .field("text_len", &self.text.len())
            .finish_non_exhaustive()
    }
}

impl<'a> CbcMessage<'a> {
    /// A message whose text is encrypted where it stands.
    pub fn in_place(iv: &Block, text: &'a mut [u8]) -> Self {
        Self {
            chain: *iv,
            text: InOut::in_place(text),
        }
    }

    /// A message whose text goes from `src` to `dst`, which has the same length.
    ///
    /// # Errors
    /// [`InputError::Output`] if it has not.
    pub fn between(iv: &Block, src: &'a [u8], dst: &'a mut [u8]) -> Result<Self, InputError> {
        Ok(Self {
            chain: *iv,
            text: between(src, dst)?,
        })
    }
}

impl<C: EveryCipher> CbcEncryptor<C> {
    /// Encrypts several messages, whole blocks each and of any lengths, eight side by side: the blocks of one wait for each
    /// other, those of eight take hardly longer. The message that this was made for stays as it is.
    ///
    /// What was encrypted is used up: a second call leaves it alone.
    ///
    /// # Errors
    /// [`InputError::PartialBlock`] for the first message that is not whole blocks; nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use carryless::{Aes128, hazmat::{CbcEncryptor, CbcMessage}};
    ///
    /// let key = CbcEncryptor::<Aes128>::from_slice(&[7; 16], &[0; 16])?;
    /// let (mut one, mut two) = ([1; 64], [2; 32]);
    /// key.encrypt_each(&mut [
    ///     CbcMessage::in_place(&[3; 16], &mut one),
    ///     CbcMessage::in_place(&[4; 16], &mut two),
    /// ])?;
    /// # let mut same = [2; 32];
    /// # CbcEncryptor::<Aes128>::from_slice(&[7; 16], &[4; 16])?.encrypt_in_place(&mut same)?;
    /// # assert_eq!(two, same);
    /// # Ok::<(), carryless::error::KeyError>(())
    /// ```
    pub fn encrypt_each(&self, messages: &mut [CbcMessage<'_>]) -> Result<(), InputError> {
        for message in &mut *messages {
            whole(message.text.reborrow())?;
        }
        let _timing = DataIndependentTiming::begin();
        let mut waiting = messages
            .iter_mut()
            .filter(|message| !message.text.is_empty());
        let mut lanes: [_; CHAINS] = core::array::from_fn(|_| waiting.next());
        let mut idle = None;
        loop {
            let active = lanes.iter().flatten().count();
            match lanes.iter_mut().flatten().next() {
                None => break,
                Some(last) if active == 1 => {
                    let text = last.text.split_to(last.text.len());
                    self.keys
                        .get()
                        .encrypt_cbc(&mut last.chain, text.unwrap_or_else(empty));
                }
                Some(_) => self.side_by_side(&mut lanes, &mut idle),
            }
            for lane in &mut lanes {
                if lane.as_ref().is_some_and(|message| message.text.is_empty()) {
                    *lane = waiting.next();
                }
            }
        }
        if let Some(idle) = &mut idle {
            // Zeros that were encrypted: the first block is the hash key of GCM.
            wipe(idle.as_flattened_mut());
        }
        Ok(())
    }

    /// As many blocks of each lane as the shortest has; two at least have a message, and those without one encrypt zeros, in a place
    /// that is made for the first of them.
    fn side_by_side(
        &self,
        lanes: &mut [Option<&mut CbcMessage<'_>>; CHAINS],
        idle: &mut Option<[[u8; STEP]; CHAINS - 2]>,
    ) {
        let lens = lanes
            .iter()
            .map(|lane| lane.as_ref().map_or(STEP, |message| message.text.len()));
        let len = lens.min().unwrap_or_default();
        let mut chains = [[0; 16]; CHAINS];
        let idle: &mut [_] = if lanes.iter().all(Option::is_some) {
            &mut []
        } else {
            idle.get_or_insert([[0; STEP]; CHAINS - 2])
        };
        let (mut idle, mut places) = (idle.iter_mut(), lanes.iter_mut().zip(&mut chains));
        let texts = core::array::from_fn(|_| {
            if let Some((Some(message), chain)) = places.next() {
                *chain = message.chain;
                return message.text.split_to(len).unwrap_or_else(empty);
            }
            let place = idle.next().and_then(|place| place.get_mut(..len));
            place.map_or_else(empty, InOut::in_place)
        });
        self.keys.get().encrypt_cbc_each(&mut chains, texts);
        for (message, chain) in lanes.iter_mut().zip(&chains) {
            if let Some(message) = message {
                message.chain = *chain;
            }
        }
        wipe(&mut chains);
    }
}

/// No text.
fn empty<'a>() -> InOut<'a> {
    InOut::in_place(&mut [])
}
