//! Engines whose kernels encrypt and hash at once: which entry point a message goes through.
#![forbid(unsafe_code)]

mod modes;

use super::entries::{
    BulkEntries, HashEntries, KeyEntries, MacEntries, MessageEntries, PolyvalEntries,
};
use super::{
    Aead, Aes, Backend, Block, Cipher, Counter, Direction, Features, Gf128, Hash, InOut, Keys,
    Message, Missing, Open, Polyval, Quad, Seal, Tag,
};
use crate::block::Lane;
use crate::kernel::Refused;
use crate::kernel::batch::{self, Way};
use crate::kernel::counters::FirstRounds;
use crate::kernel::gcm;
use crate::kernel::message::Header;
use crate::kernel::product::table::ALL;
use crate::kernel::{ghash, once, tiny};
use crate::secret::{self, Choice, Failures, then_overwrite_stack};
use crate::simd::Simd;
use crate::simd::stack::in_one_page;
use crate::simd::tuning;

/// An engine that is entry points of kernels.
#[derive(Clone, Copy)]
pub struct Fused<E>(pub(super) E);

impl<E: Backend> Backend for Fused<E> {
    const NAME: &'static str = E::NAME;
    const FEATURES: Features = E::FEATURES;

    #[inline(always)]
    fn detect() -> Result<Self, Missing> {
        E::detect().map(Self)
    }

    /// Entries overwrite what they take: this is for the frame of `work`, which holds the keys.
    #[inline(always)]
    fn with_keys<T>(work: impl FnOnce() -> T) -> T {
        then_overwrite_stack::<FRESH_FRAMES, _>(work)
    }
}

/// Bytes of stack that a message with keys of its own takes: its round keys, copies of them, and what they come of.
const FRESH_FRAMES: usize = 1536;

impl<E: Backend + HashEntries> Hash<Gf128> for Fused<E> {
    type Key = E::Hash;

    #[inline(always)]
    fn key(self, h: &Block) -> E::Hash {
        self.0.powers(h)
    }
    #[inline(always)]
    fn update(self, key: &E::Hash, acc: &mut u128, blocks: &[u8]) {
        hashed(self.0.absorb(key, acc, blocks));
    }
    #[inline(always)]
    fn absorb(self, key: &E::Hash, acc: &mut u128, data: &[u8]) {
        hashed(self.0.absorb(key, acc, data));
    }
    #[inline(always)]
    fn shift(self, key: &E::Hash, acc: &mut u128, blocks: u64) {
        *acc = self.0.shift(key, *acc, blocks);
    }
    #[inline(always)]
    fn finish(self, _: &E::Hash, acc: u128) -> Block {
        acc.to_be_bytes()
    }
}

impl<E: Backend + PolyvalEntries> Hash<Polyval> for Fused<E> {
    type Key = E::Hash;

    #[inline(always)]
    fn key(self, h: &Block) -> E::Hash {
        let mut key = E::Hash::default();
        self.0.set_polyval(&mut key, h, ALL);
        key
    }
    #[inline(always)]
    fn set_key(self, key: &mut E::Hash, h: &Block, longest: usize) {
        self.0.set_polyval(key, h, ghash::powers::<E>(longest));
    }
    #[inline(always)]
    fn update(self, key: &E::Hash, acc: &mut u128, blocks: &[u8]) {
        hashed(self.0.polyval(key, acc, blocks));
    }
    #[inline(always)]
    fn absorb(self, key: &E::Hash, acc: &mut u128, data: &[u8]) {
        hashed(self.0.polyval(key, acc, data));
    }
    #[inline(always)]
    fn shift(self, key: &E::Hash, acc: &mut u128, blocks: u64) {
        *acc = self.0.shift(key, *acc, blocks);
    }
    #[inline(always)]
    fn finish(self, _: &E::Hash, acc: u128) -> Block {
        acc.to_le_bytes()
    }
}

impl<C: Aes, E: Backend + KeyEntries<C>> Cipher<C> for Fused<E> {
    type Enc = E::Enc;

    #[inline(always)]
    fn expand(self, key: &[u8]) -> E::Enc {
        self.0.expand(C::key(key))
    }
    #[inline(always)]
    fn encrypt(self, keys: &E::Enc, blocks: InOut<'_>) {
        self.0.encrypt(keys, blocks);
    }
    #[inline(always)]
    fn ctr(self, keys: &E::Enc, counter: Counter, text: InOut<'_>) {
        self.0.ctr(keys, counter, text);
    }
}

