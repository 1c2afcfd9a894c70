//! A place in which a key is made, used and wiped, without a copy elsewhere.

use core::fmt;

use zeroize::ZeroizeOnDrop;

use crate::secret::{self, ZeroedOnDrop};

/// Bytes of stack that making any key of this crate takes, with the moves on its way: what is there
/// is overwritten by [`Slot::fill`]. On Arm it is more.
const FRAMES: usize = if cfg!(any(target_arch = "aarch64", target_arch = "arm")) {
    24
} else {
    16
} * 1024;

/// A place for a key that is made there and never moved, so that no copy of it is left behind.
///
/// A constructor such as [`Gcm::from_slice`](crate::Gcm::from_slice) gives its key by value, and
/// whoever moves it, into a struct or a `Box`, may leave a copy in the old place, which nobody wipes.
/// A slot is put where the key is to stay while it is still empty, and then [filled](Self::fill): what
/// the making left on the stack is overwritten, and the key is wiped when the slot is dropped,
/// [cleared](Self::clear) or filled again. A slot that is full is not to be moved, for the same
/// reason; a `Box` of it may be.
///
/// It takes any type that wipes itself when dropped.
///
/// # Examples
/// ```
/// use carryless::{Aes256Gcm, Slot, error::InputError};
///
/// struct Connection {
///     key: Slot<Aes256Gcm>,
/// }
///
/// let mut connection = Box::new(Connection { key: Slot::new() });
/// let key = connection.key.fill(|| Aes256Gcm::from_slice(&[0x42; 32]))?;
/// let mut text = *b"attack at dawn";
/// key.seal_in_place(&[7; 12], b"", &mut text)?;
/// # Ok::<(), InputError>(())
/// ```
pub struct Slot<K: ZeroizeOnDrop> {
    key: Place<K>,
}

/// Where the key lies. One of another crate may own more than its bytes, so that it is dropped before these are zeroed.
struct Place<K>(ZeroedOnDrop<Option<K>>);

impl<K> Drop for Place<K> {
    fn drop(&mut self) {
        *self.0.get_mut() = None;
    }
}

impl<K: ZeroizeOnDrop> Slot<K> {
    /// An empty slot.
    pub const fn new() -> Self {
        Self {
            key: Place(ZeroedOnDrop::new(None)),
        }
    }

    /// Makes the key in the slot; one that is there already is wiped first.
    ///
    /// # Errors
    /// Those of `make`; the slot is empty then.
    pub fn fill<E>(&mut self, make: impl FnOnce() -> Result<K, E>) -> Result<&mut K, E> {
        self.clear();
        let made = put(self.key.0.get_mut(), make);
        secret::burn_stack::<FRAMES>();
        made
    }

    /// The key, if there is one.
    pub const fn get(&self) -> Option<&K> {
        self.key.0.get().as_ref()
    }

    /// The key, if there is one, for calls that change it.
    pub const fn get_mut(&mut self) -> Option<&mut K> {
        self.key.0.get_mut().as_mut()
    }

    /// Wipes the key.
    pub fn clear(&mut self) {
        self.key = Place(ZeroedOnDrop::new(None));
    }
}

/// Its frame holds the key before it is in its place: below that of [`Slot::fill`].
#[inline(never)]
fn put<K, E>(place: &mut Option<K>, make: impl FnOnce() -> Result<K, E>) -> Result<&mut K, E> {
    Ok(place.insert(make()?))
}

impl<K: ZeroizeOnDrop> Default for Slot<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: ZeroizeOnDrop + fmt::Debug> fmt::Debug for Slot<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Slot").field(self.key.0.get()).finish()
    }
}

impl<K: ZeroizeOnDrop> ZeroizeOnDrop for Slot<K> {}
