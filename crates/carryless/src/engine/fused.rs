//! Engines whose kernels encrypt and hash at once: which entry point a message goes through.
#![forbid(unsafe_code)]

use super::entries::{BulkEntries, HashEntries, KeyEntries, MacEntries, MessageEntries};
use super::{
    Aead, Aes, Backend, Block, Cipher, Counter, Direction, Features, Four, Gf128, Hash, InOut,
    Keys, Message, Missing, Open, Seal, Tag, tuning,
};
use crate::block::Lane;
use crate::kernel::flight::{self, Way};
use crate::kernel::form::ALL;
use crate::kernel::gcm::{self, FirstRounds, Header};
use crate::kernel::{once, tiny};
use crate::secret::{self, Choice, Failures, burning};
use crate::simd::Simd;
use crate::simd::x86_64::in_one_page;

/// An engine that is entry points of kernels.
#[derive(Clone, Copy)]
pub struct Fused<E>(E);

impl<E: Backend> Backend for Fused<E> {
    const NAME: &'static str = E::NAME;
    const FEATURES: Features = E::FEATURES;

    #[inline(always)]
    fn detect() -> Result<Self, Missing> {
        E::detect().map(Self)
    }
}

impl<E: Backend + HashEntries> Hash<Gf128> for Fused<E> {
    type Key = E::Hash;

    #[inline(always)]
    fn key(self, h: &Block) -> E::Hash {
        self.0.powers(h)
    }
    #[inline(always)]
    fn update(self, key: &E::Hash, acc: &mut u128, blocks: &[u8]) {
        *acc = self.0.absorb(key, *acc, blocks);
    }
    #[inline(always)]
    fn absorb(self, key: &E::Hash, acc: &mut u128, data: &[u8]) {
        *acc = self.0.absorb(key, *acc, data);
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
    fn seal(self, keys: &Keys<Self, C, Gf128>, message: Message<'_>) -> Block {
        one::<C, Seal, E>(self.0, &keys.enc, &keys.hash, message, ())
    }
    #[inline(always)]
    fn open(self, keys: &Keys<Self, C, Gf128>, message: Message<'_>, tag: &Tag) -> Choice {
        one::<C, Open, E>(self.0, &keys.enc, &keys.hash, message, tag)
    }
    #[inline(always)]
    fn seal_four(self, keys: &Keys<Self, C, Gf128>, four: Four<'_, '_>) -> Option<()> {
        some::<C, Seal, E>(self.0, &keys.enc, &keys.hash, four)
    }
    #[inline(always)]
    fn open_four(self, keys: &Keys<Self, C, Gf128>, four: Four<'_, '_>) -> Option<Failures> {
        some::<C, Open, E>(self.0, &keys.enc, &keys.hash, four)
    }
    #[inline(always)]
    fn seal_once(self, key: &[u8], message: Message<'_>) -> Block {
        only::<C, Seal, E>(self.0, C::key(key), message, ())
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
        text: InOut<'_>,
        acc: &mut u128,
    ) {
        let Keys { enc, hash } = keys;
        let before = *acc;
        *acc = if D::SEAL {
            in_one_page!(E: BulkEntries::<Seal>::segment(self.0, enc, hash, counter, before, text))
        } else {
            in_one_page!(E: BulkEntries::<Open>::segment(self.0, enc, hash, counter, before, text))
        };
    }
}

/// All entries for messages in the direction `D`.
pub trait Entries<C: Aes, D: Way>:
    KeyEntries<C> + MacEntries + MessageEntries<C::Rounds, D> + BulkEntries<D>
{
}

impl<C: Aes, D: Way, E> Entries<C, D> for E where
    E: KeyEntries<C> + MacEntries + MessageEntries<C::Rounds, D> + BulkEntries<D>
{
}

/// A message through the entry point for its lengths.
#[inline(always)]
fn one<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    message: Message<'_>,
    expected: D::Expected<'_>,
) -> D::Answer {
    let Message { j0, aad, mut text } = message;
    debug_assert_eq!(j0.count(), 1, "the kernels count on it");
    if tiny::fits(aad, &text) {
        return engine.tiny(enc, hash, j0, aad, &mut text, expected);
    }
    if aad.len() > tuning::SERIAL_AAD {
        if text.is_empty() {
            return answer::<D>(engine.gmac(enc, hash, j0, aad), expected);
        }
        return burning::<HEADER_FRAMES, _>(move || {
            let header = long_header(engine, hash, aad);
            behind::<C, D, E>(engine, enc, hash, j0, &header, &mut text, expected)
        });
    }
    if is_short::<E>(&text) {
        return engine.pass(enc, hash, j0, aad, &mut text, expected);
    }
    let header = Header::whole(aad);
    behind::<C, D, E>(engine, enc, hash, j0, &header, &mut text, expected)
}

