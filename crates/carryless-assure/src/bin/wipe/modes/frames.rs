//! GCM and SGCM, which are one frame, under either cipher.

use carryless::hazmat::sgcm::{Element, Sghash};
use carryless::sgcm::Sgcm;
use carryless::{Gcm, Slot};
use carryless_assure::{Cipher, with_cipher};

use super::standards::Made;
use super::{Watch, given, in_pieces, sealing};
use crate::calls::{self, add, dropped_streams, kept};
use crate::message::Message;
use crate::reference::{Block, Poly, blocks, length_block, xor};
use crate::stack::mark;

/// Powers of the hash key that SGCM keeps.
const POWERS: usize = 8;

impl Made {
    /// GCM.
    pub(super) fn gcm(&mut self, message: &Message) -> (Vec<u8>, Block) {
        self.frame(message, Self::ghash, xor)
    }

    /// SGCM, whose tag is a sum.
    pub(super) fn sgcm(&mut self, message: &Message) -> (Vec<u8>, Block) {
        self.frame(message, Self::sghash, |hash, mask| {
            let [hash, mask] = [hash, mask].map(|block| u128::from_be_bytes(*block));
            hash.wrapping_add(mask).to_be_bytes()
        })
    }

    /// The frame of SP 800-38D, with a hash and what hides it.
    fn frame(
        &mut self,
        message: &Message,
        hash: fn(&mut Self, &Block, &[Block]) -> Block,
        hide: fn(&Block, &Block) -> Block,
    ) -> (Vec<u8>, Block) {
        let Message {
            key,
            nonce,
            aad,
            text,
            ..
        } = message;
        let cipher = self.key(key);
        let h = self.encrypt(&cipher, "H", &[0; 16]);
        let j0 = if nonce.len() == 12 {
            core::array::from_fn(|i| *nonce.get(i).unwrap_or(&u8::from(i == 15)))
        } else {
            let j0 = hash(self, &h, &framed(&[], nonce));
            self.secrets.add_block("J0", j0);
            j0
        };
        let mask = self.encrypt(&cipher, "E(J0)", &j0);
        let [.., a, b, c, d] = j0;
        let count = u32::from_be_bytes([a, b, c, d]).wrapping_add(1);
        let sealed = self.add_key_stream(&cipher, text, |i| {
            let mut block = j0;
            block[12..].copy_from_slice(&count.wrapping_add(i).to_be_bytes());
            block
        });
        let tag = hide(&hash(self, &h, &framed(aad, &sealed)), &mask);
        self.secrets.add_block("right tag", tag);
        (sealed, tag)
    }

    /// The hash of GCM: powers of H, and the hash behind each block.
    pub(super) fn hash(&mut self, h: Poly, data: impl Iterator<Item = Poly>) -> Poly {
        for n in 1..=16 {
            self.secrets.add_block("power of H", h.power(n).to_block());
        }
        data.fold(Poly(0), |y, block| {
            let y = y.add(block).times(h);
            self.secrets.add_block("hash in the making", y.to_block());
            y
        })
    }

    fn ghash(&mut self, h: &Block, data: &[Block]) -> Block {
        self.hash(Poly::from_block(h), data.iter().map(Poly::from_block))
            .to_block()
    }

    /// By the field of the library, which the vectors of SGCM have checked.
    pub(super) fn sghash(&mut self, h: &Block, data: &[Block]) -> Block {
        let h = element(h);
        let mut power = h;
        for _ in 0..POWERS {
            self.secrets.add_block("power of H", power.to_block());
            power = power * h;
        }
        let mut y = Element::default();
        for (i, block) in data.iter().enumerate() {
            let sum = y + element(block);
            if i > 0 {
                self.secrets.add_block("hash with a block", sum.to_block());
            }
            y = sum * h;
            self.secrets.add_block("hash in the making", y.to_block());
        }
        y.to_block()
    }
}

/// What is hashed of AAD and text.
fn framed(aad: &[u8], text: &[u8]) -> Vec<Block> {
    let lengths = length_block(aad.len(), text.len());
    blocks(aad).chain(blocks(text)).chain([lengths]).collect()
}

/// A block as an integer.
fn element(block: &Block) -> Element {
    let mut bytes = [0; 17];
    bytes[1..].copy_from_slice(block);
    Element::from_be_bytes(&bytes).expect("below 2^128")
}

