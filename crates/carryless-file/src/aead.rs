//! The AEAD key of a file.

use core::ops::Deref;

use carryless::{Aes128Gcm, Aes256Gcm, Engine, Slot};
use zeroize::ZeroizeOnDrop;

/// A key that is made where it stays until it is wiped: moved there it would leave a copy on the stack.
pub(crate) struct Kept<K: ZeroizeOnDrop>(Box<Slot<K>>);

impl<K: ZeroizeOnDrop> Kept<K> {
    fn new<E>(make: impl FnOnce() -> Result<K, E>) -> Result<Self, E> {
        let mut slot = Box::new(Slot::new());
        slot.fill(make)?;
        Ok(Self(slot))
    }
}

impl<K: ZeroizeOnDrop> Deref for Kept<K> {
    type Target = K;

    fn deref(&self) -> &K {
        self.0.get().expect("it was filled when it was made")
    }
}

/// A key of either length.
pub(crate) enum Aead {
    Aes128(Kept<Aes128Gcm>),
    Aes256(Kept<Aes256Gcm>),
}

impl Aead {
    /// For a key of 16 or 32 bytes.
    pub(crate) fn new(key: &[u8]) -> Self {
        const LENGTH: &str = "the length of a key was checked";
        match key.len() {
            16 => Self::Aes128(Kept::new(|| Aes128Gcm::from_slice(key)).expect(LENGTH)),
            _ => Self::Aes256(Kept::new(|| Aes256Gcm::from_slice(key)).expect(LENGTH)),
        }
    }

    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Aes128(key) => key.engine(),
            Self::Aes256(key) => key.engine(),
        }
    }
}
