//! Engines whose AES rounds add the key first, as AESE of the Arm architecture does: all entries of the kernels on vectors in
//! plain integers, against the reference. A kernel that knows the way of x86-64 alone fails here.

use std::format;
use std::println;
use std::vec::Vec;

use super::super::entries::of_engines::*;
use super::super::fused::Fused;
use super::super::{
    Aead, BlockCipher, Cipher, Gf128, Item, Keys, MESSAGES, Message, Missing, Modes, Tag,
};
use super::modes::every_length;
use super::reference::{self, Gcm};
use super::{J0, quick};
use crate::simd::tests::key_first::KeyFirst;
use crate::simd::tuning::LONG_TEXT;

/// One lane, as on Arm.
type One = KeyFirst<1>;
/// Four lanes with masks: kernels have other ways for those.
type FourLanes = KeyFirst<4>;

impl<const LANES: usize> KeyFirst<LANES> {
    /// None: any CPU has integers.
    const FEATURES: Features = Features::NONE;
}

/// Entry points as `cpu!` makes them, of a CPU that has all features.
macro_rules! entry {
    ($Token:ident: impl $Trait:path {
        $(type $Type:ident = $type:ty;)*
        $(fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $kernel:expr $(, $frame:expr)?;)*
    }) => {
        impl $Trait for $Token {
            $(type $Type = $type;)*
            $(fn $name(self, $($arg: $ty),*) $(-> $ret)? {
                $(const _: usize = $frame;)?
                $kernel(self, $($arg),*)
            })*
        }
    };
}
macro_rules! one_entry {
    ($($entries:tt)*) => { entry!(One: $($entries)*); };
}
macro_rules! four_entry {
    ($($entries:tt)*) => { entry!(FourLanes: $($entries)*); };
}
engine!(one: One, one_entry, "key first");
engine!(four: FourLanes, four_entry, "key first on four lanes");

/// Bytes that differ from place to place.
fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 29 + i / 256) as u8).collect()
}

/// Of a key of `C` on an engine: what it does, and what it should.
struct Pair<E: Backend + Simd, C: BlockCipher>
where
    Fused<E>: Aead<C, Gf128>,
{
    engine: Fused<E>,
    key: Vec<u8>,
    keys: Keys<Fused<E>, C, Gf128>,
    right: Gcm,
}

