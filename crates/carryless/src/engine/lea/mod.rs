//! LEA on every engine: the widest vectors that its CPUs have, or plain integers.

mod batches;
mod entries;
mod known;

use zeroize::ZeroizeOnDrop;

use self::batches::{Lanes, Task};
use self::entries::LeaEntries;
#[cfg(carryless_fused)]
use super::Hash;
#[cfg(carryless_a32)]
use super::arm::Assembled;
#[cfg(carryless_fused)]
use super::fused::Fused;
#[cfg(any(carryless_fused, carryless_a32))]
use super::{Aead, Gf128};
use super::{Backend, Block, Cipher, Counter, Decrypt, InOut, Lea128, Lea192, Lea256, Modes};
use crate::kernel::lea::{RoundKey, schedule};
use crate::secret::erase;
use crate::simd::words::{Base, One};
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
use crate::simd::x86_64::{Aesni, Avx, Avx2, Vaes256, Vaes512};
use crate::soft::{Soft32, Soft32Narrow, Soft64, Soft64Words};

/// An engine, by what it runs LEA.
pub trait LeaBackend: Backend {
    /// The vectors.
    type Lanes: Lanes;
}

/// `on! { Engine Lanes, .. }`
macro_rules! on {
    ($($Engine:ty, $Lanes:ty;)+) => {$(
        impl LeaBackend for $Engine {
            type Lanes = $Lanes;
        }
    )+};
}

on! {
    Soft64, Base;
    Soft64Words, One;
    Soft32, One;
    Soft32Narrow, One;
}

// Engines ask for no more of the CPU than AES and hash take: which has AVX2, a key finds out.
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
on! {
    Fused<Vaes512>, batches::Found<Vaes512>;
    Fused<Vaes256>, batches::Found<Avx2>;
    Fused<Avx>, batches::Found<Avx2>;
    Fused<Aesni>, Base;
}

#[cfg(carryless_a64)]
on! {
    Fused<crate::simd::aarch64::Armce3>, Base;
    Fused<crate::simd::aarch64::Armce>, Base;
    crate::soft::Neon, Base;
}

#[cfg(carryless_a32)]
impl<A: crate::asm::Assembly> LeaBackend for Assembled<A> {
    type Lanes = One;
}

/// The round keys, for either direction, and what runs them.
#[derive(Clone)]
pub struct LeaKeys<L, const ROUNDS: usize> {
    round_keys: [RoundKey; ROUNDS],
    lanes: L,
}

impl<L: Lanes, const ROUNDS: usize> LeaKeys<L, ROUNDS> {
    fn new(key: &[u8]) -> Self {
        let mut keys = Self {
            lanes: L::find(),
            ..Self::default()
        };
        schedule::expand(key, &mut keys.round_keys);
        keys
    }
    fn run(&self, task: Task<'_>, text: InOut<'_>) {
        self.lanes.run(&self.round_keys, task, text);
    }
}

impl<L: Lanes, const ROUNDS: usize> Default for LeaKeys<L, ROUNDS> {
    fn default() -> Self {
        Self {
            round_keys: [[0; 6]; ROUNDS],
            lanes: L::default(),
        }
    }
}

impl<L, const ROUNDS: usize> Drop for LeaKeys<L, ROUNDS> {
    fn drop(&mut self) {
        erase(&mut self.round_keys, &[[0; 6]; ROUNDS]);
    }
}

impl<L, const ROUNDS: usize> ZeroizeOnDrop for LeaKeys<L, ROUNDS> {}

/// `ciphers! { Cipher bytes of a key, rounds; .. }`
macro_rules! ciphers {
    ($($Lea:ident $key_len:literal, $rounds:literal;)+) => {$(
        #[cfg(feature = "hazmat")]
        impl $Lea {
            /// The round keys, six words for each round in the order in which KS X 3246 has them: to compare a key schedule.
            ///
            /// They are as secret as the key, and nobody wipes them but the caller.
            pub fn round_keys(key: &[u8; $key_len]) -> [[u32; 6]; $rounds] {
                let mut round_keys = [[0; 6]; $rounds];
                schedule::expand(key, &mut round_keys);
                round_keys
            }
        }

        impl<E: LeaBackend> Cipher<$Lea> for E {
            type Enc = LeaKeys<E::Lanes, $rounds>;

            fn expand(self, key: &[u8]) -> Self::Enc {
                LeaKeys::new(key)
            }
            fn encrypt(self, keys: &Self::Enc, blocks: InOut<'_>) {
                keys.run(Task::Encrypt, blocks);
            }
            fn ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
                keys.run(Task::Ctr(counter), text);
            }
            fn encrypt_block(self, keys: &Self::Enc, block: &mut Block) {
                One.encrypt(&keys.round_keys, InOut::in_place(block));
            }
        }

        impl<E: LeaBackend> Decrypt<$Lea> for E {
            type Dec = <Self as Cipher<$Lea>>::Enc;

            fn expand_inverse(self, key: &[u8]) -> Self::Dec {
                LeaKeys::new(key)
            }
            fn decrypt(self, keys: &Self::Dec, blocks: InOut<'_>) {
                keys.run(Task::Decrypt, blocks);
            }
        }

        impl<E: LeaBackend> Modes<$Lea> for E {
            fn decrypt_cbc(self, keys: &Self::Dec, chain: &mut Block, text: InOut<'_>) {
                keys.run(Task::DecryptCbc(chain), text);
            }
        }

        #[cfg(carryless_fused)]
        impl<E> Aead<$Lea, Gf128> for Fused<E> where Self: LeaBackend + Hash<Gf128> {}

        #[cfg(carryless_a32)]
        impl<A: crate::asm::Assembly> Aead<$Lea, Gf128> for Assembled<A> {}
    )+};
}

ciphers! { Lea128 16, 24; Lea192 24, 28; Lea256 32, 32; }
