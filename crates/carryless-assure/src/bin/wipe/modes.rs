//! The modes beside GCM: their calls, and what must not be left of each.

use carryless::hazmat::{
    BlockCipher, CbcDecryptor, CbcEncryptor, CbcMessage, Ctr, Polyval, Xts, pkcs7,
};
use carryless::{Ccm, Cmac, Engine, GcmSiv, Slot, XAes256Gcm};
use carryless_assure::{Cipher, with_cipher};

use crate::calls::{Call, add, kept};
use crate::message::{Message, Shape};
use crate::secrets::Secrets;
use crate::stack::mark;
use crate::{NONCES, Report};

mod frames;
mod lea;
mod standards;

use standards::{Made, START, halves};

/// Lengths of texts and of AAD: no block, one, partial ones, and more than engines take at a time.
const LENGTHS: [(usize, usize); 5] = [(0, 0), (16, 16), (9, 20), (129, 13), (300, 20)];

/// Bytes of a text beyond what any engine seals in one call of AES-GCM-SIV, or takes in counter mode block by block.
const LONG: usize = 4200;

/// Runs the calls of every mode on this engine, those of GCM too under ciphers that are not AES.
pub(crate) fn check(report: &mut Report, engine: Engine) {
    for cipher in Cipher::AES.into_iter().chain(Cipher::LEA) {
        let aes = Cipher::AES.contains(&cipher);
        for (text_len, aad_len) in LENGTHS {
            let shape = Shape {
                cipher,
                nonce_len: 12,
                aad_len,
                text_len,
            };
            let (message, mut watch) = (
                Message::new(shape),
                Watch {
                    report,
                    engine,
                    shape,
                },
            );
            if text_len == 0 {
                watch.keys(&message);
                watch.frame_keys(&message);
            }
            watch.ciphers(&message);
            watch.cmac(&message);
            watch.ccm(&message);
            if aes {
                watch.xts_and_siv(&message);
                watch.xaes(&message);
            }
            if aes && text_len == 300 {
                watch.shape.text_len = LONG;
                let message = Message::new(watch.shape);
                watch.ciphers(&message);
                watch.ccm(&message);
                watch.xts_and_siv(&message);
                watch.shape.text_len = text_len;
            }
            for nonce_len in NONCES {
                watch.shape.nonce_len = nonce_len;
                let message = Message::new(watch.shape);
                watch.sgcm(&message);
                if !aes {
                    watch.gcm(&message);
                }
            }
        }
    }
}

/// One engine and the lengths of one message.
struct Watch<'r> {
    report: &'r mut Report,
    engine: Engine,
    shape: Shape,
}

/// `sealing! { calls; name, key, nonce, message, sealed, tag, failing }`: the calls that AEADs have in common.
macro_rules! sealing {
    ($calls:ident; $name:literal, $key:ident, $nonce:expr, $message:ident, $sealed:ident, $tag:expr, $failing:expr) => {
        let Message { aad, text, .. } = $message;
        let (nonce, tag): (&[u8], _) = ($nonce, $tag);
        let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| vec![0; text.len()]);
        if !$failing {
            let mut made = text.clone();
            assert_eq!($key.seal_in_place(nonce, aad, &mut made), Ok(tag), "the reference");
            assert_eq!(made[..], $sealed[..], "the reference");
            add! { $calls;
                concat!($name, "::seal_in_place") => { a.copy_from_slice(text); $key.seal_in_place(nonce, aad, &mut a) };
                concat!($name, "::seal_into") => $key.seal_into(nonce, aad, text, &mut b);
            }
        }
        add! { $calls;
            concat!($name, "::open_in_place") => { c.copy_from_slice($sealed); $key.open_in_place(nonce, aad, &mut c, &tag).is_ok() };
            concat!($name, "::open_into") => $key.open_into(nonce, aad, $sealed, &mut d, &tag).is_ok();
        }
    };
}

