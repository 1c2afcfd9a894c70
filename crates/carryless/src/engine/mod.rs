//! Engines: proofs that this CPU can run a cipher, a hash, and the two fused.
//!
//! A new engine is right with [`Cipher`] and [`Hash`] alone: every method of [`Aead`] has a two-pass
//! default. What a kernel does better, it overrides. A new cipher or field is an instance of the
//! same traits, not a copy of the mode.
#![deny(unsafe_code)]

pub mod algorithm;
#[macro_use]
mod aead_keys;
mod block_test;
mod blocks;
#[macro_use]
mod part_keys;
#[cfg(feature = "lea")]
mod lea;
mod list;
mod polyval;
mod results;
mod select;
mod self_test;
#[cfg(feature = "sgcm")]
mod sgcm_test;
#[cfg(feature = "sgcm")]
mod sghash;
mod siv;
mod siv_test;
mod soft;
#[cfg(carryless_fused)]
#[macro_use]
mod entries;
#[cfg(carryless_a64)]
#[allow(unsafe_code, reason = "only by the entry macros of `simd::token`")]
mod aarch64;
#[cfg(carryless_a32)]
mod arm;
#[cfg(carryless_fused)]
mod fused;
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
#[allow(unsafe_code, reason = "only by the entry macros of `simd::token`")]
mod x86_64;

use zeroize::{Zeroize, ZeroizeOnDrop};

#[cfg(feature = "sgcm")]
pub use self::algorithm::P12451;
pub use self::algorithm::{Aes, Aes128, Aes192, Aes256, BlockCipher, Field, Gf128, Polyval};
#[cfg(feature = "lea")]
pub use self::algorithm::{Lea128, Lea192, Lea256};
#[cfg(feature = "hazmat")]
pub use self::blocks::doubled;
pub use self::blocks::{CHAINS, Decrypt, Modes};
#[cfg(feature = "hazmat")]
pub use self::list::DecryptKeys;
#[cfg(any(feature = "hazmat", feature = "sgcm"))]
pub use self::list::HashKeys;
pub use self::list::{AeadKeys, CipherKeys, Engine, EveryAead, EveryCipher};
pub use self::part_keys::Work;
pub use self::select::{EngineError, Unavailable};
#[cfg(all(test, feature = "std"))]
pub(crate) use self::self_test::FAILING_NOW;
pub use self::siv::{Siv, SivMessage};
#[cfg(test)]
pub use self::siv_test::KNOWN_MESSAGES;
pub use self::siv_test::KnownSiv;
pub use crate::block::{Block, Counter, LittleCounter, Tag, length_block};
pub use crate::kernel::batch::{Item, MESSAGES, Quad};
pub use crate::kernel::message::{Direction, Message, Open, Seal};
use crate::secret::{self, Choice, Failures};
use crate::simd::partial::short_word;
pub use crate::simd::{DataIndependentTiming, Features, InOut, Missing};
#[cfg(feature = "sgcm")]
pub use crate::soft::prime;

/// Bytes of stack that making a key takes, on the engine that takes most.
const KEY_FRAMES: usize = 16 * 1024;

/// Bytes of stack that a message takes beside those of cipher and hash, which overwrite their own.
const FRAMES: usize = 1024;

/// One family of CPUs. A value is proof that this CPU belongs to it.
pub trait Backend: Copy + Send + Sync + 'static {
    /// The engine's name: lower case, stable.
    const NAME: &'static str;

    /// The features that the CPU must have.
    const FEATURES: Features;

    /// A proof, if this CPU suffices.
    ///
    /// # Errors
    /// The features that are missing.
    fn detect() -> Result<Self, Missing>;

    /// Calls `work`, which makes keys for one message, and overwrites the stack that it took.
    #[inline(always)]
    fn with_keys<T>(work: impl FnOnce() -> T) -> T {
        secret::then_overwrite_stack::<KEY_FRAMES, _>(work)
    }
}

/// A CPU that runs the block cipher `C`.
pub trait Cipher<C: BlockCipher>: Backend {
    /// Expanded keys.
    type Enc: Clone + Default + Send + Sync + ZeroizeOnDrop;

    /// Expands a key of `C::KEY_LEN` bytes.
    fn expand(self, key: &[u8]) -> Self::Enc;

    /// Encrypts whole blocks; bytes beyond the last whole block stay as they are.
    fn encrypt(self, keys: &Self::Enc, blocks: InOut<'_>);

    /// Encrypts the first `count` blocks where they stand, or more. There are seven more at least.
    ///
    /// An engine that has many blocks in a batch overrides it to encrypt whole ones, and leaves its stack to the caller.
    #[inline(always)]
    fn encrypt_batches(self, keys: &Self::Enc, blocks: &mut [Block], count: usize) {
        let blocks = blocks[..count].as_flattened_mut();
        self.encrypt(keys, InOut::in_place(blocks));
    }

    /// XORs the key stream that starts with the block `counter` into the text, any number of bytes. The counter may come from a
    /// hashed nonce, and is as secret as that.
    fn ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>);

