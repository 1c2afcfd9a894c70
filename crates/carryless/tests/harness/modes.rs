//! Calls of the modes beside GCM, one for each way: what M1, M2 and M5 watch, each in its own way.

use carryless::hazmat::{
    BlockCipher, CbcDecryptor, CbcEncryptor, CbcMessage, Ctr, Polyval, Xts, pkcs7,
};
use carryless::{Aes128, Aes192, Aes256, Ccm, Cmac, Engine, GcmSiv, Gmac, XAes256Gcm};
#[cfg(feature = "lea")]
use carryless::{Gcm, Lea128, Lea192, Lea256};
#[cfg(feature = "sgcm")]
use carryless::{hazmat::sgcm::Sghash, sgcm::Sgcm};

/// What a call works on.
pub(crate) struct Desk<'a, 'i> {
    pub(crate) engine: Engine,
    /// So many bytes, 64 at most, which a call only reads: keys and nonces.
    pub(crate) input: &'a dyn Fn(usize) -> &'i [u8],
    pub(crate) aad: &'a [u8],
    pub(crate) text: &'a [u8],
    /// As long as the text.
    pub(crate) out: &'a mut [u8],
    pub(crate) tag: &'a mut [u8; 16],
}

/// A mode there and back, from buffer to buffer and in place, and what it refuses: whether all was right.
pub(crate) type Call = fn(&mut Desk<'_, '_>) -> Option<bool>;

/// The modes, and what LEA runs in code of its own.
pub(crate) const CALLS: &[(&str, Call)] = &[
    ("blocks", aes::blocks),
    ("CBC", aes::cbc),
    ("several messages in CBC", cbc_each),
    ("padding", padding),
    ("CTR", aes::ctr),
    ("XTS", xts),
    ("CMAC", cmac),
    ("GMAC in pieces", gmac),
    ("CCM", ccm),
    ("CCM in pieces", ccm_pieces),
    ("AES-GCM-SIV", siv),
    ("XAES-256-GCM", xaes),
    ("POLYVAL", polyval),
    #[cfg(feature = "sgcm")]
    ("SGCM", sgcm),
    #[cfg(feature = "sgcm")]
    ("SGCM in pieces", sgcm_pieces),
    #[cfg(feature = "sgcm")]
    ("its hash", sghash),
    #[cfg(feature = "lea")]
    ("blocks of LEA", lea::blocks),
    #[cfg(feature = "lea")]
    ("CBC with LEA", lea::cbc),
    #[cfg(feature = "lea")]
    ("CTR with LEA", lea::ctr),
    #[cfg(feature = "lea")]
    ("GCM with LEA", lea_gcm),
    #[cfg(all(feature = "lea", feature = "sgcm"))]
    ("SGCM with LEA", lea_sgcm),
];

/// `aead! { name(Key, bytes of a key, of a nonce) .. }`: calls that all AEADs have.
macro_rules! aead {
    ($($name:ident($Key:ty, $key:literal, $nonce:literal))+) => {$(
        fn $name(desk: &mut Desk<'_, '_>) -> Option<bool> {
            let (input, aad, text, out) = (desk.input, desk.aad, desk.text, &mut *desk.out);
            let nonce = input($nonce);
            let key = <$Key>::with_engine(input($key), desk.engine).ok()?;
            *desk.tag = key.seal_into(nonce, aad, text, out).ok()?;
            key.open_in_place(nonce, aad, out, desk.tag).ok()?;
            let right = out == text && key.seal_in_place(nonce, aad, out).ok()? == *desk.tag;
            desk.tag[15] ^= 1;
            let forged = key.open_in_place(nonce, aad, out, desk.tag).is_err() && is_zero(out);
            out.fill(1);
            let other = key.open_into(nonce, aad, text, out, desk.tag).is_err() && is_zero(out);
            Some(right && forged && other)
        }
    )+};
}

aead! { ccm(Ccm::<Aes192>, 24, 12) siv(GcmSiv::<Aes256>, 32, 12) xaes(XAes256Gcm, 32, 24) }
#[cfg(feature = "sgcm")]
aead! { sgcm(Sgcm::<Aes256>, 32, 12) }
#[cfg(feature = "lea")]
aead! { lea_gcm(Gcm::<Lea192>, 24, 12) }
#[cfg(all(feature = "lea", feature = "sgcm"))]
aead! { lea_sgcm(Sgcm::<Lea128>, 16, 33) }

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// The first block of input.
fn start<'a>(input: &dyn Fn(usize) -> &'a [u8]) -> &'a [u8; 16] {
    input(16).try_into().expect("16 bytes")
}

