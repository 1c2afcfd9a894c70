//! The engines of AArch32, which are made of assembly.
#![forbid(unsafe_code)]

use zeroize::ZeroizeOnDrop;

use super::blocks::{ctr_little, decrypt_cbc, encrypt_cbc, mac_cbc, tweaked};
use super::polyval;
use super::{
    Aead, Aes128, Aes192, Aes256, Backend, Block, Cipher, Counter, Decrypt, Direction, Failures,
    Features, Gf128, Hash, InOut, Keys, LittleCounter, Message, Missing, Modes, Open, Polyval,
    Quad, Seal, Siv, Tag,
};
use crate::asm::Assembly;
use crate::secret::{Choice, erase, then_overwrite_stack};

/// Bytes of stack that making a key takes, beside the frames of assembly, which are zero behind it.
const KEY_FRAMES: usize = 1536;

/// Bytes of stack that a shift of the hash takes: keys of two powers beside that.
const SHIFT_FRAMES: usize = 8 * 1024;

/// The round keys of AES with `K - 1` rounds.
#[derive(Clone)]
pub struct Enc<A: Assembly, const K: usize>([A::RoundKey; K]);

impl<A: Assembly, const K: usize> Default for Enc<A, K> {
    fn default() -> Self {
        Self([A::NO_KEY; K])
    }
}

impl<A: Assembly, const K: usize> Drop for Enc<A, K> {
    fn drop(&mut self) {
        erase(&mut self.0, &[A::NO_KEY; K]);
    }
}

impl<A: Assembly, const K: usize> ZeroizeOnDrop for Enc<A, K> {}

/// The powers of the hash key.
#[derive(Clone)]
pub struct HashKey<A: Assembly>(A::Powers);

impl<A: Assembly> Default for HashKey<A> {
    fn default() -> Self {
        Self(A::NO_POWERS)
    }
}

impl<A: Assembly> Drop for HashKey<A> {
    fn drop(&mut self) {
        erase(&mut self.0, &A::NO_POWERS);
    }
}

impl<A: Assembly> ZeroizeOnDrop for HashKey<A> {}

impl<A: Assembly> HashKey<A> {
    /// Of the element `x` in place of H.
    fn new(engine: A, x: &Block) -> Self {
        let mut key = Self::default();
        engine.powers(x, &mut key.0);
        key
    }

    /// `x` times H.
    fn product(&self, engine: A, x: &mut Block) {
        engine.hash(&self.0, x, &[0; 16]);
    }

    /// `acc` times `H^blocks`: square and multiply, from the lowest bit up.
    fn shift(&self, engine: A, acc: &mut Block, mut blocks: u64) {
        /// The element 1.
        const ONE: Block = (1u128 << 127).to_be_bytes();
        let mut square = ONE;
        self.product(engine, &mut square);
        while blocks != 0 {
            let power = Self::new(engine, &square);
            if blocks & 1 == 1 {
                power.product(engine, acc);
            }
            blocks >>= 1;
            power.product(engine, &mut square);
        }
    }
}

/// The engine that `A` is for.
#[derive(Clone, Copy)]
pub struct Assembled<A: Assembly>(pub(super) A);

impl<A: Assembly> Backend for Assembled<A> {
    const NAME: &'static str = A::NAME;

    const FEATURES: Features = A::FEATURES;

    #[inline(always)]
    fn detect() -> Result<Self, Missing> {
        A::detect().map(Self)
    }
}

impl<A: Assembly> Hash<Gf128> for Assembled<A> {
    type Key = HashKey<A>;

    fn key(self, h: &Block) -> Self::Key {
        HashKey::new(self.0, h)
    }
    fn update(self, key: &Self::Key, acc: &mut u128, blocks: &[u8]) {
        Hash::<Gf128>::absorb(self, key, acc, blocks);
    }
    fn absorb(self, key: &Self::Key, acc: &mut u128, data: &[u8]) {
        A::then_overwrite_stack(|| {
            let mut block = acc.to_be_bytes();
            self.0.hash(&key.0, &mut block, data);
            *acc = u128::from_be_bytes(block);
        });
    }
    fn shift(self, key: &Self::Key, acc: &mut u128, blocks: u64) {
        then_overwrite_stack::<SHIFT_FRAMES, _>(|| {
            let mut block = acc.to_be_bytes();
            key.shift(self.0, &mut block, blocks);
            *acc = u128::from_be_bytes(block);
        });
    }
    #[inline(always)]
    fn finish(self, _key: &Self::Key, acc: u128) -> Block {
        acc.to_be_bytes()
    }
}

impl<A: Assembly> Hash<Polyval> for Assembled<A> {
    type Key = HashKey<A>;

    fn key(self, h: &Block) -> Self::Key {
        HashKey::new(self.0, &polyval::key_of_ghash(h))
    }
    fn update(self, key: &Self::Key, acc: &mut u128, blocks: &[u8]) {
        if !A::POLYVAL {
            return polyval::update(self, key, acc, blocks);
        }
        A::then_overwrite_stack(|| {
            let mut block = acc.to_be_bytes();
            self.0.polyval(&key.0, &mut block, blocks);
            *acc = u128::from_be_bytes(block);
        });
    }
    fn shift(self, key: &Self::Key, acc: &mut u128, blocks: u64) {
        Hash::<Gf128>::shift(self, key, acc, blocks);
    }
    #[inline(always)]
    fn finish(self, _key: &Self::Key, acc: u128) -> Block {
        acc.to_le_bytes()
    }
}

