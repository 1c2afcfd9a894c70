//! Calls of the modes beside GCM, each there and back, what is right and what is wrong.

use core::array;

use carryless::hazmat::{CbcDecryptor, CbcEncryptor, CbcMessage, Xts, pkcs7};
use carryless::sgcm::Sgcm;
use carryless::{Ccm, Cmac, Engine, GcmSiv, XAes256Gcm};
use carryless_assure::{Cipher, with_cipher};

use super::text;
use crate::case::Call;
use crate::probe::Probe;
use crate::run::{Desk, Job, opened};

/// Where CBC and XTS begin; public.
const START: [u8; 16] = [7; 16];

/// `there_and_back! { making a key, nonce, job, desk }`: a message is sealed, opened, and fails to open.
macro_rules! there_and_back {
    ($key:expr, $nonce:expr, $job:ident, $desk:ident) => {{
        let Desk {
            aad,
            text: message,
            other,
            tag,
            ..
        } = $desk;
        let (mask, other) = ($job.mask(), &mut other[..message.len()]);
        $job.probe.watch(|| {
            let key = $key.map_err(text)?;
            tag.copy_from_slice(&key.seal_into($nonce, aad, message, other).map_err(text)?);
            key.seal_in_place($nonce, aad, message).map_err(text)?;
            let right = opened(key.open_in_place($nonce, aad, message, tag))?;
            let forged = opened(key.open_into($nonce, aad, other, message, &masked(tag, &mask)))?;
            Ok((key.engine(), right && !forged))
        })
    }};
}

/// `in_pieces! { making a key, what a stream begins with, sealer => its tag, job, desk }`: a message is sealed in pieces, and
/// fails to open in pieces.
macro_rules! in_pieces {
    ($key:expr, $begin:tt, $sealer:ident => $tag:expr, $job:ident, $desk:ident) => {{
        let Desk {
            aad,
            text: message,
            tag,
            ..
        } = $desk;
        let (mask, cut) = ($job.mask(), message.len() / 3);
        let (head, tail) = message.split_at_mut(cut);
        $job.probe.watch(|| {
            let key = $key.map_err(text)?;
            let mut $sealer = key.sealer$begin.map_err(text)?;
            $sealer.aad(aad).map_err(text)?;
            $sealer.seal_in_place(head).map_err(text)?;
            $sealer.seal_in_place(tail).map_err(text)?;
            tag.copy_from_slice(&$tag);
            let mut opener = key.opener$begin.map_err(text)?;
            opener.aad(aad).map_err(text)?;
            opener.open_in_place(head).map_err(text)?;
            opener.open_in_place(tail).map_err(text)?;
            let forged = opened(opener.finish(&masked(tag, &mask)))?;
            Ok((key.engine(), !forged))
        })
    }};
}

/// Makes the job's call; whether what is right succeeded, and nothing else.
pub(crate) fn call<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
    let (engine, right) = match job.call {
        Call::Cbc => cbc(job, desk),
        Call::Xts => xts(job, desk),
        Call::Cmac => cmac(job, desk),
        Call::Ccm => ccm(job, desk),
        Call::CcmStreams => ccm_streams(job, desk),
        Call::Siv => siv(job, desk),
        Call::Sgcm => sgcm(job, desk),
        Call::SgcmStreams => sgcm_streams(job, desk),
        _ => xaes(job, desk),
    }?;
    job.ran(engine)?;
    Ok(right)
}

/// The engine that ran, and whether all was as it should be.
type Done = Result<(Engine, bool), String>;

fn no_such(cipher: Cipher) -> Done {
    Err(format!("not a mode of {cipher:?}"))
}

fn masked(tag: &[u8], mask: &[u8; 16]) -> [u8; 16] {
    array::from_fn(|i| tag[i] ^ mask[i])
}