/// `in_pieces! { calls; name, key, what a stream begins with, message, sealed, tag, failing }`: the same in pieces.
macro_rules! in_pieces {
    ($calls:ident; $name:literal, $key:ident, $begin:tt, $message:ident, $sealed:ident, $tag:expr, $failing:expr) => {
        let (Message { aad, text, .. }, tag) = ($message, $tag);
        let [mut a, mut b] = [(); 2].map(|()| vec![0; text.len()]);
        add! { $calls; concat!($name, "Opener") => {
            mark();
            let Ok(mut opener) = $key.opener$begin else { return };
            assert!(opener.aad(aad).is_ok());
            for (from, to) in $sealed.chunks(7).zip(a.chunks_mut(7)) {
                assert!(opener.open_into(from, to).is_ok());
            }
            opener.finish(&tag).is_ok()
        }; }
        if !$failing {
            add! { $calls; concat!($name, "Sealer") => {
                mark();
                let Ok(mut sealer) = $key.sealer$begin else { return };
                assert!(sealer.aad(aad).is_ok());
                for (from, to) in text.chunks(7).zip(b.chunks_mut(7)) {
                    assert!(sealer.seal_into(from, to).is_ok());
                }
                sealer.finish()
            }; }
        }
    };
}
use {in_pieces, sealing};

/// The tag, or a wrong one.
fn given(tag: [u8; 16], failing: bool) -> [u8; 16] {
    if failing { [0x5c; 16] } else { tag }
}

