//! The modes by the reference, which notes all that they make of a key on the way.
#![allow(clippy::cast_possible_truncation, reason = "short messages and keys")]

use carryless_assure::Cipher;

use super::lea::{Lea, Passed};
use crate::message::Message;
use crate::reference::{Aes, Block, Poly, blocks, inverse_mix_columns, round, xor};
use crate::secrets::Secrets;

/// Where CBC, CTR and XTS begin; public.
pub(super) const START: Block = [7; 16];

/// A key of XTS whose first half this is.
pub(super) fn halves(key: &[u8]) -> Vec<u8> {
    key.iter()
        .copied()
        .chain(key.iter().map(|byte| !byte))
        .collect()
}

/// Twice the block, in CMAC's order of bytes.
fn doubled(block: &Block) -> Block {
    let v = u128::from_be_bytes(*block);
    ((v << 1) ^ ((v >> 127) * 0x87)).to_be_bytes()
}

/// An expanded key.
pub(super) enum Keys {
    Aes(Aes),
    Lea(Lea),
}

/// What was made.
#[derive(Default)]
pub(super) struct Made {
    pub(super) secrets: Secrets,
    lea: bool,
    /// Blocks that LEA encrypted.
    pub(super) passed: Vec<Passed>,
}

impl Made {
    /// By the cipher of the message, under its key.
    pub(super) fn of(message: &Message) -> Self {
        let mut made = Self {
            lea: Cipher::LEA.contains(&message.shape.cipher),
            ..Self::default()
        };
        if !made.lea {
            message.add_key_secrets(&mut made.secrets);
        }
        made
    }

    /// A key and its round keys, those of decryption too.
    pub(super) fn key(&mut self, key: &[u8]) -> Keys {
        self.secrets.add("raw key", key);
        if self.lea {
            return Keys::Lea(self.lea_key(key));
        }
        let aes = Aes::new(key);
        for key in &aes.round_keys {
            self.secrets.add_block("round key", *key);
            self.secrets
                .add_block("round key", inverse_mix_columns(key));
        }
        Keys::Aes(aes)
    }

    /// Encrypts a block: every state on the way, as each step of either direction has it, and `what` comes of it.
    pub(super) fn encrypt(&mut self, keys: &Keys, what: &'static str, block: &Block) -> Block {
        let made = match keys {
            Keys::Aes(aes) => self.aes(aes, block),
            Keys::Lea(lea) => self.lea(lea, block),
        };
        self.secrets.add_block(what, made);
        made
    }

    fn aes(&mut self, aes: &Aes, block: &Block) -> Block {
        let keys = &aes.round_keys;
        let mut state = xor(block, &keys[0]);
        for (r, key) in keys.iter().enumerate().skip(1) {
            for state in [
                state,
                inverse_mix_columns(&state),
                round(&state, &[0; 16], false),
                round(&state, &[0; 16], true),
            ] {
                self.secrets.add_block("state of AES", state);
            }
            state = round(&state, key, r + 1 < keys.len());
        }
        state
    }

    /// Text to which an engine of AES adds the last round key first.
    fn text(&mut self, keys: &Keys, text: &[u8]) {
        let Keys::Aes(Aes { round_keys }) = keys else {
            return;
        };
        let [first, .., last] = &round_keys[..] else {
            return;
        };
        for block in blocks(text) {
            self.secrets
                .add_block("text with the last round key", xor(&block, last));
            self.secrets
                .add_block("text with two round keys", xor(&block, &xor(first, last)));
        }
    }

    /// A chain over whole blocks, and each link.
    fn chain(&mut self, aes: &Keys, start: Block, text: &[u8]) -> Vec<Block> {
        self.text(aes, text);
        let mut chain = start;
        let link = |block: Block| {
            chain = self.encrypt(aes, "chain", &xor(&chain, &block));
            chain
        };
        blocks(text).map(link).collect()
    }

    /// The text under the key stream of these counter blocks.
    pub(super) fn add_key_stream(
        &mut self,
        aes: &Keys,
        text: &[u8],
        mut counter: impl FnMut(u32) -> Block,
    ) -> Vec<u8> {
        self.text(aes, text);
        let mut sealed = Vec::new();
        for (i, block) in (0..).zip(blocks(text)) {
            sealed.extend(xor(&block, &self.encrypt(aes, "key stream", &counter(i))));
        }
        sealed.truncate(text.len());
        self.text(aes, &sealed);
        sealed
    }

    /// CBC, whose chain is the ciphertext.
    pub(super) fn cbc(&mut self, key: &[u8], text: &[u8]) -> Vec<u8> {
        let aes = self.key(key);
        let sealed = self.chain(&aes, START, text).concat();
        // Another message of `CbcEncryptor::encrypt_each` is the rest of this one.
        let third = (text.len() / 3) & !15;
        let tail = self.chain(&aes, START, &text[third..]).concat();
        self.text(&aes, &sealed);
        self.secrets.forget(&sealed);
        self.secrets.forget(&tail);
        sealed
    }