impl<C: Aes, E> Aead<C, Gf128> for Fused<E>
where
    E: Backend + KeyEntries<C> + Entries<C, Seal> + Entries<C, Open>,
{
    #[inline(always)]
    fn set(self, keys: &mut Keys<Self, C, Gf128>, key: &[u8]) {
        self.0.set(C::key(key), &mut keys.enc, &mut keys.hash, ALL);
    }
    #[inline(always)]
    fn seal(self, keys: &Keys<Self, C, Gf128>, message: Message<'_>, tag: &mut Block) {
        route::<C, Seal, E>(self.0, &keys.enc, &keys.hash, message, tag);
    }
    #[inline(always)]
    fn open(self, keys: &Keys<Self, C, Gf128>, message: Message<'_>, tag: &Tag) -> Choice {
        route::<C, Open, E>(self.0, &keys.enc, &keys.hash, message, tag)
    }
    #[inline(always)]
    fn seal_four(self, keys: &Keys<Self, C, Gf128>, four: Quad<'_, '_>) -> Option<()> {
        some::<C, Seal, E>(self.0, &keys.enc, &keys.hash, four)
    }
    #[inline(always)]
    fn open_four(self, keys: &Keys<Self, C, Gf128>, four: Quad<'_, '_>) -> Option<Failures> {
        some::<C, Open, E>(self.0, &keys.enc, &keys.hash, four)
    }
    #[inline(always)]
    fn seal_once(self, key: &[u8], message: Message<'_>, tag: &mut Block) {
        only::<C, Seal, E>(self.0, C::key(key), message, tag);
    }
    #[inline(always)]
    fn open_once(self, key: &[u8], message: Message<'_>, tag: &Tag) -> Choice {
        only::<C, Open, E>(self.0, C::key(key), message, tag)
    }
    #[inline(always)]
    fn segment<D: Direction>(
        self,
        keys: &Keys<Self, C, Gf128>,
        counter: Counter,
        mut text: InOut<'_>,
        acc: &mut u128,
    ) {
        let (Keys { enc, hash }, part) = (keys, text.reborrow());
        let result = if D::SEAL {
            in_one_page!(E: BulkEntries::<Seal>::segment(self.0, enc, hash, counter, acc, part))
        } else {
            in_one_page!(E: BulkEntries::<Open>::segment(self.0, enc, hash, counter, acc, part))
        };
        result.unwrap_or_else(|Refused| refuse(&mut text));
    }
}

/// All entries for messages in the direction `D`.
pub trait Entries<C: Aes, D: Way>:
    KeyEntries<C> + MacEntries + MessageEntries<<Self as KeyEntries<C>>::Rounds, D> + BulkEntries<D>
{
}

impl<C: Aes, D: Way, E> Entries<C, D> for E where
    E: KeyEntries<C>
        + MacEntries
        + MessageEntries<<E as KeyEntries<C>>::Rounds, D>
        + BulkEntries<D>
{
}

/// A message through the entry point for its lengths.
#[inline(always)]
fn route<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    message: Message<'_>,
    given: D::Given<'_>,
) -> D::Answer {
    let Message { j0, aad, mut text } = message;
    debug_assert_eq!(j0.count(), 1, "the kernels count on it");
    if tiny::fits(aad, &text) {
        return engine.tiny(enc, hash, j0, aad, &mut text, given);
    }
    if aad.len() > tuning::SERIAL_AAD && text.is_empty() && !E::TUNING.compact {
        let tag = D::judge(given, |tag| engine.gmac(enc, hash, j0, aad, tag));
        return tag.unwrap_or_else(|Refused| refused());
    }
    let result = with_text::<C, D, E>(engine, enc, hash, j0, aad, &mut text, given);
    result.unwrap_or_else(|Refused| refuse(&mut text))
}

/// The same, if it is not tiny, and has text or little AAD.
#[inline(always)]
fn with_text<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    j0: Counter,
    aad: &[u8],
    text: &mut InOut<'_>,
    given: D::Given<'_>,
) -> Result<D::Answer, Refused> {
    if aad.len() > tuning::SERIAL_AAD {
        return then_overwrite_stack::<HEADER_FRAMES, _>(move || {
            let mut header = long_header(engine, hash, aad);
            behind::<C, D, E>(engine, enc, hash, j0, &mut header, text, given)
        });
    }
    if is_short::<E>(text) {
        return engine.pass(enc, hash, j0, aad, text, given);
    }
    let mut header = Header::whole(aad);
    behind::<C, D, E>(engine, enc, hash, j0, &mut header, text, given)
}

/// What becomes of the output when a kernel refuses, which it does not: it is wiped.
///
/// By reference, so that nothing of it is copied where it does not.
#[cold]
#[inline(never)]
fn refuse(output: &mut InOut<'_>) -> ! {
    secret::wipe(output.reborrow().into_written());
    refused()
}

/// The fault of a kernel that refuses.
#[cold]
#[inline(never)]
fn refused() -> ! {
    panic!(
        "a kernel refused a length that it was called for, which is a fault of this library: the output is wiped"
    )
}

/// That a hash was not refused.
#[inline(always)]
fn hashed(result: Result<(), Refused>) {
    result.unwrap_or_else(|Refused| refused());
}

