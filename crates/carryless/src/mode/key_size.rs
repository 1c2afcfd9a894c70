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
#[cfg(feature = "lea")]
use crate::engine::{Lea128, Lea192, Lea256};

/// A cipher with its key size as a type.
pub trait TypedKey: BlockCipher {
    /// Bytes of a key.
    type KeySize: ArraySize;
}

macro_rules! sizes {
    ($($Cipher:ident $Size:ident),*) => {$(
        impl TypedKey for $Cipher {
            type KeySize = $Size;
        }
    )*};
}

sizes! { Aes128 U16, Aes192 U24, Aes256 U32 }
#[cfg(feature = "lea")]
sizes! { Lea128 U16, Lea192 U24, Lea256 U32 }
