//! C2: LEA in the generic modes is LEA in RustCrypto's, over our block cipher.

use carryless::hazmat::BlockCipher;
use carryless::{Ccm, Cmac};
use ccm::aead::AeadInOut;
use ccm::aead::inout::InOutBuf;
use ccm::consts::{U13, U16};
use cmac::{KeyInit, Mac};

use crate::harness::{KEY_LENS, Random, engines, key};

#[test]
fn c2_cmac_and_ccm_over_lea_are_those_of_rustcrypto() {
    let nonce = [9; 13];
    for key in KEY_LENS.map(key) {
        for len in (0..300).chain([1000, 4096]) {
            let text = Random::new(len as u64).bytes(len);
            let aad = &text[..len / 3];
            with_lea!(key.len(), C Peer => {
                let mac = cmac::Cmac::<BlockCipher<C>>::new_from_slice(&key).unwrap();
                let mac = mac.chain_update(&text).finalize().into_bytes();
                let ccm = ccm::Ccm::<BlockCipher<C>, U16, U13>::new_from_slice(&key).unwrap();
                let mut sealed = text.clone();
                let place = InOutBuf::from(&mut sealed[..]);
                let tag = ccm.encrypt_inout_detached(&nonce.into(), aad, place).unwrap();
                for engine in engines() {
                    let ours = Cmac::<C>::with_engine(&key, engine).unwrap();
                    assert_eq!(ours.mac(&text)[..], mac[..], "{engine}, {len}");
                    let ours = Ccm::<C, 13, 16>::with_engine(&key, engine).unwrap();
                    let mut out = text.clone();
                    let made = ours.seal_in_place(&nonce, aad, &mut out).unwrap();
                    assert_eq!((&out, &made[..]), (&sealed, &tag[..]), "{engine}, {len}");
                    ours.open_in_place(&nonce, aad, &mut out, &made).unwrap();
                    assert_eq!(out, text, "{engine}, {len}");
                    println!("C2 {engine}: 2 messages of CMAC and CCM with LEA");
                }
            });
        }
    }
}
