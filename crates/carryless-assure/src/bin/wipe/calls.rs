//! Every public call that sees a secret, one closure each.

use core::hint::black_box;

use carryless::hazmat::{BlockCipher, CounterWidth, Ghash};
use carryless::{
    Aes128, Aes128Gcm, Aes192, Aes192Gcm, Aes256, Aes256Gcm, Engine, Gmac, Lea128, Lea128Gcm,
    Lea192, Lea192Gcm, Lea256, Lea256Gcm, Packet, RandomNonceSealer, Slot,
};

use crate::message::Message;
use crate::stack::mark;

/// A call that runs on a stack of its own.
pub(crate) struct Call<'a> {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn FnMut() + 'a>,
}

/// `calls!(list: "name" => { .. } ..)`: adds calls to the list.
macro_rules! add {
    ($list:ident; $($name:expr => $body:expr;)+) => {
        $($list.push($crate::calls::Call { name: $name, run: Box::new(move || { core::hint::black_box(&$body); }) });)+
    };
}
pub(crate) use add;

/// A batch: a third of one buffer, the other, the rest of the first.
fn packets<'p>(
    nonce: &[u8; 12],
    aad: &'p [u8],
    whole: &'p mut [u8],
    cut: &'p mut [u8],
) -> [Packet<'p>; 3] {
    let (head, tail) = cut.split_at_mut(cut.len() / 3);
    [
        Packet::in_place(&[1; 12], aad, head),
        Packet::in_place(nonce, aad, whole),
        Packet::in_place(&[2; 12], &[], tail),
    ]
}

/// A batch of four times the same message, which go together if it is short.
fn four<'p>(nonce: &[u8; 12], aad: &'p [u8], texts: &'p mut [Vec<u8>; 4]) -> [Packet<'p>; 4] {
    texts
        .each_mut()
        .map(|text| Packet::in_place(nonce, aad, text))
}

/// The packets, each with this tag.
fn tagged<'p, const N: usize>(packets: [Packet<'p>; N], tag: &[u8; 16]) -> [Packet<'p>; N] {
    packets.map(|packet| packet.with_tag(tag))
}

/// `dropped_streams! { key, what a stream begins with, message, dropped }`: where a sealer and an opener were that were dropped
/// in the middle of a message, or still are.
macro_rules! dropped_streams {
    ($key:expr, $begin:tt, $message:expr, $dropped:expr) => {{
        let Message {
            aad,
            text,
            ciphertext,
            ..
        } = $message;
        let mut out = vec![0; text.len()];
        let [mut sealing, mut opening] =
            [(); 2].map(|()| $crate::stack::Pages::new($crate::calls::STREAM_PLACE));
        let sealer = $key.sealer$begin.expect("a nonce");
        let opener = $key.opener$begin.expect("a nonce");
        let sealer = sealing.place().write(core::mem::ManuallyDrop::new(sealer));
        let opener = opening.place().write(core::mem::ManuallyDrop::new(opener));
        assert!(sealer.aad(aad).is_ok() && sealer.seal_into(text, &mut out).is_ok());
        assert!(opener.aad(aad).is_ok() && opener.open_into(ciphertext, &mut out).is_ok());
        if $dropped {
            // SAFETY: not used afterwards.
            unsafe { core::mem::ManuallyDrop::drop(sealer) };
            // SAFETY: not used afterwards.
            unsafe { core::mem::ManuallyDrop::drop(opener) };
        }
        [
            ("dropped Sealer", sealing.bytes()),
            ("dropped Opener", opening.bytes()),
        ]
    }};
}
pub(crate) use dropped_streams;

/// Bytes of the place of a stream.
pub(crate) const STREAM_PLACE: usize = 4096;

/// Bytes of a piece of a message.
const PIECE: usize = 7;