impl Watch<'_> {
    /// Keys of both, and the hash of SGCM.
    pub(super) fn frame_keys(&mut self, message: &Message) {
        let (engine, key, h) = (self.engine, &message.key[..], message.h());
        let (mut made, mut calls) = (Made::of(message), Vec::new());
        made.gcm(message);
        made.sgcm(message);
        made.sghash(&h, &[]);
        let secrets = &mut made.secrets;
        self.report.key(
            self.shape,
            engine,
            "dropped Sghash",
            &h,
            secrets,
            |engine, h| Sghash::with_engine(h.try_into().ok()?, engine).ok(),
        );
        with_cipher!(self.shape.cipher, C => {
            self.report.key(self.shape, engine, "dropped Gcm", key, secrets, |engine, key| Gcm::<C>::with_engine(key, engine).ok());
            self.report.key(self.shape, engine, "dropped Sgcm", key, secrets, |engine, key| Sgcm::<C>::with_engine(key, engine).ok());
            add! { calls;
                "Slot of an Sgcm" => { let mut slot = Slot::new(); slot.fill(|| Sgcm::<C>::with_engine(key, engine)).is_ok() };
                "Slot of an Sghash" => { let mut slot = Slot::new(); slot.fill(|| Sghash::with_engine(&h, engine)).is_ok() };
                "Sgcm::with_engine" => { mark(); Sgcm::<C>::with_engine(key, engine) };
                "Sghash::with_engine" => { mark(); Sghash::with_engine(&h, engine) };
            }
        });
        macro_rules! of_gcm {
            ($($Cipher:ident $module:ident)+) => {
                match self.shape.cipher {
                    $(Cipher::$Cipher => {
                        calls.extend(calls::$module::making(engine, message));
                        calls.extend(calls::$module::filling(engine, message));
                    })+
                    _ => (),
                }
            };
        }
        of_gcm! { Lea128 lea128 Lea192 lea192 Lea256 lea256 }
        self.calls(calls, &made.secrets);
    }

    /// GCM of ciphers that are not AES, whose calls are watched with more lengths.
    pub(super) fn gcm(&mut self, message: &Message) {
        for failing in [false, true] {
            let mut made = Made::of(message);
            let (sealed, tag) = made.gcm(message);
            made.end(failing, &message.text, &sealed, &tag);
            let message = &message.sealed_as(sealed, tag);
            macro_rules! of_gcm {
                ($($Cipher:ident $module:ident)+) => {
                    match self.shape.cipher {
                        $(Cipher::$Cipher => {
                            let key = &*kept(Gcm::<carryless::$Cipher>::with_engine(&message.key, self.engine));
                            self.calls(calls::$module::using(self.engine, key, message, failing), &made.secrets);
                            self.report.streams(self.shape, &made.secrets, || calls::$module::streams(key, message, true));
                        })+
                        _ => (),
                    }
                };
            }
            of_gcm! { Lea128 lea128 Lea192 lea192 Lea256 lea256 }
        }
    }

    pub(super) fn sgcm(&mut self, message: &Message) {
        let Message { nonce, text, .. } = message;
        let h = message.h();
        for failing in [false, true] {
            let mut made = Made::of(message);
            let (sealed, tag) = &made.sgcm(message);
            made.sghash(&h, &blocks(text).collect::<Vec<_>>());
            made.end(failing, text, sealed, tag);
            let (mut calls, given) = (Vec::new(), given(*tag, failing));
            let hash = kept(Sghash::with_engine(&h, self.engine));
            add! { calls; "Sghash::update" => hash.update(text); }
            with_cipher!(self.shape.cipher, C => {
                let sgcm = &*kept(Sgcm::<C>::with_engine(&message.key, self.engine));
                sealing! { calls; "Sgcm", sgcm, nonce, message, sealed, given, failing }
                in_pieces! { calls; "Sgcm", sgcm, (nonce), message, sealed, given, failing }
                let message = &message.sealed_as(sealed.clone(), *tag);
                self.report.streams(self.shape, &made.secrets, || dropped_streams!(sgcm, (nonce), message, true));
            });
            self.calls(calls, &made.secrets);
        }
    }
}
