//! The traits of the `digest` crate, so that programs written for `cmac` compile unchanged.

use core::fmt;

use digest::array::ArraySize;
use digest::array::typenum::{Const, ToUInt, U, U12};
use digest::common::{Iv, IvSizeUser, KeyIvInit, KeySizeUser};
use digest::{
    FixedOutput, FixedOutputReset, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update,
};
use zeroize::ZeroizeOnDrop;

use super::chain::Chain;
use super::cmac::Cmac;
use super::gmac::{Gmac, Message};
use super::key_size::TypedKey;
use super::nonce::FRAMES;
use super::tag::{first, shorten};
use crate::engine::{EveryAead, EveryCipher};
use crate::secret::then_overwrite_stack;

impl<C: EveryCipher + TypedKey, const TAG: usize> KeySizeUser for Cmac<C, TAG> {
    type KeySize = C::KeySize;
}

impl<C: EveryCipher + TypedKey, const TAG: usize> KeyInit for Cmac<C, TAG> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self::from_slice(key).expect("a key of the cipher's length")
    }
}

impl<C: EveryCipher, const TAG: usize> OutputSizeUser for Cmac<C, TAG>
where
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    type OutputSize = U<TAG>;
}

impl<C: EveryCipher, const TAG: usize> MacMarker for Cmac<C, TAG> {}

/// What is added here is apart from the messages of [`Cmac::mac`] and [`Cmac::begin`].
impl<C: EveryCipher, const TAG: usize> Update for Cmac<C, TAG> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.key.update(&mut self.message, data);
    }
}

impl<C: EveryCipher, const TAG: usize> Reset for Cmac<C, TAG> {
    #[inline]
    fn reset(&mut self) {
        self.message = Chain::default();
    }
}

impl<C: EveryCipher, const TAG: usize> FixedOutput for Cmac<C, TAG>
where
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    #[inline]
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.finalize_into_reset(out);
    }
}

impl<C: EveryCipher, const TAG: usize> FixedOutputReset for Cmac<C, TAG>
where
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    #[inline]
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        let mut message = core::mem::take(&mut self.message);
        let mut tag = self.key.finish(&mut message);
        out.copy_from_slice(&first::<TAG>(&mut tag));
    }
}

/// GMAC of one message under a nonce of 12 bytes, as the traits of `digest` have it: with a key of its own.
///
/// Neither reset nor cloned: a second message under the nonce would reveal the hash key. Prefer [`Gmac::begin`] where
/// the
/// traits are not asked for.
///
/// # Examples
/// ```
/// use carryless::{Aes128, Gmac, GmacOnce};
/// use digest::{Mac, common::KeyIvInit};
///
/// let mac = GmacOnce::<Aes128>::new(&[3; 16].into(), &[0; 12].into());
/// let tag = mac.chain_update(b"a message").finalize().into_bytes();
/// assert_eq!(tag[..], Gmac::<Aes128>::from_slice(&[3; 16])?.mac(&[0; 12], b"a message")?);
/// # Ok::<(), carryless::error::InputError>(())
/// ```
pub struct GmacOnce<C: EveryAead, const TAG: usize = 16> {
    mac: Gmac<C, TAG>,
    message: Message,
}

impl<C: EveryAead, const TAG: usize> fmt::Debug for GmacOnce<C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GmacOnce")
            .field("cipher", &C::NAME)
            .field("engine", &self.mac.engine())
            .finish_non_exhaustive()
    }
}

impl<C: EveryAead, const TAG: usize> ZeroizeOnDrop for GmacOnce<C, TAG> {}

impl<C: EveryAead + TypedKey, const TAG: usize> KeySizeUser for GmacOnce<C, TAG> {
    type KeySize = C::KeySize;
}

impl<C: EveryAead, const TAG: usize> IvSizeUser for GmacOnce<C, TAG> {
    type IvSize = U12;
}

impl<C: EveryAead + TypedKey, const TAG: usize> KeyIvInit for GmacOnce<C, TAG> {
    #[inline]
    fn new(key: &Key<Self>, nonce: &Iv<Self>) -> Self {
        let mac = Gmac::from_slice(key).expect("a key of the cipher's length");
        let message = Message::begin(mac.keys(), nonce);
        Self { mac, message }
    }
}

impl<C: EveryAead, const TAG: usize> OutputSizeUser for GmacOnce<C, TAG>
where
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    type OutputSize = U<TAG>;
}

impl<C: EveryAead, const TAG: usize> MacMarker for GmacOnce<C, TAG> {}

/// # Panics
/// Beyond 2^61 - 1 bytes in all.
impl<C: EveryAead, const TAG: usize> Update for GmacOnce<C, TAG> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        let keys = self.mac.keys();
        then_overwrite_stack::<FRAMES, _>(|| self.message.update(keys, data))
            .expect("nobody has 2^61 bytes");
    }
}

impl<C: EveryAead, const TAG: usize> FixedOutput for GmacOnce<C, TAG>
where
    Const<TAG>: ToUInt<Output: ArraySize>,
{
    #[inline]
    fn finalize_into(mut self, out: &mut Output<Self>) {
        let keys = self.mac.keys();
        let mut tag = then_overwrite_stack::<FRAMES, _>(|| self.message.finish(keys));
        out.copy_from_slice(&shorten::<TAG>(&mut tag));
    }
}
