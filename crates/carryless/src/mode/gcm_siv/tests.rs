//! Messages with and without the engine's call for them, and limits.

use core::error::Error;
use std::boxed::Box;
use std::println;
use std::vec::Vec;

use super::{GcmSiv, MAX, MessageKeys, check_lengths};
use crate::engine::{
    Aes128, Aes256, Block, BlockCipher, Engine, InOut, KNOWN_MESSAGES, KnownSiv, LittleCounter,
    Siv, SivMessage, Work,
};
use crate::error::InputError;
use crate::simd::tuning::{SIV_AT_ONCE, SMALL};

/// A key of the first of so many bytes that count.
fn key<C: KnownSiv>(engine: Engine) -> Result<GcmSiv<C>, Box<dyn Error>> {
    let bytes: Vec<u8> = (0..32).collect();
    Ok(GcmSiv::with_engine(&bytes[..C::KEY_LEN], engine)?)
}

/// The tags of the messages of the self-test, as the mode makes them.
fn tags<C: KnownSiv>(engine: Engine) -> Result<Vec<u128>, Box<dyn Error>> {
    let (key, mut buffer, mut tag) = (
        key::<C>(engine)?,
        Vec::from_iter((0..=255).cycle().take(2000)),
        [0x5a; 16],
    );
    let mut tags = Vec::new();
    for [aad, text] in KNOWN_MESSAGES {
        let (aad, text) = buffer[..aad + text].split_at_mut(aad);
        tag = key.seal_in_place(&tag[..12], aad, text)?;
        tags.push(u128::from_be_bytes(tag));
    }
    Ok(tags)
}

#[test]
fn c1_the_messages_of_the_self_test_have_the_same_tags_on_every_engine()
-> Result<(), Box<dyn Error>> {
    for engine in Engine::available() {
        assert!(tags::<Aes128>(engine)?.ends_with(&Aes128::TAGS), "{engine}");
        assert!(tags::<Aes256>(engine)?.ends_with(&Aes256::TAGS), "{engine}");
    }
    Ok(())
}

/// What a tag opens, and the tag that is right for it: by the engine's call for messages, and by its counter mode and hash. `None`
/// if it has no such call.
struct BothWays<'a> {
    tag: Block,
    aad: &'a [u8],
    text: &'a [u8],
}

impl<C: BlockCipher> Work<C> for BothWays<'_> {
    type Output = Option<[(Vec<u8>, Block); 2]>;

    fn run<E: Siv<C>>(self, engine: E, keys: &E::Enc) -> Self::Output {
        let [mut once, mut parts] = [self.text.to_vec(), self.text.to_vec()];
        let mut message = SivMessage {
            nonce: &[7; 12],
            aad: self.aad,
            text: InOut::between(self.text, &mut once).expect("as long as each other"),
        };
        let mut right = self.tag;
        engine.siv(keys, &mut message, &mut right, false)?;
        message.text = InOut::in_place(&mut parts);
        let tag = MessageKeys::with(engine, keys, &mut message, |keys, message| {
            let mut acc = 0;
            keys.absorb(engine, &mut acc, message.aad);
            engine.ctr_little(
                keys.enc,
                LittleCounter::of_tag(&self.tag),
                message.text.reborrow(),
            );
            keys.absorb(engine, &mut acc, message.text.written());
            keys.tag(engine, message, acc)
        });
        Some([(once, right), (parts, tag)])
    }
}

/// So many counters count over, one block later each.
const COUNTERS: u32 = 107;

/// Opens messages of these lengths by the engine's call and in parts; how many have such a call. Counters count over in the text, in
/// each block of its first turns and behind those that are opened at once, or behind a short one. Where texts are opened so, none is
/// left out.
fn agree<C: KnownSiv>(
    engine: Engine,
    lens: impl Iterator<Item = usize> + Clone,
) -> Result<usize, Box<dyn Error>> {
    let (key, all, mut count) = (
        key::<C>(engine)?,
        Vec::from_iter((0..=250).cycle().take(5000)),
        0,
    );
    let all_lens = lens.clone().count();
    for (i, len) in (0_u32..).zip(lens) {
        let (mut tag, aad, text) = ([0x5a; 16], &all[..i as usize % 70], &all[..len]);
        tag[..4].copy_from_slice(&(u32::MAX - i % COUNTERS).to_le_bytes());
        if let Some([once, parts]) = key.keys.get().run(BothWays { tag, aad, text }) {
            assert!(once == parts, "{engine}, {}: {len} bytes", C::NAME);
            count += 1;
        }
    }
    let at_once = ["avx", "aesni"].contains(&engine.name());
    assert!(count == all_lens || !at_once || SMALL, "{engine}: {count}");
    Ok(count)
}

#[test]
fn c2_a_message_that_is_opened_in_one_call_is_what_the_parts_make() -> Result<(), Box<dyn Error>> {
    // Each length of short texts, and with each rest behind turns that are opened at once; then whole turns, and some with a rest.
    let begin = (SIV_AT_ONCE - 10)..(SIV_AT_ONCE + 140);
    let turns = (1664..5000).step_by(128).flat_map(|len| [len, len + 77]);
    let lens = (0..300).chain(begin).chain(turns.filter(|len| *len < 5000));
    for engine in Engine::available() {
        let count = agree::<Aes128>(engine, lens.clone())? + agree::<Aes256>(engine, lens.clone())?;
        println!("C2 {engine}: {count} messages of AES-GCM-SIV opened in one call");
    }
    Ok(())
}

#[test]
fn c2_the_counter_of_a_message_wraps_in_each_block() -> Result<(), Box<dyn Error>> {
    fn wraps<C: KnownSiv>(engine: Engine) -> Result<usize, Box<dyn Error>> {
        let lens = [200, SIV_AT_ONCE + 144].map(|len| core::iter::repeat_n(len, COUNTERS as usize));
        agree::<C>(engine, lens.into_iter().flatten())
    }
    for engine in Engine::available() {
        let count = wraps::<Aes128>(engine)? + wraps::<Aes256>(engine)?;
        println!("C2 {engine}: {count} counters of messages wrap");
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