/// A text that is not short, behind its header.
#[inline(always)]
fn behind<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    j0: Counter,
    header: &Header<'_>,
    text: &mut InOut<'_>,
    expected: D::Expected<'_>,
) -> D::Answer {
    if text.len() >= tuning::LONG_TEXT {
        return long::<C, D, E>(engine, enc, hash, j0, header, text.reborrow(), expected);
    }
    in_one_page!(E: engine.message(enc, hash, j0, header, text, expected))
}

/// A long one. Not inlined, so that others have not its frame.
#[inline(never)]
fn long<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    j0: Counter,
    header: &Header<'_>,
    mut text: InOut<'_>,
    expected: D::Expected<'_>,
) -> D::Answer {
    let done = gcm::bulk_len::<E>(text.len());
    let acc = match text.split_to(done) {
        Some(mut head) => {
            let mut first = FirstRounds::default();
            in_one_page!(E: engine.bulk(enc, hash, j0, header, &mut first, &mut head))
        }
        None => header.acc,
    };
    let mut rest = Header {
        acc,
        aad: &[],
        aad_len: header.aad_len,
        done,
    };
    let answer = in_one_page!(E: engine.message(enc, hash, j0, &rest, &mut text, expected));
    secret::erase(&mut rest.acc, &0);
    answer
}

/// Four messages, if the first says that they are worth the call of the kernel that looks at their lengths.
#[inline(always)]
fn some<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    enc: &E::Enc,
    hash: &E::Hash,
    four: Four<'_, '_>,
) -> Option<D::Answers> {
    let short = four[0].message.text.len() <= const { flight::longest::<E>() };
    short.then(|| engine.four(enc, hash, four))?
}

/// The only message under a key.
#[inline(always)]
fn only<C: Aes, D: Way, E: Entries<C, D>>(
    engine: E,
    key: &C::Key,
    message: Message<'_>,
    expected: D::Expected<'_>,
) -> D::Answer {
    let Message { j0, aad, text } = message;
    if !fits_once(aad, &text) {
        let (mut enc, mut hash) = (E::Enc::default(), E::Hash::default());
        engine.set(key, &mut enc, &mut hash, powers::<E>(aad, &text));
        return one::<C, D, E>(engine, &enc, &hash, Message { j0, aad, text }, expected);
    }
    let mut stream = [Lane::default(); once::BLOCKS];
    let place = &mut stream;
    let made = engine.once(key, j0, aad, text, place, D::SEAL);
    secret::wipe(&mut stream);
    answer::<D>(made, expected)
}

/// The answer to a full tag. The right one leaves no trace when opening: it would be a forgery.
#[inline(always)]
fn answer<D: Direction>(mut made: Block, expected: D::Expected<'_>) -> D::Answer {
    let answer = D::answer(&made, expected);
    if !D::SEAL {
        secret::erase(&mut made, &[0; 16]);
    }
    answer
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
    header.acc = engine.absorb(hash, 0, aad);
    header
}

/// Whether a text is the last pass alone.
#[inline(always)]
fn is_short<S: Simd>(text: &InOut<'_>) -> bool {
    text.len() <= const { gcm::longest_short::<S>() }
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
    text.len() <= 16 * once::BLOCKS && aad.len() <= tuning::SERIAL_AAD
}
