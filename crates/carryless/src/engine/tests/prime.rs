//! The hash modulo the prime `2^128 + 12451` (SGCM): what a field that is not GF(2^128) needs.
//!
//! A name and an accumulator of its own size ([`Field`]: 129 bits, here three words), and the methods
//! of [`Hash`] once for all engines; [`Aead`] then has counter mode and hash as one by its default
//! methods. SGCM adds the mask of the tag where GCM XORs it, so that two methods are overridden.
//! Throw-away code, variable time.

use std::println;
use std::vec;
use std::vec::Vec;

use zeroize::ZeroizeOnDrop;

use super::super::{
    Aead, Aes128, Aes192, Aes256, Backend, Block, BlockCipher, Cipher, Counter, Field, Hash, InOut,
    Keys, Message, length_block,
};

/// The field of SGCM.
#[derive(Clone, Copy)]
enum P12451 {}

const C: u128 = 12451;

impl Field for P12451 {
    const NAME: &'static str = "GF(2^128 + 12451)";
    /// The low 128 bits as two words, and the word above them.
    type Acc = [u64; 3];

    fn add(acc: &mut [u64; 3], other: &[u64; 3]) {
        *acc = Element::from_acc(*acc)
            .add(Element::from_acc(*other))
            .to_acc();
    }
}

/// Modulo `2^128 + C`, canonical: `carry` is 1 only with `low < C`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Element {
    carry: u64,
    low: u128,
}

impl Element {
    const fn from_acc([low, high, carry]: [u64; 3]) -> Self {
        Self {
            carry,
            low: low as u128 | (high as u128) << 64,
        }
    }

    const fn to_acc(self) -> [u64; 3] {
        [self.low as u64, (self.low >> 64) as u64, self.carry]
    }

    /// `carry * 2^128 + low`, with a small carry.
    fn reduce(mut carry: u64, mut low: u128) -> Self {
        while carry > 1 || carry == 1 && low >= C {
            let (rest, borrow) = low.overflowing_sub(C);
            (carry, low) = (carry - 1 - u64::from(borrow), rest);
        }
        Self { carry, low }
    }

    fn add(self, other: Self) -> Self {
        let (low, over) = self.low.overflowing_add(other.low);
        Self::reduce(self.carry + other.carry + u64::from(over), low)
    }

    /// Horner's rule: doublings and additions.
    fn times(self, h: u128) -> Self {
        let zero = Self { carry: 0, low: 0 };
        (0..128).rev().fold(zero, |sum, i| {
            let doubled = sum.add(sum);
            if h >> i & 1 == 1 {
                doubled.add(self)
            } else {
                doubled
            }
        })
    }
}

#[derive(Clone, Default)]
struct Key(u128);

impl Drop for Key {
    fn drop(&mut self) {
        self.0 = 0;
    }
}

impl ZeroizeOnDrop for Key {}

impl<E: Backend> Hash<P12451> for E {
    type Key = Key;

    fn key(self, h: &Block) -> Key {
        Key(u128::from_be_bytes(*h))
    }
    fn update(self, key: &Key, acc: &mut [u64; 3], blocks: &[u8]) {
        for block in blocks.chunks_exact(16) {
            let x = Element {
                carry: 0,
                low: u128::from_be_bytes(block.try_into().unwrap()),
            };
            *acc = Element::from_acc(*acc).add(x).times(key.0).to_acc();
        }
    }
    fn finish(self, _: &Key, acc: [u64; 3]) -> Block {
        Element::from_acc(acc).low.to_be_bytes()
    }
}

/// The tag of GCM's frame, with the mask added instead.
fn remask<E: Cipher<C> + Hash<P12451>, C: BlockCipher>(
    engine: E,
    keys: &Keys<E, C, P12451>,
    j0: Counter,
    tag: Block,
) -> Block {
    let mut mask = j0.to_block();
    engine.encrypt_block(&keys.enc, &mut mask);
    let mask = u128::from_be_bytes(mask);
    (u128::from_be_bytes(tag) ^ mask)
        .wrapping_add(mask)
        .to_be_bytes()
}

impl<C: BlockCipher, E: Cipher<C>> Aead<C, P12451> for E {
    fn seal(self, keys: &Keys<Self, C, P12451>, message: Message<'_>, tag: &mut Block) {
        let j0 = message.j0;
        *tag = self.two_pass::<super::Seal>(keys, message);
        *tag = remask(self, keys, j0, *tag);
    }
    fn open(
        self,
        keys: &Keys<Self, C, P12451>,
        message: Message<'_>,
        tag: &super::Tag,
    ) -> crate::secret::Choice {
        let j0 = message.j0;
        let right = self.two_pass::<super::Open>(keys, message);
        crate::secret::equal(&remask(self, keys, j0, right), &tag.bytes, tag.len)
    }
}