impl<E: Backend + Simd, C: BlockCipher> Pair<E, C>
where
    Fused<E>: Aead<C, Gf128>,
{
    fn new() -> Self {
        let (engine, key) = (Fused::<E>::detect().unwrap(), bytes(C::KEY_LEN));
        let (mut keys, right) = (Keys::default(), Gcm::new(&key));
        engine.set(&mut keys, &key);
        Self {
            engine,
            key,
            keys,
            right,
        }
    }

    /// Messages of these lengths, sealed and opened under a key that stays and one that is used once.
    fn messages(&self, aad_len: usize, text_lens: &[usize]) -> usize {
        let (aad, all) = (
            bytes(aad_len),
            bytes(text_lens.iter().copied().max().unwrap()),
        );
        let right = self.right.prefixes(&J0[..12], &aad, &all);
        let j0 = Counter::from_block(&J0);
        for len in text_lens.iter().copied() {
            let what = format!("{}, {}: {aad_len} bytes, {len}", E::NAME, C::NAME);
            let (plaintext, ciphertext) = (&all[..len], &right.ciphertext[..len]);
            let bytes = right.tag(len);
            for once in [false, true] {
                let (mut text, mut tag) = (plaintext.to_vec(), [0; 16]);
                let message = Message {
                    j0,
                    aad: &aad,
                    text: InOut::in_place(&mut text),
                };
                match once {
                    false => self.engine.seal(&self.keys, message, &mut tag),
                    true => self.engine.seal_once(&self.key, message, &mut tag),
                }
                assert_eq!((&text[..], tag), (ciphertext, bytes), "{what}");
                let message = Message {
                    j0,
                    aad: &aad,
                    text: InOut::in_place(&mut text),
                };
                let given = Tag { bytes, len: 16 };
                let right = match once {
                    false => self.engine.open(&self.keys, message, &given),
                    true => self.engine.open_once(&self.key, message, &given),
                };
                assert_eq!((&text[..], right.publish()), (plaintext, true), "{what}");
            }
        }
        2 * text_lens.len()
    }

    /// Counter mode, blocks and segments.
    fn parts(&self) -> usize {
        let (all, counter) = (bytes(1400), Counter::from_block(&J0).add(1));
        let ciphertext = self.right.ctr(&J0, &all);
        let lens = (0..all.len()).step_by(if quick() { 7 } else { 1 });
        let parts = lens.len() + 3 * (all.len() / 16);
        for len in lens {
            let mut text = all[..len].to_vec();
            let part = InOut::in_place(&mut text);
            self.engine.ctr(&self.keys.enc, counter, part);
            assert_eq!(
                text,
                ciphertext[..len],
                "{}, {}: {len} bytes",
                E::NAME,
                C::NAME
            );
        }
        for blocks in 0..all.len() / 16 {
            let what = format!("{}, {}: {blocks} blocks", E::NAME, C::NAME);
            let len = 16 * blocks;
            let mut text = all[..len].to_vec();
            self.engine
                .encrypt(&self.keys.enc, InOut::in_place(&mut text));
            let each = reference::blocks(&all[..len]).map(|block| self.right.aes.encrypt(&block));
            assert_eq!(text, each.collect::<Vec<Block>>().concat(), "{what}");

            let (mut text, mut sealed, mut opened) = (all[..len].to_vec(), 0, 0);
            let part = InOut::in_place(&mut text);
            self.engine
                .segment::<Seal>(&self.keys, counter, part, &mut sealed);
            assert_eq!(text, ciphertext[..len], "{what}");
            let part = InOut::in_place(&mut text);
            self.engine
                .segment::<Open>(&self.keys, counter, part, &mut opened);
            assert_eq!((&text[..], opened), (&all[..len], sealed), "{what}");
        }
        parts
    }

    /// Four messages of `len` bytes at a time; how many went together.
    fn four(&self, len: usize) -> usize {
        let nonces: [[u8; 12]; MESSAGES] =
            core::array::from_fn(|m| core::array::from_fn(|i| (m * 83 + i) as u8));
        let (aad, plaintext) = (bytes(13), bytes(len));
        let right = nonces.map(|nonce| self.right.seal(&nonce, &aad, &plaintext));
        let mut texts = [(); MESSAGES].map(|()| plaintext.clone());
        let mut items = texts.each_mut().map(|text| Item {
            message: Message {
                j0: Counter::from_nonce(&[0; 12]),
                aad: &aad,
                text: InOut::in_place(text),
            },
            tag: Tag {
                bytes: [0; 16],
                len: 16,
            },
        });
        for (item, nonce) in items.iter_mut().zip(&nonces) {
            item.message.j0 = Counter::from_nonce(nonce);
        }
        if self
            .engine
            .seal_four(&self.keys, items.each_mut())
            .is_none()
        {
            return 0;
        }
        for (item, (ciphertext, tag)) in items.iter().zip(&right) {
            let what = format!("{}, {}: four of {len} bytes", E::NAME, C::NAME);
            assert_eq!(
                (item.message.text.source(), item.tag.bytes),
                (&ciphertext[..], *tag),
                "{what}"
            );
        }
        let failures = self.engine.open_four(&self.keys, items.each_mut()).unwrap();
        assert_eq!(
            failures.publish(),
            None,
            "{}, {}: four of {len} bytes",
            E::NAME,
            C::NAME
        );
        assert_eq!(texts, [(); MESSAGES].map(|()| plaintext.clone()));
        2 * MESSAGES
    }

    /// The modes of the cipher, by the same tests as those of the engines that are.
    fn modes(&self) -> usize
    where
        Fused<E>: Modes<C>,
    {
        every_length::<C, Fused<E>>(self.engine)
    }

    fn all(&self)
    where
        Fused<E>: Modes<C>,
    {
        // Two turns of four lanes, and each last pass behind one.
        let step = if quick() { 37 } else { 5 };
        let lens: Vec<usize> = (0..70).chain((70..1200).step_by(step)).collect();
        let mut count: usize = [0, 13, 16, 45, 300]
            .iter()
            .map(|len| self.messages(*len, &lens))
            .sum();
        count += self.messages(20, &[LONG_TEXT, LONG_TEXT + 8 * 1024 + 77]);
        let fours: usize = (0..140).map(|len| self.four(len)).sum();
        assert!(
            fours >= 2 * MESSAGES * 60 || !E::TUNING.fours,
            "of up to four blocks"
        );
        println!(
            "{}, {}: {count} messages, {fours} in fours, {} parts, {} texts in every mode",
            E::NAME,
            C::NAME,
            self.parts(),
            self.modes()
        );
    }
}

#[test]
fn engines_whose_rounds_add_the_key_first_agree_with_the_reference() {
    Pair::<One, Aes128>::new().all();
    Pair::<One, Aes192>::new().all();
    Pair::<One, Aes256>::new().all();
}

#[test]
fn those_on_four_lanes_agree_with_the_reference() {
    Pair::<FourLanes, Aes128>::new().all();
    Pair::<FourLanes, Aes192>::new().all();
    Pair::<FourLanes, Aes256>::new().all();
}
