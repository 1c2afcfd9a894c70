//! One program, compiled against `aes_gcm` and against this crate: only the import differs. Another likewise, for `aes_gcm` 0.10.
#![cfg(feature = "std")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

#[cfg(all(feature = "aead", feature = "getrandom"))]
mod with_aes_gcm {
    use aes_gcm as gcm;
    include!("drop_in/program.rs");
}

#[cfg(all(feature = "aead", feature = "getrandom"))]
mod with_carryless {
    use carryless as gcm;
    include!("drop_in/program.rs");
}

#[cfg(all(feature = "aead", feature = "getrandom"))]
#[test]
fn a_program_for_aes_gcm_runs_unchanged_and_seals_the_same_bytes() {
    let theirs = with_aes_gcm::run().expect("the program runs with aes_gcm");
    let ours = with_carryless::run().expect("the program runs with carryless");
    assert_eq!(ours, theirs);
}

#[cfg(feature = "aead-0-5")]
mod with_aes_gcm_0_10 {
    use aes_gcm_0_10 as gcm;
    include!("drop_in/program_0_10.rs");
}

#[cfg(feature = "aead-0-5")]
mod with_carryless_0_5 {
    use carryless::aead_0_5 as gcm;
    include!("drop_in/program_0_10.rs");
}

#[cfg(feature = "aead-0-5")]
#[test]
fn a_program_for_aes_gcm_0_10_runs_unchanged_and_seals_the_same_bytes() {
    let theirs = with_aes_gcm_0_10::run().expect("the program runs with aes_gcm 0.10");
    let ours = with_carryless_0_5::run().expect("the program runs with carryless");
    assert_eq!(ours, theirs);
}

/// What the traits of `aead` 0.5 and the methods of a mode make of texts, and that they open each other's.
#[cfg(feature = "aead-0-5")]
macro_rules! same {
    ($($Mode:ty),* $(,)?) => {$(
        let key: Vec<u8> = (0..).take(<$Mode as KeySizeUser>::key_size()).collect();
        let traits = <$Mode as KeyInit>::new_from_slice(&key).unwrap();
        let methods = <$Mode>::from_slice(&key).unwrap();
        let mut nonce = Nonce::<$Mode>::default();
        nonce.fill(9);
        for len in [0, 1, 16, 33, 1000] {
            let (text, aad) = (vec![7; len], &key[..len.min(5)]);
            let (mut sealed, mut expected) = (text.clone(), text.clone());
            let mut tag = traits.encrypt_in_place_detached(&nonce, aad, &mut sealed).unwrap();
            let right = methods.seal_in_place(&nonce, aad, &mut expected).unwrap();
            assert_eq!((&sealed, &tag[..]), (&expected, &right[..]), "{methods:?}, {len} bytes");
            traits.decrypt_in_place_detached(&nonce, aad, &mut expected, &tag).unwrap();
            assert_eq!(expected, text, "{methods:?}, {len} bytes");
            tag[0] ^= 1;
            traits.decrypt_in_place_detached(&nonce, aad, &mut sealed, &tag).unwrap_err();
            assert_eq!(sealed, vec![0; len], "{methods:?}, {len} bytes");
        }
        println!("{methods:?} by the traits of aead 0.5");
    )*};
}

#[cfg(feature = "aead-0-5")]
#[test]
fn every_aead_does_by_the_traits_of_aead_0_5_what_its_methods_do() {
    use carryless::aead_0_5::{AeadInPlace, KeyInit, KeySizeUser, aead::Nonce};
    use carryless::{Aes128, Aes192, Aes256, Ccm, Gcm, GcmSiv, XAes256Gcm};

    same! { Gcm<Aes128>, Gcm<Aes192, 12, 13>, Gcm<Aes256, 16, 16>, XAes256Gcm };
    same! { GcmSiv<Aes128>, GcmSiv<Aes256>, Ccm<Aes128>, Ccm<Aes192, 13, 8>, Ccm<Aes256, 7, 16> };
    #[cfg(feature = "lea")]
    {
        use carryless::{Lea128, Lea192, Lea256};
        same! { Gcm<Lea128>, Gcm<Lea192>, Gcm<Lea256>, Ccm<Lea128>, Ccm<Lea192, 12, 8> };
        #[cfg(feature = "sgcm")]
        same! { carryless::sgcm::Sgcm<Lea128>, carryless::sgcm::Sgcm<Lea256> };
    }
    #[cfg(feature = "sgcm")]
    same! { carryless::sgcm::Sgcm<Aes128>, carryless::sgcm::Sgcm<Aes192>, carryless::sgcm::Sgcm<Aes256> };
}