/// The pre-counter block, by the hash of the field.
fn j0<E: Cipher<C> + Hash<P12451>, C: BlockCipher>(
    engine: E,
    keys: &Keys<E, C, P12451>,
    nonce: &[u8],
) -> Counter {
    if let Ok(nonce) = nonce.try_into() {
        return Counter::from_nonce(nonce);
    }
    let mut acc = [0; 3];
    engine.absorb(&keys.hash, &mut acc, nonce);
    engine.update(&keys.hash, &mut acc, &length_block(0, nonce.len() as u64));
    Counter::from_block(&engine.finish(&keys.hash, acc))
}

/// One vector: seals, then opens.
fn seal_and_open<E: Aead<C, P12451>, C: BlockCipher>(engine: E, words: &[Vec<u8>]) -> bool {
    let [key, nonce, aad, text, sealed, tag] = words else {
        return false;
    };
    let keys = engine.keys(key);
    let j0 = j0(engine, &keys, nonce);
    let mut out = text.clone();
    let mut made = [0; 16];
    let message = Message {
        j0,
        aad,
        text: InOut::in_place(&mut out),
    };
    engine.seal(&keys, message, &mut made);
    let right = made[..] == tag[..] && out == *sealed;
    let opened = engine.open(
        &keys,
        Message {
            j0,
            aad,
            text: InOut::in_place(&mut out),
        },
        &super::Tag {
            bytes: made,
            len: 16,
        },
    );
    right && opened.publish() && out == *text
}

/// A name, a kind and words of hexadecimal digits.
fn lines() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
    let file = include_str!("../../../../../vectors/sgcm.txt");
    file.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split(' ');
            (
                words.next().unwrap(),
                words.next().unwrap(),
                words.collect(),
            )
        })
}

fn bytes(word: &str) -> Vec<u8> {
    if word == "-" {
        vec![]
    } else {
        hex::decode(word).unwrap()
    }
}

fn check<E: Cipher<Aes128> + Cipher<Aes192> + Cipher<Aes256>>(engine: E) {
    let (mut hashes, mut messages) = (0, 0);
    for (kind, name, words) in lines() {
        if kind == "hash" {
            let key = Hash::<P12451>::key(engine, &bytes(words[0]).try_into().unwrap());
            let mut acc = <P12451 as Field>::Acc::default();
            engine.absorb(&key, &mut acc, &bytes(words[1]));
            let element = Element::from_acc(acc);
            assert_eq!(
                std::format!("{:01x}{:032x}", element.carry, element.low),
                words[2],
                "{name}"
            );
            hashes += 1;
        } else {
            let words: Vec<Vec<u8>> = words.into_iter().map(bytes).collect();
            let right = match words[0].len() {
                16 => seal_and_open::<E, Aes128>(engine, &words),
                24 => seal_and_open::<E, Aes192>(engine, &words),
                _ => seal_and_open::<E, Aes256>(engine, &words),
            };
            assert!(right, "{}: {name}", E::NAME);
            messages += 1;
        }
    }
    println!(
        "{}: {hashes} hashes and {messages} messages of SGCM",
        E::NAME
    );
    assert!(hashes > 50 && messages > 50);
}

#[test]
fn another_field_runs_on_every_token_without_new_plumbing() {
    check(crate::soft::Soft64);
    check(crate::soft::Soft64Words);
    check(crate::soft::Soft32);
    check(crate::soft::Soft32Narrow);
    #[cfg(carryless_a32)]
    {
        use super::super::arm::Assembled;
        use crate::asm::{Armce32, Assembly, Neon32};
        fn test<A: Assembly>() {
            if let Ok(engine) = Assembled::<A>::detect() {
                check(engine);
            }
        }
        test::<Armce32>();
        test::<Neon32>();
    }
    #[cfg(carryless_fused)]
    {
        use super::super::fused::Fused;
        fn test<E: Backend>(name: &str, _: E)
        where
            Fused<E>: Cipher<Aes128> + Cipher<Aes192> + Cipher<Aes256>,
        {
            check(Fused::<E>::detect().expect(name));
        }
        crate::simd::tests::tokens::each_cpu_token!(test);
    }
}
