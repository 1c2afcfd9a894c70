//! What modes ask of the cipher, on every engine and key size, against one block at a time by the reference.

use std::println;
use std::vec::Vec;

use super::super::{
    Aes128, Aes192, Aes256, Block, BlockCipher, CHAINS, CipherKeys, Counter, EveryCipher, InOut,
    LittleCounter, Modes, Siv, Work, xor_into,
};
use super::reference::Aes;
use super::{engines, quick};

/// Bytes that differ from place to place.
fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 29 + i / 256) as u8).collect()
}

/// The reference for the key whose bytes count.
fn reference<C: BlockCipher>() -> Aes {
    Aes::new(&known_key::<C>())
}

/// That key.
fn known_key<C: BlockCipher>() -> Vec<u8> {
    (0..C::KEY_LEN as u8).collect()
}

/// The text block by block.
fn each_block(text: &[u8], f: impl FnMut(&Block) -> Block) -> Vec<u8> {
    text.as_chunks().0.iter().flat_map(f).collect()
}

/// Cipher block chaining, and the last block.
fn cbc(aes: &Aes, mut chain: Block, text: &[u8]) -> (Vec<u8>, Block) {
    let made = each_block(text, |block| {
        xor_into(&mut chain, block);
        chain = aes.encrypt(&chain);
        chain
    });
    (made, chain)
}

/// XTS, and the tweak behind it.
fn xts(aes: &Aes, tweak: Block, text: &[u8]) -> (Vec<u8>, Block) {
    let mut t = u128::from_le_bytes(tweak);
    let made = each_block(text, |block| {
        let (tweak, mut block) = (t.to_le_bytes(), *block);
        t = if t >> 127 == 0 { t << 1 } else { t << 1 ^ 0x87 };
        xor_into(&mut block, &tweak);
        block = aes.encrypt(&block);
        xor_into(&mut block, &tweak);
        block
    });
    (made, t.to_le_bytes())
}

/// The key stream of a counter in the first or the last four bytes, added to the text.
fn ctr(aes: &Aes, block: &Block, little: bool, text: &[u8]) -> Vec<u8> {
    let stream = (0..text.len().div_ceil(16) as u32).flat_map(|i| {
        let mut block = *block;
        let place = if little {
            &mut block[..4]
        } else {
            &mut block[12..]
        };
        let count: [u8; 4] = (&*place).try_into().unwrap();
        place.copy_from_slice(&if little {
            u32::from_le_bytes(count).wrapping_add(i).to_le_bytes()
        } else {
            u32::from_be_bytes(count).wrapping_add(i).to_be_bytes()
        });
        aes.encrypt(&block)
    });
    text.iter().zip(stream).map(|(a, b)| a ^ b).collect()
}

