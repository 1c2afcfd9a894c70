//! The known-answer test that an engine passes before its first use.

use super::list::{AeadKeys, Engine, EveryAead};
use super::{Aes128, Aes192, Aes256, Block, Counter, InOut, Message, Missing, Tag};

/// Bytes of text: two turns of the widest engine, every kind of tail behind them.
const TEXT_LEN: usize = 300;

/// Whether `engine`, which this CPU must be able to run, gives the right answers.
pub(super) fn run(engine: Engine) -> bool {
    let passes = |right: Result<bool, Missing>| matches!(right, Ok(true));
    passes(known_answer::<Aes128>(
        engine,
        0x5483_a53f_8fd8_0160_aec9_b922_6f6b_a969,
    )) && passes(known_answer::<Aes192>(
        engine,
        0xcaed_54c7_bece_95df_087c_ce68_0e15_6bff,
    )) && passes(known_answer::<Aes256>(
        engine,
        0x250b_10ff_5136_17ad_db2b_fa0e_b0fb_5026,
    ))
}

/// Seals and opens a text made of its positions; the tag must be `expected`, and the text come back.
#[expect(
    clippy::cast_possible_truncation,
    reason = "bytes that count, modulo 256"
)]
fn known_answer<C: EveryAead>(engine: Engine, expected: u128) -> Result<bool, Missing> {
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    let aad: [u8; 20] = core::array::from_fn(|i| !i as u8);
    let keys = AeadKeys::<C>::untested(engine, &key[..C::KEY_LEN])?;
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
    // The known message is no secret.
    let opened = keys
        .open(
            message,
            &Tag {
                bytes: expected,
                len: 16,
            },
        )
        .publish();
    Ok(sealed == expected && opened && text == plain)
}