/// `ciphers! { Cipher keys, .. }`: ciphers with so many round keys.
macro_rules! ciphers {
    ($($Cipher:ident $keys:literal,)+) => {$(
        impl<A: Assembly> Cipher<$Cipher> for Assembled<A> {
            type Enc = Enc<A, $keys>;

            fn expand(self, key: &[u8]) -> Self::Enc {
                let mut enc = Enc::default();
                self.0.expand(key, &mut enc.0);
                enc
            }
            fn encrypt(self, keys: &Self::Enc, blocks: InOut<'_>) {
                self.0.encrypt(&keys.0, blocks);
            }
            fn ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
                A::then_overwrite_stack(move || self.0.ctr(&keys.0, counter, text, None));
            }
        }

        impl<A: Assembly> Decrypt<$Cipher> for Assembled<A> {
            type Dec = Enc<A, $keys>;

            fn expand_inverse(self, key: &[u8]) -> Self::Dec {
                let mut dec = Enc::default();
                self.0.expand_inverse(key, &mut dec.0);
                dec
            }
            fn decrypt(self, keys: &Self::Dec, blocks: InOut<'_>) {
                self.0.decrypt(&keys.0, blocks);
            }
        }

        impl<A: Assembly> Modes<$Cipher> for Assembled<A> {
            fn public_ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
                A::then_overwrite_stack(move || self.0.public_ctr(&keys.0, counter, text));
            }
            fn ctr_little(self, keys: &Self::Enc, mut counter: LittleCounter, mut text: InOut<'_>) {
                let (mut block, whole) = (counter.to_block(), text.len() & !15);
                if whole > 0
                    && let Some(blocks) = text.reborrow().split_to(whole)
                    && self.0.ctr_little(&keys.0, &mut block, blocks).is_some()
                {
                    counter = LittleCounter::from_block(&block);
                    text.split_to(whole);
                }
                ctr_little(&|blocks| self.0.encrypt(&keys.0, blocks), counter, text);
            }
            fn encrypt_cbc(self, keys: &Self::Enc, chain: &mut Block, mut text: InOut<'_>) {
                if self.0.encrypt_cbc(&keys.0, chain, text.reborrow()).is_none() {
                    encrypt_cbc(&|block| Cipher::<$Cipher>::encrypt_block(self, keys, block), chain, text);
                }
            }
            fn mac_cbc(self, keys: &Self::Enc, chain: &mut Block, data: &[u8]) {
                if self.0.mac_cbc(&keys.0, chain, data).is_none() {
                    mac_cbc(&|block| Cipher::<$Cipher>::encrypt_block(self, keys, block), chain, data);
                }
            }
            fn decrypt_cbc(self, keys: &Self::Dec, chain: &mut Block, mut text: InOut<'_>) {
                if self.0.decrypt_cbc(&keys.0, chain, text.reborrow()).is_none() {
                    decrypt_cbc(&|blocks| self.0.decrypt(&keys.0, blocks), chain, text);
                }
            }
            fn encrypt_xts(self, keys: &Self::Enc, tweak: &mut Block, mut text: InOut<'_>) {
                if self.0.encrypt_xts(&keys.0, tweak, text.reborrow()).is_none() {
                    tweaked(&|blocks| self.0.encrypt(&keys.0, blocks), tweak, text);
                }
            }
            fn decrypt_xts(self, keys: &Self::Dec, tweak: &mut Block, mut text: InOut<'_>) {
                if self.0.decrypt_xts(&keys.0, tweak, text.reborrow()).is_none() {
                    tweaked(&|blocks| self.0.decrypt(&keys.0, blocks), tweak, text);
                }
            }
        }

        impl<A: Assembly> Siv<$Cipher> for Assembled<A> {}

        impl<A: Assembly> Aead<$Cipher, Gf128> for Assembled<A> {
            fn set(self, keys: &mut Keys<Self, $Cipher, Gf128>, key: &[u8]) {
                then_overwrite_stack::<KEY_FRAMES, _>(move || {
                    let mut h = [0; 16];
                    self.0.expand(key, &mut keys.enc.0);
                    self.0.encrypt(&keys.enc.0, InOut::in_place(&mut h));
                    self.0.powers(&h, &mut keys.hash.0);
                });
            }

            #[inline(always)]
            fn seal(self, keys: &Keys<Self, $Cipher, Gf128>, message: Message<'_>, tag: &mut Block) {
                self.0.seal((&keys.enc.0, &keys.hash.0), message, tag);
            }

            #[inline(always)]
            fn open(self, keys: &Keys<Self, $Cipher, Gf128>, message: Message<'_>, tag: &Tag) -> Choice {
                self.0.open((&keys.enc.0, &keys.hash.0), message, tag)
            }

            fn seal_four(self, keys: &Keys<Self, $Cipher, Gf128>, four: Quad<'_, '_>) -> Option<()> {
                self.0.four::<Seal>((&keys.enc.0, &keys.hash.0), four)
            }
            fn open_four(self, keys: &Keys<Self, $Cipher, Gf128>, four: Quad<'_, '_>) -> Option<Failures> {
                self.0.four::<Open>((&keys.enc.0, &keys.hash.0), four)
            }

            fn segment<D: Direction>(
                self,
                keys: &Keys<Self, $Cipher, Gf128>,
                counter: Counter,
                text: InOut<'_>,
                acc: &mut u128,
            ) {
                let keys = (&keys.enc.0[..], &keys.hash.0);
                A::then_overwrite_stack(move || {
                    let mut block = acc.to_be_bytes();
                    self.0.text(keys, counter, text, D::SEAL, &mut block);
                    *acc = u128::from_be_bytes(block);
                });
            }
        }
    )+};
}

ciphers! { Aes128 11, Aes192 13, Aes256 15, }
