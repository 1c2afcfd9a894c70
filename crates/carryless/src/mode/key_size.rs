//! Sizes of keys as types, as the traits of other crates want them.

#[cfg(feature = "aead")]
use aead::array;
#[cfg(not(any(feature = "aead", feature = "digest")))]
use cipher::array;
#[cfg(all(feature = "digest", not(feature = "aead")))]
use digest::array;

use array::ArraySize;
use array::typenum::{U16, U24, U32};

use crate::engine::{Aes128, Aes192, Aes256, BlockCipher};

/// A cipher with its key size as a type.
pub trait TypedKey: BlockCipher {
    /// Bytes of a key.
    type KeySize: ArraySize;
}

impl TypedKey for Aes128 {
    type KeySize = U16;
}
impl TypedKey for Aes192 {
    type KeySize = U24;
}
impl TypedKey for Aes256 {
    type KeySize = U32;
}
