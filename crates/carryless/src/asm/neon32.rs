//! Bit-sliced AES and products of bytes, for ARMv7 with NEON.

mod keys;

use core::mem::offset_of;
use core::ptr::{null, null_mut};

use self::keys::{Planes, inverse_mix_column, keep};
use super::{Assembly, body, rounds_of};
use crate::block::{Block, Counter, Tag, length_block};
use crate::field::twist;
use crate::kernel::batch::{Quad, Way};
use crate::kernel::message::Message;
use crate::secret::{self, Choice, erase, then_overwrite_stack, wipe};
use crate::simd::{Features, InOut, Missing};
use crate::soft::{MAX_WORDS, add_stream, expand, four, xor};

/// NEON, without instructions of AES.
#[derive(Clone, Copy)]
pub struct Neon32(pub(super) ());

/// Blocks of a batch.
const BATCH: usize = 8;

/// Powers of H that are kept.
const POWERS: usize = 16;

/// A power: rows of limbs as in `soft/ghash/by8.rs`.
type Power = [Block; 9];

/// Blocks to encrypt, or a text and the counter from which its key stream begins.
#[repr(C)]
struct Crypt {
    round_keys: *const u8,
    rounds: usize,
    dst: *mut u8,
    src: *const u8,
    len: usize,
    /// None: the blocks of the source are encrypted.
    counter: *const u8,
    /// If there is one, the first block of the key stream goes there.
    mask: *mut u8,
}

// As `crypt.s` has them.
const _: () = assert!(
    offset_of!(Crypt, rounds) == 4 && offset_of!(Crypt, dst) == 8 && offset_of!(Crypt, src) == 12
);
const _: () = assert!(
    offset_of!(Crypt, len) == 16
        && offset_of!(Crypt, counter) == 20
        && offset_of!(Crypt, mask) == 24
);

body! { /// Blocks, or counter mode.
fn crypt(crypt: *const Crypt),
"neon32/head.s", "neon32/planes.s", "neon32/sbox.s", "neon32/mix.s", "neon32/steps.s", "neon32/crypt.s" }

body! { /// Blocks, decrypted.
fn decrypt(round_keys: *const u8, rounds: usize, dst: *mut u8, src: *const u8, len: usize),
"neon32/head.s", "neon32/planes.s", "neon32/sbox.s", "neon32/mix.s", "neon32/inverse.s", "neon32/decrypt.s" }

body! { /// The rows of a power.
fn rows(power: *const u8, rows: *mut u8),
"neon32/head.s", "neon32/power.s" }

body! { /// The hash of so many bytes.
fn hash(powers: *const u8, acc: *mut u8, data: *const u8, len: usize),
"neon32/head.s", "neon32/ghash.s" }

impl Crypt {
    /// What is read through it, and written, must outlive it.
    fn new(round_keys: &[Planes], text: InOut<'_>, counter: *const u8, mask: *mut u8) -> Self {
        let (src, dst, len) = text.into_raw();
        Self {
            round_keys: round_keys.as_ptr().cast(),
            rounds: rounds_of(round_keys),
            dst,
            src,
            len,
            counter,
            mask,
        }
    }
}

impl Neon32 {
    /// Counter mode from a block on whose count is public, and so is which step it takes.
    fn counted(
        self,
        round_keys: &[Planes],
        counter: Counter,
        text: InOut<'_>,
        mask: Option<&mut Block>,
    ) {
        let counter = counter.to_block();
        let mask = mask.map_or(null_mut(), |mask| mask.as_mut_ptr());
        let text = Crypt::new(round_keys, text, counter.as_ptr(), mask);
        // SAFETY: as for `encrypt`; counter and mask are blocks, and not of the text.
        unsafe { crypt(&raw const text) }
    }

    /// Counter mode from any block on: a hashed nonce makes a count that is secret.
    fn uncounted(
        self,
        round_keys: &[Planes],
        mut counter: Counter,
        mut text: InOut<'_>,
        mut mask: Option<&mut Block>,
    ) {
        let mut stream = [[0; 16]; BATCH];
        while mask.is_some() || !text.is_empty() {
            for block in &mut stream {
                *block = counter.to_block();
                counter = counter.add(1);
            }
            let blocks = text
                .len()
                .div_ceil(16)
                .saturating_add(mask.is_some().into());
            let blocks = blocks.min(BATCH);
            let wanted = stream[..blocks].as_flattened_mut();
            self.encrypt(round_keys, InOut::in_place(wanted));
            let mut stream = &stream[..blocks];
            if let (Some(mask), Some((first, rest))) = (mask.take(), stream.split_first()) {
                *mask = *first;
                stream = rest;
            }
            if let Some(part) = text.split_to(text.len().min(16 * stream.len())) {
                add_stream(part, stream);
            }
        }
        wipe(stream.as_flattened_mut());
    }

