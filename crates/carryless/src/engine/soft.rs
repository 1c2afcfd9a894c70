//! The portable engines, and that of NEON, which is made like them.
#![forbid(unsafe_code)]

use super::polyval::{self, by_ghash};
use super::{
    Aead, Aes128, Aes192, Aes256, Backend, Block, BlockCipher, Cipher, Counter, Decrypt, Direction,
    Failures, Features, Gf128, Hash, InOut, Keys, Message, Missing, Modes, Open, Polyval, Quad,
    Seal, Siv,
};
use crate::kernel::batch::Way;
use crate::secret::{then_overwrite_stack, wipe};
use crate::simd::Planes;
#[cfg(carryless_a64)]
use crate::soft::Neon;
use crate::soft::{Enc, Form, HashKey, Soft32, Soft32Narrow, Soft64, Soft64Words, four, tag};

/// Bytes of stack that blocks and counter mode take: the planes of a batch, which the compiler keeps in
/// registers where it can.
const BLOCK_FRAMES: usize = if ON_AARCH64 || cfg!(target_pointer_width = "32") {
    1344
} else {
    640
};

/// There, as where words have 32 bits, the planes of `soft64` and their keys lie on the stack.
const ON_AARCH64: bool = cfg!(target_arch = "aarch64");

/// Bytes of stack that a message takes on words of 64 bits.
const FRAMES_64: usize = if ON_AARCH64 || cfg!(target_pointer_width = "32") {
    3072
} else {
    2368
};

/// Bytes of stack that a shift of the hash takes: a copy of the key beside what a hash takes.
const SHIFT_FRAMES: usize = 5 * 1024;

/// Seals or opens four messages whose counter blocks are fewer batches together.
///
/// * `FRAMES`: bytes of stack that a message takes.
fn together<E, C: BlockCipher, D: Way, const FRAMES: usize>(
    engine: E,
    keys: &Keys<E, C, Gf128>,
    mut messages: Quad<'_, '_>,
) -> Option<D::Answers>
where
    E: Form + Cipher<C> + Hash<Gf128, Key = HashKey<<E as Form>::Multiplier>>,
{
    if const { !four::WORTH_CODE } {
        return None;
    }
    let mut stream = four::NO_STREAM;
    let alone = four::Batches {
        blocks: E::Planes::BLOCKS,
        before_j0: E::BEFORE_J0,
    };
    let blocks = four::counter_blocks(&messages, &mut stream, &alone)?;
    let answers = then_overwrite_stack::<FRAMES, _>(|| {
        engine.encrypt_batches(&keys.enc, &mut stream, blocks);
        four::by_stream::<D>(&mut messages, &stream, |aad, text, stream| {
            tag::<D, _>(&keys.hash, aad, text, |text| four::add(text, stream))
        })
    });
    wipe(&mut stream);
    Some(answers)
}

