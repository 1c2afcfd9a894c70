//! AES and products of 64 bits by the instructions of ARMv8, in AArch32 state.

use core::mem::offset_of;

use super::{Assembly, body, rounds_of};
use crate::block::{Block, Counter};
use crate::secret::then_overwrite_stack;
use crate::simd::{Features, InOut, Missing};

/// The AES and polynomial multiplication instructions of ARMv8 in AArch32.
#[derive(Clone, Copy)]
pub struct Armce32(());

/// Bytes of the powers: nine rows of three half words.
const POWERS: usize = 9 * 24;

/// A text with all that is done to it, as the functions read it.
#[repr(C)]
struct Text {
    round_keys: *const u8,
    rounds: usize,
    powers: *const u8,
    counter: Block,
    acc: Block,
    dst: *mut u8,
    src: *const u8,
    len: usize,
}

// As `text.s` has them.
const _: () = assert!(
    offset_of!(Text, rounds) == 4
        && offset_of!(Text, powers) == 8
        && offset_of!(Text, counter) == 12
);
const _: () = assert!(
    offset_of!(Text, acc) == 28 && offset_of!(Text, dst) == 44 && offset_of!(Text, src) == 48
);
const _: () = assert!(offset_of!(Text, len) == 52);

impl Text {
    /// What is read through it, and written, must outlive it.
    fn new(
        (round_keys, powers): (&[Block], &[u8; POWERS]),
        counter: Counter,
        acc: Block,
        text: InOut<'_>,
    ) -> Self {
        let (src, dst, len) = text.into_raw();
        Self {
            round_keys: round_keys.as_ptr().cast(),
            rounds: rounds_of(round_keys),
            powers: powers.as_ptr(),
            counter: counter.to_block(),
            acc,
            dst,
            src,
            len,
        }
    }
}

body! { /// The round keys of a key of so many words.
fn expand(key: *const u8, words: usize, round_keys: *mut u8),
"armce32/macros.s", "armce32/expand.s", "armce32/end.s" }

body! { /// The powers of H.
fn powers(h: *const u8, powers: *mut u8),
"armce32/macros.s", "armce32/powers.s", "armce32/end.s" }

body! { /// Blocks.
fn encrypt(round_keys: *const u8, rounds: usize, dst: *mut u8, src: *const u8, blocks: usize),
"armce32/macros.s", "armce32/text.s", "armce32/encrypt.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// Counter mode.
fn ctr(text: *const Text),
"armce32/macros.s", "armce32/text.s", "armce32/ctr.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// The hash of so many bytes.
fn hash(powers: *const u8, acc: *mut u8, data: *const u8, len: usize),
"armce32/macros.s", "armce32/ghash.s", "armce32/end.s" }

body! { /// Counter mode, and the hash of what it writes.
fn seal(text: *mut Text),
"armce32/macros.s", "armce32/text.s", "armce32/message.s", "armce32/message_seal.s", "armce32/message_end.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// Counter mode, and the hash of what it reads.
fn open(text: *mut Text),
"armce32/macros.s", "armce32/text.s", "armce32/message.s", "armce32/message_open.s", "armce32/message_end.s", "armce32/text_end.s", "armce32/end.s" }

impl Armce32 {
    /// Encrypts the block `counter`, and gives the next.
    fn mask(self, round_keys: &[Block], counter: Counter, mask: &mut Block) -> Counter {
        *mask = counter.to_block();
        self.encrypt(round_keys, InOut::in_place(mask));
        counter.add(1)
    }
}

impl Assembly for Armce32 {
    const NAME: &'static str = "armce32";
    const FEATURES: Features = Features::NONE
        .union(Features::NEON)
        .union(Features::AES)
        .union(Features::PMULL);
    type RoundKey = Block;
    const NO_KEY: Block = [0; 16];
    type Powers = [u8; POWERS];
    const NO_POWERS: Self::Powers = [0; POWERS];

    fn detect() -> Result<Self, Missing> {
        Features::detect()
            .require(Self::FEATURES)
            .map(|()| Self(()))
    }

    #[inline(always)]
    fn then_overwrite_stack<T>(work: impl FnOnce() -> T) -> T {
        then_overwrite_stack::<384, _>(work)
    }

    fn expand(self, key: &[u8], round_keys: &mut [Block]) {
        let words = key.len() / 4;
        assert!(
            key.len() == 4 * words && [4, 6, 8].contains(&words) && round_keys.len() == words + 7,
            "a key of {} bytes",
            key.len()
        );
        // SAFETY: `self` proves the features; there are as many words and round keys as are read and written.
        unsafe { expand(key.as_ptr(), words, round_keys.as_mut_ptr().cast()) }
    }

    fn powers(self, h: &Block, table: &mut Self::Powers) {
        // SAFETY: `self` proves the features; a block is read, and all of the table written.
        unsafe { powers(h.as_ptr(), table.as_mut_ptr()) }
    }

    fn encrypt(self, round_keys: &[Block], blocks: InOut<'_>) {
        let rounds = rounds_of(round_keys);
        let (src, dst, len) = blocks.into_raw();
        // SAFETY: `self` proves the features; there are so many round keys and blocks, and an `InOut` has equal or disjoint ends.
        unsafe { encrypt(round_keys.as_ptr().cast(), rounds, dst, src, len / 16) }
    }

    fn ctr(
        self,
        round_keys: &[Block],
        mut counter: Counter,
        text: InOut<'_>,
        mask: Option<&mut Block>,
    ) {
        if let Some(mask) = mask {
            counter = self.mask(round_keys, counter, mask);
        }
        let text = Text::new((round_keys, &Self::NO_POWERS), counter, [0; 16], text);
        // SAFETY: `self` proves the features; `Text::new` took all from references that live on.
        unsafe { ctr(&raw const text) }
    }

    fn hash(self, powers: &Self::Powers, acc: &mut Block, data: &[u8]) {
        // SAFETY: `self` proves the features; there are so many bytes of each.
        unsafe { hash(powers.as_ptr(), acc.as_mut_ptr(), data.as_ptr(), data.len()) }
    }

    fn text(
        self,
        keys: (&[Block], &Self::Powers),
        mut counter: Counter,
        text: InOut<'_>,
        is_sealed: bool,
        acc: &mut Block,
        mask: Option<&mut Block>,
    ) {
        if let Some(mask) = mask {
            counter = self.mask(keys.0, counter, mask);
        }
        let mut text = Text::new(keys, counter, *acc, text);
        let run = if is_sealed { seal } else { open };
        // SAFETY: as for `ctr`.
        unsafe { run(&raw mut text) }
        *acc = text.acc;
    }
}
