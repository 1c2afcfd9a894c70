//! The traits of the crate `cipher`: RustCrypto's modes over our block cipher, and generic code over our modes.

use aes::cipher::block_padding::Pkcs7;
use aes::cipher::consts::U16;
use aes::cipher::{
    BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, IvSizeUser, KeyInit, KeyIvInit, KeySizeUser,
    StreamCipher, StreamCipherSeek,
};
use carryless::hazmat::{BlockCipher, CbcDecryptor, CbcEncryptor, Ctr};
use xts_mode::{Xts128, get_tweak_default};

use crate::block;
use crate::harness::{KEY_LENS, Random, key};

fn sealed<M: KeyIvInit + BlockModeEncrypt>(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut out = vec![0; text.len() + 16];
    let cipher = M::new_from_slices(key, &block(1)).unwrap();
    cipher
        .encrypt_padded_b2b::<Pkcs7>(text, &mut out)
        .unwrap()
        .to_vec()
}

fn opened<M: KeyIvInit + BlockModeDecrypt>(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut out = text.to_vec();
    let cipher = M::new_from_slices(key, &block(1)).unwrap();
    cipher.decrypt_padded::<Pkcs7>(&mut out).unwrap().to_vec()
}

#[test]
fn c2_cbc_by_traits_in_each_combination_is_the_same() {
    for key_len in KEY_LENS {
        let key = key(key_len);
        for len in (0..100).chain([1023, 1024, 1025, 3000]) {
            let text = Random::new(len as u64).bytes(len);
            with_cipher!(key_len, C Peer => {
                let expected = sealed::<cbc::Encryptor<Peer>>(&key, &text);
                assert_eq!(sealed::<cbc::Encryptor<BlockCipher<C>>>(&key, &text), expected);
                assert_eq!(sealed::<CbcEncryptor<C>>(&key, &text), expected);
                assert_eq!(opened::<cbc::Decryptor<BlockCipher<C>>>(&key, &expected), text);
                assert_eq!(opened::<CbcDecryptor<C>>(&key, &expected), text);
            });
        }
    }
}

/// The text from each position on, and the positions.
fn stream<M: KeyIvInit + StreamCipher + StreamCipherSeek>(key: &[u8]) -> Vec<u8> {
    let mut cipher = M::new_from_slices(key, &block(2)).unwrap();
    let mut all = vec![0; 1500];
    let (a, b) = all.split_at_mut(77);
    cipher.apply_keystream(a);
    cipher.write_keystream(b);
    assert_eq!(cipher.current_pos::<u64>(), 1500);
    for position in 0..40_u32 {
        cipher.seek(position);
        assert_eq!(cipher.current_pos::<u128>(), position.into());
        let mut text = [0; 21];
        cipher.apply_keystream(&mut text);
        assert_eq!(cipher.current_pos::<i32>(), position as i32 + 21);
        all.extend_from_slice(&text);
    }
    all
}

#[test]
fn c2_ctr_by_traits_in_each_combination_is_the_same() {
    for key_len in KEY_LENS {
        let key = key(key_len);
        with_cipher!(key_len, C Peer => {
            let expected = stream::<ctr::Ctr128BE<Peer>>(&key);
            assert_eq!(stream::<ctr::Ctr128BE<BlockCipher<C>>>(&key), expected);
            assert_eq!(stream::<Ctr<C>>(&key), expected);
            let expected = stream::<ctr::Ctr32BE<Peer>>(&key);
            assert_eq!(stream::<ctr::Ctr32BE<BlockCipher<C>>>(&key), expected);
            assert_eq!(stream::<Ctr<C, 32>>(&key), expected);
        });
    }
    let mut ctr: Ctr<carryless::Aes128, 32> = KeyIvInit::new(&[1; 16].into(), &[0; 16].into());
    assert!(ctr.try_seek(1_u64 << 36).is_ok() && ctr.try_apply_keystream(&mut [0]).is_err());
    assert!(ctr.try_seek((1_u64 << 36) + 1).is_err());
}

#[test]
fn c2_xts_mode_over_our_block_cipher_is_the_same() {
    let (key, mut a) = (key(32), Random::new(5).bytes(3001));
    let mut b = a.clone();
    let ours = |key| BlockCipher::<carryless::Aes128>::new_from_slice(key).unwrap();
    let theirs = |key| aes::Aes128::new_from_slice(key).unwrap();
    let ours = Xts128::new(ours(&key[..16]), ours(&key[16..]));
    let theirs = Xts128::new(theirs(&key[..16]), theirs(&key[16..]));
    ours.encrypt_area(&mut a, 520, 9, get_tweak_default);
    theirs.encrypt_area(&mut b, 520, 9, get_tweak_default);
    assert_eq!(a, b);
    ours.decrypt_area(&mut a, 520, 9, get_tweak_default);
    theirs.decrypt_area(&mut b, 520, 9, get_tweak_default);
    assert_eq!(a, b);
}

#[test]
fn sizes_are_those_of_the_types() {
    fn sizes<M: KeySizeUser + IvSizeUser<IvSize = U16>>() -> usize {
        M::key_size()
    }
    assert_eq!(sizes::<CbcEncryptor<carryless::Aes192>>(), 24);
    assert_eq!(BlockCipher::<carryless::Aes128>::block_size(), 16);
}
