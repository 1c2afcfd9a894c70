//! Sealing with nonces from the system's random generator (SP 800-38D section 8.2.2).

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::gcm::Gcm;
use super::limits::between;
use crate::engine::{Engine, EveryAead};
use crate::error::RandomNonceError;

/// Messages that SP 800-38D section 8.3 allows under one key with random 96-bit nonces.
const MESSAGES: u64 = 1 << 32;

/// A key that seals each message with a random 12-byte nonce, and counts.
///
/// It refuses after 2^32 messages, up to which SP 800-38D section 8.3 bounds the chance that two
/// nonces collide by 2^-32. It is neither `Clone` nor shared, since copies would not see each
/// other's count. To open, use an ordinary [`Gcm`] with the same key.
///
/// # Examples
/// ```
/// use carryless::{Aes256Gcm, RandomNonceSealer};
///
/// let mut sealer = RandomNonceSealer::new(Aes256Gcm::from_slice(&[8; 32])?);
/// let mut text = *b"hello";
/// let (nonce, tag) = sealer.seal_in_place(b"", &mut text)?;
/// Aes256Gcm::from_slice(&[8; 32])?.open_in_place(&nonce, b"", &mut text, &tag)?;
/// assert_eq!(&text, b"hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RandomNonceSealer<C: EveryAead, const TAG: usize = 16> {
    gcm: Gcm<C, 12, TAG>,
    sealed: u64,
}

impl<C: EveryAead, const TAG: usize> fmt::Debug for RandomNonceSealer<C, TAG> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandomNonceSealer")
            .field("gcm", &self.gcm)
            .field("sealed", &self.sealed)
            .finish()
    }
}

/// The key wipes itself.
impl<C: EveryAead, const TAG: usize> ZeroizeOnDrop for RandomNonceSealer<C, TAG> {}

impl<C: EveryAead, const TAG: usize> RandomNonceSealer<C, TAG> {
    /// Takes a key that has sealed nothing yet.
    pub const fn new(gcm: Gcm<C, 12, TAG>) -> Self {
        Self { gcm, sealed: 0 }
    }

    /// Takes a key that has sealed `sealed` messages before, so that a count can be kept over
    /// restarts.
    pub const fn resume(gcm: Gcm<C, 12, TAG>, sealed: u64) -> Self {
        Self { gcm, sealed }
    }

    /// Messages that may still be sealed.
    pub const fn remaining(&self) -> u64 {
        MESSAGES.saturating_sub(self.sealed)
    }

    /// The engine that the key uses.
    pub const fn engine(&self) -> Engine {
        self.gcm.engine()
    }

    /// Seals `text` where it stands; the nonce, which goes with the message, and the tag.
    ///
    /// # Errors
    /// [`RandomNonceError::Exhausted`] after 2^32 messages, [`RandomNonceError::Random`] without
    /// random bytes, [`RandomNonceError::Input`] for lengths; `text` is as before then.
    pub fn seal_in_place(
        &mut self,
        aad: &[u8],
        text: &mut [u8],
    ) -> Result<([u8; 12], [u8; TAG]), RandomNonceError> {
        let nonce = self.next_nonce()?;
        Ok((nonce, self.gcm.seal_in_place(&nonce, aad, text)?))
    }

    /// Seals `plaintext` into `ciphertext`, which has the same length; the nonce and the tag.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place); nothing is written then.
    pub fn seal_into(
        &mut self,
        aad: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<([u8; 12], [u8; TAG]), RandomNonceError> {
        // Before the nonce: a call that can't be does not count.
        let text = between(plaintext, ciphertext)?;
        let nonce = self.next_nonce()?;
        Ok((nonce, self.gcm.seal(&nonce, aad, text)?))
    }

    fn next_nonce(&mut self) -> Result<[u8; 12], RandomNonceError> {
        if self.remaining() == 0 {
            return Err(RandomNonceError::Exhausted);
        }
        let mut nonce = [0; 12];
        getrandom::fill(&mut nonce).map_err(|_| RandomNonceError::Random)?;
        self.sealed += 1;
        Ok(nonce)
    }
}