    /// Encrypts the block `j0` and XORs the key stream that starts one further into the text.
    ///
    /// An engine whose smallest batch is many blocks overrides it to make both in one.
    #[inline(always)]
    fn mask_and_ctr(self, keys: &Self::Enc, j0: Counter, text: InOut<'_>) -> Block {
        let mut mask = j0.to_block();
        self.encrypt_block(keys, &mut mask);
        self.ctr(keys, j0.add(1), text);
        mask
    }

    /// Encrypts one block.
    #[inline(always)]
    fn encrypt_block(self, keys: &Self::Enc, block: &mut Block) {
        self.encrypt(keys, InOut::in_place(block));
    }
}

/// A CPU that runs the polynomial hash over the field `F`.
pub trait Hash<F: Field>: Backend {
    /// The hash key, with as many powers as the kernels use.
    type Key: Clone + Default + Send + Sync + ZeroizeOnDrop;
    /// Prepares the hash key H.
    fn key(self, h: &Block) -> Self::Key;

    /// Prepares it in its place, for data of which no call has more than `longest` bytes.
    #[inline(always)]
    fn set_key(self, key: &mut Self::Key, h: &Block, _longest: usize) {
        *key = self.key(h);
    }

    /// Hashes whole blocks; the length must be a multiple of 16.
    fn update(self, key: &Self::Key, acc: &mut F::Acc, blocks: &[u8]);

    /// The hash so far.
    fn finish(self, key: &Self::Key, acc: F::Acc) -> Block;

    /// Multiplies the hash by `H^blocks`, as hashing so many zero blocks would: what was hashed before
    /// them can be added then (`docs/math.md` 5).
    ///
    /// The default does just that; an engine that can square needs one product a bit of `blocks`.
    fn shift(self, key: &Self::Key, acc: &mut F::Acc, blocks: u64) {
        for _ in 0..blocks {
            self.update(key, acc, &[0; 16]);
        }
    }

    /// Hashes `data`, filled up with zeros to whole blocks.
    #[inline(always)]
    fn absorb(self, key: &Self::Key, acc: &mut F::Acc, data: &[u8]) {
        let (whole, rest) = data.split_at(data.len() & !15);
        self.update(key, acc, whole);
        if !rest.is_empty() {
            let mut block = [0; 16];
            block[..rest.len()].copy_from_slice(rest);
            self.update(key, acc, &block);
            block.zeroize();
        }
    }

    /// The hash of a message: AAD and ciphertext, both filled up with zeros to whole blocks, and their lengths.
    ///
    /// An engine whose calls cost much overrides it to put parts together.
    #[cfg(feature = "sgcm")]
    #[inline(always)]
    fn message(self, key: &Self::Key, aad: &[u8], ciphertext: &[u8]) -> F::Acc {
        let mut acc = F::Acc::default();
        self.absorb(key, &mut acc, aad);
        self.absorb(key, &mut acc, ciphertext);
        let lengths = length_block(aad.len() as u64, ciphertext.len() as u64);
        self.update(key, &mut acc, &lengths);
        acc
    }
}

/// What an AEAD mode holds: both keys.
pub struct Keys<E: Cipher<C> + Hash<F>, C: BlockCipher, F: Field> {
    /// Of the cipher.
    pub enc: E::Enc,
    /// Of the hash.
    pub hash: E::Key,
}

impl<E: Cipher<C> + Hash<F>, C: BlockCipher, F: Field> Default for Keys<E, C, F> {
    /// Without a key yet.
    #[inline(always)]
    fn default() -> Self {
        Self {
            enc: E::Enc::default(),
            hash: E::Key::default(),
        }
    }
}

impl<E: Cipher<C> + Hash<F>, C: BlockCipher, F: Field> Clone for Keys<E, C, F> {
    fn clone(&self) -> Self {
        Self {
            enc: self.enc.clone(),
            hash: self.hash.clone(),
        }
    }
}

/// A CPU that runs counter mode and the hash as one.
pub trait Aead<C: BlockCipher, F: Field>: Cipher<C> + Hash<F> {
    /// Expands a key of `C::KEY_LEN` bytes: H is the encrypted zero block.
    #[inline(always)]
    fn keys(self, key: &[u8]) -> Keys<Self, C, F> {
        let enc = self.expand(key);
        let mut h = [0; 16];
        self.encrypt_block(&enc, &mut h);
        let hash = self.key(&h);
        h.zeroize();
        Keys { enc, hash }
    }

    /// Expands a key into its place, and leaves nothing of it on the stack.
    #[inline(always)]
    fn set(self, keys: &mut Keys<Self, C, F>, key: &[u8]) {
        secret::then_overwrite_stack::<KEY_FRAMES, _>(|| *keys = self.keys(key));
    }

