//! The ciphers and fields that engines run: names and sizes, no code.
#![forbid(unsafe_code)]

use zeroize::Zeroize;

/// A block cipher of 128-bit blocks.
pub trait BlockCipher: Copy + Send + Sync + 'static {
    /// Its name, as in `AES-128`.
    const NAME: &'static str;
    /// Bytes of a key.
    const KEY_LEN: usize;
}

/// AES with a key of one size.
#[cfg_attr(
    not(carryless_fused),
    expect(dead_code, reason = "only entry points take keys by their size")
)]
pub trait Aes: BlockCipher {
    /// The key.
    type Key;

    /// Bytes of the right number as a key.
    fn key(bytes: &[u8]) -> &Self::Key;
}

/// A field whose elements hash blocks.
pub trait Field: Copy + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// A hash in the making; that of nothing is the default. The same for all engines, so that what
    /// one began another can go on with.
    type Acc: Clone + Default + Send + Sync + Zeroize;

    /// Adds the hash `other` to `acc`.
    fn add(acc: &mut Self::Acc, other: &Self::Acc);
}

macro_rules! ciphers {
    ($($(#[$doc:meta])* $Cipher:ident $name:literal $key_len:literal,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $Cipher {}

        impl BlockCipher for $Cipher {
            const NAME: &'static str = $name;
            const KEY_LEN: usize = $key_len;
        }
    )*};
}

macro_rules! keys_of_aes {
    ($($Cipher:ident $key_len:literal)*) => {$(
        impl Aes for $Cipher {
            type Key = [u8; $key_len];

            #[inline(always)]
            fn key(bytes: &[u8]) -> &Self::Key {
                bytes.try_into().expect("modes check the length of keys")
            }
        }
    )*};
}

ciphers! {
    /// AES with a key of 16 bytes and 10 rounds (FIPS 197).
    Aes128 "AES-128" 16,
    /// AES with a key of 24 bytes and 12 rounds (FIPS 197).
    Aes192 "AES-192" 24,
    /// AES with a key of 32 bytes and 14 rounds (FIPS 197).
    Aes256 "AES-256" 32,
}

keys_of_aes! { Aes128 16 Aes192 24 Aes256 32 }

#[cfg(feature = "lea")]
ciphers! {
    /// LEA with a key of 16 bytes and 24 rounds (KS X 3246, ISO/IEC 29192-2).
    Lea128 "LEA-128" 16,
    /// LEA with a key of 24 bytes and 28 rounds (KS X 3246, ISO/IEC 29192-2).
    Lea192 "LEA-192" 24,
    /// LEA with a key of 32 bytes and 32 rounds (KS X 3246, ISO/IEC 29192-2).
    Lea256 "LEA-256" 32,
}

/// GF(2^128) with the polynomial and the bit order of SP 800-38D section 6.3.
#[derive(Clone, Copy, Debug)]
pub enum Gf128 {}

/// The same field with the bit order of POLYVAL and its product, of which x^128 is the one (RFC 8452 section 3).
#[derive(Clone, Copy, Debug)]
pub enum Polyval {}

/// The integers modulo the prime 2^128 + 12451, with blocks big-endian (SGCM).
#[cfg(feature = "sgcm")]
#[derive(Clone, Copy, Debug)]
pub enum P12451 {}

#[cfg(feature = "sgcm")]
impl Field for P12451 {
    const NAME: &'static str = "GF(2^128 + 12451)";
    type Acc = crate::soft::prime::Element;

    /// No mode hashes parts of a message apart: this is not called, nor is [`Hash::shift`](super::Hash::shift).
    #[inline(always)]
    fn add(acc: &mut Self::Acc, other: &Self::Acc) {
        *acc = *acc + *other;
    }
}

impl Field for Polyval {
    const NAME: &'static str = "GF(2^128) of POLYVAL";
    /// The block's bytes as a little-endian integer.
    type Acc = u128;

    #[inline(always)]
    fn add(acc: &mut u128, other: &u128) {
        *acc ^= other;
    }
}

impl Field for Gf128 {
    const NAME: &'static str = "GF(2^128)";
    /// The block's bytes as a big-endian integer.
    type Acc = u128;

    #[inline(always)]
    fn add(acc: &mut u128, other: &u128) {
        *acc ^= other;
    }
}