    /// The key stream of CTR.
    pub(super) fn ctr(&mut self, key: &[u8], text: &[u8]) {
        let aes = self.key(key);
        let start = u128::from_be_bytes(START);
        self.add_key_stream(&aes, text, |i| (start + u128::from(i)).to_be_bytes());
    }

    /// CMAC; the tag is `what`.
    pub(super) fn cmac(&mut self, key: &[u8], text: &[u8], what: &'static str) -> Block {
        let aes = self.key(key);
        let (body, last) = text.split_at(text.len().saturating_sub(1) & !15);
        let mut mask = doubled(&self.encrypt(&aes, "subkey", &[0; 16]));
        self.secrets.add_block("subkey", mask);
        let mut block = [0; 16];
        block[..last.len()].copy_from_slice(last);
        if last.len() < 16 {
            block[last.len()] = 0x80;
            mask = doubled(&mask);
            self.secrets.add_block("subkey", mask);
        }
        let chain = self
            .chain(&aes, [0; 16], body)
            .last()
            .copied()
            .unwrap_or_default();
        self.encrypt(&aes, what, &xor(&xor(&chain, &block), &mask))
    }

    /// CCM with tags of 16 bytes (SP 800-38C appendix A).
    pub(super) fn ccm(
        &mut self,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        text: &[u8],
    ) -> (Vec<u8>, Block) {
        let aes = self.key(key);
        let block = |flags: u8, n: u32| {
            let mut block = [flags; 16];
            block[1..13].copy_from_slice(nonce);
            block[13..].copy_from_slice(&n.to_be_bytes()[1..]);
            block
        };
        let flags = if aad.is_empty() { 0x3a } else { 0x7a };
        let mut hashed = block(flags, text.len() as u32).to_vec();
        if !aad.is_empty() {
            hashed.extend((aad.len() as u16).to_be_bytes());
            hashed.extend(aad);
            hashed.resize(hashed.len().next_multiple_of(16), 0);
        }
        hashed.extend(text);
        let mac = self
            .chain(&aes, [0; 16], &hashed)
            .last()
            .copied()
            .unwrap_or_default();
        let mask = self.encrypt(&aes, "mask of the tag", &block(2, 0));
        let sealed = self.add_key_stream(&aes, text, |i| block(2, i + 1));
        let tag = xor(&mac, &mask);
        self.secrets.add_block("right tag", tag);
        (sealed, tag)
    }

    /// XTS of one data unit, and of a block in each sector from the first on.
    pub(super) fn xts(&mut self, both: &[u8], text: &[u8]) -> Vec<u8> {
        let (data, tweaks) = both.split_at(both.len() / 2);
        let (aes, tweaks) = (self.key(data), self.key(tweaks));
        for (number, block) in (1u128..).zip(text.as_chunks().0) {
            let tweak = self.encrypt(&tweaks, "tweak", &number.to_le_bytes());
            let sealed = self.tweaked(&aes, &tweak, block);
            self.secrets.forget(&sealed);
        }
        let mut tweak = self.encrypt(&tweaks, "tweak", &START);
        let mut next = || {
            let this = tweak;
            let v = u128::from_le_bytes(tweak);
            tweak = ((v << 1) ^ ((v >> 127) * 0x87)).to_le_bytes();
            this
        };
        let (whole, rest) = text.as_chunks::<16>();
        let mut sealed: Vec<Block> = whole
            .iter()
            .map(|block| self.tweaked(&aes, &next(), block))
            .collect();
        let mut end = Vec::new();
        if let (false, Some(last)) = (rest.is_empty(), sealed.last_mut()) {
            // Ciphertext stealing: the last whole block's ciphertext is the end, and fills the rest up.
            end = last[..rest.len()].to_vec();
            last[..rest.len()].copy_from_slice(rest);
            *last = self.tweaked(&aes, &next(), last);
        }
        [sealed.concat(), end].concat()
    }

    /// A block of XTS.
    fn tweaked(&mut self, aes: &Keys, tweak: &Block, block: &Block) -> Block {
        self.secrets.add_block("tweak", *tweak);
        self.text(aes, tweak);
        if let Keys::Aes(aes) = aes {
            self.secrets.add_block(
                "tweak with the first round key",
                xor(tweak, &aes.round_keys[0]),
            );
        }
        self.secrets
            .add_block("text with its tweak", xor(block, tweak));
        xor(
            &self.encrypt(aes, "ciphertext with its tweak", &xor(block, tweak)),
            tweak,
        )
    }

