//! LEA on every engine: the widest vectors that its CPUs have, or plain integers.

mod batches;
mod entries;
mod known;

use zeroize::ZeroizeOnDrop;

use self::batches::Task;
use self::entries::LeaEntries;
#[cfg(carryless_a32)]
use super::arm::Assembled;
#[cfg(carryless_fused)]
use super::fused::Fused;
#[cfg(any(carryless_fused, carryless_a32))]
use super::{Aead, Gf128};
use super::{
    Backend, Block, Cipher, Counter, Decrypt, Hash, InOut, Lea128, Lea192, Lea256, Modes, Polyval,
    Siv,
};
#[cfg(carryless_a32)]
use crate::asm::{Assembly, Neon32};
use crate::kernel::lea::{RoundKey, schedule};
use crate::secret::erase;
use crate::simd::words::{Base, One};
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
use crate::simd::x86_64::{Aesni, Avx, Avx2, Vaes256, Vaes512};
use crate::soft::{Soft32, Soft32Narrow, Soft64, Soft64Words};

/// An engine, by what it runs LEA.
pub trait LeaBackend: Backend {
    /// Runs a task on a text of any length.
    fn run(self, keys: &[RoundKey], task: Task<'_>, text: InOut<'_>);
}

/// `on! { Engine, |self| lanes; .. }`
macro_rules! on {
    ($($Engine:ty, |$self:ident| $lanes:expr;)+) => {$(
        impl LeaBackend for $Engine {
            fn run($self, keys: &[RoundKey], task: Task<'_>, text: InOut<'_>) {
                batches::run($lanes, keys, task, text);
            }
        }
    )+};
}

on! {
    Soft64, |self| Base;
    Soft64Words, |self| One;
    Soft32, |self| One;
    Soft32Narrow, |self| One;
}

#[cfg(all(carryless_fused, target_arch = "x86_64"))]
on! {
    Fused<Vaes512>, |self| self.0;
    Fused<Vaes256>, |self| Avx2::from(self.0);
    Fused<Aesni>, |self| Base;
}

/// It asks for no more of the CPU than AES and hash take: so whether there is AVX2 is found out.
#[cfg(all(carryless_fused, target_arch = "x86_64"))]
impl LeaBackend for Fused<Avx> {
    fn run(self, keys: &[RoundKey], task: Task<'_>, text: InOut<'_>) {
        match Avx2::detect() {
            Ok(lanes) => batches::run(lanes, keys, task, text),
            Err(_) => batches::run(Base, keys, task, text),
        }
    }
}

#[cfg(carryless_a64)]
on! {
    Fused<crate::simd::aarch64::Armce3>, |self| Base;
    Fused<crate::simd::aarch64::Armce>, |self| Base;
    crate::soft::Neon, |self| Base;
}

#[cfg(carryless_a32)]
impl<A: Assembly> LeaBackend for Assembled<A> {
    fn run(self, keys: &[RoundKey], task: Task<'_>, text: InOut<'_>) {
        let lanes: Neon32 = self.0.into();
        batches::run(lanes, keys, task, text);
    }
}

/// The round keys, for either direction.
#[derive(Clone)]
pub struct LeaKeys<const ROUNDS: usize>([RoundKey; ROUNDS]);

impl<const ROUNDS: usize> LeaKeys<ROUNDS> {
    fn new(key: &[u8]) -> Self {
        let mut keys = Self::default();
        schedule::expand(key, &mut keys.0);
        keys
    }
}

impl<const ROUNDS: usize> Default for LeaKeys<ROUNDS> {
    fn default() -> Self {
        Self([[0; 6]; ROUNDS])
    }
}

impl<const ROUNDS: usize> Drop for LeaKeys<ROUNDS> {
    fn drop(&mut self) {
        erase(&mut self.0, &[[0; 6]; ROUNDS]);
    }
}

impl<const ROUNDS: usize> ZeroizeOnDrop for LeaKeys<ROUNDS> {}

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
            type Enc = LeaKeys<$rounds>;

            fn expand(self, key: &[u8]) -> Self::Enc {
                LeaKeys::new(key)
            }
            fn encrypt(self, keys: &Self::Enc, blocks: InOut<'_>) {
                self.run(&keys.0, Task::Encrypt, blocks);
            }
            fn ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
                self.run(&keys.0, Task::Ctr(counter), text);
            }
            fn encrypt_block(self, keys: &Self::Enc, block: &mut Block) {
                One.encrypt(&keys.0, InOut::in_place(block));
            }
        }

        impl<E: LeaBackend> Decrypt<$Lea> for E {
            type Dec = <Self as Cipher<$Lea>>::Enc;

            fn expand_inverse(self, key: &[u8]) -> Self::Dec {
                LeaKeys::new(key)
            }
            fn decrypt(self, keys: &Self::Dec, blocks: InOut<'_>) {
                self.run(&keys.0, Task::Decrypt, blocks);
            }
        }

        impl<E: LeaBackend + Hash<Polyval>> Siv<$Lea> for E {}

        impl<E: LeaBackend> Modes<$Lea> for E {
            fn decrypt_cbc(self, keys: &Self::Dec, chain: &mut Block, text: InOut<'_>) {
                self.run(&keys.0, Task::DecryptCbc(chain), text);
            }
        }

        #[cfg(carryless_fused)]
        impl<E> Aead<$Lea, Gf128> for Fused<E> where Self: LeaBackend + Hash<Gf128> {}

        #[cfg(carryless_a32)]
        impl<A: crate::asm::Assembly> Aead<$Lea, Gf128> for Assembled<A> {}
    )+};
}

ciphers! { Lea128 16, 24; Lea192 24, 28; Lea256 32, 32; }