    /// Keys whose H is not the encrypted zero block: tests choose it.
    #[cfg(test)]
    fn with_h(self, key: &[u8], h: &Block) -> Keys<Self, C, F> {
        Keys {
            enc: self.expand(key),
            hash: self.key(h),
        }
    }

    /// Seals a message (SP 800-38D, algorithm 4).
    ///
    /// * `tag`: a place for the full tag. One that came back would be copied from frame to frame.
    #[inline(always)]
    fn seal(self, keys: &Keys<Self, C, F>, message: Message<'_>, tag: &mut Block) {
        *tag = self.two_pass::<Seal, _>(keys, message, |full| *full);
    }

    /// Opens a message; whether `tag` is its tag (SP 800-38D, algorithm 5).
    ///
    /// The caller wipes the text if not. The right tag leaves no trace: it would be a forgery.
    #[inline(always)]
    fn open(self, keys: &Keys<Self, C, F>, message: Message<'_>, tag: &Tag) -> Choice {
        self.two_pass::<Open, _>(keys, message, |right| {
            secret::equal(right, &tag.bytes, tag.len)
        })
    }

    /// Seals four messages at a time; their full tags are in their places then. `None`, and nothing is written, if the
    /// engine does not do that, or not with these.
    #[inline(always)]
    fn seal_four(self, _keys: &Keys<Self, C, F>, _four: Quad<'_, '_>) -> Option<()> {
        None
    }

    /// Opens four messages at a time; which tags are wrong. `None` as above.
    #[inline(always)]
    fn open_four(self, _keys: &Keys<Self, C, F>, _four: Quad<'_, '_>) -> Option<Failures> {
        None
    }

    /// Seals one message under a new key, of which nothing is left.
    #[inline(always)]
    fn seal_once(self, key: &[u8], message: Message<'_>, tag: &mut Block) {
        secret::then_overwrite_stack::<KEY_FRAMES, _>(|| self.seal(&self.keys(key), message, tag));
    }

    /// Opens one message under a new key, of which nothing is left.
    #[inline(always)]
    fn open_once(self, key: &[u8], message: Message<'_>, tag: &Tag) -> Choice {
        secret::then_overwrite_stack::<KEY_FRAMES, _>(|| self.open(&self.keys(key), message, tag))
    }

    /// Seals or opens whole blocks in the middle of a message: the key stream starts with
    /// `counter`, the ciphertext goes into `acc`.
    #[inline(always)]
    fn segment<D: Direction>(
        self,
        keys: &Keys<Self, C, F>,
        counter: Counter,
        mut text: InOut<'_>,
        acc: &mut F::Acc,
    ) {
        if !D::SEAL {
            self.update(&keys.hash, acc, text.source());
        }
        self.ctr(&keys.enc, counter, text.reborrow());
        if D::SEAL {
            self.update(&keys.hash, acc, text.written());
        }
    }

    /// A message by counter mode and hash one after the other: right for every engine. What `then` makes of its full
    /// tag, which it gets where the stack is overwritten.
    #[inline(always)]
    fn two_pass<D: Direction, T>(
        self,
        keys: &Keys<Self, C, F>,
        message: Message<'_>,
        then: impl FnOnce(&Block) -> T,
    ) -> T {
        let Message { j0, aad, mut text } = message;
        secret::then_overwrite_stack::<FRAMES, _>(move || {
            let lengths = length_block(aad.len() as u64, text.len() as u64);
            let mut acc = F::Acc::default();
            self.absorb(&keys.hash, &mut acc, aad);
            if !D::SEAL {
                self.absorb(&keys.hash, &mut acc, text.source());
            }
            let mut mask = self.mask_and_ctr(&keys.enc, j0, text.reborrow());
            if D::SEAL {
                self.absorb(&keys.hash, &mut acc, text.written());
            }
            self.update(&keys.hash, &mut acc, &lengths);
            let mut tag = self.finish(&keys.hash, acc);
            xor_into(&mut tag, &mask);
            mask.zeroize();
            then(&tag)
        })
    }
}

/// Up to a block of bytes, zeros behind them: by loads that overlap, as a copy of a few bytes is a call.
#[inline(always)]
pub fn padded(bytes: &[u8]) -> Block {
    let len = bytes.len();
    let word = if let Some(block) = bytes.first_chunk() {
        u128::from_le_bytes(*block)
    } else if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let tail = u128::from(u64::from_le_bytes(*tail));
        u128::from(u64::from_le_bytes(*head)) | tail << (8 * (len - 8))
    } else {
        u128::from(short_word(bytes))
    };
    word.to_le_bytes()
}

/// `a += b` in GF(2).
#[inline(always)]
pub fn xor_into(a: &mut Block, b: &Block) {
    *a = (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)).to_ne_bytes();
}

#[cfg(test)]
mod tests;
