//! Portable AES and GHASH: any word size, any endianness, no instruction that a CPU may lack.
//!
//! * [`aes`]: fixsliced, eight blocks in 128-bit vectors where the target always has them, otherwise
//!   four in 64-bit or two in 32-bit words. Its S-box is a circuit ([`sbox`]), also in the key schedule
//!   ([`schedule`]).
//! * [`ghash`]: integer multiplication with holes, by words of 64, 32 or 16 bits.
//! * `prime`: the hash of SGCM.
//!
//! A [`Form`] puts them together. No table is indexed and no branch taken by a secret. One thing is up to
//! the CPU: its multiplier must take the same time for all operands that a form hands to it.
//!
//! On AArch64 there is one form more, which is not portable: planes and products of bytes by instructions of NEON, counter
//! mode in groups (`groups`), and single blocks by look-ups in registers (`single`).
//!
//! This module knows nothing of engines and modes: `engine::soft` joins them.
#![forbid(unsafe_code)]

mod aes;
#[cfg(carryless_a64)]
mod batches;
pub mod four;
mod ghash;
#[cfg(carryless_a64)]
mod groups;
mod inverse;
mod message;
#[cfg(feature = "sgcm")]
pub mod prime;
mod sbox;
mod schedule;
#[cfg(carryless_a64)]
mod single;

use crate::block::{Block, Counter};
use crate::simd::{self, InOut, Planes};

pub use aes::add_stream;
#[cfg(carryless_a32)]
pub use aes::xor;
#[cfg(carryless_a64)]
pub use ghash::By8;
pub use ghash::{By16, By32, By64, HashKey, Hasher, Multiplier};
pub use message::tag;
use schedule::RoundKey;
pub use schedule::{Enc, Word};
#[cfg(carryless_a32)]
pub use schedule::{MAX_WORDS, expand};

/// The portable engine on the widest planes that the target always has.
#[derive(Clone, Copy)]
pub struct Soft64;

/// The portable engine on 64-bit words alone.
#[derive(Clone, Copy)]
pub struct Soft64Words;

/// The portable engine on 32-bit words, with products of 64 bits.
#[derive(Clone, Copy)]
pub struct Soft32;

/// The portable engine on 32-bit words, with products of 16-bit words alone.
#[derive(Clone, Copy)]
pub struct Soft32Narrow;

/// The engine of AArch64 without AES and PMULL: as these it is fixsliced, and it hashes by products of bytes.
#[cfg(carryless_a64)]
#[derive(Clone, Copy)]
pub struct Neon;

/// All of them: what the forms differ in.
pub trait Form: Copy {
    /// What the round keys are kept in.
    type Word: Word;
    /// The planes of the AES.
    type Planes: Planes<Word = Self::Word>;
    /// The products of GHASH.
    type Multiplier: Multiplier;
    /// The products of the hash of SGCM.
    #[cfg(feature = "sgcm")]
    const PRIME: prime::Form = prime::Form::NATIVE;
    /// Blocks before J0 in the first batch of a message alone, for nothing.
    const BEFORE_J0: usize = 0;

    /// [`Enc::mask_and_ctr`].
    fn mask_and_ctr(keys: &[RoundKey<Self::Word>], j0: Counter, text: InOut<'_>) -> Block {
        let mut mask = [0; 16];
        aes::ctr::<Self::Planes>(keys, j0, text, Some(&mut mask));
        mask
    }

    /// [`Enc::encrypt_block`].
    fn encrypt_block(keys: &[RoundKey<Self::Word>], block: &mut Block) {
        aes::encrypt::<Self::Planes>(keys, InOut::in_place(block));
    }

    /// [`Enc::encrypt_cbc`].
    fn encrypt_cbc(keys: &[RoundKey<Self::Word>], chain: &mut Block, mut text: InOut<'_>) {
        while let Some(mut block) = text.split_to(16) {
            *chain = aes::xor(*chain, block.get(0));
            Self::encrypt_block(keys, chain);
            block.set(0, chain);
        }
    }

    /// [`Enc::mac_cbc`].
    fn mac_cbc(keys: &[RoundKey<Self::Word>], chain: &mut Block, data: &[u8]) {
        for block in data.as_chunks().0 {
            *chain = aes::xor(*chain, *block);
            Self::encrypt_block(keys, chain);
        }
    }
}

impl Form for Soft64 {
    type Word = u64;
    type Planes = simd::Wide;
    type Multiplier = By64;
}

impl Form for Soft64Words {
    type Word = u64;
    type Planes = u64;
    type Multiplier = By64;
}

impl Form for Soft32 {
    type Word = u32;
    type Planes = u32;
    type Multiplier = By32;
    #[cfg(feature = "sgcm")]
    const PRIME: prime::Form = prime::Form::Fold32;
}

impl Form for Soft32Narrow {
    type Word = u32;
    type Planes = u32;
    type Multiplier = By16;
    #[cfg(feature = "sgcm")]
    const PRIME: prime::Form = prime::Form::Fold16;
}