impl Watch<'_> {
    fn calls(&mut self, calls: Vec<Call<'_>>, secrets: &Secrets) {
        self.report.watch(self.shape, calls, secrets);
    }

    /// Making keys: where they stay, and given to the program.
    fn keys(&mut self, message: &Message) {
        let (engine, key, h) = (self.engine, &message.key[..], message.h());
        let (both, mut made, mut calls) = (halves(key), Made::of(message), Vec::new());
        made.key(key);
        made.key(&both[key.len()..]);
        let secrets = &mut made.secrets;
        self.report.key(
            self.shape,
            engine,
            "dropped Polyval",
            &h,
            secrets,
            |engine, h| Polyval::with_engine(h.try_into().ok()?, engine).ok(),
        );
        add! { calls;
            "Slot of a Polyval" => { let mut slot = Slot::new(); slot.fill(|| Polyval::with_engine(&h, engine)).is_ok() };
            "Polyval::with_engine" => { mark(); Polyval::with_engine(&h, engine) };
        }
        with_cipher!(self.shape.cipher, C => {
            self.report.key(self.shape, engine, "dropped BlockCipher", key, secrets, |engine, key| BlockCipher::<C>::with_engine(key, engine).ok());
            self.report.key(self.shape, engine, "dropped Cmac", key, secrets, |engine, key| Cmac::<C>::with_engine(key, engine).ok());
            self.report.key(self.shape, engine, "dropped Ccm", key, secrets, |engine, key| Ccm::<C>::with_engine(key, engine).ok());
            add! { calls;
                "Slot of a CbcEncryptor" => { let mut slot = Slot::new(); slot.fill(|| CbcEncryptor::<C>::with_engine(key, &START, engine)).is_ok() };
                "Slot of a CbcDecryptor" => { let mut slot = Slot::new(); slot.fill(|| CbcDecryptor::<C>::with_engine(key, &START, engine)).is_ok() };
                "Slot of a Ctr" => { let mut slot = Slot::new(); slot.fill(|| Ctr::<C>::with_engine(key, &START, engine)).is_ok() };
                "Slot of a Cmac" => { let mut slot = Slot::new(); slot.fill(|| Cmac::<C>::with_engine(key, engine)).is_ok() };
                "Slot of a Ccm" => { let mut slot = Slot::new(); slot.fill(|| Ccm::<C>::with_engine(key, engine)).is_ok() };
                "CbcEncryptor::with_engine" => { mark(); CbcEncryptor::<C>::with_engine(key, &START, engine) };
                "CbcDecryptor::with_engine" => { mark(); CbcDecryptor::<C>::with_engine(key, &START, engine) };
                "Ctr::with_engine" => { mark(); Ctr::<C>::with_engine(key, &START, engine) };
                "Cmac::with_engine" => { mark(); Cmac::<C>::with_engine(key, engine) };
                "Ccm::with_engine" => { mark(); Ccm::<C>::with_engine(key, engine) };
            }
        });
        let both = &both[..];
        with_cipher!(self.shape.cipher, C of Aes128 Aes256 => {
            self.report.key(self.shape, engine, "dropped Xts", both, secrets, |engine, key| Xts::<C>::with_engine(key, engine).ok());
            add! { calls;
                "Slot of an Xts" => { let mut slot = Slot::new(); slot.fill(|| Xts::<C>::with_engine(both, engine)).is_ok() };
                "Slot of a GcmSiv" => { let mut slot = Slot::new(); slot.fill(|| GcmSiv::<C>::with_engine(key, engine)).is_ok() };
                "Xts::with_engine" => { mark(); Xts::<C>::with_engine(both, engine) };
                "GcmSiv::with_engine" => { mark(); GcmSiv::<C>::with_engine(key, engine) };
            }
        }, else ());
        if self.shape.cipher == Cipher::Aes256 {
            self.report.key(
                self.shape,
                engine,
                "dropped XAes256Gcm",
                key,
                secrets,
                |engine, key| XAes256Gcm::with_engine(key, engine).ok(),
            );
            add! { calls;
                "Slot of an XAes256Gcm" => { let mut slot = Slot::new(); slot.fill(|| XAes256Gcm::with_engine(key, engine)).is_ok() };
                "XAes256Gcm::with_engine" => { mark(); XAes256Gcm::with_engine(key, engine) };
            }
        }
        self.calls(calls, &made.secrets);
    }

    /// Blocks, CBC, CTR and POLYVAL.
    fn ciphers(&mut self, message: &Message) {
        let (engine, key, text, h) = (self.engine, &message.key[..], &message.text, message.h());
        let (whole, mut made) = (text.len() & !15, Made::of(message));
        let sealed = &made.cbc(key, &text[..whole]);
        made.ctr(key, text);
        made.polyval(&h, &text[..whole]);
        let mut calls = Vec::new();
        let polyval = kept(Polyval::with_engine(&h, engine));
        let [mut b, mut c, mut d, mut e] = [(); 4].map(|()| text[..whole].to_vec());
        let mut a = sealed.clone();
        let (mut padded, mut f) = (vec![0; pkcs7::padded_len(text.len())], text.clone());
        with_cipher!(self.shape.cipher, C => {
            let cipher = &*kept(BlockCipher::<C>::with_engine(key, engine));
            let enc = kept(CbcEncryptor::<C>::with_engine(key, &START, engine));
            let several = &*kept(CbcEncryptor::<C>::with_engine(key, &START, engine));
            let dec = kept(CbcDecryptor::<C>::with_engine(key, &START, engine));
            assert!(enc.encrypt_in_place(&mut b).is_ok() && b == *sealed, "the reference");
            let ctr = kept(Ctr::<C>::with_engine(key, &START, engine));
            add! { calls;
                "BlockCipher::decrypt_blocks" => cipher.decrypt_blocks(a.as_chunks_mut().0);
                "CbcEncryptor::encrypt_in_place" => { enc.restart(&START); b.copy_from_slice(&text[..whole]); enc.encrypt_in_place(&mut b) };
                "CbcEncryptor::encrypt_each" => {
                    c.copy_from_slice(&text[..whole]);
                    let (head, tail) = d.split_at_mut((whole / 3) & !15);
                    several.encrypt_each(&mut [CbcMessage::in_place(&START, &mut c), CbcMessage::in_place(&START, head), CbcMessage::in_place(&START, tail)])
                };
                "CbcDecryptor::decrypt_in_place" => { dec.restart(&START); e.copy_from_slice(sealed); dec.decrypt_in_place(&mut e) };
                "Ctr" => {
                    ctr.restart(&START);
                    let (head, tail) = f.split_at_mut(text.len() / 3);
                    (ctr.apply_in_place(head), ctr.apply_in_place(tail))
                };
                "Polyval::update" => polyval.update(&text[..whole]);
            }
        });
        self.calls(calls, &made.secrets);
        // A text of which a padding that is wrong may tell nothing.
        let mut calls = Vec::new();
        made.secrets.add("text", text);
        add! { calls;
            "pkcs7::unpad, wrong" => {
                padded[..text.len()].copy_from_slice(text);
                padded[text.len()..].fill(0);
                pkcs7::unpad(&mut padded).is_ok()
            };
        }
        self.calls(calls, &made.secrets);
    }

    fn cmac(&mut self, message: &Message) {
        let Message { key, aad, text, .. } = message;
        for failing in [false, true] {
            let mut made = Made::of(message);
            let tag = made.cmac(key, text, "right tag");
            let others =
                [&aad[..], &text[..text.len() / 2]].map(|data| made.cmac(key, data, "right tag"));
            if !failing {
                others
                    .into_iter()
                    .chain([tag])
                    .for_each(|tag| made.secrets.forget(&tag));
            }
            let (mut calls, given) = (Vec::new(), given(tag, failing));
            with_cipher!(self.shape.cipher, C => {
                let mac = &*kept(Cmac::<C>::with_engine(key, self.engine));
                assert_eq!(mac.mac(text), tag, "the reference");
                add! { calls;
                    "Cmac::verify" => mac.verify(text, &given).is_ok();
                    "CmacStream::verify" => {
                        mark();
                        let mut stream = mac.begin();
                        text.chunks(7).for_each(|piece| stream.update(piece));
                        stream.verify(&given).is_ok()
                    };
                }
                if !failing {
                    add! { calls;
                        "Cmac::mac" => mac.mac(text);
                        "Cmac::mac_each" => {
                            let mut tags = [[0; 16]; 3];
                            mac.mac_each(&[&aad[..], text, &text[..text.len() / 2]], &mut tags).map(|()| tags)
                        };
                    }
                }
            });
            self.calls(calls, &made.secrets);
        }
    }

    fn ccm(&mut self, message: &Message) {
        let Message {
            key,
            nonce,
            aad,
            text,
            ..
        } = message;
        for failing in [false, true] {
            let mut made = Made::of(message);
            let (sealed, tag) = &made.ccm(key, nonce, aad, text);
            made.end(failing, text, sealed, tag);
            let (mut calls, given) = (Vec::new(), given(*tag, failing));
            let lens = [aad.len() as u64, text.len() as u64];
            with_cipher!(self.shape.cipher, C => {
                let ccm = &*kept(Ccm::<C>::with_engine(key, self.engine));
                sealing! { calls; "Ccm", ccm, nonce, message, sealed, given, failing }
                in_pieces! { calls; "Ccm", ccm, (nonce, lens[0], lens[1]), message, sealed, given, failing }
            });
            self.calls(calls, &made.secrets);
        }
    }

    fn xts_and_siv(&mut self, message: &Message) {
        let Message {
            key,
            nonce,
            aad,
            text,
            ..
        } = message;
        let both = &halves(key)[..];
        for failing in [false, true] {
            let mut made = Made::of(message);
            let (sealed, tag) = &made.siv(key, nonce, aad, text);
            made.end(failing, text, sealed, tag);
            let (mut calls, given) = (Vec::new(), given(*tag, failing));
            if failing {
                made.forged_siv(key, nonce, aad, sealed, &given);
            }
            with_cipher!(self.shape.cipher, C of Aes128 Aes256 => {
                let siv = &*kept(GcmSiv::<C>::with_engine(key, self.engine));
                sealing! { calls; "GcmSiv", siv, nonce, message, sealed, given, failing }
            }, else ());
            self.calls(calls, &made.secrets);
        }
        if text.len() < 16 {
            return;
        }
        let mut made = Made::default();
        let sealed = &made.xts(both, text);
        made.secrets.forget(sealed);
        let mut calls = Vec::new();
        let [mut a, mut b, mut c] = [(); 3].map(|()| text.clone());
        with_cipher!(self.shape.cipher, C of Aes128 Aes256 => {
            let xts = &*kept(Xts::<C>::with_engine(both, self.engine));
            assert!(xts.encrypt_in_place(&START, &mut a).is_ok() && a == *sealed, "the reference");
            add! { calls;
                "Xts::encrypt_in_place" => { a.copy_from_slice(text); xts.encrypt_in_place(&START, &mut a) };
                "Xts::decrypt_in_place" => { b.copy_from_slice(sealed); xts.decrypt_in_place(&START, &mut b) };
                "Xts::encrypt_sectors_in_place" => {
                    c.copy_from_slice(text);
                    let whole = c.len() & !15;
                    xts.encrypt_sectors_in_place(1, 16, &mut c[..whole])
                };
            }
        }, else ());
        self.calls(calls, &made.secrets);
    }

    fn xaes(&mut self, message: &Message) {
        let Message {
            key, nonce, text, ..
        } = message;
        if key.len() != 32 {
            return;
        }
        let long = &[&nonce[..]; 2].concat()[..];
        for failing in [false, true] {
            let mut made = Made::of(message);
            let inner = Message::under(made.xaes(key, nonce), nonce.clone(), self.shape);
            inner.add_key_secrets(&mut made.secrets);
            inner.add_secrets(&mut made.secrets, failing);
            made.end(failing, text, &inner.ciphertext, &inner.tag);
            let (given, sealed) = (given(inner.tag, failing), &inner.ciphertext);
            let mut calls = Vec::new();
            let xaes = &*kept(XAes256Gcm::with_engine(key, self.engine));
            sealing! { calls; "XAes256Gcm", xaes, long, message, sealed, given, failing }
            self.calls(calls, &made.secrets);
        }
    }
}