    /// `cipher` on the text, and the hash of the ciphertext.
    fn both(
        self,
        powers: &<Self as Assembly>::Powers,
        mut text: InOut<'_>,
        is_sealed: bool,
        acc: &mut Block,
        cipher: impl FnOnce(InOut<'_>),
    ) {
        if !is_sealed {
            self.hash(powers, acc, text.source());
        }
        cipher(text.reborrow());
        if is_sealed {
            self.hash(powers, acc, text.written());
        }
    }

    /// The full tag of a message.
    ///
    /// Up to 16 blocks of AAD, ciphertext and lengths are put together and hashed in one batch, as each batch ends with a reduction
    /// that costs as much as five products.
    ///
    /// * `cipher`: XORs the key stream into the text, and gives the mask of the tag.
    fn tag(
        self,
        powers: &<Self as Assembly>::Powers,
        aad: &[u8],
        mut text: InOut<'_>,
        is_sealed: bool,
        cipher: impl FnOnce(InOut<'_>) -> Block,
    ) -> Block {
        let lengths = length_block(aad.len() as u64, text.len() as u64);
        let of_aad = aad.len().next_multiple_of(16);
        let all = text.len().saturating_add(of_aad).saturating_add(31) & !15;
        let (mut acc, mut mask) = ([0; 16], [0; 16]);
        if all > 16 * POWERS {
            self.hash(powers, &mut acc, aad);
            self.both(powers, text, is_sealed, &mut acc, |text| {
                mask = cipher(text)
            });
            self.hash(powers, &mut acc, &lengths);
        } else {
            let mut blocks = [[0; 16]; POWERS];
            let hashed = &mut blocks.as_flattened_mut()[..all];
            hashed[..aad.len()].copy_from_slice(aad);
            let ciphertext = of_aad..of_aad + text.len();
            if !is_sealed {
                hashed[ciphertext.clone()].copy_from_slice(text.source());
            }
            mask = cipher(text.reborrow());
            if is_sealed {
                hashed[ciphertext].copy_from_slice(text.written());
            }
            hashed[all - 16..].copy_from_slice(&lengths);
            self.hash(powers, &mut acc, hashed);
        }
        xor(acc, mask)
    }

    /// The full tag of a message alone.
    fn tag_alone(
        self,
        (round_keys, powers): (&[Planes], &<Self as Assembly>::Powers),
        message: Message<'_>,
        is_sealed: bool,
    ) -> Block {
        let Message { j0, aad, text } = message;
        self.tag(powers, aad, text, is_sealed, |text| {
            let mut mask = [0; 16];
            self.ctr(round_keys, j0, text, Some(&mut mask));
            mask
        })
    }
}

impl Assembly for Neon32 {
    const NAME: &'static str = "neon32";
    const FEATURES: Features = Features::NEON;
    type RoundKey = Planes;
    const NO_KEY: Planes = [[0; 16]; 8];
    type Powers = [Power; POWERS];
    const NO_POWERS: Self::Powers = [[[0; 16]; 9]; POWERS];

    fn detect() -> Result<Self, Missing> {
        Features::detect()
            .require(Self::FEATURES)
            .map(|()| Self(()))
    }

    #[inline(always)]
    fn then_overwrite_stack<T>(work: impl FnOnce() -> T) -> T {
        then_overwrite_stack::<896, _>(work)
    }

    fn expand(self, key: &[u8], round_keys: &mut [Planes]) {
        let rounds = rounds_of(round_keys);
        let mut words = [0; MAX_WORDS];
        expand::<u32>(&mut words[..4 * (rounds + 1)], key);
        for (round, (planes, key)) in round_keys.iter_mut().zip(words.as_chunks().0).enumerate() {
            keep(key, round, rounds, planes);
        }
        erase(&mut words, &[0; MAX_WORDS]);
    }

    fn powers(self, h: &Block, powers: &mut Self::Powers) {
        let mut power = twist(u128::from_be_bytes(*h)).to_be_bytes();
        for n in (0..POWERS).rev() {
            if n < POWERS - 1 {
                // By H alone, the last of the powers; that keeps the twist.
                self.hash(powers, &mut power, &[0; 16]);
            }
            // SAFETY: `self` proves the features; a power is read, and all rows of one written.
            unsafe { rows(power.as_ptr(), powers[n].as_mut_ptr().cast()) }
        }
        wipe(&mut power);
    }

    fn encrypt(self, round_keys: &[Planes], blocks: InOut<'_>) {
        let mut blocks = Crypt::new(round_keys, blocks, null(), null_mut());
        blocks.len &= !15;
        // SAFETY: `self` proves the features; there are so many round keys and blocks, and an `InOut` has equal or disjoint ends.
        unsafe { crypt(&raw const blocks) }
    }

    fn expand_inverse(self, key: &[u8], round_keys: &mut [Planes]) {
        let rounds = rounds_of(round_keys);
        let mut words = [0; MAX_WORDS];
        expand::<u32>(&mut words[..4 * (rounds + 1)], key);
        let keys = words[..4 * (rounds + 1)].as_chunks_mut().0.iter_mut();
        for (round, (planes, key)) in round_keys.iter_mut().rev().zip(keys).enumerate() {
            if (1..rounds).contains(&round) {
                *key = key.map(inverse_mix_column);
            }
            keep(key, round, rounds, planes);
        }
        erase(&mut words, &[0; MAX_WORDS]);
    }

    fn decrypt(self, round_keys: &[Planes], blocks: InOut<'_>) {
        let rounds = rounds_of(round_keys);
        let (src, dst, len) = blocks.into_raw();
        // SAFETY: as for `encrypt`.
        unsafe { decrypt(round_keys.as_ptr().cast(), rounds, dst, src, len & !15) }
    }

    fn ctr(
        self,
        round_keys: &[Planes],
        counter: Counter,
        text: InOut<'_>,
        mask: Option<&mut Block>,
    ) {
        match mask {
            // That of a nonce of 12 bytes.
            Some(_) if counter.count() == 1 => self.counted(round_keys, counter, text, mask),
            _ => self.uncounted(round_keys, counter, text, mask),
        }
    }

    fn public_ctr(self, round_keys: &[Planes], counter: Counter, text: InOut<'_>) {
        self.counted(round_keys, counter, text, None);
    }

    fn hash(self, powers: &Self::Powers, acc: &mut Block, data: &[u8]) {
        // SAFETY: `self` proves the features; there are so many bytes of each.
        unsafe {
            hash(
                powers.as_ptr().cast(),
                acc.as_mut_ptr(),
                data.as_ptr(),
                data.len(),
            )
        }
    }

    fn text(
        self,
        keys: (&[Planes], &Self::Powers),
        counter: Counter,
        text: InOut<'_>,
        is_sealed: bool,
        acc: &mut Block,
    ) {
        self.both(keys.1, text, is_sealed, acc, |text| {
            self.ctr(keys.0, counter, text, None);
        });
    }

    fn seal(self, keys: (&[Planes], &Self::Powers), message: Message<'_>, tag: &mut Block) {
        Self::then_overwrite_stack(move || *tag = self.tag_alone(keys, message, true));
    }

    fn open(self, keys: (&[Planes], &Self::Powers), message: Message<'_>, tag: &Tag) -> Choice {
        Self::then_overwrite_stack(move || {
            let right = self.tag_alone(keys, message, false);
            secret::equal(&right, &tag.bytes, tag.len)
        })
    }

    fn four<D: Way>(
        self,
        (round_keys, powers): (&[Planes], &Self::Powers),
        mut messages: Quad<'_, '_>,
    ) -> Option<D::Answers> {
        const ALONE: four::Batches = four::Batches {
            blocks: BATCH,
            before_j0: 0,
        };
        let mut stream = four::NO_STREAM;
        let blocks = four::counter_blocks(&messages, &mut stream, &ALONE)?;
        let answers = Self::then_overwrite_stack(|| {
            let wanted = stream[..blocks].as_flattened_mut();
            self.encrypt(round_keys, InOut::in_place(wanted));
            four::by_stream::<D>(&mut messages, &stream, |aad, text, stream| {
                self.tag(powers, aad, text, D::SEAL, |text| four::add(text, stream))
            })
        });
        wipe(stream.as_flattened_mut());
        Some(answers)
    }
}

#[cfg(test)]
mod tests;