/// `cipher! { module(Cipher, bytes of a key, another one, bytes of a key) .. }`: the calls of a cipher alone and without a tag.
macro_rules! cipher {
    ($($module:ident($One:ident, $one:literal, $Many:ident, $many:literal))+) => {$(
        mod $module {
            use super::*;

            pub(super) fn blocks(desk: &mut Desk<'_, '_>) -> Option<bool> {
                let (input, text, out) = (desk.input, desk.text, &mut *desk.out);
                let cipher = BlockCipher::<$One>::with_engine(input($one), desk.engine).ok()?;
                out.copy_from_slice(text);
                cipher.encrypt_blocks(out.as_chunks_mut().0);
                cipher.decrypt_blocks(out.as_chunks_mut().0);
                Some(out == text)
            }

            pub(super) fn cbc(desk: &mut Desk<'_, '_>) -> Option<bool> {
                let (input, text, out) = (desk.input, desk.text, &mut *desk.out);
                let whole = text.len() & !15;
                let (text, out) = (whole_of(text, whole), &mut out[..whole]);
                let iv = start(input);
                let mut enc = CbcEncryptor::<$Many>::with_engine(input($many), iv, desk.engine).ok()?;
                let mut dec = CbcDecryptor::<$Many>::with_engine(input($many), iv, desk.engine).ok()?;
                enc.encrypt_into(text, out).ok()?;
                dec.decrypt_in_place(out).ok()?;
                let right = out == text;
                enc.encrypt_in_place(out).ok()?;
                // The text is a ciphertext too.
                dec.decrypt_into(text, out).ok()?;
                Some(right)
            }

            pub(super) fn ctr(desk: &mut Desk<'_, '_>) -> Option<bool> {
                let (input, text, out) = (desk.input, desk.text, &mut *desk.out);
                let mut ctr = Ctr::<$Many>::with_engine(input($many), start(input), desk.engine).ok()?;
                ctr.seek(3).ok()?;
                ctr.apply_into(text, out).ok()?;
                ctr.seek(3).ok()?;
                let (head, tail) = out.split_at_mut(text.len() / 3);
                ctr.apply_in_place(head).ok()?;
                ctr.apply_in_place(tail).ok()?;
                Some(out == text)
            }
        }
    )+};
}

cipher! { aes(Aes192, 24, Aes256, 32) }
#[cfg(feature = "lea")]
cipher! { lea(Lea256, 32, Lea128, 16) }

/// The last `len` bytes of a text: at the end of its page where that is flush behind.
fn whole_of(text: &[u8], len: usize) -> &[u8] {
    &text[text.len() - len..]
}

fn cbc_each(desk: &mut Desk<'_, '_>) -> Option<bool> {
    let (input, text, out) = (desk.input, desk.text, &mut *desk.out);
    let iv = start(input);
    let whole = text.len() & !15;
    let (head, tail) = out[..whole].split_at_mut((whole / 3) & !15);
    let enc = CbcEncryptor::<Aes128>::with_engine(input(16), iv, desk.engine).ok()?;
    let source = &text[head.len()..whole];
    let mut messages = [
        CbcMessage::in_place(iv, head),
        CbcMessage::between(iv, source, tail).ok()?,
    ];
    enc.encrypt_each(&mut messages).ok()?;
    let mut dec = CbcDecryptor::<Aes128>::with_engine(input(16), iv, desk.engine).ok()?;
    dec.decrypt_in_place(tail).ok()?;
    Some(tail == source)
}

fn padding(desk: &mut Desk<'_, '_>) -> Option<bool> {
    let (text, out) = (desk.text, &mut *desk.out);
    let Some(len) = (text.len() & !15).checked_sub(1) else {
        return Some(true);
    };
    let (text, out) = (&text[..len], &mut out[..(len | 15) + 1]);
    out.get_mut(..len)?.copy_from_slice(text);
    let right = pkcs7::unpad(pkcs7::pad(out, len).ok()?).is_ok_and(|made| made == text);
    out.fill(17);
    Some(right && pkcs7::unpad(out).is_err() && is_zero(out))
}

