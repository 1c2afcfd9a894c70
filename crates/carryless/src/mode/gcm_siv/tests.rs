//! Short messages with and without the engine's call for them, and limits.

use core::error::Error;
use std::boxed::Box;
use std::println;
use std::vec::Vec;

use super::{GcmSiv, MAX, MessageKeys, check_lengths, counter};
use crate::engine::{
    Aes128, Aes256, Block, BlockCipher, Engine, Hash, InOut, KnownSiv, LittleCounter, Polyval,
    SHORT_LENGTHS, Siv, SivMessage, Work,
};
use crate::error::InputError;

/// A key of the first of so many bytes that count.
fn key<C: KnownSiv>(engine: Engine) -> Result<GcmSiv<C>, Box<dyn Error>> {
    let bytes: Vec<u8> = (0..32).collect();
    Ok(GcmSiv::with_engine(&bytes[..C::KEY_LEN], engine)?)
}

/// The last tag of the short messages of the self-test, as the mode makes it.
fn last<C: KnownSiv>(engine: Engine) -> Result<u128, Box<dyn Error>> {
    let (key, mut buffer, mut tag) = (key::<C>(engine)?, Vec::from_iter(0..200), [0x5a; 16]);
    for [aad, text] in SHORT_LENGTHS {
        let (aad, text) = buffer[..aad + text].split_at_mut(aad);
        tag = key.seal_in_place(&tag[..12], aad, text)?;
    }
    Ok(u128::from_be_bytes(tag))
}

#[test]
fn c1_the_short_messages_of_the_self_test_have_the_same_tags_on_every_engine()
-> Result<(), Box<dyn Error>> {
    for engine in Engine::available() {
        let tags = [last::<Aes128>(engine)?, last::<Aes256>(engine)?];
        assert_eq!(tags, [Aes128::SHORT_TAG, Aes256::SHORT_TAG], "{engine}");
    }
    Ok(())
}

/// What a tag opens: by the engine's call for short messages, and by its counter mode. `None` if it has no such call.
struct BothWays<'a> {
    tag: Block,
    text: &'a [u8],
}

impl<C: BlockCipher> Work<C> for BothWays<'_> {
    type Output = Option<[Vec<u8>; 2]>;

    fn run<E: Siv<C>>(self, engine: E, keys: &E::Enc) -> Self::Output {
        let [mut short, mut long] = [self.text.to_vec(), self.text.to_vec()];
        let (mut right, nonce) = (self.tag, &[7; 12]);
        let mut message = SivMessage {
            nonce,
            aad: &[],
            text: InOut::between(self.text, &mut short)?,
        };
        engine.siv(keys, &mut message, &mut right, false)?;
        message.text = InOut::in_place(&mut long);
        MessageKeys::with(engine, keys, &mut message, |keys, message| {
            engine.ctr_little(keys.enc, counter(&self.tag), message.text.reborrow());
        });
        Some([short, long])
    }
}

#[test]
fn c2_the_counter_of_a_short_message_wraps() -> Result<(), Box<dyn Error>> {
    fn wraps<C: KnownSiv>(engine: Engine) -> Result<usize, Box<dyn Error>> {
        let (key, text, mut count) = (key::<C>(engine)?, Vec::from_iter(0..200), 0);
        // In each block of the first two turns, and behind them.
        for blocks in 0..=8 {
            let mut tag = [0x5a; 16];
            tag[..4].copy_from_slice(&(u32::MAX - blocks).to_le_bytes());
            if let Some([short, long]) = key.keys.get().run(BothWays { tag, text: &text }) {
                assert!(short == long, "{engine}, {}: {blocks}", C::NAME);
                count += 1;
            }
        }
        Ok(count)
    }
    for engine in Engine::available() {
        let count = wraps::<Aes128>(engine)? + wraps::<Aes256>(engine)?;
        println!("C2 {engine}: {count} counters of short messages wrap");
    }
    Ok(())
}

/// What a counter decrypts, and its hash: at once, and one after the other.
struct AtOnce<'a> {
    counter: Block,
    text: &'a [u8],
}

impl<C: BlockCipher> Work<C> for AtOnce<'_> {
    type Output = [(Vec<u8>, Block); 2];

    fn run<E: Siv<C>>(self, engine: E, keys: &E::Enc) -> Self::Output {
        let counter = LittleCounter::from_block(&self.counter);
        let hash = Hash::<Polyval>::key(engine, &[0xd7; 16]);
        [true, false].map(|at_once| {
            let (mut text, mut acc) = (self.text.to_vec(), 7);
            if at_once {
                engine.decrypt_and_hash(keys, &hash, counter, &mut acc, InOut::in_place(&mut text));
            } else {
                engine.ctr_little(keys, counter, InOut::in_place(&mut text));
                engine.absorb(&hash, &mut acc, &text);
            }
            (text, Hash::<Polyval>::finish(engine, &hash, acc))
        })
    }
}

#[test]
fn c2_a_text_that_is_decrypted_and_hashed_at_once_is_what_the_parts_make()
-> Result<(), Box<dyn Error>> {
    // Each length up to two turns of one lane, then whole turns, up to four of the widest vectors, and some with a rest.
    let all: Vec<u8> = (0..=250).cycle().take(2200).collect();
    let turns = (256..2200).step_by(128).flat_map(|len| [len, len + 77]);
    let lens = (1..300).chain(turns.filter(|len| *len <= all.len()));
    for engine in Engine::available() {
        let (key, mut count) = (key::<Aes128>(engine)?, 0);
        for len in lens.clone() {
            // It counts over in the text, or behind a short one.
            let (mut counter, text) = ([0x5a; 16], &all[..len]);
            counter[..4].copy_from_slice(&(u32::MAX - count % 23).to_le_bytes());
            let [once, parts] = key.keys.get().run(AtOnce { counter, text });
            assert!(once == parts, "{engine}: {len} bytes");
            count += 1;
        }
        println!("C2 {engine}: {count} texts of AES-GCM-SIV decrypted and hashed");
    }
    Ok(())
}

#[test]
fn c6_the_limits_of_rfc_8452_are_those_of_its_section_6() {
    assert_eq!(check_lengths(MAX, MAX), Ok(()));
    let got = MAX + 1;
    assert_eq!(
        check_lengths(got, 0),
        Err(InputError::SivAadTooLong { got })
    );
    assert_eq!(
        check_lengths(0, got),
        Err(InputError::SivTextTooLong { got })
    );
}
