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
    /// The tags of the last two of the known messages.
    const TAGS: [u128; 2];

    /// What is known of the engines for it.
    fn siv_tests() -> &'static Tests;
}

macro_rules! known {
    ($($Cipher:ident $answer:literal $tags:expr;)+) => {$(
        impl KnownSiv for $Cipher {
            const ANSWER: u128 = $answer;
            const TAGS: [u128; 2] = $tags;

            tests! { siv_tests }
        }
    )+};
}

known! {
    Aes128 0xe27d_b46e_e3f5_7dbe_4fef_a7c0_0a6b_8748 [0x3625_f0e9_e934_671b_cc85_39ee_1c3d_099a, 0x759c_eeef_1a18_d74c_dcf8_e63c_cb7c_1ea1];
    Aes256 0xb18a_f944_8f46_9fe5_ab09_6129_b501_cb02 [0x0f51_6579_0f3d_70fe_552b_bd23_a049_29e2, 0x34a6_885b_48ca_1253_3f58_c3b6_0348_e95c];
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
    let (done, tag) = keys.run(Messages(&mut counting()));
    let known = match done {
        0 => None,
        SHORT => Some(C::TAGS[0]),
        _ => Some(C::TAGS[1]),
    };
    keys.run(Known(AsMade)) == <C as KnownSiv>::ANSWER.to_be_bytes()
        && known.is_none_or(|known| tag == known.to_be_bytes())
}

/// Bytes of AAD and text of the known messages: [`SHORT`] ones with turns, blocks and less of either, and nothing, of which the last
/// hashes all that the others have made; and one whose text is decrypted and hashed at once.
pub const KNOWN_MESSAGES: [[usize; 2]; 5] =
    [[0, 0], [17, 150], [3, 1], [LONGEST_SHORT, 0], [17, LONGEST]];

/// How many are short.
pub const SHORT: usize = 4;

/// The most of either that those have: what an engine takes in one call is no shorter.
pub const LONGEST_SHORT: usize = 17 + 150;

/// The text of the last: nor is it, where there are turns.
pub const LONGEST: usize = SIV_AT_ONCE + 150;

/// For a loop that is not unrolled: for each engine that would be kilobytes.
#[inline(always)]
fn rolled<T>(all: &[T]) -> &[T] {
    black_box(all)
}

/// The known messages, one behind the other in place, each with the first bytes of the tag that the opening before it made as its
/// nonce: sealed, opened, and sealed again. How many the engine has a call for, and the tag that opening the last of them made. The
/// place is not made here, for each engine.
struct Messages<'a>(&'a mut [u8; 17 + LONGEST]);

impl<C: BlockCipher> Work<C> for Messages<'_> {
    type Output = (usize, Block);

    fn run<E: Siv<C>>(self, engine: E, keys: &E::Enc) -> (usize, Block) {
        let (mut tag, mut opened, mut done) = ([0x5a; 16], [0x5a; 16], 0);
        for &[aad, text] in rolled(&KNOWN_MESSAGES) {
            let mut nonce = [0; 12];
            nonce.copy_from_slice(&opened[..12]);
            let (aad, text) = self.0[..aad + text].split_at_mut(aad);
            for &seal in rolled(&[true, false, true]) {
                let mut message = SivMessage {
                    nonce: &nonce,
                    aad,
                    text: InOut::in_place(text),
                };
                if engine.siv(keys, &mut message, &mut tag, seal).is_none() {
                    return (done, opened);
                }
                if !seal {
                    opened = tag;
                }
            }
            done += 1;
        }
        (done, opened)
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
