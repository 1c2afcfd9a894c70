//! Texts of any length in batches: whole ones, and what is left as one that is filled up or block by block, whichever is faster
//! [Seo 2017, table 1].
#![forbid(unsafe_code)]

use super::super::{Block, Counter, InOut};
use super::entries::LeaEntries;
use crate::kernel::lea::RoundKey;
use crate::secret::wipe;
use crate::simd::words::One;

/// The most blocks of a batch.
const MOST: usize = 16;

/// What is done with a text.
pub enum Task<'a> {
    /// Whole blocks are encrypted.
    Encrypt,
    /// They are decrypted.
    Decrypt,
    /// Any number of bytes have the key stream from this block on added to them.
    Ctr(Counter),
    /// Whole blocks of a chain are decrypted; this is the block before them, and then the last of them.
    DecryptCbc(&'a mut Block),
}

impl Task<'_> {
    /// Whole batches.
    fn batches<W: LeaEntries>(&mut self, w: W, keys: &[RoundKey], batches: InOut<'_>) {
        match self {
            Self::Encrypt => w.encrypt(keys, batches),
            Self::Decrypt => w.decrypt(keys, batches),
            Self::Ctr(counter) => {
                #[expect(clippy::cast_possible_truncation, reason = "modulo 2^32")]
                let next = counter.add((batches.len() / 16) as u32);
                w.ctr(keys, *counter, batches);
                *counter = next;
            }
            Self::DecryptCbc(chain) => w.decrypt_cbc(keys, chain, batches),
        }
    }
}

/// What LEA is run by.
pub trait Lanes: Copy + Default + Send + Sync + 'static {
    /// The widest that this CPU has.
    fn find() -> Self;

    /// Runs a task on a text of any length.
    fn run(self, keys: &[RoundKey], task: Task<'_>, text: InOut<'_>);
}

/// `always! { Token }`: what every CPU of the target has.
macro_rules! always {
    ($Token:ty) => {
        impl Lanes for $Token {
            fn find() -> Self {
                Self
            }
            fn run(self, keys: &[RoundKey], task: Task<'_>, text: InOut<'_>) {
                run(self, keys, task, text);
            }
        }
    };
}

always! { One }
#[cfg(any(
    all(carryless_fused, target_arch = "x86_64"),
    all(carryless_a64, target_endian = "little")
))]
always! { crate::simd::words::Base }

#[cfg(all(carryless_fused, target_arch = "x86_64"))]
pub use self::found::Found;

#[cfg(all(carryless_fused, target_arch = "x86_64"))]
mod found {
    use super::*;
    use crate::simd::words::Base;
    use crate::simd::x86_64::{Avx2, Vaes512};

    /// Vectors that not every CPU of the target has; on others, those that it has.
    #[derive(Clone, Copy)]
    pub struct Found<W>(Option<W>);

    impl<W> Default for Found<W> {
        fn default() -> Self {
            Self(None)
        }
    }

    /// `found! { Token }`
    macro_rules! found {
        ($Token:ty) => {
            impl Lanes for Found<$Token> {
                fn find() -> Self {
                    Self(<$Token>::detect().ok())
                }
                fn run(self, keys: &[RoundKey], task: Task<'_>, text: InOut<'_>) {
                    match self.0 {
                        Some(w) => run(w, keys, task, text),
                        None => run(Base, keys, task, text),
                    }
                }
            }
        };
    }

    found! { Avx2 }
    found! { Vaes512 }
}

/// Whole batches first, then the rest.
///
/// # Constant time
/// Secret: `keys`, what the task has, the text. Public: its length.
fn run<W: LeaEntries>(w: W, keys: &[RoundKey], mut task: Task<'_>, mut text: InOut<'_>) {
    let batch = 16 * W::GROUPS * W::BLOCKS;
    let whole = text.len() / batch * batch;
    if let Some(batches) = text.split_to(whole).filter(|_| whole > 0) {
        task.batches(w, keys, batches);
    }
    let len = match task {
        Task::Ctr(_) => text.len(),
        _ => text.len() & !15,
    };
    let Some(rest) = text.split_to(len).filter(|_| len > 0) else {
        return;
    };
    let (mut room, blocks) = ([[0; 16]; MOST], len.div_ceil(16));
    room.as_flattened_mut()[..len].copy_from_slice(rest.source());
    let last = room[blocks - 1];
    if blocks < W::FEWEST {
        task.batches(
            One,
            keys,
            InOut::in_place(room[..blocks].as_flattened_mut()),
        );
    } else {
        let filled = &mut room.as_flattened_mut()[..batch];
        task.batches(w, keys, InOut::in_place(filled));
    }
    if let Task::DecryptCbc(chain) = task {
        *chain = last;
    }
    rest.into_written()
        .copy_from_slice(&room.as_flattened()[..len]);
    wipe(&mut room);
}