    /// POLYVAL, by GHASH (RFC 8452 appendix A), with the powers of H as either has them.
    pub(super) fn polyval(&mut self, h: &Block, data: &[u8]) -> Block {
        let reversed = |block: &Block| {
            let mut block = *block;
            block.reverse();
            Poly::from_block(&block)
        };
        let (x, h) = (Poly(2), reversed(h));
        let (hash, back) = (h.times(x), x.inverse());
        for n in 1..=16 {
            let power = hash.power(n).times(back);
            let block = power.to_block();
            self.secrets.add_block("power of H", block);
            // As kernels have them for the form R/F, and for Karatsuba's multiplications.
            self.secrets
                .add_block("power of H times x^64", power.times(x.power(64)).to_block());
            let number = u128::from_be_bytes(block);
            let sum = number as u64 ^ (number >> 64) as u64;
            self.secrets
                .add("sum of halves of a power of H", &sum.to_le_bytes());
        }
        let y = self.hash(hash, blocks(data).map(|block| reversed(&block)));
        let mut end = y.to_block();
        end.reverse();
        end
    }

    /// The keys that AES-GCM-SIV derives: H, and the cipher's (RFC 8452 section 4).
    fn siv_keys(&mut self, key: &[u8], nonce: &[u8]) -> (Block, Keys) {
        let aes = self.key(key);
        let mut derived = Vec::new();
        for i in 0..2 + key.len() as u32 / 8 {
            let mut block = [0; 16];
            block[..4].copy_from_slice(&i.to_le_bytes());
            block[4..].copy_from_slice(nonce);
            derived.extend_from_slice(&self.encrypt(&aes, "derived key", &block)[..8]);
        }
        self.secrets.add("derived key", &derived);
        let (h, key) = derived.split_at(16);
        (h.try_into().expect("16 bytes"), self.key(key))
    }

    /// Its tag of a text.
    fn siv_tag(
        &mut self,
        (h, aes): &(Block, Keys),
        nonce: &[u8],
        aad: &[u8],
        text: &[u8],
    ) -> Block {
        let filled = |data: &[u8]| blocks(data).collect::<Vec<_>>().concat();
        let lengths = [aad, text]
            .map(|data| (8 * data.len() as u64).to_le_bytes())
            .concat();
        let mut tag = self.polyval(h, &[filled(aad), filled(text), lengths].concat());
        tag.iter_mut()
            .zip(nonce)
            .for_each(|(byte, nonce)| *byte ^= nonce);
        tag[15] &= 0x7f;
        self.secrets.add_block("hash with the nonce", tag);
        self.encrypt(aes, "right tag", &tag)
    }

    /// A text under the key stream of a tag.
    fn siv_stream(&mut self, aes: &Keys, tag: &Block, text: &[u8]) -> Vec<u8> {
        let mut counter = *tag;
        counter[15] |= 0x80;
        let [a, b, c, d, ..] = counter;
        let first = u32::from_le_bytes([a, b, c, d]);
        self.add_key_stream(aes, text, |i| {
            counter[..4].copy_from_slice(&first.wrapping_add(i).to_le_bytes());
            counter
        })
    }

    /// AES-GCM-SIV.
    pub(super) fn siv(
        &mut self,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        text: &[u8],
    ) -> (Vec<u8>, Block) {
        let keys = self.siv_keys(key, nonce);
        let tag = self.siv_tag(&keys, nonce, aad, text);
        (self.siv_stream(&keys.1, &tag, text), tag)
    }

    /// What an opening under a wrong tag makes: another text, and the tag that is right for that.
    pub(super) fn forged_siv(
        &mut self,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        sealed: &[u8],
        tag: &Block,
    ) {
        let keys = self.siv_keys(key, nonce);
        let text = self.siv_stream(&keys.1, tag, sealed);
        self.siv_tag(&keys, nonce, aad, &text);
        self.secrets.add("text", &text);
        self.secrets.forget(sealed);
    }

    /// The key that XAES-256-GCM derives.
    pub(super) fn xaes(&mut self, key: &[u8], nonce: &[u8]) -> Vec<u8> {
        let aes = self.key(key);
        let subkey = doubled(&self.encrypt(&aes, "subkey", &[0; 16]));
        self.secrets.add_block("subkey", subkey);
        let mut derived = Vec::new();
        for i in 1..=2 {
            let mut block = [0; 16];
            block[..3].copy_from_slice(&[0, i, b'X']);
            self.secrets.add_block("subkey", xor(&block, &subkey));
            block[4..].copy_from_slice(nonce);
            let masked = xor(&block, &subkey);
            self.secrets.add_block("masked block", masked);
            derived.extend(self.encrypt(&aes, "derived key", &masked));
        }
        derived
    }

    /// What an opening gives, or one that fails does not.
    pub(super) fn end(&mut self, failing: bool, text: &[u8], sealed: &[u8], tag: &Block) {
        self.secrets.forget(sealed);
        if failing {
            self.secrets.add("text", text);
        } else {
            self.secrets.forget(tag);
            self.secrets.forget(text);
        }
    }
}
