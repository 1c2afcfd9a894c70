//! AES and products of 64 bits by the instructions of ARMv8, in AArch32 state.

use core::mem::offset_of;
use core::ptr::{null, null_mut};

use super::{Assembly, Neon32, body, rounds_of};
use crate::block::{Block, Counter, Tag};
use crate::kernel::message::Message;
use crate::secret::{Choice, ones, then_overwrite_stack, wipe};
use crate::simd::tuning::ARMCE32_SERIAL_AAD;
use crate::simd::{Features, InOut, Missing};

/// The AES and polynomial multiplication instructions of ARMv8 in AArch32.
#[derive(Clone, Copy)]
pub struct Armce32(());

impl From<Armce32> for Neon32 {
    fn from(_: Armce32) -> Self {
        Self(())
    }
}

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
    /// AAD of which so many bytes are not in `acc` yet.
    aad: *const u8,
    header: usize,
    /// All its bytes.
    aad_len: usize,
    /// The place for the tag of a message, or the one that is expected; what of it counts.
    tag: *mut Block,
    ones: *const Block,
    /// 1 if it is a whole message, 0 if `acc` is what is asked for.
    whole: usize,
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
const _: () = assert!(
    offset_of!(Text, len) == 52 && offset_of!(Text, aad) == 56 && offset_of!(Text, header) == 60
);
const _: () = assert!(
    offset_of!(Text, aad_len) == 64 && offset_of!(Text, tag) == 68 && offset_of!(Text, ones) == 72
);
const _: () = assert!(offset_of!(Text, whole) == 76);

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
            aad: null(),
            header: 0,
            aad_len: 0,
            tag: null_mut(),
            ones: null(),
            whole: 0,
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

body! { /// The round keys of decryption in place of those of encryption.
fn invert(round_keys: *mut u8, rounds: usize),
"armce32/macros.s", "armce32/invert.s", "armce32/end.s" }

body! { /// Blocks, decrypted.
fn decrypt(round_keys: *const u8, rounds: usize, dst: *mut u8, src: *const u8, blocks: usize),
"armce32/macros.s", "armce32/inverse.s", "armce32/text.s", "armce32/encrypt.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// A chain of blocks.
fn chain(round_keys: *const u8, rounds: usize, chain: *mut u8, dst: *mut u8, src: *const u8, blocks: usize),
"armce32/macros.s", "armce32/chain.s", "armce32/end.s" }

body! { /// Blocks under tweaks.
fn encrypt_xts(round_keys: *const u8, rounds: usize, tweak: *mut u8, dst: *mut u8, src: *const u8, blocks: usize),
"armce32/macros.s", "armce32/text.s", "armce32/xts.s", "armce32/beside.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// The same, decrypted.
fn decrypt_xts(round_keys: *const u8, rounds: usize, tweak: *mut u8, dst: *mut u8, src: *const u8, blocks: usize),
"armce32/macros.s", "armce32/inverse.s", "armce32/text.s", "armce32/xts.s", "armce32/beside.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// A chain of blocks, decrypted.
fn decrypt_cbc(round_keys: *const u8, rounds: usize, chain: *mut u8, dst: *mut u8, src: *const u8, blocks: usize),
"armce32/macros.s", "armce32/inverse.s", "armce32/text.s", "armce32/cbc.s", "armce32/beside.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// Counter mode of AES-GCM-SIV.
fn ctr_little(round_keys: *const u8, rounds: usize, counter: *mut u8, dst: *mut u8, src: *const u8, blocks: usize),
"armce32/macros.s", "armce32/text.s", "armce32/ctr_little.s", "armce32/beside.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// Counter mode.
fn ctr(text: *const Text),
"armce32/macros.s", "armce32/text.s", "armce32/ctr.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// The hash of so many bytes.
fn hash(powers: *const u8, acc: *mut u8, data: *const u8, len: usize),
"armce32/macros.s", "armce32/big.s", "armce32/ghash.s", "armce32/end.s" }

body! { /// The same of POLYVAL.
fn polyval(powers: *const u8, acc: *mut u8, data: *const u8, len: usize),
"armce32/macros.s", "armce32/little.s", "armce32/ghash.s", "armce32/end.s" }

body! { /// Counter mode, and the hash of what it writes.
fn seal(text: *mut Text),
"armce32/macros.s", "armce32/text.s", "armce32/message.s", "armce32/message_seal.s", "armce32/message_end.s", "armce32/text_end.s", "armce32/end.s" }

body! { /// Counter mode, and the hash of what it reads.
fn open(text: *mut Text) -> u32,
"armce32/macros.s", "armce32/text.s", "armce32/message.s", "armce32/message_open.s", "armce32/message_end.s", "armce32/text_end.s", "armce32/end.s" }

/// A function on blocks beside which others go, of which one is there for the first.
type Beside = unsafe extern "C" fn(*const u8, usize, *mut u8, *mut u8, *const u8, usize);

impl Armce32 {
    /// Runs one of them on whole blocks.
    fn beside(self, run: Beside, round_keys: &[Block], first: &mut Block, text: InOut<'_>) {
        let rounds = rounds_of(round_keys);
        let (src, dst, len) = text.into_raw();
        let (keys, first) = (round_keys.as_ptr().cast(), first.as_mut_ptr());
        // SAFETY: as for `encrypt`; what goes beside is a block.
        unsafe { run(keys, rounds, first, dst, src, len / 16) }
    }

    /// Encrypts the block `counter`, and gives the next.
    fn mask(self, round_keys: &[Block], counter: Counter, mask: &mut Block) -> Counter {
        *mask = counter.to_block();
        self.encrypt(round_keys, InOut::in_place(mask));
        counter.add(1)
    }