#[inline(never)]
fn cbc<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let Desk {
        key,
        text: message,
        other,
        ..
    } = desk;
    let len = message.len();
    // A padding of a whole block, wrong in another place for each secret.
    let wrong = masked(&[16; 16], &job.mask());
    with_cipher!(job.cipher, C => job.probe.watch(|| {
        let mut enc = CbcEncryptor::<C>::with_engine(key, &START, job.engine).map_err(text)?;
        let mut dec = CbcDecryptor::<C>::with_engine(key, &START, job.engine).map_err(text)?;
        let mut there_and_back = |blocks: &mut [u8]| {
            enc.encrypt_in_place(blocks).and_then(|()| dec.decrypt_in_place(blocks)).map_err(text)
        };
        other[..len].copy_from_slice(message);
        let padded = pkcs7::pad(other, len).map_err(text)?;
        there_and_back(padded)?;
        let right = pkcs7::unpad(padded).map(|message| message.len());
        let block = &mut other[..16];
        block.copy_from_slice(&wrong);
        there_and_back(block)?;
        let wrong = pkcs7::unpad(block).is_ok();
        let (a, b) = message[..len & !15].split_at_mut((len / 3) & !15);
        let mut messages = [a, b].map(|part| CbcMessage::in_place(&START, part));
        enc.encrypt_each(&mut messages).map_err(text)?;
        Ok((enc.engine(), right == Ok(len) && !wrong))
    }))
}

#[inline(never)]
fn xts<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    // The other buffer has a block more than the text: enough for a data unit.
    let Desk {
        key, other: unit, ..
    } = desk;
    let both: Vec<u8> = key
        .iter()
        .copied()
        .chain(key.iter().map(|byte| !byte))
        .collect();
    with_cipher!(job.cipher, C of Aes128 Aes256 => job.probe.watch(|| {
        let xts = Xts::<C>::with_engine(&both, job.engine).map_err(text)?;
        xts.encrypt_in_place(&START, unit).map_err(text)?;
        xts.decrypt_in_place(&START, unit).map_err(text)?;
        let whole = unit.len() & !15;
        xts.encrypt_sectors_in_place(1, 16, &mut unit[..whole]).map_err(text)?;
        xts.decrypt_sectors_in_place(1, 16, &mut unit[..whole]).map_err(text)?;
        Ok((xts.engine(), true))
    }), else no_such(job.cipher))
}

#[inline(never)]
fn cmac<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let Desk {
        key,
        aad,
        text: message,
        tag,
        ..
    } = desk;
    let mask = job.mask();
    with_cipher!(job.cipher, C => job.probe.watch(|| {
        let mac = Cmac::<C>::with_engine(key, job.engine).map_err(text)?;
        let mut tags = [[0; 16]; 3];
        mac.mac_each(&[aad, message, &message[..message.len() / 2]], &mut tags).map_err(text)?;
        let mut pieces = mac.begin();
        pieces.update(aad);
        pieces.update(message);
        tag.copy_from_slice(&pieces.clone().finish());
        let right = opened(pieces.verify(tag))? && opened(mac.verify(message, &tags[1]))?;
        let forged = opened(mac.verify(aad, &masked(&mac.mac(aad), &mask)))?;
        Ok((mac.engine(), right && !forged))
    }))
}

#[inline(never)]
fn ccm<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let (key, nonce) = (&desk.key, &desk.nonce);
    with_cipher!(job.cipher, C => {
        there_and_back!(Ccm::<C>::with_engine(key, job.engine), nonce, job, desk)
    })
}

#[inline(never)]
fn ccm_streams<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let (key, nonce) = (&desk.key, &desk.nonce);
    let lens = [&desk.aad, &desk.text].map(|bytes| bytes.len() as u64);
    with_cipher!(job.cipher, C => {
        in_pieces!(Ccm::<C>::with_engine(key, job.engine), (nonce, lens[0], lens[1]), sealer => sealer.finish().map_err(text)?, job, desk)
    })
}

#[inline(never)]
fn siv<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let (key, nonce) = (&desk.key, &desk.nonce);
    with_cipher!(job.cipher, C of Aes128 Aes256 => {
        there_and_back!(GcmSiv::<C>::with_engine(key, job.engine), nonce, job, desk)
    }, else no_such(job.cipher))
}

#[inline(never)]
fn sgcm<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let (key, nonce) = (&desk.key, &desk.nonce);
    with_cipher!(job.cipher, C => {
        there_and_back!(Sgcm::<C>::with_engine(key, job.engine), nonce, job, desk)
    })
}

#[inline(never)]
fn sgcm_streams<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let (key, nonce) = (&desk.key, &desk.nonce);
    with_cipher!(job.cipher, C => {
        in_pieces!(Sgcm::<C>::with_engine(key, job.engine), (nonce), sealer => sealer.finish(), job, desk)
    })
}

#[inline(never)]
fn xaes<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Done {
    let nonce = [&desk.nonce[..]; 2].concat();
    let key = &desk.key;
    there_and_back!(XAes256Gcm::with_engine(key, job.engine), &nonce, job, desk)
}
