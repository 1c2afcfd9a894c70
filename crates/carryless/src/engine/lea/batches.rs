//! Texts of any length in batches: whole ones, and what is left as one that is filled up or block by block, whichever is faster
//! [Seo 2017, table 1].
#![forbid(unsafe_code)]

use zeroize::Zeroize;

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
            Self::Ctr(counter) => w.ctr(keys, counter, batches),
            Self::DecryptCbc(chain) => w.decrypt_cbc(keys, chain, batches),
        }
    }
}

/// Whole batches first, with whole groups if what is left then goes block by block; then the rest.
///
/// # Constant time
/// Secret: `keys`, what the task has, the text. Public: its length.
pub fn run<W: LeaEntries>(w: W, keys: &[RoundKey], mut task: Task<'_>, text: InOut<'_>) {
    any_length(w, keys, &mut task, text);
    if let Task::Ctr(counter) = &mut task {
        // Under a nonce that was hashed a counter is a secret: a hash under H, and a number.
        counter.zeroize();
    }
}

fn any_length<W: LeaEntries>(w: W, keys: &[RoundKey], task: &mut Task<'_>, mut text: InOut<'_>) {
    const { assert!(W::BATCH <= MOST) };
    let (batch, group) = (16 * W::BATCH, 16 * W::GROUP);
    let (rest, few) = (text.len() % batch, text.len() % group);
    let filled = few.div_ceil(16) >= W::FEWEST;
    let whole = text.len() - if filled { rest } else { few };
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
    let blocks = len.div_ceil(16);
    if blocks < W::FEWEST {
        return any_length(One, keys, task, rest);
    }
    let mut room = [[0; 16]; MOST];
    room.as_flattened_mut()[..len].copy_from_slice(rest.source());
    // Of ciphertext, and what fills the batch up is behind it.
    let last = matches!(task, Task::DecryptCbc(_)).then(|| room[blocks - 1]);
    let filled = &mut room.as_flattened_mut()[..len.next_multiple_of(group)];
    task.batches(w, keys, InOut::in_place(filled));
    if let (Task::DecryptCbc(chain), Some(last)) = (&mut *task, last) {
        **chain = last;
    }
    rest.into_written()
        .copy_from_slice(&room.as_flattened()[..len]);
    wipe(&mut room);
}
