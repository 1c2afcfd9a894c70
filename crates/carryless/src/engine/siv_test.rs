//! The known-answer test of AES-GCM-SIV: what that takes of an engine, which passes it before the first use.

use core::hint::black_box;

use super::block_test::known_key;
use super::list::{CipherKeys, Engine, EveryCipher};
use super::part_keys::Work;
use super::results::{Tests, tests};
use super::self_test::{counting, passes_with};
use super::{
    Aes128, Aes256, Block, BlockCipher, Hash, InOut, LittleCounter, Polyval, Siv, SivMessage,
};
use crate::simd::tuning::SIV_AT_ONCE;

/// Bytes of the known texts: turns of the widest vectors and what is left of them; what each engine takes in its
/// last passes; and a single block.
const LENGTHS: [usize; 6] = [764, 511, 250, 125, 60, 16];

/// The longest.
const MAX: usize = LENGTHS[0];

/// A cipher with what is known of AES-GCM-SIV with it.
pub trait KnownSiv: EveryCipher {
    /// The hash over all that is made of the known texts.
    const ANSWER: u128;
    /// The tag of the last of the known short messages.
    const SHORT_TAG: u128;

    /// What is known of the engines for it.
    fn siv_tests() -> &'static Tests;
}

macro_rules! known {
    ($($Cipher:ident $answer:literal $short:literal)+) => {$(
        impl KnownSiv for $Cipher {
            const ANSWER: u128 = $answer;
            const SHORT_TAG: u128 = $short;

            tests! { siv_tests }
        }
    )+};
}

known! {
    Aes128 0xe27d_b46e_e3f5_7dbe_4fef_a7c0_0a6b_8748 0x3828_9317_0e3a_bda8_c983_8948_cc8c_4164
    Aes256 0xb18a_f944_8f46_9fe5_ab09_6129_b501_cb02 0x2fff_f29e_b167_f67f_2f96_acf5_29e8_764a
}

/// Whether `engine`, which this CPU must be able to run, gives the right answers.
pub(super) fn passes<C: KnownSiv>(engine: Engine) -> bool {
    passes_with(engine, C::NAME, || {
        // Not moved into a closure: that would be a copy of the key for each engine.
        known_key::<C>(engine).is_ok_and(|keys| right(&keys))
    })
}

/// Whether it makes the right answers under the known key.
pub(super) fn right<C: KnownSiv>(keys: &CipherKeys<C>) -> bool {
    let short = keys.run(ShortMessages(&mut counting()));
    keys.run(Known(AsMade)) == <C as KnownSiv>::ANSWER.to_be_bytes()
        && short.is_none_or(|tag| tag == C::SHORT_TAG.to_be_bytes())
}

/// Bytes of AAD and text of the known short messages: turns, blocks and less of either, nothing, and what is decrypted and hashed at
/// once. The last hashes all that the others have made.
pub const SHORT_LENGTHS: [[usize; 2]; 5] = [
    [0, 0],
    [17, 150],
    [3, 1],
    [17, LONGEST_SHORT - 17],
    [LONGEST_SHORT, 0],
];

/// The most of either: what an engine takes in one call is no shorter.
pub const LONGEST_SHORT: usize = 17 + SIV_AT_ONCE + 150;

/// For a loop that is not unrolled: for each engine that would be kilobytes.
#[inline(always)]
fn rolled<T>(all: &[T]) -> &[T] {
    black_box(all)
}

/// The known short messages, one behind the other in place, each with the first bytes of the tag that the opening before it made as
/// its nonce: sealed, opened, and sealed again. The last tag; `None` if the engine has no call for them. The place is not made here,
/// for each engine.
struct ShortMessages<'a>(&'a mut [u8; LONGEST_SHORT]);

impl<C: BlockCipher> Work<C> for ShortMessages<'_> {
    type Output = Option<Block>;

    fn run<E: Siv<C>>(self, engine: E, keys: &E::Enc) -> Option<Block> {
        let (mut tag, mut opened) = ([0x5a; 16], [0x5a; 16]);
        for &[aad, text] in rolled(&SHORT_LENGTHS) {
            let mut nonce = [0; 12];
            nonce.copy_from_slice(&opened[..12]);
            let (aad, text) = self.0[..aad + text].split_at_mut(aad);
            for &seal in rolled(&[true, false, true]) {
                let mut message = SivMessage {
                    nonce: &nonce,
                    aad,
                    text: InOut::in_place(text),
                };
                engine.siv(keys, &mut message, &mut tag, seal)?;
                if !seal {
                    opened = tag;
                }
            }
        }
        Some(tag)
    }
}

/// What becomes of a key of the hash before it is used: a test puts another in its place.
pub(super) trait Prepare {
    /// Changes it.
    fn prepare<K>(&self, key: &mut K);
}

/// It stays as it was made.
struct AsMade;

impl Prepare for AsMade {
    #[inline(always)]
    fn prepare<K>(&self, _: &mut K) {}
}

/// Each text is encrypted from the hash so far on, and hashed: by a key for any length, and by one for its length.
pub(super) struct Known<P>(pub(super) P);

impl<C: BlockCipher, P: Prepare> Work<C> for Known<P> {
    type Output = Block;

    fn run<E: Siv<C>>(self, engine: E, keys: &E::Enc) -> Block {
        let mut blocks = [[0x5a; 16], [0xa5; 16], [0x3c; 16]];
        engine.encrypt(keys, InOut::in_place(blocks.as_flattened_mut()));
        let [h, mut answer, mut block] = blocks;
        engine.encrypt_block(keys, &mut block);
        let mut whole = Hash::<Polyval>::key(engine, &h);
        self.0.prepare(&mut whole);
        let mut part = <E as Hash<Polyval>>::Key::default();
        let mut buffer = counting::<MAX>();
        for &len in rolled(&LENGTHS) {
            let text = &mut buffer[..len];
            let counter = LittleCounter::from_block(&answer);
            engine.ctr_little(keys, counter, InOut::in_place(text));
            Hash::<Polyval>::set_key(engine, &mut part, &h, len);
            let start = |answer| u128::from_le_bytes(answer) ^ u128::from_le_bytes(block);
            let mut acc = start(answer);
            Hash::<Polyval>::absorb(engine, &whole, &mut acc, text);
            answer = Hash::<Polyval>::finish(engine, &whole, acc);
            acc = start(answer);
            Hash::<Polyval>::absorb(engine, &part, &mut acc, text);
            answer = Hash::<Polyval>::finish(engine, &part, acc);
        }
        answer
    }
}
