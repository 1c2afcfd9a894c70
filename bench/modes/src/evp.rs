//! OpenSSL and AWS-LC, whose ciphers are called by the same names.

use std::ptr::{null, null_mut};

use crate::job::{AAD, Block, IV, Job, Mode, NO_TAG, NONCE, both, one};

/// Fails where one of the libraries does.
fn right(result: i32) {
    assert_eq!(result, 1, "the call failed");
}

macro_rules! library {
    ($module:ident, $sys:ident, $own:ident, $($wide:ident)?) => {
        pub mod $module {
            use super::*;
            use super::$own::{aead, again};
            use $sys as sys;

            /// A cipher with a key; never freed.
            struct Context(*mut sys::EVP_CIPHER_CTX);

            impl Context {
                /// * `there`: 1 to encrypt, 0 to decrypt.
                fn new(cipher: *const sys::EVP_CIPHER, key: &[u8], there: i32) -> Self {
                    // SAFETY: as documented; the key is as long as the cipher's.
                    unsafe {
                        let context = sys::EVP_CIPHER_CTX_new();
                        let (none, iv) = (null_mut(), null());
                        right(sys::EVP_CipherInit_ex(context, cipher, none, key.as_ptr(), iv, there));
                        sys::EVP_CIPHER_CTX_set_padding(context, 0);
                        Self(context)
                    }
                }

                /// Whole blocks, or any bytes in counter mode, where they stand.
                fn run(&mut self, text: &mut [u8]) -> Block {
                    let (mut len, at) = (0, text.as_mut_ptr());
                    // SAFETY: as documented; as much is written as is read.
                    unsafe {
                        right(sys::EVP_CipherInit_ex(self.0, null(), null_mut(), null(), IV.as_ptr(), -1));
                        right(sys::EVP_CipherUpdate(self.0, at, &mut len, at, text.len() as i32));
                    }
                    NO_TAG
                }
            }

            /// Both directions of a cipher.
            fn ciphers(cipher: *const sys::EVP_CIPHER, key: &[u8]) -> Option<Job> {
                let (mut there, mut back) = (Context::new(cipher, key, 1), Context::new(cipher, key, 0));
                both(move |text| there.run(text), move |text, _| back.run(text) == NO_TAG)
            }

            pub fn job(mode: Mode, bits: usize, key: &[u8]) -> Option<Job> {
                // SAFETY: they return constants.
                let [ctr, cbc] = unsafe {
                    match bits {
                        128 => [sys::EVP_aes_128_ctr(), sys::EVP_aes_128_cbc()],
                        _ => [sys::EVP_aes_256_ctr(), sys::EVP_aes_256_cbc()],
                    }
                };
                match mode {
                    Mode::Ctr => {
                        let mut there = Context::new(ctr, key, 1);
                        one(move |text| there.run(text))
                    }
                    Mode::Cbc => ciphers(cbc, key),
                    Mode::Xts => {
                        // SAFETY: as above.
                        let wide = unsafe { sys::EVP_aes_256_xts() };
                        $(if bits == 128 {
                            // SAFETY: as above.
                            return ciphers(unsafe { sys::$wide() }, key);
                        })?
                        (bits == 256).then(|| ciphers(wide, key))?
                    }
                    Mode::Cmac => {
                        // SAFETY: as documented; the key is as long as the cipher's.
                        let context = unsafe {
                            let context = sys::CMAC_CTX_new();
                            right(sys::CMAC_Init(context, key.as_ptr().cast(), key.len(), cbc, null_mut()));
                            context
                        };
                        one(move |text| {
                            let (mut tag, mut len) = (NO_TAG, 0);
                            // SAFETY: as documented; without a key it begins anew.
                            unsafe {
                                right(again(context));
                                right(sys::CMAC_Update(context, text.as_ptr().cast(), text.len()));
                                right(sys::CMAC_Final(context, tag.as_mut_ptr(), &mut len));
                            }
                            tag
                        })
                    }
                    mode => aead(mode, bits, key),
                }
            }
        }
    };
}

library! { openssl, openssl_sys, of_openssl, EVP_aes_128_xts }
library! { aws_lc, aws_lc_sys, of_aws_lc, }

/// What OpenSSL calls otherwise.
mod of_openssl {
    use openssl_sys as sys;

    use super::*;

    /// Has a MAC begin anew.
    ///
    /// # Safety
    /// It has a key.
    pub(super) unsafe fn again(context: *mut sys::CMAC_CTX) -> i32 {
        // SAFETY: as documented.
        unsafe { sys::CMAC_Init(context, null(), 0, null(), null_mut()) }
    }

    /// CCM; never freed.
    struct Ccm(*mut sys::EVP_CIPHER_CTX);

