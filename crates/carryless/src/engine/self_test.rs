//! The known-answer test that an engine passes before its first use.

use super::list::{AeadKeys, Engine, EveryAead};
use super::{Aes128, Aes192, Aes256, Block, Counter, InOut, Message, Missing, Tag};

/// Bytes of AAD and text: so many that every word of every engine's keys enters the tag, as the test
/// that flips them finds (`tests/corrupted.rs`).
pub(super) const AAD_LEN: usize = 60;
pub(super) const TEXT_LEN: usize = 764;

/// A cipher with the tag of the known message.
pub(super) trait KnownAnswer: EveryAead {
    const TAG: u128;
}

impl KnownAnswer for Aes128 {
    const TAG: u128 = 0x4a08_431c_50d2_970a_babc_13ec_60ea_72aa;
}

impl KnownAnswer for Aes192 {
    const TAG: u128 = 0x026c_04f4_74a7_2183_292f_f6ca_453d_21e6;
}

impl KnownAnswer for Aes256 {
    const TAG: u128 = 0x15be_0ca4_f47d_c4c4_436a_b951_da04_ff55;
}

/// Whether `engine`, which this CPU must be able to run, gives the right answers.
pub(super) fn run(engine: Engine) -> bool {
    passes::<Aes128>(engine) && passes::<Aes192>(engine) && passes::<Aes256>(engine)
}

fn passes<C: KnownAnswer>(engine: Engine) -> bool {
    known_keys::<C>(engine).is_ok_and(|keys| known_answer(&keys, C::TAG))
}

/// The key whose bytes count.
#[expect(clippy::cast_possible_truncation, reason = "bytes that count")]
pub(super) fn known_keys<C: EveryAead>(engine: Engine) -> Result<AeadKeys<C>, Missing> {
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    AeadKeys::untested(engine, &key[..C::KEY_LEN])
}

/// Seals and opens a text made of its positions; the tag must be `expected`, and the text come back.
#[expect(
    clippy::cast_possible_truncation,
    reason = "bytes that count, modulo 256"
)]
pub(super) fn known_answer<C: EveryAead>(keys: &AeadKeys<C>, expected: u128) -> bool {
    let aad: [u8; AAD_LEN] = core::array::from_fn(|i| !i as u8);
    let j0 = Counter::from_nonce(&[0x5a; 12]);
    let mut text: [u8; TEXT_LEN] = core::array::from_fn(|i| i as u8);
    let plain = text;
    let expected: Block = expected.to_be_bytes();
    let sealed = keys.seal(Message {
        j0,
        aad: &aad,
        text: InOut::in_place(&mut text),
    });
    let message = Message {
        j0,
        aad: &aad,
        text: InOut::in_place(&mut text),
    };
    let tag = Tag {
        bytes: expected,
        len: 16,
    };
    // The known message is no secret.
    let opened = keys.open(message, &tag).publish();
    sealed == expected && opened && text == plain
}
