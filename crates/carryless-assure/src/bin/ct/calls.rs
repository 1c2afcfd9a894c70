//! The calls themselves, for each cipher.

pub(crate) mod modes;

use carryless::hazmat::{BlockCipher, CounterWidth, Ctr, Ghash, Polyval};
use carryless::{
    Aes128, Aes192, Aes256, Engine, Gcm, Gmac, Lea128, Lea192, Lea256, Packet, Partial,
    RandomNonceSealer,
};

use crate::case::Call;
use crate::probe::Probe;
use crate::run::{Desk, Job, opened};

/// The calls under one cipher. The library keeps the trait of its ciphers to itself, so the
/// implementations are made by a macro.
pub(crate) trait Calls {
    /// Makes text and tag what the desk's key seals; nothing is watched yet.
    fn prepare(engine: Engine, desk: &mut Desk) -> Result<(), String>;

    /// Makes the job's call; whether it succeeded, where it may fail.
    fn call<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
        match job.call {
            Call::Key | Call::SelectedKey | Call::ShortTag => Self::key(job, desk),
            Call::Seal | Call::SealInto | Call::Scatter | Call::Sealer => Self::seal(job, desk),
            Call::Open
            | Call::Forgery
            | Call::ForgeryInto
            | Call::OpenWithin
            | Call::Opener
            | Call::ForgeryOpener => Self::open(job, desk),
            Call::SealOnce | Call::OpenOnce | Call::ForgeryOnce => Self::once(job, desk),
            Call::Segments | Call::OpenSegments | Call::ForgerySegments => {
                Self::segments(job, desk)
            }
            Call::Batch | Call::OpenBatch | Call::ForgeryBatch => Self::batch(job, desk),
            Call::Mac | Call::Verify | Call::VerifyForgery => Self::mac(job, desk),
            Call::RandomNonce => Self::random_nonce(job, desk),
            Call::Blocks | Call::Ctr => Self::cipher(job, desk),
            Call::Ghash | Call::Polyval => hash(job, desk),
            Call::Cbc
            | Call::Xts
            | Call::Cmac
            | Call::Ccm
            | Call::CcmStreams
            | Call::Siv
            | Call::Xaes
            | Call::Sgcm
            | Call::SgcmStreams => modes::call(job, desk),
        }
    }

    /// Making a key, and one with other tags.
    fn key<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// Sealing with a key object.
    fn seal<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// Opening with a key object.
    fn open<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// A key for one message.
    fn once<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// A message in segments.
    fn segments<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// Messages in one call.
    fn batch<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// GMAC.
    fn mac<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// Sealing under a nonce of the system's.
    fn random_nonce<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
    /// The block cipher alone, and counter mode.
    fn cipher<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String>;
}