    impl Ccm {
        fn new(bits: usize, key: &[u8], there: i32) -> Self {
            // SAFETY: as documented; the key is as long as the cipher's.
            unsafe {
                let cipher = match bits {
                    128 => sys::EVP_aes_128_ccm(),
                    _ => sys::EVP_aes_256_ccm(),
                };
                let (context, none) = (sys::EVP_CIPHER_CTX_new(), null_mut());
                right(sys::EVP_CipherInit_ex(
                    context,
                    cipher,
                    none,
                    null(),
                    null(),
                    there,
                ));
                right(sys::EVP_CIPHER_CTX_ctrl(
                    context,
                    sys::EVP_CTRL_GCM_SET_IVLEN,
                    12,
                    null_mut(),
                ));
                right(sys::EVP_CIPHER_CTX_ctrl(
                    context,
                    sys::EVP_CTRL_GCM_SET_TAG,
                    16,
                    null_mut(),
                ));
                right(sys::EVP_CipherInit_ex(
                    context,
                    null(),
                    none,
                    key.as_ptr(),
                    NONCE.as_ptr(),
                    there,
                ));
                Self(context)
            }
        }

        /// A message, behind the tag that it must have if it is opened; whether it has it.
        fn run(&mut self, text: &mut [u8], expected: Option<&Block>) -> bool {
            let (mut len, at, aad) = (0, text.as_mut_ptr(), AAD.as_slice());
            // SAFETY: as documented; as much is written as is read, and the tag is only read.
            unsafe {
                right(sys::EVP_CipherInit_ex(
                    self.0,
                    null(),
                    null_mut(),
                    null(),
                    NONCE.as_ptr(),
                    -1,
                ));
                if let Some(tag) = expected {
                    let tag = tag.as_ptr().cast_mut().cast();
                    right(sys::EVP_CIPHER_CTX_ctrl(
                        self.0,
                        sys::EVP_CTRL_GCM_SET_TAG,
                        16,
                        tag,
                    ));
                }
                let whole = text.len() as i32;
                right(sys::EVP_CipherUpdate(
                    self.0,
                    null_mut(),
                    &mut len,
                    null(),
                    whole,
                ));
                right(sys::EVP_CipherUpdate(
                    self.0,
                    null_mut(),
                    &mut len,
                    aad.as_ptr(),
                    aad.len() as i32,
                ));
                sys::EVP_CipherUpdate(self.0, at, &mut len, at, whole) == 1
            }
        }

        fn seal(&mut self, text: &mut [u8]) -> Block {
            let (sealed, mut tag) = (self.run(text, None), NO_TAG);
            // SAFETY: as documented; there is room for 16 bytes.
            right(unsafe {
                sys::EVP_CIPHER_CTX_ctrl(
                    self.0,
                    sys::EVP_CTRL_GCM_GET_TAG,
                    16,
                    tag.as_mut_ptr().cast(),
                )
            });
            assert!(sealed, "the call failed");
            tag
        }
    }

    pub(super) fn aead(mode: Mode, bits: usize, key: &[u8]) -> Option<Job> {
        if mode != Mode::Ccm {
            return None;
        }
        let (mut there, mut back) = (Ccm::new(bits, key, 1), Ccm::new(bits, key, 0));
        both(
            move |text| there.seal(text),
            move |text, tag| back.run(text, Some(tag)),
        )
    }
}

/// What AWS-LC calls otherwise.
mod of_aws_lc {
    use aws_lc_sys as sys;

    use super::*;

    /// Has a MAC begin anew.
    ///
    /// # Safety
    /// It has a key.
    pub(super) unsafe fn again(context: *mut sys::CMAC_CTX) -> i32 {
        // SAFETY: as documented.
        unsafe { sys::CMAC_Reset(context) }
    }

    pub(super) fn aead(mode: Mode, bits: usize, key: &[u8]) -> Option<Job> {
        if mode != Mode::GcmSiv {
            return None;
        }
        let (aad, nonce) = (AAD.as_slice(), NONCE.as_ptr());
        // SAFETY: as documented; the key is as long as the cipher's.
        let context = unsafe {
            let aead = match bits {
                128 => sys::EVP_aead_aes_128_gcm_siv(),
                _ => sys::EVP_aead_aes_256_gcm_siv(),
            };
            sys::EVP_AEAD_CTX_new(aead, key.as_ptr(), key.len(), 16)
        };
        assert!(!context.is_null(), "the call failed");
        both(
            move |text| {
                let (mut tag, mut len, at) = (NO_TAG, 0, text.as_mut_ptr());
                // SAFETY: as documented; as much is written as is read, and 16 bytes of a tag.
                right(unsafe {
                    sys::EVP_AEAD_CTX_seal_scatter(
                        context,
                        at,
                        tag.as_mut_ptr(),
                        &mut len,
                        16,
                        nonce,
                        12,
                        at,
                        text.len(),
                        null(),
                        0,
                        aad.as_ptr(),
                        aad.len(),
                    )
                });
                tag
            },
            move |text, tag| {
                let at = text.as_mut_ptr();
                // SAFETY: as above; the tag is read.
                let opened = unsafe {
                    sys::EVP_AEAD_CTX_open_gather(
                        context,
                        at,
                        nonce,
                        12,
                        at,
                        text.len(),
                        tag.as_ptr(),
                        16,
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                opened == 1
            },
        )
    }
}
