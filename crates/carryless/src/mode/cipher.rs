//! The block cipher alone and in counter mode: parts for those who build their own modes.

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::ctr::add_key_stream;
use super::limits::{between, check_key};
use crate::engine::{Block, CipherKeys, DecryptKeys, Engine, EveryCipher, InOut};
use crate::error::{InputError, KeyError};
use crate::secret::ZeroedOnDrop;

/// A block cipher under one key: blocks in either direction and counter mode, **none of which
/// authenticates anything**.
///
/// # Examples
/// ```
/// use carryless::{Aes128, hazmat::BlockCipher};
///
/// let aes = BlockCipher::<Aes128>::from_slice(&[0; 16])?;
/// let mut block = [0; 16];
/// aes.encrypt_block(&mut block);
/// assert_eq!(block[..4], [0x66, 0xe9, 0x4b, 0xd4]);
/// aes.decrypt_block(&mut block);
/// assert_eq!(block, [0; 16]);
/// # Ok::<(), carryless::error::KeyError>(())
/// ```
#[derive(Clone)]
pub struct BlockCipher<C: EveryCipher> {
    pub(super) keys: ZeroedOnDrop<CipherKeys<C>>,
    pub(super) inverse: ZeroedOnDrop<DecryptKeys<C>>,
}

impl<C: EveryCipher> fmt::Debug for BlockCipher<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockCipher")
            .field("cipher", &C::NAME)
            .field("engine", &self.engine())
            .finish_non_exhaustive()
    }
}

impl<C: EveryCipher> ZeroizeOnDrop for BlockCipher<C> {}

/// How much of the counter block counts; all of it is big-endian. See
/// [`BlockCipher::ctr_in_place`](crate::hazmat::BlockCipher::ctr_in_place), which says how long a text may be.
///
/// # Examples
/// ```
/// use carryless::{Aes128, hazmat::{BlockCipher, CounterWidth}};
///
/// let aes = BlockCipher::<Aes128>::from_slice(&[7; 16])?;
/// let stream = |counter, width| {
///     let mut text = [0; 32];
///     aes.ctr_in_place(counter, width, &mut text);
///     text
/// };
/// let last = [0xff; 16];
/// let (narrow, wide) = (stream(&last, CounterWidth::Bits32), stream(&last, CounterWidth::Bits128));
/// assert_eq!(narrow[..16], wide[..16]);
///
/// // Behind the last counter comes the first: of four bytes, or of the block.
/// let mut next = [0xff; 16];
/// next[12..].fill(0);
/// assert_eq!(narrow[16..], stream(&next, CounterWidth::Bits32)[..16]);
/// assert_eq!(wide[16..], stream(&[0; 16], CounterWidth::Bits128)[..16]);
/// # Ok::<(), carryless::error::KeyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterWidth {
    /// The last four bytes, modulo 2^32, as in GCM.
    Bits32,
    /// The whole block, modulo 2^128 (SP 800-38A appendix B.1).
    Bits128,
}

impl<C: EveryCipher> BlockCipher<C> {
    /// Takes a key for the selected engine.
    ///
    /// # Errors
    /// [`KeyError::Input`] if it has not the length of the cipher's keys.
    #[inline(always)]
    pub fn from_slice(key: &[u8]) -> Result<Self, KeyError> {
        Self::with_engine(key, Engine::selected_for_blocks::<C>())
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
            keys: ZeroedOnDrop::new(CipherKeys::with_engine(engine, key)?),
            inverse: ZeroedOnDrop::new(DecryptKeys::with_engine(engine, key)?),
        })
    }

    /// The engine that this key uses.
    pub const fn engine(&self) -> Engine {
        self.keys.get().engine()
    }

    /// Encrypts one block where it stands.
    pub fn encrypt_block(&self, block: &mut Block) {
        self.keys.get().encrypt_block(block);
    }

    /// Encrypts each block by itself (ECB, SP 800-38A section 6.1), which shows equal blocks.
    pub fn encrypt_blocks(&self, blocks: &mut [Block]) {
        self.keys
            .get()
            .encrypt(InOut::in_place(blocks.as_flattened_mut()));
    }

    /// Decrypts one block where it stands.
    pub fn decrypt_block(&self, block: &mut Block) {
        self.inverse.get().decrypt(InOut::in_place(block));
    }

    /// Decrypts each block by itself.
    pub fn decrypt_blocks(&self, blocks: &mut [Block]) {
        self.inverse
            .get()
            .decrypt(InOut::in_place(blocks.as_flattened_mut()));
    }

    /// XORs the key stream that starts with the block `counter` into `text` (CTR, SP 800-38A
    /// section 6.5); encryption and decryption are the same. The counter is public: it may show in the time.
    ///
    /// # Limits
    /// Behind the last counter comes the first: with [`CounterWidth::Bits32`] a text of more than 2^36 bytes has the same key
    /// stream twice. [`Ctr`](crate::hazmat::Ctr) refuses that.
    pub fn ctr_in_place(&self, counter: &Block, width: CounterWidth, text: &mut [u8]) {
        self.ctr(counter, width, InOut::in_place(text));
    }

    /// [`ctr_in_place`](Self::ctr_in_place) from one buffer to another of the same length, with its limits.
    ///
    /// # Errors
    /// [`InputError::Output`] if the lengths differ; nothing is written then.
    pub fn ctr_into(
        &self,
        counter: &Block,
        width: CounterWidth,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), InputError> {
        self.ctr(counter, width, between(src, dst)?);
        Ok(())
    }

    fn ctr(&self, counter: &Block, width: CounterWidth, text: InOut<'_>) {
        add_key_stream(self.keys.get(), *counter, width, text);
    }
}