    /// Does `run` with a message, whose tag or place for it is given, and leaves nothing secret on the stack.
    ///
    /// What assembly is given has nothing secret but the hash of an AAD that is long: `j0` is of a nonce of 12 bytes. It saves
    /// registers that hold what its caller's caller left in them, which is for that one to wipe.
    #[inline(always)]
    fn message<T>(
        self,
        keys: (&[Block], &[u8; POWERS]),
        Message { j0, aad, text }: Message<'_>,
        tag: *mut Block,
        ones: *const Block,
        run: impl FnOnce(*mut Text) -> T,
    ) -> T {
        let mut text = Text {
            aad: aad.as_ptr(),
            header: aad.len(),
            aad_len: aad.len(),
            tag,
            ones,
            whole: 1,
            ..Text::new(keys, j0, [0; 16], text)
        };
        if aad.len() <= ARMCE32_SERIAL_AAD {
            return run(&raw mut text);
        }
        Self::then_overwrite_stack(move || {
            text.header = 0;
            self.hash(keys.1, &mut text.acc, aad);
            let given = run(&raw mut text);
            wipe(&mut text.acc);
            given
        })
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

    fn encrypt_cbc(self, round_keys: &[Block], last: &mut Block, text: InOut<'_>) -> Option<()> {
        let rounds = rounds_of(round_keys);
        let (src, dst, len) = text.into_raw();
        let (keys, last) = (round_keys.as_ptr().cast(), last.as_mut_ptr());
        // SAFETY: as for `encrypt`; the chain is a block.
        unsafe { chain(keys, rounds, last, dst, src, len / 16) };
        Some(())
    }

    fn mac_cbc(self, round_keys: &[Block], last: &mut Block, data: &[u8]) -> Option<()> {
        let rounds = rounds_of(round_keys);
        let (keys, last, blocks) = (
            round_keys.as_ptr().cast(),
            last.as_mut_ptr(),
            data.len() / 16,
        );
        // SAFETY: as for `encrypt`; the chain is a block, and nothing else is written.
        unsafe { chain(keys, rounds, last, null_mut(), data.as_ptr(), blocks) };
        Some(())
    }

    fn expand_inverse(self, key: &[u8], round_keys: &mut [Block]) {
        self.expand(key, round_keys);
        // SAFETY: `self` proves the features; there are so many round keys, an odd number.
        unsafe { invert(round_keys.as_mut_ptr().cast(), rounds_of(round_keys)) }
    }

    fn decrypt(self, round_keys: &[Block], blocks: InOut<'_>) {
        let rounds = rounds_of(round_keys);
        let (src, dst, len) = blocks.into_raw();
        // SAFETY: as for `encrypt`.
        unsafe { decrypt(round_keys.as_ptr().cast(), rounds, dst, src, len / 16) }
    }

    fn decrypt_cbc(self, round_keys: &[Block], last: &mut Block, text: InOut<'_>) -> Option<()> {
        self.beside(decrypt_cbc, round_keys, last, text);
        Some(())
    }

    fn encrypt_xts(self, round_keys: &[Block], tweak: &mut Block, text: InOut<'_>) -> Option<()> {
        Self::then_overwrite_stack(|| self.beside(encrypt_xts, round_keys, tweak, text));
        Some(())
    }

    fn decrypt_xts(self, round_keys: &[Block], tweak: &mut Block, text: InOut<'_>) -> Option<()> {
        Self::then_overwrite_stack(|| self.beside(decrypt_xts, round_keys, tweak, text));
        Some(())
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

    fn ctr_little(self, round_keys: &[Block], counter: &mut Block, text: InOut<'_>) -> Option<()> {
        self.beside(ctr_little, round_keys, counter, text);
        Some(())
    }

    const POLYVAL: bool = true;

    fn polyval(self, powers: &Self::Powers, acc: &mut Block, blocks: &[u8]) {
        let (powers, acc) = (powers.as_ptr(), acc.as_mut_ptr());
        // SAFETY: as for `hash`.
        unsafe { polyval(powers, acc, blocks.as_ptr(), blocks.len()) }
    }

    fn hash(self, powers: &Self::Powers, acc: &mut Block, data: &[u8]) {
        // SAFETY: `self` proves the features; there are so many bytes of each.
        unsafe { hash(powers.as_ptr(), acc.as_mut_ptr(), data.as_ptr(), data.len()) }
    }

    fn text(
        self,
        keys: (&[Block], &Self::Powers),
        counter: Counter,
        text: InOut<'_>,
        is_sealed: bool,
        acc: &mut Block,
    ) {
        if text.is_empty() {
            return;
        }
        let mut text = Text::new(keys, counter.add(u32::MAX), *acc, text);
        if is_sealed {
            // SAFETY: as for `ctr`.
            unsafe { seal(&raw mut text) }
        } else {
            // SAFETY: as for `ctr`; what it says is of a tag, which there is not.
            unsafe { open(&raw mut text) };
        }
        *acc = text.acc;
    }

    fn seal(self, keys: (&[Block], &Self::Powers), message: Message<'_>, tag: &mut Block) {
        // SAFETY: as for `ctr`; the tag has its place.
        self.message(keys, message, tag, null(), |text| unsafe { seal(text) });
    }

    fn open(self, keys: (&[Block], &Self::Powers), message: Message<'_>, tag: &Tag) -> Choice {
        let place = (&raw const tag.bytes).cast_mut();
        // SAFETY: as for `ctr`; the tag is only read.
        let mask = self.message(keys, message, place, ones(tag.len), |text| unsafe {
            open(text)
        });
        Choice::from_mask(mask)
    }
}

#[cfg(test)]
mod tests;