#[cfg(carryless_a64)]
impl<const K: usize> Enc<simd::NeonPlanes, K> {
    /// [`Enc::ctr`] from a public counter.
    ///
    /// # Constant time
    /// Secret: `self`, `text`. Public: `counter`, the length of the text.
    pub fn public_ctr(&self, counter: Counter, text: InOut<'_>) {
        groups::ctr(&self.0, counter, text);
    }

    /// Decrypts a chain of whole blocks (CBC, SP 800-38A section 6.2); `chain` is the block before the first, and then the last.
    ///
    /// # Constant time
    /// Secret: `self`, `chain`, `text`. Public: the length of the text.
    pub fn decrypt_cbc(&self, chain: &mut Block, text: InOut<'_>) {
        batches::decrypt_cbc(&self.0, chain, text);
    }

    /// Encrypts or decrypts whole blocks under tweaks (XTS, IEEE 1619 section 5.3); `tweak` is that of the first, and then that of the
    /// one behind the last.
    ///
    /// # Constant time
    /// Secret: `self`, `tweak`, `text`. Public: the length of the text.
    pub fn xts<const DECRYPT: bool>(&self, tweak: &mut Block, text: InOut<'_>) {
        batches::xts::<DECRYPT>(&self.0, tweak, text);
    }
}

#[cfg(carryless_a64)]
impl Form for Neon {
    type Word = simd::NeonPlanes;
    type Planes = simd::NeonPlanes;
    type Multiplier = By8;
    const BEFORE_J0: usize = 1;

    fn mask_and_ctr(keys: &[RoundKey<Self::Word>], j0: Counter, text: InOut<'_>) -> Block {
        groups::mask_and_ctr(keys, j0, text)
    }

    fn encrypt_block(keys: &[RoundKey<Self::Word>], block: &mut Block) {
        single::encrypt_block(keys, block);
    }

    fn encrypt_cbc(keys: &[RoundKey<Self::Word>], chain: &mut Block, text: InOut<'_>) {
        single::encrypt_cbc(keys, chain, text);
    }

    fn mac_cbc(keys: &[RoundKey<Self::Word>], chain: &mut Block, data: &[u8]) {
        single::mac_cbc(keys, chain, data);
    }
}

impl<W: Word, const K: usize> Enc<W, K> {
    /// Encrypts whole blocks; bytes beyond the last whole block stay as they are.
    ///
    /// # Constant time
    /// Secret: `self`, `text`. Public: the length of the text.
    pub fn encrypt<F: Form<Word = W>>(&self, text: InOut<'_>) {
        aes::encrypt::<F::Planes>(&self.0, text);
    }

    /// Encrypts the first `count` blocks where they stand, and those behind them that fill their last batch, of seven at
    /// least that are there.
    ///
    /// # Constant time
    /// Secret: `self`, `blocks`. Public: how many.
    pub fn encrypt_batches<F: Form<Word = W>>(&self, blocks: &mut [Block], count: usize) {
        aes::encrypt_batches::<F::Planes>(&self.0, blocks, count);
    }

    /// Encrypts one block.
    ///
    /// # Constant time
    /// Secret: `self`, `block`.
    pub fn encrypt_block<F: Form<Word = W>>(&self, block: &mut Block) {
        F::encrypt_block(&self.0, block);
    }

    /// Encrypts a chain of whole blocks (CBC, SP 800-38A section 6.2); `chain` is the block before the first, and then the last.
    ///
    /// # Constant time
    /// Secret: `self`, `chain`, `text`. Public: the length of the text.
    pub fn encrypt_cbc<F: Form<Word = W>>(&self, chain: &mut Block, text: InOut<'_>) {
        F::encrypt_cbc(&self.0, chain, text);
    }

    /// The last block of a chain (SP 800-38B section 6.2), from `chain` on.
    ///
    /// # Constant time
    /// Secret: `self`, `chain`, `data`. Public: the length of the data.
    pub fn mac_cbc<F: Form<Word = W>>(&self, chain: &mut Block, data: &[u8]) {
        F::mac_cbc(&self.0, chain, data);
    }

    /// Decrypts whole blocks; bytes beyond the last whole block stay as they are.
    ///
    /// # Constant time
    /// Secret: `self`, `text`. Public: the length of the text.
    pub fn decrypt<F: Form<Word = W>>(&self, text: InOut<'_>) {
        inverse::decrypt::<F::Planes>(&self.0, text);
    }

    /// XORs the key stream that starts with `counter` into the text, any number of bytes.
    ///
    /// # Constant time
    /// Secret: `self`, `text`, `counter` (it may come from a hashed nonce). Public: the length of the text.
    pub fn ctr<F: Form<Word = W>>(&self, counter: Counter, text: InOut<'_>) {
        aes::ctr::<F::Planes>(&self.0, counter, text, None);
    }

    /// Encrypts the block `j0` and XORs the key stream that starts one further into the text.
    ///
    /// # Constant time
    /// Secret: `self`, `text`, `j0` (it may come from a hashed nonce) but for whether it counts 1, as that of a 12-byte nonce does.
    /// Public: the length of the text.
    pub fn mask_and_ctr<F: Form<Word = W>>(&self, j0: Counter, text: InOut<'_>) -> Block {
        F::mask_and_ctr(&self.0, j0, text)
    }
}

#[cfg(test)]
mod tests;
