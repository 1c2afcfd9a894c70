//! RustCrypto.

use aes::cipher::{
    BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, KeyInit, StreamCipher,
    block_padding::NoPadding,
};
use aes::{Aes128, Aes256};
use aes_gcm_siv::AesGcmSiv;
use aes_gcm_siv::aead::AeadInOut;
use ccm::consts::{U12, U16};
use cmac::{Cmac, Mac};
use xaes_256_gcm::Xaes256Gcm;
use xts_mode::Xts128;

use crate::job::{AAD, IV, Job, Mode, NO_TAG, NONCE, both, one};

/// Sealing and opening by the traits of `aead`.
macro_rules! aead {
    ($Aead:ty, $key:expr, $nonce:expr) => {{
        let there = <$Aead>::new_from_slice($key).unwrap();
        let back = <$Aead>::new_from_slice($key).unwrap();
        let nonce = $nonce;
        both(
            move |text| {
                let tag = there.encrypt_inout_detached(&nonce.into(), AAD, text.into());
                tag.unwrap().into()
            },
            move |text, tag| {
                let tag = (*tag).into();
                back.decrypt_inout_detached(&nonce.into(), AAD, text.into(), &tag)
                    .is_ok()
            },
        )
    }};
}

macro_rules! of_key_size {
    ($C:ident, $mode:expr, $key:expr) => {{
        let cipher = |key: &[u8]| $C::new_from_slice(key).unwrap();
        match $mode {
            Mode::Ctr => {
                let cipher = cipher($key);
                one(move |text| {
                    let core = ctr::CtrCore::inner_iv_init(&cipher, &IV.into());
                    ctr::Ctr128BE::<&$C>::from_core(core).apply_keystream(text);
                    NO_TAG
                })
            }
            Mode::Xts => {
                let (first, second) = $key.split_at($key.len() / 2);
                let xts = || Xts128::new(cipher(first), cipher(second));
                let (there, back) = (xts(), xts());
                both(
                    move |text| {
                        there.encrypt_sector(text, IV.into());
                        NO_TAG
                    },
                    move |text, _| {
                        back.decrypt_sector(text, IV.into());
                        true
                    },
                )
            }
            Mode::Cbc => {
                let (there, back) = (cipher($key), cipher($key));
                both(
                    move |text| {
                        let (len, cbc) = (text.len(), cbc::Encryptor::inner_iv_init(&there, &IV.into()));
                        cbc.encrypt_padded::<NoPadding>(text, len).unwrap();
                        NO_TAG
                    },
                    move |text, _| {
                        let cbc = cbc::Decryptor::inner_iv_init(&back, &IV.into());
                        cbc.decrypt_padded::<NoPadding>(text).is_ok()
                    },
                )
            }
            Mode::Cmac => {
                let mut mac = Cmac::<$C>::new_from_slice($key).unwrap();
                one(move |text| {
                    mac.update(text);
                    mac.finalize_reset().into_bytes().into()
                })
            }
            Mode::Ccm => aead!(ccm::Ccm<$C, U16, U12>, $key, <[u8; 12]>::try_from(&NONCE[..12]).unwrap()),
            Mode::GcmSiv => aead!(AesGcmSiv<$C>, $key, <[u8; 12]>::try_from(&NONCE[..12]).unwrap()),
            Mode::Xaes => aead!(Xaes256Gcm, $key, NONCE),
            Mode::CbcEach | Mode::CmacEach | Mode::Lea | Mode::Sghash => None,
        }
    }};
}

pub fn job(mode: Mode, bits: usize, key: &[u8]) -> Option<Job> {
    match bits {
        128 => of_key_size!(Aes128, mode, key),
        _ => of_key_size!(Aes256, mode, key),
    }
}