/// A text that is not short, behind its header.
#[inline(always)]
fn behind<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    j0: Counter,
    header: &mut Header<'_>,
    text: &mut InOut<'_>,
    given: D::Given<'_>,
) -> Result<D::Answer, Refused> {
    if E::TUNING.bulk && text.len() >= tuning::LONG_TEXT {
        return long::<C, D, E>(engine, enc, hash, j0, header, text.reborrow(), given);
    }
    in_one_page!(E: engine.message(enc, hash, j0, header, text, given))
}

/// A long one. Not inlined, so that others have not its frame.
#[inline(never)]
fn long<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    j0: Counter,
    header: &mut Header<'_>,
    mut text: InOut<'_>,
    given: D::Given<'_>,
) -> Result<D::Answer, Refused> {
    if let Some(head) = text.split_to(gcm::bulk::bulk_len::<E>(text.len())) {
        let (header, mut first) = (&mut *header, FirstRounds::default());
        in_one_page!(E: engine.bulk(enc, hash, j0, header, &mut first, head));
    }
    let rest = &*header;
    let answer = in_one_page!(E: engine.message(enc, hash, j0, rest, &mut text, given));
    secret::erase(&mut header.acc, &0);
    answer
}

/// Four messages, if the first says that they are worth the call of the kernel that looks at their lengths.
#[inline(always)]
fn some<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    mut four: Quad<'_, '_>,
) -> Option<D::Answers> {
    let short = four[0].message.text.len() <= const { batch::longest::<E>() };
    if !short {
        return None;
    }
    let made = engine.four(enc, hash, &mut four);
    made.unwrap_or_else(|Refused| {
        for item in four {
            secret::wipe(item.message.text.reborrow().into_written());
        }
        refused()
    })
}

/// The only message under a key.
#[inline(always)]
fn only<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    key: &C::Key,
    message: Message<'_>,
    given: D::Given<'_>,
) -> D::Answer {
    let Message { j0, aad, mut text } = message;
    if !fits_once(aad, &text) {
        let (mut enc, mut hash) = (E::Enc::default(), E::Hash::default());
        engine.set(key, &mut enc, &mut hash, powers::<E>(aad, &text));
        return route::<C, D, E>(engine, &enc, &hash, Message { j0, aad, text }, given);
    }
    let mut stream = [Lane::default(); once::BLOCKS];
    let part = text.reborrow();
    let answer = D::judge(given, |tag| {
        let place = once::Place {
            stream: &mut stream,
            tag,
        };
        engine.once(key, j0, aad, part, place, D::SEAL)
    });
    secret::wipe(&mut stream);
    answer.unwrap_or_else(|Refused| refuse(&mut text))
}

/// Bytes of stack that hold the hash of a long AAD, beside the kernel's: with it the functions between, which may save a
/// register that has it (some 240 bytes down at most).
const HEADER_FRAMES: usize = 320;

/// What the kernel needs besides the text, with the AAD hashed beforehand by the aggregated loop. Not for the
/// caller's frame: with the AAD, its hash would tell H.
#[inline(always)]
fn long_header<E: HashEntries>(engine: E, hash: &E::Hash, aad: &[u8]) -> Header<'static> {
    let mut header = Header {
        aad_len: aad.len(),
        ..Header::whole(&[])
    };
    hashed(engine.absorb(hash, &mut header.acc, aad));
    header
}

/// Whether a text is the last pass alone.
#[inline(always)]
fn is_short<S: Simd>(text: &InOut<'_>) -> bool {
    !S::TUNING.compact && text.len() <= const { gcm::longest_short::<S>() }
}

/// How many powers of H a message takes: those of the entry that it goes through.
#[inline(always)]
fn powers<S: Simd>(aad: &[u8], text: &InOut<'_>) -> usize {
    if is_short::<S>(text) && aad.len() <= tuning::SERIAL_AAD {
        text.len().div_ceil(16) + 2
    } else {
        ALL
    }
}

/// Whether a message goes through the kernel for keys that are used once.
#[inline(always)]
fn fits_once(aad: &[u8], text: &InOut<'_>) -> bool {
    !tuning::SMALL && text.len() <= 16 * once::BLOCKS && aad.len() <= tuning::SERIAL_AAD
}

#[cfg(test)]
mod tests {
    use core::panic::AssertUnwindSafe;
    use std::panic::catch_unwind;
    use std::string::String;

    use super::{InOut, refuse};

    #[test]
    fn what_a_kernel_refuses_is_wiped_and_no_tag_is_given() {
        let mut text = [1; 40];
        let mut output = InOut::in_place(&mut text);
        let refused = catch_unwind(AssertUnwindSafe(|| refuse(&mut output)));
        let message = refused.expect_err("a panic").downcast::<String>();
        assert!(message.is_err(), "a sentence that is known beforehand");
        assert_eq!(text, [0; 40]);
    }
}