/// `plain! { Token FEATURES "name" FRAMES }`
///
/// `FEATURES` are what the CPU must have, `NONE` of an engine that is portable.
///
/// `FRAMES` bytes of stack are what a message takes at most: bit planes, products, key stream. They are
/// overwritten behind each call, in place of wiping them one by one, and what is longer than needed
/// costs a cycle for each 32 bytes. What a long message takes beyond that it overwrites itself.
macro_rules! plain {
    (@NONE) => {
        Ok(Self)
    };
    (@$FEATURE:ident) => {
        Features::detect().require(Self::FEATURES).map(|()| Self)
    };
    ($Token:ident $FEATURES:ident $name:literal $FRAMES:expr) => {
        impl Backend for $Token {
            const NAME: &'static str = $name;

            const FEATURES: Features = Features::$FEATURES;

            #[inline(always)]
            fn detect() -> Result<Self, Missing> {
                plain!(@$FEATURES)
            }
        }

        #[cfg(feature = "sgcm")]
        impl super::sghash::Integers for $Token {
            const PRIME: crate::soft::prime::Form = <Self as Form>::PRIME;
        }

        plain!($Token Aes128 11);
        plain!($Token Aes192 13);
        plain!($Token Aes256 15);

        impl Hash<Gf128> for $Token {
            type Key = HashKey<<Self as Form>::Multiplier>;

            fn key(self, h: &Block) -> Self::Key {
                HashKey::new(h)
            }
            fn update(self, key: &Self::Key, acc: &mut u128, blocks: &[u8]) {
                then_overwrite_stack::<{ $FRAMES }, _>(|| key.update(acc, blocks));
            }
            fn shift(self, key: &Self::Key, acc: &mut u128, blocks: u64) {
                then_overwrite_stack::<SHIFT_FRAMES, _>(|| key.shift(acc, blocks));
            }
            #[inline(always)]
            fn finish(self, _key: &Self::Key, acc: u128) -> Block {
                acc.to_be_bytes()
            }
        }

        by_ghash!([] $Token);

        impl<C: BlockCipher> Aead<C, Gf128> for $Token
        where
            Self: Cipher<C>,
        {
            // The stack is overwritten once.
            fn two_pass<D: Direction, T>(
                self,
                keys: &Keys<Self, C, Gf128>,
                message: Message<'_>,
                then: impl FnOnce(&Block) -> T,
            ) -> T {
                // Taken apart here: a message that other code points to is put together in memory,
                // for the other engines too, whose kernels then wait for it.
                let Message { j0, aad, text } = message;
                then_overwrite_stack::<{ $FRAMES }, _>(move || {
                    then(&tag::<D, _>(&keys.hash, aad, text, |text| {
                        self.mask_and_ctr(&keys.enc, j0, text)
                    }))
                })
            }

            fn seal_four(self, keys: &Keys<Self, C, Gf128>, four: Quad<'_, '_>) -> Option<()> {
                together::<_, _, Seal, { $FRAMES }>(self, keys, four)
            }
            fn open_four(self, keys: &Keys<Self, C, Gf128>, four: Quad<'_, '_>) -> Option<Failures> {
                together::<_, _, Open, { $FRAMES }>(self, keys, four)
            }
        }
    };
    ($Token:ident $Cipher:ident $keys:literal) => {
        impl Cipher<$Cipher> for $Token {
            type Enc = Enc<<Self as Form>::Word, $keys>;

            fn expand(self, key: &[u8]) -> Self::Enc {
                Enc::new(key)
            }
            fn encrypt(self, keys: &Self::Enc, blocks: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.encrypt::<Self>(blocks));
            }
            fn encrypt_batches(self, keys: &Self::Enc, blocks: &mut [Block], count: usize) {
                keys.encrypt_batches::<Self>(blocks, count);
            }
            fn ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.ctr::<Self>(counter, text));
            }
            fn mask_and_ctr(self, keys: &Self::Enc, j0: Counter, text: InOut<'_>) -> Block {
                keys.mask_and_ctr::<Self>(j0, text)
            }
            fn encrypt_block(self, keys: &Self::Enc, block: &mut Block) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.encrypt_block::<Self>(block));
            }
        }

        impl Decrypt<$Cipher> for $Token {
            // The planes of a key serve both ways.
            type Dec = <Self as Cipher<$Cipher>>::Enc;

            fn expand_inverse(self, key: &[u8]) -> Self::Dec {
                Enc::new(key)
            }
            fn decrypt(self, keys: &Self::Dec, blocks: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.decrypt::<Self>(blocks));
            }
        }

        impl Siv<$Cipher> for $Token {}
    };
}

#[cfg(carryless_a64)]
plain!(Neon NEON "neon" 1024);
plain!(Soft64 NONE "soft64" FRAMES_64);
plain!(Soft64Words NONE "soft64:words" FRAMES_64);
plain!(Soft32 NONE "soft32" 2816);
plain!(Soft32Narrow NONE "soft32:narrow" 2816);

/// `modes! { Token Cipher { methods } }`: chains, for which the stack is overwritten once, and what an engine has of its own.
macro_rules! modes {
    ($Token:ident) => {
        modes!($Token Aes128 {});
        modes!($Token Aes192 {});
        modes!($Token Aes256 {});
    };
    ($Token:ident $Cipher:ident { $($own:item)* }) => {
        impl Modes<$Cipher> for $Token {
            fn encrypt_cbc(self, keys: &Self::Enc, chain: &mut Block, text: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.encrypt_cbc::<Self>(chain, text));
            }
            fn mac_cbc(self, keys: &Self::Enc, chain: &mut Block, data: &[u8]) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.mac_cbc::<Self>(chain, data));
            }
            $($own)*
        }
    };
}

modes!(Soft64);
modes!(Soft64Words);
modes!(Soft32);
modes!(Soft32Narrow);

/// Those of NEON, whose batches stay in vectors.
#[cfg(carryless_a64)]
macro_rules! neon_modes {
    ($($Cipher:ident)+) => {$(
        modes!(Neon $Cipher {
            fn public_ctr(self, keys: &Self::Enc, counter: Counter, text: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.public_ctr(counter, text));
            }
            fn decrypt_cbc(self, keys: &Self::Dec, chain: &mut Block, text: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.decrypt_cbc(chain, text));
            }
            fn encrypt_xts(self, keys: &Self::Enc, tweak: &mut Block, text: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.xts::<false>(tweak, text));
            }
            fn decrypt_xts(self, keys: &Self::Dec, tweak: &mut Block, text: InOut<'_>) {
                then_overwrite_stack::<BLOCK_FRAMES, _>(|| keys.xts::<true>(tweak, text));
            }
        });
    )+};
}

#[cfg(carryless_a64)]
neon_modes!(Aes128 Aes192 Aes256);
