//! What is no scheme: GMAC, and the sealer of random nonces.

#[cfg(feature = "getrandom")]
use carryless::RandomNonceSealer;
use carryless::error::OpenError;
use carryless::{Aes128, Aes192, Aes256, Engine, Gmac};

use super::table::{Call, Table};
use super::{AAD_LENS, TAG_LENS};
use crate::harness::reference::Gcm;
use crate::harness::scheme::{Case, key_len_of_tags};
use crate::harness::{Checked, ensure};

/// `$of` with the cipher that has tags of this length, and the length.
macro_rules! of_tag {
    ($tag_len:expr, $of:ident) => {
        match $tag_len {
            #[cfg(feature = "hazmat")]
            4 => $of!(Aes128 4),
            #[cfg(feature = "hazmat")]
            8 => $of!(Aes192 8),
            12 => $of!(Aes256 12),
            13 => $of!(Aes128 13),
            14 => $of!(Aes192 14),
            15 => $of!(Aes256 15),
            _ => $of!(Aes128 16),
        }
    };
}

/// GMAC: the AAD is all there is.
pub(super) fn gmac(engine: Engine, table: &mut Table) -> Checked {
    let mut count = 0;
    for (i, tag_len) in TAG_LENS.iter().copied().enumerate() {
        for (j, aad_len) in AAD_LENS.into_iter().enumerate() {
            let nonce_len = [12, 8, 60][(i + j) % 3];
            let case = Case::new(0x9d, key_len_of_tags(tag_len), nonce_len, aad_len, 0);
            let (_, right) = Gcm::new(&case.key).seal(&case.nonce, &case.aad, &[]);
            let right = &right[..tag_len];
            let mut forged = right.to_vec();
            forged[tag_len - 1] ^= 1;
            macro_rules! run {
                ($Cipher:ident $tag:literal) => {{
                    let gmac = Gmac::<$Cipher, $tag>::with_engine(&case.key, engine).unwrap();
                    let verify = |tag: &[u8]| gmac.verify(&case.nonce, &case.aad, tag);
                    (
                        gmac.mac(&case.nonce, &case.aad).unwrap().to_vec(),
                        verify(right),
                        verify(&forged),
                        verify(&right[1..]),
                    )
                }};
            }
            let (mac, opened, refused, size) = of_tag!(tag_len, run);
            let what = format!("{engine} Gmac, {case}, tag of {tag_len}");
            ensure!(mac == right, "{what}: another tag");
            ensure!(opened.is_ok(), "{what}: {opened:?}");
            ensure!(
                matches!(refused, Err(OpenError::Unauthentic(_))),
                "{what}: a forgery: {refused:?}"
            );
            ensure!(
                matches!(size, Err(OpenError::Input(_))),
                "{what}: a shorter tag: {size:?}"
            );
            table.run("Gmac", tag_len, aad_len, &Call::ALL);
            table.met("Gmac", format!("{nonce_len} B of nonce"));
            count += 4;
        }
    }
    Ok(count)
}

/// What a sealer of random nonces seals is what the reference seals under the nonce that it drew.
#[cfg(feature = "getrandom")]
pub(super) fn random_nonces(engine: Engine, table: &mut Table) -> Checked {
    let mut count = 0;
    for (i, tag_len) in TAG_LENS.iter().copied().enumerate() {
        for (j, aad_len) in AAD_LENS.into_iter().enumerate() {
            let text_len = [0, 1, 16, 40, 300][(i + j) % 5];
            let case = Case::new(0x9e, key_len_of_tags(tag_len), 12, aad_len, text_len);
            let (mut placed, mut out) = (case.text.clone(), vec![0; text_len]);
            macro_rules! run {
                ($Cipher:ident $tag:literal) => {{
                    let gcm = carryless::Gcm::<$Cipher, 12, $tag>::with_engine(&case.key, engine)
                        .unwrap();
                    let mut sealer = RandomNonceSealer::new(gcm);
                    let (first, tag) = sealer.seal_in_place(&case.aad, &mut placed).unwrap();
                    let (second, other) =
                        sealer.seal_into(&case.aad, &case.text, &mut out).unwrap();
                    [(first, tag.to_vec()), (second, other.to_vec())]
                }};
            }
            let made = of_tag!(tag_len, run);
            for ((nonce, tag), text) in made.iter().zip([&placed, &out]) {
                let (ciphertext, right) = Gcm::new(&case.key).seal(nonce, &case.aad, &case.text);
                let right = *text == ciphertext && tag[..] == right[..tag_len];
                ensure!(
                    right,
                    "{engine} RandomNonceSealer, {case}, tag of {tag_len}: nonce {nonce:02x?}"
                );
            }
            table.run("RandomNonceSealer", tag_len, aad_len, &[Call::Seal]);
            table.met("RandomNonceSealer", format!("{text_len} B of text"));
            count += 2;
        }
    }
    Ok(count)
}