macro_rules! cipher {
    ($module:ident, $Cipher:ident, $Key:ident) => {
        /// Calls with keys of this size.
        pub(crate) mod $module {
            use super::*;

            /// Where streams were that were dropped in the middle of a message, or without `dropped` still are.
            pub(crate) fn streams(key: &$Key, message: &Message, dropped: bool) -> [(&'static str, Vec<u8>); 2] {
                dropped_streams!(key, (&message.nonce), message, dropped)
            }

            /// Calls that make a key and give it to the program, whose moves of it may leave
            /// copies: what counts is below the program's frame.
            pub(crate) fn making(engine: Engine, message: &Message) -> Vec<Call<'_>> {
                let (key, h, mut calls) = (&message.key[..], message.h(), Vec::new());
                add! { calls;
                    "with_engine" => { mark(); $Key::with_engine(key, engine) };
                    "from_slice" => { mark(); $Key::from_slice(key) };
                    "Gmac::with_engine" => { mark(); Gmac::<$Cipher>::with_engine(key, engine) };
                    "BlockCipher::with_engine" => { mark(); BlockCipher::<$Cipher>::with_engine(key, engine) };
                    "Ghash::with_engine" => { mark(); Ghash::with_engine(&h, engine) };
                }
                calls
            }

            /// Calls that make a key where it stays: nothing may be left at all.
            pub(crate) fn filling(engine: Engine, message: &Message) -> Vec<Call<'_>> {
                let (key, h, mut calls) = (&message.key[..], message.h(), Vec::new());
                add! { calls;
                    "Slot of a key" => { let mut slot = Slot::new(); slot.fill(|| $Key::with_engine(key, engine)).is_ok() };
                    "Slot of a key that is made and refused" => { let mut slot = Slot::<$Key>::new(); slot.fill(|| { black_box(&$Key::with_engine(key, engine)); Err(()) }).is_err() };
                    "Slot of a selected key" => { let mut slot = Slot::new(); slot.fill(|| $Key::from_slice(key)).is_ok() };
                    "Slot of a Gmac" => { let mut slot = Slot::new(); slot.fill(|| Gmac::<$Cipher>::with_engine(key, engine)).is_ok() };
                    "Slot of a RandomNonceSealer" => { let mut slot = Slot::new(); slot.fill(|| $Key::with_engine(key, engine).map(RandomNonceSealer::new)).is_ok() };
                    "Slot of a BlockCipher" => { let mut slot = Slot::new(); slot.fill(|| BlockCipher::<$Cipher>::with_engine(key, engine)).is_ok() };
                    "Slot of a Ghash" => { let mut slot = Slot::new(); slot.fill(|| Ghash::with_engine(&h, engine)).is_ok() };
                    "Slot of a clone" => {
                        let (mut slot, mut copy) = (Slot::new(), Slot::new());
                        slot.fill(|| $Key::with_engine(key, engine)).is_ok_and(|key| copy.fill(|| Ok::<_, ()>(key.clone())).is_ok())
                    };
                }
                calls
            }

            /// Streams are moved by the program, and into their last call: what counts is below it.
            /// Calls on a message, with a key that lies elsewhere, and those with a key for one
            /// message; `Failing` are those that open with a wrong tag.
            pub(crate) fn using<'a>(engine: Engine, key: &'a $Key, message: &'a Message, failing: bool) -> Vec<Call<'a>> {
                if failing { opening(key, message, [0x5c; 16]) } else {
                    let mut calls = opening(key, message, message.tag);
                    calls.extend(sealing(key, message));
                    calls.extend(parts(engine, message));
                    calls
                }
            }

            fn sealing<'a>(key: &'a $Key, message: &'a Message) -> Vec<Call<'a>> {
                let Message { key: raw, nonce, aad, text, .. } = message;
                let (mut calls, buffer) = (Vec::new(), vec![0; text.len()]);
                let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| buffer.clone());
                add! { calls;
                    "seal_in_place" => { a.copy_from_slice(text); key.seal_in_place(nonce, aad, &mut a) };
                    "seal_into" => key.seal_into(nonce, aad, text, &mut b);
                    "seal_scatter" => key.seal_scatter(nonce, aad, &[&text[..text.len() / 3], &text[text.len() / 3..]], &mut c);
                    "Sealer" => {
                        mark();
                        let Ok(mut sealer) = key.sealer(nonce) else { return };
                        for piece in aad.chunks(PIECE) {
                            assert!(sealer.aad(piece).is_ok());
                        }
                        for (from, to) in text.chunks(PIECE).zip(d.chunks_mut(PIECE)) {
                            assert!(sealer.seal_into(from, to).is_ok());
                        }
                        sealer.finish()
                    };
                    "Sealer, dropped" => {
                        mark();
                        let Ok(mut sealer) = key.sealer(nonce) else { return };
                        (sealer.aad(aad).is_ok(), sealer.seal_into(text, &mut e).is_ok())
                    };
                }
                if let Ok(nonce) = nonce[..].try_into() {
                    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| buffer.clone());
                    add! { calls; "seal_batch" => {
                        c.copy_from_slice(text);
                        d.copy_from_slice(text);
                        let one_key = key.seal_batch(&mut packets(nonce, aad, &mut c, &mut d)).is_ok();
                        let mut packets = packets(nonce, aad, &mut c, &mut d);
                        (one_key, $Key::seal_batch_keyed(&[key; 3], &mut packets).is_ok())
                    }; }
                    let mut texts = [(); 4].map(|()| buffer.clone());
                    add! { calls; "seal_batch, of four" => {
                        for copy in &mut texts {
                            copy.copy_from_slice(text);
                        }
                        key.seal_batch(&mut four(nonce, aad, &mut texts)).is_ok()
                    }; }
                    let cut = (text.len() / 2) & !15;
                    add! { calls; "Segments" => {
                        b.copy_from_slice(text);
                        let (message, (head, tail)) = (key.segments(nonce), b.split_at_mut(cut));
                        let second = message.seal_in_place(cut as u64, tail);
                        let (Ok(first), Ok(second)) = (message.seal_in_place(0, head), second) else { return };
                        let Ok(merged) = message.merge(&first, &second) else { return };
                        (message.finish(aad, &[first, second]), message.finish(aad, &[merged]))
                    }; }
                    add! { calls; "seal_once" => { a.copy_from_slice(text); $Key::seal_once(raw, nonce, aad, &mut a) }; }
                }
                calls
            }

            fn opening<'a>(key: &'a $Key, message: &'a Message, tag: [u8; 16]) -> Vec<Call<'a>> {
                let Message { key: raw, nonce, aad, ciphertext, .. } = message;
                let (mut calls, buffer) = (Vec::new(), vec![0; ciphertext.len()]);
                let [mut a, mut b, mut c] = [(); 3].map(|()| buffer.clone());
                add! { calls;
                    "open_in_place" => { a.copy_from_slice(ciphertext); key.open_in_place(nonce, aad, &mut a, &tag).is_ok() };
                    "open_into" => key.open_into(nonce, aad, ciphertext, &mut b, &tag).is_ok();
                    "Opener" => {
                        mark();
                        let Ok(mut opener) = key.opener(nonce) else { return };
                        for piece in aad.chunks(PIECE) {
                            assert!(opener.aad(piece).is_ok());
                        }
                        for (from, to) in ciphertext.chunks(PIECE).zip(c.chunks_mut(PIECE)) {
                            assert!(opener.open_into(from, to).is_ok());
                        }
                        opener.finish(&tag).is_ok()
                    };
                }
                if let Ok(nonce) = nonce[..].try_into() {
                    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| buffer.clone());
                    add! { calls; "open_batch" => {
                        c.copy_from_slice(ciphertext);
                        d.copy_from_slice(ciphertext);
                        let one_key = key.open_batch(&mut tagged(packets(nonce, aad, &mut c, &mut d), &tag)).is_ok();
                        let mut packets = tagged(packets(nonce, aad, &mut c, &mut d), &tag);
                        (one_key, $Key::open_batch_keyed(&[key; 3], &mut packets).is_ok())
                    }; }
                    let mut texts = [(); 4].map(|()| buffer.clone());
                    add! { calls; "open_batch, of four" => {
                        for copy in &mut texts {
                            copy.copy_from_slice(ciphertext);
                        }
                        key.open_batch(&mut tagged(four(nonce, aad, &mut texts), &tag)).is_ok()
                    }; }
                    let cut = (ciphertext.len() / 2) & !15;
                    add! { calls; "Segments, opened" => {
                        b.copy_from_slice(ciphertext);
                        let (message, (head, tail)) = (key.segments(nonce), b.split_at_mut(cut));
                        let second = message.authenticate(cut as u64, tail);
                        let (Ok(first), Ok(second)) = (message.authenticate(0, head), second) else { return };
                        let parts = [first, second];
                        let Ok(verified) = message.verify(aad, &parts, &tag) else { return };
                        verified.open_in_place(0, head).is_ok() && verified.open_in_place(cut as u64, tail).is_ok()
                    }; }
                    add! { calls; "open_once" => { a.copy_from_slice(ciphertext); $Key::open_once(raw, nonce, aad, &mut a, &tag).is_ok() }; }
                }
                calls
            }

            /// GMAC, random nonces, and what `hazmat` has.
            fn parts<'a>(engine: Engine, message: &'a Message) -> Vec<Call<'a>> {
                let Message { key, nonce, aad, text, tag, .. } = message;
                let (mut calls, h, buffer) = (Vec::new(), message.h(), vec![0; text.len()]);
                let gmac = &*kept(Gmac::<$Cipher>::with_engine(key, engine));
                let sealer = kept($Key::with_engine(key, engine).map(RandomNonceSealer::new));
                // The first call looks the system's function up, and the loader stores all registers.
                assert!(sealer.seal_in_place(&[], &mut []).is_ok());
                let cipher = &*kept(BlockCipher::<$Cipher>::with_engine(key, engine));
                let ghash = kept(Ghash::with_engine(&h, engine));
                let [mut a, mut b, mut c] = [(); 3].map(|()| buffer.clone());
                let mut counter = [0; 16];
                counter[..12].copy_from_slice(&nonce[..12]);
                counter[15] = 2;
                let mut block = counter;
                if text.is_empty() {
                    add! { calls;
                        "Gmac::mac" => gmac.mac(nonce, aad);
                        "Gmac::verify" => gmac.verify(nonce, aad, tag).is_ok();
                        "GmacStream" => {
                            mark();
                            let Ok(mut stream) = gmac.begin(nonce) else { return };
                            for piece in aad.chunks(PIECE) {
                                assert!(stream.update(piece).is_ok());
                            }
                            stream.verify(tag).is_ok()
                        };
                    }
                }
                add! { calls;
                    "RandomNonceSealer" => { a.copy_from_slice(text); sealer.seal_in_place(aad, &mut a) };
                    "BlockCipher::encrypt_block" => cipher.encrypt_block(&mut block);
                    "BlockCipher::encrypt_blocks" => cipher.encrypt_blocks(b.as_chunks_mut().0);
                    "BlockCipher::ctr_in_place" => cipher.ctr_in_place(&counter, CounterWidth::Bits128, &mut c);
                    "Ghash::update" => { ghash.update(aad); ghash.update(text); };
                }
                calls
            }
        }
    };
}

/// Keeps a key, as its owner would.
pub(crate) fn kept<K, E>(made: Result<K, E>) -> &'static mut K {
    let Ok(key) = made else {
        panic!("the engine is available")
    };
    Box::leak(Box::new(key))
}

cipher!(aes128, Aes128, Aes128Gcm);
cipher!(aes192, Aes192, Aes192Gcm);
cipher!(aes256, Aes256, Aes256Gcm);
cipher!(lea128, Lea128, Lea128Gcm);
cipher!(lea192, Lea192, Lea192Gcm);
cipher!(lea256, Lea256, Lea256Gcm);
