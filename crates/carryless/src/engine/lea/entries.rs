//! The entry points of LEA, which take whole batches.
#![cfg_attr(
    all(carryless_fused, target_arch = "x86_64"),
    allow(unsafe_code, reason = "only by the entry macros of `simd::token`")
)]

use super::super::{Block, Counter, InOut};
use crate::kernel::lea::{self, RoundKey};
use crate::secret::then_overwrite_stack;
use crate::simd::words::{One, Words};

/// How many blocks go together.
pub trait Batch: Copy {
    /// Blocks of a batch.
    const BATCH: usize;
    /// Blocks that entries take as well.
    const GROUP: usize = Self::BATCH;
    /// The fewest blocks that are worth a group, though they don't fill it; fewer go one by one.
    const FEWEST: usize;
}

impl<W: Words> Batch for W {
    const BATCH: usize = W::GROUPS * W::BLOCKS;
    const FEWEST: usize = W::FEWEST;
}

/// Entries that encrypt and decrypt whole batches and groups, under a key of any size.
pub trait LeaEntries: Batch {
    /// Encrypts them.
    fn encrypt(self, keys: &[RoundKey], batches: InOut<'_>);
    /// Decrypts them.
    fn decrypt(self, keys: &[RoundKey], batches: InOut<'_>);
    /// XORs the key stream from the block `counter` on into them; `counter` is then that of the block behind them. It is
    /// not copied to where nothing is overwritten: under a nonce that was hashed it is a secret.
    fn ctr(self, keys: &[RoundKey], counter: &mut Counter, batches: InOut<'_>);
    /// Decrypts them as a chain.
    fn decrypt_cbc(self, keys: &[RoundKey], chain: &mut Block, batches: InOut<'_>);
}

/// Entries that ask for nothing beyond what the build is for; `FRAMES` bytes of stack are overwritten behind them.
macro_rules! always_entries {
    ($Token:ident $FRAMES:literal) => {
        impl LeaEntries for $Token {
            fn encrypt(self, keys: &[RoundKey], batches: InOut<'_>) {
                then_overwrite_stack::<$FRAMES, _>(|| {
                    lea::encrypt::<_, { <$Token as Words>::GROUPS }>(self, keys, batches);
                });
            }
            fn decrypt(self, keys: &[RoundKey], batches: InOut<'_>) {
                then_overwrite_stack::<$FRAMES, _>(|| {
                    lea::decrypt::<_, { <$Token as Words>::GROUPS }>(self, keys, batches);
                });
            }
            fn ctr(self, keys: &[RoundKey], counter: &mut Counter, batches: InOut<'_>) {
                then_overwrite_stack::<$FRAMES, _>(|| {
                    lea::ctr::<_, { <$Token as Words>::GROUPS }>(self, keys, counter, batches);
                });
            }
            fn decrypt_cbc(self, keys: &[RoundKey], chain: &mut Block, batches: InOut<'_>) {
                then_overwrite_stack::<$FRAMES, _>(|| {
                    lea::decrypt_cbc::<_, { <$Token as Words>::GROUPS }>(
                        self, keys, chain, batches,
                    );
                });
            }
        }
    };
}

always_entries!(One 256);

#[cfg(any(
    all(carryless_fused, target_arch = "x86_64"),
    all(carryless_a64, target_endian = "little")
))]
mod base {
    use super::*;
    use crate::simd::words::Base;

    always_entries!(Base 512);
}

#[cfg(all(carryless_fused, target_arch = "x86_64"))]
mod x86_64 {
    use super::*;
    use crate::simd::x86_64::{avx2_entry, vaes512_entry};

    /// `entries! { token_entry }`
    macro_rules! entries {
        ($($entry:ident)+) => {$(
            $entry! {
                impl LeaEntries {
                    fn encrypt(keys: &[RoundKey], batches: InOut<'_>) = lea::encrypt::<_, 1>;
                    fn decrypt(keys: &[RoundKey], batches: InOut<'_>) = lea::decrypt::<_, 1>;
                    fn ctr(keys: &[RoundKey], counter: &mut Counter, batches: InOut<'_>) = lea::ctr::<_, 1>;
                    fn decrypt_cbc(keys: &[RoundKey], chain: &mut Block, batches: InOut<'_>) = lea::decrypt_cbc::<_, 1>;
                }
            }
        )+};
    }

    entries! { avx2_entry vaes512_entry }
}

#[cfg(carryless_a32)]
mod a32 {
    use super::*;
    use crate::asm::Neon32;
    use crate::simd::tuning;

    /// Bytes of stack that are overwritten behind assembly: what it saves of registers, and a counter block.
    const SAVED: usize = 192;

    impl Batch for Neon32 {
        /// As in [Seo 2017, section 3].
        const BATCH: usize = 12;
        const GROUP: usize = 4;
        const FEWEST: usize = tuning::LEA_NEON;
    }

    impl LeaEntries for Neon32 {
        fn encrypt(self, keys: &[RoundKey], batches: InOut<'_>) {
            then_overwrite_stack::<SAVED, _>(|| self.encrypt_lea(keys, None, batches));
        }
        fn decrypt(self, keys: &[RoundKey], batches: InOut<'_>) {
            then_overwrite_stack::<SAVED, _>(|| self.decrypt_lea(keys, None, batches));
        }
        fn ctr(self, keys: &[RoundKey], counter: &mut Counter, batches: InOut<'_>) {
            then_overwrite_stack::<SAVED, _>(|| self.encrypt_lea(keys, Some(counter), batches));
        }
        fn decrypt_cbc(self, keys: &[RoundKey], chain: &mut Block, batches: InOut<'_>) {
            then_overwrite_stack::<SAVED, _>(|| self.decrypt_lea(keys, Some(chain), batches));
        }
    }
}