macro_rules! ciphers {
    ($($Cipher:ty)*) => {$(
        impl Calls for $Cipher {
            fn prepare(engine: Engine, desk: &mut Desk) -> Result<(), String> {
                let key = Gcm::<$Cipher>::with_engine(&desk.key, engine).map_err(text)?;
                let tag = key.seal_in_place(&desk.nonce, &desk.aad, &mut desk.text).map_err(text)?;
                desk.tag.copy_from_slice(&tag);
                desk.other[16..].copy_from_slice(&desk.text);
                Ok(())
            }

            #[inline(never)]
            fn key<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let Job { engine, probe, .. } = *job;
                let engine = match job.call {
                    Call::Key => probe.watch(|| Gcm::<$Cipher>::with_engine(&desk.key, engine)).map_err(text)?.engine(),
                    Call::SelectedKey => probe.watch(|| Gcm::<$Cipher>::from_slice(&desk.key)).map_err(text)?.engine(),
                    _ => {
                        let key = Gcm::<$Cipher, 12, 4>::with_engine(&desk.key, engine).map_err(text)?;
                        let opened = probe.watch(|| {
                            let tag = key.seal_in_place(&desk.nonce, &desk.aad, &mut desk.text).map_err(text)?;
                            let wrong = tag.map(|byte| !byte);
                            opened(key.open_in_place(&desk.nonce, &desk.aad, &mut desk.text, &wrong))
                        });
                        job.ran(key.engine())?;
                        return opened;
                    }
                };
                job.ran(engine)?;
                Ok(true)
            }

            #[inline(never)]
            fn seal<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let gcm = Gcm::<$Cipher>::with_engine(&desk.key, job.engine).map_err(text)?;
                job.ran(gcm.engine())?;
                let Desk { nonce, aad, text: plain, other, tag, .. } = desk;
                let len = plain.len();
                let sealed = job.probe.watch(|| match job.call {
                    Call::Seal => gcm.seal_in_place(nonce, aad, plain),
                    Call::SealInto => gcm.seal_into(nonce, aad, plain, &mut other[16..]),
                    Call::Scatter => {
                        let (a, b) = plain.split_at(len / 3);
                        let (b, c) = b.split_at(b.len() / 2);
                        gcm.seal_scatter(nonce, aad, &[a, b, c], &mut other[16..])
                    }
                    _ => {
                        let mut sealer = gcm.sealer(nonce)?;
                        let (a, b) = aad.split_at(aad.len() / 3);
                        sealer.aad(a)?;
                        sealer.aad(b)?;
                        let (a, b) = plain.split_at_mut(len / 3);
                        sealer.seal_in_place(a)?;
                        sealer.seal_into(b, &mut other[16..][..b.len()])?;
                        Ok(sealer.finish())
                    }
                });
                tag.copy_from_slice(&sealed.map_err(text)?);
                Ok(true)
            }

            #[inline(never)]
            fn open<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let gcm = Gcm::<$Cipher>::with_engine(&desk.key, job.engine).map_err(text)?;
                job.ran(gcm.engine())?;
                let Desk { nonce, aad, text: sealed, other, tag, .. } = desk;
                let len = sealed.len();
                opened(job.probe.watch(|| match job.call {
                    Call::Open | Call::Forgery => gcm.open_in_place(nonce, aad, sealed, tag),
                    Call::ForgeryInto => gcm.open_into(nonce, aad, sealed, &mut other[16..], tag),
                    // To the same place in the same buffer.
                    Call::OpenWithin => gcm.open_within(nonce, aad, other, 16..16 + len, 16, tag).map(drop),
                    _ => {
                        let mut opener = gcm.opener(nonce)?;
                        let (a, b) = aad.split_at(aad.len() / 3);
                        opener.aad(a)?;
                        opener.aad(b)?;
                        let (a, b) = sealed.split_at_mut(len / 3);
                        opener.open_in_place(a)?;
                        opener.open_into(b, &mut other[16..][..b.len()])?;
                        opener.finish(tag)
                    }
                }))
            }

            #[inline(never)]
            fn batch<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let gcm = Gcm::<$Cipher>::with_engine(&desk.key, job.engine).map_err(text)?;
                job.ran(gcm.engine())?;
                let Desk { nonce, aad, text: message, other, tag, .. } = desk;
                let nonce: [u8; 12] = nonce.as_slice().try_into().map_err(text)?;
                let [mut second, mut third] = [nonce; 2];
                (second[0], third[0]) = (!nonce[0], nonce[0] ^ 1);
                // Neighbours of the same length and of others, which open under no tag.
                let [mut c, mut d, mut e] = [(); 3].map(|()| other[..message.len()].to_vec());
                let (a, b) = other.split_at_mut(message.len() / 3);
                let mut packets = [
                    Packet::in_place(&third, &[], &mut c),
                    Packet::in_place(&nonce, aad, message),
                    Packet::in_place(&third, aad, &mut d),
                    Packet::in_place(&second, aad, &mut e),
                    Packet::in_place(&second, &[], a),
                    Packet::in_place(&third, aad, b),
                ];
                if job.call == Call::Batch {
                    let sealed = job.probe.watch(|| {
                        gcm.seal_batch(&mut packets)?;
                        tag.copy_from_slice(packets[1].tag());
                        Ok::<_, carryless::error::OpenError>(())
                    });
                    return sealed.map_err(text).map(|()| true);
                }
                opened(job.probe.watch(|| {
                    let mut packets = packets.map(|packet| packet.with_tag(tag));
                    // The first error, which is that of a neighbour.
                    let _ = gcm.open_batch(&mut packets);
                    packets[1].result()
                }))
            }

            #[inline(never)]
            fn once<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                job.ran(Engine::selected())?;
                let Desk { key, nonce, aad, text: message, tag, .. } = desk;
                let nonce = nonce.as_slice().try_into().map_err(text)?;
                if job.call == Call::SealOnce {
                    let sealed = job.probe.watch(|| Gcm::<$Cipher>::seal_once(key, nonce, aad, message));
                    tag.copy_from_slice(&sealed.map_err(text)?);
                    return Ok(true);
                }
                opened(job.probe.watch(|| Gcm::<$Cipher>::open_once(key, nonce, aad, message, tag)))
            }

            #[inline(never)]
            fn segments<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let gcm = Gcm::<$Cipher>::with_engine(&desk.key, job.engine).map_err(text)?;
                job.ran(gcm.engine())?;
                let Desk { nonce, aad, text: message, tag, .. } = desk;
                let segments = gcm.segments(nonce.as_slice().try_into().map_err(text)?);
                let cut = (message.len() / 2) & !15;
                let (a, b) = message.split_at_mut(cut);
                let at = cut as u64;
                if job.call == Call::Segments {
                    let sealed = job.probe.watch(|| {
                        let parts = [segments.seal_in_place(0, a)?, segments.seal_in_place(at, b)?];
                        let merged = segments.merge(&parts[0], &parts[1])?;
                        segments.finish(aad, &[Partial::from_bytes(&merged.to_bytes())])
                    });
                    tag.copy_from_slice(&sealed.map_err(text)?);
                    return Ok(true);
                }
                opened(job.probe.watch(|| {
                    let parts = [segments.authenticate(0, a)?, segments.authenticate(at, b)?];
                    let verified = segments.verify(aad, &parts, tag)?;
                    verified.open_in_place(0, a)?;
                    verified.open_in_place(at, b)
                }))
            }

            #[inline(never)]
            fn mac<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let mac = Gmac::<$Cipher>::with_engine(&desk.key, job.engine).map_err(text)?;
                job.ran(mac.engine())?;
                let Desk { nonce, aad, tag, .. } = desk;
                let (head, tail) = aad.split_at(aad.len() / 3);
                let pieces = || {
                    let mut pieces = mac.begin(nonce)?;
                    pieces.update(head)?;
                    pieces.update(tail)?;
                    Ok::<_, carryless::error::InputError>(pieces)
                };
                if job.call == Call::Mac {
                    let made = job.probe.watch(|| {
                        pieces().map(|pieces| tag.copy_from_slice(&pieces.finish())).and_then(|()| mac.mac(nonce, aad))
                    });
                    tag.copy_from_slice(&made.map_err(text)?);
                    return Ok(true);
                }
                job.probe.watch(|| {
                    let whole = opened(mac.verify(nonce, aad, tag))?;
                    let cut = opened(pieces().map_err(text)?.verify(tag))?;
                    if whole == cut { Ok(whole) } else { Err("in pieces the answer differs".into()) }
                })
            }

            #[inline(never)]
            fn random_nonce<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let gcm = Gcm::<$Cipher>::with_engine(&desk.key, job.engine).map_err(text)?;
                let mut sealer = RandomNonceSealer::new(gcm);
                job.ran(sealer.engine())?;
                // The first use of a process finds out where random bytes come from.
                sealer.seal_in_place(&[], &mut []).map_err(text)?;
                let Desk { aad, text: plain, tag, .. } = desk;
                let (_, made) = job.probe.watch(|| sealer.seal_in_place(aad, plain)).map_err(text)?;
                tag.copy_from_slice(&made);
                Ok(true)
            }

            #[inline(never)]
            fn cipher<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
                let Desk { key, text: message, .. } = desk;
                let cut = message.len() / 3;
                let used = job.probe.watch(|| {
                    let cipher = BlockCipher::<$Cipher>::with_engine(key, job.engine)?;
                    if job.call == Call::Blocks {
                        let (blocks, _) = message.as_chunks_mut();
                        cipher.encrypt_blocks(blocks);
                        cipher.decrypt_blocks(blocks);
                    } else {
                        // All wrap inside the text; the counter is public.
                        let counter = (u128::MAX - 2).to_be_bytes();
                        cipher.ctr_in_place(&counter, CounterWidth::Bits32, message);
                        cipher.ctr_in_place(&counter, CounterWidth::Bits128, message);
                        let mut ctr = Ctr::<$Cipher>::with_engine(key, &counter, job.engine)?;
                        let (head, tail) = message.split_at_mut(cut);
                        ctr.apply_in_place(head)?;
                        ctr.apply_in_place(tail)?;
                        ctr.seek(5)?;
                        ctr.apply_in_place(tail)?;
                    }
                    Ok::<_, carryless::error::KeyError>(cipher.engine())
                });
                job.ran(used.map_err(text)?)?;
                Ok(true)
            }
        }
    )*};
}

ciphers! { Aes128 Aes192 Aes256 Lea128 Lea192 Lea256 }

/// GHASH or POLYVAL under the first bytes of the key as H.
fn hash<P: Probe>(job: &Job<'_, P>, desk: &mut Desk) -> Result<bool, String> {
    let h = desk.key.as_slice().try_into().map_err(text)?;
    macro_rules! watched {
        ($Hash:ident) => {
            job.probe.watch(|| {
                let mut hash = $Hash::with_engine(h, job.engine)?;
                hash.update(&desk.aad);
                hash.update(&desk.text);
                Ok::<_, carryless::error::Unavailable>((hash.engine(), hash.finish()))
            })
        };
    }
    let made = match job.call {
        Call::Ghash => watched!(Ghash),
        _ => watched!(Polyval),
    };
    let (engine, hash) = made.map_err(text)?;
    desk.tag.copy_from_slice(&hash);
    job.ran(engine)?;
    Ok(true)
}

fn text(error: impl core::fmt::Display) -> String {
    error.to_string()
}