/// What is run in place, and from one buffer to another.
fn both_ways(text: &[u8], expected: &[u8], run: impl Fn(InOut<'_>), what: &str) {
    let mut place = text.to_vec();
    run(InOut::in_place(&mut place));
    assert!(place == expected, "{what} in place, {} bytes", text.len());
    let mut to = bytes(text.len());
    run(InOut::between(text, &mut to).unwrap());
    let whole = expected.len() & !15;
    assert!(
        to[..whole] == expected[..whole],
        "{what}, {} bytes",
        text.len()
    );
}

/// What modes ask of an engine under a key. A trait object: the tests are compiled once, not for each engine and key size.
trait Asked {
    fn encrypt(&self, text: InOut<'_>);
    fn decrypt(&self, text: InOut<'_>);
    fn encrypt_cbc(&self, chain: &mut Block, text: InOut<'_>);
    fn mac_cbc(&self, chain: &mut Block, data: &[u8]);
    fn encrypt_cbc_each(&self, chains: &mut [Block; CHAINS], texts: [InOut<'_>; CHAINS]);
    fn mac_cbc_each(&self, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]);
    fn ccm(&self, counter: Counter, chain: &mut Block, text: InOut<'_>, seal: bool);
    fn decrypt_cbc(&self, chain: &mut Block, text: InOut<'_>);
    fn encrypt_xts(&self, tweak: &mut Block, text: InOut<'_>);
    fn decrypt_xts(&self, tweak: &mut Block, text: InOut<'_>);
    fn ctr_little(&self, counter: LittleCounter, text: InOut<'_>);
    fn ctr(&self, counter: Counter, text: InOut<'_>);
    fn public_ctr(&self, counter: Counter, text: InOut<'_>);
}

/// An engine and keys of it.
struct Under<C: BlockCipher, E: Modes<C>> {
    engine: E,
    enc: E::Enc,
    dec: E::Dec,
}

impl<C: BlockCipher, E: Modes<C>> Asked for Under<C, E> {
    fn encrypt(&self, text: InOut<'_>) {
        self.engine.encrypt(&self.enc, text);
    }
    fn decrypt(&self, text: InOut<'_>) {
        self.engine.decrypt(&self.dec, text);
    }
    fn encrypt_cbc(&self, chain: &mut Block, text: InOut<'_>) {
        self.engine.encrypt_cbc(&self.enc, chain, text);
    }
    fn mac_cbc(&self, chain: &mut Block, data: &[u8]) {
        self.engine.mac_cbc(&self.enc, chain, data);
    }
    fn encrypt_cbc_each(&self, chains: &mut [Block; CHAINS], texts: [InOut<'_>; CHAINS]) {
        self.engine.encrypt_cbc_each(&self.enc, chains, texts);
    }
    fn mac_cbc_each(&self, chains: &mut [Block; CHAINS], data: [&[u8]; CHAINS]) {
        self.engine.mac_cbc_each(&self.enc, chains, data);
    }
    fn ccm(&self, counter: Counter, chain: &mut Block, text: InOut<'_>, seal: bool) {
        self.engine.ccm(&self.enc, counter, chain, text, seal);
    }
    fn decrypt_cbc(&self, chain: &mut Block, text: InOut<'_>) {
        self.engine.decrypt_cbc(&self.dec, chain, text);
    }
    fn encrypt_xts(&self, tweak: &mut Block, text: InOut<'_>) {
        self.engine.encrypt_xts(&self.enc, tweak, text);
    }
    fn decrypt_xts(&self, tweak: &mut Block, text: InOut<'_>) {
        self.engine.decrypt_xts(&self.dec, tweak, text);
    }
    fn ctr_little(&self, counter: LittleCounter, text: InOut<'_>) {
        self.engine.ctr_little(&self.enc, counter, text);
    }
    fn ctr(&self, counter: Counter, text: InOut<'_>) {
        self.engine.ctr(&self.enc, counter, text);
    }
    fn public_ctr(&self, counter: Counter, text: InOut<'_>) {
        self.engine.public_ctr(&self.enc, counter, text);
    }
}

fn all_modes(aes: &Aes, engine: &dyn Asked, len: usize) {
    let (all, start) = (bytes(len), [0xf5; 16]);
    let text = &all[..len & !15];

    let made = each_block(text, |block| aes.encrypt(block));
    both_ways(text, &made, |text| engine.encrypt(text), "encrypt");
    both_ways(&made, text, |text| engine.decrypt(text), "decrypt");

    let (made, last) = cbc(aes, start, text);
    let ends = |run: &dyn Fn(&mut Block), expected: Block, what: &str| {
        let mut chain = start;
        run(&mut chain);
        assert_eq!(chain, expected, "{what}, {len} bytes");
    };
    both_ways(
        text,
        &made,
        |text| {
            ends(
                &|chain| engine.encrypt_cbc(chain, InOut::in_place(&mut bytes(len))),
                last,
                "chain",
            );
            engine.encrypt_cbc(&mut { start }, text);
        },
        "CBC",
    );
    ends(&|chain| engine.mac_cbc(chain, text), last, "CBC-MAC");
    both_ways(
        &made,
        text,
        |text| engine.decrypt_cbc(&mut { start }, text),
        "CBC decryption",
    );
    let (_, behind) = cbc(aes, aes.encrypt(&start), text);
    for block in [[0xff; 16], core::array::from_fn(|i| 251 - i as u8)] {
        let (counter, hidden) = (Counter::from_block(&block), ctr(aes, &block, false, text));
        for (from, to, seal) in [(text, &hidden[..], true), (&hidden, text, false)] {
            let run = |text: InOut<'_>| {
                // Its blocks are those before the cipher.
                let alone = |chain: &mut Block| {
                    engine.ccm(counter, chain, InOut::in_place(&mut from.to_vec()), seal);
                    *chain = aes.encrypt(chain);
                };
                ends(&alone, behind, "CCM");
                engine.ccm(counter, &mut { start }, text, seal);
            };
            both_ways(from, to, run, "CCM");
        }
    }
    let end = made.last_chunk().copied().unwrap_or(start);
    ends(
        &|chain| engine.decrypt_cbc(chain, InOut::in_place(&mut made.clone())),
        end,
        "decryption",
    );

    let (made, last) = xts(aes, start, text);
    both_ways(
        text,
        &made,
        |text| engine.encrypt_xts(&mut { start }, text),
        "XTS",
    );
    both_ways(
        &made,
        text,
        |text| engine.decrypt_xts(&mut { start }, text),
        "XTS decryption",
    );
    ends(
        &|tweak| engine.encrypt_xts(tweak, InOut::in_place(&mut text.to_vec())),
        last,
        "tweak",
    );
    ends(
        &|tweak| engine.decrypt_xts(tweak, InOut::in_place(&mut text.to_vec())),
        last,
        "tweak back",
    );

    for block in [[0xff; 16], [0; 16], core::array::from_fn(|i| 251 - i as u8)] {
        let little = LittleCounter::from_block(&block);
        both_ways(
            &all,
            &ctr(aes, &block, true, &all),
            |text| engine.ctr_little(little, text),
            "little",
        );
        let big = Counter::from_block(&block);
        let made = ctr(aes, &block, false, &all);
        both_ways(&all, &made, |text| engine.ctr(big, text), "CTR");
        both_ways(
            &all,
            &made,
            |text| engine.public_ctr(big, text),
            "CTR from a public counter",
        );
    }
}

/// Counter mode from a public counter, which begins at each place of 256: engines have batches of eight.
fn any_counter(aes: &Aes, engine: &dyn Asked) {
    let text = bytes(701);
    for first in (0..=u8::MAX).filter(|first| [0, 1, 7].contains(&(first % 8))) {
        let mut block = [0xff; 16];
        block[15] = first;
        let expected = ctr(aes, &block, false, &text);
        let mut made = text.clone();
        engine.public_ctr(Counter::from_block(&block), InOut::in_place(&mut made));
        assert!(made == expected, "from {first} on");
    }
}

fn several_chains(aes: &Aes, engine: &dyn Asked, len: usize) {
    let text = bytes(CHAINS * len);
    let starts: [Block; CHAINS] = core::array::from_fn(|i| [i as u8; 16]);
    let parts: [&[u8]; CHAINS] = core::array::from_fn(|i| &text[i * len..][..len]);
    let expected: [_; CHAINS] = core::array::from_fn(|i| cbc(aes, starts[i], parts[i]));
    let mut chains = starts;
    engine.mac_cbc_each(&mut chains, parts);
    assert_eq!(
        chains,
        expected.each_ref().map(|(_, last)| *last),
        "{len} bytes"
    );
    let (mut chains, mut text) = (starts, text.clone());
    let mut places = text.chunks_mut(len.max(1));
    let places = core::array::from_fn(|_| InOut::in_place(places.next().unwrap_or_default()));
    engine.encrypt_cbc_each(&mut chains, places);
    assert_eq!(
        chains,
        expected.each_ref().map(|(_, last)| *last),
        "{len} bytes"
    );
    assert_eq!(text, expected.map(|(made, _)| made).concat(), "{len} bytes");
}

/// Lengths beyond those that no engine takes block by block.
const LONG: [usize; 2] = [2048, 4208];

/// Every mode on texts of many lengths; how many.
pub(super) fn every_length<C: BlockCipher, E: Modes<C>>(engine: E) -> usize {
    let (aes, key) = (reference::<C>(), known_key::<C>());
    let (enc, dec) = (engine.expand(&key), engine.expand_inverse(&key));
    let under = Under { engine, enc, dec };
    let blocks = if quick() { 12 } else { 75 };
    for len in (0..16 * blocks)
        .step_by(16)
        .chain(LONG)
        .flat_map(|len| [len, len + 5])
    {
        all_modes(&aes, &under, len);
    }
    for len in [0, 16, 32, 80] {
        several_chains(&aes, &under, len);
    }
    any_counter(&aes, &under);
    2 * (blocks + LONG.len())
}

/// The same on an engine of the list.
struct EveryLength;

impl<C: BlockCipher> Work<C> for EveryLength {
    type Output = usize;

    fn run<E: Siv<C>>(self, engine: E, _: &E::Enc) -> usize {
        every_length::<C, E>(engine)
    }
}

fn with<C: EveryCipher>() {
    for engine in engines() {
        let keys = CipherKeys::<C>::untested(engine, &known_key::<C>()).unwrap();
        println!(
            "C2 {engine}: {} texts in every mode of {}",
            keys.run(EveryLength),
            C::NAME
        );
    }
}

#[test]
fn c2_modes_are_what_the_reference_makes_block_by_block() {
    with::<Aes128>();
    with::<Aes192>();
    with::<Aes256>();
}

#[test]
fn the_known_answers_of_the_modes_are_those_of_the_reference() {
    for engine in engines() {
        assert!(engine.runs_blocks::<Aes128>().is_ok(), "{engine}");
        assert!(engine.runs_blocks::<Aes192>().is_ok(), "{engine}");
        assert!(engine.runs_blocks::<Aes256>().is_ok(), "{engine}");
    }
}