fn xts(desk: &mut Desk<'_, '_>) -> Option<bool> {
    let (input, text, out) = (desk.input, desk.text, &mut *desk.out);
    let xts = Xts::<Aes256>::with_engine(input(64), desk.engine).ok()?;
    let tweak = start(input);
    if text.len() < 16 {
        return Some(xts.encrypt_into(tweak, text, out).is_err());
    }
    xts.encrypt_into(tweak, text, out).ok()?;
    xts.decrypt_in_place(tweak, out).ok()?;
    let right = out == text;
    xts.encrypt_in_place(tweak, out).ok()?;
    xts.decrypt_into(tweak, text, out).ok()?;
    let whole = text.len() & !15;
    let (text, out) = (&text[..whole], &mut out[..whole]);
    xts.encrypt_sectors_into(7, 16, text, out).ok()?;
    xts.decrypt_sectors_in_place(7, 16, out).ok()?;
    Some(right && out == text)
}

fn cmac(desk: &mut Desk<'_, '_>) -> Option<bool> {
    let (input, aad, text) = (desk.input, desk.aad, desk.text);
    let mac = Cmac::<Aes192>::with_engine(input(24), desk.engine).ok()?;
    *desk.tag = mac.mac(text);
    let mut tags = [[0; 16]; 2];
    mac.mac_each(&[aad, text], &mut tags).ok()?;
    let (head, tail) = text.split_at(text.len() / 3);
    let mut pieces = mac.begin();
    pieces.update(head);
    pieces.update(tail);
    let right = tags[1] == *desk.tag && pieces.verify(desk.tag).is_ok();
    desk.tag[0] ^= 1;
    Some(right && mac.verify(text, desk.tag).is_err())
}

fn gmac(desk: &mut Desk<'_, '_>) -> Option<bool> {
    let (input, text) = (desk.input, desk.text);
    let mac = Gmac::<Aes128>::with_engine(input(16), desk.engine).ok()?;
    let (head, tail) = text.split_at(text.len() / 3);
    let mut pieces = mac.begin(input(12)).ok()?;
    pieces.update(head).ok()?;
    pieces.update(tail).ok()?;
    *desk.tag = pieces.finish();
    Some(mac.verify(input(12), text, desk.tag).is_ok())
}

/// `pieces! { name(Key, bytes of a key) input, lengths: what a stream begins with; sealer => its tag }`: a message there and back
/// in pieces.
macro_rules! pieces {
    ($name:ident($Key:ty, $key:literal) $input:ident, $lens:ident: $begin:tt; $sealer:ident => $tag:expr) => {
        fn $name(desk: &mut Desk<'_, '_>) -> Option<bool> {
            let ($input, aad, text, out) = (desk.input, desk.aad, desk.text, &mut *desk.out);
            let key = <$Key>::with_engine($input($key), desk.engine).ok()?;
            let $lens = [aad.len() as u64, text.len() as u64];
            let mut $sealer = key.sealer$begin.ok()?;
            $sealer.aad(aad).ok()?;
            let cut = text.len() / 3;
            $sealer.seal_into(&text[..cut], &mut out[..cut]).ok()?;
            $sealer.seal_into(&text[cut..], &mut out[cut..]).ok()?;
            *desk.tag = $tag;
            let mut opener = key.opener$begin.ok()?;
            opener.aad(aad).ok()?;
            let (head, tail) = out.split_at_mut(cut);
            opener.open_in_place(head).ok()?;
            opener.open_in_place(tail).ok()?;
            Some(opener.finish(desk.tag).is_ok() && out == text)
        }
    };
}

pieces! { ccm_pieces(Ccm::<Aes128>, 16) input, lens: (input(13), lens[0], lens[1]); sealer => sealer.finish().ok()? }
#[cfg(feature = "sgcm")]
pieces! { sgcm_pieces(Sgcm::<Aes192>, 24) input, _lens: (input(12)); sealer => sealer.finish() }

/// `hash! { name(Hash) .. }`: of a text.
macro_rules! hash {
    ($($name:ident($Hash:ident))+) => {$(
        fn $name(desk: &mut Desk<'_, '_>) -> Option<bool> {
            let (input, text) = (desk.input, desk.text);
            let mut hash = $Hash::with_engine(start(input), desk.engine).ok()?;
            hash.update(text);
            *desk.tag = hash.finish();
            Some(true)
        }
    )+};
}

hash! { polyval(Polyval) }
#[cfg(feature = "sgcm")]
hash! { sghash(Sghash) }
